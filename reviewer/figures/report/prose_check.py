"""What is to be seen to in a report's prose: stale, unresolved, not read, without words.

Owns what counts as stale beyond numbers: tags that were made after the prose was saved, in sections that have words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from reviewer.figures.export.print_counts import number
from reviewer.figures.report.blocks import ProseTrouble, ToRead, WrittenPage
from reviewer.figures.report.prose_file import ProseFile
from reviewer.figures.report.prose_skeleton import WORDLESS
from reviewer.marks.ledger import State


@dataclass(frozen=True, slots=True)
class ProseCheck:
    """Everything about a file of prose that a person may want to see to."""

    troubles: tuple[ProseTrouble, ...]
    newer: tuple[str, ...]
    """What was tagged since the prose was saved, a sentence a section."""
    unread: tuple[tuple[str, ToRead], ...]
    """Heading, and the conversations that nobody read for it."""
    wordless: tuple[str, ...]
    """Headings without words."""

    @property
    def clean(self) -> bool:
        """True if nothing that was written is wrong or stale."""
        return not (self.troubles or self.newer)


def prose_check(
    written: WrittenPage, prose: ProseFile | None, marks: Mapping[str, State], codes: Mapping[str, str]
) -> ProseCheck:
    """Check a page with its words against what was marked; `codes` leads from what modes were called to their codes."""
    sections = [each for each in written.page.sections if each.heading]
    unread = tuple((each.heading, block) for each in sections for block in each.blocks if isinstance(block, ToRead))
    wordless = tuple(each.heading for each in sections if each.key not in WORDLESS and each.key not in written.written)
    return ProseCheck(written.troubles, tuple(_newer(written, prose, marks, codes)) if prose else (), unread, wordless)


def _newer(
    written: WrittenPage, prose: ProseFile, marks: Mapping[str, State], codes: Mapping[str, str]
) -> Iterator[str]:
    saved = datetime.fromtimestamp(prose.saved, UTC)
    since: dict[str, int] = {}
    for state in marks.values():
        for tag in state.tags:
            code = codes.get(tag.code, tag.code)
            since[code] = since.get(code, 0) + _after(tag.at, saved)
    for section in written.page.sections:
        tags = sum(since.get(code, 0) for code in section.modes)
        if tags and section.key in written.written:
            yield f"{section.heading}: {number(tags, 'tag')} made since it was saved."


def _after(at: str, saved: datetime) -> bool:
    try:
        made = datetime.fromisoformat(at)
    except ValueError:
        return False
    return (made if made.tzinfo else made.replace(tzinfo=UTC)) > saved


def check_lines(check: ProseCheck, path: str) -> Iterator[str]:
    """The check as lines of text; the path is empty where there is no file."""
    yield from (f"{path}, line {each.line}: {each.said}" for each in check.troubles)
    yield from (f"{path}: {each}" for each in check.newer)
    for heading, block in check.unread:
        yield f"“{heading}”: {block.text} To read them: {block.query}"
    if check.wordless:
        yield f"Without words: {', '.join(check.wordless)}."
    if check.clean and path:
        yield f"Nothing in {path} is wrong or stale."
