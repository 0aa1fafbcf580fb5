"""Numbers that somebody typed into prose, against those that were counted for its section. Pure.

A number is what it comes to, `87.50` and `87.5`, `1,024` and `1024`. Left out are those that name something: an order
(#1130), a version (k2.7), what stands in code or in an address.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from reviewer.figures.report.blocks import Block, ExcerptList, FigureTable, Prose, ReportSection, Sentence

_TYPED = re.compile(r"(?<![\w#.,])(?<!\w-)[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?!\w)")
_COUNTED = re.compile(r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?")
_APART = re.compile(r"`[^`]*`|\]\([^()]*\)|^\s*[0-9]{1,9}[.)]\s")


def typed_numbers(line: str, names: Iterable[str] = ()) -> Iterator[str]:
    """The numbers in a line, but for those within names."""
    for name in names:
        line = line.replace(name, " ")
    yield from _TYPED.findall(_APART.sub(" ", line))


def counted_numbers(sections: Iterable[ReportSection]) -> set[str]:
    """Every number that these sections print of their own."""
    blocks = (block for section in sections for block in section.blocks)
    return {plain(number) for block in blocks for text in _texts(block) for number in _COUNTED.findall(text)}


def plain(number: str) -> str:
    """A number in its shortest form."""
    whole, _, rest = number.replace(",", "").partition(".")
    rest = rest.rstrip("0")
    return f"{whole.lstrip('0') or '0'}{f'.{rest}' if rest else ''}"


def _texts(block: Block) -> Iterator[str]:
    yield from (text for _, text in block.figures())
    if isinstance(block, FigureTable):
        yield block.note
    elif isinstance(block, Sentence):
        yield block.text
    elif isinstance(block, ExcerptList):
        yield block.about
    elif not isinstance(block, Prose):
        yield block.text
