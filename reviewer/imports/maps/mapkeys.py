"""The keys of a map: read from TOML, each checked, with one sentence for whatever is wrong; the shipped maps by name.

An error names the map, the key and what to write instead, so that nobody needs a page of documentation to correct it.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from reviewer.basics import toml
from reviewer.basics.errors import SourceError
from reviewer.basics.resources import data_dir
from reviewer.imports.maps import cell_values
from reviewer.imports.maps.mapfile import ROWS, SPEAKERS, FileWishes, HeadMessage, Map, ScoreWish, Speaker
from reviewer.imports.maps.paths import Pointer, first_of, pointer
from reviewer.imports.path_patterns import pattern
from reviewer.transcripts.store.foreign_files import Join

_TOKENS = ("tokens_in", "tokens_out", "tokens_reasoning", "tokens_cached", "cost")
_CONVERSATION = (
    *("id", "messages", "transcript", "model", "case", "run", "started", "ended", "ended_by", "error"),
    *_TOKENS,
)
_MESSAGE = (
    *("speaker", "text", "time", "time_since", "order", "name", "reasoning", "tool_calls", "tool_results"),
    *_TOKENS,
)
_CALL = ("name", "arguments", "id", "result", "error", "time")
_RESULT = ("text", "id", "name", "error", "ok", "time")
_HEAD = ("speaker", "text", "time", "name", "reasoning", *_TOKENS)
_TURN = {name: Pointer(f"{name}?", name, (name,), optional=True) for name in ("speaker", "text", "time")}
"""The columns of what a transcript is parted into."""
_SCORE = ("each", "name", "value", "judge", "note")
_FILE = ("table", "join", "calls", "records", "delimiter", "quote", "escape", "encoding", "times", "path_pattern")
_KEYS = (
    *("title", "rows", "leave_out", "file", "conversation", "message", "call", "result", "speakers", "head"),
    *("scores", "metadata", "skip"),
)
_WAYS = 'Write rows = "messages", "conversations" or "parts" (a row holds some messages of a conversation).'
_QUOTED = "Write the name of a column in quotes, or =word for a word that stands for itself."


def load(name_or_path: str) -> Map:
    """The map of that name among the shipped ones, else the one in that file."""
    if name_or_path in shipped():
        return _shipped(name_or_path)
    path = Path(name_or_path)
    if not path.is_file():
        raise SourceError(
            f"There is no map “{name_or_path}”.",
            f"Shipped maps: {', '.join(shipped())}; or name a file, which `reviewer map FILE -o map.toml` drafts.",
        )
    return _from_file(path, str(path))


@cache
def shipped() -> list[str]:
    """Names of the maps that come with the program."""
    return sorted(path.stem for path in (data_dir() / "maps").glob("*.toml"))


@cache
def _shipped(name: str) -> Map:
    return _from_file(data_dir() / "maps" / f"{name}.toml", f"the map {name}")


def _from_file(path: Path, where: str) -> Map:
    try:
        return parse(path.read_text(encoding="utf-8-sig"), where, path.stem)
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: byte {error.start} is not UTF-8.", "Save it as UTF-8.") from None
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.", "Check its permissions.") from error


def parse(text: str, where: str = "map.toml", name: str = "map") -> Map:
    """Read a map; raises one sentence with the key that is wrong."""
    try:
        told = toml.table_of(text)
    except toml.NotTomlError as error:
        raise SourceError(f"{where}: not TOML ({error}).", "Correct that line; words stand in quotes.") from None
    return _MapCheck(where, name, text, told).map()


class _MapCheck:
    """Checks the keys of one map."""

    def __init__(self, where: str, name: str, text: str, told: Mapping[str, Any]) -> None:
        self._where, self._name, self._text, self._told = where, name, text, told

    def map(self) -> Map:
        """Check all keys and return the map."""
        told = self._told
        self._known(told, _KEYS, "")
        rows = told.get("rows")
        if rows not in ROWS:
            raise self._wrong("rows", "it is missing" if rows is None else f"there is no “{rows}”", _WAYS)
        message = self._table("message")
        conversation = self._columns("conversation", _CONVERSATION)
        held = Map(
            *(self._where, self._name, str(told.get("title") or self._name)),
            next(each for each in ROWS if each == rows),
            *(self._text, self._file()),
            conversation=conversation,
            message=self._message(conversation),
            html=self._flag("message.html", message.get("html")),
            heads=tuple(self._heads()),
            call=self._columns("call", _CALL),
            result=self._columns("result", _RESULT),
            **self._speakers(),
            scores=tuple(self._scores()),
            metadata=self._columns("metadata", None),
            skip=self._skip(),
            leave_out=frozenset(self._words("leave_out", told.get("leave_out", []))),
        )
        self._agree(held)
        return held

    def _message(self, conversation: Mapping[str, Pointer]) -> Mapping[str, Pointer]:
        told = self._columns("message", (*_MESSAGE, "html"), but=("html",))
        calls = self._file().calls
        if calls is not None and "tool_calls" not in told:
            told = {**told, "tool_calls": Pointer(calls.table, calls.table, (calls.table,), optional=True)}
        if "transcript" not in conversation:
            return told
        if told:
            reason = "a transcript is one text, so that no column says more of a message"
            raise self._wrong(f"message.{next(iter(told))}", reason, "Take it out; html = true may stay.")
        return _TURN

    def _agree(self, it: Map) -> None:
        """Check the keys that depend on each other."""
        if it.rows == "messages":
            if "text" not in it.message and not it.call:
                raise self._wrong("message.text", "it is missing", 'Write text = "COLUMN" below [message].')
            if it.lists:
                hint = 'Take it out, or write rows = "conversations".'
                raise self._wrong(f"conversation.{it.lists[0]}", "with a row a message there is none", hint)
        elif not it.lists and not it.heads:
            hint = 'Write messages = "COLUMN": the one with the list.'
            raise self._wrong("conversation.messages", "it is missing", hint)
        if it.file.calls is not None:
            id = it.conversation.get("id")
            if it.rows != "messages" or (id is not None and id.name == it.file.calls.by):
                reason = "a call belongs to a message, and nothing here names the message"
                hint = 'Write rows = "messages", and behind the = the column with the id of the message.'
                raise self._wrong("file.calls", reason, hint)
        if len(it.lists) > 1:
            raise self._wrong("conversation.transcript", "there are messages as well", "Take one of them out.")
        if it.rows == "parts" and "id" not in it.conversation:
            raise self._wrong("conversation.id", "it is missing", 'Write id = "COLUMN", which ties the parts together.')
        if it.message and "text" not in it.message:
            raise self._wrong("message.text", "it is missing", 'Write text = "COLUMN" below [message].')
        if it.names_speakers and not ("speaker" in it.message or it.heads):
            raise self._wrong("speakers", "no column says who speaks", 'Write speaker = "COLUMN" below [message].')

    def _speakers(self) -> dict[str, Any]:
        table = self._table("speakers")
        self._known(table, (*SPEAKERS, "default"), "speakers")
        fixed: dict[str, Speaker] = {}
        columns: list[tuple[Pointer, Speaker]] = []
        first: Speaker | None = None
        for who in SPEAKERS:
            for word in self._words(f"speakers.{who}", table.get(who, []), numbers=True):
                if word == "@first":
                    first = who
                elif word.startswith("@"):
                    columns.append((self._column(f"speakers.{who}", word[1:]), who))
                elif fixed.setdefault(word.strip().lower(), who) != who:
                    reason = f"“{word}” is {fixed[word.strip().lower()]} already"
                    raise self._wrong(f"speakers.{who}", reason, "Take it out of one of them.")
        default = table.get("default", "other")
        if default not in SPEAKERS:
            raise self._wrong("speakers.default", f"there is no “{default}”", f"It is one of {', '.join(SPEAKERS)}.")
        return {"speakers": fixed, "by_column": tuple(columns), "first": first, "default": default}

    def _heads(self) -> Iterator[HeadMessage]:
        held = self._told.get("head", [])
        for n, table in enumerate(held if isinstance(held, list) else [held], start=1):
            if not isinstance(table, Mapping):
                raise self._wrong("head", "it is not a table", "Write [[head]] and its columns below.")
            self._known(table, (*_HEAD, "html"), f"head {n}")
            columns = {key: self._column(f"head {n}.{key}", table[key]) for key in _HEAD if key in table}
            if "text" not in columns:
                raise self._wrong(f"head {n}.text", "it is missing", 'Write text = "COLUMN" below [[head]].')
            yield HeadMessage(columns, self._flag(f"head {n}.html", table.get("html")))

    def _scores(self) -> Iterator[ScoreWish]:
        for name, table in self._table("scores").items():
            key = f"scores.{name}"
            if isinstance(table, str | list):
                yield ScoreWish(name, {"value": self._column(key, table)}, {})
                continue
            if not isinstance(table, Mapping):
                raise self._wrong(key, "it is neither a column nor a table", f'Write {name} = "COLUMN".')
            self._known(table, (*_SCORE, "numbers"), key)
            columns = {each: self._column(f"{key}.{each}", table[each]) for each in _SCORE if each in table}
            if "value" not in columns:
                raise self._wrong(f"{key}.value", "it is missing", f'Write value = "COLUMN" below [{key}].')
            numbers = table.get("numbers", {})
            if not isinstance(numbers, Mapping) or not all(isinstance(n, int | float) for n in numbers.values()):
                raise self._wrong(
                    f"{key}.numbers", "it is not a table of numbers", "Write { success = 1, failure = 0 }."
                )
            yield ScoreWish(name, columns, {word.lower(): float(n) for word, n in numbers.items()})

    def _skip(self) -> dict[str, tuple[Pointer, frozenset[str]]]:
        skipped = {}
        for name, words in self._table("skip").items():
            told = self._words(f"skip.{name}", words, numbers=True)
            skipped[name] = (self._column(f"skip.{name}", name), frozenset(word.strip().lower() for word in told))
        return skipped

    def _file(self) -> FileWishes:
        table = self._table("file")
        self._known(table, _FILE, "file")
        for key, value in table.items():
            if key == "records":
                continue
            if not isinstance(value, str) or not value:
                raise self._wrong(f"file.{key}", "it is not a word in quotes", f'Write {key} = "...".')
            if key in ("delimiter", "quote", "escape") and len(value) != 1:
                raise self._wrong(f"file.{key}", f"“{value}” is not one character", f'Write {key} = ";", say.')
        try:
            "".encode(table.get("encoding", "utf-8"))
        except LookupError:
            hint = 'Write encoding = "cp1252", say, or leave it out for UTF-8.'
            raise self._wrong("file.encoding", f"there is no “{table['encoding']}”", hint) from None
        if "times" in table and not cell_values.is_way(table["times"]):
            hint = 'Write times = "%d.%m.%Y %H:%M:%S", say, or leave it out for ISO times.'
            raise self._wrong("file.times", f"“{table['times']}” is not a way to write times", hint)
        records = self._column("file.records", table["records"]) if "records" in table else None
        join = self._join("join", table["join"]) if "join" in table else None
        calls = self._join("calls", table["calls"]) if "calls" in table else None
        paths = pattern(table["path_pattern"], f"{self._where}, file.path_pattern") if "path_pattern" in table else None
        told = {**table, "records": records, "join": join, "calls": calls, "path_pattern": paths}
        if codecs.lookup(table.get("encoding", "utf-8")).name == "utf-16":  # read as UTF-8, whatever the map says
            del told["encoding"]
        return FileWishes(**told)

    def _join(self, name: str, said: str) -> Join:
        other, _, by = (each.strip() for each in said.partition("="))
        table, _, key = other.rpartition(".")
        if not (table and key and by):
            shown = "tool_calls.message_id = id" if name == "calls" else "conversations.id = conversation_id"
            hint = f'Write {name} = "{shown}", say.'
            raise self._wrong(f"file.{name}", f"“{said}” is not a TABLE.COLUMN = COLUMN", hint)
        return Join(table, key, by)

    def _columns(self, section: str, known: tuple[str, ...] | None, but: tuple[str, ...] = ()) -> dict[str, Pointer]:
        table = self._table(section)
        if known is not None:
            self._known(table, known, section)
        return {key: self._column(f"{section}.{key}", value) for key, value in table.items() if key not in but}

    def _column(self, key: str, value: Any) -> Pointer:
        held = value if isinstance(value, list) and value else [value]
        pointers = [pointer(each) if isinstance(each, str) else None for each in held]
        named = [each for each in pointers if each is not None]
        if len(named) < len(pointers):
            raise self._wrong(key, "it names no column", _QUOTED)
        return first_of(named) if len(named) > 1 else named[0]

    def _table(self, key: str) -> Mapping[str, Any]:
        value = self._told.get(key, {})
        if not isinstance(value, Mapping):
            raise self._wrong(key, "it is not a table", f"Write [{key}] and its keys below.")
        return value

    def _flag(self, key: str, value: Any) -> bool:
        if value is not None and not isinstance(value, bool):
            raise self._wrong(key, "it is neither true nor false", f"Write {key.rpartition('.')[2]} = true.")
        return bool(value)

    def _words(self, key: str, value: Any, numbers: bool = False) -> list[str]:
        held = value if isinstance(value, list) else [value]
        kinds = (str, int) if numbers else (str,)
        if not all(isinstance(each, kinds) for each in held):
            raise self._wrong(key, "it is not a list of words", f'Write {key.rpartition(".")[2]} = ["...", "..."].')
        return [str(each).lower() if isinstance(each, bool) else str(each) for each in held]

    def _known(self, table: Mapping[str, Any], known: tuple[str, ...], section: str) -> None:
        for key in table:
            if key not in known:
                name = f"{section}.{key}" if section else key
                raise self._wrong(name, "no map has such a key", f"There may be: {', '.join(known)}.")

    def _wrong(self, key: str, reason: str, hint: str) -> SourceError:
        return SourceError(f"{self._where}, {key}: {reason}.", hint)
