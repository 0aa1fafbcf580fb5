"""What a report is made of: sections, and in them tables, sentences, excerpts and what is still to be read.

Owns the values that printers print and templates name. Every text is as it was stored: printers make it printable and
escape it. A figure is named by its table, its row and its column (`families.address_change.following`, where a table
has no name of its own `unsafe.per_run`), so that prose can take it from here instead of copying it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from reviewer.basics.normal import normal
from reviewer.figures.export.excerpts import Excerpt
from reviewer.figures.export.merged_lines import Entry


def slug(name: str) -> str:
    """A name as part of a figure's name: letters, digits and `_`, never beginning with a digit."""
    plain = re.sub(r"\W+|_+", "_", normal(name).lower()).strip("_") or "none"
    return f"_{plain}" if plain[0].isdigit() else plain


def slugs(names: Iterable[str]) -> list[str]:
    """Names as parts of figures' names, no two of them alike."""
    taken: dict[str, int] = {}
    made = []
    for name in names:
        plain = slug(name)
        taken[plain] = taken.get(plain, 0) + 1
        made.append(plain if taken[plain] == 1 else f"{plain}_{taken[plain]}")
    return made


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One row: its name, what it is about, and a cell for every column."""

    key: str
    label: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FigureTable:
    """A table of named figures."""

    key: str
    """What stands before its figures' names; empty for figures that have none."""
    heading: str
    about: str
    """What its rows are: the heading of their labels."""
    columns: tuple[tuple[str, str], ...]
    """Name and heading of each."""
    rows: tuple[FigureRow, ...]
    note: str = ""
    """What must be known to read it: of how many, who judged, what was left out."""

    def figures(self) -> Iterator[tuple[str, str]]:
        """Name and text of every cell."""
        before = f"{self.key}." if self.key else ""
        for row in self.rows:
            for (column, _), text in zip(self.columns, row.cells, strict=True):
                yield f"{before}{row.key}.{column}", text


@dataclass(frozen=True, slots=True)
class Sentence:
    """Something that was worked out, said in words."""

    text: str
    lead: str = ""
    """What stands before it, set off."""
    named: Mapping[str, str] = field(default_factory=dict)
    """Figures that it says, by name."""

    def figures(self) -> Iterator[tuple[str, str]]:
        """Name and text of every figure that it says."""
        yield from self.named.items()


@dataclass(frozen=True, slots=True)
class ExcerptList:
    """Tags printed with their words, evidence and source, those of one mode."""

    heading: str
    about: str
    """How often the mode was seen, of how much that was read."""
    entries: tuple[Entry, ...]
    key: str = ""
    """The code of the mode."""
    definition: str = ""

    def figures(self) -> Iterator[tuple[str, str]]:
        """Nothing: what it counts stands in a table."""
        return iter(())


@dataclass(frozen=True, slots=True)
class ToRead:
    """Conversations that nobody has read for this section, and the query that opens them."""

    text: str
    query: str
    conversations: int

    def figures(self) -> Iterator[tuple[str, str]]:
        """Nothing that prose would say."""
        return iter(())


MARK = "\ufdd0{}\ufdd1"
"""Stands in somebody's words where a placeholder stood, with the number of its value. No printable text holds one."""
MARKED = re.compile("\ufdd0([0-9]+)\ufdd1")


@dataclass(frozen=True, slots=True)
class Prose:
    """Somebody's own words in Markdown, and apart from them what their placeholders stand for."""

    text: str
    values: tuple[str | Excerpt, ...] = ()
    """Figures as they are printed, and tags; `MARK` says where each belongs."""

    def figures(self) -> Iterator[tuple[str, str]]:
        """Nothing: what it says was counted elsewhere."""
        return iter(())


@dataclass(frozen=True, slots=True)
class EmptySection:
    """In place of the blocks of a section that has nothing to print."""

    why: str


Block = FigureTable | Sentence | ExcerptList | ToRead | Prose


@dataclass(frozen=True, slots=True)
class ReportSection:
    """One section: a heading, and its blocks in order; without blocks it waits for somebody's words."""

    key: str
    heading: str
    blocks: tuple[Block, ...] = ()
    modes: tuple[str, ...] = ()
    """Codes of the modes that belong here."""
    brief: str = ""
    """The heading without what its reviewer put behind it, where that is another."""

    def figures(self) -> dict[str, str]:
        """Every named figure of the section."""
        return {name: text for block in self.blocks for name, text in block.figures()}

    def with_blocks(self, *blocks: Block) -> ReportSection:
        """The section with more blocks behind those that it has."""
        return replace(self, blocks=(*self.blocks, *blocks))


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A page: what it is about, and its sections in order."""

    title: str
    byline: str
    sections: tuple[ReportSection, ...]
    synthetic: bool
    model: str = ""
    """The model that it is about; empty for what is about all."""
    simulated: bool = False
    """Whether a model played customers that are quoted."""

    def section(self, key: str) -> ReportSection | None:
        """The section of that name."""
        return next((each for each in self.sections if each.key == key), None)

    def figures(self) -> dict[str, str]:
        """Every named figure of the page, each once."""
        return {name: text for section in self.sections for name, text in section.figures().items()}

    def excerpts(self) -> dict[str, Excerpt]:
        """The excerpts on the page, by the identifier of their tag."""
        blocks = (block for section in self.sections for block in section.blocks)
        return {excerpt.tag.id: excerpt for block in blocks for excerpt in _excerpts_in(block)}


@dataclass(frozen=True, slots=True)
class ProseTrouble:
    """Something about a file of prose that a person should see to."""

    line: int
    said: str
    kind: Literal["error", "stale"] = "error"
    """Whether something of it cannot be printed as it is meant, or is no longer what the page says."""


@dataclass(frozen=True, slots=True)
class WrittenPage:
    """A report with somebody's words, and what is to be seen to in these."""

    page: ReportPage
    troubles: tuple[ProseTrouble, ...] = ()
    written: frozenset[str] = frozenset()
    """Keys of the sections about which somebody wrote."""


def _excerpts_in(block: Block) -> Iterator[Excerpt]:
    if isinstance(block, ExcerptList):
        yield from (excerpt for _, excerpt in block.entries)
    elif isinstance(block, Prose):
        yield from (value for value in block.values if isinstance(value, Excerpt))
