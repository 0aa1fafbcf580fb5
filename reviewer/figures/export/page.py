"""HTML: one self-contained page, each excerpt with its surroundings and tool layer to unfold.

Every text is made printable and escaped; the page loads nothing and runs nothing, and says so to the browser. What
unfolds are the browser's own elements, so that the keyboard does it too; on paper everything is unfolded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby

from reviewer.basics.clean import printable
from reviewer.figures.export.collection import ExcerptCollection
from reviewer.figures.export.excerpts import JUDGE, Excerpt, ExcerptPiece, as_a_whole, named, surroundings
from reviewer.figures.export.markdown import (
    EMPTY,
    LEFT_OUT,
    SPEAKERS,
    THEN,
    THOUGHT,
    TIMES,
    TOOL,
    evidence_said,
    origin_said,
    passages_said,
    quoted,
    shortened,
)
from reviewer.figures.export.merged_lines import MergedLine
from reviewer.figures.export.print_counts import in_all, of_mode, whose_scores
from reviewer.transcripts.desk import Desk, kept
from reviewer.transcripts.desk.call_results import failed
from reviewer.transcripts.model import Message, ToolCall

STYLE = """
:root{color-scheme:light dark;--line:#8886;--mark:#ffd75f;--on:#222}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{margin-top:2.5rem;border-bottom:1px solid var(--line)}
article{margin:1rem 0;padding:.1rem 1rem .4rem;border-left:3px solid var(--line);overflow-wrap:anywhere}
q{quotes:none}q::before,q::after{content:'"'}mark{background:var(--mark);color:var(--on)}
footer,.dim{font-size:.85rem;opacity:.8}.synthetic{font-weight:bold;border:2px solid;padding:.4rem .8rem}
pre,.text{white-space:pre-wrap;overflow-wrap:anywhere;margin:.2rem 0}dt{font-weight:600}summary{cursor:pointer}
summary:focus-visible{outline:2px solid}
@media print{body{font-size:11pt;max-width:none;margin:0}article{break-inside:avoid}h2,h3{break-after:avoid}
details::details-content{content-visibility:visible;display:block;height:auto}summary{list-style:none}}
"""
HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
"""


def lines(gathering: ExcerptCollection, context: int, notes: bool = False) -> Iterator[str]:
    """The page, excerpt by excerpt."""
    title = f"Excerpts from {gathering.store}"
    yield f"{HEAD}<title>{text(title)}</title>\n<style>{STYLE}</style></head><body>\n<h1>{text(title)}</h1>\n"
    if warning := origin_said(gathering.synthetic, gathering.simulated):
        yield f'<p class="synthetic">{warning}</p>\n'
    yield f"<p>{text(in_all(gathering))} {text(whose_scores(gathering))}</p>\n"
    heading = None
    for (section, _), group in groupby(gathering.excerpts(), key=lambda each: (each.heading, each.mode.code)):
        if section != heading:
            heading = section
            yield f"<h2>{text(section) or 'Other'}</h2>\n"
        for at, excerpt in enumerate(group):
            if at == 0:
                yield f"<h3>{text(excerpt.mode.title)}</h3>\n<p>{text(of_mode(gathering, excerpt.mode.code))}</p>\n"
            yield _article(excerpt, context, notes)
    yield from _left_out(gathering)
    yield "</body></html>\n"


def _left_out(gathering: ExcerptCollection) -> Iterator[str]:
    if gathering.plan.left_out:
        yield f"<h2>Left out</h2>\n<p>{LEFT_OUT}:</p>\n<ul>\n"
        for state, ref, code, by in gathering.left_out():
            yield f"<li>{state}: <code>{text(ref)}</code> {text(code)} · {text(by)}</li>\n"
        yield "</ul>\n"


def inline(excerpt: Excerpt) -> str:
    """A single excerpt within a sentence: case, words, clause and evidence, where they stand."""
    return f"{_case(excerpt)}{_told(excerpt)} (<code>{text(excerpt.ref)}</code>)"


def _case(excerpt: Excerpt) -> str:
    score = f" ({text(excerpt.score)})" if excerpt.score else ""
    return f"{text(named(excerpt))}{score}: " if named(excerpt) else ""


def _article(excerpt: Excerpt, context: int, notes: bool) -> str:
    tag = excerpt.tag
    facts = [tag.by, tag.at[:10], excerpt.runs, tag.stance, tag.cause, "exemplar" if tag.exemplar else ""]
    about = " · ".join(text(fact) for fact in [*facts, excerpt.mark] if fact)
    note = f'<p class="dim">Note: {text(tag.note)}</p>' if notes and tag.note else ""
    return (
        f'<article id="{text(tag.id)}"><p>{_case(excerpt)}{_told(excerpt)}</p>{note}{_proofs(excerpt)}'
        f"{_around(excerpt, context)}<footer><code>{text(excerpt.ref)}</code> · {about}</footer></article>\n"
    )


def merged(line: MergedLine, context: int) -> str:
    """The excerpts of one line as an article: their words side by side, then the sources, then what unfolds."""
    shown = list(line.shown.values())
    title = f"{text(line.title)}: " if line.title else ""
    times = f" {TIMES}{line.times}" if line.times > 1 else ""
    more = f" and {line.tags - len(line.refs):,} more" if line.tags > len(line.refs) else ""
    refs = ", ".join(f"<code>{text(ref)}</code>" for ref in dict.fromkeys(line.refs)) + more
    under = "".join(f"{_proofs(each)}{_around(each, context)}" for each in shown)
    facts = " · ".join([refs, *map(text, line.facts)])
    return (
        f'<article id="{text(shown[0].tag.id)}"><p>{title}{" / ".join(map(_told, shown))}{times}</p>{under}'
        f"<footer>{facts}</footer></article>\n"
    )


def _told(excerpt: Excerpt) -> str:
    """What was said or done, the clause, and what the evidence says."""
    evidence = text(", ".join(dict.fromkeys(map(evidence_said, excerpt.proofs))))
    clause = f"{f' {text(excerpt.tag.clause)}' if excerpt.tag.clause else ''}{f' ({evidence})' if evidence else ''}"
    passages = "; ".join(map(text, passages_said(excerpt)))
    return f"{_said(excerpt)}{clause}{f' (cites {passages})' if passages else ''}"


def _said(excerpt: Excerpt) -> str:
    return THEN.join(map(_uttered, excerpt.utterances)) or text(as_a_whole(excerpt))


def _uttered(pieces: list[ExcerptPiece]) -> str:
    said = " … ".join(piece.quote.strip() for piece in pieces)
    if not said.strip():
        return f"{_sign(pieces[0])} {EMPTY}"
    return f"{_sign(pieces[0])} <q>{text(quoted(said) if pieces[0].ref.call is None else shortened(said))}</q>"


def _sign(piece: ExcerptPiece) -> str:
    if piece.ref.judge is not None:
        return f"{JUDGE}:"
    if piece.ref.call is not None:
        return f"{TOOL} {text(piece.tool)}" if piece.ref.part != "text" else TOOL
    return f"{SPEAKERS[piece.role]} {THOUGHT}" if piece.ref.part == "reasoning" else SPEAKERS[piece.role]


def _proofs(excerpt: Excerpt) -> str:
    if not excerpt.proofs:
        return ""
    items = (f"<li><code>{text(proof.ref)}</code> {text(proof.quote)}</li>" for proof in excerpt.proofs)
    return f"<details><summary>Evidence</summary><ul>{''.join(items)}</ul></details>"


def _around(excerpt: Excerpt, context: int) -> str:
    if excerpt.stored is None:
        return ""
    marked = any(piece.ref.message for piece in excerpt.pieces)
    messages = excerpt.stored.conversation.messages
    numbered = surroundings(excerpt.stored, excerpt, context) if marked else list(enumerate(messages, start=1))
    told = "".join(_message(number, message, excerpt) for number, message in numbered)
    called = "Surroundings" if marked else "Conversation"
    return f"<details><summary>{called}</summary><dl>{told}</dl></details>" if told else ""


def _message(number: int, message: Message, excerpt: Excerpt) -> str:
    def part(whole: str, name: str, call: int | None = None) -> str:
        return _marked(whole, _spans(excerpt.pieces, number, call, name))

    desk = kept(excerpt.stored.desk if excerpt.stored is not None else None)
    thought = part(message.reasoning, "reasoning")
    thinking = f'<details><summary>{THOUGHT}</summary><div class="text">{thought}</div></details>' if thought else ""
    calls = "".join(
        _call(call, part(call.arguments or "", "arguments", at), part(call.result or "", "result", at), desk)
        for at, call in enumerate(message.calls, start=1)
    )
    words = f'<div class="text">{part(message.text, "text")}</div>'
    return f"<dt>{SPEAKERS[message.role]} {number} {message.role}</dt><dd>{thinking}{words}{calls}</dd>"


def _spans(pieces: Iterable[ExcerptPiece], message: int, call: int | None, part: str) -> list[tuple[int, int]]:
    """Return the marked spans of a part of a message, in order."""
    refs = (piece.ref for piece in pieces)
    return sorted(ref.span for ref in refs if ref.span and (ref.message, ref.call, ref.part) == (message, call, part))


def _marked(whole: str, spans: list[tuple[int, int]]) -> str:
    """The text with the marked words set off."""
    parts, at = [], 0
    for start, end in spans:
        start = max(start, at)
        if start < end:
            parts += [text(whole[at:start]), f"<mark>{text(whole[start:end])}</mark>"]
            at = end
    return "".join([*parts, text(whole[at:])])


def _call(call: ToolCall, arguments: str, result: str, desk: Desk) -> str:
    state = (" · attempted" if desk.act(call.name) else " · error") if failed(call, desk.refusals) else ""
    state += f" · {text(call.error)}" if call.error and call.error not in ("error", call.result) else ""
    raw = f"<pre>{arguments}</pre><pre>{THEN.lstrip()}{result}</pre>"
    return f"<details><summary>{TOOL} {text(call.name)}{state}</summary>{raw}</details>"


def text(value: str) -> str:
    """A text as HTML shows it: printable, nothing in it is markup."""
    return escape(printable(value, joined=True))
