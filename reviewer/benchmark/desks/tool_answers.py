"""What a desk's tool answers when it is called, from its entry in `tools.toml` and the records. Pure.

Owns places such as `{booking}` and `{booking.fare}` in an answer, the conditions under which a call is refused, and the
order in which these are looked at: arguments, records, refusals, answer. Nothing is kept: a lookup after a cancellation
says what it said before. What was put into a place is never looked at again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

Json = Mapping[str, Any]
Records = Mapping[str, Mapping[str, Json]]
"""Tables by name, records by their id."""

compact: Callable[[Any], str] = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""A value as JSON without a blank, as tools answer."""
PLACE = re.compile(r"\{([A-Za-z_]\w*(?:\.\w[\w-]*)?)\}")
"""A place to be filled: an argument, or a field of the record that an argument names."""
TODAY = "today"
"""The word for the desk's day in a condition."""
OPERATORS = ("before", "after", "not")
"""What a condition may ask of a field beside being equal."""


class Refusal(NamedTuple):
    """When a call is refused, and what it is answered then."""

    when: Mapping[str, Any]
    """By argument: field of its record -> what it is (a value, several, or `{before = …}`), or so of the argument."""
    error: str
    says: str


class PlayedTool(NamedTuple):
    """A tool of a desk: how it is described, and how it is answered."""

    name: str
    description: str
    arguments: Mapping[str, Json]
    """The JSON schema of each."""
    optional: frozenset[str] = frozenset()
    finds: Mapping[str, str] = {}
    """Arguments that name a record, and its table."""
    absent: Mapping[str, str] = {}
    """What is said where there is no such record, by argument."""
    shows: str = ""
    """The argument whose record is the answer."""
    hides: frozenset[str] = frozenset()
    """Fields of records that are never shown."""
    lists: str = ""
    """The table whose records are the answer."""
    where: tuple[str, ...] = ()
    """Arguments that a listed record has to agree with, in its field of the same name."""
    answer: Any = None
    refuses: tuple[Refusal, ...] = ()

    @property
    def schema(self) -> dict[str, Any]:
        """The tool as a model is told of it."""
        required = [name for name in self.arguments if name not in self.optional]
        parameters = {
            "type": "object",
            "properties": {name: dict(each) for name, each in self.arguments.items()},
            "required": required,
            "additionalProperties": False,
        }
        return {"name": self.name, "description": self.description, "parameters": parameters}


class _CallError(Exception):
    """A call that is refused; `args` are the error's name and a sentence."""


def answered(tool: PlayedTool, arguments: Json, records: Records, today: str) -> str:
    """Answer a call; one that is refused gets an error as its answer, never an exception."""
    try:
        return compact(_answer(tool, arguments, records, today))
    except _CallError as error:
        return compact({"error": error.args[0], "message": error.args[1]})


def record_of(table: Mapping[str, Json], id: str) -> tuple[str, Json] | None:
    """The record of that id and the id as it is written there; blanks around it and capitals do not count."""
    if id in table:
        return id, table[id]
    wanted = id.strip().casefold()
    return next(((known, record) for known, record in table.items() if known.casefold() == wanted), None)


def refused(refusal: Refusal, arguments: Json, named: Mapping[str, Json], today: str) -> bool | None:
    """True if all its conditions hold of this call; None where one is about an argument that the call does not have."""
    asked = refusal.when.keys() | {place.partition(".")[0] for place in places(refusal.when)}
    if not asked <= arguments.keys() | named.keys():
        return None
    return all(
        _is(value, _filled(wanted, arguments, named), today) for value, wanted in _asked(refusal, arguments, named)
    )


def _asked(refusal: Refusal, arguments: Json, named: Mapping[str, Json]) -> Iterator[tuple[Any, Any]]:
    """What each condition is about, and what it asks of that."""
    for argument, of in refusal.when.items():
        if argument in named:
            yield from ((named[argument].get(field), wanted) for field, wanted in of.items())
        else:
            yield arguments.get(argument), of


def places(answer: Any) -> Iterator[str]:
    """Every place in an answer, however deep it stands."""
    if isinstance(answer, str):
        yield from (match[1] for match in PLACE.finditer(answer))
    elif isinstance(answer, Mapping):
        for each in answer.values():
            yield from places(each)
    elif isinstance(answer, list | tuple):
        for each in answer:
            yield from places(each)


def _answer(tool: PlayedTool, given: Json, records: Records, today: str) -> Any:
    arguments = {name: value for name, value in given.items() if value is not None}
    for name in tool.arguments:
        if name not in tool.optional and arguments.get(name) in (None, ""):
            raise _CallError("argument_missing", f"“{name}” is missing.")
    named: dict[str, Json] = {}
    for name, table in tool.finds.items():
        if arguments.get(name) is not None:
            known = record_of(records[table], str(arguments[name]))
            if known is None:
                said = tool.absent.get(name, f"There is no “{{{name}}}” in {table}.")
                raise _CallError(f"{name}_not_found", str(_filled(said, arguments, {})))
            named[name] = {"id": known[0], **known[1]}
    for refusal in tool.refuses:
        if refused(refusal, arguments, named, today):
            raise _CallError(refusal.error, str(_filled(refusal.says, arguments, named)))
    if tool.shows:
        return _shown(named[tool.shows], tool)
    if tool.lists:
        return {tool.lists: [_shown(each, tool) for each in _listed(tool, arguments, records)]}
    return _filled(tool.answer, arguments, named)


def _shown(record: Json, tool: PlayedTool) -> Json:
    return {field: value for field, value in record.items() if field not in tool.hides}


def _listed(tool: PlayedTool, arguments: Json, records: Records) -> Iterator[Json]:
    asked = {name: _plain(arguments[name]) for name in tool.where if arguments.get(name) not in (None, "")}
    for id, record in records[tool.lists].items():
        if all(_plain(record.get(name)) == value for name, value in asked.items()):
            yield {"id": id, **record}


def _plain(value: Any) -> str:
    return str(value).strip().casefold()


def _is(value: Any, wanted: Any, today: str) -> bool:
    if isinstance(wanted, list | tuple):
        return value in wanted
    if not isinstance(wanted, Mapping):
        return bool(value == wanted)
    return all(_compared(value, operator, today if bound == TODAY else bound) for operator, bound in wanted.items())


def _compared(value: Any, operator: str, bound: Any) -> bool:
    if operator == "not":
        return value not in bound if isinstance(bound, list | tuple) else value != bound
    if isinstance(value, str) and isinstance(bound, str):
        value = value[: len(bound)]  # a day is neither before nor after a time on it
    elif not (isinstance(value, int | float) and isinstance(bound, int | float)):
        return False
    return bool(value < bound) if operator == "before" else bool(value > bound)


def _filled(answer: Any, arguments: Json, named: Mapping[str, Json]) -> Any:
    """An answer with its places filled; a text that is one place becomes what stands for it, whatever that is."""
    if isinstance(answer, Mapping):
        return {key: _filled(each, arguments, named) for key, each in answer.items()}
    if isinstance(answer, list | tuple):
        return [_filled(each, arguments, named) for each in answer]
    if not isinstance(answer, str):
        return answer
    whole = PLACE.fullmatch(answer)
    if whole:
        return _value(whole[1], arguments, named)
    return PLACE.sub(lambda match: _said(_value(match[1], arguments, named)), answer)


def _value(place: str, arguments: Json, named: Mapping[str, Json]) -> Any:
    argument, _, field = place.partition(".")
    if field:
        return named.get(argument, {}).get(field)
    return named[argument]["id"] if argument in named else arguments.get(argument)


def _said(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else compact(value)
