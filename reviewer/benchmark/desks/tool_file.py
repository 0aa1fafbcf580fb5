"""`tools.toml`: the tools that an agent may call, each with its arguments and how it is answered.

Owns what an entry may say, and whether what it names is there: arguments, tables, fields in every record. What a tool
means (that it reads, or which act it is) stands in `desk.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reviewer.benchmark.desks.folder_files import FolderFiles
from reviewer.benchmark.desks.tool_answers import OPERATORS, PlayedTool, Records, Refusal, places

FILE = "tools.toml"
_KEYS: Mapping[str, type] = {
    "name": str,
    "description": str,
    "arguments": dict,
    "optional": list,
    "finds": dict,
    "absent": dict,
    "shows": str,
    "hides": list,
    "lists": str,
    "where": list,
    "answer": object,
    "refuses": list,
}
_REFUSAL: Mapping[str, type] = {"when": dict, "error": str, "says": str}
_TYPES = ("string", "number", "integer", "boolean", "array", "object")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_HINT = "Those of a desk that `reviewer desk --new` makes show how it is written."


def tools_in(files: FolderFiles, records: Records) -> tuple[PlayedTool, ...]:
    """All tools of a folder, without those that cannot be used."""
    table = files.table(files.folder / FILE)
    if table is None:
        return ()
    where, entries = str(files.folder / FILE), table.get("tool", [])
    for key in sorted(table.keys() - {"tool"}):
        files.wrong(where, f"“{key}” stands in no [[tool]]", "Put [[tool]] before it, or take it out.")
    if not isinstance(entries, list) or not entries:
        files.wrong(where, "it has no [[tool]]", "Add one for every tool that the agent may call.")
        return ()
    tools: dict[str, PlayedTool] = {}
    for number, entry in enumerate(entries, start=1):
        tool = _tool(files, f"{where}, {_called(entry, number)}", entry)
        if tool is None:
            continue
        if tool.name in tools:
            files.wrong(where, f"there are two tools “{tool.name}”", "A tool has a name of its own.")
        tools[tool.name] = tool
        for reason, hint in _unknown(tool, records):
            files.wrong(f"{where}, “{tool.name}”", reason, hint)
    return tuple(tools.values())


def _called(entry: Any, number: int) -> str:
    name = entry.get("name") if isinstance(entry, dict) else None
    return f"“{name}”" if isinstance(name, str) else f"tool {number}"


def _tool(files: FolderFiles, place: str, entry: Any) -> PlayedTool | None:
    told = files.shaped(entry, place, _KEYS, ("name", "description"), _HINT)
    if told is None:
        return None
    if not _NAME.fullmatch(told["name"]):
        files.wrong(place, "models take only letters, digits and _ in a tool's name", "Call it otherwise.")
    ways = [key for key in ("shows", "lists", "answer") if key in told]
    if len(ways) != 1:
        said = " and ".join(f"“{way}”" for way in ways) or "nothing"
        files.wrong(place, f"{said} says what it answers", "Keep one of: shows, lists, answer.")
        return None
    return PlayedTool(
        name=told["name"],
        description=told["description"],
        arguments=dict(_arguments(files, place, told.get("arguments", {}))),
        optional=frozenset(_texts(files, place, told, "optional")),
        finds=_texts_by(files, place, told, "finds"),
        absent=_texts_by(files, place, told, "absent"),
        shows=told.get("shows", ""),
        hides=frozenset(_texts(files, place, told, "hides")),
        lists=told.get("lists", ""),
        where=_texts(files, place, told, "where"),
        answer=told.get("answer"),
        refuses=tuple(_refusals(files, place, told.get("refuses", []))),
    )


def _texts(files: FolderFiles, place: str, told: Mapping[str, Any], key: str) -> tuple[str, ...]:
    given = told.get(key, [])
    if not all(isinstance(each, str) for each in given):
        files.wrong(place, f"“{key}” must hold texts in quotes", _HINT)
        return ()
    return tuple(given)


def _texts_by(files: FolderFiles, place: str, told: Mapping[str, Any], key: str) -> dict[str, str]:
    given = told.get(key, {})
    if not all(isinstance(each, str) for each in given.values()):
        files.wrong(place, f"“{key}” must hold texts in quotes", _HINT)
        return {}
    return dict(given)


def _arguments(files: FolderFiles, place: str, given: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each argument with its JSON schema; a text alone describes a text."""
    for name, schema in given.items():
        if not _NAME.fullmatch(name):
            files.wrong(place, f"models take only letters, digits and _ in “{name}”", "Call the argument otherwise.")
        elif isinstance(schema, str):
            yield name, {"type": "string", "description": schema}
        elif not isinstance(schema, dict) or schema.get("type") not in _TYPES:
            files.wrong(place, f"the argument “{name}” has no type", f"type = one of {', '.join(_TYPES)}.")
        else:
            yield name, schema


