"""What stands in a text for what is no text: a picture, a sound, a file; and what stands for nothing. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reviewer.transcripts.model import Message

WORDS = frozenset(("text", "input_text", "output_text", "summary_text", "refusal", ""))
"""Kinds of blocks that hold words."""
_NAMED = (
    *("filename", "title", "path", "url", "uri", "image_url", "image", "file_id", "media_type", "mime_type"),
    *("format", "tool_name"),
)
_DATA = re.compile(r"data:([\w.+-]+/[\w.+-]+)?")
_LONGEST_NAME = 300
_FILE = re.compile(
    r".*(?:image|picture|photo|screenshot|audio|sound|voice|video|file|document|attachment|media|asset|upload)s?.*"
    r"|binary|blob|uri|inlineData|knowledge|tool_reference",
    re.IGNORECASE,
)
_MARKER = re.compile(r"(?:step|start|finish|end)[-_](?:step|start|finish|end)|cache[-_]?point|input_json_delta", re.I)
"""Where a step begins, up to where a prompt is cached, pieces of a call that stands beside them."""


def is_file(kind: str) -> bool:
    """True if a block of this kind is a picture, a sound, a file or another thing that a name stands for."""
    return _FILE.fullmatch(kind) is not None


def is_marker(block: Mapping[str, Any], kind: str) -> bool:
    """True if a block says nothing: it is empty, or marks a place."""
    name = kind or next(iter(block), "") if len(block) == 1 else kind
    return not block or _MARKER.fullmatch(name) is not None


def placeholder(block: Mapping[str, Any], kind: str) -> str:
    """The kind of a block, with its name, address or type where it has one."""
    within = [inner for inner in block.values() if isinstance(inner, dict)]
    places = (block, *within, *(deeper for inner in within for deeper in inner.values() if isinstance(deeper, dict)))
    for value in (place.get(key) for place in places for key in _NAMED):
        if isinstance(value, str) and value:
            packed = _DATA.match(value)
            name = packed[1] if packed is not None else value
            if name and len(name) <= _LONGEST_NAME:
                return f"[{kind}: {name}]"
    return f"[{kind}]"


def is_unread(block: Any) -> bool:
    """True for a block of an unknown kind: neither words nor a file."""
    kind = str(block.get("type") or "") if isinstance(block, Mapping) else ""
    return kind not in WORDS and not is_file(kind)


def unread_kinds(messages: Iterable[Message]) -> Iterator[str]:
    """The kinds of the blocks that are kept beside messages and that nobody reads."""
    for message in messages:
        blocks = message.extra.get("blocks") if message.extra else None
        if isinstance(blocks, list):
            yield from (str(block["type"]) for block in blocks if is_unread(block))
