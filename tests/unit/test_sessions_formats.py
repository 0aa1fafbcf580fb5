"""What sessions and exports say beyond the words: tokens, times, ids, settings, what was taken back or set aside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reviewer.imports import formats
from reviewer.imports.messages.content import content_of
from reviewer.imports.source import BadRecord, Extract, Item, Remark, Source
from reviewer.transcripts.model import Conversation, Score, Usage
from tests import variants

VARIANTS = variants.every()


def items(folder: Path, name: str) -> list[Item]:
    """All that the format of a variant says of it."""
    held = VARIANTS[name].held
    path = folder / name
    path.write_bytes(held if isinstance(held, bytes) else json.dumps(held).encode())
    source = Source(path, name)
    format = formats.recognised(source)
    assert format is not None
    return list(format.read(source))


def found(folder: Path, name: str) -> list[Extract]:
    return [item for item in items(folder, name) if isinstance(item, Extract)]


def conversations(folder: Path, name: str) -> list[Conversation]:
    return [item.conversation for item in found(folder, name)]


def remarks(folder: Path, name: str) -> list[str]:
    return [item.text for item in items(folder, name) if isinstance(item, Remark)]


@pytest.mark.parametrize("name", ["rollout.jsonl", "rollout-early.jsonl"])
def test_a_rollout_counts_each_call_of_the_model_once(tmp_path: Path, name: str) -> None:
    (it,) = conversations(tmp_path, name)
    assert it.usage == Usage(21, 6, 2, 6)
    agent = [m for m in it.messages if m.role == "agent"]
    assert [(m.tokens_in, m.tokens_out, m.tokens_reasoning, m.tokens_cached) for m in agent] == [
        (10, 2, 1, 3),
        (11, 4, 1, 3),
    ]


def test_a_rollout_says_when_with_what_and_how_it_ended(tmp_path: Path) -> None:
    (one,) = found(tmp_path, "rollout.jsonl")
    it = one.conversation
    assert (it.id, it.model, it.started, it.ended, it.ended_by) == (
        *("s", "gpt-5", "2026-01-01T00:00:00Z", "2026-01-01T00:00:09Z", "cut"),
    )
    assert it.meta == {"cwd": "/work", "branch": "main"}
    assert (it.messages[2].at, it.messages[2].calls[0].at) == ("2026-01-01T00:00:02Z", "2026-01-01T00:00:02Z")
    assert it.messages[0].source_role == "user"
    assert one.run is not None
    assert (one.run.harness, one.run.tools) == ("codex 0.9", ({"name": "get_order"},))
    assert one.run.extra == {"effort": "high", "approval_policy": "never"}
    assert remarks(tmp_path, "rollout.jsonl") == ["2 messages and calls that were rolled back are not read"]


def test_what_a_run_printed_says_what_failed(tmp_path: Path) -> None:
    (it,) = conversations(tmp_path, "exec.jsonl")
    assert (it.id, it.error, it.ended_by, it.usage) == ("t", "gone", "error", Usage(9, 5, 0, 4))
    assert it.messages[0].calls[0].error == "a\n"
    assert it.messages[1].tokens_in == 9


def test_a_rollout_that_counts_only_all_tokens_says_these(tmp_path: Path) -> None:
    lines = [
        {"type": "session_meta", "payload": {"id": "s"}},
        {"type": "event_msg", "payload": {"type": "user_message", "message": "Hi"}},
        *(
            {"type": "event_msg", "payload": {"type": "token_count", "info": {"total_token_usage": total}}}
            for total in ({"input_tokens": 5, "output_tokens": 1}, {"input_tokens": 9, "output_tokens": 2})
        ),
    ]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (item,) = formats.named("codex").read(Source(path, "x.jsonl"))
    assert isinstance(item, Extract)
    assert item.conversation.usage == Usage(9, 2, 0, 0)


def test_a_session_in_which_nothing_was_said_is_said_to_be_one(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"type":"thread.started","thread_id":"t"}\n{"type":"turn.started"}\n')
    source = Source(path, "x.jsonl")
    assert list(formats.named("codex").read(source)) == [Remark("a Codex session in which nothing was said")]


def test_an_answer_on_several_lines_is_counted_once_and_dated(tmp_path: Path) -> None:
    first, subagent = found(tmp_path, "claude-session.jsonl")
    it = first.conversation
    answer = it.messages[3]
    assert (answer.tokens_in, answer.tokens_out, answer.tokens_cached, answer.at) == (8, 9, 5, "2026-01-01T00:00:04Z")
    assert [(call.at, call.error, call.extra) for call in answer.calls] == [
        ("2026-01-01T00:00:05Z", None, {"durationMs": 12, "result_at": "2026-01-01T00:00:06Z"}),
        ("2026-01-01T00:00:05Z", "no order", {"result_at": "2026-01-01T00:00:07Z"}),
    ]
    assert sum(m.tokens_out or 0 for m in it.messages) == 13
    assert (subagent.conversation.id, subagent.conversation.model) == ("k", "claude-haiku-4-5")
    assert subagent.conversation.meta == {"cwd": "/work", "branch": "main", "session": "s", "subagent": True}


def test_a_session_says_its_title_its_end_and_what_was_left(tmp_path: Path) -> None:
    first, _ = found(tmp_path, "claude-session.jsonl")
    it = first.conversation
    assert (it.id, it.model, it.ended_by, it.error) == ("s", "claude-sonnet-4-5", "error", "API Error: 529")
    assert it.meta == {"title": "An order", "cwd": "/work", "branch": "main"}
    assert (it.started, it.ended) == ("2026-01-01T00:00:00Z", "2026-01-01T00:00:12Z")
    assert it.extra == {"branches": 1, "aside": [{"role": "agent", "text": "No idea."}]}
    assert it.messages[6].extra == {"compaction": {"preTokens": 9}}
    assert first.run is not None
    assert first.run.harness == "claude-code 2.1"
    assert remarks(tmp_path, "claude-session.jsonl") == [
        "1 branch with 1 messages that the person left: not read, in the conversation's extra where small",
        "lines that are not messages: 1 file-history-snapshot, 1 nested_memory, 1 progress",
    ]


def test_a_session_of_qwen_code_says_its_model_its_tokens_and_its_program(tmp_path: Path) -> None:
    (one,) = found(tmp_path, "qwen-code.jsonl")
    it, answer = one.conversation, one.conversation.messages[2]
    assert (it.model, it.id, it.meta) == ("qwen3-coder", "s", {"title": "An order", "cwd": "/work"})
    assert it.extra == {"branches": 1, "aside": [{"role": "agent", "text": "No idea."}]}
    assert (answer.tokens_in, answer.tokens_out, answer.tokens_reasoning, answer.tokens_cached) == (10, 5, 2, 4)
    assert [call.error for call in answer.calls] == [None, "no order"]
    assert one.run is not None
    assert one.run.harness == "qwen-code 0.2"


def test_tools_that_a_search_found_are_its_result_and_a_named_tool_stands_in_the_text(tmp_path: Path) -> None:
    items = [
        {"type": "session_meta", "payload": {"id": "s"}},
        {"type": "tool_search_call", "call_id": "c1", "status": "completed", "arguments": {"query": "orders"}},
        {"type": "tool_search_output", "call_id": "c1", "status": "completed", "tools": [{"name": "get_order"}]},
    ]
    wrapped = [items[0], *({"type": "response_item", "payload": item} for item in items[1:])]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in wrapped))
    (item,) = formats.named("codex").read(Source(path, "x.jsonl"))
    assert isinstance(item, Extract)
    (message,) = item.conversation.messages
    assert message.calls[0].result == '[{"name":"get_order"}]'
    assert content_of([{"type": "tool_reference", "tool_name": "Fetch"}]).text == "[tool_reference: Fetch]"


def test_lines_that_name_no_session_are_of_the_last_one_named(tmp_path: Path) -> None:
    (it,) = conversations(tmp_path, "claude-once-named.jsonl")
    assert it.id == "s"


def test_a_session_whose_words_stand_under_other_names_is_rejected(tmp_path: Path) -> None:
    row = {"sessionId": "s", "timestamp": "2026-01-01T00:00:01Z"}
    lines = [{**row, "type": kind, "message": {"role": kind, "words": "Hm."}} for kind in ("user", "assistant") * 3]
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    (item,) = formats.named("claude-code").read(Source(path, "x.jsonl"))
    assert isinstance(item, BadRecord)
    assert "6 of 6 messages hold no words" in item.reason


@pytest.mark.parametrize("name", ["claude-stream.jsonl", "claude-printed.json"])
def test_a_printed_run_says_what_it_used_and_with_what(tmp_path: Path, name: str) -> None:
    first, subagent = found(tmp_path, name)
    assert first.conversation.usage == Usage(14, 30, None, 10, 0.5)
    assert (first.conversation.id, first.conversation.ended_by) == ("s", None)
    assert (subagent.conversation.id, subagent.conversation.usage) == ("c1", None)
    assert first.run is not None
    assert first.run.tools == ({"name": "Bash"},)


def test_a_run_that_failed_says_so(tmp_path: Path) -> None:
    told = {"type": "result", "subtype": "error_max_turns", "is_error": True, "session_id": "s", "num_turns": 9}
    path = tmp_path / "x.json"
    path.write_text(json.dumps(told))
    (item,) = formats.named("claude-code").read(Source(path, "x.json"))
    assert isinstance(item, Extract)
    assert (item.conversation.messages, item.conversation.ended_by) == ((), "turn-limit")
    assert item.conversation.error == "error_max_turns"


def test_a_logged_call_says_its_tokens_its_tools_and_its_settings(tmp_path: Path) -> None:
    (one,) = found(tmp_path, "gemini-pair.json")
    it = one.conversation
    answer = it.messages[-1]
    assert (it.model, it.id, it.started, it.meta) == (
        *("gemini-2.5-flash", "r1", "2026-01-01T00:00:00Z"),
        {"team": "desk"},
    )
    assert (answer.tokens_in, answer.tokens_out, answer.tokens_reasoning, answer.tokens_cached) == (12, 7, 3, 6)
    assert it.ended_by is None
    assert one.run is not None
    assert one.run.tools == ({"name": "get_order"}, {"name": "googleSearch"})
    assert one.run.extra == {"generationConfig": {"temperature": 0}}


def test_what_a_batch_could_not_answer_is_said(tmp_path: Path) -> None:
    answered, blocked, refused = conversations(tmp_path, "gemini-batch.jsonl")
    assert (answered.ended_by, answered.error) == (None, None)
    assert (blocked.id, blocked.ended_by, blocked.error) == ("b", "error", "blocked: SAFETY")
    assert (refused.id, refused.ended_by, refused.error) == ("c", "error", "Bad request.")


def test_a_streamed_answer_is_one_and_a_row_may_be_of_another_provider(tmp_path: Path) -> None:
    first, second = conversations(tmp_path, "gemini-rows.jsonl")
    assert (first.model, first.ended_by, first.messages[-1].tokens_out) == ("gemini-2.5-flash", "cut", 7)
    assert first.meta == {"env": "test"}
    assert (second.model, second.messages[-1].tokens_in) == ("claude-sonnet-4-5", 3)


def test_further_candidates_are_counted_and_kept(tmp_path: Path) -> None:
    (it,) = conversations(tmp_path, "gemini-flat.json")
    assert it.extra == {"branches": 1, "aside": [{"role": "agent", "text": "Two."}]}
    assert (it.messages[-1].tokens_in, it.messages[-1].tokens_out) == (1, 2)
    assert len(remarks(tmp_path, "gemini-flat.json")) == 1


def test_a_saved_prompt_counts_thoughts_with_their_answer(tmp_path: Path) -> None:
    (one,) = found(tmp_path, "ai-studio.json")
    answer = one.conversation.messages[-1]
    assert (one.conversation.model, answer.tokens_out, answer.tokens_reasoning) == ("gemini-2.5-pro", 7, 3)


@pytest.mark.parametrize("name", ["session-x.json", "session-x.jsonl"])
def test_a_chat_of_the_command_line_says_its_tokens_errors_and_times(tmp_path: Path, name: str) -> None:
    (it,) = conversations(tmp_path, name)
    looked = it.messages[1]
    assert (looked.tokens_in, looked.tokens_out, looked.tokens_reasoning, looked.tokens_cached) == (12, 7, 3, 6)
    assert [call.error for call in looked.calls] == [None, "denied", "cancelled"]
    assert (it.id, it.model, it.started) == ("s", "gemini-2.5-pro", "2026-01-01T00:00:00Z")
    assert it.meta == {"project": "h", "models": "gemini-2.5-pro, gemini-2.5-flash"}


def test_what_was_rewound_and_prompts_without_answers_are_counted(tmp_path: Path) -> None:
    assert remarks(tmp_path, "session-x.jsonl") == ["1 messages that were rewound are not read"]
    prompt = {"sessionId": "s", "messageId": 0, "type": "user", "message": "Hi", "timestamp": "t"}
    (tmp_path / "logs.json").write_text(json.dumps([prompt, prompt]))
    source = Source(tmp_path / "logs.json", "logs.json")
    format = formats.recognised(source)
    assert format is not None
    assert format.NAME == "gemini"
    assert list(format.read(source)) == [
        Remark("2 prompts without answers: not read, the chats beside them hold the whole")
    ]


def test_an_export_says_titles_ids_times_models_and_branches(tmp_path: Path) -> None:
    first, second = conversations(tmp_path, "conversations.json")
    assert (first.id, first.model, first.started, first.ended) == (
        *("c", "gpt-4o", "2026-01-01T00:00:00.000+00:00", "2026-01-01T00:01:40.000+00:00"),
    )
    assert first.meta == {"title": "An order", "archived": True, "models": "gpt-4o, o3"}
    assert first.extra == {
        "branches": 3,
        "aside": [
            {"role": "customer", "text": "Where is #6?"},
            {"role": "agent", "text": "Lost."},
            {"role": "agent", "text": "Wrong."},
            {"role": "other", "text": "", "calls": "dalle.text2im"},
        ],
    }
    assert first.messages[1].at == "2026-01-01T00:00:00.500+00:00"
    assert first.messages[3].calls[0].error == "no page"
    assert (first.messages[0].extra, first.messages[4].extra) == ({"hidden": True}, {"recap": "Thought for 2s"})
    assert (second.id, second.extra, second.meta) == ("d", None, None)
    assert remarks(tmp_path, "conversations.json") == [
        "3 branches with 4 messages that the person left: not read, in the conversation's extra where small"
    ]


def test_an_export_of_claude_keeps_what_was_pasted_and_thought_of_it(tmp_path: Path) -> None:
    first, second, empty = conversations(tmp_path, "claude-conversations.json")
    assert (first.id, first.started, first.ended) == ("c", "2026-01-01T00:00:00Z", "2026-01-01T00:05:00Z")
    assert first.meta == {"title": "An order"}
    assert first.extra == {"summary": "About #7.", "branches": 1, "aside": [{"role": "agent", "text": "Lost."}]}
    assert first.messages[0].extra is not None
    assert first.messages[0].extra["attachments"][0]["extracted_content"] == "#7: shipped\n"
    assert first.messages[0].at == "2026-01-01T00:01:00.000000Z"
    assert first.scores == (Score("feedback", 1.0, "human", "right", "upvote"),)
    assert (second.id, second.extra, empty.messages) == ("d", None, ())


def test_nodes_that_lead_back_to_themselves_end_where_they_do(tmp_path: Path) -> None:
    def node(parent: str, children: list[str]) -> dict[str, object]:
        message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["Hi"]}}
        return {"message": message, "parent": parent, "children": children}

    nodes = {"a": node("b", ["b"]), "b": node("a", ["a"]), "c": node("d", []), "d": node("c", [])}
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"mapping": nodes, "current_node": "b"}))
    item, remark = formats.named("chat-exports").read(Source(path, "x.json"))
    assert isinstance(item, Extract)
    assert len(item.conversation.messages) == 2
    assert isinstance(remark, Remark)
