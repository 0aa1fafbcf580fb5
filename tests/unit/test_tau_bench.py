"""tau-bench lists: every message, call and result, under the model, case and run that the file speaks of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from reviewer.imports.importer import Wishes, import_files
from reviewer.transcripts.store.reader import Reader

RECORD: dict[str, Any] = {
    "task_id": 12,
    "trial": 3,
    "reward": 1.0,
    "info": {
        "task": {"user_id": "mia", "instruction": "Cancel it.", "actions": [{"name": "cancel_x", "kwargs": {"id": 1}}]},
        "user_cost": 0.25,
    },
    "traj": [
        {"role": "system", "content": "Policy. The current time is 2024-05-15 15:00:00 EST."},
        {"role": "user", "content": "Cancel \ud800 it."},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "same", "type": "function", "function": {"name": "look", "arguments": '{"id":1}'}},
                {"id": "same", "type": "function", "function": {"name": "cancel_x", "arguments": "{'id': 1}"}},
            ],
        },
        {"role": "tool", "tool_call_id": "same", "name": "look", "content": "{}"},
        {"role": "tool", "tool_call_id": "same", "name": "cancel_x", "content": "Error: no such order"},
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": "###STOP###"},
    ],
}


def written(folder: Path, name: str, records: Any) -> Path:
    path = folder / name
    path.write_text(json.dumps(records), encoding="utf-8")
    return path


def test_a_record_keeps_everything_it_says(tmp_path: Path) -> None:
    records = [RECORD, {**RECORD, "task_id": 13}]
    file = written(tmp_path, "tool-calling-gpt-4.1-0.0_range_0--1_user-x-llm_0609.json", records)
    import_files([file], tmp_path / "runs.db", Wishes())
    with Reader(tmp_path / "runs.db") as reader:
        stored = reader.stored(reader.find("gpt-4.1/tau-12/3")[0])
    it = stored.conversation
    assert [message.role for message in it.messages] == ["system", "customer", "agent", "agent", "customer"]
    assert it.messages[1].text == "Cancel \\ud800 it."
    look, cancel = it.messages[2].calls
    assert (look.name, look.arguments, look.result, look.error) == ("look", '{"id":1}', "{}", None)
    assert (cancel.arguments, cancel.error) == ("{'id': 1}", "Error: no such order")
    assert (it.clock, it.ended_by, it.scores[0].value) == ("2024-05-15", "customer-stop", 1.0)
    assert it.facts is not None
    assert it.facts.goal == "Cancel it."
    assert it.facts.expected == ('cancel_x({"id":1})',)
    assert it.meta == {"user_cost": 0.25}


def test_a_trial_that_repeats_the_task_is_no_run(tmp_path: Path) -> None:
    records = [{**RECORD, "task_id": n, "trial": n} for n in (4, 5)]
    report = import_files([written(tmp_path, "gpt-4o-retail.json", records)], tmp_path / "runs.db", Wishes())
    assert report.sources[0].models == {"gpt-4o": {1}}


def test_act_style_is_another_configuration(tmp_path: Path) -> None:
    file = written(tmp_path, "act-gpt-4.1-0.0_range_0--1_user-x-llm_0609.json", [RECORD])
    report = import_files([file], tmp_path / "runs.db", Wishes())
    assert set(report.sources[0].models) == {"gpt-4.1+act"}


def test_a_record_without_a_trajectory_is_kept_as_rejected(tmp_path: Path) -> None:
    file = written(tmp_path, "gpt-4o-retail.json", [RECORD, {"task_id": 5}, "nonsense"])
    report = import_files([file], tmp_path / "runs.db", Wishes())
    assert (report.total("new"), report.total("rejected"), report.exit_code) == (1, 2, 1)
    with Reader(tmp_path / "runs.db") as reader:
        assert [(at, why) for _, at, why in reader.rejected()] == [
            ("[1]", "no task_id and traj"),
            ("[2]", "no task_id and traj"),
        ]
