"""How good reads are: what people decided about their suggestions, and how they do against a file of the truth.

Owns the counting: opportunities and findings of a store, accepted and rejected ones of the journals, and what a truth
file (as `reviewer sample --truth` writes it) says was planted and what only looks like it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from reviewer.basics.errors import RefError, SourceError
from reviewer.findings.finding_store import FindingRow, FindingSource, FindingsShown
from reviewer.findings.reads import Read, packages
from reviewer.findings.scans import FAILED
from reviewer.findings.suggestions import same
from reviewer.marks.codebook import Codebook
from reviewer.marks.ledger import Ledger, State
from reviewer.marks.review.shares import share_of
from reviewer.transcripts.model import Tag
from reviewer.transcripts.refs import Ref, parse


class TruthLine(NamedTuple):
    """One line of a truth file: a failure that is there, or words that only look like one."""

    ref: Ref
    mode: str
    real: bool


@dataclass(slots=True)
class TruthScore:
    """How a read does against a truth."""

    right: int = 0
    """Findings that are in the truth."""
    of_findings: int = 0
    recalled: int = 0
    """TruthLine failures that a finding is about."""
    of_planted: int = 0
    trapped: int = 0
    """Near misses that a finding is about."""
    of_near_misses: int = 0


@dataclass(slots=True)
class ReadRecord:
    """The record of one read, or of another source, over a store."""

    read: Read | FindingSource
    opportunities: int = 0
    conversations: int = 0
    """Conversations, or cases, that it has read; of another source neither this nor its opportunities are known."""
    certain: int = 0
    likely: int = 0
    failed: int = 0
    accepted: int = 0
    rejected: int = 0
    by_hand: int = 0
    """Tags of its mode that people put on conversations which they read without seeing suggestions."""
    met: int = 0
    """Those of them that it suggests too."""
    truth: TruthScore | None = None

    @property
    def is_ours(self) -> bool:
        """True for a read, whose opportunities are counted."""
        return isinstance(self.read, Read)

    @property
    def recall(self) -> tuple[float, float, float] | None:
        """Of what people tagged without seeing suggestions, the share that it suggests too, with the same bounds."""
        return share_of(self.met, self.by_hand)

    @property
    def precision(self) -> tuple[float, float, float] | None:
        """Of what people decided about, the share they accepted, and between which shares it lies (Wilson, 95%)."""
        return share_of(self.accepted, self.accepted + self.rejected)


def records(
    shown: FindingsShown, ledger: Ledger | None, truth: list[TruthLine] | None, codebook: Codebook | None = None
) -> list[ReadRecord]:
    """The record of every read, in their order, and behind them of who else suggests."""
    everybody: list[Read | FindingSource] = [*packages.known().values(), *shown.sources]
    kept = {each.name: ReadRecord(each) for each in everybody}
    gone = {row.read: row.version for row in shown.rows if row.read not in kept}  # of a package that is not here
    kept |= {name: ReadRecord(FindingSource(name, version)) for name, version in gone.items()}
    for scan in shown.scans:
        for name, (_, opportunities) in scan.reads.items():
            if name in kept:
                kept[name].conversations += 1
                kept[name].failed += opportunities == FAILED
                kept[name].opportunities += max(opportunities, 0)
    for row in shown.rows:
        if row.read in kept:
            kept[row.read].certain += row.certain
            kept[row.read].likely += not row.certain
    for name, accepted in _decided(ledger) if ledger is not None else ():
        if name in kept:
            kept[name].accepted += accepted
            kept[name].rejected += not accepted
    if ledger is not None:
        _count_by_hand(kept, shown, ledger, codebook or Codebook())
    if truth is not None:
        for each in kept.values():
            rows = [row for row in shown.rows if row.read == each.read.name]
            modes = {each.read.mode} if isinstance(each.read, Read) else {row.mode for row in rows}
            each.truth = _score(rows, [line for line in truth if line.mode in modes])
    return list(kept.values())


def _count_by_hand(kept: dict[str, ReadRecord], shown: FindingsShown, ledger: Ledger, codebook: Codebook) -> None:
    """Count what people tagged where they read without suggestions, and what of it each read suggests too."""
    rows: defaultdict[tuple[str, str], list[FindingRow]] = defaultdict(list)
    for row in shown.rows:
        rows[row.ref, row.read].append(row)
    marked = set(ledger.conversations())
    for scan in (each for each in shown.scans if each.ref in marked):
        for tag in _unaided(ledger.state(scan.ref), scan.digest):
            mode = codebook.mode(tag.code)
            for name in scan.reads:
                record = kept.get(name)
                if record is None or not isinstance(record.read, Read):
                    continue
                if tag.code == record.read.mode or (mode is not None and mode == codebook.mode(record.read.mode)):
                    record.by_hand += 1
                    record.met += any(same(row, tag, codebook) for row in rows[scan.ref, name])


def _unaided(state: State, digest: str) -> Iterator[Tag]:
    """The tags that somebody put on a conversation before they saw what reads suggest about it."""
    for by, done in state.reviewed.items():
        if done.digest == digest and done.how.get("suggestions") is False:
            yield from (
                tag for tag in state.tags if tag.by == by and tag.at <= done.at and "finding" not in (tag.extra or {})
            )


def planted(path: Path) -> list[TruthLine]:
    """The lines of a truth file; a sentence with the line for one that is none."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{path} cannot be read as text: {error}.", "Name a file of JSON Lines.") from error
    return [_line(line, path, number) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]


