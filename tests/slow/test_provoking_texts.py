"""No pattern and no read takes longer than in proportion to a text, however the text is made to provoke it."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from reviewer import reads
from reviewer.model import Case, Message, Stored, ToolCall
from tests.property import test_reads as laws
from tests.talks import MOVING

_SHORT, _LONG = 20_000, 80_000
_WORTH_TIMING = 0.004
"""Seconds below which a search of the long text tells nothing."""
_PATTERNS = dict(laws.patterns())


def _literals(tree: Any) -> Iterator[str]:
    """The runs of plain characters in a pattern: what a text must be made of to lead it on."""
    run = ""
    for operator, argument in tree:
        if operator is _constants.LITERAL:
            run += chr(argument)
            continue
        if run:
            yield run
        run = ""
        yield from _literals_below(argument)
    if run:
        yield run


def _literals_below(argument: Any) -> Iterator[str]:
    if isinstance(argument, _parser.SubPattern):
        yield from _literals(argument)
    elif isinstance(argument, list | tuple):
        for each in argument:
            yield from _literals_below(each)


def _provoking(pattern: re.Pattern[str]) -> list[str]:
    """Words that begin what the pattern looks for: each of its longer runs, and all of them in a row."""
    runs = list(dict.fromkeys(run for run in _literals(_parser.parse(pattern.pattern, pattern.flags)) if run.strip()))
    longest = sorted(runs, key=len, reverse=True)[:6]
    mixed = [" ".join(runs[:40]) + " ", "".join(runs[:12]) or "x"]
    return [*(f"{run} " for run in longest), *mixed, "1 ", "a", " "]


def _seconds(pattern: re.Pattern[str], word: str, length: int) -> float:
    text = (word * (length // len(word) + 1))[:length]
    best = float("inf")
    for _ in range(3):
        started = time.process_time()
        for _match in pattern.finditer(text):
            pass
        best = min(best, time.process_time() - started)
    return best


@pytest.mark.parametrize("name", sorted(_PATTERNS))
def test_four_times_the_text_takes_about_four_times_as_long(name: str) -> None:
    pattern = _PATTERNS[name]
    for word in _provoking(pattern):
        long = _seconds(pattern, word, _LONG)
        if long > _WORTH_TIMING:
            assert long < 9 * _seconds(pattern, word, _SHORT), f"{word[:60]!r} leads it on"


@pytest.mark.parametrize("word", laws.PROVOKING)
def test_a_message_of_a_megabyte_is_read_to_its_end(word: str) -> None:
    text = word * (1_000_000 // len(word))
    talk = [Message("customer", text), Message("agent", "?"), Message("customer", text), Message("agent", text)]
    calls = (ToolCall("cancel_order", "{}", "{}"), ToolCall("get_order", "{}", text))
    out = reads.read_over(laws.told([*talk, Message("agent", text, calls=calls)]), reads.READS)
    assert not out.faults


def _talk(calls: int) -> Stored:
    """A conversation with so many calls, each of another order, with words about each between them."""
    messages = [Message("customer", "Where are they all?")]
    for number in range(calls // 2):
        order = json.dumps({"order_id": f"#{number:05}"})
        result = json.dumps({**MOVING, "order_id": f"#{number:05}", "carrier": f"Carrier {number}"})
        looked = ToolCall("get_order", order, result)
        wrote = ToolCall("send_replacement", order, '{"ok":true}')
        messages += [
            Message("customer", f"And #{number:05}? It is cracked. Yes, go ahead."),
            Message("agent", f"Shall I send #{number:05} again?", calls=(looked, wrote)),
            Message("agent", f"I've sent a replacement for #{number:05}. It has shipped with UPS within 8 days."),
        ]
    return laws.told(messages, Case("used-item-1", bucket="adversarial", forbidden=("replace",)))


def test_ten_thousand_calls_take_four_times_as_long_as_a_quarter_of_them() -> None:
    def seconds(calls: int) -> float:
        stored = _talk(calls)
        started = time.process_time()
        out = reads.read_over(stored, reads.READS)
        assert not out.faults
        assert out.suggestions
        return time.process_time() - started

    few = min(seconds(2_500) for _ in range(2))
    assert seconds(10_000) < 8 * few
