"""Lines of Qwen Code's sessions -> lines as Claude Code writes them. Pure.

They are linked, dated and named alike, but a message holds Gemini's parts, results have a kind of line of their own,
and the model and its tokens stand beside the message.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reviewer.imports.formats.parts.gemini_parts import answered, item_of
from reviewer.imports.messages.content import mapping

PROGRAM = "qwen-code"
_NOTES = ("notification", "cron", "goal_runtime")
"""What the program writes under the person's role."""


def is_line(line: Mapping[str, Any]) -> bool:
    """True if a line is one of Qwen's: only there are messages made of parts."""
    return isinstance(mapping(line.get("message")).get("parts"), list)


def plain(line: Mapping[str, Any]) -> Mapping[str, Any]:
    """A line as Claude Code would have written it."""
    if line.get("subtype") == "custom_title":
        return {**line, "type": "custom-title", "customTitle": mapping(line.get("systemPayload")).get("customTitle")}
    if not is_line(line):
        return line
    kind = "user" if line.get("type") == "tool_result" else line.get("type")
    failed = mapping(line.get("toolCallResult")).get("status") == "error"
    blocks = item_of(line["message"], joined=kind == "assistant")["content"]
    message = {
        "role": kind,
        "content": [_block(block, failed) for block in blocks],
        "model": line.get("model"),
        "usage": line.get("usageMetadata"),
    }
    note = {"isMeta": True} if kind == "user" and line.get("subtype") in _NOTES else {}
    return {**line, **note, "type": kind, "message": message}


def _block(block: Mapping[str, Any], failed: bool) -> Mapping[str, Any]:
    if block.get("type") != "function_response":
        return block
    error = failed or block.get("is_error") is True
    return {
        "type": "tool_result",
        "tool_use_id": block.get("id"),
        "name": block.get("name"),
        "content": answered(block.get("response")),
        "is_error": error,
    }
