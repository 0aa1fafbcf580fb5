"""Field terms as SQL: conditions over the table `conversations`, every value a parameter.

Owns which column a field means. Nothing that a person typed is ever part of the SQL; columns come from the tables
below. Words are not turned into SQL here, that needs to know the index (`reviewer.transcripts.store.text_search`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from reviewer.transcripts.query import desk_conditions
from reviewer.transcripts.query.selection import (
    NEWEST_PROMPT,
    OWN_JUDGE,
    PARTS,
    PLACES,
    Query,
    Scope,
    Selection,
    SelectionChoice,
    Term,
    TermGroup,
    TextTerm,
    Value,
)
from reviewer.transcripts.query.value_tests import Condition, name_test

Marked = Callable[[Sequence[Term]], Condition]
"""What turns the terms about reviews of one group into a condition."""

_DEEPEST = 5  # levels of `meta` that a dotted key reaches into

_DATE = "replace(coalesce(conversations.started, conversations.ended), ' ', 'T')"


@dataclass(frozen=True, slots=True)
class _ValueColumn:
    """The place of a field's values: `within` puts a test on `column` around conversations; `{}` is the test."""

    column: str
    within: str = "{}"
    missing: str = ""
    """The condition for `none`; by default that the column is NULL or empty."""


_RUN = "conversations.run_id IN (SELECT id FROM runs WHERE {})"
_CASE = "conversations.case_id IN (SELECT id FROM cases WHERE {})"
_NO_CASE = "conversations.case_id IS NULL"
_CALL = "conversations.id IN (SELECT conversation_id FROM calls WHERE {})"
# Tools are a few names in a long index: each step of the recursion leaps to the next one.
_OF_TOOLS = (
    "name IN (WITH RECURSIVE tool(name) AS (SELECT min(name) FROM calls UNION ALL"
    " SELECT (SELECT min(name) FROM calls WHERE name > tool.name) FROM tool WHERE tool.name IS NOT NULL)"
    " SELECT name FROM tool WHERE {})"
)
_SOURCE = "conversations.source_id IN (SELECT id FROM sources WHERE {})"
_LABELS = (
    "(conversations.case_id IN (SELECT cases.id FROM cases,"
    " json_each(iif(json_valid(cases.labels), cases.labels, '[]')) AS each WHERE {each.value})"
    " OR conversations.run_id IN (SELECT id FROM runs WHERE {label}))"
)


def _of_case(column: str) -> _ValueColumn:
    return _ValueColumn(
        column, _CASE, f"({_NO_CASE} OR {_CASE.format(f'ifnull({column}, {chr(39) * 2}) = {chr(39) * 2}')})"
    )


_NAMES = {
    "model": _ValueColumn("model", _RUN),
    "case": _ValueColumn("name", _CASE, _NO_CASE),
    "suite": _of_case("suite"),
    "family": _of_case("family"),
    "bucket": _of_case("bucket"),
    "id": _ValueColumn("conversations.source_key"),
    "tool": _ValueColumn("tool.name", _CALL.format(_OF_TOOLS), "conversations.tool_calls = 0"),
    "ended": _ValueColumn("conversations.ended_by"),
}
_NUMBERS = {
    "run": _ValueColumn("number", _RUN, _RUN.format("number IS NULL")),
    "messages": _ValueColumn("conversations.messages"),
    "calls": _ValueColumn("conversations.tool_calls"),
}


def selection(group: TermGroup, marked: Marked = lambda _: ("", ()), scope: Scope = Scope()) -> Selection:  # noqa: B008 -- a constant
    """Translate a query for the store; its terms about reviews as `marked` answers them, or left out."""
    worded = any(isinstance(term, TextTerm) for term, _ in group.walk())
    narrowing = ("role", "in") if worded else ("in",)
    conditions = [_signed(term) for term in group.terms if term.field in _CONDITIONS and term.field not in narrowing]
    conditions.append(marked([term for term in group.terms if term.of_reviews]))
    where = " AND ".join(sql for sql, _ in conditions if sql)
    parameters = tuple(value for _, values in conditions for value in values)
    scope = _scope(group.terms, scope)
    choices = tuple(
        SelectionChoice(tuple(selection(each, marked, scope) for each in choice.groups), choice.negated)
        for choice in group.choices
    )
    return Selection(where, parameters, group.texts, scope if group.texts else Scope(), choices)


