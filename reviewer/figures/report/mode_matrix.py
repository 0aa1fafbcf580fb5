"""Modes by models, families or runs: how many reviewed conversations bear each, of those where it could show.

Counted from the journals alone, without the words of tags, so that all of a store's marks are looked through at once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

from reviewer.figures.measure.board_counts import BoardCounts
from reviewer.findings.finding_store import opportunities_of
from reviewer.marks.codebook import Codebook, Mode
from reviewer.marks.ledger import State
from reviewer.marks.read_extent import ReadCounts, ReadExtent, furthest
from reviewer.transcripts.store.tallies import ConversationTally

Marks = Mapping[str, State]
"""What was marked, by conversation or case; without the words of tags that is enough."""
_Could = Mapping[str, Mapping[str, bool]]
"""Name of a read to the conversations that it has been over, and whether it could have found something there."""
MatrixBy = Literal["model", "family", "run"]


@dataclass(frozen=True, slots=True)
class ModeCell:
    """One mode in one column."""

    seen: int
    """Conversations that were reviewed and bear it."""
    of: int
    """Conversations that were reviewed and in which it could show."""
    more: int = 0
    """Others that bear it: not reviewed, or a case across its runs."""

    def __str__(self) -> str:
        return f"{self.seen}/{self.of}{f' +{self.more}' if self.more else ''}"


@dataclass(frozen=True, slots=True)
class ModeMatrix:
    """Modes as rows, and what they are counted by as columns."""

    by: MatrixBy
    columns: tuple[tuple[str, ReadCounts, int], ...]
    """Name, conversations that were reviewed by how far somebody read, conversations in all."""
    rows: tuple[tuple[Mode, tuple[ModeCell, ...]], ...]
    scanned: bool
    """Whether reads said where a mode could show; else every conversation that was reviewed counts."""

    @property
    def read(self) -> ReadCounts:
        """The reviewed conversations of all columns."""
        return ReadCounts(*(sum(kind) for kind in zip(ReadCounts(), *(own for _, own, _ in self.columns), strict=True)))


@dataclass(frozen=True, slots=True)
class ModeSpread:
    """How far one mode reaches."""

    mode: Mode
    models: frozenset[str]
    cases: frozenset[str]
    conversations: int
    """Conversations, and cases across their runs, that bear it."""


@dataclass(slots=True)
class _MarksRead:
    """What was marked in one conversation or case."""

    column: str
    ref: str
    codes: frozenset[str]
    read: ReadExtent | None
    """How far somebody read it; None where nobody reviewed it as it stands."""


def mode_matrix(store: Path, read: BoardCounts, marks: Marks, codebook: Codebook, by: MatrixBy) -> ModeMatrix:
    """Count every mode that was tagged; columns without a mark or a review are left out."""
    made = list(_marks(read, marks, codebook, by))
    sizes = Counter([_column(read, each, by) for each in read.conversations])
    readings: defaultdict[str, list[_MarksRead]] = defaultdict(list)
    for each in made:
        readings[each.column].append(each)
    columns = [name for name in sizes if name in readings]
    codes = {code for each in made for code in each.codes}
    modes = [mode for mode in codebook.modes if mode.code in codes]
    modes += [Mode(code, code) for code in sorted(codes - {mode.code for mode in modes})]
    could = _opportunities(store, made, modes, read)
    counted = {name: _ColumnCount.of(readings[name]) for name in columns}
    rows = [(mode, tuple(counted[name].cell(mode, could) for name in columns)) for mode in modes]
    rows.sort(key=lambda row: -sum(cell.seen + cell.more for cell in row[1]))
    listed = tuple((name, ReadCounts.of(each.read for each in readings[name]), sizes[name]) for name in columns)
    return ModeMatrix(by, listed, tuple(rows), bool(could))


def mode_spread(read: BoardCounts, marks: Marks, codebook: Codebook) -> list[ModeSpread]:
    """Every mode that was tagged, with the models and cases it takes; those of most models and cases come first."""
    models: defaultdict[str, set[str]] = defaultdict(set)
    cases: defaultdict[str, set[str]] = defaultdict(set)
    bearing: Counter[str] = Counter()
    case_of = {each.ref: each.case for each in read.conversations}
    for each in _marks(read, marks, codebook, "model"):
        case = case_of.get(each.ref)
        for code in each.codes:
            models[code].add(each.column)
            bearing[code] += 1
            if case is not None:
                cases[code].add(read.cases[case].name)
            elif each.ref not in case_of:
                cases[code].add(unquote(each.ref.rpartition("/")[2]))
    spread = [
        ModeSpread(codebook.mode(code) or Mode(code, code), frozenset(names), frozenset(cases[code]), bearing[code])
        for code, names in models.items()
    ]
    return sorted(spread, key=lambda each: (-len(each.models), -len(each.cases), -each.conversations, each.mode.code))


def _marks(read: BoardCounts, marks: Marks, codebook: Codebook, by: MatrixBy) -> Iterable[_MarksRead]:
    by_ref = {each.ref: each for each in read.conversations}
    of_cases = by != "run" and any(ref not in by_ref for ref in marks)
    by_case = {each.ref.rpartition("/")[0]: each for each in read.conversations} if of_cases else {}
    current = {name: mode.code for mode in codebook.modes for name in (*mode.was, mode.code)}
    for ref, state in marks.items():
        known = by_ref.get(ref)
        place = known if known is not None else by_case.get(ref)
        if place is None:
            continue
        codes = frozenset(current.get(tag.code, tag.code) for tag in state.tags) - {""}
        current_ones = [each for each in state.reviewed.values() if known is not None and each.digest == known.digest]
        done = furthest(each.extent for each in current_ones)
        if codes or done is not None:
            yield _MarksRead(_column(read, place, by), ref, codes, done)


def _column(read: BoardCounts, each: ConversationTally, by: MatrixBy) -> str:
    run = read.runs[each.run]
    if by == "model":
        return run.model
    if by == "run":
        return run.model if run.number is None else f"{run.model} {run.number}"
    case = read.cases.get(each.case) if each.case is not None else None
    if case is None or not case.family:
        return "no family"
    return f"{case.family} ({case.bucket})" if case.bucket else case.family


def _opportunities(store: Path, made: Iterable[_MarksRead], modes: Iterable[Mode], read: BoardCounts) -> _Could:
    """What reads say of where these modes could show, for the conversations that somebody reviewed."""
    reads = sorted({name for mode in modes for name in (mode.code, *mode.was)})
    refs = [each.ref for each in made if each.read is not None]
    digests = {each.ref: each.digest for each in read.conversations} if refs else {}
    could: defaultdict[str, dict[str, bool]] = defaultdict(dict)
    for ref, (digest, counts) in opportunities_of(store, refs, reads).items() if refs and reads else ():
        if digests.get(ref) == digest:
            for name, count in zip(reads, counts, strict=True):
                if count is not None and count >= 0:
                    could[name][ref] = count > 0
    return could


@dataclass(slots=True)
class _ColumnCount:
    """One column: what was reviewed in it, and by mode what bears it."""

    read: set[str]
    bearing: Mapping[str, list[_MarksRead]]

    @classmethod
    def of(cls, marks: Iterable[_MarksRead]) -> _ColumnCount:
        """Sort the marks of a column by mode."""
        bearing: defaultdict[str, list[_MarksRead]] = defaultdict(list)
        read = set()
        for each in marks:
            if each.read is not None:
                read.add(each.ref)
            for code in each.codes:
                bearing[code].append(each)
        return cls(read, bearing)

    def cell(self, mode: Mode, could: _Could) -> ModeCell:
        """A mode in this column."""
        own = self.bearing.get(mode.code, [])
        seen = {each.ref for each in own if each.read is not None}
        looked = next((could[name] for name in (mode.code, *mode.was) if name in could), None)
        able = self.read if looked is None else {ref for ref in self.read if looked.get(ref, True)} | seen
        return ModeCell(len(seen), len(able), len(own) - len(seen))
