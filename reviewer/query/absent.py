"""Why a query found nothing: the names in it that the store does not have, with those that are near. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from reviewer.query.completion import Vocabulary
from reviewer.query.terms import Query, Term, Value

_NAMES = ("model", "case", "suite", "family", "bucket", "label", "tool")
"""Fields all of whose values the vocabulary knows."""
_MANY, _FEW = 10_000, 6


def unknown(query: Query, vocabulary: Vocabulary) -> list[str]:
    """A sentence for each name or scorer of the query that stands nowhere in the store."""
    return [said for term in query.terms if not term.negated for said in _of_term(term, vocabulary)]


def _of_term(term: Term, vocabulary: Vocabulary) -> Iterator[str]:
    if term.field == "score":
        keys = vocabulary.keys("score", "", _MANY)
        if keys and term.key not in keys:
            yield _sentence("scorer", term.key, keys)
    elif term.field in _NAMES:
        known = vocabulary.values(term.field, "", _MANY)
        yield from (
            _sentence(term.field, value.text, known) for value in term.values if not _is_known(term, value, known)
        )


def _is_known(term: Term, value: Value, known: list[str]) -> bool:
    alone = Term(term.field, (value,), term.key, term.judge, False, term.column)
    return value.kind == "none" or len(known) >= _MANY or any(alone.matches(name) for name in known)


def _sentence(what: str, text: str, known: list[str]) -> str:
    near = get_close_matches(text, known, _FEW, 0.5)
    if near:
        return f"No {what} here is “{text}”. Did you mean {' or '.join(near)}?"
    more = ", …" if len(known) > _FEW else ""
    return f"No {what} here is “{text}”" + (f"; known: {', '.join(known[:_FEW])}{more}." if known else ".")
