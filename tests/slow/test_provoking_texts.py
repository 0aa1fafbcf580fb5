"""No read gives up on a text, and none takes longer than in proportion to it, however it is made to provoke one."""

from __future__ import annotations

import json
import time

import pytest

from reviewer.findings import reads
from reviewer.transcripts.model import Case, Message, Stored, ToolCall
from tests.property import test_reads as laws
from tests.talks import MOVING


@pytest.mark.parametrize("word", laws.PROVOKING)
def test_a_very_long_message_is_read_to_its_end(word: str) -> None:
    text = word * (300_000 // len(word))
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
        started = time.thread_time()
        out = reads.read_over(stored, reads.READS)
        assert not out.faults
        assert out.suggestions
        return time.thread_time() - started

    few = min(seconds(2_500) for _ in range(2))
    assert seconds(10_000) < 8 * few
