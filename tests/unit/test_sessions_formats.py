"""What sessions and exports say beyond the words: tokens, times, ids, settings, what was taken back or set aside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reviewer.ingest import formats
from reviewer.ingest.source import Found, Item, Remark, Source
from reviewer.model import Conversation, Usage
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


def found(folder: Path, name: str) -> list[Found]:
    return [item for item in items(folder, name) if isinstance(item, Found)]


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


def test_a_session_in_which_nothing_was_said_is_said_to_be_one(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"type":"thread.started","thread_id":"t"}\n{"type":"turn.started"}\n')
    source = Source(path, "x.jsonl")
    assert list(formats.named("codex").read(source)) == [Remark("a Codex session in which nothing was said")]
