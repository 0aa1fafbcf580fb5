"""JSON whose texts are changed while all else in it stays as it was written. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from reviewer.basics import jsonspans
from reviewer.transcripts.particulars.personal_fields import Kind, kinds_of

Names = tuple[str, ...]
ChangeValue = Callable[[str, Names, Kind | None], str]
"""From a value as it is written, the names that lead to it and its kind to how it is written then."""


def is_json(text: str) -> bool:
    """True for JSON that holds texts: an object, a list, or a text in quotes."""
    return jsonspans.leaves(text) is not None or jsonspans.quoted(text) is not None


def changes(text: str, key: Callable[[str], str], value: ChangeValue) -> Iterator[tuple[int, int, str]]:
    """List the changes of a JSON text: the span of a key, a text or a number, and its replacement."""
    leaves = list(jsonspans.leaves(text) or ())
    told = [(_names(leaf.pointer), _plain(text[leaf.start : leaf.end])) for leaf in leaves]
    known = {leaf.start: (names, kind) for leaf, (names, _), kind in zip(leaves, told, kinds_of(told), strict=True)}
    tokens = list(jsonspans.tokens(text))
    for at, token in enumerate(tokens):
        if token.kind not in ("string", "number"):
            continue
        written = text[token.start : token.end]
        is_key = at + 1 < len(tokens) and tokens[at + 1].kind == "colon"
        changed = key(written) if is_key else value(written, *known.get(token.start, ((), None)))
        if changed != written:
            yield token.start, token.end, changed


def inside(written: str) -> str:
    """The text that stands in quotes, without its escapes."""
    return jsonspans.decoded(written, 1, len(written) - 1).text


def is_text(written: str) -> bool:
    """True for what stands in quotes."""
    return written[:1] in ('"', "'")


def quoted_as(text: str, written: str) -> str:
    """A text in the quotes, and with the escapes, that another one was written with."""
    within = json.dumps(text, ensure_ascii=written.isascii())[1:-1]
    return f'"{within}"' if written[0] == '"' else "'{}'".format(within.replace('\\"', '"').replace("'", "\\'"))


def _names(pointer: str | None) -> Names:
    return tuple(name for name in (pointer or "").split("/") if name)


def _plain(written: str) -> str:
    return inside(written) if is_text(written) else written
