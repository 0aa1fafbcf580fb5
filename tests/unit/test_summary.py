"""The words at the end of an import: readable with hundreds of files, and the same as JSON."""

from __future__ import annotations

import gzip
import json
import math
import os
import random
from pathlib import Path
from typing import Any

import pytest

from reviewer.cli.import_command import _lines
from reviewer.imports.importer import Step, Wishes, import_files
from reviewer.imports.summary import Coverage, ImportReport, SourceReport, rows
from tests import shapes
from tests.variants import files


def logs(folder: Path) -> Path:
    """Two folders of one-conversation files, a results file, an index, labels and a licence."""
    task = shapes.tau2_task()
    for run in ("first_gpt-4o", "second_gpt-4o"):
        (folder / "logs" / run).mkdir(parents=True)
        for case in range(5):
            held = {**task, "task_id": str(case), "note": run}
            held["messages"] = [*task["messages"], {"role": "assistant", "content": run}]
            (folder / "logs" / run / f"task_{case}.json").write_text(json.dumps(held))
    others: dict[str, Any] = {
        "results.json": shapes.tau2(),
        "index.json": {"tasks": [], "run_timestamp": ""},
        "labels.json": [{"trajectory_id": 1, "failures": []}],
    }
    for name, held in others.items():
        (folder / "logs" / name).write_text(json.dumps(held))
    (folder / "logs" / "LICENSE").write_text("MIT")
    (folder / "logs" / "notes.txt").write_text("hello")
    return folder / "logs"


def test_folders_of_single_conversations_are_one_row_each(tmp_path: Path) -> None:
    report = import_files([logs(tmp_path)], tmp_path / "runs.db", Wishes())
    lines = _lines(report, tmp_path / "runs.db")
    assert "logs/first_gpt-4o/ (5 files): 5 new · tau2 · gpt-4o run 1" in lines
    assert "logs/second_gpt-4o/ (5 files): 5 new · tau2 · gpt-4o run 3" in lines
    assert "logs/results.json: 2 new · tau2 · gpt-4o runs 0, 2" in lines
    assert "passed over: an index or summary: logs/index.json" in lines
    assert "passed over: a license: logs/LICENSE" in lines
    assert any(line.startswith("passed over: labels") for line in lines)
    assert "passed over: of no known format (no JSON): logs/notes.txt" in lines
    assert len(lines) < 30


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
@pytest.mark.parametrize("spread", [1, 12, 300])
def test_a_mixed_folder_ends_in_one_screen(tmp_path: Path, size: tuple[int, int], spread: int) -> None:
    held = [(name, data) for name, data in files().items() if not name.endswith(".parquet")]
    for n in range(300):
        name, data = held[n % len(held)]
        path = tmp_path / "logs" / f"team{n % spread}" / f"{n}-{name}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (tmp_path / "logs" / "notes.md").write_text("x")
    report = import_files([tmp_path / "logs"], tmp_path / "runs.db", Wishes())
    lines = _lines(report, Path("runs.db"), size=os.terminal_size(size))
    assert sum(max(1, math.ceil(len(line) / size[0])) for line in lines) < size[1]
    more = next(n for n, line in enumerate(lines) if line.endswith("more: reviewer info"))
    assert 3 <= more - lines.index("", 0, more) - 2 <= 20
    assert len(_lines(report, Path("runs.db"), verbose=True)) > 300


def test_a_row_names_few_models_and_runs_as_spans(tmp_path: Path) -> None:
    for n in range(5):
        (tmp_path / f"{n}.json").write_text(
            json.dumps({"model": f"m{n}", "messages": [{"role": "user", "content": "x"}]})
        )
    for n in (1, 2, 3, 4, 7):
        held = [{"task_id": 1, "trial": n, "traj": [{"role": "user", "content": "x"}], "reward": 1, "info": {}}]
        (tmp_path / f"gpt-4o_{n}.json").write_text(json.dumps(held))
    lines = _lines(import_files([tmp_path], tmp_path / "runs.db", Wishes()), tmp_path / "runs.db")
    assert any(line.endswith("m0; m1; 3 more models") for line in lines)
    assert any("gpt-4o runs 1-4, 7" in line for line in lines)


