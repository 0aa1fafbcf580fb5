"""Keys at random: whatever is typed, clicked, pasted and resized, the program lives, obeys and leaves as it came."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path

import pytest

from tests import builders, hostile
from tests.slow.test_terminal_manners import left_on
from tests.terminal import PROGRAM, Terminal, printed, sequences

ACTS = 250
KEYS: tuple[str, ...] = (
    *"jkJKgG][LH><=BM}{)(nN/foOzZ\\rmpiyYdlh1234567890tT.vsSceaxAXPFDRuwC?:, b",
    *(
        "\r",
        "\t",
        "\x1b[Z",
        "\x1b[A",
        "\x1b[B",
        "\x1b[C",
        "\x1b[D",
        "\x1b[5~",
        "\x1b[6~",
        "\x04",
        "\x15",
        "\x12",
        "\x10",
    ),
    *("\x14", "\x0c", "\x7f", "\x1b[I", "\x1b[O", "\x1b[99~", "\x1bj"),
)
LINES = (
    ":#3", ":#2:5-9", ":goto nowhere/at/all", ":goto %", ":draw a 3", ":draw ../x 3", ":pick mine", ":sort score",
    ":sort random 7", ":group case", ":theme light", ":theme nothing", ":others off", ":class cancel", ":nonsense",
    ":rename a b", "fmodel:k*", "f((((", 'f"open', "fnothing", "f" + "x" * 2000, "/order", "/</think>",
    "c[/foo]", "wclause",
)  # fmt: skip
PASTES = ("one\ntwo", "\x1b]0;PWNED\x07\x9b31m\u202e\x00", "x" * 100_000, "\u65e5\u672c" * 500, "\r\n\t" * 20)
SIZES = ((80, 24), (20, 5), (10, 3), (220, 70), (44, 12), (140, 40))


def act(chance: random.Random, size: tuple[int, int]) -> str | tuple[int, int]:
    """What somebody does next: a text to type, or another size."""
    column, row = (chance.randint(1, most + 2) for most in size)
    match chance.choices(("key", "line", "mouse", "wheel", "paste", "size", "leave"), (60, 10, 6, 4, 2, 2, 8))[0]:
        case "line":
            return chance.choice(LINES) + chance.choice(("\r", "\r", "\t", "\x1b"))
        case "mouse":
            return f"\x1b[<0;{column};{row}M\x1b[<32;{row};{column}M\x1b[<0;{row};{column}m"
        case "wheel":
            return f"\x1b[<{chance.choice((64, 65))};{column};{row}M" * 4
        case "paste":
            return f"\x1b[200~{chance.choice(PASTES)}\x1b[201~"
        case "size":
            return chance.choice(SIZES)
        case "leave":
            return "\x1b"
    return chance.choice(KEYS)


def played(terminal: Terminal, seed: int) -> None:
    """So many acts, then the way out."""
    chance = random.Random(seed)
    for _ in range(ACTS):
        doing = act(chance, terminal.size)
        if isinstance(doing, tuple):
            terminal.resize(*doing).settle()
        else:
            for start in range(0, len(doing), 1000):  # no more than the program's end of the line takes at once
                terminal.press(doing[start : start + 1000]).pump(0.02)
        if doing[-1] == "\x1b":  # with another key behind it, it would be alt and that key
            terminal.settle()
        assert not terminal.ended, f"ended at {doing!r}:\n{terminal.text}"
    for _ in range(8):
        terminal.do("escape")
    terminal.press("q")


@pytest.mark.parametrize(
    ("seed", "words", "env"), [(1, (), {}), (2, ("--ascii",), {"NO_COLOR": "1"}), (3, ("--theme", "light"), {})]
)
def test_keys_at_random(tmp_path: Path, seed: int, words: tuple[str, ...], env: dict[str, str]) -> None:
    empty = builders.conversation(model="kimi", case="empty", run=2)
    runs = (builders.conversation(case=case, run=run) for case in "abc" for run in range(1, 4))
    store = builders.store(tmp_path, hostile.conversation(), *runs, empty)
    home = {"HOME": str(tmp_path), **env}
    with Terminal(*PROGRAM, "open", store, "--as", "maria", *words, size=SIZES[seed], env=home) as terminal:
        terminal.until(lambda: b"\x1b[?1049h" in terminal.raw).settle()
        played(terminal, seed)
        assert terminal.wait() == 0, terminal.text
        raw = bytes(terminal.raw)
    assert not left_on(raw)
    assert not [each for each in sequences(raw) if "PWNED" in each.body]
    assert not hostile.HIDDEN.findall(printed(raw))
    lines = (tmp_path / "annotations" / "maria.jsonl").read_bytes().splitlines()  # as text, U+2028 would end a line
    assert [json.loads(line) for line in lines]
    checked = subprocess.run(
        [*PROGRAM, "check", str(store)], env={**os.environ, **home}, capture_output=True, check=False
    )
    assert checked.returncode == 0, checked.stdout.decode()
