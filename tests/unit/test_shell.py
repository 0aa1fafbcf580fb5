"""Commands that are printed or copied: whatever stands in a name, a shell sees one word, and runs nothing."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from reviewer.basics.shell import shell_line, shell_word
from reviewer.transcripts.refs import conversation_ref
from tests import builders, hostile
from tests.forked import run

EVIL = "$(touch pwned) `touch pwned`; 'x' \"y\" &|<>*?![]{}~\\ # \n=.db"

WORDS = ["", EVIL, "#a", "~", "=ls", "é", "\x1b[2J\u202e", "a'b", "\\'"]
TEXT = some.text(some.characters(exclude_characters="\0", codec="utf-8"))


@pytest.mark.parametrize(
    "plain",
    ["kimi/used-item-1/1#2:26-35", "gpt-4o+planner/a-12/1#4.2.result/status", "runs.db", "/a/b_c.db", "--by", "7"],
)
def test_usual_references_and_paths_stay_as_they_are(plain: str) -> None:
    assert shell_word(plain) == plain
    assert shlex.split(f"x {shell_word(plain)}") == ["x", plain]


@settings(max_examples=20)
@given(some.lists(some.one_of(some.sampled_from(WORDS), TEXT), max_size=4))
def test_a_shell_reads_the_words_that_were_meant(words: list[str]) -> None:
    line = shell_line(["printf", r"%s\0", *words])
    assert not hostile.HIDDEN.search(line)
    told = subprocess.run(["bash", "-c", line], capture_output=True, check=True).stdout
    assert told.decode() == "".join(f"{word}\0" for word in words) or not words


def test_hints_of_commands_run_nothing_where_they_are_pasted(tmp_path: Path) -> None:
    store = builders.store(tmp_path, name=EVIL)
    for words in (
        ("imports", store),
        ("show", store, "no/such/1"),
        ("search", store),
        ("open", tmp_path / f"{EVIL}2"),
        ("findings", store),
    ):
        ended = run(*words, cwd=tmp_path)
        commands = re.findall(r"reviewer (?:open|list|info|import|scan|remove|findings).*", ended.stdout + ended.stderr)
        assert commands, ended.stderr
        for command in commands:
            said = ["bash", "-c", f"reviewer() {{ :; }}\n{command.rstrip('.')}"]
            subprocess.run(said, cwd=tmp_path, capture_output=True, check=True)
    assert not (tmp_path / "pwned").exists()


def test_a_reference_with_a_command_in_it_is_quoted(tmp_path: Path) -> None:
    ref = conversation_ref("m", "$(id>pwned)", 1)
    subprocess.run(["bash", "-c", f"printf %s {shell_word(ref)}"], cwd=tmp_path, check=True, capture_output=True)
    assert not (tmp_path / "pwned").exists()
