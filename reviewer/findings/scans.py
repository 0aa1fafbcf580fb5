"""Scans: reads run over a store, what they suggest put beside it, and only what is new read again.

Owns which conversation is due for which read, the processes that share the work, and the making of findings from what
reads suggest: their words anchored as a tag's are. A scan that is stopped keeps what it had put in.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from reviewer.findings import reads
from reviewer.findings.finding_store import FindingRow, FindingsWriter, ScanRow
from reviewer.findings.reads import Read, Readout, packages
from reviewer.findings.reads.dossier import Dossier, Suggestion
from reviewer.findings.store_entries import (
    StoreEntry,
    case_digest,
    case_setting,
    families,
    grouped,
    kinships,
    standings,
)
from reviewer.marks import anchors, shapes
from reviewer.transcripts.model import Anchor, Evidence, Finding, Stored
from reviewer.transcripts.refs import Absence, Ref
from reviewer.transcripts.store.reader import Reader

FAILED = -1
"""What stands for the opportunities of a read that failed."""
_CHUNK = 250
"""Conversations that a process is sent for at a time."""
_ALONE = 300
"""Conversations up to which other processes take longer to start than they save."""
_AHEAD = 3
"""Chunks a process that wait for it."""

Progress = Callable[[int, int], None]


class Errand(NamedTuple):
    """The conversations of one case (or one that is alone), and which reads are due for each."""

    members: tuple[tuple[int, tuple[str, ...]], ...]
    """Row and names of reads; a member without reads is only looked at beside the others."""
    case: str | None = None
    """The reference of the case, where reads over its runs are due."""
    across: tuple[str, ...] = ()
    family: str | None = None
    """The name of the family within a run, where reads over its conversations are due: their names are `across`.

    Empty for a conversation that was in one and is alone by now.
    """


class Harvest(NamedTuple):
    """What came of one conversation or case: opportunities by read, reads that failed, findings as rows."""

    ref: str
    digest: str
    reads: dict[str, tuple[int, int]]
    faults: tuple[tuple[str, str], ...]
    findings: tuple[FindingRow, ...]


@dataclass(slots=True)
class ScanReport:
    """What a scan did, for whoever asked for it."""

    whole: int = 0
    """Conversations that were asked for."""
    read: int = 0
    """Those of them that were due for a read."""
    findings: Counter[tuple[str, bool]] = field(default_factory=Counter)
    """New findings by mode and certainty."""
    older: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Conversations that an older version of a read had seen, by its name and version."""
    other_desk: int = 0
    """Conversations whose desk, or what is known of their case, has changed since."""
    changed: int = 0
    """Conversations that have changed since."""
    faults: list[tuple[str, str, str]] = field(default_factory=list)
    """Reference, read and reason of each failure."""
    left_out: list[str] = field(default_factory=list)
    """Reads of the name of a source whose suggestions were brought in."""


def usual(names: Sequence[str] = ()) -> tuple[Read, ...]:
    """The reads of these names, or all that are not off."""
    known = packages.known()
    return tuple(known[name] for name in names) if names else tuple(r for r in known.values() if not r.off)


def scan(
    store: Path, wanted: Iterable[int], chosen: Sequence[Read], progress: Progress | None = None, processes: int = 0
) -> ScanReport:
    """Run reads over the conversations of these rows, as far as that was not done; the findings stand beside the store.

    `processes` is how many share the work; 0 takes one for each processor.
    """
    report = ScanReport()
    with FindingsWriter(store) as findings:
        known, sources = findings.known(), findings.sources()
        report.left_out = [read.name for read in chosen if read.name in sources]
        chosen = [read for read in chosen if read.name not in sources]
        every = list(grouped(standings(store)))
        due = _due(every, set(wanted), chosen, known, report)
        settings = {each.ref: each for _, members in every for each in members}
        kin = families(settings.values())
        within = [read for read in chosen if read.within is not None]
        due += [*_due_families(kin, set(wanted), within, known), *_left(kin, settings.values(), within, known)]
        settings |= {ref: _of_case(ref, members) for ref, members in every if ref is not None}
        settings |= {name: _of_case(name, members) for name, members in kin.items()}
        done = 0
        for harvests, count in _gathered(store, _chunks(due, kinships(every)), processes or os.cpu_count() or 1):
            _keep(findings, harvests, settings, report)
            done += count
            if progress is not None:
                progress(done, report.read)
    return report


def _of_case(ref: str, members: Sequence[StoreEntry]) -> StoreEntry:
    return members[0]._replace(ref=ref, digest=case_digest(members), setting=case_setting(members))


