"""Named queues: what is saved is loaded again, damage is told of, and nothing is overwritten."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.basics.errors import JournalError
from reviewer.marks.queues import How, Queue, load, names, save

DRAWN = Queue("Week 23", ("m/a/1", "m/b/1"), "drawn", "model:m", 7, "family", 40, "ann", "now", extra={"later": [1]})


def test_a_queue_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    path = save(tmp_path, DRAWN)
    assert load(tmp_path, "week 23") == DRAWN
    assert names(tmp_path) == [path.stem] == ["week-23"]
    assert save(tmp_path, replace(DRAWN, seed=8)) == path
    assert load(tmp_path, "Week 23").seed == 7


@pytest.mark.parametrize(
    ("how", "query", "of", "strata", "frame"),
    [
        ("drawn", "verdict:fail", 115, "", "2 drawn from 115 of “verdict:fail”"),
        ("drawn", "", 1_150, "family", "2 drawn by family from all 1,150 in its store"),
        ("drawn", "verdict:fail", None, "", "2 drawn from “verdict:fail” (its file does not count these)"),
        ("drawn", "", None, "", "2 drawn from conversations nobody recorded"),
        ("exhaustive", "verdict:fail", 2, "", "holding all 2 of “verdict:fail”"),
        ("exhaustive", "", None, "", "holding all 2 in its store"),
        ("picked", "verdict:fail", None, "", "picked"),
    ],
)
def test_a_queue_names_what_it_was_drawn_from(how: How, query: str, of: int | None, strata: str, frame: str) -> None:
    assert Queue("q", ("m/a/1", "m/b/1"), how, query, 1, strata, of).frame == frame


def test_another_of_that_name_is_refused(tmp_path: Path) -> None:
    save(tmp_path, DRAWN)
    with pytest.raises(JournalError, match="another queue “Week 23”"):
        save(tmp_path, replace(DRAWN, refs=("m/c/1",)))
    with pytest.raises(JournalError, match=r"no queue “other”\. Queues: week-23\."):
        load(tmp_path, "other")


def test_lines_that_are_no_reference_are_left_out_and_told_of(tmp_path: Path) -> None:
    path = save(tmp_path, DRAWN)
    path.write_text(path.read_text("utf-8") + 'cut o\n\n{"ref":3}\n{"ref":"m/c/1"}\n', "utf-8")
    found = load(tmp_path, "week-23")
    assert found.refs == (*DRAWN.refs, "m/c/1")
    assert found.trouble == "week-23.jsonl, line 4 and 1 more are not references and were left out."


def test_a_list_without_a_head_was_picked(tmp_path: Path) -> None:
    (tmp_path / "queues").mkdir()
    (tmp_path / "queues" / "mine.jsonl").write_text('{"ref":"m/a/1"}\n', "utf-8")
    found = load(tmp_path, "mine")
    assert (found.name, found.refs, found.how, found.gives_rates) == ("mine", ("m/a/1",), "picked", False)


@pytest.mark.parametrize("way", ["queues", "."])
def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path, way: str) -> None:
    annotations = tmp_path / "annotations"
    (annotations / way).parent.mkdir(exist_ok=True)
    (annotations / way).write_text("in the way", "utf-8")
    with pytest.raises(JournalError, match=r"week-23\.jsonl cannot be written"):
        save(annotations, DRAWN)
