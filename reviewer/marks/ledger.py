"""The ledger: what follows from the events of all reviewers, conversation by conversation.

Owns the fold. Pure, and independent of the order in which events arrive: they are folded in order of their identifiers,
and a conversation's state depends on its own events alone, so it is folded when somebody asks. Of two events with one
identifier the one whose line sorts first counts, the other is said by the journal's reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from reviewer.basics.errors import JournalError, RefError
from reviewer.marks.counts import Counts, marked
from reviewer.marks.events import APART, CHANGES_TAG, MAKES_TAG, TEXTS, VERDICTS, Event, encode, targets
from reviewer.marks.read_extent import ReadExtent, extent, furthest
from reviewer.marks.shapes import finding_identity, made_fields, reference, tag_of
from reviewer.transcripts.model import Tag


@dataclass(frozen=True, slots=True)
class ReviewRecord:
    """A reviewer's statement that they are done with a conversation, and what they were shown of it meanwhile."""

    by: str
    at: str
    digest: str
    how: Mapping[str, Any]

    @property
    def extent(self) -> ReadExtent:
        """How far they read."""
        return extent(self.how)


@dataclass(frozen=True, slots=True)
class State:
    """Everything the reviewers have said of one conversation (or case), after undo and redo."""

    tags: tuple[Tag, ...] = ()
    """In order of making; one with an empty code is a free note."""
    verdicts: Mapping[str, str] = field(default_factory=dict)
    """Reviewer to verdict."""
    reviewed: Mapping[str, ReviewRecord] = field(default_factory=dict)
    rejected: tuple[Event, ...] = ()
    undone: frozenset[str] = frozenset()
    """Identifiers of the events that do not count."""
    strays: tuple[tuple[Event, str], ...] = ()
    """Events that cannot count, with why: about what nobody made, or holding what cannot be read."""

    @property
    def extent(self) -> ReadExtent | None:
        """How far somebody read; None where nobody reviewed it."""
        return furthest(done.extent for done in self.reviewed.values())

    def tag(self, identifier: str) -> Tag | None:
        """The tag of that identifier, when it stands."""
        return next((tag for tag in self.tags if tag.id == identifier), None)

    @property
    def turned_down(self) -> set[str]:
        """The identities of the findings that somebody rejected and of which nobody's tag stands."""
        if not self.rejected:
            return set()
        accepted = {finding_identity((tag.extra or {}).get("finding")) for tag in self.tags}
        return {finding_identity(event.fields.get("finding")) for event in self.rejected} - accepted


EMPTY = State()
_KEPT = 500


class EarlierEvents(Protocol):
    """The interface of events that are not kept in memory, because there are very many."""

    def conversations(self) -> Iterable[str]:
        """List the conversations and cases that the events are about."""

    def events(self, conversation: str) -> list[Event]:
        """Return the events about a conversation."""

    def brief(self, conversation: str) -> State | None:
        """Return what a conversation's events come to, without the words of tags."""

    def briefs(self) -> Iterable[tuple[str, State]]:
        """Yield every conversation with that."""

    def latest(self, by: str) -> Iterable[Event]:
        """Yield the events of a reviewer, the last first."""


class Ledger:
    """Events by conversation, each folded when its state is asked for."""

    def __init__(self, events: Iterable[Event] = (), earlier: EarlierEvents | None = None) -> None:
        self._events: dict[str, dict[str, Event]] = {}
        self._states: dict[str, State] = {}
        self._changed: set[str] = set()
        self._earlier = earlier
        for event in events:
            self.apply(event)

    def apply(self, event: Event) -> bool:
        """Take an event in; False when it (or another of its identifier) was known already."""
        events = self._events.setdefault(event.conversation, {})
        known = events.get(event.id)
        if known is None or (known != event and encode(event) < encode(known)):
            events[event.id] = event
            self._states.pop(event.conversation, None)
            self._changed.add(event.conversation)
        return known is None

    def snapshot(self) -> Ledger:
        """The ledger as it stands, for a thread: nothing that comes in later touches it."""
        copy = Ledger(earlier=self._earlier)
        copy._events = {conversation: dict(events) for conversation, events in self._events.items()}
        copy._states = dict(self._states)
        return copy

    def event(self, like: Event) -> Event | None:
        """The event of the same conversation and identifier, when there is one in memory."""
        return self._events.get(like.conversation, {}).get(like.id)

    def state(self, conversation: str) -> State:
        """The tags, verdicts and reviews of a conversation, as its events leave them."""
        state = self._states.get(conversation)
        if state is None:
            events = self.events(conversation)
            if not events:
                return EMPTY
            if self._earlier is not None and len(self._states) > _KEPT:
                self._states.clear()
            state = self._states[conversation] = fold(events)
        return state

    def brief(self, conversation: str) -> State:
        """The same for those who do not need the words: its tags may lack pieces and evidence."""
        if self._earlier is None or conversation in self._events:
            return self.state(conversation)
        return self._earlier.brief(conversation) or EMPTY

    def briefs(self) -> Iterator[tuple[str, State]]:
        """The same of all conversations (and cases) that anybody marked."""
        yield from ((each, self.state(each)) for each in self._events if each not in APART)
        for each, state in self._earlier.briefs() if self._earlier is not None else ():
            if each not in self._events and each not in APART:
                yield each, state

    def conversations(self) -> Iterator[str]:
        """The references of all conversations (and cases) that anybody marked."""
        yield from (each for each in self._events if each not in APART)
        if self._earlier is not None:
            for each in self._earlier.conversations():
                if each not in self._events and each not in APART:
                    yield each

    def take_changed(self) -> set[str]:
        """Return the conversations that got events since the last call."""
        changed, self._changed = self._changed, set()
        return changed

    def events(self, conversation: str) -> list[Event]:
        """A conversation's events in order, each once."""
        by_id = dict(self._events.get(conversation, {}))
        for event in self._earlier.events(conversation) if self._earlier else ():
            known = by_id.get(event.id)
            if known is None or (known != event and encode(event) < encode(known)):
                by_id[event.id] = event
        return sorted(by_id.values(), key=_id)

    def latest_first(self, by: str) -> Iterator[Event]:
        """All events of one reviewer, the last first."""
        own = (event for events in self._events.values() for event in events.values() if event.by == by)
        yield from sorted(own, key=_id, reverse=True)
        if self._earlier is not None:
            yield from self._earlier.latest(by)


