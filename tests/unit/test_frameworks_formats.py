"""What a sketch does not show of the logs of agent frameworks: ids, times, tokens, costs, scores, runs."""

from __future__ import annotations

import json
from pathlib import Path

from reviewer.imports import formats
from reviewer.imports.source import BadRecord, Extract, Remark, Source
from reviewer.transcripts.model import Score, Usage
from tests import variants

VARIANTS = variants.every()


def found(folder: Path, name: str) -> list[Extract]:
    """What the format that claims a variant reads of it."""
    held = VARIANTS[name].held
    (folder / name).write_bytes(held if isinstance(held, bytes) else json.dumps(held).encode())
    source = Source(folder / name, name)
    format = formats.recognised(source)
    assert format is not None
    return [item for item in format.read(source) if isinstance(item, Extract)]


def test_a_swe_agent_trajectory_says_its_instance_model_end_and_costs(tmp_path: Path) -> None:
    (item,) = found(tmp_path, "calls.traj")
    it = item.conversation
    assert (it.case, it.model, it.ended_by, it.run, item.alone) == ("org__repo-1", "gpt-4o", "cut", None, True)
    assert it.usage == Usage(70, 9, cost=0.5)
    assert it.meta == {"exit_status": "submitted (exit_cost)", "api_calls": 3, "seconds": 0.25}
    assert it.facts is not None
    assert it.facts.goal == "Fix."
    assert item.run is not None
    assert item.run.harness == "SWE-agent 1.1.0"
    assert it.messages[3].extra == {"not_in_history": True}
    assert it.messages[4].calls[0].id == "c1"


def test_an_instance_without_an_id_is_called_as_its_file(tmp_path: Path) -> None:
    (item,) = found(tmp_path, "org__repo-2.traj")
    it = item.conversation
    assert (it.case, it.ended_by, it.error, it.usage) == ("org__repo-2", "error", "exit_error", None)
    assert it.messages[1].calls[0].extra == {"from_text": True}


def test_attempts_at_one_instance_are_runs_of_it(tmp_path: Path) -> None:
    one, two = (item.conversation for item in found(tmp_path, "attempts.traj"))
    assert [(it.case, it.run) for it in (one, two)] == [("attempts", 0), ("attempts", 1)]
    assert one.scores == (Score("review", 0.25, note='["poor"]'),)
    assert (two.meta or {}).get("chosen") is True


def test_an_openhands_answer_is_one_message_with_its_tokens(tmp_path: Path) -> None:
    (item,) = found(tmp_path, "trajectory.json")
    it = item.conversation
    said = it.messages[3]
    assert (it.model, it.ended_by, it.started, it.ended) == (
        *("gpt-4o", "agent-stop"),
        *("2026-01-01T00:00:00", "2026-01-01T00:00:04"),
    )
    assert (said.at, said.tokens_in, said.tokens_out, said.tokens_cached) == ("2026-01-01T00:00:04", 9, 4, 5)
    assert [(call.id, call.error) for call in said.calls] == [("c1", "no order"), ("c2", None)]
    assert it.usage == Usage(9, 4, cost=0.5)
    assert it.extra == {"passed_over": {"recall": 1, "agent_state_changed": 1}}
    assert item.run is not None
    assert (item.run.harness, len(item.run.tools)) == ("OpenHands CodeAct", 1)


def test_an_openhands_evaluation_says_case_run_error_and_scores(tmp_path: Path) -> None:
    first, second = (item.conversation for item in found(tmp_path, "output.jsonl"))
    assert (first.case, first.run, first.error, first.ended_by, first.model) == ("org__repo-1", 2, "gone", "error", "m")
    assert first.scores == (Score("resolved", 1.0, raw="true"), Score("failed_apply_patch", 0.0, raw="false"))
    assert (second.case, second.run, second.scores) == ("org__repo-2", None, ())
    (item,) = found(tmp_path, "resolver.jsonl")
    it = item.conversation
    assert (it.id, it.usage, it.messages[1].calls[0].extra) == ("o/r#5", Usage(cost=0.25), {"exit_code": 1})
    assert it.scores == (Score("success", 0.0, note="no", raw="false"),)


def test_a_logged_call_says_its_tokens_cost_and_tools(tmp_path: Path) -> None:
    (item,) = found(tmp_path, "gpt-4o-1757015025.972.json")
    it = item.conversation
    assert (it.id, it.usage, it.messages[1].cost) == ("r1", Usage(9, 4, None, 5, 0.5), 0.5)
    assert item.run is not None
    assert len(item.run.tools) == 1


def test_openhands_second_generation_says_tokens_errors_and_state(tmp_path: Path) -> None:
    (item,) = found(tmp_path, "kinds.jsonl")
    it = item.conversation
    both, again = it.messages[2:4]
    assert (both.tokens_in, both.tokens_out, both.tokens_cached, again.tokens_in) == (9, 4, 5, None)
    assert [call.error for call in (*both.calls, *again.calls)] == [None, "no such tool", "No."]
    assert [call.extra for call in both.calls] == [{"summary": "list", "exit_code": 0}, {"summary": "list"}]
    assert (it.model, it.ended_by, it.usage) == ("m-2", "agent-stop", Usage(9, None, None, None, 0.5))


