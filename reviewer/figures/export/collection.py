"""The tags that an export prints, in order, and the numbers that stand beside them.

Owns judging every tag once, before anything is printed, so that the counts are of what is printed; and taking excerpts
one at a time, so that an export of very many tags needs no more memory than one of a few. A tag whose words are lost is
left out and listed.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import TypeVar

from reviewer.figures.export.excerpts import Excerpt, case_of, excerpt, places_of
from reviewer.figures.export.masks import NOTHING_HIDDEN, Mask
from reviewer.figures.export.print_plan import Plan, PlannedTag, PrintGroup
from reviewer.figures.measure.families import Families, families
from reviewer.marks.codebook import Codebook
from reviewer.marks.ledger import Ledger, State, fold
from reviewer.marks.queues import Queue
from reviewer.marks.read_extent import ReadCounts, ReadExtent
from reviewer.marks.terms import MarkSources, narrowed, reviewer_is_meant, tag_is_meant, without_marks
from reviewer.transcripts.model import Stored, Tag
from reviewer.transcripts.query import EVERYTHING, Query, Selection
from reviewer.transcripts.query.conditions import of_group
from reviewer.transcripts.store.reader import Reader

_KEPT = 8
_NAMED = 8
_LAST = (1_000, 0)

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Runs:
    """In how many of a case's runs that somebody reviewed a mode was seen, and which nobody reviewed."""

    seen: int
    read: ReadCounts
    unread: tuple[int, ...]

    def __str__(self) -> str:
        named = ", ".join(map(str, self.unread[:_NAMED])) + (" …" if len(self.unread) > _NAMED else "")
        parts = [
            f"in {self.seen or 'no'} run{'s' * (self.seen > 1)}; {self.read.words()}" if self.read.reviewed else "",
            f"run{'s' * (len(self.unread) > 1)} {named} not reviewed" if self.unread else "",
        ]
        return "; ".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """The tags that are asked for, and the conversations of which they are counted."""

    selection: Selection = EVERYTHING
    """The conversations whose tags are printed."""
    tag: Callable[[Tag], bool] = lambda _: True
    of: Selection = EVERYTHING
    """The conversations that counts are of: what is asked of marks has no say in it, or every share would be whole."""
    reviewer: Callable[[str], bool] = lambda _: True
    """Whose reviews count."""
    population: str = ""
    """The query that names the conversations that counts are of; empty for all of a store."""


def asked(query: Query, marked: MarkSources) -> ExportRequest:
    """Turn a query into what is to be printed, and of what it is counted."""
    of = without_marks(query.group) or query.group  # nothing passes either of these
    return ExportRequest(
        narrowed(query, marked),
        lambda tag: tag_is_meant(query, tag, marked),
        narrowed(of_group(of), marked),
        lambda name: reviewer_is_meant(query, name),
        str(of),
    )


