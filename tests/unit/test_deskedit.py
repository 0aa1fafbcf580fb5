"""Saying in a desk's text what a tool is: that and nothing else changes, whatever way the desk is written."""

from __future__ import annotations

import pytest

from reviewer.basics.errors import DeskError
from reviewer.transcripts import desk
from reviewer.transcripts.desk import change as deskedit

INLINE = 'name = "d"  # ours\n[tools]\n# writes\ncancel_order = { class = "cancel", order = "id" }  # 12 calls\n'
TABLE = "name = \"d\"\n\n[tools.cancel_order]\norder = 'id'\nclass = 'cancel'\n\n[tools.look]\nclass = \"read\"\n"
INSIDE = '[tools]\ncancel_order = { class = "cancel" }\n'
WITHIN = 'name = "d"\ntools = { look = { class = "read" }, cancel_order = { class = "cancel" } }  # all of them\n'
DOTTED = 'name = "d"\n[tools]\ncancel_order.class = "cancel"  # stops\nlook.class = "read"\n\n# the end\n'
POLICY = f'name = "d"\npolicy = """\n{INSIDE}"""\n[tools]\ncancel_order = {{ class = "stop" }}\n'


@pytest.mark.parametrize("text", [INLINE, TABLE, WITHIN, DOTTED, POLICY, desk.load("northline").text])
def test_a_class_changes_and_everything_else_stays(text: str) -> None:
    before = desk.parse(text)
    tool = "cancel_order" if "cancel_order" in before.tools else next(iter(before.tools))
    after = deskedit.classed(text, tool, "refund", "x")
    assert after.act(tool) == "refund"
    assert after.order_argument(tool) == before.order_argument(tool)
    assert {**after.tools, tool: before.tools[tool]} == before.tools
    assert after.policy == before.policy
    changed = [line for line in after.text.splitlines() if line not in text.splitlines()]
    assert len(changed) == 1
    assert deskedit.classed(after.text, tool, before.tools[tool].act, "x").tools == before.tools


@pytest.mark.parametrize("text", ["", INLINE, TABLE, WITHIN, DOTTED, POLICY, desk.load("retail").text])
@pytest.mark.parametrize("tool", ["ship", "a b", "🙂", 'q"uote', "käse", "x.y"])
def test_a_tool_that_nobody_named_is_added_and_taken_out_again(text: str, tool: str) -> None:
    after = deskedit.classed(text, tool, "handover", "runs")
    assert after.kind(tool) == "handover"
    assert len(after.tools) == len(desk.kept(text).tools) + 1
    gone = deskedit.classed(after.text, tool, "?", "runs")
    assert gone.tools == desk.kept(text).tools


def test_the_same_again_is_the_same_text() -> None:
    assert deskedit.classed(INLINE, "cancel_order", "cancel", "x").text == INLINE
    assert deskedit.classed(INLINE, "nobody", "?", "x").text == INLINE


def test_what_cannot_be_is_a_sentence() -> None:
    with pytest.raises(DeskError, match="not a word of small letters"):
        deskedit.classed(INLINE, "cancel_order", "Big Words", "x")
    with pytest.raises(DeskError, match="the desk of the store"):
        deskedit.classed('name = "d"\n[tools\n', "ship", "reship", "x")
