"""Tools told as spans of a trace: results for the calls that wait for one, and calls that no message made.

Whatever their number, each is looked up: a trace may tell of many thousands.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from reviewer.imports.messages.content import kind_of
from reviewer.imports.messages.trace_tree import SpanTree, TraceSpan
from reviewer.imports.source import compact, unfolded
from reviewer.transcripts.model import Message, ToolCall

_TAG = re.compile(r"(?: ?</?\w+>)+$")
_LONGEST_TAGS = 200
_SHORT = 1 << 18
"""Characters of texts that are worth remembering in short."""

CallKey = tuple[str, str]


def with_tools(messages: Sequence[Message], spans: Sequence[TraceSpan], tree: SpanTree) -> tuple[Message, ...]:
    """The messages and what spans of tools told, in order of time: results that calls wait for, calls of no message."""
    told = _Told(messages)
    for span in spans:
        if span.tool is None:
            continue
        waiting = told.waiting_for(span.tool)
        if waiting is not None:
            told.answer(waiting, span.tool, span.end)
        elif not told.knows(span.tool):
            alone = Message("other", source_role="tool", name=tree.agent_of(span), at=span.start or None)
            told.put(alone, span.tool, tree.cause(span), span.start)
    return told.messages()


def call_key(call: ToolCall) -> CallKey:
    """A call's name and arguments, however they are spaced, and whether or not they are wrapped as an input."""
    given = unfolded(call.arguments)
    if isinstance(given, dict):
        given = given["input"] if given.keys() == {"input"} and isinstance(given["input"], dict) else given
        return call.name, compact(given)
    return call.name, bare(call.arguments or "")


def bare(text: str) -> str:
    """A text by which a repetition is known: blanks and the closing tag of a stop sequence aside."""
    return _remembered(text) if len(text) < _SHORT else _stripped(text)


def _stripped(text: str) -> str:
    text = " ".join(text.split())
    return text[:-_LONGEST_TAGS] + _TAG.sub("", text[-_LONGEST_TAGS:])


_remembered = lru_cache(64)(_stripped)
"""Each call of a model repeats what was said before it."""


class _Told:
    """The messages of a conversation and the calls that they made, found by id and by what they call.

    A message has a number; those that are put between the others have the numbers after them, and stand in the list of
    the gap that they fill: before the message of that number.
    """

    def __init__(self, messages: Sequence[Message]) -> None:
        self._count = len(messages)
        self._said = [(message, list(message.calls)) for message in messages]
        self._put: defaultdict[int, list[int]] = defaultdict(list)
        self._gap: dict[int, int] = {}
        self._later = 0
        """How many of the first messages were said before the last call that was put by its time."""
        self._by_id: dict[str, int] = {}
        self._by_key: dict[CallKey, int] = {}
        """The first message with a call."""
        self._open_ids: defaultdict[str, deque[tuple[int, int]]] = defaultdict(deque)
        self._open_keys: defaultdict[tuple[CallKey, str], deque[tuple[int, int]]] = defaultdict(deque)
        """The calls that may wait for a result: message and position."""
        for number in range(self._count):
            self._learn(number)

    def waiting_for(self, tool: ToolCall) -> tuple[int, int] | None:
        """The first call that waits for what this tool told."""
        if tool.result is None:
            return None
        own = kind_of(tool.id)
        key = call_key(tool)
        kinds = [kind for kind in ("", "call", "item") if not own or kind != own]
        open_ = [self._open_keys[key, kind] for kind in kinds if (key, kind) in self._open_keys]
        if tool.id and tool.id in self._open_ids:
            open_.append(self._open_ids[tool.id])
        for queue in open_:
            while queue and not self._waits(queue[0]):
                queue.popleft()
        first = (queue[0] for queue in open_ if queue)
        return min(first, key=lambda at: (self._place(at[0]), at[1]), default=None)

    def answer(self, at: tuple[int, int], tool: ToolCall, end: str | None) -> None:
        """Give a call its result."""
        number, index = at
        calls = self._said[number][1]
        extra = {**(calls[index].extra or {}), **({"result_at": end} if end else {})} or None
        calls[index] = replace(calls[index], result=tool.result, error=tool.error, at=tool.at, extra=extra)

    def knows(self, tool: ToolCall) -> bool:
        """True if a message made this call."""
        return bool(tool.id and tool.id in self._by_id) or call_key(tool) in self._by_key

    def put(self, alone: Message, tool: ToolCall, cause: ToolCall | None, start: str) -> None:
        """Add a call that no message made: after the call it was made for, else by its time."""
        number, known = len(self._said), []
        if cause is not None:
            made = (self._by_id.get(cause.id or ""), self._by_key.get(call_key(cause)))
            known = [self._place(each) for each in made if each is not None]
        if known:
            at, is_message, index = min(known)
            gap, index = (at + 1, 0) if is_message else (at, index + 1)
        else:
            gap = self._count if cause is not None else self._first_after(start)
            index = len(self._put[gap])
        self._put[gap].insert(index, number)
        self._gap[number] = gap
        self._said.append((alone, [tool]))
        self._learn(number)

    def messages(self) -> tuple[Message, ...]:
        """All of them, in order."""
        order = [each for number in range(self._count) for each in (*self._put.get(number, ()), number)]
        order += self._put.get(self._count, ())
        return tuple(replace(self._said[number][0], calls=tuple(self._said[number][1])) for number in order)

    def _learn(self, number: int) -> None:
        for index, call in enumerate(self._said[number][1]):
            key = call_key(call)
            self._by_key.setdefault(key, number)
            self._open_keys[key, kind_of(call.id)].append((number, index))
            if call.id:
                self._by_id.setdefault(call.id, number)
                self._open_ids[call.id].append((number, index))

    def _waits(self, at: tuple[int, int]) -> bool:
        call = self._said[at[0]][1][at[1]]
        return call.result is None and not call.orphan

    def _first_after(self, start: str) -> int:
        """The first message said after a time; the times that are asked for must not go backwards."""
        if not start:
            return self._count
        while self._later < self._count and (self._said[self._later][0].at or "") <= start:
            self._later += 1
        return self._later

    def _place(self, number: int) -> tuple[int, bool, int]:
        if number < self._count:
            return number, True, 0
        gap = self._gap[number]
        return gap, False, self._put[gap].index(number)
