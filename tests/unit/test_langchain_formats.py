"""What a sketch does not show of LangChain, LangSmith and OpenAI's services: times, tokens, scores, errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.imports import formats
from reviewer.imports.source import BadRecord, Extract, Item, Remark, Source
from reviewer.transcripts.model import Score, Usage
from tests import variants
from tests.variants.kit import SHORT, lines
from tests.variants.langchains import LANGCHAIN, runs
from tests.variants.openai_services import agents_traces, events

VARIANTS = variants.every()


def items(folder: Path, name: str, held: Any) -> list[Item]:
    path = folder / name
    path.write_bytes(held if isinstance(held, bytes) else json.dumps(held).encode())
    source = Source(path, name)
    format = formats.recognised(source)
    assert format is not None
    return list(format.read(source))


def read(folder: Path, name: str, held: Any = None) -> list[Extract]:
    """The conversations of a variant, or of what is held instead of it."""
    made = items(folder, name, VARIANTS[name].held if held is None else held)
    return [item for item in made if isinstance(item, Extract)]


@pytest.mark.parametrize("name", ["messages-to-dict.json", "dumps.json", "model-dump.jsonl", "states.json"])
def test_messages_of_langchain_keep_their_tokens_ids_and_model(tmp_path: Path, name: str) -> None:
    (found,) = read(tmp_path, name)
    it = found.conversation
    called = it.messages[1]
    assert it.model == "gpt-4o"
    assert (called.tokens_in, called.tokens_out, called.tokens_reasoning, called.tokens_cached) == (9, 4, 2, 3)
    assert (called.calls[0].id, called.calls[0].error) == ("c1", None)
    assert called.extra == {"id": "m2", "response_metadata": {"finish_reason": "tool_calls"}}


def test_arguments_stay_as_the_model_wrote_them(tmp_path: Path) -> None:
    written = {"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": '{"id":  7}'}}
    said = [LANGCHAIN[0], {**LANGCHAIN[1], "additional_kwargs": {"tool_calls": [written]}}]
    (found,) = read(tmp_path, "messages-to-dict.json", said)
    assert found.conversation.messages[1].calls[0].arguments == '{"id":  7}'


def test_what_a_model_wrote_wrong_and_what_a_tool_could_not_do_is_told(tmp_path: Path) -> None:
    (found,) = read(tmp_path, "langchain-odd.json")
    (call,) = (call for call in found.conversation.messages[1].calls if not call.orphan)
    assert (call.arguments, call.error) == ("{", "error")
    said = [*LANGCHAIN[:2], {**LANGCHAIN[2], "artifact": {"rows": 1}}]
    (found,) = read(tmp_path, "messages-to-dict.json", said)
    assert found.conversation.messages[1].calls[0].extra == {"artifact": {"rows": 1}}


def test_a_thread_says_when_it_began_and_what_else_its_state_holds(tmp_path: Path) -> None:
    (found,) = read(tmp_path, "states.json")
    it = found.conversation
    assert (found.position, it.id) == ("thread th-1", "th-1")
    assert (it.started, it.ended) == ("2026-01-01T00:00:00+00:00", "2026-01-01T00:00:03+00:00")
    assert it.extra == {"state": {"order": "#7"}}
    assert it.meta == {"source": "loop", "step": 3, "thread_id": "th-1"}
    (found,) = read(tmp_path, "threads.json")
    assert (found.conversation.started, found.conversation.meta) == ("2026-01-01T00:00:00Z", {"graph": "desk"})


def test_a_branch_that_was_given_up_is_named(tmp_path: Path) -> None:
    remarks = [
        item for item in items(tmp_path, "given-up.json", VARIANTS["given-up.json"].held) if isinstance(item, Remark)
    ]
    assert remarks == []
    first, kept = VARIANTS["given-up.json"].held
    earlier = {**first, "created_at": "2026-01-01T00:00:00.5+00:00"}
    earlier["checkpoint"] = {**earlier["checkpoint"], "checkpoint_id": "gone"}
    made = items(tmp_path, "given-up.json", [{**first, "parent_checkpoint": None}, kept, earlier])
    assert [type(item) for item in made] == [Remark, Extract]


def test_a_task_that_failed_is_the_error_of_its_thread(tmp_path: Path) -> None:
    state = {**VARIANTS["states.json"].held[0], "tasks": [{"id": "t", "name": "tools", "error": "ValueError('no')"}]}
    (found,) = read(tmp_path, "states.json", [state])
    assert (found.conversation.ended_by, found.conversation.error) == ("error", "ValueError('no')")


@pytest.mark.parametrize("name", ["runs.json", "runs.jsonl", "run-tree.json"])
def test_runs_give_tokens_cost_scores_and_tools(tmp_path: Path, name: str) -> None:
    (found,) = read(tmp_path, name)
    it = found.conversation
    last = it.messages[-1]
    assert (it.id, it.model, it.started) == ("th-1", "gpt-4o-2024", "2026-01-01T00:00:00.000000")
    assert (last.tokens_in, last.tokens_out, last.tokens_cached, last.cost) == (20, 5, 8, 0.002)
    assert it.messages[2].tokens_reasoning == 2
    assert it.usage == Usage(29, 9, cost=0.003)
    assert it.scores == (Score("tone", 0.5, note="2 marks"),)
    assert it.meta == {"trace": "desk", "user": "u-1"}
    assert found.run is not None
    assert [tool["function"]["name"] for tool in found.run.tools] == ["get_order"]


def test_marks_of_a_run_are_kept_one_by_one(tmp_path: Path) -> None:
    mark = {"key": "tone", "score": 1, "comment": "kind", "feedback_source": {"type": "api"}}
    word = {"key": "kind", "score": None, "value": "refund"}
    *inner, root = runs()
    (found,) = read(tmp_path, "runs.json", [*inner, {**root, "feedback": [mark, word], "reference_example_id": "e-1"}])
    assert found.conversation.scores == (Score("tone", 1.0, "api", "kind"), Score("kind", None, raw="refund"))
    assert found.conversation.case == "e-1"


def test_a_tool_that_failed_in_a_run_says_so(tmp_path: Path) -> None:
    _, search, tool, first, root = runs()
    cut = {**root, "error": "ValueError('no such order')"}
    made = [search, {**tool, "outputs": None, "error": "no such order"}, first, cut]
    (found,) = read(tmp_path, "runs.json", made)
    (call,) = found.conversation.messages[2].calls
    assert (call.error, call.at) == ("no such order", "2026-01-01T00:00:02.000000")
    assert (found.conversation.ended_by, found.conversation.error) == ("error", "ValueError('no such order')")


def test_traces_without_messages_are_counted(tmp_path: Path) -> None:
    bare = [{**run, "trace_id": "x", "extra": {}, "inputs": {}, "outputs": {}} for run in runs()]
    assert items(tmp_path, "runs.json", bare) == [Remark("1 traces without any message: passed over")]


def test_agents_keep_tokens_errors_guards_and_names(tmp_path: Path) -> None:
    (found,) = read(tmp_path, "agents.jsonl")
    it = found.conversation
    called = it.messages[2]
    assert (it.id, it.model, it.started) == ("g-1", "gpt-4.1", "2026-01-01T00:00:00.000000+00:00")
    assert (called.tokens_in, called.tokens_out, called.tokens_cached, called.name) == (9, 4, 3, "Desk")
    assert called.calls[0].error == "Error running tool: timeout"
    assert [message.name for message in it.messages[-2:]] == ["Refunds", "Refunds"]
    assert it.scores == (Score("polite", 1.0, "guardrail", raw="triggered"),)
    assert it.meta == {"workflow": "desk", "user": "u"}
    assert it.extra == {"handoffs": ["Desk to Refunds"]}
    assert found.run is not None
    assert [tool["name"] for tool in found.run.tools] == ["get_order"]


def test_traces_whose_words_were_not_exported_are_named(tmp_path: Path) -> None:
    bare = [
        {**row, "span_data": {"type": "response", "response_id": "r"}}
        if row.get("span_data", {}).get("type") == "response"
        else row
        for row in agents_traces()
    ]
    made = items(tmp_path, "agents.jsonl", lines(*bare))
    assert made == [Remark("1 traces without the words of any call: passed over")]


def test_a_session_keeps_its_name(tmp_path: Path) -> None:
    assert [found.conversation.id for found in read(tmp_path, "agents-session.jsonl")] == ["s-1", "s-2"]


def test_a_thread_keeps_tokens_notes_and_how_its_run_ended(tmp_path: Path) -> None:
    (found,) = read(tmp_path, "thread-whole.json")
    it = found.conversation
    assert (it.id, it.model, it.error, it.ended_by) == ("thread_1", "gpt-4o", "gone", "error")
    assert [message.tokens_in for message in it.messages] == [None, None, 5, 5]
    assert it.messages[1].at == "2023-11-14T22:13:20.000+00:00"
    assert it.messages[3].extra is not None
    assert it.messages[3].extra["citations"][0]["more"]["text"] == "[1]"
    assert it.usage == Usage(10, 4)
    assert it.meta == {"assistant": "asst_1", "user": "u"}
    assert found.run is not None
    assert (found.run.prompt, found.run.tools) == ("Policy.", ({"type": "code_interpreter"},))


def test_a_spoken_session_keeps_times_tokens_and_interruptions(tmp_path: Path) -> None:
    (found,) = read(tmp_path, "realtime.json")
    it = found.conversation
    assert (it.id, it.model, it.meta) == ("sess_1", "gpt-realtime", {"voice": "alloy"})
    assert (it.started, it.messages[1].at) == ("2023-11-14T22:13:20.000+00:00", "2023-11-14T22:13:22.000+00:00")
    assert [message.tokens_in for message in it.messages] == [None, None, 9, 9]
    assert it.messages[3].extra == {
        "status": "incomplete",
        "response": {"status": "cancelled", "details": {"reason": "turn_detected"}},
    }
    assert it.usage == Usage(18, 8, tokens_cached=6)
    assert it.extra == {"errors": [{"type": "invalid_request_error", "message": "no such item"}]}
    assert found.run is not None
    assert (found.run.prompt, [tool["name"] for tool in found.run.tools]) == ("Policy.", ["get_order"])


def test_instructions_that_change_are_told_where_they_change(tmp_path: Path) -> None:
    more = {"type": "session.updated", "session": {"instructions": "Be brief."}}
    (found,) = read(tmp_path, "realtime.jsonl", lines(*events()[:4], more, *events()[4:]))
    told = variants.sketch(found.conversation)
    assert (told[0], told[1], told[2]) == ("system Policy.", SHORT[0], "system Be brief.")


def test_events_of_sound_are_counted(tmp_path: Path) -> None:
    sound = {"type": "response.audio.delta", "item_id": "a1", "delta": "UklG"}
    made = items(tmp_path, "realtime.jsonl", lines(*events(), sound, sound))
    assert made[1:] == [Remark("2 events of sound and of rate limits are passed over")]


@pytest.mark.parametrize(
    "name", ["runs.jsonl", "agents.jsonl", "thread-objects.jsonl", "realtime.jsonl", "langchain.jsonl"]
)
def test_a_line_of_another_kind_is_kept_as_it_was(tmp_path: Path, name: str) -> None:
    made = items(tmp_path, name, VARIANTS[name].held + b'{"other": 1}\n[2]\nno\n')
    bad = [item.raw for item in made if isinstance(item, BadRecord)]
    assert bad == ['{"other":1}', "[2]", "no\n"]
    assert sum(isinstance(item, Extract) for item in made) == len(VARIANTS[name].expected)
