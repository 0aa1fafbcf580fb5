"""`reviewer report` and `reviewer modes`: what was counted, read and tagged, as a page and as a matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from reviewer.cli.list_command import AsJson, Store
from reviewer.cli.output import say, say_json
from reviewer.cli.output_file import checked_place, write_lines
from reviewer.cli.queries import Annotations, Words, chosen, joined, say_unknown

if TYPE_CHECKING:
    from reviewer.figures.report.blocks import ReportPage, WrittenPage
    from reviewer.figures.report.material import MarkFolder
    from reviewer.figures.report.prose_file import ProseFile
    from reviewer.transcripts.store.reader import Reader

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
    suite: Annotated[
        str | None, typer.Option("--suite", help="Of which benchmark.", show_default="the one with most conversations")
    ] = None,
    judge: Annotated[str | None, typer.Option("--judge", help="Whose scores to show.", show_default=False)] = None,
    init: Annotated[bool, typer.Option("--init", help="Begin a file for your own words.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Say what in your words is stale or does not resolve.")
    ] = False,
    prices: Annotated[
        Path | None, typer.Option("--prices", help="Prices in the form of data/prices.toml.", show_default=False)
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Print the page anew whenever your words are saved.")] = False,
    annotations: Annotations = None,
) -> None:
    """Print the deep report on a model, or findings across all.

    Figures are counted from calls, judges' scores and certain findings of `reviewer scan`; all else is from tags, with
    their words and sources. What nobody read is said with the query that opens it. What you write yourself stands in
    annotations/reports, is begun with --init, and is never written over. docs/reports.md explains the page.
    """
    from reviewer.basics.errors import ReviewerError

    if format not in FORMATS:
        raise ReviewerError(f"There is no format “{format}”.", f"Formats: {', '.join(FORMATS)}.")
    if (model is None) != findings:
        hint = "Name one model, or ask for --findings, which are about all of them."
        raise ReviewerError("A report is about one model." if model is None else "Findings are about all models.", hint)
    if init + check + watch > 1:
        raise ReviewerError("--init, --check and --watch are three different things.", "Ask for one of them.")
    asked = _AskedReport(store, model, format, output, run, suite, judge, annotations, prices)
    if init:
        asked.begin()
    elif check:
        asked.check()
    elif watch:
        asked.watch()
    elif not asked.show():
        raise typer.Exit(2)


@dataclass(frozen=True)
class _AskedReport:
    """A report that somebody asked for, and the ways to have it."""

    store: Path
    model: str | None
    """None for all of them."""
    format: str
    output: Path | None
    run: int | None
    suite: str | None
    judge: str | None
    annotations: Path | None
    prices: Path | None

    def show(self) -> bool:
        """Print the page; False where some of its reviewer's words could not be printed as they are meant."""
        from reviewer.cli.report_prose import say_troubles
        from reviewer.transcripts.store.reader import Reader

        marks = _marks(self.store, self.annotations)
        replaced = checked_place(self.output, self.store, marks.folder)
        with Reader(self.store) as reader:
            path, prose = self._prose(marks)
            written = self._written(reader, marks, prose)
            lines = write_lines(_printed(self.format)(written.page), self.output)
        if self.output is not None and lines:
            say(f"{written.page.title} in {self.output}{', which was replaced' if replaced else ''}.", err=True)
        return say_troubles(written, path, "--check lists them.")

    def begin(self) -> None:
        """Write the file in which its reviewer's words are to stand."""
        from reviewer.figures.report.prose_skeleton import made
        from reviewer.transcripts.store.reader import Reader

        marks = _marks(self.store, self.annotations)
        with Reader(self.store) as reader:
            page = self._written(reader, marks, None).page
        say(f"Made {made(marks.folder, self.model, page.sections)}.")

    def check(self) -> None:
        """Say what is to be seen to in its reviewer's words."""
        from reviewer.cli.report_prose import say_check
        from reviewer.transcripts.store.reader import Reader

        marks = _marks(self.store, self.annotations)
        with Reader(self.store) as reader:
            path, prose = self._prose(marks)
            written = self._written(reader, marks, prose)
        raise typer.Exit(say_check(written, prose, marks, path, self.model))

    def watch(self) -> None:
        """Print the page now and whenever its reviewer's words are saved."""
        from reviewer.cli.report_prose import watch
        from reviewer.figures.report.prose_file import prose_path
        from reviewer.marks import folder

        watch(prose_path(self.annotations or folder.usual(self.store), self.model), self.show)

    def _prose(self, marks: MarkFolder) -> tuple[Path, ProseFile | None]:
        from reviewer.figures.report.prose_file import prose_path, read

        path = prose_path(marks.folder, self.model)
        return path, read(path)

    def _written(self, reader: Reader, marks: MarkFolder, prose: ProseFile | None) -> WrittenPage:
        from reviewer.cli.board_command import check_judge
        from reviewer.figures.report.board_report import board_material
        from reviewer.figures.report.material import ReportRequest, material
        from reviewer.figures.report.written_report import written_findings, written_report
        from reviewer.transcripts.prices import price_list

        known = price_list(self.prices)
        if self.model is None:
            across = board_material(reader, marks, self.judge, known, self.suite)
            if self.judge is not None:
                check_judge(self.judge, across.board)
            return written_findings(reader, across, prose)
        request = ReportRequest(
            self.model, run=self.run, suite=self.suite, judge=self.judge, prices=known, versions=_versions()
        )
        read = material(reader, request, marks)
        if self.judge is not None:
            check_judge(self.judge, read.board)
        return written_report(read, prose)