def _due(
    every: Iterable[tuple[str | None, Sequence[StoreEntry]]],
    wanted: set[int],
    chosen: Sequence[Read],
    known: dict[str, ScanRow],
    report: ScanReport,
) -> list[Errand]:
    """What is to be read, and what is said of that which was read in another state."""
    errands = []
    single = [read for read in chosen if read.look is not None]
    across = [read for read in chosen if read.across is not None]
    for case, members in every:
        if not any(each.rowid in wanted for each in members):
            continue
        named = {each.rowid: _unread(each, single, known, report) for each in members if each.rowid in wanted}
        report.whole += len(named)
        report.read += sum(bool(names) for names in named.values())
        runs = _unread(_of_case(case, members), across, known, None) if case is not None and across else ()
        if runs or any(named.values()):
            present = [each for each in members if runs or named.get(each.rowid)]
            rows = tuple((each.rowid, named.get(each.rowid, ())) for each in present)
            errands.append(Errand(rows, case if runs else None, runs))
    return errands


def _due_families(
    kin: Mapping[str, Sequence[StoreEntry]], wanted: set[int], within: Sequence[Read], known: dict[str, ScanRow]
) -> Iterator[Errand]:
    """The families of which a conversation is asked for, and that reads have not seen as they stand."""
    for name, members in kin.items() if within else ():
        names = _unread(_of_case(name, members), within, known, None)
        if names and any(each.rowid in wanted for each in members):
            yield Errand(tuple((each.rowid, ()) for each in members), None, names, name)


def _left(
    kin: Mapping[str, Sequence[StoreEntry]],
    every: Iterable[StoreEntry],
    within: Sequence[Read],
    known: dict[str, ScanRow],
) -> Iterator[Errand]:
    """The conversations that a read has seen in a family, and that are alone by now."""
    for each in every if within else ():
        before = known.get(each.ref)
        if before is not None and each.family not in kin:
            names = tuple(read.name for read in within if before.reads.get(read.name, (0, 0))[1] > 0)
            if names:
                yield Errand(((each.rowid, ()),), None, names, "")


def _unread(
    each: StoreEntry, chosen: Sequence[Read], known: dict[str, ScanRow], report: ScanReport | None
) -> tuple[str, ...]:
    """The names of the reads that have not seen a conversation as it stands."""
    before = known.get(each.ref)
    if before is None:
        return tuple(read.name for read in chosen)
    same = before.digest == each.digest and before.setting == each.setting
    if report is not None and not same:
        report.changed += before.digest != each.digest
        report.other_desk += before.digest == each.digest
    due = []
    for read in chosen:
        version = before.reads.get(read.name, (0, 0))[0]
        if report is not None and 0 < version < read.version:
            report.older[read.name, version] += 1
        if not same or version != read.version or before.reads[read.name][1] == FAILED:
            due.append(read.name)
    return tuple(due)


def _keep(
    findings: FindingsWriter, harvests: Sequence[Harvest], settings: dict[str, StoreEntry], report: ScanReport
) -> None:
    """Put what came back beside the store, in one transaction, and count it."""
    scans = []
    for each in harvests:
        standing = settings[each.ref]
        digest = each.digest or standing.digest
        scans.append(ScanRow(each.ref, digest, standing.setting, standing.desk, each.reads))
        report.findings.update((row.mode, row.certain) for row in each.findings)
        report.faults += ((each.ref, name, reason) for name, reason in each.faults)
    findings.put(scans, (row for each in harvests for row in each.findings))


# -- the work, here or in other processes ------------------------------------------------------------------------------


def _gathered(store: Path, chunks: list[list[Errand]], processes: int) -> Iterator[tuple[list[Harvest], int]]:
    """What comes back, chunk by chunk, with how many conversations each was about."""
    if processes == 1 or sum(len(errand.members) for chunk in chunks for errand in chunk) <= _ALONE:
        with Reader(store) as reader:
            for chunk in chunks:
                yield _run(reader, chunk)
        return
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=spawned, initializer=_begin, initargs=(store,)) as pool:
        waiting: set[Future[tuple[list[Harvest], int]]] = set()
        left = iter(chunks)
        try:
            for chunk in left:
                waiting.add(pool.submit(_work, chunk))
                if len(waiting) >= _AHEAD * processes:
                    ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    yield from (each.result() for each in ready)
            while waiting:
                ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (each.result() for each in ready)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _chunks(due: Sequence[Errand], kin: Mapping[int, int]) -> list[list[Errand]]:
    """What a process is sent for at a time: all that is asked about a model's conversations of a family, together."""
    chunks: list[list[Errand]] = []
    size = _CHUNK
    last = -1
    for errand in sorted(due, key=lambda each: kin[each.members[0][0]]):
        own = kin[errand.members[0][0]]
        if size >= _CHUNK and own != last:
            chunks.append([])
            size = 0
        chunks[-1].append(errand)
        size += len(errand.members)
        last = own
    return chunks


