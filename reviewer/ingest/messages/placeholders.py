"""What stands in a text for what is no text: a picture, a sound, a file. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_NAMED = (
    *("filename", "title", "path", "url", "uri", "image_url", "image", "file_id", "media_type", "mime_type"),
    *("format", "tool_name"),
)
_DATA = re.compile(r"data:([\w.+-]+/[\w.+-]+)?")
_LONGEST_NAME = 300


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
