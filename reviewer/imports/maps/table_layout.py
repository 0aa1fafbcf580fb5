"""Where the rows of a table lie in its file, as far as that shows: a page, one of its tables, an encoding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from reviewer.basics.errors import SourceError
from reviewer.imports.maps import guesses, table_rows
from reviewer.imports.maps.column_names import squashed
from reviewer.imports.maps.mapfile import FileWishes
from reviewer.imports.maps.paths import STAR, pointer, quoted
from reviewer.imports.maps.profiles import Profiles, profiled
from reviewer.imports.source import Source
from reviewer.transcripts.store import foreign_files
from reviewer.transcripts.store.foreign_files import EndlessViewError, Join

LOOKED_AT = 1_000
_FEW = 200
_MOST_TABLES = 50
_PAGES = ("data", "records", "items", "results", "rows", "conversations", "tickets", "messages", "calls", "chats")
_LONGEST_LETTER = 4
"""Bytes of UTF-8."""
_OLD = "cp1252"


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a file, and what to say of it."""

    wishes: FileWishes = field(default_factory=FileWishes)
    lines: tuple[str, ...] = ()
    """Of the map, below `[file]`."""
    notes: tuple[str, ...] = ()


def first_rows(source: Source, wishes: FileWishes, most: int = LOOKED_AT) -> list[Mapping[str, Any]]:
    """The first rows that can be read."""
    return list(table_rows.first(source, wishes, most))


def layout(source: Source, table: str | None) -> Layout:
    """Find out how a file is laid out."""
    kind = table_rows.kind_of(source)
    if kind == "sqlite":
        return _of_tables(source, table)
    if kind == "json":
        rows = ((place, row) for place, row in table_rows.rows(source) if isinstance(row, Mapping))
        place, first = next(rows, ("", {}))
        page = next((key for key in _PAGES if _is_page(first, key)), None)
        if page is not None:
            return Layout(FileWishes(records=pointer(page)), (f'records = "{page}[]"',))
        records = _records(first) if place == "the document" else None
        if records is not None:
            return Layout(FileWishes(records=pointer(records)), (f"records = {quoted(records)}",))
    elif kind != "parquet":
        old = not _is_utf8(source.head)
        wishes = FileWishes(encoding=_OLD) if old else FileWishes()
        guess = f"the file is not UTF-8: that it is {_OLD}, as older Windows programs write, is a guess"
        notes = filter(None, (guess if old else "", table_rows.unfilled(source, wishes)))
        return Layout(wishes, (f'encoding = "{_OLD}"',) if old else (), tuple(notes))
    return Layout()


def _records(document: Mapping[str, Any]) -> str | None:
    """Where a document holds records by their names: itself, or the first field that does; None if none does."""
    if _has_records(document):
        return f"{STAR}{_exchanged(document)}"
    own_list = any(isinstance(value, list) and value and isinstance(value[0], Mapping) for value in document.values())
    fields = [] if own_list else [key for key in document if (it := pointer(key)) and it.steps == (key,)]
    name = next((key for key in fields if _has_records(document[key])), None)
    return None if name is None else f"{name}.{STAR}{_exchanged(document[name])}"


def _has_records(value: Any) -> bool:
    """True if an object holds several records by their names: objects with lists of objects, and fields in common."""
    held = list(islice(value.values(), _FEW)) if isinstance(value, Mapping) else []
    if len(held) < 2 or not all(isinstance(each, Mapping) for each in held):
        return False
    lists = profiled(held).lists
    return bool(lists) and bool(set(held[0]).intersection(*held[1:]))


def _exchanged(value: Mapping[str, Any]) -> str:
    """The path from a record to its list of questions with their answers; empty where it has none."""
    seen = profiled(each for each in islice(value.values(), _FEW))
    lists = [path for path, held in seen.lists.items() if guesses.exchange_columns(profiled(held)) is not None]
    return f".{lists[0]}[]" if lists and not any(map(guesses.is_chat, seen.lists.values())) else ""


