"""What the variants are made of: a file, the format that should claim it, what it should become; short messages."""

from __future__ import annotations

import json
from typing import Any, NamedTuple


class Variant(NamedTuple):
    """A file, the format that should claim it, and its conversations."""

    format: str
    held: Any
    expected: list[list[str]]


def lines(*records: Any) -> bytes:
    """Records as JSON Lines."""
    return "".join(json.dumps(record) + "\n" for record in records).encode()


ASK = {"role": "user", "content": "Where is #7?"}
CALL = {"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": '{"id":7}'}}
CALLED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "shipped"}
SAID = {"role": "assistant", "content": "Shipped."}
TOLD = ["customer Where is #7?", 'agent get_order({"id":7}) = shipped', "agent Shipped."]
SHORT = ["customer Where is #7?", "agent Shipped."]
