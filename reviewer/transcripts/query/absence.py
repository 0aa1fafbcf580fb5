"""What in a query finds nothing: the values that stand nowhere, with those that are near, and the terms that exclude.

Pure: what is known comes from a vocabulary, and `Finds` answers for one term.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from difflib import get_close_matches

from reviewer.transcripts.query.completion import KnownWords
from reviewer.transcripts.query.fields import FIELDS, YES_NO
from reviewer.transcripts.query.meanings import act_meant
from reviewer.transcripts.query.selection import Query, Term, TermGroup, Value, alike, bare_key

_NAMES = ("model", "case", "suite", "family", "bucket", "label", "tool")
"""Fields all of whose values the vocabulary knows."""
_BY_DESK = ("wrote", "attempted", "handover", "forbidden", "flips")
_SUGGESTED = {"finding": "suggested mode", "read": "read"}
_WHAT = {
    **_SUGGESTED,
    "wrote": "kind of write",
    "attempted": "kind of act",
    "forbidden": "forbidden act",
    "tag": "mode",
    "by": "reviewer",
    "ended": "ending",
    "id": "identifier",
}
"""What the values of a field are, where that is not the name of the field."""
_ANY_OR_NONE = ("yes", "no", "any")
_ONE_NAME = ("is", "exactly", "glob")
"""Values that are no comparison: nobody mistypes `messages:>99`."""
_SEVERAL = 2
_MANY, _FEW, _NEAREST = 10_000, 6, 3

Scorers = Callable[[], list[str]]
"""All that there are; those that completion offers are only the latest."""
Finds = Callable[[Term], bool]
"""Whether a term alone lets any conversation through."""


def unknown(query: Query, vocabulary: KnownWords, scorers: Scorers, finds: Finds = lambda _: True) -> list[str]:
    """A sentence for each name or scorer that is asked for and stands nowhere in the store."""
    said = dict[str, None]()
    for each in (single for term in query.wanted for single in _one_by_one(term)):
        sentences = _of_term(each, vocabulary, scorers)
        if not sentences and each.field not in _BY_DESK and not finds(each):
            sentences = _unlisted(each, vocabulary)
        said |= dict.fromkeys(sentences)
    by_desk = list(dict.fromkeys(f"{term.field}:" for term in query.wanted if term.field in _BY_DESK))
    if by_desk and not vocabulary.values("desk"):
        find = "find" if len(by_desk) > 1 else "finds"
        said[f"No desk here says what tools do, so {_listed(by_desk)} {find} nothing."] = None
        said["`reviewer desk --init` drafts one."] = None
    return list(said)


def unmatched(query: Query, vocabulary: KnownWords, scorers: Scorers, finds: Finds) -> list[str]:
    """A sentence for each value that finds nothing, where the query may find something all the same.

    That is one of several values (`family:tracking,used-item`), a name that is not wanted (`-tool:get_polcy`), or a
    value in parentheses or beside an `or`.
    """
    said = dict[str, None]()
    for term in unnoticed(query):
        if not finds(term):
            sentences = _of_term(term, vocabulary, scorers) or _unlisted(term, vocabulary)
            said |= dict.fromkeys(sentences or [f"Nothing here has {term}."])
    return list(said)


def _one_by_one(term: Term) -> Iterator[Term]:
    """The term once with each of its values, none of them negated."""
    return (replace(term, values=(value,), negated=False) for value in term.values)


def unnoticed(query: Query) -> Iterator[Term]:
    """Terms of one value whose finding nothing does not show in what the query finds."""
    for term, negated in query.group.walk():
        if not isinstance(term, Term) or _narrows(TermGroup((term,))):
            continue
        if not negated and len(term.values) == 1 and any(term is each for each in query.group.terms):
            continue  # then the query finds nothing either
        field = FIELDS[term.field]
        for each in _one_by_one(term):
            (value,) = each.values
            any_or_none = value.text.lower() in _ANY_OR_NONE and set(YES_NO) <= set(field.choices)
            if value.kind in _ONE_NAME and not any_or_none and (field.kind in ("name", "either") or not negated):
                yield each


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


def _of_term(term: Term, vocabulary: KnownWords, scorers: Scorers) -> list[str]:
    """What the vocabulary alone says against a term of one value."""
    (value,) = term.values
    if term.field == "score":
        known = scorers()
        if known and not any(Value("is", term.key).matches(name) for name in known):
            return [_sentence("scorer", term.key, known)]
    elif term.field in _BY_DESK:
        return _of_act(term, value, vocabulary)
    elif term.field in _SUGGESTED:
        return _of_suggestion(term, value, vocabulary.values(term.field, "", _MANY))
    elif term.field in _NAMES:
        known = vocabulary.values(term.field, "", _MANY)
        if not _is_known(value, known):
            return [_sentence(term.field, value.text, known)]
    return []


def _of_suggestion(term: Term, value: Value, known: list[str]) -> list[str]:
    if not known:
        return []
    if value.kind == "is" and value.text.lower() in _ANY_OR_NONE:
        meant = f"Did you mean reviewed:{value.text.lower()} or finding:yes?"
        return [f"read: takes the name of a read. {meant}"] if term.field == "read" else []
    return [] if _is_known(value, known) else [_sentence(_SUGGESTED[term.field], value.text, known)]


def _of_act(term: Term, value: Value, vocabulary: KnownWords) -> list[str]:
    if not vocabulary.values("desk"):
        return []
    if term.field in ("forbidden", "flips") and not vocabulary.values("case"):
        return [f"Nothing here names a case, so {term.field}: finds nothing."]
    if term.field == "forbidden" and not vocabulary.values("forbids"):
        return ["No case here says what it forbids, so forbidden: finds nothing."]
    if term.field == "flips" and len(vocabulary.values("run")) < _SEVERAL:
        return ["No model went through a case twice here, so flips: finds nothing."]
    known = vocabulary.values(term.field, "", _MANY)
    if (
        term.field not in ("wrote", "attempted", "forbidden")
        or value.text.lower() in ("yes", "no")
        or _is_known(value, known)
    ):
        return []
    meant = act_meant(value.text) if term.field == "wrote" else None
    if meant:
        return [f"“{value.text}” is no kind of write. Did you mean {meant}?"]
    return [_sentence(_WHAT[term.field], value.text, known)]


def _unlisted(term: Term, vocabulary: KnownWords) -> list[str]:
    """What to say of a term of one value that finds nothing, where the vocabulary does not list the value."""
    (value,) = term.values
    if term.field == "meta":
        keys = vocabulary.keys("meta", "", _MANY)
        near = [] if term.key in keys else _nearest(term.key, keys)
        return [f"Nothing here has {term}. Did you mean meta.{bare_key(near[0])}:?"] if near else []
    known = vocabulary.values(term.field, "", _MANY)
    if FIELDS[term.field].kind != "name" or not known or _is_known(value, known):
        return []
    return [_sentence(_WHAT.get(term.field, term.field), value.text, known)]


def _is_known(value: Value, known: list[str]) -> bool:
    return value.kind == "none" or len(known) >= _MANY or any(value.matches(name) for name in known)


def _sentence(what: str, text: str, known: list[str]) -> str:
    if near := _nearest(text, known):
        return f"No {what} here is “{text}”. Did you mean {' or '.join(near)}?"
    more = ", …" if len(known) > _FEW else ""
    return f"No {what} here is “{text}”" + (f"; known: {', '.join(known[:_FEW])}{more}." if known else ".")


def _nearest(text: str, known: list[str]) -> list[str]:
    by_likeness = {alike(name): name for name in known}
    return [by_likeness[each] for each in get_close_matches(alike(text), by_likeness, _NEAREST, 0.5)]
