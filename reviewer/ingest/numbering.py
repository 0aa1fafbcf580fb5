"""Which run a conversation belongs to: never a silent merge, never the order of arrival.

Owns the rules of DESIGN's "Run" for one import. A source's number comes from its data, its name or its path, else is 1.
When two sources of one command want the same place, folders that name two configurations become two labels, and else
the later by path gets the next number; when the place is taken by what was stored earlier, the source is refused. What
is stored already is `known`'s to find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import Enum

from reviewer.digests import conversation_digest
from reviewer.ingest import names
from reviewer.model import Conversation
from reviewer.refs import conversation_ref
from reviewer.store.places import MOST, Copy, CopyQuery, Place
from reviewer.store.writer import Writer

LONGEST_REF = 120
"""Characters of the reference of a conversation that no case names."""


class Outcome(Enum):
    """What became of one conversation."""

    NEW = "new"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    REPLACED = "replaced"
    CLASH = "clash"
    AGAIN = "again"


@dataclass(frozen=True, slots=True)
class Placed:
    """Where one conversation went: the run's number and the reference it has (or would have had)."""

    outcome: Outcome
    number: int | None
    ref: str
    model: str
    again: frozenset[str] = frozenset()
    """Sources to take back and read once more: only now is it known that they are another run than they seemed."""
    equal: bool = False
    """Whether what stands in its place says the same."""


@dataclass
class Group:
    """Sources that are one run together: a file, or a folder of one-conversation files."""

    name: str
    sources: set[str] = field(default_factory=set)
    numbers: dict[tuple[str, int | None], int] = field(default_factory=dict)
    """(model, number stated) -> number given."""
    shared: dict[tuple[str, int | None], set[str]] = field(default_factory=dict)
    """Sources with conversations that count as stored because another source said the same in the same run."""
    own: set[tuple[str, int | None]] = field(default_factory=set)
    """Runs that turned out to be other runs than those that are stored: nothing in them is shared."""
    told: dict[tuple[str, int | None], str] = field(default_factory=dict)
    """What is to be said of those."""


