"""Importing: the same twice adds nothing, whatever the order; two runs never merge; a refusal says the choice."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reviewer.basics.errors import SourceError
from reviewer.imports.importer import Wishes, import_files
from reviewer.imports.run_numbers import RunNumbers
from reviewer.imports.summary import ImportReport
from reviewer.transcripts.conversation_json import as_object
from reviewer.transcripts.digests import conversation_digest
from reviewer.transcripts.model import Conversation, Message
from reviewer.transcripts.store.intake import Intake
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.writer import Writer
from tests.builders import CANCELLED, agent, customer, stored

Row = tuple[str, str]


def line(case: str, text: str = "Hi.", run: int | None = None, model: str = "kimi", **more: Any) -> str:
    messages = [{"role": "customer", "text": text}] if text else []
    return json.dumps({"model": model, "case": case, "run": run, "messages": messages, **more})


def file(folder: Path, name: str, *lines: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def taken(store: Path, *paths: Path, **wishes: Any) -> ImportReport:
    return import_files(paths, store, Wishes(**wishes))


def content(store: Path) -> set[Row]:
    with Reader(store) as reader:
        return {(each.ref, each.digest) for each in map(reader.stored, reader.ids())}


def totals_hold(store: Path) -> None:
    """The totals that the writer keeps equal what a count finds."""
    with Reader(store) as reader:
        info = reader.info()
        every = [reader.stored(each).conversation for each in reader.ids()]
    messages = [message for it in every for message in it.messages]
    calls = [call for message in messages for call in message.calls]
    assert info["conversations"] == len(every)
    assert info["empty_conversations"] == sum(not it.messages for it in every)
    assert sum(info["messages"].values()) == len(messages)
    assert info["tool_calls"] == sum(not call.orphan for call in calls)
    assert info["tool_results"] == sum(call.result is not None for call in calls)
    assert info["scores"] == sum(len(it.scores) for it in every)
    assert sum(info["models"].values()) == len(every)


def test_the_same_again_adds_nothing(tmp_path: Path) -> None:
    logs = file(tmp_path, "logs.jsonl", line("a"), line("b"), line("b", "Other.", run=2), line("c", ""))
    store = tmp_path / "runs.db"
    assert taken(store, logs).total("new") == 4
    before = content(store)
    again = taken(store, logs)
    assert (again.total("new"), again.total("unchanged")) == (0, 4)
    assert content(store) == before
    totals_hold(store)


def test_two_files_with_the_same_numbers_are_two_runs_in_the_order_of_their_names(tmp_path: Path) -> None:
    one = file(tmp_path, "a.jsonl", line("x", "one"), line("y", "one"), line("z", ""))
    other = file(tmp_path, "b.jsonl", line("z", ""), line("y", "two"), line("x", "two"))
    stores = [tmp_path / "1.db", tmp_path / "2.db"]
    taken(stores[0], one, other)
    report = taken(stores[1], other, one)
    assert content(stores[0]) == content(stores[1])
    assert {ref for ref, _ in content(stores[0])} == {f"kimi/{case}/{run}" for case in "xyz" for run in (1, 2)}
    assert any("became run 2" in remark for source in report.sources for remark in source.remarks)
    again = taken(stores[0], other, one)
    assert (again.total("new"), again.total("unchanged")) == (0, 6)
    totals_hold(stores[0])


@pytest.mark.parametrize("named", ["{}/log.jsonl", "{}", "{}/logs"])
def test_two_files_of_one_name_are_two_runs(tmp_path: Path, named: str) -> None:
    for folder, cases in (("one", "xy"), ("two", "yz")):
        for name in ("log.jsonl", "logs/log.jsonl"):
            file(tmp_path, f"{folder}/{name}", *(line(case, folder) for case in cases))
    report = taken(tmp_path / "runs.db", *(tmp_path / named.format(folder) for folder in ("one", "two")))
    assert {ref for ref, _ in content(tmp_path / "runs.db")} == {"kimi/x/1", "kimi/y/1", "kimi/y/2", "kimi/z/2"}
    assert len({source.path for source in report.sources}) == len(report.sources)


def test_files_of_single_conversations_named_one_by_one_belong_to_their_folders(tmp_path: Path) -> None:
    named = []
    for folder, cases in (("one", "12"), ("two", "23")):
        for case in cases:
            traj = [{"role": "user", "content": folder}]
            record: dict[str, Any] = {"task_id": case, "reward": 0, "info": {}, "traj": traj}
            named.append(file(tmp_path, f"gpt-4o/{folder}/{case}.json", json.dumps(record)))
    taken(tmp_path / "runs.db", *named)
    wanted = {f"gpt-4o/tau-{case}/{run}" for case, run in ((1, 1), (2, 1), (2, 2), (3, 2))}
    assert {ref for ref, _ in content(tmp_path / "runs.db")} == wanted


@pytest.mark.parametrize("files", [{"a.jsonl": ["one", "two"]}, {"a.jsonl": ["one"], "b.jsonl": ["two"]}])
def test_what_a_file_brings_again_is_not_replaced_by_the_next(tmp_path: Path, files: dict[str, list[str]]) -> None:
    store = tmp_path / "runs.db"
    taken(store, file(tmp_path, "stored.jsonl", line("x", "one"), line("y", "one")))
    named = [file(tmp_path, name, *(line("x", text) for text in texts)) for name, texts in files.items()]
    for added in (1, 0):
        report = taken(store, *named, replacing=True)
        assert (report.total("new"), report.total("replaced"), report.total("unchanged")) == (added, 0, 2 - added)
        with Reader(store) as reader:
            assert {row.ref: row.opening for row in reader.rows(reader.ids())} == {
                "kimi/x/1": "one", "kimi/x/2": "two", "kimi/y/1": "one",
            }  # fmt: skip


def test_what_took_a_stored_place_stays_there(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    taken(store, file(tmp_path, "stored.jsonl", line("x", "one"), line("y", "one")))
    other = file(tmp_path, "a.jsonl", line("y", "two"))
    taken(store, other, file(tmp_path, "b.jsonl", line("x", "two"), line("y", "three")), replacing=True)
    with Reader(store) as reader:
        texts = {row.ref: row.opening for row in reader.rows(reader.ids())}
    assert texts == {"kimi/x/1": "two", "kimi/y/1": "two", "kimi/y/2": "three"}
    totals_hold(store)


def test_what_was_stored_is_not_moved_for_a_newcomer(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    taken(store, file(tmp_path, "b.jsonl", line("x", "one")))
    newcomer, grown = (
        file(tmp_path, "a.jsonl", line("y", "one")),
        file(tmp_path, "b.jsonl", line("x", "one"), line("y")),
    )
    taken(store, newcomer, grown)
    assert {ref for ref, _ in content(store)} == {"kimi/x/1", "kimi/y/1", "kimi/y/2"}
    totals_hold(store)


def test_folders_of_single_conversations_are_a_run_each(tmp_path: Path) -> None:
    for folder, text in (("run-a", "one"), ("run-b", "two")):
        for case in ("1", "2", "10"):
            traj = [{"role": "user", "content": text}]
            record: dict[str, Any] = {"task_id": case, "reward": 0, "info": {}, "traj": traj}
            file(tmp_path, f"logs/{folder}/gpt-4o_task_{case}.json", json.dumps(record))
    taken(tmp_path / "runs.db", tmp_path / "logs")
    with Reader(tmp_path / "runs.db") as reader:
        texts = {row.ref: row.opening for row in reader.rows(reader.ids())}
    assert texts == {f"gpt-4o/tau-{case}/{run}": text for case in (1, 2, 10) for run, text in ((1, "one"), (2, "two"))}


def test_what_would_stand_in_anothers_place_is_refused_with_the_choice(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    taken(store, file(tmp_path, "first.jsonl", line("a", "one"), line("b", "one")))
    before = content(store)
    with Reader(store) as reader:
        known = reader.info()
    lines = (line("new", synthetic=True), line("a", "two"), line("b", "one"))
    report = taken(store, file(tmp_path, "second.jsonl", *lines), desk="airline")
    assert report.exit_code == 2
    refused = report.sources[0].refused
    assert "2 of its 3 conversations, 1 of them with the same words," in refused
    assert all(choice in refused for choice in ("--run N", "--label NAME", "--replace"))
    assert content(store) == before
    with Reader(store) as reader:
        assert reader.info() == known
    totals_hold(store)


def test_a_file_that_is_refused_has_no_say_about_the_run(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    for judge, cases in (("first", (1,)), ("second", (2, 1))):
        told: dict[str, Any] = {"diagnostics": {"provenance": {"judge": {"judge_model": judge}}}}
        told["dialogue"] = [{"role": "doctor", "text": judge}]
        lines = (json.dumps({**told, "scenario_id": case}) for case in cases)
        report = taken(store, file(tmp_path, f"{judge}.jsonl", *lines), model="kimi", run=1)
    assert report.sources[0].refused
    with Reader(store) as reader:
        assert [(run.number, run.judge) for run in reader.tallies.runs()] == [(1, "first")]


def test_a_file_that_is_refused_has_no_say_about_its_cases(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    kinds = (("resolvable", None), ("none", "story"))
    told = {bucket: {"id": "a", "bucket": bucket, "lure": lure} for bucket, lure in kinds}
    taken(store, file(tmp_path, "first.jsonl", line("a", "one", case_facts=told["resolvable"])))
    lines = line("a", "two", run=2, case_facts=told["none"]), line("a", "three", run=1)
    third = file(tmp_path, "third.jsonl", line("a", "four", run=3, case_facts={"id": "a", "goal": "said later"}))
    assert taken(store, file(tmp_path, "second.jsonl", *lines), third).sources[0].refused
    with Reader(store) as reader:
        facts = reader.case("a")
    assert facts is not None
    assert (facts.bucket, facts.lure, facts.goal) == ("resolvable", None, "said later")


@pytest.mark.parametrize(
    ("wishes", "ref"),
    [({"run": 7}, "kimi/a/7"), ({"label": "planner"}, "kimi+planner/a/1"), ({"replacing": True}, "kimi/a/1")],
)
def test_each_choice_resolves_the_refusal(tmp_path: Path, wishes: dict[str, Any], ref: str) -> None:
    store = tmp_path / "runs.db"
    taken(store, file(tmp_path, "first.jsonl", line("a", "one")))
    report = taken(store, file(tmp_path, "second.jsonl", line("a", "two")), **wishes)
    assert report.exit_code == 0
    assert report.total("replaced") == (1 if "replacing" in wishes else 0)
    with Reader(store) as reader:
        assert reader.rows(reader.find(ref))[0].opening == "two"
        assert reader.info()["conversations"] == (1 if "replacing" in wishes else 2)
    totals_hold(store)


def test_run_n_counts_on_over_the_runs_of_a_file(tmp_path: Path) -> None:
    logs = file(tmp_path, "logs.jsonl", line("a", "c", run=2), line("a", "a", run=0), line("a", "b", run=1))
    report = taken(tmp_path / "runs.db", logs, run=5)
    assert report.sources[0].models == {"kimi": {5, 6, 7}}
    with Reader(tmp_path / "runs.db") as reader:
        assert [row.opening for row in reader.rows(reader.runs_of("kimi", "a"))] == ["a", "b", "c"]


def test_a_file_may_hold_the_same_conversation_twice(tmp_path: Path) -> None:
    logs = file(tmp_path, "logs.jsonl", line("a", "same", run=1), line("a", "same", run=2), line("a", "same", run=2))
    store = tmp_path / "runs.db"
    assert taken(store, logs).total("new") == 3
    assert {ref for ref, _ in content(store)} == {"kimi/a/1", "kimi/a/2", "kimi/a/3"}
    assert taken(store, logs).total("new") == 0
    more = file(tmp_path, "more.jsonl", *[line("a", "same", run=n) for n in (1, 2, 3, 4)])
    assert taken(store, more).total("new") == 1


@pytest.mark.parametrize("text", ["same", ""])
def test_a_file_may_hold_the_same_conversation_hundreds_of_times(tmp_path: Path, text: str) -> None:
    lines = [json.dumps({"model": "m", "messages": [{"role": "customer", "text": text}] if text else []})] * 150
    logs, store = file(tmp_path, "logs.jsonl", *lines), tmp_path / "runs.db"
    assert taken(store, logs).total("new") == 150
    assert taken(store, logs).total("unchanged") == 150
    file(tmp_path, "logs.jsonl", *lines, *lines[:2])
    assert taken(store, logs).total("new") == 2


@pytest.mark.parametrize(("case", "id"), [(None, None), ("a", None), (None, "a")])
def test_what_stands_thousands_of_times_costs_the_same_each_time(
    tmp_path: Path, case: str | None, id: str | None
) -> None:
    item = Conversation("m", (Message("customer", "Hi."),), case=case, id=id)
    statements: list[str] = []
    with Writer(tmp_path / "runs.db") as writer:
        intake = Intake(writer, {})
        numbering = RunNumbers(intake, {"logs": "logs"}, replacing=False)
        source = intake.source("logs", "interchange")
        numbering.begin_source(source)
        writer._db.set_trace_callback(statements.append)
        refs = {numbering.place(item, "logs", source, "logs", str(number)).ref for number in range(500)}
        writer.commit()
    assert len(refs) == 500
    assert len(statements) < 20 * 500


def test_hundreds_of_files_that_are_runs_of_their_own_cost_the_same_each(tmp_path: Path) -> None:
    few, many = (_steps_of_runs(tmp_path / f"{count}.db", count) for count in (100, 300))
    assert many < 4 * few


def _steps_of_runs(store: Path, count: int) -> int:
    """What SQLite does (in hundreds of steps) to number so many files, which all want one of three numbers."""
    steps: list[int] = []
    with Writer(store) as writer:
        intake = Intake(writer, {})
        numbering = RunNumbers(intake, {}, replacing=False)
        writer._db.set_progress_handler(lambda: steps.append(0), 100)
        numbers = []
        for number in range(count):
            name = f"logs/{number}.json"
            item = Conversation("m", (Message("customer", f"Hi {number}."),), case="a", run=number % 3)
            source = intake.source(name, "tau2")
            numbering.begin_source(source, name, name)
            numbers.append(numbering.place(item, name, source, name, "0", whole=True).number)
        writer.commit()
    assert numbers[:3] == [0, 1, 2]
    assert len(set(numbers)) == count
    return len(steps)


@pytest.mark.parametrize("messages", [(), (Message("customer", "Hi."),)])
def test_equal_words_under_thousands_of_identifiers_are_known_by_those(tmp_path: Path, messages: Any) -> None:
    steps = {}
    for count in (100, 400):
        store = tmp_path / f"{count}.db"
        for again in (False, True):
            with Writer(store) as writer:
                intake = Intake(writer, {})
                numbering = RunNumbers(intake, {"logs": "logs"}, replacing=False)
                source = intake.source("logs", "interchange")
                numbering.begin_source(source)
                taken_steps = [0]

                def step(taken_steps: list[int] = taken_steps) -> int:
                    taken_steps[0] += 1
                    return 0

                writer._db.set_progress_handler(step, 10)
                items = (Conversation("m", messages, id=f"i{number}") for number in range(count))
                outcomes = {numbering.place(item, "logs", source, "logs", "1").outcome.value for item in items}
                writer.commit()
            assert outcomes == {"unchanged" if again else "new"}
            steps[count] = taken_steps[0] / count
    assert steps[400] < 1.5 * steps[100]


def test_a_copy_of_a_file_is_passed_over(tmp_path: Path) -> None:
    logs = [file(tmp_path, name, line("a"), line("b", "")) for name in ("one.jsonl", "two.jsonl")]
    report = taken(tmp_path / "runs.db", *logs)
    assert report.sources[1].passed_over == "the same bytes as one.jsonl"
    assert report.total("new") == 2


def test_logs_without_cases_are_named_by_their_id(tmp_path: Path) -> None:
    lines = [
        json.dumps({"model": "m", "id": id, "messages": [{"role": "customer", "text": text}]})
        for id, text in (("ab c/1", "x"), ("ab c/1", "y"), (None, "z"))
    ]
    taken(tmp_path / "runs.db", file(tmp_path, "logs.jsonl", *lines))
    refs = sorted(ref for ref, _ in content(tmp_path / "runs.db"))
    assert [ref.partition("-")[0][:12] for ref in refs if "ab" in ref] == ["m/ab%20c%2F1"] * 2
    assert len(set(refs)) == 3
    assert taken(tmp_path / "runs.db", tmp_path / "logs.jsonl").total("unchanged") == 3


def test_one_id_with_one_content_thrice_in_a_file_is_three_conversations(tmp_path: Path) -> None:
    one = json.dumps({"model": "m", "id": "x", "messages": [{"role": "customer", "text": "Hi."}]})
    logs = file(tmp_path, "logs.jsonl", one, one, one, one)
    assert taken(tmp_path / "runs.db", logs).total("new") == 4
    assert len({ref for ref, _ in content(tmp_path / "runs.db")}) == 4
    assert taken(tmp_path / "runs.db", logs).total("unchanged") == 4


def test_bad_lines_are_kept_and_the_good_ones_go_through(tmp_path: Path) -> None:
    logs = file(tmp_path, "logs.jsonl", line("a"), '{"model": "x", "messages"', line("b", role="x"), line("c"))
    report = taken(tmp_path / "runs.db", logs)
    assert (report.total("new"), report.total("rejected"), report.exit_code) == (2, 2, 1)
    with Reader(tmp_path / "runs.db") as reader:
        positions = [(position, reason) for _, position, reason in reader.rejected()]
    assert [position for position, _ in positions] == ["line 2", "line 3"]
    assert "not JSON at column" in positions[0][1]
    assert positions[1][1].startswith("role: ")
    assert taken(tmp_path / "runs.db", logs).total("unchanged") == 2
    totals_hold(tmp_path / "runs.db")


@pytest.mark.parametrize(
    ("bytes_", "said"),
    [
        (b"", "is empty"),
        (b'[{"task_id": 1, "traj": [{"role"', "not JSON at line 1"),
        (b'[{"task_id": 1, "traj": ["\xff"]}]', "byte 26 is not UTF-8"),
        (b'{"task_id": 1, "traj": ' + b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_bad_file_gets_a_sentence_and_the_good_one_beside_it_goes_through(
    tmp_path: Path, bytes_: bytes, said: str
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_bytes(bytes_)
    good = file(tmp_path, "good.jsonl", line("a"))
    report = taken(tmp_path / "runs.db", bad, good)
    assert report.exit_code == 1
    assert said in " ".join(report.sources[0].remarks)
    assert "bad.json" in " ".join(report.sources[0].remarks)
    assert report.sources[1].new == 1


def test_nothing_to_read_says_so(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError, match="No file in"):
        taken(tmp_path / "runs.db", tmp_path / "empty")
    with pytest.raises(SourceError, match="There is no"):
        taken(tmp_path / "runs.db", tmp_path / "nowhere.json")


def test_an_exported_conversation_comes_back_equal(tmp_path: Path) -> None:
    messages = (*CANCELLED, agent("Bye ␛ é 已经取消", reasoning="They said \x00 \u202e."), customer(""))
    before = stored(*messages)
    before = replace(before, conversation=replace(before.conversation, meta={"a": 1}, ended_by="cut"))
    logs = file(tmp_path, "logs.jsonl", json.dumps(as_object(before)))
    taken(tmp_path / "runs.db", logs)
    with Reader(tmp_path / "runs.db") as reader:
        after = reader.stored(reader.find(before.ref)[0])
    assert after.digest == before.digest == conversation_digest(messages)
    assert {**as_object(after), "source": ""} == {**as_object(before), "source": ""}
