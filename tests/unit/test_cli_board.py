"""`reviewer sample` and `reviewer board` from outside, and `reviewer open` without a path."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from reviewer.benchmark.northline.build import build
from reviewer.benchmark.northline.sample_conversations import chosen
from tests.forked import run


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sample") / "s.db"
    build(path, chosen(["sonnet-5", "haiku-4.5"]))
    return path


def test_a_sample_is_made_with_its_truth_beside(tmp_path: Path) -> None:
    said = run("sample", "-o", "s.db", "--models", "sonnet-5", "--truth", "t.jsonl", "--seed", "3", cwd=tmp_path)
    assert said.returncode == 0, said.stderr
    assert "162 synthetic conversations, 1 model." in said.stdout
    assert "No real model wrote these texts" in said.stdout
    line = json.loads((tmp_path / "t.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert line["ref"].startswith("sonnet-5/")
    assert "  northline-sample/2 --models sonnet-5 --seed 3\n" in run("imports", "s.db", cwd=tmp_path).stdout
    info = json.loads(run("info", "s.db", "--json", cwd=tmp_path).stdout)
    assert (info["synthetic"], info["conversations"], info["desks"]) == (True, 162, ["northline"])


def test_the_board_is_printed_within_a_hundred_columns(sample: Path) -> None:
    for words in ((), ("--by", "bucket"), ("--by", "case"), ("--run", "1"), ("--sort", "unsafe")):
        said = run("board", sample, *words)
        assert said.returncode == 0, said.stderr
        lines = said.stdout.splitlines()
        assert lines[0].startswith("SYNTHETIC")
        assert max(map(len, lines)) <= 100
        assert any(line.startswith(" 1  sonnet-5") or " sonnet-5 " in line for line in lines)


def test_the_board_is_sorted_by_a_heading_or_a_name_and_shows_the_judge_who_is_named(sample: Path) -> None:
    for sort in ("msgs", "agent_messages", "Agent-Messages", "IF", "over", "model"):
        assert run("board", sample, "--sort", sort).returncode == 0
    assert "Sort by: model, over, escalation, unsafe, msgs, " in run("board", sample, "--sort", "x").stderr
    assert "Judged by: second judge." in run("board", sample, "--judge", "second judge").stdout
    assert "Judges: gpt-5.5, second judge." in run("board", sample, "--judge", "second").stderr


def test_the_board_as_json_is_in_board_order_and_takes_a_query(sample: Path) -> None:
    both = json.loads(run("board", sample, "--json").stdout)["models"]
    assert [model["model"] for model in both] == ["sonnet-5", "haiku-4.5"]
    assert both[1]["metrics"]["over_escalation"]["n_per_run"] == [120, 120]
    only = json.loads(run("board", sample, "--json", "model:haiku*", "--by", "bucket").stdout)["models"]
    assert [model["model"] for model in only] == ["haiku-4.5"]
    assert {group["bucket"] for group in only[0]["groups"]} == {"resolvable", "must-escalate", "adversarial"}


def test_open_without_a_path_builds_and_opens_the_sample(tmp_path: Path) -> None:
    program = [sys.executable, "-c", "from reviewer.cli import main; main()", "open"]
    home = {**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    for _ in range(2):
        said = subprocess.run(
            program, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, env=home, cwd=tmp_path
        )
        assert said.returncode == 0, said.stderr
        assert "kimi-k2.7-code/" in said.stdout
        assert "1,408 more" in said.stdout
