"""What each format's module makes of a small file of its shape: roles, calls, results, scores, endings, facts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.imports import formats
from reviewer.imports.source import BadRecord, Extract, Remark, Source
from reviewer.transcripts.model import Conversation, Message
from tests import shapes, variants

NOW_HELD = shapes.files()
EXPECTED = {
    "gpt-4o-retail.json": "tau-bench",
    "results.json": "tau2",
    "task_3.json": "tau2",
    "log.json": "inspect",
    "log.eval": "inspect",
    "log-zstd.eval": "inspect",
    "chat.yaml": "openai-chat",
    "atif.json": "atif",
    "user_task_1.json": "agentdojo",
    "x.traj.json": "mini-swe",
    "flow.session.json": "dialogues",
    "clinic.json": "dialogues",
    "anthropic.json": "openai-chat",
    "steps.jsonl": "openai-chat",
    "otel.json": "otel",
    "otlp.json": "otel",
    "openinference.json": "otel",
    "langfuse.json": "langfuse",
    "rollouts.jsonl": "responses",
    "ours.jsonl": "interchange",
}


def source(folder: Path, name: str, held: bytes | Any) -> Source:
    path = folder / name
    path.write_bytes(held if isinstance(held, bytes) else json.dumps(held).encode())
    return Source(path, name)


def read(folder: Path, name: str, held: bytes | Any, expected: str) -> list[Conversation]:
    """The conversations of a file that this format claims, and nothing rejected."""
    file = source(folder, name, held)
    format = formats.recognised(file)
    assert format is not None
    assert expected == format.NAME
    items = list(format.read(file))
    assert not [item for item in items if isinstance(item, BadRecord)]
    return [item.conversation for item in items if isinstance(item, Extract)]


def roles(it: Conversation) -> list[str]:
    return [message.role for message in it.messages]


def called(messages: tuple[Message, ...]) -> list[tuple[str, str | None, str | None]]:
    return [(call.name, call.arguments, call.result) for message in messages for call in message.calls]


@pytest.mark.parametrize(("name", "expected"), EXPECTED.items())
def test_a_file_is_recognised_by_its_content(tmp_path: Path, name: str, expected: str) -> None:
    for called_now in (name, f"whatever{Path(name).suffix}"):
        found = formats.recognised(source(tmp_path, called_now, NOW_HELD[name]))
        assert found is not None
        assert expected == found.NAME


def test_every_format_is_tried_here() -> None:
    assert set(EXPECTED) == set(NOW_HELD) - {"logs.zip"}  # it is none: its members are
    tried = {*EXPECTED.values(), *(variant.format for variant in variants.every().values())}
    assert {name.replace("-", "_") for name in tried} == set(formats.NAMES)


def test_tau2_results(tmp_path: Path) -> None:
    first, second = read(tmp_path, "results.json", shapes.tau2(), "tau2")
    assert (first.model, first.case, first.run, second.run) == ("gpt-4o", "tau2-retail-3", 0, 1)
    assert (first.id, first.ended_by, first.clock) == ("sim-0", "customer-stop", "2024-05-15")
    assert roles(first) == ["agent", "customer", "agent", "customer", "customer"]
    order, user = first.messages[2].calls
    assert (order.result, order.error) == ("shipped", None)
    assert (user.result, user.error) == ("no such user", "no such user")
    assert first.messages[3].calls[0].result == "on"
    assert (first.messages[2].reasoning, first.messages[2].tokens_in, first.messages[2].tokens_reasoning) == (
        "Look it up.",
        10,
        2,
    )
    assert [(score.scorer, score.value) for score in first.scores] == [
        ("reward", 0.5),
        ("reward.DB", 1.0),
        ("assertions", 0.0),
    ]
    assert first.facts is not None
    assert (first.facts.suite, first.facts.goal, first.facts.persona) == ("tau2-retail", "You want #7.", "hurried")
    assert first.facts.expected == ('get_order({"order_id":"#7"})',)


def test_a_tau2_task_a_file(tmp_path: Path) -> None:
    it = read(tmp_path, "task_3.json", shapes.tau2_task(), "tau2")[0]
    assert (it.model, it.case, it.run) == ("", "tau2-retail-3", None)
    assert (it.ended_by, it.error) == ("error", "agent_error")


def test_inspect_is_the_same_from_json_and_from_the_zip(tmp_path: Path) -> None:
    plain = read(tmp_path, "log.json", shapes.inspect(), "inspect")
    packed = read(tmp_path, "log.eval", shapes.inspect_zip(), "inspect")
    assert plain == packed
    it = plain[0]
    assert (it.model, it.case, it.run, it.ended_by) == ("openai/gpt-4o", "ctf-a b", None, "turn-limit")
    assert it.messages[0].text == "the long text\n[image]"
    assert it.messages[1].reasoning == "Hm."
    assert it.messages[1].calls[0].error == "timeout: 1 s"
    assert [(s.scorer, s.value, s.raw, s.note) for s in it.scores] == [
        ("match", 1.0, "C", "found"),
        ("marks.tone", 0.5, None, None),
    ]
    assert it.meta == {"level": 2}


def test_epochs_are_runs(tmp_path: Path) -> None:
    assert [it.run for it in read(tmp_path, "log.json", shapes.inspect(epochs=3), "inspect")] == [1, 2, 3]


def test_atif(tmp_path: Path) -> None:
    it = read(tmp_path, "atif.json", shapes.ATIF, "atif")[0]
    assert (it.model, it.id, it.case) == ("gpt-4o", "s-1", None)
    assert roles(it) == ["customer", "agent", "system"]
    assert called(it.messages) == [("get_order", '{"order_id":"#7"}', "shipped"), ("", None, "alone")]
    assert it.messages[2].calls[0].orphan
    assert (it.messages[1].tokens_in, it.messages[1].extra) == (5, {"cost_usd": 0.1})


def test_mini_swe_commands_are_calls_from_text(tmp_path: Path) -> None:
    it = read(tmp_path, "x.traj.json", shapes.MINI_SWE, "mini-swe")[0]
    assert (it.model, it.case, it.ended_by) == ("gemini-3-pro", "django__django-1", "agent-stop")
    assert roles(it) == ["system", "customer", "agent", "customer"]
    assert called(it.messages) == [("bash", '{"command":"ls -a"}', "<returncode>0</returncode>")]
    assert it.messages[2].calls[0].extra == {"from_text": True}


def test_responses(tmp_path: Path) -> None:
    it = read(tmp_path, "rollouts.jsonl", NOW_HELD["rollouts.jsonl"], "responses")[0]
    assert roles(it) == ["customer", "agent", "agent"]
    assert called(it.messages) == [("get_order", "{}", "shipped")]
    assert [(message.text, message.reasoning) for message in it.messages[1:]] == [
        ("", "Look."),
        ("Shipped.</think>", ""),
    ]
    assert (it.id, it.scores[0].value) == ("resp_1", 1.0)


def test_a_flow_session(tmp_path: Path) -> None:
    it = read(tmp_path, "flow.json", shapes.FLOW, "dialogues")[0]
    assert roles(it) == ["customer", "agent"]
    assert (it.case, it.ended_by, it.started) == ("customer_support-cancel", "turn-limit", "2026-08-07T00:42:21Z")
    assert it.messages[1].calls[0].name == "look_up"
    assert it.facts is not None
    assert it.facts.bucket == "resolvable"
    assert (it.scores[0].value, it.scores[0].note) == (0.0, "misheard")


def test_a_clinic_case_has_a_doctor_for_agent(tmp_path: Path) -> None:
    it = read(tmp_path, "clinic.json", shapes.CLINIC, "dialogues")[0]
    assert roles(it) == ["agent", "customer", "other"]
    assert [message.source_role for message in it.messages] == ["doctor", "patient", "measurement"]
    assert called(it.messages) == [("order_test", "{}", None)]
    assert (it.scores[0].value, it.scores[0].raw) == (0.0, "incorrect")


def test_anthropic_blocks(tmp_path: Path) -> None:
    it = read(tmp_path, "anthropic.json", shapes.ANTHROPIC, "openai-chat")[0]
    assert roles(it) == ["system", "customer", "agent", "agent"]
    assert (it.messages[1].text, it.messages[2].text, it.messages[2].reasoning) == (
        "Where is #7?\n[image]",
        "One moment.",
        "Look.",
    )
    call = it.messages[2].calls[0]
    assert (call.name, call.result, call.error) == ("get_order", "no such order", "no such order")
    assert (it.model, it.id, it.case) == ("claude-opus-4", "conv-9", None)


def test_of_a_recording_the_last_steps_count(tmp_path: Path) -> None:
    file = source(tmp_path, "steps.jsonl", NOW_HELD["steps.jsonl"])
    items = list(formats.named("openai-chat").read(file))
    found = [item.conversation for item in items if isinstance(item, Extract)]
    assert [(it.id, len(it.messages)) for it in found] == [("env-0", 4), ("env-1", 2)]
    said = [item.text for item in items if isinstance(item, Remark)]
    assert said[0] == "line 6: passed over, a control record"
    assert said[1].startswith("5 steps that repeat")


def test_a_bare_list_of_messages_is_one_conversation(tmp_path: Path) -> None:
    it = read(tmp_path, "chat.json", shapes.CHAT, "openai-chat")[0]
    assert roles(it) == ["system", "customer", "agent", "agent"]
    assert called(it.messages) == [("get_order", '{"order_id":"#7"}', '{"status":"shipped"}')]


@pytest.mark.parametrize("shape", ["otel.json", "otlp.json"])
def test_spans_tell_a_conversation_once(tmp_path: Path, shape: str) -> None:
    it = read(tmp_path, "spans.json", NOW_HELD[shape], "otel")[0]
    assert roles(it) == ["customer", "agent", "agent"]
    assert called(it.messages) == [("get_order", '{"order_id":"#7"}', "shipped")]
    assert (it.model, it.id, it.messages[2].text, it.messages[2].tokens_out) == ("gpt-4o", "t-1", "Shipped.", 4)
    assert it.messages[1].at is not None


def test_openinference_attributes_and_the_tool_that_only_a_span_tells(tmp_path: Path) -> None:
    it = read(tmp_path, "spans.json", NOW_HELD["openinference.json"], "otel")[0]
    assert roles(it) == ["customer", "agent"]
    assert it.messages[1].text == "Let me see."
    assert called(it.messages) == [("get_order", '{"order_id":"#7"}', "shipped")]


@pytest.mark.parametrize("folded", [True, False])
def test_langfuse(tmp_path: Path, folded: bool) -> None:
    it = read(tmp_path, "trace.json", shapes.langfuse(folded), "langfuse")[0]
    assert roles(it) == ["system", "customer", "agent", "agent"]
    assert called(it.messages) == [("get_order", '{"order_id":"#7"}', '{"status":"shipped"}')]
    assert (it.model, it.id) == ("gpt-4o", "s-1")
    assert it.meta == {"user": "u", "tags": ["demo"]}
    assert [(s.scorer, s.value, s.note) for s in it.scores] == [("tone", 0.8, "kind")]


def test_what_holds_no_conversation_is_claimed_by_no_format(tmp_path: Path) -> None:
    for held in ({"tasks": [], "run_timestamp": 1}, [1, 2], "text", {"trajectory_id": 1, "failures": []}, [], {}):
        assert formats.recognised(source(tmp_path, "index.json", held)) is None
