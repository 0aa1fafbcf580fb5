"""tau2's spoken simulations, kept as ticks of a fraction of a second -> messages. Pure.

Both sides may speak in one tick; a message is what one side says until the other speaks or a tool is called.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reviewer.imports.messages.content import listed, mapping, text_of

Said = dict[str, Any]
_SIDES = (("assistant", "agent"), ("user", "user"))


def messages_of(ticks: list[Any]) -> list[Said]:
    """The messages of a simulation, as its own message list would have them."""
    turns: list[Said] = []
    for tick in ticks:
        for said in _said(mapping(tick)):
            last = turns[-1] if turns else {}
            if _is_words(said) and _is_words(last) and said["role"] == last["role"]:
                last["content"] += said["content"]
            else:
                turns.append(said)
    return turns


def _said(tick: Mapping[str, Any]) -> Iterator[Said]:
    for role, side in _SIDES:
        chunk, calls = mapping(tick.get(f"{side}_chunk")), listed(tick.get(f"{side}_tool_calls"))
        text = text_of(chunk.get("content"))
        if text or calls:
            at = chunk.get("timestamp") or tick.get("timestamp")
            yield {"role": role, "content": text, "tool_calls": calls, "timestamp": at}
        yield from (dict(mapping(each)) for each in listed(tick.get(f"{side}_tool_results")))


def _is_words(said: Said) -> bool:
    return bool(said.get("content")) and "tool_calls" in said and not said["tool_calls"]
