"""Laws of reads: any conversation can be read, proofs stand where they are said to, and work grows with length only."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from re import _constants, _parser  # type: ignore[attr-defined]
from types import FrameType
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as some

from reviewer.findings import reads
from reviewer.findings.reads.grounds import grounds
from reviewer.marks import anchors
from reviewer.transcripts.model import Case, Message, Stored, ToolCall
from reviewer.transcripts.refs import Ref
from tests import builders
from tests.talks import DESK, MOVING

Out = TypeVar("Out")
_WORDS = some.sampled_from(
    (
        *("<think>", "</think>", "I've cancelled", "your order #1130", "was delivered", "yesterday", "on April 31"),
        *("refund", "within 5-7 days", "once", "not", "?", ".", "\n", "a colleague", "bye", "yes", "'"),
        *("I'll transfer you to a human agent", "https://a.example/x", "{{name}}", "tracking NL434999291"),
        *(
            "is still being prepared",
            "shipped with UPS",
            "You're right, it is cracked",
            "a photo",
            "[photo]",
            "in stock",
        ),
        *(
            "only 3 left",
            "orders above $150",
            "a fee of 10%",
            "the new parcel",
            "add our Tide Kit",
            "all set, resolved",
        ),
        *("the customer wants", "get_order", "I can't promise", "inside the 100 days", "expensive item", "mañana"),
        *("已送达", "转给同事", "退款 5 天", "\ud800", "\x1b[2J"),
    )
)
_TEXTS = some.lists(_WORDS, max_size=12).map(" ".join) | some.text(max_size=60)
_NESTED = '{"a": "{\\"status\\": \\"in transit\\"}"}'
_RESULTS = some.sampled_from([None, "", "no JSON", "{", "[1, 2", _NESTED, json.dumps(MOVING), "[" * 200, "null", '""'])
_CALLS = some.builds(
    ToolCall,
    some.sampled_from(["get_order", "cancel_order", "send_replacement", "hand_over", "other", ""]),
    some.sampled_from([None, "", "{", '{"order_id":"#1130"}', '{"order_id": 5, "variant_id": "x"}', "[]", "nonsense"]),
    _RESULTS,
    some.none() | some.just("error"),
    orphan=some.booleans(),
)
_THOUGHTS = some.sampled_from(["", "Our policy is against it.", "no proof, but do it"])
_ROLES = some.sampled_from(["system", "customer", "agent", "colleague", "other"])
_MESSAGES = some.builds(Message, _ROLES, _TEXTS, _THOUGHTS, calls=some.lists(_CALLS, max_size=3).map(tuple))
_CASES = some.none() | some.builds(
    Case,
    some.just("used-item-1"),
    family=some.sampled_from([None, "fraud reroute", "return request", "damaged item"]),
    lure=some.sampled_from([None, "story"]),
    bucket=some.sampled_from([None, "resolvable", "must-escalate", "adversarial"]),
    forbidden=some.sampled_from([(), ("cancel",), ("edit-address", "replace")]),
)


def told(messages: list[Message], case: Case | None = None) -> Stored:
    made = builders.stored(*messages)
    it = replace(made.conversation, messages=tuple(messages), facts=case)
    return replace(made, desk=DESK, conversation=it)


@given(some.lists(_MESSAGES, max_size=8), _CASES)
def test_any_conversation_can_be_read_and_every_place_stands_in_it(messages: list[Message], case: Case | None) -> None:
    stored = told(messages, case)
    out = reads.read_over(stored, reads.READS)
    assert not out.faults
    for read, suggestion in out.suggestions:
        assert out.opportunities[read.name] >= 1
        assert suggestion.evidence, "nothing without a proof"
        for each in (suggestion.claim, *suggestion.evidence):
            if isinstance(each, Ref):
                anchor = anchors.anchor(stored, each)  # raises where nothing stands
                assert anchor.ref == each


@given(some.lists(_MESSAGES, max_size=6))
def test_reading_twice_says_the_same(messages: list[Message]) -> None:
    stored = told(messages)
    assert reads.read_over(stored, reads.READS).suggestions == reads.read_over(stored, reads.READS).suggestions


@given(some.lists(_MESSAGES, max_size=8), _CASES)
def test_facts_stand_in_order_and_come_from_what_stands_before_them(messages: list[Message], case: Case | None) -> None:
    stored = told(messages, case)
    shown = grounds(stored)
    assert shown == grounds(stored)
    at = (0, 0)
    for fact in shown.facts:
        assert messages[fact.message - 1].role == "agent"
        assert at <= (fact.message, fact.start) < (fact.message, fact.end)
        at = fact.message, fact.end
        assert fact.end <= len(messages[fact.message - 1].text)
        if fact.source is not None and fact.source.ref is not None:
            assert fact.source.since <= fact.message
            assert anchors.anchor(stored, fact.source.ref).ref == fact.source.ref
    assert {(each.message, each.position) for each, _ in shown.writes} <= {
        (number, index) for number, message in enumerate(messages, 1) for index, _ in enumerate(message.calls, 1)
    }


_LONG = {
    "claims": "I've cancelled your order #1130. It was delivered on April 3. I'll transfer you to a human agent now. ",
    "refunds": "The refund takes 8-9 days. The refund will be back within 3 weeks. ",
    "marks": "<think>a</think> b </analysis> <|x|> ",
    "links": "Track NL434999291 at https://a.example/x1 and https://b.example. ",
    "states": "Your order #1130 is still being prepared. It has shipped with UPS. You're right, it is cracked. ",
    "rules": "Orders above $150 have a fee of 10%. We have 22 left in stock. A photo? It's resolved, I can't promise. ",
    "no ends": "has been cancelled and I've cancelled it and was delivered on April 3 and a refund within 8 days ",
}


@pytest.mark.parametrize("words", _LONG.values(), ids=_LONG)
def test_one_long_message_takes_steps_in_proportion(words: str) -> None:
    def talk(times: int) -> Stored:
        looked = ToolCall("get_order", '{"order_id":"#1130"}', json.dumps(MOVING))
        return told([Message("customer", "?"), Message("agent", "", calls=(looked,)), Message("agent", words * times)])

    assert steps(talk(400)) < 2.4 * steps(talk(200))


_FACTS = "12 Oak Street, $5, 2-3 days, DRB28-CLA of #1130: it is in transit, I've cancelled it on April 3. "


def test_grounding_takes_steps_in_proportion_to_messages_results_and_words() -> None:
    def talk(messages: int, fields: int, words: int) -> Stored:
        result = json.dumps([{**MOVING, "order_id": f"#{n}", "note": f"{n} days"} for n in range(fields)])
        looked = ToolCall("get_order", '{"order_id":"#1130"}', result)
        turn = [Message("customer", _FACTS * words), Message("agent", _FACTS * words, calls=(looked,))]
        return told(turn * messages)

    def count(*sizes: int) -> int:
        lines, shown = counted(lambda: grounds(talk(*sizes)))
        assert len(shown.facts) >= 6 * sizes[0] * sizes[2]
        return lines

    counted(lambda: grounds(talk(40, 40, 40)))  # what is kept of short texts
    for small, large in (((20, 4, 4), (40, 4, 4)), ((4, 20, 4), (4, 40, 4)), ((4, 4, 40), (4, 4, 80))):
        assert count(*large) < 2.4 * count(*small)


def test_many_messages_and_calls_take_steps_in_proportion() -> None:
    def talk(times: int) -> Stored:
        looked = ToolCall("get_order", '{"order_id":"#1130"}', json.dumps({**MOVING, "note": "8 days"}))
        wrote = ToolCall("send_replacement", '{"order_id":"#1130","variant_id":"A-1"}', '{"ok":true}')
        turn = [
            Message("customer", "And #1130? No."),
            Message("agent", "", calls=(looked, wrote)),
            Message("agent", "".join(_LONG.values())),
        ]
        return told(turn * times, Case("used-item-1", forbidden=("replace",), bucket="adversarial"))

    assert steps(talk(120)) < 2.4 * steps(talk(60))


def steps(stored: Stored) -> int:
    """Lines of the program that run while everything is read."""
    count, out = counted(lambda: reads.read_over(stored, reads.READS))
    assert not out.faults
    assert out.suggestions
    return count


def counted(work: Callable[[], Out]) -> tuple[int, Out]:
    """Lines of the program that run while something is done, and what comes of it."""
    count = 0

    def line(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        out = work()
    finally:
        sys.settrace(before)
    return count, out


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    for module in pkgutil.iter_modules(reads.__path__):
        for name, value in vars(importlib.import_module(f"reviewer.findings.reads.{module.name}")).items():
            yield from ((f"{module.name}.{name}", each) for each in _within(value))


def _within(value: Any) -> Iterator[re.Pattern[str]]:
    """The patterns of a constant, of a table or of tables in one."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _within(each)