def of_group(group: TermGroup) -> Query:
    """The query that is made of a group."""
    return Query(group, selection(group), str(group))


def _scope(terms: Sequence[Term], around: Scope) -> Scope:
    """What `role:` and `in:` leave of the scope of the group around."""
    writers, parts = around
    if parts == PARTS and any(term.field == "in" and not term.negated for term in terms):
        parts = PLACES
    for term in terms:
        if term.field == "role":
            writers = tuple(each for each in writers if term.matches(each) != term.negated)
        elif term.field == "in":
            parts = tuple(each for each in parts if term.matches(each) != term.negated)
    return Scope(writers, parts)


def _signed(term: Term) -> Condition:
    made = [_CONDITIONS[term.field](term, value) for value in term.values]
    sql = made[0][0] if len(made) == 1 else f"({' OR '.join(each for each, _ in made)})"
    parameters = tuple(value for _, values in made for value in values)
    # IS NOT TRUE, because what has no value must count as not having this one.
    return (f"({sql}) IS NOT TRUE" if term.negated else sql), parameters


def _number_test(column: str, value: Value) -> Condition:
    if value.kind == "none":
        return f"{column} IS NULL", ()
    if value.kind == "..":
        return f"{column} BETWEEN ? AND ?", (float(value.text), float(value.high))
    return f"{column} {'=' if value.kind == 'is' else value.kind} ?", (float(value.text),)


def _date_test(column: str, value: Value) -> Condition:
    """A test on dates, as precise as the value was written: `>2026-06` begins in July."""
    if value.kind == "none":
        return f"ifnull({column}, '') = ''", ()
    if value.kind == "..":
        test = f"substr({column}, 1, ?) >= ? AND substr({column}, 1, ?) <= ?"
        return f"({test})", (len(value.text), value.text, len(value.high), value.high)
    return f"substr({column}, 1, ?) {'=' if value.kind == 'is' else value.kind} ?", (len(value.text), value.text)


def _name(term: Term, value: Value) -> Condition:
    column = _NAMES[term.field]
    if value.kind == "none" and column.missing:
        return column.missing, ()
    test, parameters = name_test(column.column, value)
    return column.within.format(test), parameters


def _number(term: Term, value: Value) -> Condition:
    column = _NUMBERS[term.field]
    if value.kind == "none" and column.missing:
        return column.missing, ()
    test, parameters = _number_test(column.column, value)
    return column.within.format(test), parameters


def _date(_: Term, value: Value) -> Condition:
    return _date_test(_DATE, value)


def _label(_: Term, value: Value) -> Condition:
    if value.kind == "none":
        with_any = _label_of("each.value <> ''", "ifnull(label, '') <> ''")
        return f"{with_any} IS NOT TRUE", ()
    (of_case, first), (of_run, second) = name_test("each.value", value), name_test("label", value)
    return _label_of(of_case, of_run), first + second


def _label_of(of_case: str, of_run: str) -> str:
    return _LABELS.replace("{each.value}", of_case).replace("{label}", of_run)


def _source(_: Term, value: Value) -> Condition:
    test, parameters = name_test("path", value)
    if value.kind not in ("is", "exactly"):
        return _SOURCE.format(test), parameters
    # The last part of the path, without the folders before it.
    ending, more = name_test("substr(path, -length(?) - 1)", value._replace(text="/" + value.text))
    return _SOURCE.format(f"{test} OR {ending}"), (*parameters, value.text, *more)


def _role(_: Term, value: Value) -> Condition:
    if value.text == "tool":
        return _CALL.format("result IS NOT NULL"), ()
    return (
        "EXISTS (SELECT 1 FROM messages WHERE conversation_id = conversations.id AND role = ?)",
        (value.text,),
    )


