"""A report with its reviewer's words: each under its heading, before what was counted and tagged.

Owns what belongs where. Nothing of a person's words is lost: what stands under a heading that the report does not have
is a section of its own, behind the one that it follows in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from reviewer.figures.export.excerpts import Excerpt
from reviewer.figures.report.blocks import (
    MARK,
    Block,
    FigureRow,
    FigureTable,
    Prose,
    ProseTrouble,
    ReportPage,
    ReportSection,
    Sentence,
    WrittenPage,
    slug,
)
from reviewer.figures.report.prose_file import ProseFile, ProseSection
from reviewer.figures.report.prose_front import VERDICT, FrontText, nearest
from reviewer.figures.report.prose_markup import as_line, dangerous, refused
from reviewer.figures.report.prose_numbers import counted_numbers, plain, typed_numbers
from reviewer.figures.report.prose_text import ProseRenderer, RenderedProse

CARD = "card"
_COLUMNS = {"read": ("families", "read"), "glance": ("glance", "remark")}
"""A table of the front matter to the table of the page that it is a column of, and the column's heading."""


def with_prose(
    page: ReportPage,
    prose: ProseFile,
    excerpt: Callable[[str], Excerpt | None],
    troubles: Iterable[ProseTrouble] = (),
) -> WrittenPage:
    """Put a person's words on a page; `troubles` are those that are known already."""
    writer = _PageWriter(page, ProseRenderer(page.figures(), excerpt))
    front = prose.front
    if verdict := front.texts.get(VERDICT):
        writer.add(writer.key(VERDICT) or writer.made_first(VERDICT, "Verdict"), writer.checked(verdict, VERDICT).prose)
    if remark := front.texts.get("remark"):
        said = as_line(writer.checked(remark, CARD).prose)
        writer.add(writer.key(CARD) or writer.made_first(CARD, ""), Sentence(said, lead="Remark:"))
    writer.write_sections(prose.sections)
    for name, (table, heading) in _COLUMNS.items():
        writer.write_column(name, table, heading, front.table(name))
    for name, said_of in (("leads", writer.leads), ("tails", writer.tails)):
        writer.write_beside(name, front.table(name), said_of)
    every = sorted({*prose.troubles, *troubles, *writer.troubles}, key=lambda each: (each.line, each.said))
    written = frozenset(writer.words) | frozenset(writer.leads)
    return WrittenPage(replace(page, sections=tuple(writer.in_order())), tuple(every), written)


