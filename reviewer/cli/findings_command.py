"""`reviewer scan`, `findings` and `reads`: reads run over a store, what they suggest, and how good they are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reviewer.basics.shell import shell_word
from reviewer.cli.list_command import AsJson, Store
from reviewer.cli.output import say, say_json
from reviewer.cli.queries import Annotations, Words, chosen, joined, question, say_nothing_found, say_unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reviewer.findings.finding_store import FindingRow, FindingsShown
    from reviewer.findings.read_record import ReadRecord
    from reviewer.findings.reads import Read
    from reviewer.findings.scans import ScanReport
    from reviewer.transcripts.query import Query
    from reviewer.transcripts.store.reader import Reader

_FAULTS = 5
"""Failures of reads that are printed."""

Named = Annotated[
    list[str] | None, typer.Option("--read", help="Only this read; may be given again.", show_default=False)
]


def scan(
    store: Store,
    query: Words = None,
    read: Named = None,
    processes: Annotated[
        int | None, typer.Option("--processes", min=1, help="How many share the work.", show_default="all processors")
    ] = None,
    annotations: Annotations = None,
) -> None:
    """Run reads over a store: what its transcripts prove.

    What they suggest is kept beside the store, for people to accept or reject. Only what is new is read: other
    conversations, a newer version of a read, another desk. See: reviewer findings.
    """
    from reviewer.transcripts.query import parse
    from reviewer.transcripts.store.reader import Reader

    wanted = parse(joined(query))
    reads = _reads(read)
    with Reader(store) as reader:
        ids = reader.ids(chosen(reader, wanted, store, annotations))
        if not ids:
            say_nothing_found("No conversation matches.", wanted, reader, annotations)
    report = scanned(store, ids, reads, processes)
    for line in told(report, store):
        say(line)


def scanned(store: Path, ids: Sequence[int], reads: Sequence[Read], processes: int | None = None) -> ScanReport:
    """Scan these rows, and say how far it is."""
    from reviewer.cli.progress import ShareProgress
    from reviewer.findings.reads.packages import brought
    from reviewer.findings.scans import scan as run

    for trouble in brought().troubles:
        say(trouble, err=True)
    with ShareProgress("reading") as reading:
        return run(store, ids, reads, reading.step, processes or 0)


def told(report: ScanReport, store: Path) -> list[str]:
    """What a scan did, as lines."""
    from reviewer.findings.finding_store import findings_file
    from reviewer.findings.reads.packages import known as reads

    lines = [
        f"The read “{name}” is left out: suggestions of a source of that name were brought in."
        for name in report.left_out
    ]
    for (name, version), n in sorted(report.older.items()):
        lines.append(f"{name} {version} had read {n:,} of them; version {reads()[name].version} has read them again.")
    if report.other_desk:
        lines.append(f"{report.other_desk:,} conversations have another desk or other facts than when they were read.")
    if report.changed:
        lines.append(f"{report.changed:,} conversations have changed since they were read.")
    width = max((len(mode) for mode, _ in report.findings), default=0)
    for mode in sorted({mode for mode, _ in report.findings}):
        certain, likely = report.findings[mode, True], report.findings[mode, False]
        lines.append(f"{mode:<{width}}  {certain:>6,} certain  {likely:>6,} likely")
    for ref, name, reason in report.faults[:_FAULTS]:
        lines.append(f"{name} failed on {ref}: {reason}")
    if len(report.faults) > _FAULTS:
        lines.append(f"… and {len(report.faults) - _FAULTS:,} more failures")
    new = report.findings.total()
    known = f", {report.whole - report.read:,} were read before" if report.whole > report.read else ""
    lines.append(f"{findings_file(store)}: {report.read:,} conversations read{known}; {new:,} suggestions added.")
    if new:
        lines.append(f"See them: reviewer findings {shell_word(store)}")
    return lines


def findings(
    store: Store,
    query: Words = None,
    as_json: AsJson = False,
    mode: Annotated[str, typer.Option("--mode", help="Only of this mode.", show_default=False)] = "",
    read: Annotated[str, typer.Option("--read", help="Only of this read or source.", show_default=False)] = "",
    bring: Annotated[
        Path | None,
        typer.Option(
            "--import",
            help="Take suggestions in: JSON, JSON Lines, SARIF, Inspect Scout's results; - for a pipe.",
            show_default=False,
        ),
    ] = None,
    by: Annotated[
        str, typer.Option("--by", help="Whose those are, where the file does not say.", show_default=False)
    ] = "",
    annotations: Annotations = None,
) -> None:
    """List what reads suggest, one a line, or bring in what others do.

    The reference, the mode and the version of the read, certain or likely, and why. Suggestions are for a person to
    accept or reject; none reaches an export or a report before that.
    """
    if bring is not None:
        from reviewer.cli.finding_file import bring_in

        raise typer.Exit(bring_in(store, bring, by, annotations))
    from reviewer.findings.finding_lookup import FindingLookup
    from reviewer.transcripts.query import parse
    from reviewer.transcripts.query.selection import OF_FINDINGS
    from reviewer.transcripts.store.reader import Reader

    wanted = parse(joined(query))
    if read and read not in FindingLookup(store).reads():
        _reads([read])
    with Reader(store) as reader:
        listed = _listed(reader, wanted, annotations, mode, read)
    for row in listed.rows:
        if as_json:
            say_json(_as_object(row))
        else:
            say(_line(row))
    if any(term.field in OF_FINDINGS for term in wanted.terms):
        listed.unread = 0  # which the query has said
    _say_state(listed, store)


def _listed(reader: Reader, wanted: Query, annotations: Path | None, mode: str, read: str) -> FindingsShown:
    """The suggestions that a query means, of one mode and one read where these are named."""
    from reviewer.findings.finding_lookup import FindingLookup
    from reviewer.findings.finding_store import shown
    from reviewer.findings.finding_terms import suggestion_is_meant
    from reviewer.transcripts.query import Term, TermGroup, Value
    from reviewer.transcripts.query.conditions import of_group

    named = Value("is", mode)
    mode = next(filter(named.matches, FindingLookup(reader.path).modes()), mode) if mode else ""
    listed = shown(reader.path, reader.search.where, chosen(reader, wanted, reader.path, annotations), mode, read)
    marked = question(wanted, reader.path, annotations).marked(reader)
    listed.rows = [
        row
        for row in listed.rows
        if suggestion_is_meant(
            wanted,
            row.ref,
            {"finding": row.mode, "read": row.read, "certain": "yes" if row.certain else "no"},
            marked,
        )
    ]
    if not listed.rows:
        of_mode = of_group(TermGroup((Term("finding", (named,)),)))
        for query in (wanted, of_mode) if mode else (wanted,):
            say_unknown(query, reader, annotations)
    return listed


def _say_state(listed: FindingsShown, store: Path) -> None:
    """Say beside the output what the list lacks, and what in it is of another time."""
    from reviewer.findings.reads import BY_NAME

    known = {name: read.version for name, read in BY_NAME.items()}
    lacks = {
        "suggestions are of older versions of their reads": sum(
            row.version < known.get(row.read, 0) for row in listed.rows
        ),
        "conversations were never read": listed.unread,
        "suggestions about what has changed since are left out": listed.outdated,
        "conversations have another desk or other facts than when they were read": listed.other_desk,
    }
    if not listed.rows:
        say("No suggestions.", err=True)
    for what, n in lacks.items():
        if n:
            say(f"{n:,} {what}: reviewer scan {shell_word(store)}", err=True)
    if listed.outdated_brought:
        say(
            f"{listed.outdated_brought:,} brought in about what has changed since are left out: import them anew.",
            err=True,
        )


def _as_object(row: FindingRow) -> dict[str, Any]:
    """A finding as one asks for it: where, by which read, and the claim with its quote."""
    import json

    body = json.loads(row.body)
    claim = body["claim"]
    return {
        "ref": row.ref,
        "message": row.message,
        "read": row.read,
        "version": row.version,
        "mode": row.mode,
        "certain": row.certain,
        "claim": {"ref": claim["ref"], "quote": claim.get("quote", "")},
        "evidence": [each if isinstance(each, str) else {name: each[name] for name in ("ref", "quote") if name in each}
                     for each in body["evidence"]],
        "reason": body["reason"],
        "identity": row.identity,
    }  # fmt: skip


def _line(row: FindingRow) -> str:
    import json

    body = json.loads(row.body)
    return (
        f"{body['claim']['ref']}  {row.mode} {row.version}  {'certain' if row.certain else 'likely'}: {body['reason']}"
    )


def reads_(
    store: Annotated[Path | None, typer.Argument(help="The store, such as runs.db.", show_default=False)] = None,
    truth: Annotated[
        Path | None, typer.Option("--truth", help="A file of what was planted: reviewer sample --truth.")
    ] = None,
    as_json: AsJson = False,
    new: Annotated[
        str, typer.Option("--new", help="Write the skeleton of a read of this name.", show_default=False)
    ] = "",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The folder for it; else one of that name.")
    ] = None,
    annotations: Annotations = None,
) -> None:
    """Say how good each read is, and each other source of suggestions.

    Opportunities, suggestions, what people decided about them, and how they do against a file of the truth. Without a
    store: what each looks for, when it abstains, what it is known to confuse.
    """
    if new:
        _write_skeleton(new, output or Path(new))
        return
    if store is None:
        _say_reads()
        return
    from reviewer.findings.read_record import planted

    planted_lines = planted(truth) if truth is not None else None
    told = _records(store, planted_lines, annotations)
    if as_json:
        say_json([_record_object(each) for each in told], indent=2)
        return
    for line in _table(told, truth is not None):
        say(line)


def _write_skeleton(name: str, folder: Path) -> None:
    from reviewer.findings.read_skeleton import made

    for path in made(name, folder):
        say(f"Made {path}.")
    install = f"pip install {shell_word(folder.absolute())}"
    say(f"Try it: python -m pytest {shell_word(folder)}; install it beside reviewer: {install}")


def _say_reads() -> None:
    from reviewer.findings.reads.packages import brought, known

    others = brought()
    for trouble in others.troubles:
        say(trouble, err=True)
    for name, read in known().items():
        package = f" (of {others.by_name[name][1]})" if name in others.by_name else ""
        say(f"{name} {read.version}{package}{f' (off: {read.off})' if read.off else ''}")
        for line in read.about.splitlines():
            say(f"    {line}" if line else "")


def _records(store: Path, truth: Any, annotations: Path | None) -> list[ReadRecord]:
    from reviewer.findings.finding_store import shown
    from reviewer.findings.read_record import records
    from reviewer.marks import folder
    from reviewer.marks.review import recall
    from reviewer.transcripts.query import EVERYTHING
    from reviewer.transcripts.store.reader import Reader

    with Reader(store) as reader:
        listed = shown(store, reader.search.where, EVERYTHING)
    if not listed.scans:
        say(f"Nothing was read yet: reviewer scan {shell_word(store)}", err=True)
    place = annotations or folder.usual(store)
    return records(listed, recall.opened(place).ledger, truth, folder.load(place))


def _table(told: Sequence[ReadRecord], with_truth: bool) -> list[str]:
    head = ["read", "", "opportunities", "certain", "likely", "accepted", "rejected", "precision", "of own tags"]
    head += ["in truth", "of planted", "near misses"] if with_truth else []
    rows = [head]
    for each in told:
        cells = [each.read.name, str(each.read.version), f"{each.opportunities:,}" if each.is_ours else "-"]
        cells.append(f"{each.certain:,}")
        cells += [f"{each.likely:,}", f"{each.accepted:,}", f"{each.rejected:,}"]
        cells.append("{:.0%} ({:.0%}-{:.0%})".format(*each.precision) if each.precision else "-")
        told_alone = each.recall
        alone = "{:.0%} ({:.0%}-{:.0%})".format(*told_alone) if told_alone else ""
        cells.append(f"{each.met:,}/{each.by_hand:,} {alone}" if each.by_hand else "-")
        if with_truth:
            cells += _truth_cells(each)
        rows.append(cells)
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = [
        "  ".join([f"{row[0]:<{widths[0]}}", *(f"{cell:>{w}}" for cell, w in zip(row[1:], widths[1:], strict=True))])
        for row in rows
    ]
    failed = [f"{each.read.name} failed on {each.failed:,} conversations." for each in told if each.failed]
    return [*lines, *failed]


def _truth_cells(each: ReadRecord) -> list[str]:
    if each.truth is None:
        return ["-", "-", "-"]
    it = each.truth
    return [
        f"{it.right:,}/{it.of_findings:,}",
        f"{it.recalled:,}/{it.of_planted:,}",
        f"{it.trapped:,}/{it.of_near_misses:,}",
    ]


def _record_object(each: ReadRecord) -> dict[str, Any]:
    from reviewer.findings.reads import Read

    ours = each.read if isinstance(each.read, Read) else None
    fields: dict[str, Any] = {"read": each.read.name, "version": each.read.version, "mode": ours and ours.mode}
    fields |= {"off": (ours and ours.off) or None, "read_over": each.conversations if ours else None}
    fields |= {"opportunities": each.opportunities if ours else None}
    fields |= {"certain": each.certain, "likely": each.likely, "failed": each.failed}
    fields |= {"accepted": each.accepted, "rejected": each.rejected, "precision": each.precision}
    fields |= {"tagged_unaided": each.by_hand, "of_these_suggested": each.met, "recall": each.recall}
    if each.truth is not None:
        it = each.truth
        fields["truth"] = {
            "findings": it.of_findings,
            "right": it.right,
            "planted": it.of_planted,
            "recalled": it.recalled,
            "near_misses": it.of_near_misses,
            "trapped": it.trapped,
        }
    return fields


def _reads(names: Sequence[str] | None) -> tuple[Read, ...]:
    """The reads of these names; a sentence for one that is none."""
    from reviewer.basics.errors import ReviewerError
    from reviewer.findings.reads.packages import brought, known
    from reviewer.findings.scans import usual

    unknown = sorted(set(names or ()) - known().keys())
    if unknown:
        for trouble in brought().troubles:
            say(trouble, err=True)
        raise ReviewerError(f"There is no read “{unknown[0]}”.", f"Reads: {', '.join(known())}.")
    return usual(names or ())