def test_events_kept_a_file_each_are_read_by_the_first_of_them(tmp_path: Path) -> None:
    events = [json.loads(line) for line in VARIANTS["events.jsonl"].held.splitlines()]
    folder = tmp_path / "conversation" / "events"
    folder.mkdir(parents=True)
    state = {"id": "c-1", "agent": {"llm": {"model": "gpt-4o"}}, "execution_status": "stuck"}
    (folder.parent / "base_state.json").write_text(json.dumps(state))
    for index, event in enumerate(events):
        (folder / f"event-{index:05}-{event['id']}.json").write_text(json.dumps(event))
    paths = sorted(folder.iterdir())
    first, second = (formats.named("openhands").read(Source(path, path.name)) for path in paths[:2])
    (item,) = first
    assert isinstance(item, Extract)
    assert [variants.sketch(item.conversation)] == VARIANTS["events.jsonl"].expected
    assert (item.conversation.id, item.conversation.model, item.conversation.ended_by) == ("c-1", "gpt-4o", "error")
    assert [type(item) for item in second] == [Remark]
    paths[1].write_text("{")
    torn = list(formats.named("openhands").read(Source(paths[0], paths[0].name)))
    assert [type(item) for item in torn] == [BadRecord, Extract]


def test_a_log_of_other_actions_is_no_trajectory(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(json.dumps({"action": "login", "content": "x", "user": "u"}) + "\n")
    assert formats.recognised(Source(tmp_path / "log.jsonl", "log.jsonl")) is None


def test_an_adk_session_says_its_times_tokens_and_errors(tmp_path: Path) -> None:
    (item,) = found(tmp_path, "adk.session.json")
    it = item.conversation
    asked, said = it.messages[:2]
    assert (it.id, it.model, it.meta) == ("s-1", "gemini-2.5", {"app": "shop", "user": "u"})
    assert (it.started, it.ended, it.ended_by, it.error) == (
        *("2026-01-01T00:00:00.000+00:00", "2026-01-01T00:00:06.000+00:00"),
        *("error", "quota"),
    )
    assert (asked.name, said.name) == (None, "desk")
    assert (said.tokens_in, said.tokens_out, said.tokens_reasoning, said.tokens_cached) == (10, 5, 2, 4)
    assert [(call.id, call.error) for call in said.calls] == [("a", None), ("b", "no")]
    assert it.messages[3].extra == {"actions": {"transferToAgent": "desk"}}
    assert it.extra == {"passed_over": 1, "state": {"a": 1}}


def test_an_adk_evaluation_says_case_run_and_scores(tmp_path: Path) -> None:
    first, second = found(tmp_path, "adk.evalset_result.json")
    it = first.conversation
    assert (it.case, it.run, second.conversation.run, it.id) == ("orders-one", 0, 1, "s-1")
    assert it.scores == (
        Score("final_eval_status", 0.0, raw="2"),
        Score("rubric", 0.5, "judge-1", "It did not say when."),
    )
    assert it.facts is not None
    assert (it.facts.suite, it.facts.expected) == ("orders", ('get_order({"id":7})',))
    assert first.run is not None
    assert (first.run.prompt, len(first.run.tools)) == ("Be kind.", 1)
    (case,) = found(tmp_path, "adk.evalset.json")
    assert case.conversation.case == "orders-one"


def test_a_pydantic_ai_history_says_its_tokens_cost_and_errors(tmp_path: Path) -> None:
    (item,) = found(tmp_path, "history.json")
    it = item.conversation
    said, last = it.messages[3], it.messages[5]
    assert (it.id, it.model, it.started, it.ended) == (
        *("t-1", "gpt-4o"),
        *("2026-01-01T00:00:01Z", "2026-01-01T00:00:03Z"),
    )
    assert (said.tokens_in, said.tokens_out, said.tokens_reasoning, said.tokens_cached, said.cost) == (
        10,
        5,
        2,
        4,
        0.0125,
    )
    assert [call.error is not None for call in said.calls] == [False, True, False]
    assert said.calls[2].extra == {"provider": "p", "result_at": "2026-01-01T00:00:02Z"}
    assert (last.tokens_in, last.tokens_out, last.extra) == (20, 3, {"finish": "length"})


def test_a_pydantic_evals_report_says_cases_runs_and_scores(tmp_path: Path) -> None:
    first, second = (item.conversation for item in found(tmp_path, "report.json"))
    assert [(it.case, it.run) for it in (first, second)] == [("qa-one", None), ("qa-one", 1)]
    assert first.scores == (Score("Says", 0.0, note="no", raw="false"),)
    assert second.scores[0] == Score("Near", 0.5)
    assert first.facts is not None
    assert (first.facts.suite, first.facts.goal, first.facts.expected) == ("qa", "Hi", ("No.",))


def test_cases_that_kept_no_messages_are_counted(tmp_path: Path) -> None:
    report = VARIANTS["report.json"].held
    failed = {"name": "two", "inputs": "Hi", "error_message": "gone"}
    (tmp_path / "report.json").write_text(json.dumps({**report, "failures": [failed]}))
    source = Source(tmp_path / "report.json", "report.json")
    remarks = [item.text for item in formats.named("pydantic-ai").read(source) if isinstance(item, Remark)]
    assert remarks == ["1 of 3 cases without messages: passed over"]


def test_an_autogen_result_says_its_tokens_times_and_end(tmp_path: Path) -> None:
    (item,) = found(tmp_path, "autogen.json")
    it = item.conversation
    called = it.messages[1]
    assert (called.name, called.at, called.tokens_in, called.tokens_out) == ("desk", "2026-01-01T00:00:01Z", 10, 5)
    assert [(call.id, call.error) for call in called.calls] == [("c1", None), ("c2", "no")]
    assert it.messages[3].extra == {"target": "sums"}
    assert it.messages[4].calls[0].error == "broken"
    assert (it.ended_by, (it.meta or {})["agents"]) == ("customer-stop", "desk, sums")
    assert it.extra == {"passed_over": {"ModelClientStreamingChunkEvent": 1, "UserInputRequestedEvent": 1}}
    team = [item.conversation.id for item in found(tmp_path, "autogen-team.json")]
    assert team == [None, "desk"]


def test_an_autogen_chat_says_its_model_and_costs(tmp_path: Path) -> None:
    (item,) = found(tmp_path, "chat-result.json")
    it = item.conversation
    assert (it.model, it.usage, it.ended_by) == ("gpt-4o", Usage(20, 6, cost=0.5), "agent-stop")
    assert it.extra == {"summary": "Shipped.", "human_input": ["yes"]}
    assert [call.error for call in it.messages[1].calls] == [None, "Error: no such tool"]
    assert (it.messages[0].name, it.messages[2].name) == (None, "desk")


def test_logged_calls_of_autogen_say_session_tools_and_costs(tmp_path: Path) -> None:
    (item,) = found(tmp_path, "chat-completions.json")
    it = item.conversation
    assert (it.id, it.model, it.messages[2].tokens_in, it.usage) == ("s-1", "gpt-4o", 10, Usage(20, 6, cost=0.5))
    assert item.run is not None
    assert (item.run.prompt, len(item.run.tools)) == ("Be kind.", 1)
    (item,) = found(tmp_path, "runtime.log")
    assert (item.conversation.id, item.conversation.model, item.conversation.usage) == (
        "s-1",
        "gpt-4o",
        Usage(cost=0.25),
    )
    assert item.conversation.started == "2026-01-01 00:00:01"
    step = json.dumps({"event_name": "reply_func_executed", "source_name": "Planner", "json_state": "{}"}).encode()
    (tmp_path / "runtime.log").write_bytes(VARIANTS["runtime.log"].held + step)
    last = list(formats.named("autogen-chat").read(Source(tmp_path / "runtime.log", "runtime.log")))[-1]
    assert last == Remark("1 lines about agents' own steps passed over")


def test_what_every_agent_of_a_group_holds_is_told_once(tmp_path: Path) -> None:
    group = VARIANTS["group.json"].held
    (tmp_path / "agents.json").write_text(json.dumps({"Admin": group, "Planner": group}))
    items = list(formats.named("autogen-chat").read(Source(tmp_path / "agents.json", "agents.json")))
    assert [type(item) for item in items] == [Extract, Remark]


def test_a_failure_that_was_traced_says_case_answer_and_blame(tmp_path: Path) -> None:
    (item,) = found(tmp_path, "traced.json")
    it = item.conversation
    assert it.scores == (
        Score("is_correct", 0.0, raw="false"),
        Score("mistake_step", 1.0, note="Planner: It guessed."),
    )
    assert it.facts is not None
    assert (it.case, it.facts.goal, it.facts.expected) == ("q-1", "How many?", ("8",))
    assert [message.name for message in it.messages] == [None, "Planner", "Admin", "Orchestrator (thought)"]


def test_a_crew_says_its_agents_tokens_and_times(tmp_path: Path) -> None:
    (item,) = found(tmp_path, "crew.json")
    it = item.conversation
    assert (it.usage, it.extra) == (Usage(10, 3, None, 4), {"requests": 2})
    assert [message.name for message in it.messages if message.role == "agent"] == ["Desk", "Desk", "Voice"]
    assert it.messages[2].calls[0].extra == {"from_text": True}
    first, second = (item.conversation for item in found(tmp_path, "crew-log.json"))
    assert (first.started, first.meta, len(second.messages)) == ("2026-01-01 00:00:01", {"agents": "Desk"}, 1)
