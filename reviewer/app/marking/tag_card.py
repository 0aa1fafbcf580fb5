"""The card of a tag: the tag as people say it, folded to as many lines as there is room for. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from reviewer.app.layout.wrap import wrapped
from reviewer.app.shared.line_widgets import Bit, elided, plain_bits, spread, width_of
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph, plainly
from reviewer.marks.anchors import message_at, words
from reviewer.marks.evidence_words import evidence_words, item_place
from reviewer.marks.review import Mark
from reviewer.transcripts.model import Stored, Tag

_LABEL = 10
_LONGEST = 2_000
"""Characters of a text that are looked at: more than any card shows."""
_TALLEST = 4
"""Lines that one thing may take where there is room."""


class _CardEntry(NamedTuple):
    """One thing that is said of a tag."""

    label: str
    text: str
    style: str = "text"


class TagCard(NamedTuple):
    """A tag to be shown below what it is about, and where it is among those on its item."""

    mark: Mark
    title: str
    stored: Stored
    plain: bool = False
    at: int = 1
    of: int = 1
    decides: str = ""
    """How a suggestion is accepted or rejected."""

    def lines(self, width: int, rows: int) -> list[list[Bit]]:
        """The card in at most so many rows; what there is no room for is named in the last one."""
        entries = list(_entries(self))
        room = max(1, width - _LABEL - 2)
        for tallest in range(_TALLEST, 0, -1):
            texts = [_wrapped(entry.text, room, tallest, self.plain) for entry in entries]
            if sum(map(len, texts)) < rows:
                break
        else:
            kept = max(0, rows - 2)
            left = ", ".join(dict.fromkeys(entry.label for entry in entries[kept:] if entry.label))
            entries = [*entries[:kept], _CardEntry(f"{len(entries) - kept} more", left, "muted")]
            texts = [_wrapped(entry.text, room, 1, self.plain) for entry in entries]
        body = [line for at in range(len(entries)) for line in _labelled(entries, at, texts[at])]
        return [plain_bits(line) if self.plain else line for line in [_head(self, width), *body]][: max(1, rows)]


def _head(card: TagCard, width: int) -> list[Bit]:
    """A rule with the mode's name, who says so, and which of several tags it is."""
    tag, state, rule = card.mark.tag, card.mark.state, glyph("rule", card.plain)
    finding = card.mark.finding
    about = [tag.by, "exemplar" if tag.exemplar else ""]
    if finding is not None:
        about = [f"suggested by {finding.read} {finding.version}", "certain" if finding.certain else "likely"]
    left: list[Bit] = [
        (f"{rule * 2} ", "faint"),
        (printable_line(card.title), "tag" if finding is None else "suggestion"),
        (f"  {' · '.join(printable_line(each) for each in about if each)}", "muted"),
        (f" · {state} " if state != "exact" else " ", "bad"),
    ]
    right: list[Bit] = [(f" {card.at} of {card.of} ", "strong"), (rule * 2, "faint")] if card.of > 1 else []
    *bits, (gap, _) = spread(left, [], width - width_of(right), glyph("more", card.plain))
    return [*bits, (rule * len(gap), "faint"), *right]


def _labelled(entries: Sequence[_CardEntry], at: int, texts: Sequence[str]) -> Iterator[list[Bit]]:
    """The lines of an entry; the first beside its label, unless that of the entry before is the same."""
    entry = entries[at]
    label = "" if at and entries[at - 1].label == entry.label else entry.label
    for text in texts:
        yield [(f" {label:<{_LABEL}}", "muted"), (text, entry.style)]
        label = ""


def _entries(card: TagCard) -> Iterator[_CardEntry]:
    tag, suggested = card.mark.tag, card.mark.finding is not None
    if suggested:
        yield _CardEntry("why", _line(tag.note))
        if card.decides:
            yield _CardEntry("", card.decides, "muted")
    for text in _words(card):
        yield _CardEntry("words", text)
    for each, placed in zip(tag.evidence, card.mark.proofs, strict=True):
        at = placed.ref if placed is not None and placed.state != "drifted" else None
        told = evidence_words(each, card.stored, at, card.stored.ref)
        yield _CardEntry("evidence", _line(str(told)), "tool.read")
    if tag.stance and tag.cause:
        yield _CardEntry("stance", _line(f"{tag.stance} · cause: {tag.cause}"))
    elif tag.stance or tag.cause:
        yield _CardEntry("stance" if tag.stance else "cause", _line(tag.stance or tag.cause))
    if (tag.extra or {}).get("finding"):
        yield _CardEntry("accepted", _line(_origin(tag)))
    for label, text in (("clause", tag.clause), ("note", "" if suggested else tag.note)):
        for paragraph in text[:_LONGEST].splitlines():
            yield _CardEntry(label, _line(paragraph))


def _origin(tag: Tag) -> str:
    """What suggested an accepted tag, and why."""
    finding = (tag.extra or {}).get("finding")
    told = [finding.get(name) for name in ("read", "reason")] if isinstance(finding, dict) else []
    return ": ".join(each for each in told if isinstance(each, str) and each)


def _words(card: TagCard) -> Iterator[str]:
    """The words of each piece, with who said them; as they were marked, where they are no longer there."""
    mark, stored = card.mark, card.stored
    if mark.state in ("drifted", "elsewhere"):
        yield from (f'{piece.ref.place} "{_line(piece.quote)}"' for piece in mark.tag.pieces)
        return
    for piece, ref in zip(mark.tag.pieces, mark.places, strict=True):
        if ref.message is None:
            yield "the whole conversation" if ref.conversation == stored.ref else "the case across its runs"
        elif ref.call is not None:
            yield _line(str(evidence_words(piece, stored, ref, stored.ref)))
        else:
            whole = "all of its reasoning" if ref.part == "reasoning" else "the whole message"
            what = f'"{_line(words(stored, ref))}"' if ref.span else whole
            yield f"{glyph(message_at(stored, ref).role, card.plain)} {item_place(ref)} {what}"


def _line(text: str) -> str:
    return printable_line(" ".join(text[:_LONGEST].split()))


def _wrapped(text: str, room: int, tallest: int, plain: bool) -> list[str]:
    """The text in no more lines than that, cut at the end of the last."""
    text = plainly(text, plain)
    spans = list(islice(wrapped(text, room), tallest))
    shown = [text[start:end] for start, end in spans]
    if spans and spans[-1][1] < len(text.rstrip()):
        shown[-1] = elided(text[spans[-1][0] :], room, glyph("more", plain))
    return shown
