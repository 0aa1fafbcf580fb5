"""`reviewer ask` against the endpoint on loopback: what a model quotes becomes a suggestion, and is asked once."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

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

READER = f"{SCRIPTED}/reader"
MODE, OTHER = "invented-delivery-date", "phantom-action"


@pytest.fixture
def served() -> Iterator[Endpoint]:
    """The endpoint, without faults."""
    python()
    with playing(MODELS[:1], CASES) as endpoint:
        yield endpoint


@pytest.fixture
def folder(served: Endpoint, tmp_path: Path) -> Path:
    """A folder with a store of the 24 conversations, `meant.db`."""
    meant(served, tmp_path)
    return tmp_path


def command(*more: str, verb: str = "ask") -> list[str]:
    told = ["--model", READER] if verb == "ask" else []
    return [python(), "-m", "reviewer", verb, "meant.db", *told, *more]


def said(served: Endpoint, folder: Path, *more: str, verb: str = "ask") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*more, verb=verb), env=environment(served, folder), cwd=folder,
        capture_output=True, text=True, check=False, timeout=LIMIT,
    )  # fmt: skip


def suggested(served: Endpoint, folder: Path) -> list[dict[str, object]]:
    told = said(served, folder, "--read", READER, "--json", verb="findings")
    return [json.loads(line) for line in told.stdout.splitlines()]


def test_what_a_model_quotes_is_suggested_and_nothing_is_asked_twice(served: Endpoint, folder: Path) -> None:
    dry = said(served, folder, "--mode", MODE, "--dry-run")
    assert f"24 questions to {READER}, price unknown. Nothing was asked." in dry.stdout, dry.stderr
    assert not served.asked
    first = said(served, folder, "--mode", MODE, "bucket:adversarial")
    assert first.returncode == 0, first.stderr
    assert "has read 6 of 6 conversations; suggestions: 6." in first.stdout
    assert "6 dropped: their words do not stand once where they say." in first.stdout
    assert "12 dropped that name no words, or no mode that was asked for." in first.stdout
    assert "Words that nobody said." in first.stdout
    served.garbled = frozenset(CASES[:2])
    rest = said(served, folder, "--mode", MODE, "--mode", OTHER)
    assert "has read 22 of 24 conversations; suggestions: 38." in rest.stdout, rest.stderr
    assert "2 answers could not be read." in rest.stdout
    assert rest.returncode == 1
    served.garbled = frozenset()
    assert (
        "has read 2 of 2 conversations; suggestions: 4." in said(served, folder, "--mode", OTHER, "--mode", MODE).stdout
    )
    before = served.asked[READER.rpartition("/")[2]]
    assert "has read these 24 conversations already" in said(served, folder, "--mode", MODE).stdout
    assert served.asked[READER.rpartition("/")[2]] == before
    told = suggested(served, folder)
    assert Counter(each["mode"] for each in told) == {MODE: 24, OTHER: 24}
    for each in told:
        claim = each["claim"]
        assert isinstance(claim, dict)
        assert claim["quote"]
        assert f"#{each['message']}:" in claim["ref"]  # exact words, never a whole message
        assert each["reason"] == f"It says so: {each['mode']}."
        assert each["certain"] is False
    assert not (folder / "annotations").exists()
    record = said(served, folder, verb="reads").stdout
    assert any(line.startswith(READER) for line in record.splitlines())


def test_a_mode_that_is_worded_anew_is_asked_anew(served: Endpoint, folder: Path) -> None:
    only = f"case:{CASES[0]}"
    assert "suggestions: 2." in said(served, folder, only, "--mode", MODE, "--mode", OTHER).stdout
    assert said(served, folder, verb="init").returncode == 0
    book = folder / "annotations" / "codebook.toml"
    text = book.read_text("utf-8")
    at = text.index(f"[modes.{MODE}]")
    book.write_text(text[:at] + text[at:].replace('definition = "', 'definition = "Anew: ', 1), encoding="utf-8")
    told = said(served, folder, only, "--mode", MODE, "--mode", OTHER)
    assert "has read 1 of 1 conversations; suggestions: 1." in told.stdout, told.stderr
    assert len(suggested(served, folder)) == 2


def test_ctrl_c_and_a_limit_end_the_asking_and_the_same_command_goes_on(served: Endpoint, folder: Path) -> None:
    with served.stuck_after(8) as stall:
        program = subprocess.Popen(
            command("--mode", MODE, "--connections", "2"), env=environment(served, folder), cwd=folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        out, err = interrupted(program, stall)
    assert program.returncode == 130, err
    assert "Traceback" not in out + err
    there = len(suggested(served, folder))
    assert 0 < there < 24
    assert f"Stopped: {24 - there} questions are left." in out
    assert out.splitlines()[-1].startswith("To go on: reviewer ask meant.db --model ")
    prices = PRICES.replace("customer", "reader")
    (folder / "prices.toml").write_text(prices, encoding="utf-8")
    limited = said(
        served, folder, "--mode", MODE, "--prices", "prices.toml", "--limit-cost", "0.001", "--connections", "1"
    )
    assert f"The limit of cost is reached: {23 - there} questions are left." in limited.stdout, limited.stderr
    assert f"cost of {READER}: $0.0" in limited.stdout
    assert said(served, folder, "--mode", MODE).returncode == 0
    assert len(suggested(served, folder)) == 24


def test_a_model_that_does_not_answer_is_said_before_anything_is_stored(served: Endpoint, folder: Path) -> None:
    served.refused["reader"] = (401, "bad key")
    told = said(served, folder, "--mode", MODE)
    assert told.returncode == 2
    assert f"reviewer: {READER} does not answer: " in told.stderr
    assert "Is the key right" in told.stderr
    assert "Traceback" not in told.stderr + told.stdout
    assert not (folder / "meant.db.findings.db").exists()
