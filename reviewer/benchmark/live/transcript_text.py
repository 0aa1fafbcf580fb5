"""A conversation as a judge or a reader is given it: who said what, which calls were made and what they returned. Pure.

Messages, calls and results begin with marked lines. The mark is made of the texts and stands in none of them, so that
nobody in the conversation can write what passes for another's message. What an agent thought to itself is left out: the
customer never saw it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from reviewer.benchmark.live import prompt_files
from reviewer.transcripts.model import Message, ToolCall

_LONGEST = 4000
"""Characters of one call's result that a judge is shown."""
_DIGITS = 10


class _Part(NamedTuple):
    """A part of a record: what its marked line says, which no conversation decides, and its text."""

    head: str
    text: str = ""


def transcript(messages: Iterable[Message], policy: str = "") -> str:
    """The conversation as text, its messages numbered; a system message that only repeats the policy is left out."""
    parts = [*_parts(messages, policy), _Part("end of the record")]
    mark = _mark([part.text for part in parts])
    lines = (f"{mark} {part.head}" + (f"\n{part.text}" if part.text else "") for part in parts)
    return prompt_files.record(mark, "\n".join(lines))


def _mark(texts: list[str]) -> str:
    """A mark that stands in none of these texts; the same one for the same texts."""
    made = hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass"))
    while True:
        mark = f"[[{made.hexdigest()[:_DIGITS]}]]"
        if not any(mark in text for text in texts):
            return mark
        made.update(b"again")


def _parts(messages: Iterable[Message], policy: str) -> Iterator[_Part]:
    for number, message in enumerate(messages, start=1):
        if message.role == "system" and policy and policy in message.text:
            continue
        text = message.text.strip()
        empty = "" if text or message.calls else ", empty"
        yield _Part(f"message {number}, {message.role}{empty}", text)
        for at, call in enumerate(message.calls, start=1):
            yield from _parts_of_call(f"message {number}, {{}} call {at}", call)


def _parts_of_call(head: str, call: ToolCall) -> Iterator[_Part]:
    yield _Part(head.format("its"), f"{call.name}({call.arguments or ''})")
    if call.result is None:
        yield _Part(head.format("no result of"))
    else:
        cut = f", its first {_LONGEST:,} of {len(call.result):,} characters" if len(call.result) > _LONGEST else ""
        yield _Part(f"{head.format('result of')}{cut}", call.result[:_LONGEST])
    if call.error:
        yield _Part(head.format("error of"), call.error)
