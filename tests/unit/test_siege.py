"""What the sieges record can be read again, and is shrunk to what fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.siege import Input, Recording, recorded, shrunk


def test_a_recording_of_a_failure_stays_and_is_read_as_it_was_sent(tmp_path: Path) -> None:
    sent: list[Input] = ["j", "\x1b[200~one\ntwo\u2028\x1b[201~", (20, 5), "\x1b"]
    about = Recording("hostile", (20, 5), ("--ascii",), {"NO_COLOR": "1"})
    beside = tmp_path / "store"
    beside.mkdir()
    try:
        with recorded("test", about, tmp_path) as recorder:
            recorder.output, recorder.folder = b"all that was painted", beside
            (beside / "reviewer-crash-1.txt").write_text("KeyError", "utf-8")
            for each in sent:
                recorder.add(each)
            raise KeyError
    except KeyError as error:
        notes = error.__notes__
    assert f"REVIEWER_REPLAY={recorder.path}" in notes[0]
    again = Recording.read(recorder.path)
    assert again.of([]) == about
    assert [each for _, each in again.inputs] == sent
    assert recorder.path.with_suffix(".out").read_bytes() == b"all that was painted"
    assert recorder.path.with_suffix(".crash.txt").read_text("utf-8") == "KeyError"


def test_a_recording_of_what_passed_goes(tmp_path: Path) -> None:
    with recorded("test", Recording("hostile"), tmp_path) as recorder:
        recorder.add("j")
    assert not list(tmp_path.iterdir())


def test_a_bare_list_of_inputs_is_a_recording(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    path.write_text(json.dumps(["j", "\x1b", [20, 5]]), "utf-8")
    recording = Recording.read(path)
    assert (recording.store, recording.inputs) == ("100000", [(0.0, "j"), (0.0, "\x1b"), (0.0, (20, 5))])


@pytest.mark.parametrize("guilty", [{7}, {0, 99}, {3, 50, 51}, set(range(40, 60))])
def test_what_fails_is_shrunk_to_the_inputs_that_it_needs(guilty: set[int]) -> None:
    assert shrunk(range(100), guilty.issubset, 1_000) == sorted(guilty)


def test_shrinking_ends_after_so_many_tries_and_keeps_what_fails() -> None:
    tried: list[list[int]] = []

    def fails(pieces: list[int]) -> bool:
        tried.append(pieces)
        return {3, 90} <= set(pieces)

    kept = shrunk(range(100), fails, 12)
    assert len(tried) == 12
    assert {3, 90} <= set(kept) < set(range(100))