class Numbering:
    """Places the conversations of one import, source by source."""

    def __init__(self, writer: Writer, import_id: int, sources: Iterable[str], replacing: bool) -> None:
        self._writer = writer
        self._import = import_id
        self._sources = set(sources)
        """Those of this command that are stored; what they brought before may be told from what comes now."""
        self._replacing = replacing
        self._groups: dict[str, Group] = {}
        self._kept: dict[int, Group] = {}
        """Of an import that replaces: what it found in its place or put there, and whose that is. It stays there."""
        self._replaced: set[str] = set()
        self._many: dict[CopyQuery, int] = {}
        """How many copies of those stand there that have more than are looked at."""
        self._tried: dict[str, int] = {}
        """Up to where numbers were found taken, by the name that they are added to."""
        self._splits: dict[str, list[names.Folder]] = {}
        """Folders below which each folder is a configuration of its own, by model."""
        self._source = 0
        self._label: str | None = None
        self.said: dict[str, None] = {}

    def begin_source(self, source_id: int, name: str = "", label: str | None = None) -> None:
        """Forget what only counts within one source; `label` is the part of its path that an import before noted."""
        self._writer.places.begin_source(source_id, self._import)
        self._source, self._label = source_id, label
        self._sources.add(name)
        self._many.clear()
        self._tried.clear()
        self.said.clear()

    def forget(self, source: str, rowids: Iterable[int]) -> None:
        """A source is taken back: what it brought is gone."""
        for rowid in rowids:
            self._kept.pop(rowid, None)
        for group in self._groups.values():
            for sharing in group.shared.values():
                sharing.discard(source)

    def place(
        self, item: Conversation, source: str, source_id: int, group: str, position: str, whole: bool = False
    ) -> Placed:
        """Store one conversation, or find that it is there, or that its place is taken.

        `whole` says that the source is a run of its own, so that it shares a number with no other of the same suite.
        """
        item = self._labelled(item, source)
        digest = conversation_digest(item.messages)
        of = self._groups.setdefault(group, Group(group))
        of.sources.add(source)
        copy = self._known(item, digest, of)
        if whole and (copy is None or not copy.surely):
            self._claim(item, of)
        if copy is not None and (copy.surely or (item.model, item.run) not in of.own):
            return self._already(copy, item, of, source)
        return self._stored(item, digest, of, source, source_id, position)

    def given(self, model: str, stated: int | None, group: str) -> int | None:
        """The number that a group's run got in the end."""
        of = self._groups.get(group)
        return of.numbers.get((model, stated), stated) if of else stated

    # -- what is stored already --------------------------------------------------------------------------------------

    def _known(self, item: Conversation, digest: str, group: Group) -> Copy | None:
        """The stored copy of this conversation, beyond as many as its own source holds."""
        stated = (item.model, item.run)
        in_run = item.case is not None and item.run is not None and stated not in group.own
        wanted = CopyQuery(item.model, item.case, digest, item.id, item.run, in_run, not item.messages)
        copies = self._writer.places.copies(wanted)
        nth = self._writer.places.seen(wanted) if copies else 0
        if not copies or nth > self._number_of(copies, wanted):
            return None
        return copies[min(nth, len(copies)) - 1]

    def _number_of(self, copies: list[Copy], wanted: CopyQuery) -> int:
        if len(copies) < MOST:
            return len(copies)
        if wanted not in self._many:
            self._many[wanted] = self._writer.places.count_copies(wanted)
        return self._many[wanted]

    def _already(self, copy: Copy, item: Conversation, group: Group, source: str) -> Placed:
        """It is stored: what this copy has more is put beside it."""
        stated = (item.model, item.run)
        if not copy.surely:
            group.shared.setdefault(stated, set()).add(source)
        if copy.number is not None and item.messages:
            group.numbers.setdefault(stated, copy.number)
        if self._replacing:
            self._kept[copy.rowid] = group
        changed, contradictions = self._writer.updates.merge(
            copy.rowid, item, self._import, self._source, self._replacing
        )
        for said in contradictions:
            self._say(f"{copy.ref}: {said}; --replace takes what is said here")
        return Placed(Outcome.UPDATED if changed else Outcome.UNCHANGED, copy.number, copy.ref, item.model)

    # -- a place for what is not -------------------------------------------------------------------------------------

    def _stored(
        self, item: Conversation, digest: str, group: Group, source: str, source_id: int, position: str
    ) -> Placed:
        if item.case is None:
            outcome, numbered, ref = self._identified(item, digest, source, position)
        else:
            given = group.numbers.get((item.model, item.run), 1 if item.run is None else item.run)
            numbered = item if item.run == given else replace(item, run=given)
            ref = _ref(numbered)
            taken = self._writer.places.at(ref)
            if taken is not None:
                other = self._taken(taken, ref, item, numbered, digest, group, source)
                if isinstance(other, Placed):
                    return other
                outcome, numbered, ref = other
            else:
                outcome = Outcome.REPLACED if ref in self._replaced else Outcome.NEW
                group.numbers.setdefault((item.model, item.run), given)
        if told := group.told.get((item.model, item.run)):
            self._say(told)
        rowid = self._writer.add(ref, digest, numbered, source_id, self._import, position, item.run)
        if outcome is Outcome.REPLACED:
            self._kept[rowid] = group
        return Placed(outcome, numbered.run, ref, item.model)

    def _taken(
        self,
        taken: Place,
        ref: str,
        item: Conversation,
        numbered: Conversation,
        digest: str,
        group: Group,
        source: str,
    ) -> Placed | tuple[Outcome, Conversation, str]:
        """Another conversation stands where this one would."""
        ours, keeper = taken.import_id == self._import, self._kept.get(taken.rowid)
        if keeper is group or (ours and taken.source in group.sources):
            return self._repeat(numbered)
        if self._replacing and not ours and keeper is None:
            if taken.digest == digest:
                return self._already(Copy(taken.rowid, ref, taken.number, True), item, group, source)
            self._writer.delete([taken.rowid])
            self._replaced.add(ref)
            group.numbers.setdefault((item.model, item.run), numbered.run or 0)
            return Outcome.REPLACED, numbered, ref
        if keeper or (taken.source in self._sources and taken.source not in group.sources):
            return self._other_run(item, group, source, taken)
        return Placed(Outcome.CLASH, numbered.run, ref, item.model, equal=taken.digest == digest)

    def _other_run(
        self, item: Conversation, group: Group, source: str, taken: Place
    ) -> Placed | tuple[Outcome, Conversation, str]:
        """Another source of this command has the number: this one is another configuration, or takes the next."""
        split = names.configurations_below(source, taken.source, item.model)
        if split is not None and split not in self._splits.get(item.model, ()):
            self._splits.setdefault(item.model, []).append(split)
            return self._once_more(item, {*self._writer.places.sources_of(item.model, self._import), source})
        stated = (item.model, item.run)
        given = group.numbers.get(stated, 1 if item.run is None else item.run)
        number = self._writer.places.next_number(item.model)
        self._renumber(group, stated, given, number)
        shared = group.shared.pop(stated, set())
        for rowid, case in self._writer.places.of_run(item.model, given, group.sources, self._import):
            if rowid not in self._kept:
                self._writer.move(rowid, conversation_ref(item.model, case, number), item.model, number)
        if shared and not self._replacing:
            return self._once_more(item, {*shared, source})
        numbered = replace(item, run=number)
        return Outcome.NEW, numbered, _ref(numbered)

    def _once_more(self, item: Conversation, sources: set[str]) -> Placed:
        return Placed(Outcome.AGAIN, item.run, "", item.model, frozenset(sources))

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
            self._renumber(group, stated, wanted, number)
        group.numbers[stated] = number

    def _renumber(self, group: Group, stated: tuple[str, int | None], given: int, number: int) -> None:
        group.numbers[stated] = number
        group.own.add(stated)
        group.told[stated] = f"run {given} of {stated[0]} is another file's: {group.name} became run {number}"

    def _labelled(self, item: Conversation, source: str) -> Conversation:
        """The conversation under its model and, where only the path tells configurations apart, that part of it."""
        labels = [self._label] if self._label else []
        model = "+".join((item.model, *labels))
        while (label := self._split_label(model, source)) is not None:
            labels.append(label)
            model = f"{model}+{label}"
        if not labels:
            return item
        told = "+".join(labels)
        if told != self._label:
            self._writer.sources.label(self._source, told)
        self._say(f"filed under {model}: the path tells it from others of {item.model}")
        return replace(item, model=model)

    def _split_label(self, model: str, source: str) -> str | None:
        labels = (names.configuration(source, folder, model) for folder in self._splits.get(model, ()))
        return next((label for label in labels if label is not None), None)

    def _repeat(self, item: Conversation) -> tuple[Outcome, Conversation, str]:
        """The same case and number twice in one source: the second goes to the next run that lacks the case."""
        number = self._first_free(_ref(item), item.run or 0, lambda n: _ref(replace(item, run=n)))
        self._say(f"{item.case} of {item.model} stands there more than once: counted as further runs")
        again = replace(item, run=number)
        return Outcome.NEW, again, _ref(again)

    # -- conversations without a case --------------------------------------------------------------------------------

    def _identified(
        self, item: Conversation, digest: str, source: str, position: str
    ) -> tuple[Outcome, Conversation, str]:
        """Called by the source's identifier, else by the file and where in it the conversation stands."""
        key = item.id or names.identifier(source, position)
        ref, longer = _short_ref(item.model, key), _short_ref(item.model, key, f"-{digest[:8]}")
        taken = self._writer.places.at(ref)
        if taken is None:
            return Outcome.REPLACED if ref in self._replaced else Outcome.NEW, item, ref
        if self._replacing and item.id and taken.import_id != self._import and taken.rowid not in self._kept:
            self._writer.delete([taken.rowid])
            self._replaced.add(ref)
            return Outcome.REPLACED, item, ref
        if self._writer.places.at(longer) is None:
            return Outcome.NEW, item, longer
        number = self._first_free(longer, 2, lambda n: _short_ref(item.model, key, f"-{digest[:8]}-{n}"))
        return Outcome.NEW, item, _short_ref(item.model, key, f"-{digest[:8]}-{number}")

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


def _short_ref(model: str, key: str, end: str = "") -> str:
    """The reference of a conversation without a case; a long key gives way to its beginning and a hash of it."""
    ref = conversation_ref(model, None, None, key + end)
    shown = len(key)
    while len(ref) > LONGEST_REF and shown > 0:
        shown = max(0, min(shown - 1, shown - (len(ref) - LONGEST_REF) // 3))
        ref = conversation_ref(model, None, None, names.shortened(key, shown) + end)
    return ref