@dataclass
class _PageWriter:
    """Finds out where words belong, keeps what is wrong with them, and makes the sections anew."""

    page: ReportPage
    renderer: ProseRenderer
    words: dict[str, list[Block]] = field(default_factory=dict)
    """What somebody wrote, by the key of its section."""
    leads: dict[str, str] = field(default_factory=dict)
    tails: dict[str, str] = field(default_factory=dict)
    troubles: list[ProseTrouble] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sections = {each.key: each for each in self.page.sections}
        self.behind: dict[str, list[str]] = {key: [] for key in self.sections}
        """Key of a section of the report to those that a person put behind it."""
        self.first: list[str] = []
        self.keys = {slug(each.heading): each.key for each in reversed(self.page.sections) if each.heading}
        self.keys |= {key: key for key in self.sections}
        self.headed = [each.heading for each in self.page.sections if each.heading]
        self.everything = counted_numbers(self.page.sections)
        self.numbers = {key: counted_numbers([each]) or self.everything for key, each in self.sections.items()}
        """The numbers that may be said in a section: its own, and of one that counts nothing those of the page."""

    def key(self, name: str) -> str | None:
        """The key of the section that is called so, by its key or its heading."""
        return self.keys.get(name) or self.keys.get(slug(name))

    def made_first(self, key: str, heading: str) -> str:
        """A section before all others."""
        self.first.append(key)
        self.sections[key] = ReportSection(key, heading)
        self.keys[key] = key
        return key

    def add(self, key: str, block: Block) -> None:
        """Words of a section."""
        self.words.setdefault(key, []).append(block)

    def write_sections(self, sections: Iterable[ProseSection]) -> None:
        """Each section of the file under the heading of the page that it names."""
        last = next(iter(self.behind))
        after = last
        for section in sections:
            key = self.key(section.heading) if section.heading else last
            if key is None:
                key = self._made_behind(after, section)
            rendered = self.checked(section.words, key)
            if rendered.prose.text.strip():
                self.add(key, rendered.prose)
            after = key if key in self.behind else after

    def _made_behind(self, key: str, section: ProseSection) -> str:
        """A section of the person's own, behind one of the report."""
        own = f"own_{slug(section.heading)}"
        self.behind[key].append(own)
        self.sections[own] = ReportSection(own, section.heading)
        self.keys[slug(section.heading)] = own
        near = nearest(section.heading, self.headed)
        said = f"the report has no section “{section.heading}”; it is printed as one of its own.{near}"
        self.troubles.append(ProseTrouble(section.line, said, "stale"))
        return own

    def write_column(self, name: str, key: str, heading: str, words: Mapping[str, FrontText]) -> None:
        """A column of remarks in a table of the page."""
        if not words:
            return
        for section in self.page.sections:
            for at, block in enumerate(section.blocks):
                if isinstance(block, FigureTable) and block.key == key:
                    made = self._with_column(block, section.key, (name, heading), words)
                    blocks = (*section.blocks[:at], made, *section.blocks[at + 1 :])
                    self.sections[section.key] = replace(section, blocks=blocks)
                    return
        self._stale(next(iter(words.values())), f"“{name}” is about a table that this page does not have.")

    def _with_column(
        self, table: FigureTable, section: str, column: tuple[str, str], words: Mapping[str, FrontText]
    ) -> FigureTable:
        rows = {name: row.key for row in reversed(table.rows) for name in (slug(row.label), row.label)}
        rows |= {row.key: row.key for row in table.rows}
        said: dict[str, str] = {}
        for name, own in words.items():
            row = rows.get(name) or rows.get(slug(name))
            if row is None:
                self._stale(own, f"“{column[0]}.{name}” is about no row of its table.{nearest(name, rows)}")
            else:
                said[row] = as_line(self.checked(own, section).prose)
        made = tuple(FigureRow(row.key, row.label, (*row.cells, said.get(row.key, ""))) for row in table.rows)
        return replace(table, columns=(*table.columns, column), rows=made)

    def write_beside(self, name: str, words: Mapping[str, FrontText], said: dict[str, str]) -> None:
        """What stands behind headings, or in bold before the words below them."""
        for called, own in words.items():
            key = self.key(called)
            if key is None or not self.sections[key].heading:
                known = [each for each, section in self.sections.items() if section.heading]
                self._stale(own, f"“{name}.{called}” is about no section of this page.{nearest(called, known)}")
            else:
                said[key] = as_line(self.checked(own, key).prose)

    def checked(self, words: FrontText, key: str) -> RenderedProse:
        """The words with their placeholders filled in; what is wrong with them is kept."""
        rendered = self.renderer.rendered(words)
        self.troubles += rendered.troubles
        counted = self.numbers.get(key, self.everything)
        for line, text in rendered.own:
            wrong = [each for each in typed_numbers(text, [self.page.model]) if plain(each) not in counted]
            if wrong:
                said = f"{', '.join(dict.fromkeys(wrong))}: not counted in this section."
                self.troubles.append(ProseTrouble(line, said, "stale"))
        if refused(rendered.prose):
            self.troubles += _links(words)
        return rendered

    def in_order(self) -> Iterator[ReportSection]:
        """The sections with their words."""
        behind = (each for place, own in self.behind.items() for each in (place, *own))
        for key in (*self.first, *behind):
            section = self.sections[key]
            words = tuple(self.words.get(key, ()))
            if key in self.leads:
                words = _led(self.leads[key], words)
            blocks = (*words, *section.blocks) if section.heading else (*section.blocks, *words)
            if key in self.tails:
                heading = f"{section.heading}: {self.tails[key]}"
                section = replace(section, heading=heading, brief=section.heading)
            yield replace(section, blocks=blocks)

    def _stale(self, words: FrontText, said: str) -> None:
        self.troubles.append(ProseTrouble(words.line, said, "stale"))


def _led(lead: str, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Words with a few in bold before them: in their first paragraph, if they begin with one."""
    first = blocks[0] if blocks else None
    if isinstance(first, Prose) and (first.text[:1].isalpha() or first.text.startswith(MARK[0])):
        text = f"**{MARK.format(len(first.values))}** {first.text}"
        return (Prose(text, (*first.values, lead)), *blocks[1:])
    return (Sentence("", lead=lead), *blocks)


def _links(words: FrontText) -> list[ProseTrouble]:
    """Where links lead that do not come alive."""
    said = "a link that leads neither to the web nor within the page is printed as text."
    lines = [at for at, line in enumerate(words.text.split("\n")) if dangerous(line)]
    return [ProseTrouble(words.line + at, said) for at in lines or [0]]
