"""Which run a conversation belongs to: never a silent merge, never the order of arrival.

Owns the rules of DESIGN's "Run" for one import. A source's number comes from its data, else its name, else is 1. When
two sources of one command want the same place, the later by path gets the next number, with all it brought before;
when the place is taken by what was stored earlier, the source is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from enum import Enum

from reviewer.digests import conversation_digest
from reviewer.model import Conversation
from reviewer.refs import conversation_ref
from reviewer.store.places import MOST, Key, Place
from reviewer.store.writer import Writer


class Outcome(Enum):
    """What became of one conversation."""

    NEW = "new"
    UNCHANGED = "unchanged"
    REPLACED = "replaced"
    CLASH = "clash"


@dataclass(frozen=True, slots=True)
class Placed:
    """Where one conversation went: the run's number and the reference it has (or would have had)."""

    outcome: Outcome
    number: int | None
    ref: str


@dataclass
class Group:
    """Sources that are one run together: a file, or a folder of one-conversation files."""

    name: str
    sources: set[str] = field(default_factory=set)
    numbers: dict[tuple[str, int | None], int] = field(default_factory=dict)
    """(model, number stated) -> number given."""


class Numbering:
    """Places the conversations of one import, source by source."""

    def __init__(self, writer: Writer, import_id: int, sources: Collection[str], replacing: bool) -> None:
        self._writer = writer
        self._import = import_id
        self._sources = frozenset(sources)
        self._replacing = replacing
        self._groups: dict[str, Group] = {}
        self._kept: dict[int, Group] = {}
        """Of an import that replaces: what it found in its place or put there, and whose that is. It stays there."""
        self._many: dict[Key, int] = {}
        """How many copies of those stand there that have more than are looked at."""
        self._tried: dict[str, int] = {}
        """Up to where numbers were found taken, by the name that they are added to."""
        self.said: dict[str, None] = {}

    def begin_source(self, source_id: int) -> None:
        """Forget what only counts within one source."""
        self._writer.places.begin_source(source_id, self._import)
        self._many.clear()
        self._tried.clear()

    def place(
        self, item: Conversation, source: str, source_id: int, group: str, position: str, whole: bool = False
    ) -> Placed:
        """Store one conversation, or find that it is there, or that its place is taken.

        `whole` says that the source is a run of its own, so that it shares a number with no other of the same suite.
        """
        digest = conversation_digest(item.messages)
        of = self._groups.setdefault(group, Group(group))
        of.sources.add(source)
        known = self._known(item, digest, source, of)
        if known is not None:
            if self._replacing:
                self._kept[known.rowid] = of
            return Placed(Outcome.UNCHANGED, known.number, "")
        if whole:
            self._claim(item, of)
        outcome, numbered, ref = self._make_room(item, digest, of)
        if outcome is Outcome.CLASH:
            return Placed(outcome, numbered.run, ref)
        rowid = self._writer.add(ref, digest, numbered, source_id, self._import, position)
        if outcome is Outcome.REPLACED:
            self._kept[rowid] = of
        return Placed(outcome, numbered.run, ref)

    def given(self, model: str, stated: int | None, group: str) -> int | None:
        """The number that a group's run got in the end."""
        of = self._groups.get(group)
        return of.numbers.get((model, stated), stated) if of else stated

    def _claim(self, item: Conversation, group: Group) -> None:
        """Give a source that is a run of its own a number under which no other has cases of its suite."""
        stated = (item.model, item.run)
        if item.case is None or stated in group.numbers:
            return
        number = wanted = 1 if item.run is None else item.run
        suite = item.facts.suite if item.facts else None
        held: dict[int | None, set[str]] = {}
        for each, source in self._writer.places.holders(item.model, suite):
            held.setdefault(each, set()).add(source)
        others = held.get(number, set()) - group.sources
        if others and not others & self._sources:
            self._say(f"joins run {number} of {item.model}, begun by {min(others)}; if it is another run, say --run N")
        while held.get(number, set()) & self._sources - group.sources:
            number += 1
        if number != wanted:
            self._say(f"run {wanted} of {item.model} is another file's: {group.name} became run {number}")
        group.numbers[stated] = number

    def _known(self, item: Conversation, digest: str, source: str, group: Group) -> Place | None:
        """The stored copy of this conversation, beyond as many as its own source holds."""
        key = (item.model, item.case, digest)
        places = self._writer.places
        path = source if not item.messages and places.copies(key, source) else None
        copies = places.copies(key, path)
        if not item.messages and path is None:
            copies = self._elsewhere_empty(copies, item, group)
        if not copies or places.seen(key) > self._number_of(copies, key, path):
            return None
        place = next((each for each in copies if each.number == item.run), copies[0])
        if place.number is not None and item.messages:
            group.numbers.setdefault((item.model, item.run), place.number)
        return place

    def _number_of(self, copies: list[Place], key: Key, path: str | None) -> int:
        if len(copies) < MOST:
            return len(copies)
        if key not in self._many:
            self._many[key] = self._writer.places.count_copies(key, path)
        return self._many[key]

    def _elsewhere_empty(self, copies: list[Place], item: Conversation, group: Group) -> list[Place]:
        """Nothing was said in it, so only its place tells it from the empty one of another run."""
        given = group.numbers.get((item.model, item.run), item.run)
        return [each for each in copies if each.number == given and each.source not in self._sources]

    def _make_room(self, item: Conversation, digest: str, group: Group) -> tuple[Outcome, Conversation, str]:
        if item.case is None:
            return Outcome.NEW, item, self._free_id(item, digest)
        stated = (item.model, item.run)
        given = group.numbers.get(stated, 1 if item.run is None else item.run)
        numbered = item if item.run == given else replace(item, run=given)
        ref = _ref(numbered)
        taken = self._writer.places.at(ref)
        if taken is None:
            group.numbers.setdefault(stated, given)
            return Outcome.NEW, numbered, ref
        ours, keeper = taken.import_id == self._import, self._kept.get(taken.rowid)
        if keeper is group or (ours and taken.source in group.sources):
            return self._repeat(numbered)
        if self._replacing and not ours and keeper is None:
            self._writer.delete([taken.rowid])
            group.numbers.setdefault(stated, given)
            return Outcome.REPLACED, numbered, ref
        if keeper or (taken.source in self._sources and taken.source not in group.sources):
            return self._next_run(item, group, stated, given)
        return Outcome.CLASH, numbered, ref

    def _repeat(self, item: Conversation) -> tuple[Outcome, Conversation, str]:
        """The same case and number twice in one source: the second goes to the next run that lacks the case."""
        number = self._first_free(_ref(item), item.run or 0, lambda n: _ref(replace(item, run=n)))
        self._say(f"{item.case} of {item.model} stands there more than once: counted as further runs")
        again = replace(item, run=number)
        return Outcome.NEW, again, _ref(again)

    def _next_run(
        self, item: Conversation, group: Group, stated: tuple[str, int | None], given: int
    ) -> tuple[Outcome, Conversation, str]:
        """Another source of this command has the number: this one takes the next, with all it brought before."""
        number = self._writer.places.next_number(item.model)
        for rowid, case in self._writer.places.of_run(item.model, given, group.sources, self._import):
            if rowid not in self._kept:
                self._writer.move(rowid, conversation_ref(item.model, case, number), item.model, number)
        group.numbers[stated] = number
        self._say(f"run {given} of {item.model} is another file's: {group.name} became run {number}")
        numbered = replace(item, run=number)
        return Outcome.NEW, numbered, _ref(numbered)

    def _free_id(self, item: Conversation, digest: str) -> str:
        key = item.id or digest[:12]
        names = (key, f"{key}-{digest[:8]}")
        refs = [conversation_ref(item.model, None, None, name) for name in names]
        free = next((ref for ref in refs if self._writer.places.at(ref) is None), None)
        return free or f"{refs[1]}-{self._first_free(refs[1], 2, lambda n: f'{refs[1]}-{n}')}"

    def _first_free(self, name: str, first: int, ref: Callable[[int], str]) -> int:
        """The first number with which nothing stands yet; a source may hold the same thousands of times."""
        number = self._tried.get(name, first)
        while self._writer.places.at(ref(number)) is not None:
            number += 1
        self._tried[name] = number
        return number

    def _say(self, text: str) -> None:
        self.said[text] = None


def _ref(item: Conversation) -> str:
    return conversation_ref(item.model, item.case, item.run, item.id)
