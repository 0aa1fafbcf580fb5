"""Markdown, as reports print excerpts: grouped by section and mode, quotes with who said them, clause and reference.

    - Cancel before ship (0.38): 🤖 "Your order #1130 has been cancelled successfully…" fired on the first message.

Two quotes of one conversation are joined by ` / `, and so are two exemplars of one mode from two conversations; the
same words in several are printed once with `×N`. With surroundings an excerpt is a block, `> 👤 "…" → 🤖 "…" →
outcome`. Every text of a transcript is made printable and escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from reviewer.export.collection import ExcerptCollection, same
from reviewer.export.excerpts import JUDGE, Excerpt, ExcerptPiece, Proof, as_a_whole, came_of, surroundings
from reviewer.export.print_counts import in_all, whose_scores
from reviewer.export.print_counts import of_mode as of_mode_said
from reviewer.export.print_plan import PrintGroup
from reviewer.model import Role
from reviewer.text.clean import printable_line
from reviewer.text.sentences import sentences

SYNTHETIC = "SYNTHETIC: scripted customers and agents; no real model wrote these texts."
LEFT_OUT = "Their words are no longer what was marked"
SPEAKERS: dict[Role, str] = {"agent": "🤖", "customer": "👤", "colleague": "🧑", "system": "⚙", "other": "💬"}
TOOL, THOUGHT = "🔧", "(thinking)"
WORDS, LONGEST = 40, 280
_MOST = 2 * LONGEST
"""Characters that a quote may take to come to the end of its sentence."""
_LISTED = 12
_TITLES = 3
_SENTENCE_END = (".", "!", "?", "…", "\n", "。", "！", "？")
_SPECIAL = re.compile(r"([\\`*\[\]~|]|(?<![^\W_])_|_(?![^\W_]))")
_LINK = re.compile(r"(?i)\b(https?|ftp|mailto|www)([:.])")


@dataclass(frozen=True, slots=True)
class Options:
    """The choices about a page: what its reader is to see."""

    notes: bool = False
    context: int = 0


@dataclass
class _MergedLine:
    """The excerpts that share one line of print; the first ones are kept, the others counted."""

    times: int = 1
    """In how many conversations the same words stand."""
    shown: dict[str, Excerpt] = field(default_factory=dict)
    """The first excerpt of each wording."""
    refs: list[str] = field(default_factory=list)
    tags: int = 0
    notes: list[str] = field(default_factory=list)
    about: dict[str, dict[str, None]] = field(default_factory=dict)
    """What else is said of them, each thing once: by whom, how much was read, which stance."""

    def take(self, excerpt: Excerpt) -> None:
        tag = excerpt.tag
        self.tags += 1
        if not self.shown or (self.times == 1 and len(self.shown) < _LISTED):
            self.shown.setdefault(same(tag), excerpt)
        if len(self.refs) < _LISTED:
            self.refs.append(excerpt.ref)
        said = {
            "title": named(excerpt), "case": excerpt.conversation.rpartition("/")[0], "score": excerpt.score,
            "by": tag.by, "runs": excerpt.runs, "stance": tag.stance, "cause": tag.cause,
            "exemplar": "exemplar" if tag.exemplar else "", "synthetic": "SYNTHETIC" if excerpt.synthetic else "",
        }  # fmt: skip
        for name, text in said.items():
            self.about.setdefault(name, {})[text] = None
        if tag.note:
            self.notes.append(f"  - note ({escaped(tag.by)}): {escaped(tag.note)}\n")

    @property
    def is_exemplar(self) -> bool:
        """True if it is one quote of one conversation, and an exemplar."""
        return self.times == 1 and len(self.shown) == 1 and any(each.tag.exemplar for each in self.shown.values())

    def beside(self, other: _MergedLine) -> _MergedLine:
        """Take in a line with the same habit in another conversation."""
        self.shown.update(other.shown)
        self.refs += other.refs
        self.tags += other.tags
        self.notes += other.notes
        for name, texts in other.about.items():
            self.about.setdefault(name, {}).update(texts)
        return self

    def all(self, name: str) -> str:
        """Return everything that was said under a name, each thing once."""
        return ", ".join(escaped(text) for text in self.about[name] if text)

    def alone(self, name: str) -> str:
        """The text that all excerpts have under a name; empty where they differ."""
        values = list(self.about[name])
        return escaped(values[0]) if len(values) == 1 else ""


def lines(gathering: ExcerptCollection, options: Options) -> Iterator[str]:
    """The page, piece by piece."""
    yield f"# Excerpts from {escaped(gathering.store)}\n"
    if gathering.synthetic:
        yield f"\n**{SYNTHETIC}**\n"
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
    return _printed(_together([excerpt]), options)


def _of_mode(
    of_mode: Iterator[tuple[PrintGroup, Excerpt]], gathering: ExcerptCollection, options: Options
) -> Iterator[str]:
    headed = False
    for together in _side_by_side(of_mode, options):
        if not headed:
            mode = next(iter(together.shown.values())).mode
            yield f"\n### {escaped(mode.title)}\n\n{escaped(of_mode_said(gathering, mode.code))}\n\n"
            headed = True
        yield _printed(together, options)


def _side_by_side(of_mode: Iterator[tuple[PrintGroup, Excerpt]], options: Options) -> Iterator[_MergedLine]:
    """Gather the excerpts that are printed in one line; with surroundings each quote of a conversation has its own."""
    exemplar: _MergedLine | None = None
    for (_, times), pairs in groupby(of_mode, key=lambda each: (each[0].first, len(each[0].refs))):
        excerpts = (excerpt for _, excerpt in pairs)
        if options.context and times == 1:
            yield from (_together([excerpt]) for excerpt in excerpts)
            continue
        line = _together(excerpts, times)
        if not line.is_exemplar:
            yield from filter(None, (exemplar, line))
            exemplar = None
        elif exemplar is None:
            exemplar = line
        else:
            yield exemplar.beside(line)
            exemplar = None
    if exemplar is not None:
        yield exemplar


def _together(excerpts: Iterable[Excerpt], times: int = 1) -> _MergedLine:
    together = _MergedLine(times)
    for excerpt in excerpts:
        together.take(excerpt)
    return together


def _printed(together: _MergedLine, options: Options) -> str:
    text = _block(together, options) if options.context else _inline(together)
    return text + ("".join(together.notes) if options.notes else "")


def _inline(together: _MergedLine) -> str:
    said = " / ".join(f"{quotes(each)}{_clause(each)}" for each in together.shown.values())
    times = f" ×{together.times}" if together.times > 1 else ""
    end = "" if said.rstrip('"').endswith((".", "!", "?", "…")) and not times else "."
    return f"- {_title(together)}{said}{times}{end} {_source(together)}\n"


def _block(together: _MergedLine, options: Options) -> str:
    first = next(iter(together.shown.values()))
    steps = [quotes(first)]
    if first.stored and first.pieces and first.pieces[0].ref.message:
        steps = [_step(first, number, role, text) for number, role, text in _around(first, options.context)]
        steps += filter(None, [escaped(came_of(first.stored))])
    told = f"> {' → '.join(steps)}"
    times = f" ×{together.times}" if together.times > 1 else ""
    clause = _clause(first).strip()
    return f"{told}{times}\n>\n> ({_title(together)}{f'{clause} ' if clause else ''}{_source(together)})\n\n"


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
    return " → ".join(map(_joined, excerpt.utterances)) or escaped(as_a_whole(excerpt))


def _joined(pieces: list[ExcerptPiece]) -> str:
    first, said = pieces[0], " … ".join(piece.quote.strip() for piece in pieces)
    if first.ref.call is not None and first.ref.part == "text":
        return f"{TOOL} {code(shortened(said))}"
    if first.ref.call is not None:
        return f"{TOOL} {escaped(first.tool)} {_cut(said)}"
    if first.ref.judge is not None:
        return f"{JUDGE}: {_cut(said, _starts_inside(first), _ends_inside(pieces[-1]))}"
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
    return "".join(f" {part}" for part in (escaped(excerpt.tag.clause), evidence) if part)


def evidence_said(proof: Proof) -> str:
    """Evidence as a clause no longer than a quote, its quotation mark closed where it was cut."""
    short = quoted(proof.said)
    return f'{short}"' if short != " ".join(proof.said.split()) and proof.said.endswith('"') else short


def named(excerpt: Excerpt) -> str:
    """Return the name of the case in a report: its family, else its own."""
    facts = excerpt.stored.conversation.facts if excerpt.stored else None
    name = (facts.family if facts else None) or excerpt.case or ""
    plain = name.replace("-", " ").replace("_", " ")
    return f"{plain[:1].upper()}{plain[1:]}"


def _title(together: _MergedLine) -> str:
    """`Cancel before ship (0.38): `; several families where the same words were said in several."""
    names = [escaped(name) for name in together.about["title"] if name]
    more = f" and {len(names) - _TITLES} more" if len(names) > _TITLES else ""
    score = together.alone("score") if len(names) == 1 else ""
    return f"{', '.join(names[:_TITLES])}{more}{f' ({score})' if score else ''}: " if names else ""


def _source(together: _MergedLine) -> str:
    more = f" and {together.tags - len(together.refs):,} more" if together.tags > len(together.refs) else ""
    refs = ", ".join(code(ref) for ref in dict.fromkeys(together.refs)) + more
    parts = [
        refs,
        together.all("by"),
        together.alone("runs") if len(together.about["case"]) == 1 else "",
        *map(together.all, ("stance", "cause", "exemplar", "synthetic")),
    ]
    return " · ".join(filter(None, parts))


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
