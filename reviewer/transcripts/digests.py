"""Digests: what makes two conversations the same, and a quoted passage findable again.

All three are SHA-256 of ASCII-escaped canonical JSON and cover roles, texts, reasoning and calls, never names, times,
scores or paths. The digest of a conversation is the prefix digest of the message that would come after its last.
"""

from __future__ import annotations

import codecs
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator

from reviewer.transcripts.model import Message

_canonical = json.JSONEncoder(ensure_ascii=True, sort_keys=True, check_circular=False, separators=(",", ":")).encode

_ESCAPED = "reviewer.escaped"
"""How what is not ASCII is encoded: as JSON escapes it."""


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error(_ESCAPED, _escaped)


def _parts(message: Message) -> list[object]:
    calls = message.calls and [[c.name, c.arguments, c.result, c.error, c.orphan] for c in message.calls]
    return [message.role, message.text, message.reasoning, calls]


def _bytes(message: Message) -> bytes:
    return _canonical(_parts(message)).encode("ascii")


def message_digest(message: Message) -> str:
    """The digest of one message with its calls."""
    return hashlib.sha256(_bytes(message)).hexdigest()


def conversation_digest(messages: Iterable[Message], quickly: Callable[[object], str] | None = None) -> str:
    """The digest of a whole conversation: the prefix digest of all its messages, encoded in one go.

    `quickly` writes the same JSON, but for other alphabets, which are escaped afterwards.
    """
    text = (quickly or _canonical)([_parts(message) for message in messages])
    if quickly is not None:
        text = text.replace("\x7f", "\\u007f")  # the one ASCII character that only `_canonical` escapes
    return hashlib.sha256(text.encode("ascii", _ESCAPED)).hexdigest()


def prefix_digest(messages: Iterable[Message], before: int | None) -> str:
    """The digest of all messages before number `before` (from 1); of all of them for None."""
    running = hashlib.sha256(b"[")
    for number, message in enumerate(messages, start=1):
        if before is not None and number >= before:
            break
        if number > 1:
            running.update(b",")
        running.update(_bytes(message))
    running.update(b"]")
    return running.hexdigest()


def prefix_digests(messages: Iterable[Message]) -> Iterator[str]:
    """The prefix digest of every message in order, in one pass over all of them."""
    running = hashlib.sha256(b"[")
    for number, message in enumerate(messages):
        whole = running.copy()
        whole.update(b"]")
        yield whole.hexdigest()
        running.update(b"," * (number > 0) + _bytes(message))
