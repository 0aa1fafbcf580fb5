"""What counts as stored already: nothing of a run is dropped, what comes again with more is updated, and undone."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from reviewer.imports.importer import Step, Wishes, import_files
from reviewer.imports.removal import removed
from reviewer.imports.summary import ImportReport
from reviewer.transcripts.model import Stored, Usage
from reviewer.transcripts.store.imports import brought, of_import, run_totals, updates_of
from reviewer.transcripts.store.reader import Reader
from tests import shapes

SAID = ({"role": "user", "content": "Where is #7?"}, {"role": "assistant", "content": "On its way."})


def line(case: str | None, text: str, **more: Any) -> str:
    messages = [{"role": "user", "content": text}, {"role": "assistant", "content": f"About {text}."}]
    return json.dumps({"model": "kimi", "case": case, "messages": messages, **more}) + "\n"


def file(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8")
    return path


def taken(store: Path, *paths: Path, **wishes: Any) -> ImportReport:
    return import_files(paths, store, Wishes(**wishes))


def held(store: Path) -> dict[str, Stored]:
    with Reader(store) as reader:
        return {each.ref: each for each in map(reader.stored, reader.ids())}


def counts_hold(store: Path) -> None:
    """What is counted of each source and run equals what stands there."""
    every = held(store).values()
    told = brought(store)
    assert sum(each.counts["conversations"] for each in told) == len(every)
    assert sum(each.counts.get("scores", 0) for each in told) == sum(len(it.conversation.scores) for it in every)
    tokens = sum(it.conversation.usage is not None and it.conversation.usage.tokens_out is not None for it in every)
    assert sum(each.counts.get("tokens", 0) for each in told) == tokens
    assert sum(run.conversations for run in run_totals(store)) == len(every)
    with Reader(store) as reader:
        assert reader.info()["models"] == dict(sorted(Counter(it.conversation.model for it in every).items()))


@pytest.mark.parametrize("stated", [None, 0])
@pytest.mark.parametrize("shared", [(0, 1, 2), (7, 8, 9), range(9)])
def test_two_runs_that_share_some_texts_keep_all_their_cases(tmp_path: Path, stated: int | None, shared: Any) -> None:
    for name in "ab":
        texts = [f"{n}" if n in shared else f"{n} {name}" for n in range(10)]
        file(tmp_path / f"logs/{name}.jsonl", *(line(f"c{n}", text, trial=stated) for n, text in enumerate(texts)))
    report = taken(tmp_path / "runs.db", tmp_path / "logs")
    first = 1 if stated is None else 0
    assert sorted(held(tmp_path / "runs.db")) == sorted(f"kimi/c{n}/{r}" for n in range(10) for r in (first, first + 1))
    assert [source.new for source in report.sources] == [10, 10]
    assert taken(tmp_path / "runs.db", tmp_path / "logs").total("unchanged") == 20
    counts_hold(tmp_path / "runs.db")


def test_a_folder_of_single_conversations_that_turns_out_to_be_another_run_keeps_all(tmp_path: Path) -> None:
    for run, texts in (("run-a", "xyz"), ("run-b", "xyw")):
        for case, text in enumerate(texts):
            record = {"task_id": str(case), "traj": [{"role": "user", "content": text}], "reward": 0, "trial": 9}
            file(tmp_path / f"gpt-4o/{run}/task_{case}.json", json.dumps(record))
    report = taken(tmp_path / "runs.db", tmp_path / "gpt-4o")
    assert sorted(held(tmp_path / "runs.db")) == sorted(
        f"gpt-4o/tau-{case}/{run}" for case in range(3) for run in (9, 10)
    )
    assert report.total("new") == 6
    assert taken(tmp_path / "runs.db", tmp_path / "gpt-4o").total("unchanged") == 6


def test_equal_words_in_the_same_stated_run_are_one_conversation(tmp_path: Path) -> None:
    one = file(tmp_path / "one.jsonl", line("a", "x", trial=2))
    more = file(tmp_path / "more.jsonl", line("a", "x", trial=2), line("b", "y", trial=2))
    assert taken(tmp_path / "runs.db", one).total("new") == 1
    report = taken(tmp_path / "runs.db", more)
    assert (report.total("new"), report.total("unchanged")) == (1, 1)


@pytest.mark.parametrize(("trial", "runs"), [(0, [0, 0, 0]), (None, [1, 1, 1])])
def test_task_0_with_trial_0_in_a_folder_of_other_tasks_is_a_trial(
    tmp_path: Path, trial: int | None, runs: list[int]
) -> None:
    for task in range(3):
        said = [{"role": "user", "content": f"{task}"}]
        record = {"task_id": task, "traj": said, "reward": 0, "trial": task if trial is None else trial}
        file(tmp_path / f"gpt-4o/task_{task}.json", json.dumps(record))
    taken(tmp_path / "runs.db", tmp_path / "gpt-4o")
    assert sorted(held(tmp_path / "runs.db")) == [f"gpt-4o/tau-{task}/{run}" for task, run in enumerate(runs)]


def test_equal_bytes_in_two_runs_are_two_runs(tmp_path: Path) -> None:
    for run in (1, 2):
        file(tmp_path / f"logs/run{run}/results.jsonl", line("a", "x"), line("b", "y"))
    report = taken(tmp_path / "runs.db", tmp_path / "logs")
    assert sorted(held(tmp_path / "runs.db")) == ["kimi/a/1", "kimi/a/2", "kimi/b/1", "kimi/b/2"]
    assert not any(source.passed_over for source in report.sources)


@pytest.mark.parametrize("alone", [True, False])
def test_a_file_that_was_moved_is_known_by_its_bytes(tmp_path: Path, alone: bool) -> None:
    logs = file(tmp_path / "here/logs.jsonl", line("a", "x"), line(None, "y"))
    taken(tmp_path / "runs.db", logs)
    shutil.move(tmp_path / "here", tmp_path / "there")
    report = taken(tmp_path / "runs.db", tmp_path / "there" / "logs.jsonl" if alone else tmp_path / "there")
    assert (report.total("new"), report.total("unchanged")) == (0, 2)


def test_two_files_of_one_name_read_one_after_the_other_stay_two(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    taken(store, file(tmp_path / "one/logs.jsonl", line("a", "x")))
    report = taken(store, file(tmp_path / "two/logs.jsonl", line("b", "y")))
    assert report.total("new") == 1
    assert sorted(each.source for each in held(store).values()) == ["logs.jsonl", "two/logs.jsonl"]


def inspect_log(path: Path, **changes: Any) -> Path:
    log = shapes.inspect()
    for sample in log["samples"]:
        sample |= {"uuid": f"u{sample['epoch']}", **changes}
    return file(path, json.dumps(log))


def test_a_scored_log_after_its_unscored_copy_brings_its_scores(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    unscored = inspect_log(tmp_path / "unscored.json", scores={})
    scored = inspect_log(tmp_path / "scored.json")
    assert taken(store, unscored).total("new") == 1
    report = taken(store, scored)
    assert (report.total("new"), report.total("updated")) == (0, 1)
    (it,) = held(store).values()
    assert {score.scorer for score in it.conversation.scores} == {"match", "marks.tone"}
    counts_hold(store)
    assert updates_of(store, 2) == 1
    removed(store, of_import(store, 2), 2)
    (it,) = held(store).values()
    assert it.conversation.scores == ()
    counts_hold(store)
    assert taken(store, scored).total("updated") == 1


@pytest.mark.parametrize("order", ["us", "su"])
def test_copies_in_one_folder_are_one_conversation_in_any_order(tmp_path: Path, order: str) -> None:
    names = {"u": "unscored", "s": "scored"}
    for place, which in enumerate(order):
        inspect_log(tmp_path / f"logs/{place}-{names[which]}.json", **({"scores": {}} if which == "u" else {}))
    taken(tmp_path / "runs.db", tmp_path / "logs")
    (it,) = held(tmp_path / "runs.db").values()
    assert len(it.conversation.scores) == 2


def test_a_score_that_contradicts_is_said_and_replace_decides(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    taken(store, file(tmp_path / "one.jsonl", line("a", "x", trial=1, reward=0)))
    other = file(tmp_path / "two.jsonl", line("a", "x", trial=1, reward=1))
    report = taken(store, other)
    assert (report.total("updated"), report.total("unchanged")) == (0, 1)
    assert "kimi/a/1: reward is 0 in the store, 1 here; --replace takes what is said here" in report.sources[0].remarks
    assert [score.value for score in held(store)["kimi/a/1"].conversation.scores] == [0]
    assert taken(store, other, replacing=True).total("updated") == 1
    assert [score.value for score in held(store)["kimi/a/1"].conversation.scores] == [1]
    removed(store, [], 3)
    assert [score.value for score in held(store)["kimi/a/1"].conversation.scores] == [0]
    counts_hold(store)


def test_tokens_times_and_metadata_that_come_later_are_put_where_none_stood(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    plain = {"id": "s1", "model": "kimi", "messages": SAID, "metadata": {"user": "u"}}
    spent = {"prompt_tokens": 90, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 60}}
    rich = {
        **plain,
        "messages": [SAID[0], {**SAID[1], "usage": spent, "cost": 0.5, "timestamp": "2026-01-01T00:00:00Z"}],
        "metadata": {"user": "other", "channel": "mail"},
        "started": "2026-01-01",
    }
    taken(store, file(tmp_path / "plain.jsonl", json.dumps(plain)))
    assert taken(store, file(tmp_path / "rich.jsonl", json.dumps(rich))).total("updated") == 1
    it = held(store)["kimi/s1"].conversation
    assert it.usage == Usage(90, 5, None, 60, 0.5)
    assert (it.messages[1].tokens_cached, it.messages[1].at, it.started) == (60, "2026-01-01T00:00:00Z", "2026-01-01")
    assert it.meta == {"user": "u", "channel": "mail"}
    counts_hold(store)
    removed(store, of_import(store, 2), 2)
    it = held(store)["kimi/s1"].conversation
    assert (it.usage, it.messages[1].at, it.started, it.meta) == (None, None, None, {"user": "u"})
    counts_hold(store)


def test_of_equal_words_under_two_identifiers_each_keeps_what_it_is_told(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    taken(store, file(tmp_path / "logs.jsonl", line(None, "x", id="s1"), line(None, "x", id="s2")))
    scored = file(tmp_path / "logs.jsonl", line(None, "x", id="s1"), line(None, "x", id="s2", reward=1))
    assert taken(store, scored).total("updated") == 1
    assert {ref: len(it.conversation.scores) for ref, it in held(store).items()} == {"kimi/s1": 0, "kimi/s2": 1}
    assert taken(store, scored).total("unchanged") == 2


def test_what_says_nothing_is_known_by_its_identifier(tmp_path: Path) -> None:
    failed = {"model": "kimi", "id": "s1", "messages": []}
    file(tmp_path / "logs/a.jsonl", json.dumps(failed))
    file(tmp_path / "logs/b.jsonl", json.dumps({**failed, "reward": 0}))
    report = taken(tmp_path / "runs.db", tmp_path / "logs")
    assert (report.total("new"), report.total("updated")) == (1, 1)
    assert list(held(tmp_path / "runs.db")) == ["kimi/s1"]


@pytest.mark.parametrize("order", [(2, 3, 4), (4, 3, 2), (3, 2, 4), (2, 4, 3), (4, 2, 3), (3, 4, 2)])
def test_updates_are_taken_back_in_any_order(tmp_path: Path, order: tuple[int, ...]) -> None:
    store = tmp_path / "runs.db"
    verdicts = [
        {"scorer": "tone", "judge": "opus", "value": 0, "note": "Curt."},
        {"scorer": "tone", "judge": "opus", "value": 1},
    ]
    ours = {"reviewer": 1, "model": "kimi", "case": "a", "run": 1, "messages": [{"role": "customer", "text": "x"}]}
    taken(store, file(tmp_path / "1.jsonl", json.dumps({**ours, "meta": {"a": 1}})))
    taken(store, file(tmp_path / "2.jsonl", json.dumps({**ours, "meta": {"b": 2}, "scores": verdicts[:1]})))
    taken(
        store,
        file(tmp_path / "3.jsonl", json.dumps({**ours, "meta": {"c": 3}, "scores": verdicts[1:]})),
        replacing=True,
    )
    taken(
        store, file(tmp_path / "4.jsonl", json.dumps({**ours, "ended": "2026", "scores": verdicts[:1]})), replacing=True
    )
    given: dict[int, int | None] = {2: 0, 3: 1, 4: 0}
    for number in order:
        removed(store, [], number)
        del given[number]
        last = list(given.values())[-1:]
        assert [score.value for score in held(store)["kimi/a/1"].conversation.scores] == last
        counts_hold(store)
    it = held(store)["kimi/a/1"].conversation
    assert (it.scores, it.meta, it.ended) == ((), {"a": 1}, None)


def test_scores_are_put_back_whatever_was_scored_since(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    two = [{"scorer": "tone", "value": 0}, {"scorer": "tone", "value": 1}]
    ours = {"reviewer": 1, "model": "kimi", "case": "a", "run": 1, "messages": [{"role": "customer", "text": "x"}]}
    taken(store, file(tmp_path / "1.jsonl", json.dumps(ours)))
    taken(store, file(tmp_path / "2.jsonl", json.dumps({**ours, "scores": two})))
    taken(store, file(tmp_path / "3.jsonl", json.dumps({**ours, "scores": two[:1]})), replacing=True)
    taken(store, file(tmp_path / "4.jsonl", json.dumps({**ours, "case": "b", "scores": two})))
    removed(store, [], 3)
    assert [score.value for score in held(store)["kimi/a/1"].conversation.scores] == [0, 1]
    removed(store, [], 2)
    assert {ref: len(it.conversation.scores) for ref, it in held(store).items()} == {"kimi/a/1": 0, "kimi/b/1": 2}
    counts_hold(store)


def test_what_a_refused_file_updated_is_as_before(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    taken(store, file(tmp_path / "one.jsonl", line("a", "x", trial=1), line("b", "y", trial=1)))
    report = taken(store, file(tmp_path / "two.jsonl", line("a", "x", trial=1, reward=1), line("b", "z", trial=1)))
    assert report.sources[0].refused
    assert (report.total("updated"), report.exit_code) == (0, 2)
    assert held(store)["kimi/a/1"].conversation.scores == ()
    counts_hold(store)


@pytest.mark.parametrize("separately", [False, True])
def test_folders_of_two_harnesses_are_two_configurations(tmp_path: Path, separately: bool) -> None:
    for harness in ("openhands", "swe-agent"):
        for trial in (0, 1):
            lines = (line(f"c{n}", f"{n} {harness} {trial}", trial=trial) for n in range(2))
            file(tmp_path / f"logs/{harness}/kimi-{trial}.jsonl", *lines)
    store = tmp_path / "runs.db"
    if separately:
        taken(store, tmp_path / "logs" / "openhands")
        report = taken(store, tmp_path / "logs" / "swe-agent")
        assert all("--label" in source.refused for source in report.sources)
        return
    report = taken(store, tmp_path / "logs")
    assert {run.model for run in run_totals(store)} == {"kimi+openhands", "kimi+swe-agent"}
    assert {run.number for run in run_totals(store)} == {0, 1}
    assert report.total("new") == 8
    assert taken(store, tmp_path / "logs").total("unchanged") == 8
    counts_hold(store)


def tau2_log(path: Path, word: str, *trials: tuple[str, int]) -> Path:
    """A results file of tau2, which is a run of its own, with these trials of these tasks."""
    log = shapes.tau2()
    (first, _), log["tasks"] = log["simulations"], [{**shapes.TAU2_TASK, "id": task} for task, _ in trials]
    log["simulations"] = [
        {
            **first,
            "id": f"{word}-{task}-{n}",
            "task_id": task,
            "trial": n,
            "messages": [{**SAID[0], "content": f"{word} {n}"}],
        }
        for task, n in trials
    ]
    return file(path, json.dumps(log))


def test_a_file_that_gives_way_keeps_its_trials_apart(tmp_path: Path) -> None:
    for name, word in (("a", "One"), ("b", "Two")):
        tau2_log(tmp_path / f"logs/{name}/results.json", word, ("3", 1), ("4", 0), ("3", 0), ("4", 1))
    store = tmp_path / "runs.db"
    taken(store, tmp_path / "logs")
    moved = [it.conversation for it in held(store).values() if it.conversation.messages[0].text.startswith("Two")]
    trials = {(it.messages[0].text, it.run) for it in moved}
    assert len(moved) == 4
    assert trials in ({("Two 0", 2), ("Two 1", 3)}, {("Two 0", 3), ("Two 1", 2)})


@pytest.mark.parametrize(
    "files", [("openhands/results.json", "swe-agent/results.json"), ("gpt_openhands_1.json", "gpt_swe-agent_1.json")]
)
def test_whole_logs_of_two_harnesses_are_two_configurations(tmp_path: Path, files: tuple[str, str]) -> None:
    for name in files:
        tau2_log(tmp_path / "logs" / name, name, ("3", 0), ("3", 1))
    store = tmp_path / "runs.db"
    taken(store, tmp_path / "logs")
    assert {run.model for run in run_totals(store)} == {"gpt-4o+openhands", "gpt-4o+swe-agent"}
    assert {run.number for run in run_totals(store)} == {0, 1}
    assert taken(store, tmp_path / "logs").total("unchanged") == 4
    counts_hold(store)


def test_a_configuration_that_comes_later_is_told_apart_as_those_before_it(tmp_path: Path) -> None:
    for harness in ("openhands", "swe-agent", "zed"):
        file(tmp_path / f"logs/{harness}/x.jsonl", line("a", harness, trial=0))
    taken(tmp_path / "calm.db", tmp_path / "logs")
    late = tmp_path / "logs/zed"
    late.rename(tmp_path / "zed")
    taken(tmp_path / "runs.db", tmp_path / "logs")
    (tmp_path / "zed").rename(late)
    taken(tmp_path / "runs.db", tmp_path / "logs")
    assert sorted(held(tmp_path / "runs.db")) == sorted(held(tmp_path / "calm.db"))
    assert "kimi+zed/a/0" in held(tmp_path / "runs.db")


def test_a_file_and_then_its_folder_are_one_configuration(tmp_path: Path) -> None:
    one, two = (file(tmp_path / f"logs/{name}.jsonl", line("a", name), line("b", name)) for name in "xy")
    store = tmp_path / "runs.db"
    taken(store, one)
    taken(store, two.parent)
    assert sorted(held(store)) == ["kimi/a/1", "kimi/a/2", "kimi/b/1", "kimi/b/2"]


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store into which logs were read at once; they lie beside it."""
    folder = tmp_path_factory.mktemp("calm")
    for harness in ("openhands", "swe-agent"):
        lines = (line(f"c{n}", f"{n} {harness}", trial=0) for n in range(600))
        file(folder / f"logs/{harness}/x.jsonl", *lines)
    for run in "ab":
        file(folder / f"logs/run-{run}.jsonl", *(line(f"d{n}", f"{n}{run * (n > 590)}") for n in range(600)))
    taken(folder / "calm.db", folder / "logs")
    return folder / "calm.db"


