"""A conversation as a judge reads it: who said what, which calls were made and what they returned. Pure.

What an agent thought to itself is left out: the customer never saw it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reviewer.model import Message

_LONGEST = 4000
"""Characters of one call's result that a judge is shown."""
_SPEAKERS = {"customer": "Customer", "agent": "Agent", "colleague": "Colleague", "system": "System", "other": "Other"}


def transcript(messages: Iterable[Message], policy: str = "") -> str:
    """The conversation as text, its messages numbered; a system message that only repeats the policy is left out."""
    return "\n\n".join(_blocks(messages, policy))


def _blocks(messages: Iterable[Message], policy: str) -> Iterator[str]:
    for number, message in enumerate(messages, start=1):
        if message.role == "system" and policy and policy in message.text:
            continue
        lines = [
            f"[{number}] {_SPEAKERS[message.role]}: {message.text.strip() or ('' if message.calls else '(empty)')}"
        ]
        for call in message.calls:
            lines.append(f"    call {call.name}({call.arguments or ''})")
            lines.append(f"    result: {_cut(call.result)}" + (f" (error: {call.error})" if call.error else ""))
        yield "\n".join(lines)


def _cut(text: str | None) -> str:
    if text is None:
        return "none"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text) - _LONGEST:,} more characters)"
