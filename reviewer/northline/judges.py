"""What two judges make of a sample conversation: scores with a note each.

The first judge gives exactly what the plan says. The second agrees within about two hundredths, except on
instruction-following, where it is freer. Pure.
"""

from __future__ import annotations

import random
from collections.abc import Collection

from reviewer.model import Score
from reviewer.northline.lines import bank
from reviewer.northline.plan import Part
from reviewer.northline.verdicts import FULL

FIRST, SECOND = "gpt-5.5", "second judge"

# The first of these kinds of habit that was planted decides what the note speaks of.
_NOTES = (
    ("fired", {"forbidden-action"}),
    ("missed", {"missed-escalation"}),
    ("over", {"over-escalation"}),
    ("unconfirmed", {"acts-before-confirming"}),
    (
        "invented",
        {
            "invented-delivery-date",
            "order-date-as-delivery-date",
            "eligibility-from-invented-fact",
            "invented-refund-timeline",
            "invented-eta",
            "fabricated-url",
            "fabricated-product",
            "fabricated-inventory",
            "invented-policy-rule",
        },
    ),
)


def scores(part: Part, planted: Collection[str], rng: random.Random) -> tuple[Score, ...]:
    """Resolution, instruction-following and sentiment from both judges."""
    following = part.following / FULL
    note = _said(_note(part, planted), rng)
    ended = _said("resolution_yes" if part.resolved else "resolution_no", rng)
    agrees = rng.random() > 0.02
    second = min(1.0, max(0.0, following + rng.choice((-0.25, 0.0, 0.0, 0.0, 0.0, 0.25))))
    mood = min(1.0, max(0.0, (part.sentiment + rng.randrange(-2, 3)) / 100))
    return (
        Score("resolution", float(part.resolved), FIRST, ended),
        Score("instruction-following", following, FIRST, note),
        Score("sentiment", part.sentiment / 100, FIRST),
        Score("resolution", float(part.resolved == agrees), SECOND),
        Score("instruction-following", second, SECOND, _said(_note(part, planted), rng) if second < 1 else None),
        Score("sentiment", mood, SECOND),
    )


def _note(part: Part, planted: Collection[str]) -> str:
    if part.following >= FULL:
        return "held" if "held-line" in planted else "good"
    return next((kind for kind, modes in _NOTES if modes.intersection(planted)), "minor")


def _said(kind: str, rng: random.Random) -> str:
    return rng.choice(bank()[f"notes.{kind}"])