@pytest.mark.parametrize("stop", [510, 1_010, 1_700])
def test_an_import_that_was_stopped_ends_as_one_that_was_not(tmp_path: Path, calm: Path, stop: int) -> None:
    logs = calm.parent / "logs"

    def halt(step: Step) -> None:
        if step.read == stop:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_files([logs], tmp_path / "runs.db", Wishes(), halt)
    assert held(tmp_path / "runs.db")
    taken(tmp_path / "runs.db", logs)
    stored, whole = held(tmp_path / "runs.db"), held(calm)
    assert {ref: it.digest for ref, it in stored.items()} == {ref: it.digest for ref, it in whole.items()}
    counts_hold(tmp_path / "runs.db")


def test_the_tools_of_a_run_are_those_of_all_its_conversations(tmp_path: Path) -> None:
    tools = [{"type": "function", "function": {"name": name}} for name in ("get", "cancel")]
    lines = [line(f"c{n}", "x", trial=1, tools=tools[: n + 1]) for n in (0, 1)]
    for name, text in zip("ab", lines, strict=True):
        taken(tmp_path / "runs.db", file(tmp_path / f"{name}.jsonl", text))
    taken(tmp_path / "whole.db", file(tmp_path / "whole.jsonl", *reversed(lines)))
    for store in ("runs.db", "whole.db"):
        with closing(sqlite3.connect(tmp_path / store)) as db:
            (kept,) = db.execute("SELECT tools FROM runs").fetchone()
        assert sorted(tool["function"]["name"] for tool in json.loads(kept)) == ["cancel", "get"]


