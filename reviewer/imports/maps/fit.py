"""Does a map fit a file? One sentence with the key that does not, and the columns that there are, before a row is read.

The first rows are looked at; a column that a map marks with `?` may be missing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from reviewer.basics.errors import SourceError
from reviewer.imports.maps import cell_values, markup, table_rows
from reviewer.imports.maps.mapfile import Map
from reviewer.imports.maps.paths import Pointer, Row
from reviewer.imports.maps.turns import turns_of
from reviewer.imports.source import Source, unfolded
from reviewer.transcripts.store.foreign_files import EndlessViewError

LOOKED_AT = 500
_FEW = 50
"""Rows that tell one of the shipped maps from another."""
_WIDE = 200
"""Fields of an object into which a look is taken: a record has fewer, an index of thousands of names is none."""
_MOST_NAMES = 40
_LONGEST = 40
_COUNTS = ("run", "tokens_in", "tokens_out", "tokens_reasoning", "tokens_cached", "cost")


def check(source: Source, by: Map) -> None:
    """Raise one sentence when the map does not fit the file."""
    declared = table_rows.columns(source, by.file)
    _check(by, source.name, declared, list(_rows(source, by, LOOKED_AT)))


def fits(source: Source, by: Map, names: Collection[str]) -> bool:
    """True if a file is plainly what a shipped map is for; `names` are those of its first record."""
    try:
        declared = table_rows.columns(source, by.file)
        if declared is None and not _may_fit(names, by):
            return False
        first = list(_rows(source, by, _FEW))
        _check(by, source.name, declared, first)
    except EndlessViewError:  # the next map would wait for it again
        raise
    except SourceError:
        return False
    held = _messages(by, first)
    if not by.message:  # chat messages, which name a role
        return bool(held) and all("role" in each or "from" in each for each in held)
    return bool(first) and (bool(held) or by.rows == "messages")


def _may_fit(names: Collection[str], by: Map) -> bool:
    """True if the first record, or an object within it, has the column that every record of this kind has."""
    wanted = [by.conversation[name] for name in ("id", "messages") if name in by.conversation]
    sure = next((it for it in wanted if not it.optional), None)
    return sure is None or not sure.within.isdisjoint(names)


def names_in(value: Any, deep: int = 3) -> set[str]:
    """The names of the fields of a record, and of those in what it holds, down to this depth."""
    first = value[0] if isinstance(value, list) and value else value
    if not isinstance(first, Mapping):
        return set()
    return set(first).union(*(names_in(each, deep - 1) for each in islice(first.values(), _WIDE))) if deep else set()


def _rows(source: Source, by: Map, most: int) -> Iterator[Row]:
    return table_rows.first(source, by.file, most)


def _check(by: Map, name: str, declared: list[str] | None, rows: Sequence[Row]) -> None:
    for key, it in by.of_rows():
        _stands(by, name, key, it, declared, rows)
    for column in sorted(by.leave_out):
        if declared is not None and column not in declared:
            raise _missing(by, "leave_out", column, name, declared)
    if by.rows != "messages":
        _is_list(by, rows)
        _is_transcript(by, rows)
        held = _messages(by, rows)
        for key, it in by.of_messages():
            _stands(by, f"a message of {name}", key, it, None, held)
    _counts(by, rows)
    _times(by, rows if by.rows == "messages" else _messages(by, rows))


def _stands(by: Map, name: str, key: str, it: Pointer, declared: list[str] | None, rows: Sequence[Row]) -> None:
    """Raise if a column of the map exists in no row."""
    if it.optional or it.constant is not None:
        return
    if declared is not None:
        places = [place for place in (it, *it.others) if place.name in declared or place.steps[0] in declared]
        if not places:
            raise _missing(by, key, it.name, name, declared)
        if any(place.name in declared for place in places) or not any(row.get(str(it.steps[0])) for row in rows):
            return
    if rows and not any(it.stands_in(row) for row in rows):
        names = list(dict.fromkeys(str(column) for row in rows for column in row))
        raise _missing(by, key, it.name, name, names)


def _missing(by: Map, key: str, column: str, name: str, names: Sequence[str]) -> SourceError:
    listed = ", ".join(each[:_LONGEST] for each in names[:_MOST_NAMES])
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    hint = f"It has: {listed}{more}." if names else "It has none."
    return SourceError(f"{by.where}, {key}: {name} has no column “{column}”.", hint)


def _is_list(by: Map, rows: Sequence[Row]) -> None:
    """Raise when what should be the list of messages is something else wherever there is anything."""
    if "messages" not in by.conversation:
        return
    getter = by.conversation["messages"].getter()
    held = [value for value in held_in(getter, rows) if value not in (None, "")]
    if held and not any(isinstance(value, list | dict) for value in held):
        said = f"“{by.conversation['messages'].said}” holds no list of messages but {_shown(held[0])}"
        hint = (
            'Name the column with the list, or write transcript = "COLUMN" for one text, '
            'or rows = "messages" when a row is one message.'
        )
        raise SourceError(f"{by.where}, conversation.messages: {said}.", hint)


def _is_transcript(by: Map, rows: Sequence[Row]) -> None:
    """Raise if what should be a transcript is none, or nobody speaks in it."""
    if "transcript" not in by.conversation:
        return
    it = by.conversation["transcript"]
    held = [value for value in map(it.getter(), rows) if value not in (None, "")]
    texts = [value for value in held if isinstance(value, str)]
    if held and not texts:
        hint = 'Write messages = "COLUMN" for a list of messages.'
        raise SourceError(
            f"{by.where}, conversation.transcript: “{it.said}” holds no text but {_shown(held[0])}.", hint
        )
    turns = turns_of(by)
    if texts and not any(turns.begin_in(markup.plain(text) if by.html else text) for text in texts):
        said = f"“{it.said}” begins no line with a speaker whom the map names: {_shown(texts[0])}"
        raise SourceError(
            f"{by.where}, conversation.transcript: {said}.", "Write the words before the colon below [speakers]."
        )


def held_in(getter: Callable[[Row], Any], rows: Sequence[Row]) -> Iterator[Any]:
    """Yield the value at a place in each row, parsed where it is JSON in a string."""
    return (unfolded(value.strip()) if isinstance(value := getter(row), str) else value for row in rows)


def _messages(by: Map, rows: Sequence[Row]) -> list[Row]:
    if "messages" not in by.conversation:
        return []
    getter = by.conversation["messages"].getter()
    lists = (value for value in held_in(getter, rows) if isinstance(value, list))
    return list(islice((each for value in lists for each in value if isinstance(each, Mapping)), LOOKED_AT))


def _counts(by: Map, rows: Sequence[Row]) -> None:
    """Raise when what should be a number is none wherever there is anything."""
    wanted = [(f"conversation.{name}", by.conversation.get(name)) for name in _COUNTS]
    if by.rows == "messages":
        wanted += [(f"message.{name}", by.message.get(name)) for name in _COUNTS]
    for key, it in wanted:
        if it is None:
            continue
        getter = it.getter()
        held = [value for value in map(getter, rows) if value not in (None, "")]
        if held and all(cell_values.number_in(value) is None for value in held):
            said = f"“{it.said}” holds no number but {_shown(held[0])}"
            raise SourceError(f"{by.where}, {key}: {said}.", "Name a column of numbers, or take the line out.")


def _times(by: Map, messages: Sequence[Row]) -> None:
    """Raise when times are seconds from something, and the map does not say from what, or are written otherwise."""
    it = by.message.get("time")
    if it is None or "time_since" in by.message:
        return
    getter = it.getter()
    way = by.file.times
    told = [value for value in map(getter, messages) if value not in (None, "")] if way else []
    if way and told and all(cell_values.written(value, way) is None for value in told):
        hint = 'Write times as in "%d.%m.%Y %H:%M:%S".'
        raise SourceError(f"{by.where}, file.times: “{it.said}” holds no time so written but {_shown(told[0])}.", hint)
    held = [cell_values.number_in(value) for value in map(getter, messages) if value not in (None, "")]
    if held and all(number is not None and abs(number) < cell_values.FIRST_TIME for number in held):
        hint = 'Write time_since = "COLUMN" for when these seconds began, or take the line out.'
        raise SourceError(f"{by.where}, message.time: “{it.said}” holds no times but numbers such as {held[0]}.", hint)


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return f"text (“{value[:_LONGEST]}{'…' if len(value) > _LONGEST else ''}”)"
    return {bool: "true or false", int: "a number", float: "a number", dict: "an object"}.get(type(value), "a list")
