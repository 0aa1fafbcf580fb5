"""A report as lines of the screen: headings, tables, sentences and excerpts, and what `enter` does on each. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from rich.cells import cell_len

from reviewer.app.layout.wrap import wrapped
from reviewer.app.shared.line_widgets import Bit, elided
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph, plainly
from reviewer.figures.export.excerpts import Excerpt, as_a_whole
from reviewer.figures.export.markdown import origin_said
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

_INDENT = 2
_LEAST = 6
"""Cells that a column of a table has at least."""
_GAP = 2
_LABEL = 44
"""Cells of the names of rows at most."""
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")
_QUOTED = 600
"""Characters of a quote that are shown: the conversation is a key away."""


class ReportLine(NamedTuple):
    """A line of the page, and where it leads."""

    bits: tuple[Bit, ...] = ()
    ref: str = ""
    """The place of the excerpt that the line belongs to."""
    query: str = ""
    """The conversations that are to be read for it."""
    section: str = ""
    """The key of the section whose heading this is."""


def report_lines(page: ReportPage, width: int, plain: bool = False) -> list[ReportLine]:
    """The whole page in lines of a width."""
    return list(_Printer(width, plain).page(page))


class _Printer:
    def __init__(self, width: int, plain: bool) -> None:
        self._width = max(20, width)
        self._plain = plain

    def page(self, page: ReportPage) -> Iterator[ReportLine]:
        yield self._line((page.title, "title"))
        if warning := origin_said(page.synthetic, page.simulated):
            yield self._line((warning, "tag"))
        yield from self._paragraph(page.byline, "muted")
        for section in page.sections:
            yield from self._section(section)

    def _section(self, section: ReportSection) -> Iterator[ReportLine]:
        if not section.blocks:
            return
        yield ReportLine()
        if section.heading:
            rule = glyph("rule", self._plain)
            name = elided(self._text(section.heading), self._width - 8)
            rest = rule * max(0, self._width - cell_len(name) - 4)
            bits: tuple[Bit, ...] = ((f"{rule * 2} ", "faint"), (name, "heading"), (f" {rest}", "faint"))
            yield ReportLine(bits, section=section.key)
        for block in section.blocks:
            yield from self._block(block)

    def _block(self, block: Block) -> Iterator[ReportLine]:
        if isinstance(block, FigureTable):
            yield from self._table(block)
        elif isinstance(block, Sentence):
            yield from self._paragraph(f"{block.lead} {block.text}".strip(), "text", lead=len(self._text(block.lead)))
        elif isinstance(block, Prose):
            yield from self._prose(block)
        elif isinstance(block, ToRead):
            sign = glyph("folded", self._plain)
            for line in self._paragraph(f"{block.text} {sign} {block.query}", "muted"):
                yield line._replace(query=block.query)
        else:
            yield from self._excerpts(block)

    def _prose(self, block: Prose) -> Iterator[ReportLine]:
        """Somebody's own words, a paragraph after the other."""
        from reviewer.figures.report.prose_markup import as_line  # with a parser of Markdown, for those who wrote any

        for paragraph in _PARAGRAPHS.split(block.text.strip()):
            yield from self._paragraph(as_line(replace(block, text=paragraph)), "strong")
            yield ReportLine()

    # -- tables --------------------------------------------------------------------------------------------------------

    def _table(self, table: FigureTable) -> Iterator[ReportLine]:
        yield ReportLine()
        if table.heading:
            yield self._line((table.heading, "strong"))
        heads = [table.about, *(heading for _, heading in table.columns)]
        rows = [[self._text(each) for each in (row.label, *row.cells)] for row in table.rows]
        names = [self._text(each) for each in heads]
        widths = self._widths([names, *rows])
        if widths is None:
            yield from self._stacked(names, rows)
        else:
            yield self._cells(names, widths, "muted")
            yield from (self._cells(row, widths, "text") for row in rows)
        yield from self._paragraph(table.note, "muted")

    def _widths(self, rows: Sequence[Sequence[str]]) -> list[int] | None:
        """How wide each column is; None where even cut ones do not fit beside each other."""
        widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
        widths[0] = min(widths[0], _LABEL)
        room = self._width - _INDENT - _GAP * (len(widths) - 1)
        if room < _LEAST * len(widths):
            return None
        over = sum(widths) - room
        while over > 0:
            widest = max(range(len(widths)), key=lambda at: (widths[at], -at))
            if widths[widest] <= _LEAST * 2:
                return None
            widths[widest] -= 1
            over -= 1
        return widths

    def _cells(self, cells: Sequence[str], widths: Sequence[int], style: str) -> ReportLine:
        more = glyph("more", self._plain)
        shown = [elided(text, width, more) for text, width in zip(cells, widths, strict=True)]
        padded = [text + " " * (width - cell_len(text)) for text, width in zip(shown, widths, strict=True)]
        first: Bit = (f"{' ' * _INDENT}{padded[0]}", "strong" if style == "text" else style)
        return ReportLine((first, *((f"{' ' * _GAP}{text}", style) for text in padded[1:])))

    def _stacked(self, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[ReportLine]:
        """A row a paragraph, where there is no room for columns."""
        for row in rows:
            told = " · ".join(f"{head}: {cell}" for head, cell in zip(heads[1:], row[1:], strict=True) if cell)
            yield self._line((f"{' ' * _INDENT}{row[0]}", "strong"))
            yield from self._paragraph(told, "text", indent=_INDENT + 2)

    # -- excerpts ------------------------------------------------------------------------------------------------------

    def _excerpts(self, block: ExcerptList) -> Iterator[ReportLine]:
        yield ReportLine()
        if block.heading:
            yield self._line((block.heading, "tag"))
        yield from self._paragraph(block.about, "muted")
        for group, excerpt in block.entries:
            yield from self._excerpt(excerpt, len(group.refs))

    def _excerpt(self, excerpt: Excerpt, times: int) -> Iterator[ReportLine]:
        speaker = glyph(excerpt.pieces[0].role, self._plain) if excerpt.pieces else glyph("dot", self._plain)
        quote = f'"{excerpt.quote[:_QUOTED]}"' if excerpt.quote else as_a_whole(excerpt)
        again = f" {glyph('times', self._plain)}{times:,}" if times > 1 else ""
        proofs = [proof.where or proof.said for proof in excerpt.proofs]
        said = " · ".join(filter(None, (excerpt.tag.clause, *proofs)))
        body = [
            (f"{speaker} {quote}{again}", "text"),
            (said, "tool.read"),
            (f"{excerpt.ref} · {excerpt.tag.by}", "faint"),
        ]
        for text, style in body:
            for line in self._paragraph(text, style, indent=_INDENT, hang=3):
                yield line._replace(ref=excerpt.ref)

    # -- words ---------------------------------------------------------------------------------------------------------

    def _paragraph(self, text: str, style: str, indent: int = 1, hang: int = 0, lead: int = 0) -> Iterator[ReportLine]:
        """A text in lines; so many characters of it stand out."""
        shown = self._text(text)
        for at, (start, end) in enumerate(wrapped(shown, self._width - indent, hang) if shown else ()):
            before, apart = " " * (indent + (hang if at else 0)), max(start, min(lead, end))
            yield ReportLine(((f"{before}{shown[start:apart]}", "strong"), (shown[apart:end], style)))

    def _line(self, bit: Bit) -> ReportLine:
        return ReportLine(((elided(f" {self._text(bit[0])}", self._width, glyph("more", self._plain)), bit[1]),))

    def _text(self, text: str) -> str:
        return plainly(printable_line(text), self._plain)
