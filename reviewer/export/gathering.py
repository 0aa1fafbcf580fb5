"""Gathering: which tags an export prints, in which order, and the numbers that stand beside them.

Owns the plan of an export (light: no message text) and taking its excerpts one at a time, so that an export of very
many tags needs no more memory than one of a few. A tag whose words are lost is left out and listed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from statistics import fmean, median

from reviewer.annotations.ledger import Ledger
from reviewer.codebook import Codebook, Mode
from reviewer.export.excerpts import Excerpt, excerpt
from reviewer.export.masking import NOTHING_HIDDEN, Mask
from reviewer.model import Stored, Tag
from reviewer.query import EVERYTHING, Selection
from reviewer.store.reader import Reader

_KEPT = 8
_LAST = (1_000, 0)
_SCORERS = ("instruction-following", "instruction_following", "if")

Wanted = Callable[[Tag], bool]


@dataclass(frozen=True, slots=True)
class Entry:
    """A tag's place in the plan."""

    ref: str
    tag: str
    group: int
    """Tags that are printed together: the same words in several conversations, or several quotes of one."""


@dataclass(frozen=True, slots=True)
class Runs:
    """How many of a case's runs somebody has read, and which not."""

    read: tuple[int, ...]
    unread: tuple[int, ...]

    def __str__(self) -> str:
        if not self.read and not self.unread:
            return ""
        unread = f", run{'s' * (len(self.unread) > 1)} {', '.join(map(str, self.unread))} unread" if self.unread else ""
        return f"{len(self.read)}/{len(self.read) + len(self.unread)} read{unread}"


