"""Calls and results as the columns of a table have them -> calls and answers, by a map's `[call]` and `[result]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reviewer.imports.maps import cell_values
from reviewer.imports.maps.mapfile import Map
from reviewer.imports.maps.paths import Getter, Row
from reviewer.imports.messages.content import Answer, answer_of, call_id, call_of, raw
from reviewer.transcripts.model import Json, ToolCall


class CallColumns:
    """The columns of a map that hold calls and results, and how they are read."""

    def __init__(self, by: Map) -> None:
        self._calls = by.message["tool_calls"].getter() if "tool_calls" in by.message else None
        self._results = by.message["tool_results"].getter() if "tool_results" in by.message else None
        self._call = {name: it.getter() for name, it in by.call.items()}
        self._result = {name: it.getter() for name, it in by.result.items()}
        self._way = by.file.times
        self._name = by.message["name"].getter() if "name" in by.message else None
        self.any = bool(self._calls or self._results or self._call)
        """Whether messages may make calls at all."""
        calls = [] if self._calls else list(by.call.values())
        results = [] if self._results else list(by.result.values())
        self.used: frozenset[str] = frozenset().union(*(it.tops for it in (*calls, *results)))
        """The columns of a message that are read here whole."""

    def calls(self, each: Row) -> tuple[ToolCall, ...]:
        """The calls that a message makes."""
        if self._calls is not None:
            held = cell_values.listed_in(self._calls(each), "tool_calls")
            return tuple([self._one(call) if isinstance(call, Mapping) else ToolCall("", raw(call)) for call in held])
        if not self._call:
            return ()
        made = self._one(each)
        return (made,) if made.name or made.arguments or made.result else ()

    def answers(self, each: Row) -> list[Answer]:
        """The results that stand beside a message's calls."""
        if self._results is None:
            return []
        held = cell_values.listed_in(self._results(each), "tool_results")
        return [
            self.answer(one, "", None, None) if isinstance(one, Mapping) else Answer(raw(one) or "") for one in held
        ]

    def answer(self, each: Row, text: str, at: str | None, extra: Json | None) -> Answer:
        """A result: a row of its own, or an element of a message's list."""
        get = self._result
        if not get and not text and at is None:
            return answer_of(each)
        said = raw(get["text"](each)) if "text" in get else None
        result = text if said is None else said
        failed = ("error" in get and not cell_values.says_no(get["error"](each))) or (
            "ok" in get and get["ok"](each) is not None and cell_values.says_no(get["ok"](each))
        )
        id = cell_values.words_of(get["id"](each)) if "id" in get else call_id({**each, "role": ""})
        name = _words(get, "name", each) or (cell_values.words_of(self._name(each)) if self._name else None)
        when = cell_values.time_in(get["time"](each), way=self._way) if "time" in get else at
        return Answer(
            result,
            id,
            name,
            _failure(get["error"](each) if "error" in get else None, result) if failed else None,
            when,
            extra,
        )

    def _one(self, call: Mapping[str, Any]) -> ToolCall:
        get = self._call
        if not get:
            return call_of(call)
        result = (raw(get["result"](call)) if "result" in get else None) or None
        arguments = (raw(get["arguments"](call)) if "arguments" in get else None) or None
        error = get["error"](call) if "error" in get else None
        at = cell_values.time_in(get["time"](call), way=self._way) if "time" in get else None
        said = _failure(error, result or "") if error is not None and not cell_values.says_no(error) else None
        return ToolCall(_words(get, "name", call) or "", arguments, result, said, _words(get, "id", call), at=at)


def _failure(error: Any, result: str) -> str:
    """Return the error message, where there is more than a flag."""
    flag = isinstance(error, bool | int) or cell_values.word_of(error) in ("true", "1", "yes")
    return (None if flag or error is None else cell_values.words_of(error)) or result or "error"


def _words(get: Mapping[str, Getter], name: str, row: Row) -> str | None:
    return cell_values.words_of(get[name](row)) if name in get else None
