"""Evaluation files of ADK before it had sets of cases -> turns as it keeps them now. Pure.

A turn is what the user asks, the calls and the words between that are expected, and the answer to compare with. A file
lists the turns of one conversation, or conversations that have a name and their turns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reviewer.imports.messages.content import listed, mapping, text_of


def is_turn(value: Any) -> bool:
    """True if a value is one turn."""
    told = mapping(value)
    return isinstance(told.get("query"), str) and ("expected_tool_use" in told or "reference" in told)


def is_case(value: Any) -> bool:
    """True if a value is a conversation with a name and its turns."""
    told = mapping(value)
    return "name" in told and is_turn(next(iter(listed(told.get("data"))), None))


def case_of(told: Mapping[str, Any]) -> dict[str, Any]:
    """A conversation as a case of a set."""
    turns = told["data"]
    if not isinstance(turns, list) or not all(map(is_turn, turns)):
        raise ValueError("its data are not turns with a query")
    named = {"eval_id": told["name"]} if "name" in told else {}
    kept = {key: value for key, value in told.items() if key not in ("name", "data")}
    return {**named, "conversation": [_turn(turn) for turn in turns], **kept}


def _turn(told: Mapping[str, Any]) -> dict[str, Any]:
    uses = [mapping(use) for use in listed(told.get("expected_tool_use"))]
    made = [use for use in uses if "mock_tool_output" in use]
    said = [mapping(each) for each in listed(told.get("expected_intermediate_agent_responses"))]
    turn = {
        "user_content": _content(told["query"]),
        "intermediate_data": {
            "tool_uses": [{"name": use.get("tool_name"), "args": use.get("tool_input")} for use in uses],
            "tool_responses": [{"name": use.get("tool_name"), "response": use["mock_tool_output"]} for use in made],
            "intermediate_responses": [
                [text_of(each.get("author")), _content(each.get("text"))["parts"]] for each in said
            ],
        },
    }
    return {**turn, "final_response": _content(told["reference"])} if told.get("reference") else turn


def _content(text: Any) -> dict[str, Any]:
    return {"parts": [{"text": text_of(text)}]}
