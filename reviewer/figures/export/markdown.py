"""Markdown, as reports print excerpts: grouped by section and mode, quotes with who said them, clause and reference.

    - Cancel before ship (0.38): 🤖 "Your order #1130 has been cancelled successfully…" fired on the first message.

Two quotes of one conversation are joined by ` / `, and so are two exemplars of one mode from two conversations; the
same words in several are printed once with `×N`. With surroundings an excerpt is a block, `> 👤 "…" → 🤖 "…" →
outcome`. Every text of a transcript is made printable and escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph
from reviewer.basics.sentences import sentences
from reviewer.figures.export.collection import ExcerptCollection
from reviewer.figures.export.excerpts import (
    JUDGE,
    Excerpt,
    ExcerptPiece,
    Proof,
    as_a_whole,
    came_of,
    cited,
    surroundings,
)
from reviewer.figures.export.merged_lines import Entry, MergedLine, side_by_side, together
from reviewer.figures.export.print_counts import in_all, whose_scores
from reviewer.figures.export.print_counts import of_mode as of_mode_said
from reviewer.transcripts.model import ROLES, Role

SYNTHETIC = "SYNTHETIC: scripted customers and agents; no real model wrote these texts."
_CUSTOMERS = "SIMULATED CUSTOMERS: a model played them; no real person wrote their words."
LEFT_OUT = "Their words are no longer what was marked"
SPEAKERS: dict[Role, str] = {role: glyph(role) for role in ROLES}
TOOL, TIMES, THEN = glyph("tool"), glyph("times"), f" {glyph('then')} "
THOUGHT, EMPTY = "(thinking)", "(empty)"
WORDS, LONGEST = 40, 280
_MOST = 2 * LONGEST
"""Characters that a quote may take to come to the end of its sentence."""
_SENTENCE_END = (".", "!", "?", "…", "\n", "。", "！", "？")
_SPECIAL = re.compile(r"([\\`*\[\]~|]|(?<![^\W_])_|_(?![^\W_]))")
_LINK = re.compile(r"(?i)\b(https?|ftp|mailto|www)([:.])")


@dataclass(frozen=True, slots=True)
class Options:
    """The choices about a page: what its reader is to see."""

    notes: bool = False
    context: int = 0


def origin_said(synthetic: bool, simulated: bool) -> str:
    """What a page must say at its head of the texts that it quotes; empty where real customers wrote them."""
    return SYNTHETIC if synthetic else _CUSTOMERS if simulated else ""


def lines(gathering: ExcerptCollection, options: Options) -> Iterator[str]:
    """The page, piece by piece."""
    yield f"# Excerpts from {escaped(gathering.store)}\n"
    if warning := origin_said(gathering.synthetic, gathering.simulated):
        yield f"\n**{warning}**\n"
    yield f"\n{escaped(' '.join(filter(None, (in_all(gathering), whose_scores(gathering)))))}\n"
    heading = None
    for (section, _), of_mode in groupby(gathering.grouped(), key=lambda each: (each[1].heading, each[1].mode.code)):
        if section != heading:
            heading = section
            yield f"\n## {escaped(section) or 'Other'}\n"
        yield from _of_mode(of_mode, gathering, options)
    for at, (state, ref, mode, by) in enumerate(gathering.left_out()):
        if at == 0:
            yield f"\n## Left out\n\n{LEFT_OUT}:\n\n"
        yield f"- {state}: {code(ref)} {escaped(mode)} · {escaped(by)}\n"


def one(excerpt: Excerpt, options: Options) -> str:
    """A single excerpt, as it is copied."""
    return _printed(together([excerpt]), options)


def inline(excerpt: Excerpt) -> str:
    """A single excerpt within a sentence: case, words, clause and evidence, where they stand."""
    merged = together([excerpt])
    return f"{_title(merged)}{quotes(excerpt)}{_clause(excerpt)} ({code(excerpt.ref)})"


def bullets(entries: Iterable[Entry]) -> Iterator[str]:
    """Excerpts of one mode, a line each; two exemplars, and the same words in several conversations, share one."""
    for merged in side_by_side(entries):
        yield _inline(merged)


def _of_mode(of_mode: Iterator[Entry], gathering: ExcerptCollection, options: Options) -> Iterator[str]:
    headed = False
    for merged in side_by_side(of_mode, apart=bool(options.context)):
        if not headed:
            mode = next(iter(merged.shown.values())).mode
            yield f"\n### {escaped(mode.title)}\n\n{escaped(of_mode_said(gathering, mode.code))}\n\n"
            headed = True
        yield _printed(merged, options)


def _printed(merged: MergedLine, options: Options) -> str:
    text = _block(merged, options) if options.context else _inline(merged)
    notes = "".join(f"  - note ({escaped(by)}): {escaped(note)}\n" for by, note in merged.notes)
    return text + (notes if options.notes else "")


def _inline(merged: MergedLine) -> str:
    said = " / ".join(f"{quotes(each)}{_clause(each)}" for each in merged.shown.values())
    times = f" {TIMES}{merged.times}" if merged.times > 1 else ""
    end = "" if said.rstrip('"').endswith((".", "!", "?", "…")) and not times else "."
    return f"- {_title(merged)}{said}{times}{end} {_source(merged)}\n"


def _block(merged: MergedLine, options: Options) -> str:
    first = next(iter(merged.shown.values()))
    steps = [quotes(first)]
    if first.stored and first.pieces and first.pieces[0].ref.message:
        steps = [_step(first, number, role, text) for number, role, text in _around(first, options.context)]
        steps += filter(None, [escaped(came_of(first.stored))])
    told = f"> {THEN.join(steps)}"
    times = f" {TIMES}{merged.times}" if merged.times > 1 else ""
    clause = _clause(first).strip()
    return f"{told}{times}\n>\n> ({_title(merged)}{f'{clause} ' if clause else ''}{_source(merged)})\n\n"


def _around(excerpt: Excerpt, context: int) -> list[tuple[int, Role, str]]:
    if excerpt.stored is None:
        return []
    marked = {piece.ref.message for piece in excerpt.pieces}
    numbered = surroundings(excerpt.stored, excerpt, context)
    return [
        (number, message.role, message.text)
        for number, message in numbered
        if number in marked or (message.text.strip() and message.role != "system")
    ]


def _step(excerpt: Excerpt, number: int, role: Role, text: str) -> str:
    marked = [piece for piece in excerpt.pieces if piece.ref.message == number]
    return _joined(marked) if marked else f"{SPEAKERS[role]} {_cut(text)}"


def quotes(excerpt: Excerpt) -> str:
    """The pieces of one tag: who, and the words; those of one message in one pair of quotes."""
    return THEN.join(map(_joined, excerpt.utterances)) or escaped(as_a_whole(excerpt))


def _joined(pieces: list[ExcerptPiece]) -> str:
    first, said = pieces[0], " … ".join(piece.quote.strip() for piece in pieces)
    if first.ref.call is not None and first.ref.part == "text":
        return f"{TOOL} {code(shortened(said))}"
    if first.ref.call is not None:
        return f"{TOOL} {escaped(first.tool)} {_cut(said)}"
    if first.ref.judge is not None:
        return f"{JUDGE}: {_cut(said, _starts_inside(first), _ends_inside(pieces[-1]))}"
    if not said.strip():
        return f"{SPEAKERS[first.role]} {EMPTY}"
    thought = f"{THOUGHT} " if first.ref.part == "reasoning" else ""
    return f"{SPEAKERS[first.role]} {thought}{_cut(said, _starts_inside(first), _ends_inside(pieces[-1]))}"


def _starts_inside(piece: ExcerptPiece) -> bool:
    """True if the quote leaves out the beginning of its sentence."""
    before = piece.before.rstrip(" ")
    return bool(before) and not before.endswith(_SENTENCE_END)


def _ends_inside(piece: ExcerptPiece) -> bool:
    """True if the quote leaves out the end of its sentence."""
    after = piece.after.lstrip(" ")
    return bool(after) and not after.startswith("\n") and not piece.quote.rstrip().endswith(_SENTENCE_END)


def _cut(text: str, before: bool = False, after: bool = False) -> str:
    """The words in straight quotes; every cut is said with `…`."""
    short = escaped(quoted(text))
    return f'"{"…" if before else ""}{short}{"…" if after and not short.endswith("…") else ""}"'


def quoted(text: str) -> str:
    """Whole sentences, to the end of the one in which a report's forty words are full; words of one without an end."""
    near = text[: 4 * _MOST].strip()
    whole = " ".join(near.split())
    if len(text) <= 4 * _MOST and len(whole.split()) <= WORDS and len(whole) <= LONGEST:
        return whole
    said, to = "", 0
    for _, end in sentences(near):
        longer = " ".join(near[:end].split())
        if len(longer.split()) > 2 * WORDS or len(longer) > _MOST:
            break
        said, to = longer, end
        if len(said.split()) >= WORDS or len(said) >= LONGEST:
            break
    if not said:
        return shortened(text)
    return said if to == len(near) and len(text) <= 4 * _MOST else f"{said} …"


