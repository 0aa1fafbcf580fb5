"""A record cut down to the beginnings of its lists, so that its format is seen without a walk through all of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_FIRST = 5
"""Elements of each list that are looked at."""


def glanced(value: Any, depth: int = 3) -> Any:
    """Shorten every list in a value, down to this depth, to the few elements that recognising a format takes."""
    if depth == 0:
        return value
    if isinstance(value, list):
        return [glanced(each, depth - 1) for each in value[:_FIRST]]
    if isinstance(value, Mapping):
        return {
            key: glanced(each, depth - 1) if isinstance(each, list | Mapping) else each for key, each in value.items()
        }
    return value