def _line(line: str, path: Path, number: int) -> TruthLine:
    hint = "A line looks like one that `reviewer sample --truth` writes."
    try:
        told: Any = json.loads(line)
        ref, mode, kind = told["ref"], told["mode"], told["kind"]
        return TruthLine(parse(ref), mode, {"real": True, "near miss": False}[kind])
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError, RefError):
        raise SourceError(f"{path}, line {number}: it is no line of a truth file.", hint) from None


def _decided(ledger: Ledger) -> Iterator[tuple[str, bool]]:
    """The read of every finding that people decided about, and whether it was accepted."""
    for conversation in ledger.conversations():
        state = ledger.state(conversation)
        for tag in state.tags:
            name = _read_named((tag.extra or {}).get("finding"))
            if name:
                yield name, True
        for event in state.rejected:
            yield _read_named(event.fields.get("finding")), False


def _read_named(finding: Any) -> str:
    name = finding.get("read") if isinstance(finding, dict) else None
    return name if isinstance(name, str) else ""


def _score(rows: Iterable[FindingRow], truth: Sequence[TruthLine]) -> TruthScore | None:
    """How findings do against what a truth says of their modes; None where it says nothing."""
    if not truth:
        return None
    score = TruthScore(of_planted=sum(each.real for each in truth))
    score.of_near_misses = len(truth) - score.of_planted
    by_place: defaultdict[tuple[str, str], list[TruthLine]] = defaultdict(list)
    for each in truth:
        by_place[each.mode, each.ref.conversation].append(each)
    met: dict[int, TruthLine] = {}
    for row in rows:
        claim, proof = _places(json.loads(row.body))
        alike = [each for each in by_place[row.mode, row.ref] if _is_about(each, claim, proof)]
        score.of_findings += 1
        score.right += any(each.real for each in alike)
        met.update((id(each), each) for each in alike)
    score.recalled = sum(each.real for each in met.values())
    score.trapped = len(met) - score.recalled
    return score


def _places(body: dict[str, Any]) -> tuple[Ref, list[Ref]]:
    """A finding's claim, and the messages and calls that prove it; the conversation as a whole proves no place."""
    proof = [parse(each["ref"]) for each in body["evidence"] if "ref" in each]
    return parse(body["claim"]["ref"]), [place for place in proof if place.message is not None]


def _is_about(line: TruthLine, claim: Ref, proof: list[Ref]) -> bool:
    """True if a finding is about a line of the truth: a failure may stand at its claim or at what proves it.

    A truth names the call that failed where a finding names the words about it. A near miss must be the claim itself.
    """
    return _same_place(line.ref, claim) or (line.real and any(_same_place(line.ref, place) for place in proof))


def _same_place(one: Ref, other: Ref) -> bool:
    """True if two references are about one place: the whole conversation holds every place, spans must overlap."""
    if one.message is None or other.message is None:
        return True
    if one.message != other.message:
        return False
    if one.span is None or other.span is None:
        return True
    return one.span[0] < other.span[1] and other.span[0] < one.span[1]