def _marks(store: Path, annotations: Path | None) -> MarkFolder:
    """The annotations beside a store; while there are none, the codebook that the first tag would bring."""
    from reviewer.figures.report.material import MarkFolder
    from reviewer.marks import folder
    from reviewer.marks.review import recall
    from reviewer.transcripts.store.reader import Reader

    where = annotations or folder.usual(store)
    with Reader(store) as reader:
        otherwise = folder.suited(reader.info()["cases"])
    return MarkFolder(where, recall.opened(where).ledger, folder.load(where, otherwise))


def _versions() -> dict[str, int]:
    """The reads that there are, with their versions now."""
    from reviewer.findings.reads import BY_NAME

    return {name: read.version for name, read in BY_NAME.items()}


def _printed(format: str) -> Callable[[ReportPage], Iterator[str]]:
    from reviewer.figures.report import pages

    return pages.html_lines if format == "html" else pages.markdown_lines


def modes(
    store: Store,
    query: Words = None,
    by: Annotated[Literal["model", "family", "run"], typer.Option("--by", help="What the columns are.")] = "model",
    as_json: AsJson = False,
    annotations: Annotations = None,
) -> None:
    """Show which failure modes people tagged where.

    Each cell: conversations that were reviewed and bear the mode, of those in which it could show; behind + others
    that bear it and were not reviewed.
    """
    from reviewer.figures.measure.board_counts import counts
    from reviewer.figures.report import matrix_lines
    from reviewer.figures.report.mode_matrix import mode_matrix
    from reviewer.transcripts.query import parse
    from reviewer.transcripts.store.reader import Reader

    wanted = parse(joined(query))
    marks = _marks(store, annotations)
    with Reader(store) as reader:
        read = counts(reader, chosen(reader, wanted, store, annotations))
        if not read.conversations:
            say_unknown(wanted, reader, annotations)
        matrix = mode_matrix(store, read, marks.briefs, marks.codebook, by)
    if as_json:
        say_json(matrix_lines.as_object(matrix, read.synthetic, read.simulated), indent=2)
        return
    for line in matrix_lines.lines(matrix, read.synthetic, read.simulated):
        say(line)
