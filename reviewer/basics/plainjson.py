"""JSON as every reader takes it: ASCII, so that no control character leaves as itself, and only numbers that it has."""

from __future__ import annotations

import json
import math
from typing import Any


def dumped(value: Any, indent: int | None = None) -> str:
    """A value as JSON text in ASCII; NaN and the infinities, which JSON lacks, become their names as texts."""
    try:
        return json.dumps(value, indent=indent, allow_nan=False)
    except ValueError:
        return json.dumps(_named(value), indent=indent, allow_nan=False)


def _named(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _named(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_named(each) for each in value]
    return json.dumps(value) if isinstance(value, float) and not math.isfinite(value) else value
