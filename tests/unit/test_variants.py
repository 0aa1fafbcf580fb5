"""The shapes beside each format's usual one: claimed by the right format, nothing rejected, every word in its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reviewer.imports import formats
from reviewer.imports.importer import Wishes, import_files
from reviewer.imports.source import BadRecord, Extract, Source
from reviewer.transcripts.model import Conversation
from reviewer.transcripts.store.reader import Reader
from tests import shapes, variants

VARIANTS = variants.every()


def read(folder: Path, name: str) -> list[Conversation]:
    """The conversations of a variant, by the format that claims it; nothing in it is rejected."""
    held = VARIANTS[name].held
    path = folder / name
    path.write_bytes(held if isinstance(held, bytes) else json.dumps(held).encode())
    source = Source(path, name)
    format = formats.recognised(source)
    assert format is not None
    assert VARIANTS[name].format == format.NAME
    items = list(format.read(source))
    assert not any(isinstance(item, BadRecord) for item in items)
    return [item.conversation for item in items if isinstance(item, Extract)]


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_is_read_whole(tmp_path: Path, name: str) -> None:
    assert [variants.sketch(it) for it in read(tmp_path, name)] == VARIANTS[name].expected


def test_simulations_in_a_folder_take_the_run_from_the_results_beside_it(tmp_path: Path) -> None:
    info = {"agent_info": {"llm": "gpt-4o"}, "environment_info": {"domain_name": "retail"}, "git_commit": "0123"}
    folder = tmp_path / "voice" / "simulations"
    folder.mkdir(parents=True)
    results = {"info": info, "tasks": [shapes.TAU2_TASK], "simulation_index": [{"id": "s0"}, {"id": "s1"}]}
    (folder.parent / "results.json").write_text(json.dumps(results))
    for trial in (0, 1):
        ticks = [{"tick_id": 0, "user_chunk": {"content": f"Hello {trial}."}}]
        spoken = {**VARIANTS["spoken.json"].held, "id": f"s{trial}", "task_id": "3", "trial": trial, "ticks": ticks}
        (folder / f"s{trial}.json").write_text(json.dumps(spoken))
    report = import_files([tmp_path / "voice"], tmp_path / "runs.db", Wishes())
    assert {source.passed_over for source in report.sources} == {"", "an index or summary"}
    with Reader(tmp_path / "runs.db") as reader:
        held = [reader.stored(each) for each in reader.ids()]
    assert [each.ref for each in held] == ["gpt-4o/tau2-retail-3/0", "gpt-4o/tau2-retail-3/1"]
    assert held[0].conversation.facts is not None
    assert held[0].conversation.facts.goal == "You want #7."


def test_a_recorded_session_says_its_model_and_id(tmp_path: Path) -> None:
    (it,) = read(tmp_path, "session.jsonl")
    assert (it.model, it.id, it.started, it.messages[0].at) == (
        *("gpt-5", "s", "2026-01-01T00:00:00Z"),
        "2026-01-01T00:00:01Z",
    )


def test_what_failed_and_what_it_cost_is_kept(tmp_path: Path) -> None:
    (it,) = read(tmp_path, "responses.traj.json")
    assert (it.ended_by, it.error, it.messages[1].tokens_out) == ("error", "gone", 4)
    assert it.messages[1].extra == {"cost": 0.1}
    (it,) = read(tmp_path, "converse.json")
    assert it.messages[1].calls[0].error == "no order"
    (it,) = read(tmp_path, "subagent.json")
    assert (it.messages[1].name, it.messages[1].extra) == ("searcher", {"model": "small"})
