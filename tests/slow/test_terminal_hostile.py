"""Transcripts are hostile: whatever a store or a colleague's journal holds, nothing of it steers the terminal.

The bytes that a real terminal receives are taken apart: the only sequences among them are those that an innocent store
brings about with the same keys, and what is printed holds nothing invisible.
"""

from __future__ import annotations

import json
import os
import subprocess
from base64 import b64decode
from pathlib import Path

import pytest

from tests import hostile
from tests.terminal import PROGRAM, QUIET, Terminal, printed, sequences

KEYS = (
    "j", "j", "j", "k", "enter", "z", "Z", "Z", "J", "K", "ctrl+d", "ctrl+u", "space", "b", "G", "g",
    "r", "m", "m", "p", "p", "r", "\\", "j", "\\", "j", "\\", "i", "space", "j", "escape", "?", "escape",
    "/", *"foo", "enter", "n", "N", "1", "s", "S", "enter", "v", "w", "2", "j", "v", ",", ".",
    "c", *"mine", "enter", "t", *"uns", "escape", "T", "enter", "e", "u", "ctrl+r", "x",
    "tab", "j", "k", "enter", "tab", "tab", "j", "enter", "j", "escape", "]", "j", "1", "]", "j", "v", "3", "[", "[",
    ":", *"goto #3", "enter", ":", *"nonsense", "enter", ":", *"goto nowhere/at/all", "enter",
    ":", *"goto kimi/plain/1#2", "enter", "c", "escape", "s", "x", "u", "x", "[", "[", "G", "v", "y", "y", "Y",
)  # fmt: skip
AT_REST = {"enter", "escape", "j", "]", "[", "g", "G", "c", "s", "x"}


def run(folder: Path, *words: str | Path) -> str:
    """What a command says, on whichever channel."""
    done = subprocess.run(
        [*PROGRAM, *words],
        env={**os.environ, "HOME": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    said = done.stdout.decode("utf-8", "surrogateescape")
    assert done.returncode in (0, 1, 2), said
    assert "Traceback" not in said
    return said


def room(folder: Path, evil: str, name: str) -> tuple[Path, Path]:
    """A store and its annotations that hold these texts, made by the program itself."""
    folder.mkdir()
    path = folder / "runs.db"
    log, desk = hostile.log(folder, evil, name)
    said = run(folder, "import", log, "--into", path, "--desk", desk)
    assert path.exists(), said
    assert not hostile.HIDDEN.search(said)
    return path, hostile.journals(folder, evil, name)


def after_all_keys(folder: Path, evil: str, name: str, size: tuple[int, int]) -> bytes:
    """What a terminal was given from the first paint to the last."""
    path, annotations = room(folder, evil, name)
    words = ("open", path, "--as", hostile.reviewer(name), "--annotations", annotations)
    with Terminal(*PROGRAM, *words, size=size, env={"HOME": str(folder), "PYTHONUNBUFFERED": "1"}) as terminal:
        terminal.until("reviewed").settle()
        for key in KEYS:
            terminal.press(key).settle(QUIET if key in AT_REST else 0)
            assert not terminal.ended, f"ended at {key}:\n{terminal.text}"
        terminal.settle().press("q")
        assert terminal.wait() == 0, terminal.text
        return bytes(terminal.raw)


def shapes(raw: bytes) -> set[str]:
    """What the terminal was told to do."""
    return {each.shape for each in sequences(raw)}


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
def test_nothing_of_a_store_steers_the_terminal(tmp_path: Path, size: tuple[int, int]) -> None:
    good = after_all_keys(tmp_path / "good", hostile.INNOCENT, hostile.PLAIN, size)
    bad = after_all_keys(tmp_path / "evil", hostile.EVIL, hostile.NAME, size)
    assert shapes(bad) <= shapes(good)
    assert not [each for each in sequences(bad) if "PWNED" in each.body]
    text = printed(bad)
    assert not hostile.HIDDEN.findall(text)
    assert "PWNED" in text
    assert "[@click=app.quit]" in text
    copied = [b64decode(each.body.split(";")[2]).decode() for each in sequences(bad) if each.shape == "osc 52"]
    assert len(copied) == 3
    assert not hostile.HIDDEN.search("".join(copied))


def test_a_span_behind_a_removed_character_quotes_the_true_words(tmp_path: Path) -> None:
    path, annotations = room(tmp_path / "evil", hostile.EVIL, hostile.NAME)
    words = ("open", path, "--as", "maria", "--annotations", annotations, "--at", "kimi/plain/1#2")
    with Terminal(*PROGRAM, *words, env={"HOME": str(tmp_path)}) as terminal:
        terminal.until("reviewed").settle().do("v", "j", "B", "W", "b", "w", "3").press("q").wait()
        assert "yest␛erday" in terminal.text or "␛" in printed(bytes(terminal.raw))
    (event,) = map(json.loads, (annotations / "maria.jsonl").read_text("utf-8").splitlines())
    (piece,) = event["pieces"]
    start, end = map(int, piece["ref"].partition(":")[2].split("-"))
    assert "Delivered\u200b yest\x1berday, surely. Yes."[start:end] == piece["quote"] == "Yes."


COMMANDS = (
    ("info",), ("info", "--json"), ("list",), ("list", "--json"), ("list", "model:nothing"), ("board",), ("tags",),
    ("tags", "--json"), ("check",), ("search", "foo"), ("search", "red"), ("search", "--json", "red"), ("open",),
    ("export", "--format", "md"), ("export", "--format", "jsonl"), ("export", "--format", "csv"),
    ("export", "--format", "html"), ("show", "kimi/plain/1"), ("show", "nothing/at/all"), ("reviewed", "nothing"),
)  # fmt: skip


def test_nothing_of_a_store_steers_the_shell(tmp_path: Path) -> None:
    path, annotations = room(tmp_path / "evil", hostile.EVIL, hostile.NAME)
    told = {"open", "list", "tags", "check", "search", "export", "board"}
    for name, *rest in COMMANDS:
        beside = ("--annotations", annotations) if name in told else ()
        said = run(tmp_path, name, path, *rest, *beside)
        assert not hostile.HIDDEN.findall(said), (name, rest)
    refs = [json.loads(line)["ref"] for line in run(tmp_path, "list", path, "--json").splitlines()]
    assert len(refs) == 3
    for ref in refs:
        for words in ((), ("--json",)):
            said = run(tmp_path, "show", path, ref, *words)
            assert not hostile.HIDDEN.findall(said), ref
            assert "no message" in said or "{" in said or "1" in said
