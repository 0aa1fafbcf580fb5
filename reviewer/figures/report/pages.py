"""A report as a page: a template for each format goes through its sections and blocks.

Every value that a template prints is made printable and escaped for the format. Only what a filter returns is markup.
The page in HTML is self-contained: it loads nothing and says so to the browser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from reviewer.figures.export import markdown, page
from reviewer.figures.export.merged_lines import side_by_side
from reviewer.figures.report.blocks import ExcerptList, FigureTable, Prose, ReportPage, Sentence, ToRead

_KINDS = {"table": FigureTable, "sentence": Sentence, "prose": Prose, "to_read": ToRead, "excerpts": ExcerptList}
Filters = Mapping[str, Callable[..., str]]
"""What makes markup of a value, by the name that templates use."""
_CONTEXT = 1
"""Messages on either side that an excerpt unfolds in HTML."""


def markdown_lines(report: ReportPage) -> Iterator[str]:
    """The page as Markdown, piece by piece."""

    def prose(block: Prose) -> str:
        from reviewer.figures.report.prose_markup import as_markdown

        return as_markdown(block)

    def excerpts(block: ExcerptList) -> str:
        return "".join(markdown.bullets(block.entries))

    filters: Filters = {"prose": prose, "excerpts": excerpts, "code": markdown.code}
    return _pieces(report, "report.md.jinja", markdown.escaped, filters)


def html_lines(report: ReportPage) -> Iterator[str]:
    """The page as HTML, piece by piece."""

    def prose(block: Prose) -> str:
        from reviewer.figures.report.prose_markup import as_html

        return as_html(block)

    def excerpts(block: ExcerptList) -> str:
        return "".join(page.merged(line, _CONTEXT) for line in side_by_side(block.entries))

    return _pieces(report, "report.html.jinja", page.text, {"prose": prose, "excerpts": excerpts})


def _pieces(report: ReportPage, template: str, escaped: Callable[[str], str], filters: Filters) -> Iterator[str]:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    def shown(value: str) -> Markup:
        return value if isinstance(value, Markup) else Markup(escaped(value))  # noqa: S704  it is escaped here

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        finalize=shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    for name, made in filters.items():
        environment.filters[name] = lambda value, made=made: Markup(made(value))  # noqa: S704  filters escape
    for name, kind in _KINDS.items():
        environment.tests[name] = lambda block, kind=kind: isinstance(block, kind)
    warning = markdown.origin_said(report.synthetic, report.simulated)
    values = {"report": report, "warning": warning, "head": page.HEAD, "style": page.STYLE}
    return environment.get_template(template).generate(values)
