"""Killed while tagging: what the screen had shown is in the journal, and on the next start's screen.

Each round types keys at random into the real program and kills it at a random moment. Every whole frame that it had
painted must be the fold of some beginning of the journal that it left, and the next start must show all of it.
How often, and from which seed, is said as for every siege (`tests.siege`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from reviewer.app.marking.drawn_marks import words
from reviewer.marks.review import Session
from reviewer.transcripts.store.reader import Reader
from tests.builders import agent, call, conversation, store
from tests.siege import round_of, rounds
from tests.terminal import PROGRAM, Terminal

ROUNDS = rounds(200)
LIVES = 10
"""Kills that one journal goes through."""
SIZE = (110, 50)
DIGITS = tuple("12345")
_QUEUE = re.compile(r"^[╭│].*?[╮│](?=[╭│])")
"""The pane of the queue, in a line of the screen."""
Shown = tuple[str, tuple[tuple[int, str], ...]]
"""A conversation on the screen, and the badges of each of its messages."""


def bench(folder: Path) -> Path:
    """A store of three conversations that fit on a screen, badges and all."""
    look = call("get_order", '{"order_id":"#1130"}', '{"status":"in transit"}')
    messages = (
        agent("Where is it? You ordered last week."),
        agent("It was delivered yesterday. It is on its way.", look),
        agent("I have cancelled it. The refund takes a day."),
    )
    return store(folder, *(conversation(*messages, case=f"case-{number}") for number in range(3)))


def shown(lines: Sequence[str]) -> Shown | None:
    """What stands on the screen; None while nothing is open, or something stands over it."""
    text = "\n".join(_QUEUE.sub("", line) for line in lines)
    title = re.search(r"╭─ (\w+) · (\S+) · run (\d)", text)
    if title is None or "Note on" in text or "pick evidence" in text.lower():
        return None
    found = [
        (int(number), badge)
        for number, under in re.findall(r"(?:customer|agent)  (\d)((?:[^a-z⟦]*⟦[^⟧]*⟧)*)", text)
        for badge in re.findall("⟦[^⟧]*⟧", under)
    ]
    return "/".join(title.groups()), tuple(sorted(found))


def folded(folder: Path, lines: Sequence[bytes], path: Path, ref: str) -> Shown:
    """What a screen shows after these lines of a journal."""
    folder.mkdir(exist_ok=True)
    (folder / "maria.jsonl").write_bytes(b"".join(lines))
    with Reader(path) as reader:
        (rowid,) = reader.find(ref)
        marks = Session(folder, "maria", path.name).marks(reader.stored(rowid))
    found = [
        (message, words(mark, plain=False))
        for mark in marks
        for message in {place.message for place in mark.places}
        if message is not None
    ]
    return ref, tuple(sorted(found))


def typed(rng: random.Random) -> list[str]:
    """A few keys of somebody who tags."""
    keys: list[str] = []
    for _ in range(rng.randint(2, 10)):
        keys += rng.choice(
            [
                ["j"], ["k"], ["]"], ["["], [rng.choice(DIGITS)], [rng.choice(DIGITS)], ["j", rng.choice(DIGITS)],
                ["v", rng.choice(DIGITS)], ["v", "j", rng.choice(DIGITS)], ["s"], ["c", *"a note", "enter"],
                ["x"], ["u"], ["ctrl+r"], ["."],
            ]
        )  # fmt: skip
    return keys


def live(path: Path, rng: random.Random) -> tuple[Shown, list[Shown]]:
    """Open, type, be killed: what was on the screen at first, and in every frame from then on."""
    seen: list[Shown] = []

    def look(terminal: Terminal) -> None:
        now = shown(terminal.lines)
        if now is not None and (not seen or seen[-1] != now):
            seen.append(now)

    case = f"kimi/case-{rng.randint(0, 2)}/1"
    with Terminal(*PROGRAM, "open", path, "--as", "maria", "--at", case, size=SIZE) as terminal:
        terminal.until("0 reviewed · maria").settle()
        began = shown(terminal.lines)
        assert began is not None
        assert began[0] == case
        terminal.painted.append(look)
        for key in typed(rng):
            terminal.press(key).pump(rng.choice((0, 0.02, 0.1)))
        if rng.random() < 0.5:  # at the very moment when something new is shown
            already = len(seen)
            terminal.drain().press("escape", rng.choice(DIGITS))
            for _ in range(50):
                if len(seen) == already:
                    terminal.pump(0.01)
        else:
            terminal.pump(rng.random() * 0.05)
        terminal.kill().wait()
    return began, seen


@pytest.mark.parametrize("first", range(0, ROUNDS, LIVES))
def test_what_was_shown_is_there(first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    path = bench(tmp_path)
    journal = tmp_path / "annotations" / "maria.jsonl"
    before: list[bytes] = []
    frames: set[Shown] = set()
    for number in range(first, min(first + LIVES, ROUNDS) + 1):
        with round_of("kills while tagging", number) as chance:
            began, seen = live(path, chance)
            assert began == folded(tmp_path / "again", before, path, began[0]), "the next start shows something else"
            lines = journal.read_bytes().splitlines(keepends=True) if journal.exists() else []
            assert lines[: len(before)] == before, "what was written has changed"
            beginnings = range(len(before), len(lines) + 1)
            for ref in {each[0] for each in seen}:
                true = {folded(tmp_path / "again", lines[:until], path, ref) for until in beginnings}
                assert {each for each in seen if each[0] == ref} <= true, "a frame that is not on disk"
            before, frames = lines, frames | set(seen)
    assert len(frames) > LIVES // 2, "hardly anything was shown, so hardly anything was tested"