def test_the_table_tells_present_empty_unscored_and_missing(tmp_path: Path) -> None:
    held = shapes.tau2(trials=1)
    held["tasks"].append({**shapes.TAU2_TASK, "id": "4"})
    held["simulations"].append(
        {**held["simulations"][0], "id": "e", "task_id": "5", "messages": [], "reward_info": None}
    )
    (tmp_path / "results.json").write_text(json.dumps(held))
    report = import_files([tmp_path / "results.json"], tmp_path / "runs.db", Wishes())
    assert report.coverage == [Coverage("gpt-4o", 0, None, 2, 1, 1, 1)]
    assert report.as_json()["coverage"] == [
        {"model": "gpt-4o", "run": 0, "bucket": None, "present": 2, "empty": 1, "unscored": 1, "missing": 1}
    ]
    lines = _lines(report, tmp_path / "runs.db")
    assert "gpt-4o    0  -             2      1         1        1" in lines


def test_a_second_source_adds_to_the_cases_that_a_run_was_meant_to_have(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    for name, absent in (("3", "4"), ("5", "6")):
        held = shapes.tau2(trials=1)
        held["tasks"] = [{**shapes.TAU2_TASK, "id": each} for each in (name, absent)]
        held["simulations"][0] |= {"id": name, "task_id": name}
        (tmp_path / f"{name}.json").write_text(json.dumps(held))
        report = import_files([tmp_path / f"{name}.json"], store, Wishes())
    assert report.coverage == [Coverage("gpt-4o", 0, None, present=2, empty=0, unscored=0, missing=2)]


def test_few_files_stand_alone_and_a_refused_one_is_never_hidden() -> None:
    few = [SourceReport(f"a/{n}.json", "tau2", new=1) for n in range(3)]
    assert [row.path for row in rows(few)] == ["a/0.json", "a/1.json", "a/2.json"]
    many = [SourceReport(f"b/{n}.json", "tau2", new=1, remarks=["x"]) for n in range(6)]
    many[3].refused = "taken"
    many[5].remarks = []
    found = rows(many)
    assert [(row.path, row.files, row.new) for row in found] == [("b/", 5, 5), ("b/3.json", 1, 1)]
    assert found[0].remarks == ["x (4 files)"]


def test_of_a_file_that_is_wrong_line_for_line_the_first_remarks_are_kept(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"messages": [{"role": "user", "content": "Hi."}]}\n' + "{cut\n" * 150)
    report = import_files([log], tmp_path / "runs.db", Wishes())
    assert (report.total("new"), report.total("rejected")) == (1, 150)
    row = report.as_json()["sources"][0]
    assert len(row["remarks"]) + row["more_remarks"] == 151
    assert "    … and 143 more remarks (100 of them with --json)" in _lines(report, tmp_path / "runs.db")


def test_the_exit_code_says_whether_all_was_read() -> None:
    read = SourceReport("a", "tau2", new=1)
    assert ImportReport([read]).exit_code == 0
    assert ImportReport([read, SourceReport("b", rejected=1)]).exit_code == 1
    assert ImportReport([read, SourceReport("b", "tau2", refused="taken")]).exit_code == 2
    assert ImportReport([SourceReport("b", passed_over="labels")]).exit_code == 2
    assert ImportReport([SourceReport("b", rejected=1)]).exit_code == 2


def test_progress_tells_file_and_share(tmp_path: Path) -> None:
    steps: list[Step] = []
    import_files([logs(tmp_path)], tmp_path / "runs.db", Wishes(), steps.append)
    assert len(steps) == 12 + 15
    assert [step.read for step in steps if step.read] == sorted(step.read for step in steps if step.read)
    assert steps[-1].read == 12
    assert all(0 <= step.done <= 1 for step in steps)
    assert steps[-1].done > steps[0].done
    assert {step.files for step in steps} == {15}


def test_progress_through_a_packed_file_goes_by_its_packed_bytes(tmp_path: Path) -> None:
    chance = random.Random(7)
    texts = [chance.randbytes(200).hex() for _ in range(1_000)]
    lines = [json.dumps({"messages": [{"role": "user", "content": text}]}) + "\n" for text in texts]
    (tmp_path / "logs.jsonl.gz").write_bytes(gzip.compress("".join(lines).encode()))
    steps: list[Step] = []
    import_files([tmp_path / "logs.jsonl.gz"], tmp_path / "runs.db", Wishes(), steps.append)
    assert 0.4 < steps[len(steps) // 2].done < 0.7
