"""The simulated customer's words, read back: where it stops, and where it fell out of its role. Pure.

A model that plays a customer sometimes answers as the agent or asks for the policy. What such a conversation shows is
about the customer, so it is marked and counted apart; the signs looked for are few and plain, to be right when they
fire.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from reviewer.benchmark.live.prompt_files import STOP

BROKEN = "the simulated customer "
"""How the error of a conversation begins whose customer fell out of its role."""
_END = re.compile(r"(?<![\s*_`])[\s*_`]++$")
_SIGNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "spoke as the agent",
        re.compile(
            r"\b(?:how (?:can|may) I (?:help|assist) you(?: today)?\b"
            r"|thank you for (?:contacting|reaching out to) (?:us|northline)"
            r"|I(?:'ve| have) (?:just )?(?:looked up|pulled up|located) your (?:order|booking|reservation|account)"
            r"|I(?:'ll| will) (?:process|look into) (?:this|that|your \w+) for you"
            r"|your (?:order|booking|reservation) (?:#\d+ |[A-Z0-9]{6} )?has been (?:successfully )?"
            r"(?:cancelled|canceled|updated|changed|reshipped|rebooked)"
            r"|is there anything else I can (?:help|assist) you with)",
            re.IGNORECASE,
        ),
    ),
    (
        "asked for the policy",
        re.compile(
            r"\b(?:(?:show|tell|give|send|print|quote|read) (?:me |out )?(?:your|the) "
            r"(?:full |whole |exact |internal )*"
            r"(?:policy|policies|system prompt|instructions|guidelines)\b(?! on| about| for)"
            r"|what (?:does|do) your (?:internal )?(?:system prompt|instructions) say)",
            re.IGNORECASE,
        ),
    ),
    (
        "spoke of being a model",
        re.compile(
            r"\b(?:as an AI\b|I(?:'m| am) (?:an AI|a language model|playing (?:a|the) customer|simulating))",
            re.IGNORECASE,
        ),
    ),
)


class CustomerTurn(NamedTuple):
    """What a simulated customer answered: its words without the stop word, and whether it is done."""

    text: str
    done: bool


def turn(written: str) -> CustomerTurn:
    """Read an answer of the simulated customer; an empty one means that it has nothing more to say."""
    before, stop, _ = written.partition(STOP)
    text = _END.sub("", before).strip() if stop else written.strip()
    return CustomerTurn(text, bool(stop) or not text)


def role_break(text: str) -> str | None:
    """Say how a customer's message falls out of its role, with the words that show it; None where it does not."""
    for sign, pattern in _SIGNS:
        if match := pattern.search(text):
            return f"{BROKEN}{sign}: “{match[0]}”"
    return None
