"""No text makes it slow: what is done with a text takes longer with its length, and not with its square."""

from __future__ import annotations

import random

from tests.pumping import MOST, growth_over, patterns, units

SEEN_IN_PART = {
    "reviewer.ingest.messages.traces._TAG": "the last 200 characters of a text",
    "reviewer.ingest.messages.prompts._REPR": "texts with at most 50 lists",
}
"""Expressions that are given no long text, or none that is made so."""


def test_every_expression_takes_a_time_that_grows_with_the_text() -> None:
    every = patterns()
    assert len(every) > 250
    slow = {}
    for used in every:
        if used.name in SEEN_IN_PART:
            continue
        pieces = units(used.pattern, random.Random(used.name))
        worst = next(((piece, times) for piece in pieces if (times := growth_over(used.walk, piece)) > MOST), None)
        if worst:
            slow[used.name] = worst
    assert not slow