def shortened(text: str) -> str:
    """No more words than a report quotes, nor more characters where a script has no blanks."""
    words = text.split()
    short = " ".join(words[:WORDS])[:LONGEST]
    return short + "…" if len(words) > WORDS or len(short) == LONGEST else short


def _clause(excerpt: Excerpt) -> str:
    """What the reviewer wrote, and behind it what the evidence says."""
    ended = came_of(excerpt.stored).split(", ") if excerpt.stored is not None and not excerpt.utterances else []
    told = dict.fromkeys(escaped(evidence_said(proof)) for proof in excerpt.proofs if proof.said not in ended)
    evidence = f"({', '.join(told)})" if told else ""
    passages = f"(cites {'; '.join(map(escaped, passages_said(excerpt)))})"
    parts = (escaped(excerpt.tag.clause), evidence, passages if excerpt.citations else "")
    return "".join(f" {part}" for part in parts if part)


def passages_said(excerpt: Excerpt) -> list[str]:
    """The passages that the words cite, none longer than a quote."""
    return [cited(each._replace(passage=quoted(each.passage))) for each in excerpt.citations]


def evidence_said(proof: Proof) -> str:
    """Evidence as a clause no longer than a quote, its quotation mark closed where it was cut."""
    short = quoted(proof.said)
    return f'{short}"' if short != " ".join(proof.said.split()) and proof.said.endswith('"') else short


def _title(merged: MergedLine) -> str:
    """`Cancel before ship (0.38): `; several families where the same words were said in several."""
    named = escaped(merged.title)
    return f"{named}: " if named else ""


def _source(merged: MergedLine) -> str:
    more = f" and {merged.tags - len(merged.refs):,} more" if merged.tags > len(merged.refs) else ""
    refs = ", ".join(code(ref) for ref in dict.fromkeys(merged.refs)) + more
    return " · ".join([refs, *map(escaped, merged.facts)])


def escaped(text: str) -> str:
    """Text as Markdown shows it: printable, on one line, nothing in it is markup, no link comes alive."""
    plain = (
        printable_line(" ".join(text.split()), joined=True)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
    )
    return _LINK.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", plain))


def code(text: str) -> str:
    """Text as code, whatever backticks it holds."""
    plain = printable_line(text, joined=True)
    fence = "`" * (max((len(run) for run in re.findall("`+", plain)), default=0) + 1)
    return f"{fence}{plain}{fence}" if len(fence) == 1 else f"{fence} {plain} {fence}"
