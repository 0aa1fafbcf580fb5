"""Markdown, as reports print excerpts: grouped by section and mode, quotes with who said them, clause and reference.

    - Cancel before ship (0.38): 🤖 "Your order #1130 has been cancelled successfully…" fired on the first message.

Two quotes of one conversation are joined by ` / `, the same words in several are printed once with `×N`; with
surroundings an excerpt is a block, `> 👤 "…" → 🤖 "…" → outcome`. Every text of a transcript is made printable and
escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from reviewer.clean import printable_line
from reviewer.export.excerpts import Excerpt, Piece, outcome
from reviewer.export.gathering import Gathering
from reviewer.export.jsonl import surroundings
from reviewer.model import Role

SYNTHETIC = "SYNTHETIC: scripted customers and agents; no real model wrote these texts."
SPEAKERS: dict[Role, str] = {"agent": "🤖", "customer": "👤", "colleague": "🧑", "system": "⚙", "other": "💬"}
TOOL = "🔧"
WORDS = 40
_LISTED = 12
_SENTENCE_END = (".", "!", "?", "…", "\n", "。", "！", "？")
_SPECIAL = re.compile(r"([\\`*_\[\]~|])")
_LINK = re.compile(r"(?i)\b(https?|ftp|mailto|www)([:.])")


@dataclass(frozen=True, slots=True)
class Options:
    """What a reader of the page is to see."""

    notes: bool = False
    context: int = 0


@dataclass
class _Together:
    """What is printed in one line; it keeps the first excerpts, and counts the rest."""

    shown: list[Excerpt] = field(default_factory=list)
    refs: list[str] = field(default_factory=list)
    tags: int = 0
    reviewers: dict[str, None] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    exemplar: bool = False

    def take(self, excerpt: Excerpt) -> None:
        self.tags += 1
        one_conversation = not self.shown or excerpt.conversation == self.shown[0].conversation
        if one_conversation:
            self.shown.append(excerpt)
        if len(self.refs) < _LISTED:
            self.refs.append(str(excerpt.pieces[0].ref) if excerpt.pieces else excerpt.tag.ref)
        self.reviewers[excerpt.tag.by] = None
        self.exemplar = self.exemplar or excerpt.tag.exemplar
        if excerpt.tag.note:
            self.notes.append(f"  - note ({escaped(excerpt.tag.by)}): {escaped(excerpt.tag.note)}\n")


@dataclass
class _Counts:
    tags: int = 0
    conversations: set[str] = field(default_factory=set)
    cases: set[str] = field(default_factory=set)

    def take(self, excerpt: Excerpt) -> None:
        self.tags += 1
        self.conversations.add(excerpt.conversation)
        case = excerpt.stored.conversation.case if excerpt.stored else excerpt.conversation.rpartition("/")[2]
        self.cases.add(case or excerpt.conversation)


def lines(gathering: Gathering, options: Options) -> Iterator[str]:
    """The page, piece by piece."""
    yield f"# Excerpts from {escaped(gathering.store)}\n"
    if gathering.synthetic:
        yield f"\n**{SYNTHETIC}**\n"
    yield f"\n{_denominators(gathering)}\n"
    heading = None
    for (section, _), of_mode in groupby(gathering.grouped(), key=lambda each: (each[1].heading, each[1].mode.code)):
        if section != heading:
            heading = section
            yield f"\n## {escaped(section) or 'Other'}\n"
        yield from _of_mode(of_mode, gathering, options)
    if gathering.left_out:
        yield "\n## Left out\n\nTheir words are no longer what was marked:\n\n"
    for state, tag in gathering.left_out:
        yield f"- {state}: {code(tag.ref)} {escaped(tag.code)} · {escaped(tag.by)}\n"


def one(excerpt: Excerpt, options: Options) -> str:
    """A single excerpt, as it is copied."""
    together = _Together()
    together.take(excerpt)
    return _printed(together, options)


def _denominators(gathering: Gathering) -> str:
    tagged = {entry.ref for entry in gathering.entries}
    across = len(tagged & gathering.cases)
    queues = ", ".join(f"{escaped(name)} ({n})" for name, n in gathering.queues.items())
    where = f"{len(tagged) - across:,} of {_n(gathering.conversations, 'conversation')}"
    more = f" and on {_n(across, 'case')} across runs" if across else ""
    said = f"{_n(len(gathering.entries), 'tag')} in {where}{more}, {len(gathering.reviewed):,} reviewed"
    return f"{said}{f' · queues: {queues}' if queues else ''}."


def _of_mode(of_mode: Iterator[tuple[int, Excerpt]], gathering: Gathering, options: Options) -> Iterator[str]:
    counts = _Counts()
    for _, group in groupby(of_mode, key=lambda each: each[0]):
        together = _Together()
        for _, excerpt in group:
            together.take(excerpt)
            counts.take(excerpt)
        if counts.tags == together.tags:
            yield f"\n### {escaped(together.shown[0].mode.title)}\n\n"
        yield _printed(together, options)
    where = f"{_n(len(counts.conversations), 'conversation')} on {_n(len(counts.cases), 'case')}"
    of = (
        f", of {_n(len(gathering.reviewed), 'conversation')} reviewed"
        if gathering.reviewed
        else "; none reviewed, no rate"
    )
    yield f"\n{_n(counts.tags, 'tag')} in {where}{of}.\n"


def _printed(together: _Together, options: Options) -> str:
    text = _block(together, options) if options.context else _inline(together)
    return text + ("".join(together.notes) if options.notes else "")


def _inline(together: _Together) -> str:
    first = together.shown[0]
    said = " / ".join(f"{quotes(each)}{_clause(each)}" for each in together.shown)
    times = f" ×{together.tags}" if together.tags > len(together.shown) else ""
    end = "" if said.rstrip('"').endswith((".", "!", "?", "…")) and not times else "."
    return f"- {_title(first)}{said}{times}{end} {_source(together)}\n"


def _block(together: _Together, options: Options) -> str:
    first = together.shown[0]
    steps = [quotes(first)]
    if first.stored and first.pieces and first.pieces[0].ref.message is not None:
        steps = [_step(first, number, role, text) for number, role, text in _around(first, options.context)]
    ended = outcome(first.stored) if first.stored else ""
    told = "> " + " → ".join([*steps, *([escaped(ended)] if ended else [])])
    clause = _clause(first).strip()
    return f"{told}\n>\n> ({_title(first)}{f'{clause} ' if clause else ''}{_source(together)})\n\n"


def _around(excerpt: Excerpt, context: int) -> list[tuple[int, Role, str]]:
    if excerpt.stored is None:
        return []
    found = surroundings(excerpt.stored, excerpt, context)
    return [(number, message.role, message.text) for number, message in found if message.text.strip()]


def _step(excerpt: Excerpt, number: int, role: Role, text: str) -> str:
    marked = [piece for piece in excerpt.pieces if piece.ref.message == number]
    return _joined(marked) if marked else f"{SPEAKERS[role]} {_cut(text)}"


def quotes(excerpt: Excerpt) -> str:
    """The pieces of one tag: who, and the words; those of one message in one pair of quotes."""
    placed = [piece for piece in excerpt.pieces if piece.ref.message is not None]
    if not placed:
        ended = outcome(excerpt.stored) if excerpt.stored else ""
        return (
            f"the whole conversation{f' ({escaped(ended)})' if ended else ''}" if excerpt.stored else "across its runs"
        )
    by_message = groupby(placed, key=lambda piece: (piece.ref.message, piece.ref.call))
    return " → ".join(_joined(list(group)) for _, group in by_message)


def _joined(pieces: list[Piece]) -> str:
    if pieces[0].ref.call is not None:
        return f"{TOOL} {_cut(' … '.join(piece.quote for piece in pieces))}"
    said = " … ".join(piece.quote.strip() for piece in pieces)
    return f"{SPEAKERS[pieces[0].role]} {_cut(said, _starts_inside(pieces[0]), _ends_inside(pieces[-1]))}"


def _starts_inside(piece: Piece) -> bool:
    """Whether the quote leaves out the beginning of its sentence."""
    before = piece.before.rstrip(" ")
    return bool(before) and not before.endswith(_SENTENCE_END)


def _ends_inside(piece: Piece) -> bool:
    """Whether the quote leaves out the end of its sentence."""
    after = piece.after.lstrip(" ")
    return bool(after) and not after.startswith("\n") and not piece.quote.rstrip().endswith(_SENTENCE_END)


def _cut(text: str, before: bool = False, after: bool = False) -> str:
    """The words in straight quotes; every cut is said with `…`."""
    words = text.split()
    end = "…" if len(words) > WORDS or after else ""
    return f'"{"…" if before else ""}{escaped(" ".join(words[:WORDS]))}{end}"'


def _clause(excerpt: Excerpt) -> str:
    if excerpt.tag.clause:
        return f" {escaped(excerpt.tag.clause)}"
    said = " ".join(excerpt.clause.split()[:WORDS])
    return f" ({escaped(said)})" if said else ""


def _title(excerpt: Excerpt) -> str:
    """`Cancel before ship (0.38): `."""
    conversation = excerpt.stored.conversation if excerpt.stored else None
    facts = conversation.facts if conversation else None
    name = (facts.family if facts else None) or (conversation.case if conversation else None)
    if not name:
        return ""
    title = escaped(name.replace("-", " ").replace("_", " "))
    return f"{title[:1].upper()}{title[1:]}{f' ({excerpt.score})' if excerpt.score else ''}: "


def _source(together: _Together) -> str:
    first = together.shown[0]
    more = f" and {together.tags - len(together.refs):,} more" if together.tags > len(together.refs) else ""
    parts = [
        ", ".join(code(ref) for ref in together.refs) + more,
        ", ".join(map(escaped, together.reviewers)),
        first.runs,
        escaped(first.tag.stance),
        "exemplar" if together.exemplar else "",
        "SYNTHETIC" if first.synthetic else "",
    ]
    return " · ".join(filter(None, parts))


def escaped(text: str) -> str:
    """Text as Markdown shows it: printable, on one line, nothing in it is markup, no link comes alive."""
    plain = printable_line(" ".join(text.split())).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _LINK.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", plain))


def code(text: str) -> str:
    """Text as code, whatever backticks it holds."""
    plain = printable_line(text)
    fence = "`" * (max((len(run) for run in re.findall("`+", plain)), default=0) + 1)
    return f"{fence}{plain}{fence}" if len(fence) == 1 else f"{fence} {plain} {fence}"


def _n(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
