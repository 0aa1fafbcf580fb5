"""The ledger: what follows from the events of all reviewers, conversation by conversation.

Owns the fold. Pure, and independent of the order in which events arrive: they are folded in order of their identifiers,
and a conversation's state depends on its own events alone, so it is folded when somebody asks. Of two events with one
identifier the one whose line sorts first counts, the other is said by the journal's reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reviewer.annotations.events import (
    MAKES_TAG,
    TEXTS,
    VERDICTS,
    Event,
    encode,
    evidence_name,
    evidence_of,
    tag_of,
    targets,
)
from reviewer.model import Evidence, Tag


@dataclass(frozen=True, slots=True)
class Reviewed:
    """That somebody read the conversation to its end, and what they were shown while they did."""

    by: str
    at: str
    digest: str
    how: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class State:
    """Everything the reviewers have said of one conversation (or case), after undo and redo."""

    tags: tuple[Tag, ...] = ()
    """In order of making; one with an empty code is a free note."""
    verdicts: Mapping[str, str] = field(default_factory=dict)
    """Reviewer to verdict."""
    reviewed: Mapping[str, Reviewed] = field(default_factory=dict)
    rejected: tuple[Event, ...] = ()
    undone: frozenset[str] = frozenset()
    """Identifiers of the events that do not count."""
    strays: tuple[Event, ...] = ()
    """Events about a tag or an event that nobody made here."""

    def tag(self, identifier: str) -> Tag | None:
        """The tag of that identifier, when it stands."""
        return next((tag for tag in self.tags if tag.id == identifier), None)


EMPTY = State()


class Ledger:
    """Events by conversation, each folded when its state is asked for."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._events: dict[str, dict[str, Event]] = {}
        self._states: dict[str, State] = {}
        for event in events:
            self.apply(event)

    def apply(self, event: Event) -> bool:
        """Take an event in; False when it (or another of its identifier) was known already."""
        events = self._events.setdefault(event.conversation, {})
        known = events.get(event.id)
        if known is None or (known != event and encode(event) < encode(known)):
            events[event.id] = event
            self._states.pop(event.conversation, None)
        return known is None

    def event(self, like: Event) -> Event | None:
        """The event of the same conversation and identifier, when there is one."""
        return self._events.get(like.conversation, {}).get(like.id)

    def state(self, conversation: str) -> State:
        """What has been said of a conversation."""
        found = self._states.get(conversation)
        if found is None:
            events = self._events.get(conversation)
            if events is None:
                return EMPTY
            found = self._states[conversation] = fold(events.values())
        return found

    def conversations(self) -> Iterator[str]:
        """The references of all conversations (and cases) that anybody marked."""
        return iter(self._events)

    def events(self, conversation: str) -> list[Event]:
        """A conversation's events in order."""
        return sorted(self._events.get(conversation, {}).values(), key=_id)

    def latest_first(self, by: str) -> list[Event]:
        """All events of one reviewer, the last first."""
        own = (event for events in self._events.values() for event in events.values() if event.by == by)
        return sorted(own, key=_id, reverse=True)


def _id(event: Event) -> str:
    return event.id


def fold(events: Iterable[Event]) -> State:
    """What follows from one conversation's events, in whatever order they are given."""
    ordered = sorted(events, key=_id)
    undone = _undone(ordered)
    counting = [event for event in ordered if event.known and event.id not in undone]
    # What makes a tag comes before what changes it, even where two machines' clocks disagree.
    tags = {event.id: tag_of(event) for event in counting if event.do in MAKES_TAG}
    verdicts: dict[str, str] = {}
    reviewed: dict[str, Reviewed] = {}
    for event in counting:
        named = event.fields.get("tag")
        if isinstance(named, str) and named in tags:
            changed = _changed(tags[named], event)
            if changed is None:
                del tags[named]
            else:
                tags[named] = changed
        elif event.do == "verdict":
            verdicts[event.by] = str(event.fields.get("verdict", ""))
        elif event.do == "reviewed":
            reviewed[event.by] = Reviewed(event.by, event.at, event.digest, event.fields)
    return State(
        tuple(tags.values()),
        {by: verdict for by, verdict in verdicts.items() if verdict in VERDICTS},
        {by: done for by, done in reviewed.items() if done.how.get("reviewed", True)},
        tuple(event for event in counting if event.do == "reject"),
        undone,
        _strays(ordered),
    )


def _undone(ordered: list[Event]) -> frozenset[str]:
    """Of all undos and redos of an event the last one counts."""
    last: dict[str, str] = {}
    for event in ordered:
        for target in targets(event):
            last[target] = event.do
    return frozenset(target for target, do in last.items() if do == "undo")


def _strays(ordered: list[Event]) -> tuple[Event, ...]:
    made = {event.id for event in ordered}
    makers = {event.id for event in ordered if event.do in MAKES_TAG}
    return tuple(
        event
        for event in ordered
        if not made.issuperset(targets(event)) or (event.known and event.fields.get("tag", "") not in {"", *makers})
    )


def _changed(tag: Tag, event: Event) -> Tag | None:
    """A tag after an event about it; None when the event takes it back."""
    fields = event.fields
    if event.do == "untag":
        return None
    if event.do == "edit":
        texts = {name: fields[name] for name in TEXTS if name in fields}
        exemplar = fields["exemplar"] is True if "exemplar" in fields else tag.exemplar
        return replace(tag, exemplar=exemplar, **texts)
    if event.do == "attach":
        dropped = _names(fields.get("instead"))
        added = evidence_of(fields.get("evidence", []))
        return replace(tag, evidence=_without(tag.evidence, dropped | {evidence_name(each) for each in added}) + added)
    if event.do == "detach":
        return replace(tag, evidence=_without(tag.evidence, _names(fields.get("evidence"))))
    return tag


def _names(value: Any) -> set[str]:
    return {each for each in value if isinstance(each, str)} if isinstance(value, list) else set()


def _without(evidence: tuple[Evidence, ...], names: set[str]) -> tuple[Evidence, ...]:
    return tuple(each for each in evidence if evidence_name(each) not in names)
