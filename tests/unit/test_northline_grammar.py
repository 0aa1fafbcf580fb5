"""The grammar of the sample's lines: choices, slots, parts, and what cannot be read."""

from __future__ import annotations

import random

import pytest

from reviewer.benchmark.northline.grammar import LineError, Phrasings, fitted, read, said

SLOTS = {"first": "Ana", "thing": "carry-on", "code": "X1"}


def told(text: str, known: set[str] | None = None, parts: dict[str, Phrasings] | None = None) -> set[str]:
    """Everything that a line can become in a conversation that knows these slots."""
    spoken = fitted(read(text, parts), SLOTS if known is None else known)
    assert spoken is not None
    chance = random.Random(1).random
    return {said(spoken, SLOTS, chance) for _ in range(200)}


def test_a_choice_is_made_and_choices_nest() -> None:
    assert told("(Thanks|Thank you (so|very) much), {first}.") == {
        "Thanks, Ana.",
        "Thank you so much, Ana.",
        "Thank you very much, Ana.",
    }


def test_a_choice_may_be_empty_and_leaves_no_blank_at_the_end() -> None:
    assert told("Sure. (|Bye, {first}.)") == {"Sure.", "Sure. Bye, Ana."}


def test_parentheses_without_a_choice_are_parentheses() -> None:
    assert told("For you (the {thing}), ok :)") == {"For you (the carry-on), ok :)"}


def test_a_capital_asks_for_a_capital() -> None:
    parts = {"sorry": Phrasings((read("i'm sorry"), read("sorry")))}
    assert told("{Thing}. {Sorry}; {sorry}.", parts=parts) == {
        f"Carry-on. {first}; {second}." for first in ("I'm sorry", "Sorry") for second in ("i'm sorry", "sorry")
    }


def test_what_a_conversation_does_not_know_is_not_said() -> None:
    assert told("Hi(|, {first}).", known=set()) == {"Hi."}
    assert fitted(read("Hi {first}."), set()) is None
    assert fitted(read("({first}|{thing})"), set()) is None


def test_a_single_choice_left_within_a_choice_is_still_a_choice() -> None:
    assert told("(({first}|{code})|{thing})") == {"Ana", "X1", "carry-on"}


def test_braces_written_twice_are_braces() -> None:
    assert told("Dear {{{{customer}}}} (a|b)") == {"Dear {{customer}} a", "Dear {{customer}} b"}


def test_words_are_put_in_the_speakers_manner_and_slots_are_not() -> None:
    spoken = fitted(read("(colour|colours) of {thing}"), SLOTS, lambda text: text.replace("colour", "color"))
    assert spoken is not None
    assert said(spoken, {"thing": "colour"}, random.Random(3).random) in ("color of colour", "colors of colour")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("(one|two", "a parenthesis that is not closed"),
        ("it is {thing", "a single “{”"),
        ("it is thing}", "a single “}”"),
        ("{two words}", "a slot “{two words}”"),
        ("{}", "a slot “{}”"),
    ],
)
def test_a_line_that_cannot_be_read_says_why(text: str, wrong: str) -> None:
    with pytest.raises(LineError, match=wrong.replace("{", r"\{").replace("}", r"\}")):
        read(text)
