"""A report as Markdown: every text of a store made printable and escaped, so that nothing in it is markup."""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.figures.export.markdown import bullets, code, escaped, origin_said
from reviewer.figures.report.blocks import (
    Block,
    ExcerptList,
    FigureTable,
    Prose,
    ReportPage,
    ReportSection,
    Sentence,
    ToRead,
)


def lines(report: ReportPage) -> Iterator[str]:
    """The page, piece by piece."""
    yield f"# {escaped(report.title)}\n"
    if warning := origin_said(report.synthetic, report.simulated):
        yield f"\n**{warning}**\n"
    yield f"\n*{escaped(report.byline)}*\n"
    for section in report.sections:
        yield from section_lines(section)


def section_lines(section: ReportSection) -> Iterator[str]:
    """One section; nothing where it has no blocks."""
    if section.blocks and section.heading:
        yield f"\n## {escaped(section.heading)}\n"
    for block in section.blocks:
        yield from block_lines(block)


def block_lines(block: Block) -> Iterator[str]:
    """One block, an empty line before it."""
    if isinstance(block, FigureTable):
        yield from _table(block)
    elif isinstance(block, Sentence):
        lead = f"**{escaped(block.lead)}**{' ' if block.text else ''}" if block.lead else ""
        yield f"\n{lead}{escaped(block.text)}\n"
    elif isinstance(block, Prose):
        from reviewer.figures.report.prose_markup import as_markdown

        yield f"\n{as_markdown(block)}\n"
    elif isinstance(block, ToRead):
        yield f"\n{escaped(block.text)} To read them: {code(block.query)}\n"
    else:
        yield from _excerpts(block)


def _table(table: FigureTable) -> Iterator[str]:
    if table.heading:
        yield f"\n### {escaped(table.heading)}\n"
    heads = [table.about, *(heading for _, heading in table.columns)]
    yield f"\n| {' | '.join(map(escaped, heads))} |\n|{' --- |' * len(heads)}\n"
    for row in table.rows:
        yield f"| {' | '.join(map(escaped, (row.label, *row.cells)))} |\n"
    if table.note:
        yield f"\n{escaped(table.note)}\n"


def _excerpts(block: ExcerptList) -> Iterator[str]:
    yield f"\n### {escaped(block.heading)}\n" if block.heading else ""
    yield f"\n{escaped(block.about)}\n\n"
    yield from bullets(block.entries)
