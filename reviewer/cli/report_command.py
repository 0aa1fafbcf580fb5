"""`reviewer report` and `reviewer modes`: what was counted, read and tagged, as a page and as a matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from reviewer.cli.list_command import AsJson, Store
from reviewer.cli.output import say, say_json
from reviewer.cli.output_file import checked_place, write_lines
from reviewer.cli.queries import Annotations, Words, chosen, joined, say_unknown

if TYPE_CHECKING:
    from reviewer.report.blocks import ReportPage
    from reviewer.report.material import MarkFolder
    from reviewer.store.reader import Reader

FORMATS = ("md", "html")


def report(
    store: Store,
    model: Annotated[
        str | None, typer.Argument(help="The model, as `reviewer info` names it.", show_default=False)
    ] = None,
    format: Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMATS)}.")] = "md",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write to this file.")] = None,
    findings: Annotated[bool, typer.Option("--findings", help="What reading taught across all models.")] = False,
    run: Annotated[int | None, typer.Option("--run", help="Only this run.", show_default=False)] = None,
    judge: Annotated[str | None, typer.Option("--judge", help="Whose scores to show.", show_default=False)] = None,
    annotations: Annotations = None,
) -> None:
    """Print the deep report on a model, or findings across all.

    Figures are counted from calls, judges' scores and certain findings of `reviewer scan`; all else is from tags, with
    their words and sources. What nobody read is said with the query that opens it. docs/reports.md explains the page.
    """
    from reviewer.errors import ReviewerError
    from reviewer.store.reader import Reader

    if format not in FORMATS:
        raise ReviewerError(f"There is no format “{format}”.", f"Formats: {', '.join(FORMATS)}.")
    if (model is None) != findings:
        hint = "Name one model, or ask for --findings, which are about all of them."
        raise ReviewerError("A report is about one model." if model is None else "Findings are about all models.", hint)
    marks = _marks(store, annotations)
    replaced = checked_place(output, store, marks.folder)
    with Reader(store) as reader:
        page = _board_page(reader, marks, judge) if model is None else _page(reader, marks, model, run, judge)
        written = write_lines(_printed(format)(page), output)
    if output is not None and written:
        say(f"{page.title} in {output}{', which was replaced' if replaced else ''}.", err=True)


def _marks(store: Path, annotations: Path | None) -> MarkFolder:
    """The annotations beside a store; while there are none, the codebook that the first tag would bring."""
    from reviewer.annotations import folder
    from reviewer.report.material import MarkFolder
    from reviewer.session import recall
    from reviewer.store.reader import Reader

    where = annotations or folder.usual(store)
    with Reader(store) as reader:
        otherwise = folder.suited(reader.info()["cases"])
    return MarkFolder(where, recall.opened(where).ledger, folder.load(where, otherwise))


def _page(reader: Reader, marks: MarkFolder, model: str, run: int | None, judge: str | None) -> ReportPage:
    from reviewer.cli.board_command import check_judge
    from reviewer.report.deep_report import deep_report
    from reviewer.report.material import ReportRequest, material

    read = material(reader, ReportRequest(model, run=run, judge=judge, versions=_versions()), marks)
    if judge is not None:
        check_judge(judge, read.board)
    return deep_report(read)


def _board_page(reader: Reader, marks: MarkFolder, judge: str | None) -> ReportPage:
    from reviewer.cli.board_command import check_judge
    from reviewer.report.board_report import board_material, board_report

    read = board_material(reader, marks, judge)
    if judge is not None:
        check_judge(judge, read.board)
    return board_report(read)


def _versions() -> dict[str, int]:
    """The reads that there are, with their versions now."""
    from reviewer.reads import BY_NAME

    return {name: read.version for name, read in BY_NAME.items()}


def _printed(format: str) -> Callable[[ReportPage], Iterator[str]]:
    from reviewer.report import html_page, markdown_page

    return html_page.lines if format == "html" else markdown_page.lines


def modes(
    store: Store,
    query: Words = None,
    by: Annotated[Literal["model", "family", "run"], typer.Option("--by", help="What the columns are.")] = "model",
    as_json: AsJson = False,
    annotations: Annotations = None,
) -> None:
    """Show which failure modes people tagged where.

    Each cell: conversations that were read to the end and bear the mode, of those in which it could show; behind +
    others that bear it and were not read to the end.
    """
    from reviewer.measure.board import counts
    from reviewer.query import parse
    from reviewer.report import matrix_lines
    from reviewer.report.mode_matrix import mode_matrix
    from reviewer.store.reader import Reader

    wanted = parse(joined(query))
    marks = _marks(store, annotations)
    with Reader(store) as reader:
        read = counts(reader, chosen(reader, wanted, store, annotations))
        if not read.conversations:
            say_unknown(wanted, reader)
        matrix = mode_matrix(store, read, marks.briefs, marks.codebook, by)
        synthetic = read.synthetic
    if as_json:
        say_json(matrix_lines.as_object(matrix, synthetic), indent=2)
        return
    for line in matrix_lines.lines(matrix, synthetic):
        typer.echo(line)