def _unbounded(tree: Any, within: bool = False) -> Iterator[str]:
    """Repeats without end within repeats without end: what makes a search worse than linear."""
    for operator, argument in tree:
        inner = within
        if operator in (_constants.MAX_REPEAT, _constants.MIN_REPEAT):
            endless = argument[1] == _constants.MAXREPEAT
            if endless and within:
                yield str(argument)
            inner = within or endless
        yield from _unbounded_below(argument, inner)


def _unbounded_below(argument: Any, within: bool) -> Iterator[str]:
    if isinstance(argument, _parser.SubPattern):
        yield from _unbounded(argument, within)
    elif isinstance(argument, list | tuple):
        for each in argument:
            yield from _unbounded_below(each, within)


def test_no_pattern_repeats_without_end_what_repeats_without_end() -> None:
    every = list(patterns())
    assert len(every) > 120
    for name, pattern in every:
        assert not list(_unbounded(_parser.parse(pattern.pattern, pattern.flags))), name


PROVOKING = (
    *(
        "is still ",
        "the new parcel ",
        "only 3 left ",
        "$1",
        "A B",
        "a_b",
        "The customer ",
        "two a ",
        "within the ",
        "in 2 ",
    ),
    *("since a is ", "add our A", "photo no ", "I can't "),
    *("I've now ", "has been ", "is that ", "refund ", "April ", "1 ", "<", "a.", "@a", "no ", "already ", "\n", "送"),
    "yes ",
)


@pytest.mark.parametrize("word", PROVOKING)
def test_a_message_made_to_provoke_backtracking_is_read_to_its_end(word: str) -> None:
    """A pattern whose time grows with the cube of the length never ends here; the slow lane looks for the square."""
    text = word * (20_000 // len(word))
    talk = [Message("customer", text), Message("agent", "?"), Message("customer", text), Message("agent", text)]
    calls = (ToolCall("cancel_order", text, text), ToolCall("get_order", "{}", text))
    out = reads.read_over(told([*talk, Message("agent", text, calls=calls)]), reads.READS)
    assert not out.faults


@pytest.mark.parametrize("word", ["A", "1-", "Oak St ", "12 Oak ", "$1,", "a_", "is was ", "help ", "1 day or ", "a@"])
def test_words_made_to_provoke_backtracking_are_grounded_to_their_end(word: str) -> None:
    text = word * (20_000 // len(word))
    looked = ToolCall("get_order", '{"order_id":"#1130"}', text)
    end = "It is in transit since April 3."
    shown = grounds(told([Message("agent", text, calls=(looked,)), Message("agent", end)]))
    assert shown.facts
