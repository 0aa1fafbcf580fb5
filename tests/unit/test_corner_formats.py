"""What a sketch of a conversation does not show: tokens, costs, times, ids, scores, tools; and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from reviewer.imports import formats
from reviewer.imports.messages import plausibility
from reviewer.imports.messages.content import content_of, filled, text_of, thought_of, tokens_of
from reviewer.imports.source import BadRecord, Extract, Remark, Source
from reviewer.transcripts.model import Conversation, Message, Score, ToolCall, Usage
from tests import shapes
from tests.variants.corners import DOJO, HEADER, ITEMS
from tests.variants.kit import ASK, CALLED, RESULT, SAID, lines

TOOL = {"type": "function", "function": {"name": "get_order", "parameters": {"type": "object"}}}


def items(folder: Path, held: Any, expected: str, name: str = "held.json") -> list[Any]:
    """What the format that claims this makes of it."""
    path = folder / name
    path.write_bytes(held if isinstance(held, bytes) else json.dumps(held).encode())
    source = Source(path, name)
    format = formats.recognised(source)
    assert format is not None
    assert expected == format.NAME
    return list(format.read(source))


def one(folder: Path, held: Any, expected: str, name: str = "held.json") -> Extract:
    """The one conversation of a file, with what is said of its run."""
    (found,) = [item for item in items(folder, held, expected, name) if not isinstance(item, Remark)]
    assert isinstance(found, Extract)
    return found


def used(it: Conversation | Message) -> tuple[Any, ...]:
    usage: Any = it.usage if isinstance(it, Conversation) else it
    assert usage is not None
    return usage.tokens_in, usage.tokens_out, usage.tokens_reasoning, usage.tokens_cached, usage.cost


# --- words


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (["a", "", "b"], "a\n\nb"),
        (["", "a"], "\na"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": ""}, {"type": "text", "text": " b "}], "a\n b "),
        ([{"type": "text", "text": "\n"}, "x"], "\n\nx"),
        (0, "0"),
        (False, "false"),
    ],
)
def test_a_text_keeps_every_character(content: Any, text: str) -> None:
    assert content_of(content).text == text == text_of(content)


def test_a_field_that_is_called_as_one_of_ours_is_kept_beside_it() -> None:
    assert filled({"notes": "a", "empty": None}, {"blocks": [1]}, notes="b", none="") == {
        "notes": "b",
        "notes of the source": "a",
        "blocks": [1],
    }


def test_words_that_a_block_has_as_its_value() -> None:
    held = content_of(
        [
            {"type": "reasoning", "value": "Look."},
            {"type": "text", "value": "It is\nthere."},
            {"type": "tool_call", "value": '{"name": "get_order", "arguments": {"id": 7}}'},
            {"type": "tool_call", "value": "get_order 7"},
        ]
    )
    assert (held.text, held.reasoning, held.other) == ("It is\nthere.", "Look.", [])
    assert held.calls == [ToolCall("get_order", '{"id":7}'), ToolCall("", "get_order 7")]


def test_words_under_a_name_that_is_not_read_are_no_text(tmp_path: Path) -> None:
    said = {"role": "user", "content": [{"type": "text", "words": "Where is #7?"}]}
    (bad,) = items(tmp_path, {"messages": [said, {**said, "role": "assistant"}]}, "openai-chat")
    assert isinstance(bad, BadRecord)
    assert "2 of 2 messages hold no words" in bad.reason


def test_a_preference_is_no_talk_of_agents(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(lines({f"{kind}_messages": [ASK, SAID] for kind in ("chosen", "rejected")}).decode())
    assert formats.recognised(Source(path, path.name)) is None


def test_reasoning_is_no_text() -> None:
    thought = [{"type": "thinking", "thinking": "Hm.\n"}]
    assert thought_of(thought) == "Hm.\n"
    assert json.loads(text_of(thought)) == thought


def test_what_a_tool_says_beside_its_result_is_kept(tmp_path: Path) -> None:
    result = {**RESULT, "timestamp": "2026-01-01T00:00:05Z", "error": "late", "took": 3}
    (call,) = (
        one(tmp_path, [ASK, {**CALLED, "timestamp": "2026-01-01T00:00:01Z"}, result], "openai-chat")
        .conversation.messages[1]
        .calls
    )
    assert (call.result, call.error) == ("shipped", "late")
    assert call.extra == {"took": 3, "result_at": "2026-01-01T00:00:05Z"}


# --- tokens


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 0}}, (9, 4, None, 0)),
        ({"input": 9, "output": 4, "total": 18, "input_cached": 5}, (14, 4, None, 5)),
        ({"input": 9, "output": 4, "total": 13, "input_cached": 5}, (9, 4, None, 5)),
        ({"input": 9, "output": 4, "total": 20, "output_reasoning": 7}, (9, 11, 7, None)),
        ({"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13, "reasoning_tokens": 7}, (9, 11, 7, None)),
        (
            {"input": 9, "output": 4, "total": 13, "prompt_details.cache_read": 2, "completion_details.reasoning": 0},
            (9, 4, 0, 2),
        ),
        (
            {"input_tokens": 1, "output_tokens": 2, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 3},
            (9, 2, None, 5),
        ),
        (
            {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13, "cache_read_input_tokens": 5},
            (9, 4, None, 5),
        ),
        (
            {"prompt_token_count": 9, "candidates_token_count": 4, "thoughts_token_count": 2, "total_token_count": 15},
            (9, 6, 2, None),
        ),
    ],
)
def test_tokens_are_counted_as_the_model_read_and_wrote_them(usage: Any, expected: Any) -> None:
    assert tokens_of(usage) == expected


def test_a_total_beside_the_messages_is_the_conversations(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 90, "completion_tokens": 9, "cost": 0.5}
    found = one(tmp_path, {"messages": [ASK, SAID], "usage": usage, "tools": [TOOL]}, "openai-chat")
    assert used(found.conversation) == (90, 9, None, None, 0.5)
    assert found.run is not None
    assert found.run.tools == (TOOL,)


def test_a_reply_says_when_it_came_and_what_it_cost(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": 4, "cost": 0.5}
    response = {"created": 1_800_000_000, "choices": [{"message": SAID}], "usage": usage}
    it = one(tmp_path, {"request": {"messages": [ASK]}, "response": response}, "openai-chat").conversation
    assert (it.messages[1].at, used(it.messages[1])) == ("2027-01-15T08:00:00.000+00:00", (9, 4, None, None, 0.5))


def test_an_items_call_says_when_it_was_made(tmp_path: Path) -> None:
    at = "2026-01-01T00:00:01Z"
    it = one(tmp_path, [{**item, "timestamp": at} for item in ITEMS], "responses").conversation
    assert [message.at for message in it.messages] == [at] * 3
    assert it.messages[1].calls[0].at == at


def test_a_response_says_what_it_used_and_was_given(tmp_path: Path) -> None:
    details = {"input_tokens_details": {"cached_tokens": 20}, "output_tokens_details": {"reasoning_tokens": 3}}
    usage = {"input_tokens": 50, "output_tokens": 7, **details}
    asked = {"input": ITEMS[:1], "tools": [TOOL], "temperature": 0.5}
    held = {"responses_create_params": asked, "response": {"id": "resp_1", "output": ITEMS[1:], "usage": usage}}
    found = one(tmp_path, held, "responses")
    assert used(found.conversation) == (50, 7, 3, 20, None)
    assert found.run is not None
    assert (found.run.tools, found.run.extra) == ((TOOL,), {"temperature": 0.5})


def test_atif_says_tokens_costs_and_tools(tmp_path: Path) -> None:
    metrics = {"prompt_tokens": 9, "completion_tokens": 4, "cached_tokens": 3, "cost_usd": 0.25}
    totals = {
        "total_prompt_tokens": 90,
        "total_completion_tokens": 40,
        "total_cached_tokens": 30,
        "total_cost_usd": 2.5,
    }
    agent = {"name": "desk", "tool_definitions": [TOOL]}
    steps = [{"step_id": 1, "source": "agent", "message": "Hi", "metrics": metrics}]
    found = one(
        tmp_path, {"schema_version": "ATIF-v1.6", "agent": agent, "steps": steps, "final_metrics": totals}, "atif"
    )
    assert used(found.conversation.messages[0]) == (9, 4, None, 3, 0.25)
    assert used(found.conversation) == (90, 40, None, 30, 2.5)
    assert found.run is not None
    assert found.run.tools == (TOOL,)


def test_mini_swe_says_costs_and_settings(tmp_path: Path) -> None:
    found = one(tmp_path, shapes.MINI_SWE, "mini-swe", "x.traj.json")
    assert used(found.conversation) == (None, None, None, None, 0.1)
    assert found.run is not None
    assert found.run.extra == {"model": {"model_name": "gemini-3-pro"}}


def test_tau2_says_costs_tools_and_every_part_of_the_reward(tmp_path: Path) -> None:
    held = shapes.tau2(trials=1)
    held["info"]["environment_info"]["tool_defs"] = {"get_order": json.dumps(TOOL)}
    act = {"action": {"name": "get_order", "arguments": {"id": 7}}, "action_match": False}
    reward = {
        "reward": 0.0,
        "db_check": {"db_match": False, "db_reward": 0.0},
        "action_checks": [act, {**act, "action_match": True}],
        "communicate_checks": [{"info": "42", "met": False, "justification": "never said"}],
        "env_assertions": [{"env_assertion": {"func_name": "is_on", "arguments": {}}, "met": True}],
        "nl_assertions": [{"nl_assertion": "is kind", "met": False, "justification": "was rude"}],
    }
    thinks = {
        "role": "assistant",
        "content": [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Yes."}],
    }
    held["simulations"][0] |= {"reward_info": reward, "agent_cost": 0.5, "user_cost": 0.1}
    held["simulations"][0]["messages"] = [*shapes.TAU2_MESSAGES, {**thinks, "timestamp": "2026-01-01T00:00:09"}]
    found = one(tmp_path, held, "tau2")
    it = found.conversation
    assert used(it) == (None, None, None, None, 0.5)
    assert (it.meta or {})["agent_cost"] == 0.5
    assert (it.messages[-1].text, it.messages[-1].reasoning) == ("Yes.", "Hm.")
    assert found.run is not None
    assert found.run.tools == (TOOL,)
    assert [(score.scorer, score.value, score.note) for score in it.scores] == [
        ("reward", 0.0, None),
        ("db_check", 0.0, None),
        ("actions", 0.5, 'not met: get_order({"id":7})'),
        ("communicated", 0.0, "not met: 42 (never said)"),
        ("env_assertions", 1.0, None),
        ("assertions", 0.0, "not met: is kind (was rude)"),
    ]


def test_tau_bench_says_the_parts_of_its_reward(tmp_path: Path) -> None:
    told = {"r_outputs": 0.0, "outputs": {"42": False, "7": True}}
    record = {"task_id": 1, "reward": 0.0, "info": {"reward_info": {"reward": 0.0, "info": told}}, "traj": [ASK, SAID]}
    it = one(tmp_path, [record], "tau-bench").conversation
    assert [(score.scorer, score.value, score.note) for score in it.scores] == [
        ("reward", 0.0, None),
        ("reward.outputs", 0.0, "not told: 42"),
    ]


# --- cases and verdicts


def test_the_id_of_a_benchmarks_record_is_its_case(tmp_path: Path) -> None:
    record = {
        "id": "aime-0",
        "responses_create_params": {"input": ITEMS[:1]},
        "response": {"id": "resp_1", "output": []},
    }
    it = one(tmp_path, record, "responses").conversation
    assert (it.case, it.id) == ("aime-0", "resp_1")
    it = one(tmp_path, {"id": "aime-0", "input": ITEMS[:1], "output": ITEMS[1:]}, "responses").conversation
    assert (it.case, it.id) == ("aime-0", None)
    it = one(
        tmp_path, {"id": "aime-0", "task_id": "t", "input": ITEMS[:1], "output": ITEMS[1:]}, "responses"
    ).conversation
    assert (it.case, it.id) == ("t", "aime-0")


@pytest.mark.parametrize("id", ["resp_68f0", "0b5f7b9e-58a5-4d0f-8a41-0e2f6b9f4d11"])
def test_the_id_of_a_stored_answer_is_its_own(tmp_path: Path, id: str) -> None:
    it = one(tmp_path, {"id": id, "input": ITEMS[:1], "output": ITEMS[1:]}, "responses").conversation
    assert (it.case, it.id) == (None, id)


def test_the_id_of_a_session_is_no_case(tmp_path: Path) -> None:
    it = one(tmp_path, lines({"id": "s-1", "model": "gpt-5"}, *ITEMS), "responses", "held.jsonl").conversation
    assert (it.case, it.id, it.model) == (None, "s-1", "gpt-5")


def test_verdicts_of_a_rollout_are_scores(tmp_path: Path) -> None:
    told = {
        "reward": 1.0,
        "criteria_pass_rate": 0.75,
        "is_correct": True,
        "seed": 7,
        "agent_run_time": 9.5,
        "success": "no",
    }
    record = {"responses_create_params": {"input": ITEMS[:1]}, "response": {"output": ITEMS[1:]}, **told}
    it = one(tmp_path, record, "responses").conversation
    assert {(score.scorer, score.value) for score in it.scores} == {
        ("reward", 1.0),
        ("criteria_pass_rate", 0.75),
        ("is_correct", 1.0),
    }


def test_metadata_beside_the_messages_may_say_model_case_and_run(tmp_path: Path) -> None:
    meta = {"model": "gpt-4o", "task_id": 0, "trial": 2}
    it = one(tmp_path, {"messages": [ASK, SAID], "metadata": meta}, "openai-chat").conversation
    assert (it.model, it.case, it.run) == ("gpt-4o", "0", 2)
    it = one(
        tmp_path, {"messages": [ASK, SAID], "model": "o3", "case": "a", "metadata": meta}, "openai-chat"
    ).conversation
    assert (it.model, it.case) == ("o3", "a")


def test_turns_that_a_trace_names_are_no_test_case(tmp_path: Path) -> None:
    told = {"trace_id": "t1", "scenario": "An order", "turns": [ASK, SAID]}
    it = one(tmp_path, [told], "openai-chat").conversation
    assert (it.id, it.case) == ("t1", None)


def test_scores_may_be_a_list(tmp_path: Path) -> None:
    scores = [{"name": "tone", "value": 0.5, "comment": "curt"}, {"scorer": "match", "score": "C"}, 3]
    it = one(tmp_path, {"messages": [ASK, SAID], "scores": scores}, "openai-chat").conversation
    assert it.scores == (Score("tone", 0.5, note="curt"), Score("match", 1.0, raw="C"), Score("scores", 3.0))


def test_agentdojo_names_the_case_by_task_and_injection(tmp_path: Path) -> None:
    found = one(tmp_path, DOJO, "agentdojo", "injection_task_3.json")
    it = found.conversation
    assert (it.model, it.case) == (
        "gpt-4o-2024-05-13-tool_filter",
        "banking-user_task_0-injection_task_3-important_instructions",
    )
    assert it.scores == (Score("utility", 0.0, raw="false"), Score("security", 1.0, raw="true"))
    assert it.messages[2].calls[0].error == "ValueError: no such file ✉"
    assert it.facts is not None
    assert (it.facts.suite, it.facts.bucket, it.facts.extra) == (
        "banking",
        "adversarial",
        {"injections": DOJO["injections"]},
    )
    assert (it.started, (it.meta or {})["duration"]) == ("2025-01-02 03:04:05", 1.5)
    assert found.alone
    assert found.run is not None
    assert found.run.harness == "AgentDojo 0.1.35"
    failed = {**DOJO, "injection_task_id": None, "attack_type": None, "error": "context_length_exceeded"}
    it = one(tmp_path, failed, "agentdojo").conversation
    assert (it.case, it.ended_by, it.error) == ("banking-user_task_0", "error", "context_length_exceeded")


# --- calls


def test_a_call_written_beside_its_result_has_it(tmp_path: Path) -> None:
    written = {"role": "assistant", "content": '<tool_call>{"name": "get_order", "arguments": {}}</tool_call>'}
    result = {"role": "tool", "tool_call_id": "x", "content": "shipped"}
    other = {"role": "tool", "tool_call_id": "y", "content": "more"}
    first, second = one(tmp_path, [ASK, written, result, other], "openai-chat").conversation.messages[1].calls
    assert (first.name, first.result, first.orphan, first.id) == ("get_order", "shipped", False, "x")
    assert first.extra == {"from_text": True}
    assert (second.result, second.orphan) == ("more", True)


def traced(*calls: tuple[Any, Any]) -> list[dict[str, Any]]:
    """Observations, each a call of a model with what it was asked and what it answered."""
    return [
        {
            "id": str(n),
            "traceId": "t",
            "type": "GENERATION",
            "startTime": f"2026-01-01T00:00:{2 * n:02}Z",
            "endTime": f"2026-01-01T00:00:{2 * n + 1:02}Z",
            "input": asked,
            "output": answered,
        }
        for n, (asked, answered) in enumerate(calls)
    ]


def test_a_call_told_under_its_items_id_and_its_own_is_one(tmp_path: Path) -> None:
    made = {"role": "assistant", "tool_calls": [{"id": "fc_1", "name": "get_order", "arguments": '{"id": 7}'}]}
    item = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "get_order", "arguments": '{"id":7}'}
    result = {"type": "function_call_output", "call_id": "call_1", "output": "shipped"}
    held = traced(([ASK], made), ([ASK, item, result], SAID))
    it = one(tmp_path, held, "langfuse").conversation
    assert [(call.name, call.result) for m in it.messages for call in m.calls] == [("get_order", "shipped")]
    assert len(it.messages) == 3


def test_two_like_calls_under_two_ids_each_are_two(tmp_path: Path) -> None:
    def call(id: str) -> dict[str, Any]:
        return {"id": id, "name": "get_order", "arguments": "{}"}

    made = {"role": "assistant", "tool_calls": [call("fc_1"), call("fc_2")]}
    again = {"role": "assistant", "tool_calls": [call("call_1"), call("call_2")]}
    results = [{"role": "tool", "tool_call_id": f"call_{n}", "content": str(n)} for n in (1, 2)]
    it = one(tmp_path, traced(([ASK], made), ([ASK, again, *results], SAID)), "langfuse").conversation
    assert [(call.id, call.result) for m in it.messages for call in m.calls] == [("fc_1", "1"), ("fc_2", "2")]


# --- traces


def test_langfuse_keeps_tokens_costs_tools_and_all_scores(tmp_path: Path) -> None:
    usage = {
        "usageDetails": {"input": 9, "output": 4, "total": 13, "input_cache_read": 3},
        "costDetails": {"total": 0.25},
    }
    first, second = traced(([ASK], CALLED), ([ASK, CALLED, RESULT], SAID))
    first |= {**usage, "toolDefinitions": {"get_order": '{"description": "Looks."}'}, "name": "plan"}
    second |= {
        "usageDetails": {"input": 20, "output": 1},
        "calculatedTotalCost": 0.5,
        "modelParameters": {"temperature": 0},
    }
    first["scores"] = [{"id": "s0", "name": "tone", "value": 1, "dataType": "BOOLEAN", "stringValue": "True"}]
    scores = [
        {
            "id": "s1",
            "name": "grade",
            "value": 0,
            "stringValue": "C",
            "dataType": "CATEGORICAL",
            "source": "ANNOTATION",
        },
        {"id": "s2", "name": "help", "value": 0.5, "dataType": "NUMERIC", "comment": "some", "observationId": "1"},
        {"id": "s3", "name": "output", "value": 0, "stringValue": "It is lost.", "dataType": "CORRECTION"},
    ]
    trace = {
        "id": "t",
        "timestamp": "2026-01-01T00:00:00Z",
        "totalCost": 9.0,
        "scores": scores,
        "observations": [first, second],
    }
    found = one(tmp_path, trace, "langfuse")
    it = found.conversation
    assert used(it.messages[1]) == (9, 4, None, 3, 0.25)
    assert used(it) == (29, 5, None, 3, 0.75)
    assert found.run is not None
    assert (found.run.tools, found.run.extra) == (({"name": "get_order", "description": "Looks."},), {"temperature": 0})
    assert set(it.scores) == {
        Score("tone", 1.0, None, "on plan", "True"),
        Score("grade", None, "ANNOTATION", None, "C"),
        Score("help", 0.5, None, "on 1: some", None),
        Score("correction", None, None, None, "It is lost."),
    }


def test_a_traces_cost_stands_in_where_no_observation_says_one(tmp_path: Path) -> None:
    trace = {"id": "t", "timestamp": "2026-01-01T00:00:00Z", "totalCost": 0.5, "observations": traced(([ASK], SAID))}
    assert one(tmp_path, trace, "langfuse").conversation.usage == Usage(cost=0.5)


def test_spans_say_cached_tokens_costs_and_tools(tmp_path: Path) -> None:
    said = {"gen_ai.prompt": [ASK], "gen_ai.completion": [SAID], "gen_ai.operation.name": "chat"}
    genai = {
        **said,
        "gen_ai.usage.input_tokens": 9,
        "gen_ai.usage.output_tokens": 4,
        "gen_ai.usage.cache_read.input_tokens": 3,
        "gen_ai.usage.cost": 0.5,
        "gen_ai.tool.definitions": json.dumps([TOOL]),
        "gen_ai.request.temperature": 0.5,
    }
    openinference = {
        "openinference.span.kind": "LLM",
        "input.value": json.dumps({"messages": [ASK]}),
        "output.value": json.dumps(SAID),
        "llm.token_count.prompt": 9,
        "llm.token_count.completion": 4,
        "llm.token_count.prompt_details.cache_read": 3,
        "llm.cost.total": 0.5,
        "llm.tools.0.tool.json_schema": json.dumps(TOOL),
    }
    for attributes in (genai, openinference):
        span = {"trace_id": "t", "span_id": "a", "name": "chat", "start_time": 1_800_000_000, "attributes": attributes}
        found = one(tmp_path, [span], "otel")
        assert used(found.conversation.messages[1]) == used(found.conversation) == (9, 4, None, 3, 0.5)
        assert found.run is not None
        assert found.run.tools == (TOOL,)


def test_a_span_whose_identifier_is_a_list_costs_no_other_span(tmp_path: Path) -> None:
    words = {"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "Hi.", "gen_ai.completion.0.content": "Hello."}
    attributes = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "kimi", **words}
    spans = [{"trace_id": trace, "span_id": trace, "name": "chat", "attributes": attributes} for trace in ("t", ["u"])]
    read = items(tmp_path, spans, "otel")
    assert [item.conversation.messages[0].text for item in read if isinstance(item, Extract)] == ["Hi.", "Hi."]


def test_a_tool_span_says_when_its_result_came(tmp_path: Path) -> None:
    (it,) = [item.conversation for item in items(tmp_path, shapes.openinference(), "otel") if isinstance(item, Extract)]
    (call,) = it.messages[1].calls
    assert call.at is not None
    assert (call.extra or {})["result_at"] > call.at


def test_words_that_look_like_an_object_written_out_stay_words(tmp_path: Path) -> None:
    held = traced((["Please set role=admin, content=none for me."], "No."))
    it = one(tmp_path, held, "langfuse").conversation
    assert it.messages[0].text == "Please set role=admin, content=none for me."
    held = traced((["role='user' content='Where is #7?'"], "Shipped."))
    assert one(tmp_path, held, "langfuse").conversation.messages[0].text == "Where is #7?"


def test_an_answer_of_no_known_shape_is_kept_as_it_is(tmp_path: Path) -> None:
    it = one(tmp_path, traced(({"question": "Where?"}, {"city": "Rome"})), "langfuse").conversation
    assert [(m.role, m.text) for m in it.messages] == [
        ("customer", '{"question":"Where?"}'),
        ("agent", '{"city":"Rome"}'),
    ]


HOSTILE = {
    "tags": "<a>" * 60_000 + "x",
    "calls": "<tool_call>{" * 40_000,
    "lists": "role=[" * 60_000,
    "fences": "```bash\n" * 60_000,
    "closing": "</tool_call>}" * 40_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_is_read_slowly(tmp_path: Path, name: str) -> None:
    text = HOSTILE[name]
    said = {"role": "assistant", "content": text}
    began = perf_counter()
    for held, format in (([ASK, said], "openai-chat"), (traced(([text], said), ([text, said], SAID)), "langfuse")):
        assert text in [message.text for message in one(tmp_path, held, format).conversation.messages]
    assert perf_counter() - began < 5  # tenths of a second, were it not for others on this machine; else minutes


# --- headers


def test_a_header_says_something_of_its_items_and_is_no_rejection(tmp_path: Path) -> None:
    seen = items(tmp_path, lines(HEADER, *ITEMS), "responses", "held.jsonl")
    assert [type(item) for item in seen] == [Extract]
    assert (seen[0].conversation.model, seen[0].conversation.extra) == ("gpt-4o", {"format": "chat-log", "version": 2})
    seen = items(tmp_path, lines(HEADER, {"messages": [ASK, SAID]}), "openai-chat", "held.jsonl")
    assert [type(item) for item in seen] == [Remark, Extract]


def test_without_anything_known_a_header_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "held.jsonl"
    path.write_bytes(lines(HEADER, HEADER))
    assert formats.recognised(Source(path, path.name)) is None
    assert [type(item) for item in formats.named("openai-chat").read(Source(path, path.name))] == [BadRecord, BadRecord]


# --- misreadings


@pytest.mark.parametrize(
    ("messages", "seen"),
    [
        (
            [{"role": "user", "content": None, "body": "Hi"}, {"role": "assistant", "content": "", "body": "Yes?"}],
            "not read: body (2)",
        ),
        ([{"role": "user", "content": ""}] * 4, "4 of 4 messages hold no words"),
        (
            [{"role": "caller", "content": "Hi"}, {"role": "operator", "content": "Yes?"}, ASK],
            "caller (1), operator (1)",
        ),
    ],
)
@pytest.mark.parametrize("format", ["openai-chat", "responses"])
def test_a_misread_record_is_rejected_with_what_was_seen(tmp_path: Path, format: str, messages: Any, seen: str) -> None:
    held = {"messages": messages} if format == "openai-chat" else {"responses_create_params": {"input": messages}}
    (bad,) = items(tmp_path, held, format)
    assert isinstance(bad, BadRecord)
    assert seen in bad.reason
    assert json.loads(bad.raw) == held


NAMED = Message("other", "Done.", name="planner", source_role="planner")


@pytest.mark.parametrize(
    "messages",
    [
        (),
        (Message("customer", "Hi"), Message("agent")),
        (Message("other", calls=(ToolCall("ls", result="a", orphan=True),), source_role="tool"),),
        (NAMED, NAMED, Message("customer", "Hi")),
        (Message("customer", "Hi"), Message("agent", "Yes?"), Message("other", "(music)", source_role="narrator")),
        (Message("system", "Be kind."),),
        (Message("agent", calls=(ToolCall("ls"),)),) * 9,
    ],
)
def test_what_is_odd_but_right_goes_through(messages: tuple[Message, ...]) -> None:
    assert plausibility.misread(messages) is None
    assert plausibility.of_conversation(Conversation("m", messages)) is None