def test_a_case_that_is_told_of_later_in_an_import_is_known(tmp_path: Path) -> None:
    facts = {"id": "a", "labels": ["vip"], "goal": "Cancel."}
    ours: dict[str, Any] = {
        "reviewer": 1,
        "model": "kimi",
        "case": "a",
        "messages": [{"role": "customer", "text": "x"}],
    }
    lines = [{**ours, "run": 1}, {**ours, "run": 2, "case_facts": facts}]
    file(tmp_path / "logs.jsonl", *(json.dumps(each) + "\n" for each in lines))
    taken(tmp_path / "runs.db", tmp_path / "logs.jsonl")
    with Reader(tmp_path / "runs.db") as reader:
        case = reader.case("a")
    assert case is not None
    assert (case.labels, case.goal) == (("vip",), "Cancel.")
    assert taken(tmp_path / "runs.db", tmp_path / "logs.jsonl").total("unchanged") == 2


def test_a_reference_without_a_case_is_never_long(tmp_path: Path) -> None:
    for n in (1, 2):
        file(tmp_path / f"logs/{n}.jsonl", line(None, f"x{n}", id=f"https://example.org/{'é/' * 300}{n}"))
    file(tmp_path / f"logs/{'n' * 200}.jsonl", line(None, "y"), line(None, "z"))
    taken(tmp_path / "runs.db", tmp_path / "logs")
    refs = held(tmp_path / "runs.db")
    assert len(refs) == 4
    assert all(len(ref) <= 120 for ref in refs)
    assert taken(tmp_path / "runs.db", tmp_path / "logs").total("unchanged") == 4