def _error(_: Term, value: Value) -> Condition:
    broken = "(conversations.errors > 0 OR conversations.error IS NOT NULL)"
    return (broken if value.text == "yes" else f"NOT {broken}"), ()


def _score(term: Term, value: Value) -> Condition:
    scorer, named = name_test("scorer", Value("is", term.key))
    whose, judge = name_test("judge", Value("is", term.judge)) if term.judge else (OWN_JUDGE, ())
    whose += f" AND {NEWEST_PROMPT}"
    given = f"SELECT 1 FROM scores WHERE conversation_id = conversations.id AND {scorer} AND {whose}"
    if value.kind == "none":
        return f"NOT EXISTS ({given} AND (value IS NOT NULL OR raw IS NOT NULL))", (*named, *judge)
    test, parameters = _either("value", "raw", value)
    return f"EXISTS ({given} AND {test})", (*named, *judge, *parameters)


def _meta(term: Term, value: Value) -> Condition:
    number = "CASE WHEN each.type IN ('integer', 'real') THEN each.value END"
    words = "CASE WHEN each.type IN ('true', 'false') THEN each.type ELSE CAST(each.value AS TEXT) END"
    wanted = value.kind != "none"
    test, values = _either(number, words, value) if wanted else ("each.type <> 'null'", ())
    tests = [(f"EXISTS ({sql} AND {test})", (*path, *values)) for sql, path in _places_in_meta(term.key)]
    either = f"({' OR '.join(sql for sql, _ in tests)})"
    return (either if wanted else f"NOT {either}"), tuple(each for _, parameters in tests for each in parameters)


def _places_in_meta(key: str) -> Iterator[Condition]:
    """Yield a condition for each place that a key may have: as written and, with dots in it, inside objects."""
    meta = "json_each(iif(json_valid(conversations.meta), conversations.meta, '{}')) AS"
    yield f"SELECT 1 FROM {meta} each WHERE each.key = ?", (key,)
    *outer, last = key.split(".")
    if outer and len(outer) < _DEEPEST:
        ups = [f"up{depth}" for depth in range(len(outer))]
        inner = [f"json_each(iif({up}.type = 'object', {up}.value, '{{}}')) AS" for up in ups]
        tables = ", ".join(f"{table} {name}" for table, name in zip([meta, *inner], [*ups, "each"], strict=True))
        keys = " AND ".join(f"{name}.key = ?" for name in (*ups, "each"))
        yield f"SELECT 1 FROM {tables} WHERE {keys}", (*outer, last)


def _either(number: str, words: str, value: Value) -> Condition:
    """A test on something that may be a number, a date or a word."""
    if value.kind == "glob" and value.text == "*":
        return f"({number} IS NOT NULL OR {words} IS NOT NULL)", ()
    if value.kind in ("exactly", "glob") or not _is_number(value.text):
        dated = value.kind in ("<", "<=", ">", ">=", "..")
        return _date_test(words, value) if dated else name_test(words, value)
    if value.kind == "is":
        test, parameters = name_test(words, value)
        return f"({number} = ? OR {test})", (float(value.text), *parameters)
    return _number_test(number, value)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d+(?:\.\d+)?", text, re.ASCII) is not None


_CONDITIONS: dict[str, Callable[[Term, Value], Condition]] = {
    **dict.fromkeys(_NAMES, _name),
    **dict.fromkeys(_NUMBERS, _number),
    "date": _date,
    "label": _label,
    "source": _source,
    "role": _role,
    "error": _error,
    "wrote": lambda _, value: desk_conditions.wrote(value),
    "attempted": lambda _, value: desk_conditions.attempted(value),
    "handover": lambda _, value: desk_conditions.handover(value),
    "forbidden": lambda _, value: desk_conditions.forbidden(value),
    "flips": lambda _, value: desk_conditions.flips(value),
    "score": _score,
    "meta": _meta,
}