def _id(event: Event) -> str:
    return event.id


@dataclass(frozen=True, slots=True)
class FoldedEvents:
    """One conversation's events after undo and redo, before anything in them is looked at closely."""

    made: Mapping[str, tuple[Event, Mapping[str, Any]]]
    """Identifier of a tag to the event that made it, and its fields as they are now."""
    verdicts: Mapping[str, str]
    reviewed: Mapping[str, ReviewRecord]
    rejected: tuple[Event, ...]
    undone: frozenset[str]
    ordered: tuple[Event, ...]

    def marked(self) -> Counts:
        """Count what is marked, by reviewer."""
        extents = {by: done.extent for by, done in self.reviewed.items()}
        return marked([event.by for event, _ in self.made.values()], extents, self.verdicts)


def gathered(events: Iterable[Event]) -> FoldedEvents:
    """Sort out which of one conversation's events count, in whatever order they are given."""
    ordered = tuple(sorted(events, key=_id))
    undone = _undone(ordered)
    counting = [event for event in ordered if event.id not in undone] if undone else ordered
    # What makes a tag comes before what changes it, even where two machines' clocks disagree.
    made = {event.id: (event, made_fields(event)) for event in counting if event.do in MAKES_TAG}
    verdicts: dict[str, str] = {}
    reviewed: dict[str, ReviewRecord] = {}
    for event in counting:
        if event.do in CHANGES_TAG:
            _change(made, event)
        elif event.do == "verdict":
            verdicts[event.by] = str(event.fields.get("verdict", ""))
        elif event.do == "reviewed":
            earlier = reviewed.get(event.by) if event.fields.get("further") is True else None
            at = earlier.at if earlier is not None else event.at  # who reads on had seen others' work by then
            reviewed[event.by] = ReviewRecord(event.by, at, event.digest, event.fields)
    return FoldedEvents(
        made,
        {by: verdict for by, verdict in verdicts.items() if verdict in VERDICTS},
        {by: done for by, done in reviewed.items() if done.how.get("reviewed", True)},
        tuple(event for event in counting if event.do == "reject"),
        undone,
        ordered,
    )


def fold(events: Iterable[Event]) -> State:
    """Work out a conversation's state from its tags, verdicts and reviews from its events, given in any order."""
    folded = gathered(events)
    tags: list[Tag] = []
    strays = list(_strays(folded.ordered))
    for event, fields in folded.made.values():
        try:
            tags.append(tag_of(event, fields))
        except JournalError as error:
            strays.append((event, error.message))
    return State(tuple(tags), folded.verdicts, folded.reviewed, folded.rejected, folded.undone, tuple(strays))


def _undone(ordered: Iterable[Event]) -> frozenset[str]:
    """Return the events that are undone: of all undos and redos of an event the last counts, and `bring` is a redo."""
    last: dict[str, str] = {}
    for event in ordered:
        for target in targets(event):
            last[target] = event.do
    return frozenset(target for target, do in last.items() if do == "undo")


def _strays(ordered: tuple[Event, ...]) -> Iterator[tuple[Event, str]]:
    made = {event.id for event in ordered}
    makers = {event.id for event in ordered if event.do in MAKES_TAG}
    for event in ordered:
        if not made.issuperset(targets(event)):
            yield event, f"{event.do}: no journal holds what it is about"
        elif event.do in CHANGES_TAG and event.fields["tag"] not in makers:
            yield event, f"{event.do}: no journal holds its tag {event.fields['tag']}"


def _change(made: dict[str, tuple[Event, Mapping[str, Any]]], event: Event) -> None:
    """Apply an event to the tag it is about, if there is one."""
    maker, before = made.get(event.fields["tag"], (None, {}))
    if maker is None:
        return
    fields = event.fields
    if event.do == "untag":
        del made[maker.id]
        return
    after = dict(before)
    if event.do == "edit":
        after.update({name: fields[name] for name in (*TEXTS, "exemplar") if name in fields})
    else:
        added = fields.get("evidence", []) if event.do == "attach" else []
        dropped = fields.get("instead", []) if event.do == "attach" else fields.get("evidence", [])
        gone = {*_names(dropped), *_names(added)}
        after["evidence"] = [each for each in before.get("evidence", []) if _name(each) not in gone] + added
    made[maker.id] = (maker, after)


def _names(value: Any) -> set[str]:
    return {_name(each) for each in value} if isinstance(value, list) else set()


def _name(evidence: Any) -> str:
    """Return what names a piece of evidence, however a hand wrote it: its reference, or the text of an absence."""
    name = str(evidence.get("ref")) if isinstance(evidence, dict) else str(evidence)
    try:
        return str(reference(name))
    except RefError:
        return name
