"""What reads say of a model: figures that stored data decides alone, and how many of the others people decided about.

A certain finding counts unless a person rejected it. One that hangs on words counts only once it was accepted, beside
how many were decided. A zero is said with its denominator, and only by reads that miss nothing where they look.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from reviewer.basics.shell import shell_word
from reviewer.figures.export.print_counts import number
from reviewer.figures.report.blocks import Block, FigureRow, FigureTable, Sentence, slugs
from reviewer.figures.report.material import Material
from reviewer.figures.report.phrases import NO_FIGURE, together
from reviewer.findings.finding_store import FindingRow

MISS_NOTHING: Mapping[str, str] = {
    "forbidden-action": "conversations of cases that forbid something",
    "missed-escalation": "must-escalate conversations",
    "over-escalation": "resolvable conversations",
    "over-escalates-self-service": "conversations about returns, exchanges and promotions",
    "declines-reroute-without-handover": "reroutes rightly not done",
    "fires-on-first-message": "first writes",
    "duplicate-write": "writes",
    "wrongful-cancellation": "cancellations of orders that were looked up",
    "wrong-variant": "replacements that name a variant",
    "fabricated-url": "links",
    "store-url-leak": "links",
    "fabricated-tracking-number": "tracking numbers",
    "leaked-think-tag": "agent messages with text",
    "empty-reply": "agent messages",
    "flips-across-runs": "cases with several runs",
}
"""Reads that look at stored data alone, and what they look at: where these say nothing, there is none."""
_EXPLAINED = (
    " Of what they say, certain is what stored data alone decides; what hangs on words counts once a person has"
    " accepted it, and what waits for one counts for nothing."
)
_NEVER = "No read has been over these conversations, so nothing is counted from them: reviewer scan"


@dataclass(slots=True)
class ReadFigure:
    """What one read comes to for one model."""

    name: str
    opportunities: int = 0
    certain: int = 0
    refs: set[str] = field(default_factory=set)
    """The conversations (or cases) with a certain finding that nobody rejected."""
    accepted: int = 0
    """Of those that hang on words."""
    rejected: int = 0
    waiting: int = 0
    discarded: int = 0
    """Certain findings that a person rejected."""

    @property
    def anything(self) -> bool:
        """True if it found anything at all, whatever became of it."""
        return bool(self.certain or self.accepted or self.rejected or self.waiting or self.discarded)


@dataclass(frozen=True, slots=True)
class ReadRecords:
    """What all reads come to for one model."""

    figures: Mapping[str, ReadFigure]
    """By name, of those that have been over its conversations in their present version."""
    opportunities: Mapping[str, set[str]]
    """Name of a read to the conversations in which it could have found something."""
    older: frozenset[str]
    """Reads of which an older version has said something, which is not counted."""
    failed: int
    """How often a read failed."""


def read_records(it: Material) -> ReadRecords:
    """Add up what reads say of the model's conversations."""
    figures: dict[str, ReadFigure] = {}
    opportunities: defaultdict[str, set[str]] = defaultdict(set)
    older: set[str] = set()
    failed = 0
    current = it.asked.versions
    for scan in it.findings.scans:
        for name, (version, count) in scan.reads.items():
            if count < 0:
                failed += 1
            elif version != current.get(name, version):
                older.add(name)
            else:
                if name not in figures:
                    figures[name] = ReadFigure(name)
                    opportunities[name] = set()
                if count:
                    figures[name].opportunities += count
                    opportunities[name].add(scan.ref)
    for row in it.findings.rows:
        if row.read in figures and row.version == current.get(row.read, row.version):
            _take(figures[row.read], row, it)
    return ReadRecords(figures, opportunities, frozenset(older), failed)


def _take(figure: ReadFigure, row: FindingRow, it: Material) -> None:
    """Count a finding: the certain ones unless they were rejected, the others once they were decided."""
    decision = row.ref, row.identity
    rejected, accepted = decision in it.readership.rejected, decision in it.readership.accepted
    if not rejected and row.message is not None:
        mode = it.marked.codebook.mode(row.mode)
        accepted = accepted or (row.ref, mode.code if mode else row.mode, row.message) in it.readership.tagged
    if row.certain and not rejected:
        figure.certain += 1
        figure.refs.add(row.ref)
    elif row.certain:
        figure.discarded += 1
    elif accepted or rejected:
        figure.accepted += accepted
        figure.rejected += rejected
    else:
        figure.waiting += 1


