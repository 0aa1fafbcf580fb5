"""HTML: one self-contained page, each excerpt with its surroundings and tool layer to unfold.

Every text is made printable and escaped; the page loads nothing and runs nothing, and says so to the browser.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby

from reviewer.clean import printable
from reviewer.export.counting import in_all, of_mode
from reviewer.export.excerpts import Excerpt, Piece, came_of
from reviewer.export.gathering import Gathering
from reviewer.export.jsonl import surroundings
from reviewer.export.markdown import LEFT_OUT, SPEAKERS, SYNTHETIC, TOOL
from reviewer.model import Message, ToolCall

_STYLE = """
:root{color-scheme:light dark;--dim:#777;--line:#8884;--mark:#ffd75f;--on:#222}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{margin-top:2.5rem;border-bottom:1px solid var(--line)}
article{margin:1rem 0;padding:.6rem 1rem;border-left:3px solid var(--line)}
q{quotes:none}q::before,q::after{content:'"'}mark{background:var(--mark);color:var(--on)}
footer,.dim{color:var(--dim);font-size:.85rem}.synthetic{font-weight:bold;border:2px solid;padding:.4rem .8rem}
pre,.text{white-space:pre-wrap;overflow-wrap:anywhere;margin:.2rem 0}dt{font-weight:600}summary{cursor:pointer}
"""
_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
"""


def lines(gathering: Gathering, context: int, notes: bool = False) -> Iterator[str]:
    """The page, excerpt by excerpt."""
    title = f"Excerpts from {gathering.store}"
    yield f"{_HEAD}<title>{_text(title)}</title>\n<style>{_STYLE}</style></head><body>\n<h1>{_text(title)}</h1>\n"
    if gathering.synthetic:
        yield f'<p class="synthetic">{SYNTHETIC}</p>\n'
    yield f"<p>{_text(in_all(gathering))}</p>\n"
    heading = None
    for (section, _), group in groupby(gathering.excerpts(), key=lambda each: (each.heading, each.mode.code)):
        if section != heading:
            heading = section
            yield f"<h2>{_text(section) or 'Other'}</h2>\n"
        for at, excerpt in enumerate(group):
            if at == 0:
                yield f"<h3>{_text(excerpt.mode.title)}</h3>\n<p>{_text(of_mode(gathering, excerpt.mode.code))}</p>\n"
            yield _article(excerpt, context, notes)
    yield from _left_out(gathering)
    yield "</body></html>\n"


def _left_out(gathering: Gathering) -> Iterator[str]:
    if gathering.plan.how_many_left_out():
        yield f"<h2>Left out</h2>\n<p>{LEFT_OUT}:</p>\n<ul>\n"
        for state, ref, code, by in gathering.left_out():
            yield f"<li>{state}: <code>{_text(ref)}</code> {_text(code)} · {_text(by)}</li>\n"
        yield "</ul>\n"


def _article(excerpt: Excerpt, context: int, notes: bool) -> str:
    said = " … ".join(f"{_sign(piece)} <q>{_text(piece.quote)}</q>" for piece in excerpt.pieces if piece.quote)
    ended = came_of(excerpt.stored) if excerpt.stored else ""
    said = said or (
        f"the whole conversation{f' ({_text(ended)})' if ended else ''}" if excerpt.stored else "across its runs"
    )
    clause = f" <span>{_text(excerpt.clause)}</span>" if excerpt.clause else ""
    tag = excerpt.tag
    facts = [tag.by, tag.at[:10], excerpt.runs, tag.stance, tag.cause, "exemplar" if tag.exemplar else ""]
    about = " · ".join(_text(fact) for fact in [*facts, "SYNTHETIC" if excerpt.synthetic else ""] if fact)
    note = f'<p class="dim">Note: {_text(tag.note)}</p>' if notes and tag.note else ""
    ref = str(excerpt.pieces[0].ref) if excerpt.pieces else tag.ref
    return (
        f'<article id="{_text(tag.id)}"><p>{said}{clause}</p>{note}{_proofs(excerpt)}{_around(excerpt, context)}'
        f"<footer><code>{_text(ref)}</code> · {about}</footer></article>\n"
    )


def _sign(piece: Piece) -> str:
    return TOOL if piece.ref.call is not None else SPEAKERS[piece.role]


def _proofs(excerpt: Excerpt) -> str:
    if not excerpt.proofs:
        return ""
    items = (f"<li><code>{_text(proof.ref)}</code> {_text(proof.quote)}</li>" for proof in excerpt.proofs)
    return f"<details><summary>Evidence</summary><ul>{''.join(items)}</ul></details>"


def _around(excerpt: Excerpt, context: int) -> str:
    found = surroundings(excerpt.stored, excerpt, context) if excerpt.stored else []
    if not found:
        return ""
    messages = "".join(_message(number, message, excerpt) for number, message in found)
    return f"<details><summary>Surroundings</summary><dl>{messages}</dl></details>"


def _message(number: int, message: Message, excerpt: Excerpt) -> str:
    spans = sorted(
        piece.ref.span
        for piece in excerpt.pieces
        if piece.ref.message == number and piece.ref.span and piece.ref.call is None and piece.ref.part == "text"
    )
    calls = "".join(_call(call) for call in message.calls)
    text = f'<div class="text">{_marked(message.text, spans)}</div>'
    return f"<dt>{SPEAKERS[message.role]} {number} {message.role}</dt><dd>{text}{calls}</dd>"


def _marked(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with the marked words set off."""
    parts, at = [], 0
    for start, end in spans:
        if start >= at:
            parts += [_text(text[at:start]), f"<mark>{_text(text[start:end])}</mark>"]
            at = end
    return "".join([*parts, _text(text[at:])])


def _call(call: ToolCall) -> str:
    failed = f" · {_text(call.error)}" if call.error else ""
    raw = f"<pre>{_text(call.arguments or '')}</pre><pre>→ {_text(call.result or '')}</pre>"
    return f"<details><summary>{TOOL} {_text(call.name)}{failed}</summary>{raw}</details>"


def _text(text: str) -> str:
    return escape(printable(text))
