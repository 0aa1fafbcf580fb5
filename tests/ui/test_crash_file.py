"""An error that ends the app leaves a file with its place in the code, and nothing of what was read."""

from __future__ import annotations

import runpy
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from rich.traceback import Traceback

from reviewer.app.shared import crash_file
from tests import builders
from tests.ui.room import room

TOLD = "the sister of Ada Lovelace lives in Larkspur Lane"


def crash_files(folder: Path) -> list[Path]:
    """The crash files of a folder."""
    return sorted(folder.glob("reviewer-crash-*.txt"))


def failing(*_: Any) -> None:
    """A verb with a defect that names what it was given."""
    raise KeyError(TOLD)


async def test_an_error_leaves_its_place_versions_screens_sizes_and_actions(tmp_path: Path) -> None:
    store = builders.store(tmp_path, builders.conversation(builders.customer(TOLD), case="ada-lovelace"))
    with suppress(KeyError):  # what ends the app is raised in the test that drives it
        async with room(store, (80, 24)) as here:
            await here.press("f", *"Larkspur", "enter", "j", "1")
            here.screen.verbs["mark"] = failing
            here.send("2")
            await here.idle()
    (path,) = crash_files(tmp_path)
    text = path.read_text("utf-8")
    assert "builtins.KeyError" in text
    assert "reviewer/app/shared/keyed_screen.py:" in text
    assert "in failing" in text
    assert "textual 8." in text
    assert "ReviewScreen: " in text
    assert "terminal: 80x24" in text
    assert "conversations in the store: 1; in the queue: 1" in text
    actions = [line.rpartition(": ")[2] for line in text.partition("Last actions")[2].splitlines()]
    assert actions[-3:] == ["item.next", "mark", "mark"]
    assert here.app.return_code == 1
    assert str(path) in here.app.crash
    for word in ("Larkspur", "Lovelace", "lovelace", "kimi", str(tmp_path), store.name):
        assert word not in text


async def test_the_thread_that_reads_the_terminal_leaves_a_file_as_well(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        try:
            failing()
        except KeyError:
            here.app.panic(Traceback())
    assert here.app.return_code == 1
    (path,) = crash_files(tmp_path)
    assert "KeyError\n" in path.read_text("utf-8")
    assert "in failing" in path.read_text("utf-8")
    assert TOLD not in path.read_text("utf-8")


def test_errors_that_others_followed_from_are_named_and_a_deep_one_is_cut() -> None:
    def deep(level: int) -> None:
        if not level:
            raise FileNotFoundError(2, TOLD, TOLD)
        deep(level - 1)

    try:
        try:
            deep(300)
        except OSError as error:
            raise ValueError(TOLD) from error
    except ValueError as error:
        text = crash_file.crash_text(crash_file.causes_of(error), {})
    assert text.index("builtins.FileNotFoundError ENOENT") < text.index("builtins.ValueError")
    assert "... 222 more calls ..." in text
    assert TOLD not in text


def test_a_file_elsewhere_on_the_machine_is_not_named(tmp_path: Path) -> None:
    path = tmp_path / "ada-lovelace" / "mine.py"
    path.parent.mkdir()
    path.write_text("1 / 0", "utf-8")
    try:
        runpy.run_path(str(path))
    except ZeroDivisionError as error:
        text = crash_file.crash_text(crash_file.causes_of(error), {})
    assert "a file outside of the program:1 in <module>" in text
    assert "ada-lovelace" not in text


def test_where_the_folder_takes_no_file_the_folder_for_such_files_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = crash_file.write_crash_file("text", Path("/proc"))
    assert path is not None
    assert crash_files(tmp_path) == [path]
    monkeypatch.setattr("tempfile.tempdir", "/proc")
    assert crash_file.write_crash_file("text", Path("/proc")) is None
