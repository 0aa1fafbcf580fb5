"""The signs at the right of a queue's line: what the agent did, how it ended, what became of it in review. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reviewer.desk import outcome
from reviewer.text.glyphs import glyph
from reviewer.ui.widgets.strips import Bit

if TYPE_CHECKING:
    from reviewer.annotations.ledger import State
    from reviewer.model import QueueRow

_VERDICT_STYLES = {"pass": "good", "fail": "bad", "defer": "muted"}
_ENDS = {
    "customer-stop": ("end.customer", "faint"),
    "agent-stop": ("end.agent", "faint"),
    "handover": ("end.handover", "faint"),
    "turn-limit": ("end.limit", "missing"),
    "error": ("end.error", "error"),
    "cut": ("end.cut", "missing"),
}
_MANY = 9
NOTHING: Bit = (" ", "")
LEGEND = (
    ("forbidden", "did what the case forbids"),
    ("write", "wrote"),
    ("handover", "handed over to a person"),
    ("failed", "a call failed"),
    ("end.customer", "ended by the customer"),
    ("end.agent", "ended by the agent"),
    ("end.handover", "ended with a handover"),
    ("end.limit", "stopped by the turn limit"),
    ("end.cut", "broke off"),
    ("end.error", "ended in an error"),
    ("end.other", "ended in another way; i says how"),
    ("empty", "has no messages"),
    ("pass", "your verdict: pass"),
    ("fail", "your verdict: fail"),
    ("defer", "your verdict: defer"),
    ("reviewed", "you reviewed it; a number counts the tags"),
)
"""Every sign of a line and what it says, in the order of their columns."""
OF_GROUPS = (
    ("same", "runs of a model came out alike"),
    ("differs", "they did not; and how often, where more than once"),
)
"""Likewise for the head of a group."""


def signs(row: QueueRow, state: State | None, by: str, plain: bool = False) -> list[Bit]:
    """A column each: write or forbidden act, handover, failed call, end; verdict, reviewed, how many tags."""
    return [NOTHING, *_happened(row, plain), *(_reviewed(state, by, plain) if state else 3 * [NOTHING])]


def _happened(row: QueueRow, plain: bool) -> list[Bit]:
    found = outcome.of_row(row)
    act = "forbidden" if found.forbidden else "write" if found.writes else ""
    bits: list[Bit] = [
        (f"{glyph(act, plain)}{' ' * plain}", "bad" if found.forbidden else "tool.write") if act else ("  ", "")
    ]
    bits.append((glyph("handover", plain), "tool.handover") if found.handover else NOTHING)
    bits.append((glyph("failed", plain), "error") if found.errors else NOTHING)
    return [*bits, _end(found, plain)]


def _end(found: outcome.Outcome, plain: bool) -> Bit:
    if found.error is not None:
        return glyph("end.error", plain), "error"
    if not found.messages:
        return glyph("empty", plain), "missing"
    if not found.ended_by:
        return NOTHING
    name, style = _ENDS.get(found.ended_by, ("end.other", "faint"))
    return glyph(name, plain), style


def _reviewed(state: State, by: str, plain: bool) -> list[Bit]:
    verdict = state.verdicts.get(by, "")
    tags = len(state.tags)
    return [
        (glyph(verdict, plain), _VERDICT_STYLES.get(verdict, "good")) if verdict else NOTHING,
        (glyph("reviewed", plain), "good") if by in state.reviewed else NOTHING,
        (str(tags) if 0 < tags <= _MANY else "+" if tags else " ", "tag"),
    ]
