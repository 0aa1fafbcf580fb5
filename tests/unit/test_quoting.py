"""From a quote to its place: said before thought before called, one place or a sentence."""

from __future__ import annotations

import pytest

from reviewer.basics.errors import RefError
from reviewer.marks.review.quotes import place_of
from reviewer.transcripts.refs import parse
from tests import builders
from tests.builders import agent, call, customer

STORED = builders.stored(
    customer("Cancel it, please. Please!"),
    agent("On it.", call("get_order", '{"id": "A7"}', "in transit"), call("note", "{}", "A7 A7"), reasoning="thinking"),
    agent("It is in transit.", call("cancel", '{"id": "in transit"}'), reasoning="in transit, thinking"),
)


@pytest.mark.parametrize(
    ("under", "quote", "place"),
    [
        ("", "Cancel", "#1:0-6"),
        ("", "in transit", "#3:6-16"),  # what was said comes before what was thought and called
        ("#1", "lease!", "#1:20-26"),
        ("#2", "thinking", "#2.reasoning:0-8"),
        ("#2", "in transit", "#2.1.result:0-10"),
        ("#2.1", "A7", "#2.1.arguments:8-10"),
        ("#2.1", "in transit", "#2.1.result:0-10"),
        ("#2.1.result", "transit", "#2.1.result:3-10"),
        ("#3.reasoning", "in transit", "#3.reasoning:0-10"),
        ("#3.1", "in transit", "#3.1.arguments:8-18"),
    ],
)
def test_a_quote_is_found_where_it_stands_once(under: str, quote: str, place: str) -> None:
    assert str(place_of(STORED, parse(STORED.ref + under), quote)) == STORED.ref + place


@pytest.mark.parametrize(
    ("under", "quote", "reason"),
    [
        ("", "", "The quote is empty"),
        ("#1:0-6", "Cancel", "names its words already"),
        ("#2.1.result/a", "Cancel", "names its words already"),
        ("#2", "Cancel", "“Cancel” does not stand at kimi/used-item-1/1#2"),
        ("#3.1.result", "in transit", "does not stand at"),
        ("", "thinking", "2 times: #2.reasoning:0-8, #3.reasoning:12-20."),
        ("#2", "A7", "3 times: #2.1.arguments:8-10, #2.2.result:0-2, #2.2.result:3-5."),
        ("#1", "e", "5 times: #1:4-5, #1:13-14, #1:16-17, #1:21-22, #1:24-25."),
    ],
)
def test_a_quote_without_one_place_is_said(under: str, quote: str, reason: str) -> None:
    with pytest.raises(RefError) as raised:
        place_of(STORED, parse(STORED.ref + under), quote)
    assert reason in raised.value.message


def test_many_places_are_counted_and_five_are_named() -> None:
    stored = builders.stored(customer("a " * 7))
    with pytest.raises(RefError) as raised:
        place_of(stored, parse(stored.ref), "a")
    assert "7 times: #1:0-1, #1:2-3, #1:4-5, #1:6-7, #1:8-9 and 2 more." in raised.value.message
