"""`reviewer check`: every anchor of the journals against a store."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from reviewer.cli.list_command import AsJson, Store
from reviewer.cli.output import say, say_json
from reviewer.cli.queries import Annotations

if TYPE_CHECKING:
    from reviewer.marks.review.checks import CheckItem, Report


def check(store: Store, annotations: Annotations = None, as_json: AsJson = False) -> None:
    """Check that every tag, note, verdict and review still stands.

    Exactly, moved, drifted or elsewhere; the exit code is 1 when a person is needed.
    """
    from reviewer.basics.errors import JournalError
    from reviewer.marks import folder
    from reviewer.marks.book import Book
    from reviewer.marks.review.checks import ADVICE
    from reviewer.marks.review.checks import check as check_all
    from reviewer.transcripts.store.reader import Reader

    where = annotations or folder.usual(store)
    problem, codebook = "", None
    try:
        codebook = folder.load(where) if (where / folder.FILE).exists() else None
    except JournalError as error:
        problem = str(error)
    with Reader(store) as reader:
        report = check_all(Book(where), reader, codebook)
    if as_json:
        items = [dataclasses.asdict(item) for item in report.items if item.kind != "exact"]
        summary = {"store": store.name, "annotations": str(where), "counts": report.counts, "codebook": problem or None}
        advice = {kind: ADVICE[kind] for kind in ADVICE if report.counts[kind]}
        say_json({**summary, "items": items, "advice": advice}, indent=2)
    else:
        _print(report, where, problem)
    raise typer.Exit(1 if report.needs_a_person or problem else 0)


def _print(report: Report, where: Path, problem: str) -> None:
    from reviewer.marks.review.checks import ADVICE

    for item in report.items:
        if item.kind != "exact":
            say(_line(item))
    if problem:
        say(problem)
    counts = report.counts
    usual = ("exact", "moved", "drifted", "elsewhere", "torn", "unknown")
    said = [f"{counts[kind]:,} {kind}" for kind in usual]
    said += [f"{n:,} {kind}" for kind, n in counts.items() if n and kind not in usual]
    for kind, advice in ADVICE.items():
        if counts[kind]:
            say(f"{kind:<11} {advice}")
    say(f"{where}: {', '.join(said)}.")


def _line(item: CheckItem) -> str:
    about = " ".join(
        filter(
            None,
            (item.code, f"“{item.quote[:60]}”" if item.quote else "", f"by {item.by}" if item.by else "", item.tag),
        )
    )
    return f"{item.kind:<11} {item.ref}{f' ({about})' if about else ''}: {item.words}"
