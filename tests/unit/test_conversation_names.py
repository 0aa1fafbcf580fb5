"""What a conversation is called: by the data, by its path, by a pattern of paths, by the command."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from reviewer.basics.errors import SourceError
from reviewer.imports.importer import Wishes, import_files
from reviewer.imports.maps import draft, mapkeys
from reviewer.imports.source import Source
from reviewer.imports.summary import ImportReport
from reviewer.transcripts.store.reader import Reader
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


MODELS, RUNS, CASES = ("gpt-4o", "claude-sonnet-4-5"), (1, 2, 3), ("cancel-1", "refund-2")


def tree(folder: Path, pattern: str, models: tuple[str, ...] = MODELS) -> Path:
    """Bare message lists, a file for each model, run and case."""
    for model in models:
        for run in RUNS:
            for case in CASES:
                written(folder / pattern.format(model=model, run=run, case=case), said(f"{model} {run} {case}"))
    return folder


def all_refs(models: tuple[str, ...] = MODELS) -> list[str]:
    return sorted(f"{model}/{case}/{run}" for model in models for run in RUNS for case in CASES)


@pytest.mark.parametrize(
    ("files", "layout", "models"),
    [
        ("{model}/run{run}/{case}.json", "{model}/{run}/{case}.json", MODELS),
        ("{model}/{run}/{case}.json", "{model}/{run}/{case}.json", MODELS),
        ("{model}/{case}/{run}.json", "{model}/{case}/{run}.json", MODELS),
        ("trial_{run}/{model}/{case}.json", "{run}/{model}/{case}.json", MODELS),
        ("{model}/run-{run}/{case}/messages.json", "{model}/{run}/{case}/*.json", ("alpha", "beta")),
        ("{model}/run-{run}/{case}.json", "{run}/{case}.json", ("gpt-4o",)),
        ("{model}_run{run}/{case}.json", "{run}/{case}.json", ("gpt-4o",)),
    ],
)
def test_a_regular_layout_names_model_run_and_case_and_is_reported(
    tmp_path: Path, files: str, layout: str, models: tuple[str, ...]
) -> None:
    report = taken(tmp_path / "runs.db", tree(tmp_path / "logs", files, models))
    assert refs(tmp_path / "runs.db") == all_refs(models)
    (sentence,) = report.paths
    assert sentence.startswith(f"Paths are read as {layout} ({6 * len(models)} files, ")
    assert report.as_json()["paths"] == report.paths
    again = taken(tmp_path / "runs.db", tmp_path / "logs")
    assert (again.total("new"), again.paths) == (0, [])


@pytest.mark.parametrize(
    "files",
    [
        ["gpt-4o/a/x.json", "gpt-4o/b/y.json"],  # no run
        ["gpt-4o/run1/x.json", "gpt-4o/run1/y.json"],  # one run: nothing shows that x is a case
        ["gpt-4o/run1/x.json", "gpt-4o/run2/y.json"],  # none of them comes again
        ["gpt-4o/1/1.json", "gpt-4o/1/2.json", "gpt-4o/2/1.json", "gpt-4o/2/2.json"],  # either may be the run
        ["monday/x.json", "monday/y.json", "tuesday/x.json", "tuesday/y.json"],
    ],
)
def test_what_is_no_regular_layout_names_nothing(tmp_path: Path, files: list[str]) -> None:
    for name in files:
        written(tmp_path / "logs" / name, said(name))
    report = taken(tmp_path / "runs.db", tmp_path / "logs")
    assert report.paths == []
    assert all(ref.count("/") == 1 for ref in refs(tmp_path / "runs.db"))
    if "run1" in files[0]:
        assert "--path-pattern" in report.sources[0].remarks[-1]


def test_equal_bytes_below_two_runs_of_a_layout_are_two_runs(tmp_path: Path) -> None:
    for run in RUNS:
        for case in CASES:
            written(tmp_path / f"logs/gpt-4o/{run}/{case}.json", said(case))
    taken(tmp_path / "runs.db", tmp_path / "logs")
    assert refs(tmp_path / "runs.db") == all_refs(("gpt-4o",))


def test_conversations_that_were_stored_without_a_case_are_known_in_their_layout(tmp_path: Path) -> None:
    logs = tree(tmp_path / "logs", "{model}/run{run}/{case}.json")
    for run in RUNS:  # one run at a time is no layout
        for model in MODELS:
            taken(tmp_path / "runs.db", *(logs / model / f"run{run}" / f"{case}.json" for case in CASES))
    before = refs(tmp_path / "runs.db")
    report = taken(tmp_path / "runs.db", logs)
    assert (report.total("new"), report.total("unchanged"), report.paths) == (0, 12, [])
    assert refs(tmp_path / "runs.db") == before


def test_the_data_is_believed_before_a_layout_and_a_pattern_before_its_model(tmp_path: Path) -> None:
    for run in RUNS:
        for case in CASES:
            told = {"model": "kimi", "case": f"own-{case}", "messages": said(f"{run} {case}")}
            written(tmp_path / f"logs/alpha/{run}/{case}.json", told)
    taken(tmp_path / "plain.db", tmp_path / "logs")
    assert {ref.rpartition("/")[0] for ref in refs(tmp_path / "plain.db")} == {"kimi/own-cancel-1", "kimi/own-refund-2"}
    report = taken(tmp_path / "told.db", tmp_path / "logs", path_pattern="{model}/{run}/*.json")
    assert refs(tmp_path / "told.db") == sorted(f"alpha/own-{case}/{run}" for case in CASES for run in RUNS)
    assert "the data says kimi; filed under alpha, which its path names" in report.sources[0].remarks


@pytest.mark.parametrize(
    ("file", "path_pattern", "ref"),
    [
        ("alpha/run-3/cancel-1.json", "{model}/{run}/{case}.json", "alpha/cancel-1/3"),
        ("alpha/base/3/cancel-1.json", "{model}/{label}/{run}/{case}.json", "alpha+base/cancel-1/3"),
        ("alpha_cancel-1_r3.json", "{model}_{case}_r{run}.json", "alpha/cancel-1/3"),
        ("alpha/x/cancel-1/messages.json", "{model}/*/{case}/messages.json", "alpha/cancel-1/1"),
        ("3/cancel-1/alpha.json", "{run}/{case}/{model}.json", "alpha/cancel-1/3"),
    ],
)
def test_a_pattern_names_what_a_path_names(tmp_path: Path, file: str, path_pattern: str, ref: str) -> None:
    log = written(tmp_path / "logs" / file, said("x"))
    taken(tmp_path / "runs.db", log, path_pattern=path_pattern)
    taken(tmp_path / "folder.db", tmp_path / "logs", path_pattern=path_pattern)
    assert refs(tmp_path / "runs.db") == refs(tmp_path / "folder.db") == [ref]


def test_a_file_that_a_pattern_does_not_fit_is_read_without_it(tmp_path: Path) -> None:
    written(tmp_path / "logs/alpha/1/a.json", said("a"))
    written(tmp_path / "logs/alpha/base/b.json", said("b"))
    report = taken(tmp_path / "runs.db", tmp_path / "logs", path_pattern="{model}/{run}/{case}.json")
    assert refs(tmp_path / "runs.db") == ["alpha/a/1", "unknown/b"]
    assert "the path pattern does not fit its path" in report.sources[1].remarks


@pytest.mark.parametrize(
    ("path_pattern", "sentence"),
    [
        (
            "{user}/{case}.json",
            "there is no field “{user}”. Fields: {model}, {label}, {run}, {case};",
        ),
        ("{case.json", "a brace of “{case.json” has no other."),
        ("*.json", "“*.json” names no field."),
        ("{case}/{case}.json", "“{case}/{case}.json” has a field more than once."),
        ("logs//{case}.json", "“logs//{case}.json” has a folder without a name."),
        ("{model}/{case}.csv", "“{model}/{case}.csv” does not fit logs/a.json or any of the 1 other files."),
    ],
)
def test_a_pattern_that_cannot_be_is_one_sentence(tmp_path: Path, path_pattern: str, sentence: str) -> None:
    for name in "ab":
        written(tmp_path / f"logs/{name}.json", said(name))
    with pytest.raises(SourceError, match=re.escape(sentence)) as caught:
        taken(tmp_path / "runs.db", tmp_path / "logs", path_pattern=path_pattern)
    assert str(caught.value).startswith("--path-pattern: ")
    columns = '[message]\ntext = "content"\nspeaker = "role"\n'
    table = written(tmp_path / "map.toml", f'rows = "messages"\n[file]\npath_pattern = "{path_pattern}"\n{columns}')
    with pytest.raises(SourceError, match=re.escape(sentence)) as caught:
        taken(tmp_path / "runs.db", tmp_path / "logs", map=str(table))
    assert "file.path_pattern: " in str(caught.value)
    assert not (tmp_path / "runs.db").exists()


def test_a_map_may_have_a_pattern(tmp_path: Path) -> None:
    for run in (1, 2):
        written(tmp_path / f"logs/alpha/{run}/refund-2.csv", f"role,content\nuser,Hello {run}\nassistant,Yes.\n")
    table = written(
        tmp_path / "map.toml",
        """rows = "messages"
[file]
path_pattern = "{model}/{run}/{case}.csv"
[message]
speaker = "role"
text = "content"
[speakers]
customer = ["user"]
agent = ["assistant"]
""",
    )
    taken(tmp_path / "runs.db", tmp_path / "logs", map=str(table))
    assert refs(tmp_path / "runs.db") == ["alpha/refund-2/1", "alpha/refund-2/2"]
    source = Source(tmp_path / "logs/alpha/1/refund-2.csv", "refund-2.csv", alone=True)
    shown = draft.glimpse(source, mapkeys.load(str(table))).conversation
    assert shown is not None
    assert (shown.model, shown.case, shown.run) == ("alpha", "refund-2", 1)