def _refusals(files: FolderFiles, place: str, given: Sequence[Any]) -> Iterator[Refusal]:
    for number, entry in enumerate(given, start=1):
        told = files.shaped(entry, f"{place}, refusal {number}", _REFUSAL, ("when", "error", "says"), _HINT)
        if told is not None:
            yield Refusal(told["when"], told["error"], told["says"])


def _unknown(tool: PlayedTool, records: Records) -> Iterator[tuple[str, str]]:
    """What a tool names that is not there, and what to do about it."""
    named_by = {"optional": tool.optional, "finds": tool.finds, "absent": tool.absent, "where": tool.where}
    for key, named in named_by.items():
        for name in sorted(set(named) - tool.arguments.keys()):
            yield f"“{key}” names “{name}”, which is no argument", "Add it to the tool's arguments, or mend the name."
    if tool.shows and tool.shows not in tool.finds:
        yield f"“shows” names “{tool.shows}”, which finds no record", 'Say in which table: finds = { … = "…" }.'
    if tool.shows in tool.optional:
        yield f"“shows” names “{tool.shows}”, which may be left out", "Take it out of “optional”."
    for table in sorted({*tool.finds.values(), *([tool.lists] if tool.lists else [])} - records.keys()):
        yield f"there is no records/{table}.toml", f"There are: {', '.join(sorted(records)) or 'none'}."
    for name in tool.where if tool.lists in records else ():
        if not any(name in record for record in records[tool.lists].values()):
            yield f"no record of records/{tool.lists}.toml has a field “{name}”", "“where” names arguments and fields."
    for place in dict.fromkeys((*places(tool.answer), *places([each.says for each in tool.refuses]))):
        yield from _unfilled(tool, place, records)
    for name in dict.fromkeys(places(list(tool.absent.values()))):
        if name not in tool.arguments:
            yield f"nothing fills {{{name}}} where there is no record", "Only arguments can stand there."
    for refusal in tool.refuses:
        yield from _unasked(tool, refusal, records)


def _unasked(tool: PlayedTool, refusal: Refusal, records: Records) -> Iterator[tuple[str, str]]:
    """Why a condition cannot be looked at."""
    for place in dict.fromkeys(places(refusal.when)):
        yield from _unfilled(tool, place, records)
    for argument, of in refusal.when.items():
        if argument not in tool.finds:
            yield from _unfilled(tool, argument, records)
            yield from _unmeant(argument, of)
        elif not isinstance(of, dict) or not of:
            yield f"“when” asks for no field of “{argument}”", 'when = { booking = { status = "flown" } }'
        else:
            for field, wanted in of.items():
                yield from _unfilled(tool, f"{argument}.{field}", records)
                yield from _unmeant(field, wanted)


def _unmeant(what: str, wanted: Any) -> Iterator[tuple[str, str]]:
    """Why a condition means nothing."""
    if isinstance(wanted, dict) and (not wanted or wanted.keys() - set(OPERATORS)):
        yield f"“{what}” is asked for “{', '.join(wanted)}”", f"One may ask: {', '.join(OPERATORS)}."


def _unfilled(tool: PlayedTool, place: str, records: Records) -> Iterator[tuple[str, str]]:
    """Why a place cannot always be filled."""
    argument, _, field = place.partition(".")
    if argument not in tool.arguments:
        yield f"nothing fills {{{place}}}: “{argument}” is no argument", "Name one of its arguments."
    elif field and argument not in tool.finds:
        yield f"nothing fills {{{place}}}: “{argument}” finds no record", 'Say in which table: finds = { … = "…" }.'
    elif field and field != "id":
        table = records.get(tool.finds[argument], {})
        without = next((id for id, record in table.items() if field not in record), None)
        if without is not None:
            where = f"records/{tool.finds[argument]}.toml"
            yield f"{where}, “{without}” has no “{field}”, which {{{place}}} needs", "Add it to the record."
