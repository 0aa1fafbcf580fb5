"""`reviewer fork` against the endpoint on loopback: the past is the same, the decisions are the scripted ones."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewer.digests import prefix_digest
from reviewer.store.reader import Reader
from tests.builders import agent, call
from tests.scripted_endpoint import Endpoint, playing
from tests.slow.test_scripted_runs import CASES, LIMIT, MODELS, SCRIPTED, environment, interrupted, meant, python

MODEL = f"{SCRIPTED}/{MODELS[0]}"
CASE = "abusive-threatening-1"
POINT = f"{MODELS[0]}/{CASE}/1#5"
"""Where the scripted agent hands over; it has spoken twice before."""
CANCELS = call("cancel_order", '{"order_number":"#1130","reason":"so"}')
STRAY = call("check_the_weather", '{"city":"Leeds"}')
BY_TURNS = (agent("", CANCELS), agent("", STRAY), agent("No."), agent("", call("handover_to_human", '{"summary":"x"}')))


@pytest.fixture
def served() -> Iterator[Endpoint]:
    """The endpoint, whose agent decides by turns at its third message and then says a word."""
    python()
    with playing(MODELS[:1], CASES) as endpoint:
        endpoint.decisions = ((2, BY_TURNS), (3, (agent("That is all."),)))
        yield endpoint


@pytest.fixture
def folder(served: Endpoint, tmp_path: Path) -> Path:
    meant(served, tmp_path)
    return tmp_path


def command(*more: str) -> list[str]:
    return [python(), "-m", "reviewer", "fork", "meant.db", POINT, "--model", MODEL, *more]


def said(served: Endpoint, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*more), env=environment(served, folder), cwd=folder,
        capture_output=True, text=True, check=False, timeout=LIMIT,
    )  # fmt: skip


def runs(folder: Path) -> list[int]:
    with Reader(folder / "meant-forks.db") as reader:
        return sorted(row.run or 0 for row in reader.rows(list(reader.ids())))


def test_the_same_past_is_decided_so_many_times_and_no_more(served: Endpoint, folder: Path) -> None:
    told = said(served, folder, "--times", "8", "--connections", "1")
    assert told.returncode == 0, told.stderr
    lines = told.stdout.splitlines()
    head = next(at for at, line in enumerate(lines) if line.startswith(f"{MODEL} at {POINT}, decided 8 times;"))
    counts = [line.split()[:4] for line in lines[head + 1 :] if line.startswith("  ")]
    assert sorted(" ".join(each) for each in counts) == [
        "cancel 2 of 8",
        "forbidden 2 of 8",
        "handover 2 of 8",
        "no act 4 of",
    ]
    assert f"{MODELS[0]}/{CASE}/1 itself: handover." in told.stdout
    with Reader(folder / "meant.db") as reader:
        first = reader.stored(reader.find(POINT.partition("#")[0])[0]).conversation
    with Reader(folder / "meant-forks.db") as reader:
        held = [reader.stored(rowid).conversation for rowid in reader.ids()]
    assert {prefix_digest(it.messages, 5) for it in held} == {prefix_digest(first.messages, 5)}
    assert all(it.messages[4].tokens_out for it in held)
    strays = [each for it in held for message in it.messages for each in message.calls if each.name == STRAY.name]
    assert len(strays) == 2
    assert all(each.error for each in strays)
    before = served.asked.total()
    again = said(served, folder, "--times", "8")
    assert served.asked.total() == before
    assert again.stdout == "\n".join([*lines[head:], ""])
    assert "decided 10 times" in said(served, folder).stdout
    assert not served.puzzled


def test_ctrl_c_ends_it_and_the_same_command_goes_on(served: Endpoint, folder: Path) -> None:
    with served.stuck_after(12) as stall:
        program = subprocess.Popen(
            command("--times", "20", "--connections", "2"), env=environment(served, folder), cwd=folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        out, err = interrupted(program, stall)
    assert program.returncode == 130, err
    assert "Traceback" not in out + err
    there = len(runs(folder))
    assert 0 < there < 20
    assert f"Stopped: {20 - there} decisions are left." in out
    assert said(served, folder, "--times", "20").returncode == 0
    assert runs(folder) == list(range(1, 21))


def test_a_model_that_does_not_answer_is_said_before_anything_is_stored(served: Endpoint, folder: Path) -> None:
    served.refused[MODELS[0]] = (400, "this model does not support tools")
    told = said(served, folder)
    assert told.returncode == 2
    assert "can call them" in told.stderr
    assert "Traceback" not in told.stderr + told.stdout
    assert not (folder / "meant-forks.db").exists()