@dataclass
class Gathering:
    """One export: the plan, and what has to be read for it."""

    reader: Reader
    ledger: Ledger
    codebook: Codebook
    selection: Selection = EVERYTHING
    wanted: Wanted = lambda _: True
    mask: Mask = NOTHING_HIDDEN
    left_out: list[tuple[str, Tag]] = field(default_factory=list)
    """State and tag of what was not printed; complete when all excerpts were taken."""

    def __post_init__(self) -> None:
        info = self.reader.info()
        self.store: str = info["store"]
        self.synthetic: bool = info["synthetic"]
        self.conversations: int = self.reader.count(self.selection)
        self._kept: dict[str, Stored | None] = {}
        self._scores: dict[tuple[str, str], str] = {}
        self._runs_read: dict[tuple[str, str], str] = {}
        self.refs = self._refs()
        self.reviewed = [ref for ref in self.refs if self.ledger.brief(ref).reviewed]
        self.entries = self._plan()

    @property
    def cases(self) -> set[str]:
        """The references that are a case's across its runs."""
        return {ref for ref in self.refs if any(not tag.digest for tag in self.ledger.brief(ref).tags)}

    @property
    def queues(self) -> dict[str, int]:
        """The queues in which reviewed conversations were read, and how many of them."""
        named = (done.how.get("queue") for ref in self.reviewed for done in self.ledger.brief(ref).reviewed.values())
        return dict(Counter(str(queue) for queue in named if queue))

    def excerpts(self) -> Iterator[Excerpt]:
        """The excerpts in order, one at a time."""
        return (found for _, found in self.grouped())

    def grouped(self, entries: Iterable[Entry] | None = None) -> Iterator[tuple[int, Excerpt]]:
        """The same, each with the number of those it is printed with."""
        for entry in self.entries if entries is None else entries:
            tag = self.ledger.state(entry.ref).tag(entry.tag)
            made = excerpt(tag, self.get, self.codebook, self.synthetic) if tag else "elsewhere"
            if isinstance(made, Excerpt):
                yield entry.group, self.mask.apply(replace(made, runs=self._runs(made), score=self._score(made)))
            elif tag:
                self.left_out.append((made, replace(tag, ref=self.mask.ref(tag.ref))))

    def get(self, ref: str) -> Stored | None:
        """The conversation at exactly this reference."""
        if ref not in self._kept:
            if len(self._kept) >= _KEPT:
                self._kept.pop(next(iter(self._kept)))
            found = [self.reader.stored(rowid) for rowid in self.reader.find(ref)[:1]]
            self._kept[ref] = found[0] if found and found[0].ref == ref else None
        return self._kept[ref]

    def _runs(self, found: Excerpt) -> str:
        """Which runs of the excerpt's case have been read."""
        conversation = found.stored.conversation if found.stored else None
        if conversation is None or conversation.case is None or conversation.run is None:
            return ""
        key = (conversation.model, conversation.case)
        if key not in self._runs_read:
            self._runs_read[key] = str(self._read_of(*key))
        return self._runs_read[key]

    def _read_of(self, model: str, case: str) -> Runs:
        rows = self.reader.rows(self.reader.runs_of(model, case))
        read = [bool(self.ledger.brief(row.ref).reviewed) for row in rows]
        numbers = [row.run if row.run is not None else 0 for row in rows]
        return Runs(
            tuple(number for number, done in zip(numbers, read, strict=True) if done),
            tuple(number for number, done in zip(numbers, read, strict=True) if not done),
        )

    def _score(self, found: Excerpt) -> str:
        """The family's instruction-following for this model: the median over runs of their means."""
        facts = found.stored.conversation.facts if found.stored else None
        if found.stored is None or facts is None or not facts.family:
            return ""
        key = (found.stored.conversation.model, facts.family)
        if key not in self._scores:
            self._scores[key] = self._family_score(*key)
        return self._scores[key]

    def _family_score(self, model: str, family: str) -> str:
        where = (
            "conversations.run_id IN (SELECT id FROM runs WHERE model = ?)"
            " AND conversations.case_id IN (SELECT id FROM cases WHERE family = ?)"
        )
        rows = self.reader.rows(list(self.reader.ids(Selection(where, (model, family)))))
        scores = self.reader.score_names([row.rowid for row in rows])
        by_run: dict[int | None, list[float]] = {}
        for row in rows:
            named = {name.partition("@")[0].lower(): value for name, value in scores[row.rowid].items()}
            value = next((named[name] for name in _SCORERS if name in named), None)
            if isinstance(value, float | int):
                by_run.setdefault(row.run, []).append(float(value))
        return f"{median(map(fmean, by_run.values())):.2f}" if by_run else ""

    def _refs(self) -> list[str]:
        """What reviewers have marked, of all that the query lets through."""
        marked = sorted(self.ledger.conversations())
        if self.selection == EVERYTHING:
            return [ref for ref in marked if self._ours(ref)]
        chosen = set(self.reader.ids(self.selection))
        return [ref for ref in marked if not chosen.isdisjoint(self.reader.find(ref))]

    def _ours(self, ref: str) -> bool:
        """Whether it is this store's business: it stands there, or was marked in a store of this name."""
        if self.reader.find(ref):
            return True
        return any((tag.extra or {}).get("store") == self.store for tag in self.ledger.state(ref).tags)

    def by_conversation(self) -> Iterator[list[Excerpt]]:
        """The excerpts conversation by conversation, in no other order."""
        for _, entries in groupby(sorted(self.entries, key=lambda entry: entry.ref), key=lambda entry: entry.ref):
            found = list(self.grouped(entries))
            if found:
                yield [each for _, each in found]

    def _plan(self) -> list[Entry]:
        """By section, by mode, exemplars first, what is printed together side by side; of a tag no more than that."""
        tags = [
            ((self.codebook.mode(tag.code) or Mode(tag.code, tag.code)).code, same(tag), ref, tag.id, tag.exemplar)
            for ref in self.refs
            for tag in self.ledger.state(ref).tags
            if self.wanted(tag)
        ]
        places: dict[tuple[str, str], set[str]] = {}
        for code, words, ref, *_ in tags:
            places.setdefault((code, words), set()).add(ref)
        groups: dict[tuple[str, str], int] = {}
        leading: set[int] = set()
        grouped = []
        for code, words, ref, identifier, exemplar in tags:
            together = words if len(places[code, words]) > 1 else f"in {ref}"
            group = groups.setdefault((code, together), len(groups))
            leading.update([group] if exemplar else [])
            grouped.append((code, Entry(ref, identifier, group)))
        rank = self._ranks()

        def key(item: tuple[str, Entry]) -> tuple[tuple[int, int], str, bool, int, str, str]:
            code, entry = item
            first = entry.group not in leading
            return (rank.get(code, _LAST), code, first, entry.group, entry.ref, entry.tag)

        return [entry for _, entry in sorted(grouped, key=key)]

    def _ranks(self) -> dict[str, tuple[int, int]]:
        """Code to where it is printed: the place of its section, and its own in the codebook."""
        sections = {number: at for at, number in enumerate(self.codebook.sections)}
        return {
            mode.code: (sections.get(mode.sections[0] if mode.sections else "", _LAST[0]), at)
            for at, mode in enumerate(self.codebook.modes)
        }


def same(tag: Tag) -> str:
    """What makes two quotes the same in print: their words, whatever the case and the blanks; empty for whole items."""
    return re.sub(r"\W+", " ", " ".join(piece.quote for piece in tag.pieces)).strip().casefold() or tag.ref
