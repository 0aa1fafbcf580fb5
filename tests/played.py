"""The sample's conversations, played once for all tests of a process."""

from __future__ import annotations

from functools import cache

from reviewer.northline.sample_conversations import SampleConversation, chosen, sampled


@cache
def whole_board() -> tuple[SampleConversation, ...]:
    """Every conversation of all 24 models."""
    return tuple(sampled(chosen(board=True)))