def _is_utf8(head: bytes) -> bool:
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start > len(head) - _LONGEST_LETTER
    return True


def _of_tables(source: Source, table: str | None) -> Layout:
    """The table with the messages, and the one that says more of their conversations."""
    held = foreign_files.tables(source.path)
    if not held:
        return Layout()
    endless = ""
    if table is not None or len(held) == 1:
        chosen = table or held[0]
        seen = {chosen: _seen(source, chosen)}
    else:
        seen, endless = _all_seen(source, held[:_MOST_TABLES])
        chosen = max(seen, key=lambda name: _rank(seen[name]))
        if not _rank(seen[chosen]):
            raise SourceError(
                f"{source.name} has several tables: {', '.join(held)}.", endless or "Say which: --table NAME."
            )
    rest = [name for name in held if name != chosen]
    join = _join({name: each for name, each in seen.items() if name != chosen}, seen[chosen])
    lines = [f"table = {quoted(chosen)}"]
    if join is not None:
        lines.append(f"join = {quoted(f'{join.table}.{join.key} = {join.by}')}")
        rest.remove(join.table)
    notes = [endless] if endless else []
    notes += [f"table {chosen} is read, with what {join.table} says of each conversation"] if join else []
    if rest and table is None:
        notes.append(f"tables that are not read: {', '.join(rest)} (--table NAME drafts a map of another)")
    notes += [
        f'{name} may hold calls: calls = "{name}.COLUMN = COLUMN" below [file] ties them to messages by an id'
        for name in rest
        if "call" in name.lower() and name.isidentifier()
    ]
    return Layout(FileWishes(table=chosen, join=join), tuple(lines), tuple(notes))


def _all_seen(source: Source, tables: Sequence[str]) -> tuple[dict[str, Profiles], str]:
    """What is in the tables up to the first endless view, and what is wrong with that; views are the last of them."""
    seen: dict[str, Profiles] = {}
    for name in tables:
        try:
            seen[name] = _seen(source, name)
        except EndlessViewError as error:
            if not seen:
                raise
            return seen, error.message
    return seen, ""


def _seen(source: Source, table: str) -> Profiles:
    return profiled(first_rows(source, FileWishes(table=table), _FEW))


def _rank(seen: Profiles) -> int:
    """Rank how much a table looks like messages or conversations."""
    columns = guesses.message_columns(seen).by_key
    if "text" in columns and columns["text"].sure and "speaker" in columns and columns["speaker"].sure:
        return 4
    if any(guesses.is_chat(held) for held in seen.lists.values()):
        return 3
    if guesses.transcript_column(seen) is not None:
        return 2
    return int(guesses.exchange_columns(seen) is not None)


def _join(others: Mapping[str, Profiles], own: Profiles) -> Join | None:
    """The table a row of which is what an id of the messages names."""
    tied = guesses.GuessedColumns()
    guesses.tie(tied, own)
    if "id" not in tied.by_key:
        return None
    by = own.columns[tied.by_key["id"].path]
    best: tuple[bool, int, Join] | None = None
    for name, seen in others.items():
        for it in seen.columns.values():
            shared = len(by.words.keys() & it.words.keys())
            if it.said == seen.rows == len(it.words) and it.word in ("id", "uuid", by.word):
                named = squashed(name).removesuffix("s") in by.word
                if (named and shared) or 2 * shared > len(by.words):
                    best = max(best or (False, 0, Join("", "", "")), (named, shared, Join(name, it.path, by.path)))
    return None if best is None else best[2]


def _is_page(first: Mapping[str, Any], key: str) -> bool:
    """True if an object is only an envelope around rows, not a conversation with a list of messages."""
    held = first.get(key)
    others = [
        name for name, value in first.items() if name != key and isinstance(value, list | str) and len(value) > 40
    ]
    is_rows = isinstance(held, list) and bool(held) and all(isinstance(each, Mapping) for each in held)
    named = any("id" in name.lower() for name in first)
    return is_rows and not others and not named and not guesses.is_chat(held or ())
