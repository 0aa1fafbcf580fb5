"""Why a query found nothing: the names in it that the store does not have, with those that are near. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import get_close_matches

from reviewer.query.completion import KnownWords
from reviewer.query.meanings import act_meant
from reviewer.query.selection import Query, Term, TermGroup, Value

_NAMES = ("model", "case", "suite", "family", "bucket", "label", "tool")
"""Fields all of whose values the vocabulary knows."""
_BY_DESK = ("wrote", "handover", "forbidden", "flips")
_SUGGESTED = {"finding": "suggested mode", "read": "read"}
_ANY_OR_NONE = ("yes", "no", "any")
_SEVERAL = 2
_MANY, _FEW = 10_000, 6

Scorers = Callable[[], list[str]]
"""All that there are; those that completion offers are only the latest."""


def unknown(query: Query, vocabulary: KnownWords, scorers: Scorers) -> list[str]:
    """A sentence for each name or scorer of the query that stands nowhere in the store."""
    said = [sentence for term in query.wanted for sentence in _of_term(term, vocabulary, scorers)]
    by_desk = list(dict.fromkeys(f"{term.field}:" for term in query.wanted if term.field in _BY_DESK))
    if by_desk and not vocabulary.values("desk"):
        find = "find" if len(by_desk) > 1 else "finds"
        said.append(f"No desk here says what tools do, so {_listed(by_desk)} {find} nothing.")
        said.append("`reviewer desk --init` drafts one.")
    return said


def excluding(group: TermGroup, passes: Callable[[TermGroup], bool]) -> list[str]:
    """A sentence that says which of the terms side by side let nothing through; `passes` answers for a group."""
    parts = [part for part in group.parts() if not _narrows(part)]
    if len(parts) < 2:
        return []
    around = tuple(term for term in group.terms if _narrows(TermGroup((term,))))
    alone = [_written(part) for part in parts if not passes(_together([part], around))]
    if alone:
        return [f"{_listed(alone)} {'find' if len(alone) > 1 else 'finds'} nothing by {_self(alone)}."]
    rest = [_written(part) for part in parts if passes(_together([each for each in parts if each is not part], around))]
    return (
        [f"Without {' or without '.join(rest)} something does."]
        if rest
        else ["Several of its terms exclude each other."]
    )


def _narrows(part: TermGroup) -> bool:
    return any(term.field in ("role", "in") for term in part.terms)


def _together(parts: list[TermGroup], around: tuple[Term, ...]) -> TermGroup:
    texts = tuple(text for part in parts for text in part.texts)
    choices = tuple(choice for part in parts for choice in part.choices)
    terms = tuple(term for part in parts for term in part.terms)
    return TermGroup((*around, *terms) if texts or choices else terms, texts, choices)


def _written(part: TermGroup) -> str:
    return str(part.choices[0] if part.choices else part)


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _self(names: list[str]) -> str:
    return "themselves" if len(names) > 1 else "itself"


def _of_term(term: Term, vocabulary: KnownWords, scorers: Scorers) -> Iterator[str]:
    if term.field == "score":
        known = scorers()
        if known and not any(Value("is", term.key).matches(name) for name in known):
            yield _sentence("scorer", term.key, known)
    elif term.field in _BY_DESK:
        yield from _of_acts(term, vocabulary)
    elif term.field in _SUGGESTED:
        yield from _of_suggestions(term, vocabulary.values(term.field, "", _MANY))
    elif term.field in _NAMES:
        known = vocabulary.values(term.field, "", _MANY)
        yield from (_sentence(term.field, value.text, known) for value in term.values if not _is_known(value, known))


def _of_suggestions(term: Term, known: list[str]) -> Iterator[str]:
    for value in term.values if known else ():
        any_or_none = value.kind == "is" and value.text.lower() in _ANY_OR_NONE
        if any_or_none and term.field == "read":
            yield f"read: takes the name of a read. Did you mean reviewed:{value.text.lower()} or finding:yes?"
        elif not any_or_none and not _is_known(value, known):
            yield _sentence(_SUGGESTED[term.field], value.text, known)


def _of_acts(term: Term, vocabulary: KnownWords) -> Iterator[str]:
    if not vocabulary.values("desk"):
        return
    if term.field in ("forbidden", "flips") and not vocabulary.values("case"):
        yield f"Nothing here names a case, so {term.field}: finds nothing."
    elif term.field == "forbidden" and not vocabulary.values("forbids"):
        yield "No case here says what it forbids, so forbidden: finds nothing."
    elif term.field == "flips" and len(vocabulary.values("run")) < _SEVERAL:
        yield "No model went through a case twice here, so flips: finds nothing."
    elif term.field in ("wrote", "forbidden"):
        known = vocabulary.values(term.field, "", _MANY)
        for value in term.values:
            if value.text.lower() in ("yes", "no") or _is_known(value, known):
                continue
            meant = act_meant(value.text) if term.field == "wrote" else None
            if meant:
                yield f"“{value.text}” is no kind of write. Did you mean {meant}?"
            else:
                what = "kind of write" if term.field == "wrote" else "forbidden act"
                yield _sentence(what, value.text, known)


def _is_known(value: Value, known: list[str]) -> bool:
    return value.kind == "none" or len(known) >= _MANY or any(value.matches(name) for name in known)


def _sentence(what: str, text: str, known: list[str]) -> str:
    near = get_close_matches(text, known, _FEW, 0.5)
    if near:
        return f"No {what} here is “{text}”. Did you mean {' or '.join(near)}?"
    more = ", …" if len(known) > _FEW else ""
    return f"No {what} here is “{text}”" + (f"; known: {', '.join(known[:_FEW])}{more}." if known else ".")
