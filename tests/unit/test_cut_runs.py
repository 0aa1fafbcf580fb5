"""A case that begins in the middle, where no model is needed: what tools answer, which cases, what counts as done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from reviewer.basics.errors import ReviewerError
from reviewer.benchmark.cuts.case_text import case_text
from reviewer.benchmark.live.case_choice import chosen_cases
from reviewer.benchmark.live.cut_cases import CutCase, LaterCall, cut_cases
from reviewer.benchmark.live.recorded_answers import RecordedAnswers
from reviewer.cli.program import composed
from reviewer.imports.formats.inspect import InspectLog, extract
from reviewer.transcripts import desk
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.model import Case, Stored
from tests.builders import agent, call, customer

NORTHLINE = desk.load("northline")
LOOKED_UP = call("lookup_order", '{"order_number":"#77001"}', '{"status":"open"}')
AGAIN = call("lookup_order", '{"order_number":"#77001"}', '{"status":"shipped"}')
LATER = call("lookup_order", '{"order_number":"#77001"}', '{"status":"cancelled"}')
SEARCHED = call("search_products", '{"query": "bag", "limit": 2}', "[]")
FAILED = call("lookup_order", '{"order_number":"#77002"}', None, "no such order")
CANCELLED = call("cancel_order", '{"order_number":"#77001","reason":"so"}', '{"ok":true,"recorded":true}')


def recorded() -> RecordedAnswers:
    return RecordedAnswers([LOOKED_UP, AGAIN, FAILED], [LATER, SEARCHED, CANCELLED], NORTHLINE)


def case(name: str = "lost@1", goal: str = "A parcel.", **facts: Any) -> CutCase:
    told = {"persona": "Calm.", "goal": goal, "opening": "Where is it?", "extra": {"resolves": "Looks it up."}, **facts}
    about = Case(name, "cut", "lost parcel", "resolvable", **told)
    past = (customer("Where is it?"), agent("", LOOKED_UP), customer("And now?"))
    return CutCase(about, None, "plain", {}, "northline", past, (LaterCall("agent", "cancel", CANCELLED),))


def test_a_call_is_answered_as_it_was_when_the_conversation_was_cut() -> None:
    assert recorded().answer("lookup_order", {"order_number": "#77001"}) == '{"status":"shipped"}'
    assert recorded().answer("lookup_order", {"order_number": "#77002"}) == "no such order"
    assert recorded().answer("search_products", {"limit": 2, "query": "bag"}) == "[]"
    assert recorded().answer("cancel_order", {"order_number": "#77001", "reason": "so"}) == CANCELLED.result


def test_a_write_to_an_order_that_was_seen_is_recorded_and_all_else_is_the_desks_to_answer() -> None:
    told = json.loads(recorded().answer("cancel_order", {"order_number": "#77001", "reason": "another"}) or "")
    assert told == {"ok": True, "action": "cancel", "order_number": "#77001", "recorded": True}
    assert recorded().answer("cancel_order", {"order_number": "#99999", "reason": "so"}) is None
    assert recorded().answer("search_products", {"query": "case"}) is None
    assert recorded().answer("handover_to_human", {"summary": "so"}) is None
    assert recorded().answer("check_the_weather", {"city": "Leeds"}) is None


@pytest.mark.parametrize("arguments", [None, "no JSON", "[1]", '"a"', "[" * 5_000])
def test_a_call_with_arguments_that_nobody_can_repeat_answers_nothing(arguments: str | None) -> None:
    odd = RecordedAnswers([call("lookup_order", arguments or "null")], [], NORTHLINE)
    assert odd.answer("lookup_order", {"order_number": "#77001"}) is None


def test_a_filter_chooses_among_the_cases_of_a_folder() -> None:
    both = [case("lost@1"), case("late@2", opening="It is late.")]
    assert [each.id for each in chosen_cases("", among=both)] == ["lost@1", "late@2"]
    assert [each.id for each in chosen_cases("case:late*", among=both)] == ["late@2"]
    with pytest.raises(ReviewerError, match="No case matches"):
        chosen_cases("bucket:adversarial", among=both)


def test_what_was_done_in_the_past_is_not_the_models_doing() -> None:
    said = [
        {"role": "user", "content": "Where is it?"},
        *acted("a", "lookup_order"),
        *acted("b", "cancel_order"),
        {"role": "assistant", "content": "Shall I hand over?"},
        {"role": "user", "content": "Yes."},
        *acted("c", "handover_to_human"),
        {"role": "assistant", "content": "Done."},
    ]
    told = {"case": {"id": "lost@1"}, "past": 5, "acts": ["cancel_order", "handover_to_human"]}
    about = {"task": "northline", "model": "openai/one", "metadata": {"reviewer": {"run": 1}}}
    sample = {"id": "lost@1", "epoch": 1, "messages": said, "metadata": {"reviewer": told}}
    item = extract(InspectLog({"eval": about}), "1", (), sample).conversation
    assert [message.role for message in item.messages] == [
        "customer", "agent", "colleague", "agent", "customer", "agent", "agent",
    ]  # fmt: skip
    done = outcome.of_stored(Stored(1, "r", "d", item, desk=NORTHLINE.text))
    assert [(act.what, act.message, act.silent) for act in done.acts] == [("handover", 6, False)]


def acted(id: str, name: str) -> list[dict[str, Any]]:
    made = {"id": id, "function": name, "arguments": {"order_number": "#77001"}, "type": "function"}
    return [
        {"role": "assistant", "content": "", "tool_calls": [made]},
        {"role": "tool", "content": "{}", "tool_call_id": id, "function": name},
    ]


def test_the_command_plays_a_folder_and_refuses_what_cannot_be_played(tmp_path: Path) -> None:
    def said(*words: str) -> str:
        told = ["run", "northline", "--model", "openai/gpt-5", "--runs", "2", "--into", str(tmp_path / "r.db"), *words]
        result = CliRunner().invoke(composed(["run"]), [*told, "--dry-run"])
        return result.output + str(result.exception or "")

    folder = tmp_path / "cases"
    folder.mkdir()
    (folder / "a.toml").write_text(case_text(case("lost@1")), "utf-8")
    (folder / "b.toml").write_text(case_text(case("late@2", language="de")), "utf-8")
    assert len(cut_cases(folder)) == 2
    assert "4 conversations to hold: 2 cases" in said("--cases-from", str(folder))
    assert "2 conversations to hold: 1 cases" in said("--cases-from", str(folder), "--cases", "case:lost*")
    assert "is no folder" in said("--cases-from", str(tmp_path / "nowhere"))
    (folder / "b.toml").write_text(case_text(case("late@2", goal="")), "utf-8")
    assert "“late@2” cannot be played: “goal” is empty." in said("--cases-from", str(folder))
    (folder / "b.toml").write_text(case_text(case("late@2")).replace('desk = "northline"', 'desk = "retail"'), "utf-8")
    assert "“late@2” is a case of the desk retail, not of northline." in said("--cases-from", str(folder))
