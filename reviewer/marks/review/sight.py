"""What a reviewer is shown of others' work: all of it, none, or none before they have read for themselves.

Owns the rule. In a queue that gives rates others' tags and verdicts, what judges scored and what reads suggest stay
hidden until the reviewer has said that the conversation is reviewed, because a rate is worth something only when each
reader came to it alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reviewer.marks import queues
from reviewer.marks.ledger import State
from reviewer.transcripts.query import Query


@dataclass
class Sight:
    """One reviewer's, in one window."""

    annotations: Path
    by: str
    others: bool = True
    """Whether they want to see others' work at all."""
    suggestions: bool = True
    """Whether they want to see what reads suggest."""
    scanned: bool = False
    """Whether reads went over the store that is open."""
    queue: str = ""
    """The named queue that is read."""
    alone: bool = False
    """Whether that queue is one that everybody reads alone."""

    def read(self, query: Query) -> None:
        """Take the queue that a query names for the one that is read now."""
        terms = [term for term in query.wanted if term.field == "queue"]
        named = [name for name in queues.names(self.annotations) if any(term.matches(name) for term in terms)]
        named_queues = [queues.load(self.annotations, name) for name in named]
        drawn = next((queue for queue in named_queues if queue.gives_rates), None)
        self.alone = drawn is not None
        self.queue = drawn.name if drawn else named_queues[0].name if named_queues else ""

    def shows_others(self, state: State) -> bool:
        """True if others' work on a conversation in this state is shown."""
        return self.others and self.shows_judges(state)

    def shows_judges(self, state: State) -> bool:
        """True if scores and judges' notes on a conversation in this state are shown: not before it was read alone."""
        return not self.alone or self.by in state.reviewed

    def shows_suggestions(self, state: State) -> bool:
        """True if what reads suggest about a conversation in this state is shown."""
        return self.scanned and self.suggestions and self.shows_judges(state)

    def of(self, state: State) -> State:
        """Return a state without what is hidden."""
        if self.shows_others(state):
            return state
        by = self.by
        return replace(
            state,
            tags=tuple(tag for tag in state.tags if tag.by == by),
            verdicts={name: verdict for name, verdict in state.verdicts.items() if name == by},
            reviewed={name: done for name, done in state.reviewed.items() if name == by},
        )

    def how(self, state: State) -> dict[str, Any]:
        """Return the circumstances for a `reviewed` line: the queue, and if suggestions and others' work were shown."""
        named = {"queue": self.queue} if self.queue else {}
        return {**named, "suggestions": self.shows_suggestions(state), "others": self.shows_others(state)}
