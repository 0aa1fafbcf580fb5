"""A conversation that goes on under its source id is the same conversation; what only begins alike stays apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.imports.importer import Wishes, import_files
from reviewer.imports.summary import ImportReport
from reviewer.marks.anchors import anchor, place
from reviewer.transcripts.model import Stored
from reviewer.transcripts.refs import parse
from reviewer.transcripts.store.reader import Reader

A, B, C, D = (
    {"role": "user", "content": "Where is #7?"},
    {"role": "assistant", "content": "It is on its way."},
    {"role": "user", "content": "When does it come?"},
    {"role": "assistant", "content": "Tomorrow."},
)
OTHER = {"role": "assistant", "content": "On Friday."}


def session(path: Path, *messages: Any, id: str | None = "s1", **more: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"model": "kimi", "id": id, "messages": messages, **more}))
    return path


def taken(store: Path, *paths: Path, **wishes: Any) -> ImportReport:
    return import_files(paths, store, Wishes(**wishes))


def held(store: Path) -> dict[str, Stored]:
    with Reader(store) as reader:
        return {each.ref: each for each in map(reader.stored, reader.ids())}


def lengths(store: Path) -> dict[str, int]:
    return {ref: len(it.conversation.messages) for ref, it in held(store).items()}


@pytest.mark.parametrize("more", [{}, {"case": "a", "run": 3}])
@pytest.mark.parametrize("name", ["one.json", "two.json"])
def test_what_goes_on_is_reported_and_replace_updates_it(tmp_path: Path, name: str, more: dict[str, Any]) -> None:
    store, ref = tmp_path / "runs.db", "kimi/a/3" if more else "kimi/s1"
    taken(store, session(tmp_path / "one.json", A, B, **more))
    grown = session(tmp_path / name, A, B, C, D, **more)
    report = taken(store, grown)
    assert (report.total("new"), report.total("continued"), report.exit_code) == (0, 1, 1)
    assert f"{ref} goes on here, from 2 messages to 4" in report.sources[0].remarks
    assert report.as_json()["continued"] == 1
    assert lengths(store) == {ref: 2}
    report = taken(store, grown, replacing=True)
    assert (report.total("replaced"), report.exit_code) == (1, 0)
    assert lengths(store) == {ref: 4}
    assert taken(store, grown).total("unchanged") == 1
    report = taken(store, session(tmp_path / "one.json", A, B, **more))
    assert (report.total("unchanged"), report.exit_code) == (1, 0)
    assert f"{ref} is stored already, and goes on where this ends" in report.sources[0].remarks
    assert lengths(store) == {ref: 4}


def test_other_conversations_of_the_file_come_in(tmp_path: Path) -> None:
    def lines(*records: Any) -> Path:
        path = tmp_path / "logs.jsonl"
        path.write_text(
            "".join(json.dumps({"model": "kimi", "id": id, "messages": said}) + "\n" for id, said in records)
        )
        return path

    store = tmp_path / "runs.db"
    taken(store, lines(("s1", [A, B]), ("s2", [C, D])))
    report = taken(store, lines(("s1", [A, B, C, D]), ("s2", [C, D]), ("s3", [A, OTHER])))
    assert (report.total("new"), report.total("unchanged"), report.total("continued")) == (1, 1, 1)
    assert lengths(store) == {"kimi/s1": 2, "kimi/s2": 2, "kimi/s3": 2}
    assert taken(store, tmp_path / "logs.jsonl", updating=True).total("replaced") == 1
    assert lengths(store) == {"kimi/s1": 4, "kimi/s2": 2, "kimi/s3": 2}


@pytest.mark.parametrize("replacing", [False, True])
def test_forks_stay_separate(tmp_path: Path, replacing: bool) -> None:
    store = tmp_path / "runs.db"
    taken(store, session(tmp_path / "one.json", A, B, C, D))
    report = taken(store, session(tmp_path / "two.json", A, B, C, OTHER), replacing=replacing)
    assert (report.total("new"), report.total("continued"), report.total("replaced")) == (1, 0, 0)
    report = taken(store, session(tmp_path / "three.json", A, B, C, D, A, B, id="s2"), replacing=replacing)
    assert report.total("new") == 1
    assert sorted(lengths(store).values()) == [4, 4, 6]
    grown = session(tmp_path / "two.json", A, B, C, OTHER, A)
    assert taken(store, grown).total("continued") == 1  # the fork goes on, not what it forked from
    assert taken(store, grown, replacing=True).total("replaced") == 1
    assert sorted(lengths(store).values()) == [4, 5, 6]
    assert lengths(store)["kimi/s1"] == 4


def test_a_newer_copy_of_the_same_file_takes_its_place(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    taken(store, session(tmp_path / "one.json", A, B, C, D))
    report = taken(store, session(tmp_path / "one.json", A, B, C, OTHER), replacing=True)
    assert report.total("replaced") == 1
    assert lengths(store) == {"kimi/s1": 4}


def test_without_an_id_nothing_goes_on(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    taken(store, session(tmp_path / "logs/one.json", A, B, id=None))
    report = taken(store, session(tmp_path / "logs/two.json", A, B, C, D, id=None))
    assert (report.total("new"), report.total("continued")) == (1, 0)


def test_lines_of_one_file_that_repeat_the_history_stay_lines(tmp_path: Path) -> None:
    path = tmp_path / "logs.jsonl"
    path.write_text(
        "".join(json.dumps({"id": "s1", "model": "kimi", "messages": m}) + "\n" for m in ([A, B], [A, B, C]))
    )
    assert taken(tmp_path / "runs.db", path).total("new") == 2
    assert taken(tmp_path / "runs.db", path).total("unchanged") == 2


def test_a_call_may_get_its_result_later_and_a_last_message_more_calls(tmp_path: Path) -> None:
    def calls(*names: str) -> dict[str, Any]:
        made = [{"id": name, "type": "function", "function": {"name": name, "arguments": "{}"}} for name in names]
        return {"role": "assistant", "content": "Let me look.", "tool_calls": made}

    store = tmp_path / "runs.db"
    taken(store, session(tmp_path / "one.json", A, calls("look")))
    results = [{"role": "tool", "tool_call_id": name, "content": "{}"} for name in ("look", "ask")]
    grown = session(tmp_path / "one.json", A, calls("look", "ask"), *results, B)
    assert taken(store, grown).total("continued") == 1
    assert taken(store, grown, replacing=True).total("replaced") == 1
    assert [call.result for call in held(store)["kimi/s1"].conversation.messages[1].calls] == ["{}", "{}"]
    other = session(tmp_path / "one.json", A, calls("ask"), *results[1:], B)
    assert taken(store, other).total("new") == 1


def test_tags_on_what_was_said_before_stay_exactly_where_they_are(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    taken(store, session(tmp_path / "one.json", A, B))
    (before,) = held(store).values()
    marks = [anchor(before, parse(ref)) for ref in ("kimi/s1#2:0-5", "kimi/s1#1", "kimi/s1#2:3-17")]
    taken(store, session(tmp_path / "two.json", A, B, C, D), replacing=True)
    (after,) = held(store).values()
    assert after.digest != before.digest
    assert [place(mark, after) for mark in marks] == [place(mark, before) for mark in marks]
    assert {place(mark, after).state for mark in marks} == {"exact"}
