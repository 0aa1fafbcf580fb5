"""A first `desk.toml` from the tools that a store's agents called: a draft for a person to correct. Pure.

Guesses only from names: what looks up reads, what hands over hands over, anything else is a write whose class is its
verb. Guesses are marked, because a wrong class would make every count after it wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

READS = {
    *("get", "find", "list", "search", "lookup", "look", "fetch", "check", "read", "query", "show", "view", "verify"),
    *("calculate", "describe", "retrieve", "think", "track", "estimate", "compute"),
}
_HANDOVER = re.compile(r"hand_?(?:over|off)|transfer_to|escalat|human|live_agent", re.IGNORECASE)
_ORDER = re.compile(r"(?:order|reservation|booking|ticket|case|subscription)_?(?:id|number|no)$", re.IGNORECASE)
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def draft(name: str, tools: Iterable[tuple[str, int, Sequence[str]]]) -> str:
    """The text of a desk file for these tools (name, calls, argument names)."""
    import tomlkit

    named = tomlkit.item(name).as_string()
    lines = [
        f"name = {named}",
        f"title = {named}",
        "# confirm = true          # when the policy says: ask before every write",
        '# policy_file = "policy.md"',
        "",
        "# Drafted from the tools that were called; every class is a guess from the tool's name: correct it.",
        '# class: "read", "handover", or the kind of write it is, such as "cancel" or "refund".',
        "[tools]",
    ]
    for tool, calls, arguments in tools:
        order = next((argument for argument in arguments if _ORDER.search(argument)), None)
        more = f", order = {tomlkit.item(order).as_string()}" if order else ""
        lines.append(f'{tomlkit.key(tool).as_string()} = {{ class = "{act(tool)}"{more} }}  # {calls:,} calls')
    return "\n".join(lines) + "\n"


def act(tool: str) -> str:
    """The class that a tool's name suggests: `read`, `handover`, or its verb."""
    if _HANDOVER.search(tool):
        return "handover"
    words = [word.lower() for word in _WORDS.findall(tool)]
    if not words or words[0] in READS:
        return "read"
    return words[0] if words[0].isascii() and words[0].isalpha() else "write"
