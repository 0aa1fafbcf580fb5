"""What a conversation is called: its run is the data's, but a single trial in all of a file gives way to the path."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from reviewer.ingest.importer import Wishes, import_files
from reviewer.ingest.summary import ImportReport
from reviewer.store.reader import Reader
from tests import shapes


def written(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def taken(store: Path, *paths: Path, **wishes: Any) -> ImportReport:
    return import_files(paths, store, Wishes(**wishes))


def refs(store: Path) -> list[str]:
    with Reader(store) as reader:
        return sorted(each.ref for each in map(reader.stored, reader.ids()))


def said(word: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": f"Where is {word}?"}, {"role": "assistant", "content": f"About {word}."}]


def tau_bench(word: str, trial: int) -> Any:
    return [{"task_id": n, "trial": trial, "reward": 1, "info": {}, "traj": said(f"{word} {n}")} for n in range(3)]


def tau2(word: str, trial: int) -> Any:
    log = shapes.tau2(trials=1)
    log["simulations"][0] |= {"trial": trial, "id": word, "messages": said(word)}
    return log


def inspect(word: str, trial: int) -> Any:
    log = shapes.inspect()
    log["samples"][0] |= {"epoch": trial + 1, "uuid": word, "messages": said(word)}
    log["eval"]["config"]["epochs"] = 4
    return log


def chat_lines(word: str, trial: int) -> str:
    records = [{"task_id": f"c{n}", "trial": trial, "messages": said(f"{word} {n}")} for n in range(3)]
    return "".join(json.dumps(each) + "\n" for each in records)


@pytest.mark.parametrize("ending", ["_run{}.json", "/run{}/results.json"])
@pytest.mark.parametrize("log", [tau_bench, tau2, inspect, chat_lines])
def test_a_trial_that_is_the_same_throughout_gives_way_to_the_run_of_the_path(
    tmp_path: Path, log: Callable[[str, int], Any], ending: str
) -> None:
    end = ending.replace(".json", ".jsonl") if log is chat_lines else ending
    for run in (3, 4):
        written(tmp_path / f"logs/gpt-4o{end.format(run)}", log(str(run), 0))
    report = taken(tmp_path / "runs.db", tmp_path / "logs")
    assert {ref.rpartition("/")[2] for ref in refs(tmp_path / "runs.db")} == {"3", "4"}
    remark = f"trial {1 if log is inspect else 0} throughout: filed under run 3, which the path names"
    assert remark in report.sources[0].remarks
    assert taken(tmp_path / "runs.db", tmp_path / "logs").total("new") == 0


def test_several_trials_of_a_file_are_believed_before_its_name(tmp_path: Path) -> None:
    logs = written(tmp_path / "gpt-4o_run7.json", [*tau_bench("a", 0), *tau_bench("b", 1)])
    report = taken(tmp_path / "runs.db", logs)
    assert {ref.rpartition("/")[2] for ref in refs(tmp_path / "runs.db")} == {"0", "1"}
    assert not any("throughout" in remark for remark in report.sources[0].remarks)


def test_trials_in_files_of_their_own_are_those_of_their_folder(tmp_path: Path) -> None:
    for run in (1, 2):
        for record in tau_bench(f"{run}", 0):
            written(tmp_path / f"one/gpt-4o_run{run}/task_{record['task_id']}.json", record)
    taken(tmp_path / "one.db", tmp_path / "one")
    assert refs(tmp_path / "one.db") == [f"gpt-4o/tau-{task}/{run}" for task in range(3) for run in (1, 2)]
    for trial in (0, 1):
        for record in tau_bench(f"{trial}", trial):
            written(tmp_path / f"two/gpt-4o_run7/{trial}-{record['task_id']}.json", record)
    taken(tmp_path / "two.db", tmp_path / "two")
    assert refs(tmp_path / "two.db") == [f"gpt-4o/tau-{task}/{run}" for task in range(3) for run in (0, 1)]


def test_our_own_lines_name_their_run_themselves(tmp_path: Path) -> None:
    line = {"reviewer": 1, "model": "kimi", "case": "a", "run": 2, "messages": [{"role": "customer", "text": "x"}]}
    taken(tmp_path / "runs.db", written(tmp_path / "run7.jsonl", line))
    assert refs(tmp_path / "runs.db") == ["kimi/a/2"]


def test_what_was_stored_under_its_trial_is_known_again(tmp_path: Path) -> None:
    """Stores of before hold the data's number, though the path names another."""
    logs = written(tmp_path / "gpt-4o_run2.json", tau_bench("a", 0))
    taken(tmp_path / "runs.db", logs)
    with closing(sqlite3.connect(tmp_path / "runs.db")) as db, db:
        db.execute("UPDATE conversations SET stated = 0")
    report = taken(tmp_path / "runs.db", logs)
    assert (report.total("new"), report.total("unchanged")) == (0, 3)


def test_wishes_count_on_from_the_first_number(tmp_path: Path) -> None:
    logs = written(tmp_path / "gpt-4o_run7.json", [*tau_bench("a", 0), *tau_bench("b", 1)])
    taken(tmp_path / "runs.db", logs, run=5)
    assert {ref.rpartition("/")[2] for ref in refs(tmp_path / "runs.db")} == {"5", "6"}
