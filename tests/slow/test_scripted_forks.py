"""`reviewer fork` against the endpoint on loopback: the past is the same, the decisions are the scripted ones."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from reviewer.benchmark.live.fork_choice import fork_choice
from reviewer.benchmark.live.fork_point import acts_from
from reviewer.transcripts.digests import prefix_digest
from reviewer.transcripts.store.reader import Reader
from tests.builders import agent, call
from tests.scripted_endpoint import Endpoint, playing
from tests.slow.test_scripted_runs import (
    CASES,
    LIMIT,
    MODELS,
    PRICES,
    SCRIPTED,
    environment,
    interrupted,
    meant,
    python,
)

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


@pytest.mark.parametrize("every", ["forbidden", "handover"])
def test_every_deciding_message_is_decided_so_many_times_and_no_more(
    every: Literal["forbidden", "handover"], served: Endpoint, folder: Path
) -> None:
    served.decisions = ()  # each decides as its script did
    with Reader(folder / "meant.db") as reader:
        choice = fork_choice(reader, list(reader.ids()), every, MODEL)
    meant_acts = {each.point.case: acts_from(each.point.stored, each.point.deciding) for each in choice.deciders}
    assert any(meant_acts.values())
    whole = [python(), "-m", "reviewer", "fork", "meant.db", "--every", every, "--model", MODEL, "--times", "3"]

    def told(*more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*whole, *more], env=environment(served, folder), cwd=folder,
            capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip

    assert f"{3 * len(meant_acts)} decisions of {MODEL} at {len(meant_acts)} messages" in told("--dry-run").stdout
    assert not served.asked
    (folder / "prices.toml").write_text(PRICES, encoding="utf-8")
    limited = told("--prices", "prices.toml", "--limit-cost", "0.004", "--connections", "1")
    assert "The limit of cost is reached: " in limited.stdout, limited.stderr
    first = told()
    assert first.returncode == 0, first.stderr
    with Reader(folder / "meant-forks.db") as reader:
        held = [reader.stored(rowid) for rowid in reader.ids()]
    points = {each.point.case: each.point for each in choice.deciders}
    assert Counter(it.conversation.case for it in held) == dict.fromkeys(points, 3)
    for it in held:
        point = points[it.conversation.case or ""]
        assert prefix_digest(it.conversation.messages, point.deciding) == point.prefix
        assert set(acts_from(it, point.deciding)) == set(meant_acts[point.case])
    counted = sum(3 * any(f if every == "forbidden" else what == every for what, f in a) for a in meant_acts.values())
    assert f"{every}: {counted} of {len(held)} decisions in {len(points)} cases, " in first.stdout
    before = served.asked.total()
    again = told()
    assert served.asked.total() == before
    assert again.stdout.splitlines()[-len(points) :] == first.stdout.splitlines()[-len(points) :]
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
