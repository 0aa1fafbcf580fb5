"""The lines of a Qwen Code session -> lines as Claude Code writes them. Pure.

Both keep a session as lines that name the line before them; Qwen Code's messages are Gemini's contents, with the model
and what it used beside them, and results have a type of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reviewer.ingest.formats.parts import gemini_parts
from reviewer.ingest.formats.parts.gemini_chat import answer_text
from reviewer.ingest.messages.content import mapping

PROGRAM = "qwen-code"
_RESULT = "tool_result"


def as_claude(line: Mapping[str, Any]) -> Mapping[str, Any]:
    """The line as Claude Code would have it; itself when it is no message of Gemini's kind."""
    told = mapping(line.get("message"))
    if not gemini_parts.is_content(told):
        return line
    message = {
        "role": told.get("role"),
        "content": [_block(block) for block in gemini_parts.parts_of(told["parts"])],
        "model": line.get("model"),
        "usage": line.get("usageMetadata"),
    }
    kind = "user" if line.get("type") == _RESULT else line.get("type")
    kept = {key: value for key, value in line.items() if key not in ("usageMetadata", "toolCallResult")}
    return {**kept, "type": kind, "message": message, "program": PROGRAM}


def _block(block: Mapping[str, Any]) -> Mapping[str, Any]:
    """A block; a result as Claude has it, so that lines are known to answer calls."""
    if block.get("type") != "function_response":
        return block
    text = answer_text(block.get("response"))
    return {
        "type": _RESULT,
        "tool_use_id": block.get("id"),
        "name": block.get("name"),
        "content": text,
        "is_error": block.get("is_error"),
    }