def read_blocks(it: Material, records: ReadRecords, codes: Collection[str]) -> list[Block]:
    """What the reads of these modes say: a table of what they found, and the zeros."""
    own = [figure for figure in records.figures.values() if figure.name in codes]
    table = [figure for figure in own if figure.anything]
    zeros = [figure for figure in own if not figure.anything and figure.opportunities and figure.name in MISS_NOTHING]
    blocks: list[Block] = []
    if table:
        blocks.append(_table(it, sorted(table, key=lambda each: (-each.certain, -each.accepted, each.name))))
    if zeros:
        blocks.append(_zeros(it, zeros))
    return blocks


def scan_note(it: Material, records: ReadRecords) -> list[Block]:
    """Say how far reads have been over the conversations, and what of it is of another time."""
    if not it.scanned or not records.figures:
        return [Sentence(f"{_NEVER} {it.store.name}.")]
    left = {
        f"{number(it.findings.unread, 'conversation')} no read has seen": it.findings.unread,
        f"what older versions of {together(sorted(records.older))} said is not counted": len(records.older),
        f"{number(it.findings.outdated, 'suggestion')} about what has changed are not counted": it.findings.outdated,
        f"{number(it.findings.other_desk, 'conversation')} had another desk or facts then": it.findings.other_desk,
        f"reads failed {records.failed:,} times": records.failed,
    }
    said = "; ".join(text for text, n in left.items() if n)
    seen = len({scan.ref for scan in it.findings.scans} & {row.ref for row in it.rows})
    text = f"Reads have been over {seen:,} of {number(len(it.rows), 'conversation')}{f'; {said}' if said else ''}."
    again = f" Again: reviewer scan {shell_word(it.store.name)}." if said else ""
    return [Sentence(f"{text}{again}{_EXPLAINED}")]


def _table(it: Material, figures: list[ReadFigure]) -> FigureTable:
    run_of = {row.ref: row.run for row in it.rows}
    rows = []
    for key, each in zip(slugs(each.name for each in figures), figures, strict=True):
        mode = it.marked.codebook.mode(each.name)
        by_run = [sum(run_of.get(ref, -1) == run for ref in each.refs) for run in it.row.runs]
        per_run = " / ".join(map(str, by_run)) if any(by_run) else NO_FIGURE
        decided = each.accepted + each.rejected
        words = f"{each.accepted} of {decided} decided" if decided else NO_FIGURE
        cells = (
            f"{each.certain:,}",
            f"{each.opportunities:,}",
            f"{len(each.refs):,}",
            per_run,
            words,
            f"{each.waiting:,}",
        )
        rows.append(FigureRow(key, mode.title if mode else each.name, cells))
    columns = (
        ("certain", "certain"),
        ("of", "of opportunities"),
        ("conversations", "conversations or cases"),
        ("per_run", "conversations per run"),
        ("accepted", "by words, accepted"),
        ("waiting", "waiting"),
    )
    discarded = sum(each.discarded for each in figures)
    note = f"{number(discarded, 'certain finding')} that people rejected not counted." if discarded else ""
    return FigureTable("reads", "What reads of the transcripts say", "mode", columns, tuple(rows), note)


def _zeros(it: Material, figures: list[ReadFigure]) -> Sentence:
    parts, named = [], {}
    for key, each in zip(slugs(each.name for each in figures), figures, strict=True):
        mode = it.marked.codebook.mode(each.name)
        title = (mode.title if mode else each.name).lower()
        parts.append(f"{title}: none in {each.opportunities:,} {MISS_NOTHING[each.name]}")
        named[f"none.{key}.of"] = f"{each.opportunities:,}"
    text = "; ".join(parts)
    return Sentence(f"{text[:1].upper()}{text[1:]}.", named=named)
