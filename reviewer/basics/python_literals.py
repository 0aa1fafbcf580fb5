"""Values that were written as Python writes them: `{'a': None}`. Pure."""

from __future__ import annotations

import ast
from typing import Any

LONGEST = 200_000
"""Characters that are read; a longer text stays one. Python itself goes 200 brackets deep and no further."""
_NEVER = (ValueError, SyntaxError, RecursionError, MemoryError, TypeError)


def literal(text: str, otherwise: Any) -> Any:
    """The value that a text spells; something else where it spells none, or is longer than what is read."""
    if len(text) > LONGEST:
        return otherwise
    try:
        return ast.literal_eval(text)
    except _NEVER:
        return otherwise
