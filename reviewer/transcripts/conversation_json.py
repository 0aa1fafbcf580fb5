"""Our own interchange: one conversation as one JSON object, so that it can leave a store and come back equal.

Owns the shape that `show`, `export --format conversations` and the JSON Schema share. Pure; reading it back with
checks is the business of `reviewer.imports.formats.interchange`.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any
from urllib.parse import unquote

from reviewer.transcripts.model import Case, Conversation, Message, Score, Stored, ToolCall

VERSION = 1


def as_object(stored: Stored) -> dict[str, Any]:
    """A stored conversation as an interchange object."""
    it = stored.conversation
    if it.case is None and it.id is None:  # what it is called here, it shall be called elsewhere
        it = replace(it, id=unquote(stored.ref.rpartition("/")[2]))
    told: dict[str, Any] = {
        "reviewer": VERSION,
        "ref": stored.ref,
        "digest": stored.digest,
        "model": it.model,
        "case": it.case,
        "run": it.run,
        **conversation_fields(it),
        "source": stored.source,
    }
    if stored.synthetic:
        told["synthetic"] = True
    if stored.simulated:
        told["simulated"] = True
    return told


def conversation_fields(it: Conversation) -> dict[str, Any]:
    """Return the fields of a conversation besides the names of model, case and run."""
    used = {each.name: getattr(it.usage, each.name) for each in fields(it.usage)} if it.usage is not None else {}
    facts = case_object(it.facts) if it.facts is not None else None
    optional = {
        "id": it.id,
        "started": it.started,
        "ended": it.ended,
        "ended_by": it.ended_by,
        "clock": it.clock,
        "error": it.error,
        "usage": {name: value for name, value in used.items() if value is not None} or None,
        "meta": it.meta,
        "extra": it.extra,
        "case_facts": facts if facts and len(facts) > 1 else None,
    }
    return {
        "messages": [message_object(message) for message in it.messages],
        "scores": [_filled(score) for score in it.scores],
        **{key: value for key, value in optional.items() if value is not None},
    }


def case_object(facts: Case) -> dict[str, Any]:
    """A case as it stands in an interchange object."""
    return _filled(facts)


def message_object(message: Message) -> dict[str, Any]:
    """One message as it stands in an interchange object."""
    told: dict[str, Any] = {
        "role": message.role,
        "text": message.text,
        "reasoning": message.reasoning,
        "tool_calls": [_call(call) for call in message.calls],
    }
    for name in (
        "source_role",
        "name",
        "at",
        "tokens_in",
        "tokens_out",
        "tokens_reasoning",
        "tokens_cached",
        "cost",
        "extra",
    ):
        value = getattr(message, name)
        if value not in (None, ""):
            told[name] = value
    return told


def _call(call: ToolCall) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": call.name,
        "arguments": call.arguments,
        "result": call.result,
        "error": call.error,
    }
    for name in ("id", "orphan", "result_after", "at", "extra"):
        value = getattr(call, name)
        if value not in (None, False):
            told[name] = value
    return told


def _filled(value: Case | Score) -> dict[str, Any]:
    (first, given), *pairs = ((each.name, getattr(value, each.name)) for each in fields(value))
    said = {name: list(it) if isinstance(it, tuple) else it for name, it in pairs if it not in (None, (), "")}
    return {first: given, **said}  # its name is wanted even where it is empty
