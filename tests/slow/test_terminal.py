"""The app in a real pseudo-terminal: hostile text stays text, and what was shown survives a kill."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from reviewer.session import Session
from reviewer.store.reader import Reader
from tests import builders, hostile
from tests.terminal import Terminal

# What the toolkit itself writes: styles and places, the pointer's shape, and what was copied (never their `pwned`).
_OURS = re.compile(
    rb"\x1b\[[0-9;:<=>?]*[ -/]*[@-~]|\x1b\]22;[a-z]*\x07|\x1b\]52;c;(?!cHduZWQ=)[A-Za-z0-9+/=]*\x07|\x1b[78]"
)
_SHOWN = re.compile(r"(?:customer|agent)  (\d+)  ⟦([\w-]+)⟧")


def test_nothing_hostile_reaches_the_terminal(tmp_path: Path) -> None:
    store = builders.store(tmp_path, hostile.conversation(), builders.conversation())
    with Terminal("open", str(store), "--as", "maria", size=(140, 40)) as terminal:
        terminal.wait_for("Before")
        for keys in (
            "j",
            "j",
            "r",
            "m",
            "m",
            "p",
            "p",
            "j",
            "\r",
            "G",
            "g",
            " ",
            "\\",
            "\\",
            "\\",
            "i",
            "\x1b",
            "]",
            "[",
        ):
            terminal.send(keys)
            terminal.settle()
        terminal.send("/pwned\r")
        terminal.settle()
        for keys in ("n", "1", "c", "\x1b", "S", "\x1b", "t", "\x1b", "y", "Y", "\t", "j", "\t", "?", "\x1b"):
            terminal.send(keys)
            terminal.settle()
        assert "Queue" in terminal.text
        terminal.send("q")
        terminal.settle()
    written = bytes(terminal.bytes)
    for sequence in hostile.SEQUENCES:
        assert sequence.encode() not in written, repr(sequence)
    rest = _OURS.sub(b"", written).decode()
    assert "pwned" in rest
    assert not re.findall(r"[\x00-\x06\x0b-\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", rest)


@pytest.mark.parametrize("seed", range(10))
def test_every_tag_that_was_shown_is_in_the_journal_after_a_kill(tmp_path: Path, seed: int) -> None:
    messages = [builders.customer(f"Sentence number {n}.") for n in range(1, 31)]
    store = builders.store(tmp_path, builders.conversation(*messages))
    folder = tmp_path / "annotations"
    chance = random.Random(seed)
    with Terminal("open", str(store), "--as", "maria", "--annotations", str(folder), size=(100, 60)) as terminal:
        terminal.wait_for("Sentence number 1.")
        terminal.settle()
        terminal.send("".join(f"{chance.choice('123456789')}j" for _ in range(30)))
        terminal.wait_for("⟦")
        for _ in range(chance.randrange(40)):
            terminal.take(0.002)
        terminal.kill()
        shown = {(int(number), code) for number, code in _SHOWN.findall(terminal.text)}
    assert shown
    with Reader(store) as reader:
        marks = Session(folder, "maria", store.name).marks(reader.stored(reader.first_ids()[0]))
    kept = {(mark.places[0].message, mark.tag.code) for mark in marks}
    assert shown <= kept
