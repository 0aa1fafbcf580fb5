"""docs/desks.md, done as it says: its commands, and what it says they print; the files and keys that it names."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from reviewer.benchmark.desks import case_files, tool_file
from reviewer.benchmark.desks.desk_folder import load
from reviewer.cli.program import composed

PAGE = Path(__file__).resolve().parents[2] / "docs" / "desks.md"
TEXT = PAGE.read_text("utf-8")


def test_the_commands_print_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```console\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    commands = [each for block in blocks for each in block.strip().removeprefix("$ ").split("\n$ ")]
    assert len(commands) == 4
    for command, _, wanted in (each.partition("\n") for each in commands):
        program, *words = shlex.split(command)
        assert program == "reviewer"
        result = CliRunner().invoke(composed(), words)
        assert result.exit_code == 0, f"{command}: {result.output}"
        assert result.output.startswith(f"{wanted}\n"), result.output


def test_the_page_says_what_comes_with_the_program() -> None:
    lapwing = load("lapwing")
    traps = [case for case in lapwing.cases if case.facts.bucket == "adversarial"]
    assert f"{len(lapwing.cases)}\ncases, {len(traps)} of them traps" in TEXT


def test_the_page_names_every_key_of_a_tool_and_of_what_a_case_needs() -> None:
    told = set(re.findall(r"`(?:\[\[tool\.)?(\w+)", TEXT))
    assert set(tool_file._KEYS) <= told
    assert set(case_files._NEEDED) <= told
    assert {"given", "clause", "order", "expected", "forbidden"} <= told