def test_without_a_name_the_file_names_the_conversation(tmp_path: Path) -> None:
    file(tmp_path / "logs/monday.jsonl", line(None, "x"), line(None, "y"))
    file(tmp_path / "logs/tuesday.json", line(None, "z"))
    taken(tmp_path / "runs.db", tmp_path / "logs")
    assert sorted(held(tmp_path / "runs.db")) == ["kimi/monday-1", "kimi/monday-2", "kimi/tuesday"]


def test_newer_copies_of_a_conversation_without_a_case_take_its_place(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    taken(store, file(tmp_path / "one.jsonl", line(None, "x", id="s1")))
    grown = file(tmp_path / "two.jsonl", line(None, "x and more", id="s1"))
    assert taken(store, grown, replacing=True).total("replaced") == 1
    assert list(held(store)) == ["kimi/s1"]


def test_a_failed_import_leaves_no_store_behind(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    report = taken(store, file(tmp_path / "notes.json", '{"hello": 1}'))
    assert (report.exit_code, store.exists()) == (2, False)
    assert taken(store, file(tmp_path / "bad.jsonl", '{"messages": [{"role"')).exit_code == 2
    assert sorted(tmp_path.glob("runs.db*")) == []
    taken(store, file(tmp_path / "good.jsonl", line("a", "x")))
    assert taken(store, tmp_path / "notes.json").exit_code == 2
    assert len(held(store)) == 1


def test_every_file_of_a_folder_that_was_not_read_is_named(tmp_path: Path) -> None:
    for name in ("a.md", "b.md", "c.py", ".hidden/x.json", "sub/.env", "picture.PNG", "good.jsonl"):
        file(tmp_path / "logs" / name, line("a", "x"))
    report = taken(tmp_path / "runs.db", tmp_path / "logs")
    assert report.unread == [
        "logs/.hidden/",
        "logs/a.md",
        "logs/b.md",
        "logs/c.py",
        "logs/picture.PNG",
        "logs/sub/.env",
    ]
    assert report.as_json()["unread"] == report.unread
    assert report.total("new") == 1


def test_what_is_called_an_index_is_looked_into_first(tmp_path: Path) -> None:
    logs = file(tmp_path / "runs.jsonl", line("a", "x"))
    assert taken(tmp_path / "runs.db", logs).total("new") == 1
    unknown = file(tmp_path / "other/runs.jsonl", json.dumps({"prompt": "Where is it?", "answer": 7}))
    assert taken(tmp_path / "runs.db", unknown).sources[0].passed_over.startswith("of no known format")
    within = file(tmp_path / "within/all.json", json.dumps({"runs": [{"messages": SAID}]}))
    assert taken(tmp_path / "runs.db", within).sources[0].passed_over.startswith("of no known format")
    listing = file(tmp_path / "listing/runs.jsonl", json.dumps({"id": 1, "started": "2026"}))
    assert taken(tmp_path / "runs.db", listing).sources[0].passed_over == "an index or summary"
    head = file(tmp_path / "head/results.json", json.dumps({"timestamp": "2026", "info": {}, "tasks": []}))
    assert taken(tmp_path / "runs.db", head).sources[0].passed_over == "an index or summary"


def test_a_log_that_is_called_like_a_paper_is_looked_into(tmp_path: Path) -> None:
    for name in ("license-questions.jsonl", "notice-period.json", "manifest-7.json"):
        assert taken(tmp_path / "runs.db", file(tmp_path / name, line(None, name))).total("new") == 1
    paper = file(tmp_path / "manifest.json", json.dumps({"files": 3}))
    assert taken(tmp_path / "runs.db", paper).sources[0].passed_over == "a manifest"


def test_blanks_are_no_words(tmp_path: Path) -> None:
    blank = [{"role": "user", "content": " \n"} for _ in range(4)]
    report = taken(tmp_path / "runs.db", file(tmp_path / "a.json", json.dumps({"messages": blank})))
    assert report.total("rejected") == 1
    assert "4 of 4 messages hold no words" in report.sources[0].remarks[0]
