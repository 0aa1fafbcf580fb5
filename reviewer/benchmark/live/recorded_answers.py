"""What tools answered in a stored conversation, given again to the same calls when it is played on. Pure.

The desk's own data know nothing of a real customer's order, and nothing at all of a replaced one. So a call that was
made once, with the same arguments, is answered as it was then; a write to an order that the recorded calls show is
recorded like any; all else is the desk's to answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from reviewer.transcripts.desk import Desk, outcome
from reviewer.transcripts.model import ToolCall


class RecordedAnswers:
    """Answers by tool and arguments."""

    def __init__(self, past: Iterable[ToolCall], later: Iterable[ToolCall], played: Desk) -> None:
        self._desk = played
        self._answers: dict[str, str] = {}
        self._orders: set[str] = set()
        for call in past:  # the last answer before the cut is how things stand
            self._take(call, anew=True)
        for call in later:
            self._take(call, anew=False)

    def _take(self, call: ToolCall, anew: bool) -> None:
        told = call.result if call.result is not None else call.error
        try:
            arguments = json.loads(call.arguments or "{}")
        except (ValueError, RecursionError):
            return
        if call.orphan or told is None or not isinstance(arguments, dict):
            return
        key = _key(call.name, arguments)
        self._answers[key] = told if anew else self._answers.get(key, told)
        if order := outcome.order_of(call, self._desk):
            self._orders.add(order)

    def answer(self, name: str, arguments: Mapping[str, Any]) -> str | None:
        """What the call was answered then; None where the desk has to answer it."""
        if (told := self._answers.get(_key(name, arguments))) is not None:
            return told
        act = self._desk.act(name)
        argument = self._desk.order_argument(name)
        order = str(arguments.get(argument, "")).strip() if argument else ""
        if act is None or order.lstrip("#") not in self._orders:
            return None
        return json.dumps({"ok": True, "action": act, argument: order, "recorded": True})


def _key(name: str, arguments: Mapping[str, Any]) -> str:
    return json.dumps([name, dict(arguments)], sort_keys=True)