_reader: list[Reader] = []
"""A worker process' own connection to the store."""


def _begin(store: Path) -> None:
    """Open the store in a worker; that somebody stops the scan is for the first process to notice."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _reader.append(Reader(store))


def _work(chunk: Sequence[Errand]) -> tuple[list[Harvest], int]:
    return _run(_reader[0], chunk)


def _run(reader: Reader, chunk: Sequence[Errand]) -> tuple[list[Harvest], int]:
    harvests: list[Harvest] = []
    known, count = packages.known(), 0
    stored_of, dossier_of = cache(reader.stored), cache(lambda rowid: Dossier(stored_of(rowid)))

    def opened(stored: Stored) -> Dossier:
        return dossier_of(stored.rowid)

    for errand in chunk:
        members = [(stored_of(rowid), names) for rowid, names in errand.members]
        for stored, names in members:
            if names:
                readout = reads.read_over(stored, [known[name] for name in names], opened)
                harvests.append(_harvest(stored.ref, stored.digest, readout, {stored.ref: stored}))
                count += 1
        if errand.case is not None:
            runs = {stored.ref: stored for stored, _ in members}
            chosen = [known[name] for name in errand.across]
            readout = reads.across_runs(Ref(errand.case), list(runs.values()), chosen, opened)
            harvests.append(_harvest(errand.case, "", readout, runs))
        if errand.family is not None:
            harvests += _of_family(errand, [stored for stored, _ in members], opened)
    return harvests, count


def _of_family(errand: Errand, members: Sequence[Stored], opened: reads.Open) -> Iterator[Harvest]:
    """What came of a family: of each of its conversations, and that the family was read."""
    readout = reads.within_family(members, [packages.known()[name] for name in errand.across], opened)
    present = {each.ref: each for each in members}
    could = dict.fromkeys(readout.opportunities, int(len(members) > 1))
    own = {each.ref: Readout(opportunities=dict(could)) for each in members}
    for told in readout.suggestions:
        own[told[1].claim.conversation].suggestions.append(told)
    for ref, each in own.items():
        yield _harvest(ref, present[ref].digest, each, present)
    if errand.family:
        whole = Readout(opportunities=dict.fromkeys(readout.opportunities, len(members)), faults=readout.faults)
        yield _harvest(errand.family, "", whole, present)


def _harvest(ref: str, digest: str, readout: Readout, runs: dict[str, Stored]) -> Harvest:
    versions = packages.known()
    rows: list[FindingRow] = []
    faults = list(readout.faults)
    for read, suggestions in groupby(readout.suggestions, key=lambda each: each[0]):
        try:
            rows += [_checked(row_of(finding_of(read, suggestion, runs))) for _, suggestion in suggestions]
        except Exception as error:  # noqa: BLE001 - a read may be anybody's, and may name places that are not there
            faults.append((read, f"{type(error).__name__}: {error}"))
    told = {name: (versions[name].version, count) for name, count in readout.opportunities.items()}
    told |= {read.name: (read.version, FAILED) for read, _ in faults}
    return Harvest(ref, digest, told, tuple((read.name, reason) for read, reason in faults), tuple(rows))


def _checked(row: FindingRow) -> FindingRow:
    """The row, if a file can hold it."""
    row.body.encode("utf-8")
    return row


# -- findings ----------------------------------------------------------------------------------------------------------


def finding_of(read: Read, suggestion: Suggestion, runs: dict[str, Stored]) -> Finding:
    """What a read suggests as a finding: its words anchored where they stand."""
    stored = runs.get(suggestion.claim.conversation)
    if stored is None:  # of a case across its runs
        digest = case_of(runs.values())
        claim = Anchor(suggestion.claim, digest)
    else:
        digest, claim = stored.digest, anchors.anchor(stored, suggestion.claim)
    evidence = tuple(_evidence(each, runs) for each in suggestion.evidence)
    return Finding(read.name, read.version, read.mode, digest, claim, evidence, suggestion.reason, suggestion.certain)


def case_of(runs: Iterable[Stored]) -> str:
    """The digest of a case across these runs, as the store's standings give it."""
    return case_digest(StoreEntry(each.rowid, each.ref, each.digest, "", "", None) for each in runs)


def _evidence(each: Ref | Absence, runs: dict[str, Stored]) -> Evidence:
    return each if isinstance(each, Absence) else anchors.anchor(runs[each.conversation], each)


def row_of(finding: Finding) -> FindingRow:
    """A finding as the store's file keeps it."""
    ref = finding.claim.ref
    fields = shapes.finding_fields(finding)
    body = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return FindingRow(
        ref.conversation,
        finding.digest,
        finding.read,
        finding.version,
        finding.mode,
        finding.certain,
        ref.message,
        shapes.finding_identity(fields),
        body,
    )
