"""JSON text as it is kept: without blanks, by the quickest writer there is, since an import writes it everywhere."""

from __future__ import annotations

import json
from typing import Any

from pydantic_core import to_json

_slowly = json.JSONEncoder(ensure_ascii=True, check_circular=False, separators=(",", ":"), default=str).encode


def compact(value: Any) -> str:
    """A value as compact JSON text; lone surrogates, which no file can hold, are escaped."""
    try:
        return to_json(value, inf_nan_mode="constants", fallback=str).decode("utf-8")
    except (ValueError, RecursionError):  # a lone surrogate; more levels than that writer goes down
        return _slowly(value)
