"""Finding words in a conversation: every hit as a span of what is stored. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reviewer.model import Conversation, Part

MOST = 10_000
"""More hits than this are not collected; nobody steps through them."""


@dataclass(frozen=True, slots=True)
class Hit:
    """Characters of a message (from 1), or of a call of it (from 1)."""

    message: int
    call: int | None
    part: Part
    start: int
    end: int


def hits(conversation: Conversation, words: str, *, reasoning: bool, calls: bool) -> list[Hit]:
    """Where the words stand, in reading order; capitals matter only when the words have any."""
    if not words:
        return []
    pattern = re.compile(re.escape(words), 0 if words != words.lower() else re.IGNORECASE)
    found: list[Hit] = []
    for number, call, part, text in _texts(conversation, reasoning, calls):
        for match in pattern.finditer(text):
            found.append(Hit(number, call, part, *match.span()))
            if len(found) == MOST:
                return found
    return found


def _texts(conversation: Conversation, reasoning: bool, calls: bool) -> Iterator[tuple[int, int | None, Part, str]]:
    for number, message in enumerate(conversation.messages, start=1):
        if reasoning:
            yield number, None, "reasoning", message.reasoning
        yield number, None, "text", message.text
        for index, call in enumerate(message.calls if calls else (), start=1):
            yield number, index, "arguments", call.arguments or ""
            yield number, index, "result", call.result or ""