@dataclass
class ExcerptCollection:
    """One export: the plan, and what has to be read for it."""

    reader: Reader
    ledger: Ledger
    codebook: Codebook
    asked: ExportRequest = field(default_factory=ExportRequest)
    mask: Mask = NOTHING_HIDDEN
    queues: Mapping[str, Queue] = field(default_factory=dict)
    """The named queues, by name: what is reviewed in one that is not here counts as picked."""
    scores: Families | None = None
    """The figures behind the names of families, where they are known; else they are read."""
    states: Mapping[str, State] | None = None
    """What was said of the conversations and cases that are looked at; else all of the ledger is."""

    def __post_init__(self) -> None:
        self.plan = Plan()
        info = self.reader.info()
        self.store: str = self.mask.text(info["store"])
        self.synthetic: bool = info["synthetic"]
        self.simulated: bool = info["simulated"]
        self.families: Families = families(self.reader) if self.scores is None else self.scores
        self.conversations: int = self.reader.count(self.asked.of)
        self._name: str = info["store"]
        self._kept: dict[str, Stored | None] = {}
        self._states: dict[str, State] = {}
        self._by_tag: dict[str, PlannedTag] = {}
        self._runs_read: dict[tuple[str, str, str], str] = {}
        self._fill()

    def excerpts(self) -> Iterator[Excerpt]:
        """The excerpts in order, one at a time."""
        return (excerpt for _, excerpt in self.grouped())

    def grouped(self) -> Iterator[tuple[PrintGroup, Excerpt]]:
        """The same, each with what it is printed with."""
        return ((group, self.printed(planned)) for planned, group in self.plan.in_order())

    def by_conversation(self) -> Iterator[list[Excerpt]]:
        """The excerpts conversation by conversation, in no other order."""
        for _, together in groupby(self.plan.by_conversation(), key=lambda planned: planned.ref):
            yield [self.printed(planned) for planned in together]

    def conversations_meant(self) -> Iterator[Stored]:
        """Every conversation that is asked for, with or without tags, one at a time."""
        for rowid in self.reader.ids(self.asked.selection):
            yield self.mask.conversation(self.reader.stored(rowid))

    def left_out(self) -> Iterator[tuple[str, str, str, str]]:
        """State, reference, code and reviewer of each tag that is not printed."""
        for state, ref, code, by in self.plan.left_out:
            yield state, self.mask.ref(ref), code, by

    def get(self, ref: str) -> Stored | None:
        """The conversation at exactly this reference."""
        if ref not in self._kept:
            candidates = [self.reader.stored(rowid) for rowid in self.reader.find(ref)[:1]]
            _keep(self._kept, ref, candidates[0] if candidates and candidates[0].ref == ref else None)
        return self._kept[ref]

    def printed(self, planned: PlannedTag) -> Excerpt:
        """The excerpt of a tag of the plan."""
        tag = next(tag for tag in self._state(planned.ref).tags if tag.id == planned.tag)
        made = excerpt(tag, planned.places, self.get, self.codebook, self.synthetic, self.simulated)
        return self.mask.apply(replace(made, runs=self._runs(made), score=self._score(made)))

    def of_tag(self, identifier: str) -> Excerpt | None:
        """The excerpt of the tag of this identifier; None where none is printed."""
        if not self._by_tag:
            plan = self.plan
            self._by_tag = {planned.tag: planned for code in plan.codes() for planned in plan.of_mode(code)}
        return self.printed(self._by_tag[identifier]) if identifier in self._by_tag else None

    @cached_property
    def narrowed(self) -> frozenset[str]:
        """The queues that were reviewed in and hold conversations that counts are not of, because the query says so."""
        among = self._ids(self.asked.of)
        if among is None:
            return frozenset()
        named = {name: self.queues[name].refs for name in self.plan.queues() if name in self.queues}
        held = {name: self.reader.orders.rowids(refs).values() for name, refs in named.items()}
        return frozenset(name for name, rowids in held.items() if any(not _any_of([each], among) for each in rowids))

    def _state(self, ref: str) -> State:
        """Return a conversation's state without keeping it, as the ledger would for all of them."""
        if self.states is not None:
            return self.states[ref]
        if ref not in self._states:
            _keep(self._states, ref, fold(self.ledger.events(ref)))
        return self._states[ref]

    def _fill(self) -> None:
        """Judge every tag that is wanted, conversation by conversation."""
        ranks = self._ranks()
        among, chosen = self._ids(self.asked.of), self._ids(self.asked.selection)
        for ref in sorted(self.ledger.conversations() if self.states is None else self.states):
            state, rowids = self._state(ref), self.reader.find(ref)
            reviewed = [done for by, done in state.reviewed.items() if self.asked.reviewer(by)]
            if reviewed and _any_of(rowids, among):
                for done in reviewed:
                    self.plan.review(ref, str(done.how.get("queue") or ""), done.extent)
            if _any_of(rowids, chosen) or (chosen is None and self._ours(state)):
                for tag in filter(self.asked.tag, state.tags):
                    self._judge(ref, tag, ranks)

    def _ids(self, selection: Selection) -> array[int] | None:
        """The conversations of a selection, sorted; None for all."""
        return None if selection == EVERYTHING else array("q", sorted(self.reader.ids(selection)))

    def _ours(self, state: State) -> bool:
        """True if what stands nowhere was marked in a store of this name."""
        return any((tag.extra or {}).get("store") == self._name for tag in state.tags)

    def _judge(self, ref: str, tag: Tag, ranks: Mapping[str, tuple[int, int]]) -> None:
        stored, code = self.get(ref), self._code(tag)
        places = places_of(tag, stored)
        if isinstance(places, str):
            self.plan.leave_out(places, str(tag.ref), tag.code, tag.by)
            return
        case, words = case_of(stored, ref), _digest(same(tag))
        self.plan.put(
            PlannedTag(*ranks.get(code, _LAST), code, words, ref, tag.id, tag.exemplar, case, places, stored is None)
        )

    def _runs(self, excerpt: Excerpt) -> str:
        """In which runs of the excerpt's case its mode was seen, of those that have been reviewed."""
        conversation = excerpt.stored.conversation if excerpt.stored else None
        if conversation is None or conversation.case is None or conversation.run is None:
            return ""
        key = (conversation.model, conversation.case, excerpt.mode.code)
        if key not in self._runs_read:
            _keep(self._runs_read, key, str(self._read_of(*key)))
        return self._runs_read[key]

    def _read_of(self, model: str, case: str, code: str) -> Runs:
        seen, unread = 0, []
        extents: list[ReadExtent | None] = []
        for row in self.reader.rows(self.reader.runs_of(model, case)):
            state = self.ledger.brief(row.ref)
            if state.reviewed:
                extents.append(state.extent)
                seen += any(self._code(tag) == code for tag in state.tags)
            else:
                unread.append(row.run if row.run is not None else 0)
        return Runs(seen, ReadCounts.of(extents), tuple(unread))

    def _code(self, tag: Tag) -> str:
        """Return the current code of a tag's mode."""
        mode = self.codebook.mode(tag.code)
        return mode.code if mode else tag.code

    def _score(self, excerpt: Excerpt) -> str:
        """The score of the excerpt's family of cases for its model, as it is printed; empty where there is none."""
        conversation = excerpt.stored.conversation if excerpt.stored else None
        facts = conversation.facts if conversation else None
        if conversation is None or facts is None or not facts.family:
            return ""
        score = self.families.following.get((conversation.model, facts.family, facts.bucket))
        return "" if score is None else f"{score:.2f}"

    def _ranks(self) -> dict[str, tuple[int, int]]:
        """Code to where it is printed: the place of its section, and its own in the codebook."""
        sections = {number: at for at, number in enumerate(self.codebook.sections)}
        return {
            mode.code: (sections.get(mode.sections[0] if mode.sections else "", _LAST[0]), at)
            for at, mode in enumerate(self.codebook.modes)
        }


def same(tag: Tag) -> str:
    """Return a key that is equal for quotes with the same words, whatever case and blanks; empty for whole items."""
    return re.sub(r"\W+", " ", " ".join(piece.quote for piece in tag.pieces)).strip().casefold() or str(tag.ref)


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _any_of(rowids: Iterable[int], ids: array[int] | None) -> bool:
    """True if one of these rowids is among sorted ids; without ids, whether there is one at all."""
    if ids is None:
        return any(True for _ in rowids)
    return any((at := bisect_left(ids, rowid)) < len(ids) and ids[at] == rowid for rowid in rowids)


def _keep(kept: dict[K, V], key: K, value: V) -> None:
    """Keep a value, and no more than a few."""
    if len(kept) >= _KEPT:
        del kept[next(iter(kept))]
    kept[key] = value
