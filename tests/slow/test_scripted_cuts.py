"""Cases cut from stored conversations, played on against the endpoint on loopback."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewer.benchmark.live.cut_cases import cut_cases
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.store.reader import Reader
from tests.scripted_endpoint import Endpoint, playing
from tests.slow.test_scripted_runs import CASES, MODELS, SCRIPTED, environment, meant, python

MODEL = f"{SCRIPTED}/{MODELS[0]}"


@pytest.fixture
def served() -> Iterator[Endpoint]:
    python()
    with playing(MODELS[:1], CASES) as endpoint:
        yield endpoint


def said(served: Endpoint, folder: Path, by: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [by, "-m", "reviewer", *words],
        env=environment(served, folder), cwd=folder, capture_output=True, text=True, check=False, timeout=200,
    )  # fmt: skip


def test_a_conversation_goes_on_where_it_was_cut(served: Endpoint, tmp_path: Path) -> None:
    meant(served, tmp_path)
    written = said(served, tmp_path, sys.executable, "cases", "meant.db", "--cut", "handover", "-o", "cut", "--yes")
    assert written.returncode == 0, written.stderr
    cases = cut_cases(tmp_path / "cut")
    assert len(cases) > 3
    for case in cases:  # the endpoint knows a case by its first message
        served.by_opening[case.facts.opening or ""] = case.id.partition("@")[0]
    ran = said(
        served, tmp_path, python(), "run", "northline", "--cases-from", "cut", "--model", MODEL, "--customer",
        f"{SCRIPTED}/customer", "--runs", "1", "--into", "played.db",
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr + ran.stdout
    with Reader(tmp_path / "played.db") as reader:
        played = {stored.conversation.case: stored for stored in map(reader.stored, reader.ids())}
    assert set(played) == {case.id for case in cases}
    assert not served.puzzled
    for case in cases:
        stored = played[case.id]
        spoken = [message for message in stored.conversation.messages if message.role != "system"]
        past = [message for message in case.past if message.role != "system"]
        assert [message.text for message in spoken[: len(past)]] == [message.text for message in past]
        told = outcome.of_stored(stored)
        assert [act.what for act in told.acts] == ["handover"], case.id
        assert told.acts[0].message > len(past)
        again = [call.result for message in past for call in message.calls]
        stood = [call.result for message in spoken[: len(past)] for call in message.calls]
        assert stood == again
