"""Digests cover what was said and done, and nothing else."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as some

from reviewer.transcripts.digests import conversation_digest, message_digest, prefix_digest
from reviewer.transcripts.model import Message, ToolCall
from reviewer.transcripts.store.jsontext import compact
from tests.builders import CANCELLED, agent, customer


def test_a_conversation_is_the_prefix_of_the_message_after_its_last() -> None:
    assert conversation_digest(CANCELLED) == prefix_digest(CANCELLED, len(CANCELLED) + 1)


def test_names_times_and_tokens_do_not_count() -> None:
    message = agent("Done.")
    same = replace(message, name="Bot", at="2026-01-01", tokens_in=5, source_role="model", extra={"a": 1})
    assert message_digest(message) == message_digest(same)


def test_every_part_that_was_said_or_done_counts() -> None:
    first, second = CANCELLED[0], CANCELLED[1]
    changed = [
        replace(first, text=first.text + " "),
        replace(first, role="agent"),
        replace(first, reasoning="hm"),
        replace(first, calls=second.calls),
    ]
    assert len({message_digest(each) for each in [first, *changed]}) == len(changed) + 1


def test_a_prefix_holds_only_what_came_before() -> None:
    other = (*CANCELLED[:2], customer("Something else."))
    assert prefix_digest(CANCELLED, 3) == prefix_digest(other, 3)
    assert prefix_digest(CANCELLED, 4) != prefix_digest(other, 4)
    assert message_digest(CANCELLED[1]) == message_digest(other[1])


@given(some.text(some.characters()), some.text(some.sampled_from('\x00\x1f "\\/\x7f\x80é\u2028\ufeff\ud800\U0001f600')))
def test_the_quicker_way_comes_to_the_same_digest(text: str, odd: str) -> None:
    messages = [Message("customer", text, odd), Message("agent", odd, calls=(ToolCall(odd, text, f"{odd}{text}"),))]
    assert conversation_digest(messages, compact) == conversation_digest(messages)
