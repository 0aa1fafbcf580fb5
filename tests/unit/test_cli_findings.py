"""`reviewer scan`, `findings` and `reads`, as they are typed."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from reviewer.findings.reads import READS
from tests.builders import agent, conversation, customer, store
from tests.forked import run
from tests.unit.test_cli import HOSTILE
from tests.unit.test_scans import stocked


def test_scan_says_what_it_added_and_findings_lists_it(tmp_path: Path) -> None:
    path = stocked(tmp_path)
    said = run("scan", path)
    assert said.returncode == 0
    assert "leaked-think-tag        1 certain       0 likely" in said.stdout
    assert f"{path}.findings.db: 3 conversations read; 2 suggestions added." in said.stdout
    again = run("scan", path).stdout
    assert "0 conversations read, 3 were read before; 0 suggestions added." in again
    lines = run("findings", path).stdout.splitlines()
    assert "kimi/b-1/1#2:0-20  leaked-think-tag 1  certain: shows the customer <think>" in lines
    assert len(lines) == 2
    assert len(run("findings", path, "--mode", "leaked-think-tag").stdout.splitlines()) == 1
    assert run("findings", path, "case:b-1", "--read", "leaked-think-tag").stdout.splitlines() == [lines[1]]


def test_findings_as_json_hold_the_claim_and_its_proof(tmp_path: Path) -> None:
    path = stocked(tmp_path)
    run("scan", path)
    flip, leak = (json.loads(line) for line in run("findings", path, "--json").stdout.splitlines())
    assert leak["claim"] == {"ref": "kimi/b-1/1#2:0-20", "quote": "<think>Look.</think>"}
    assert (leak["ref"], leak["message"], leak["read"], leak["certain"]) == ("kimi/b-1/1", 2, "leaked-think-tag", True)
    assert flip["claim"]["ref"] == "kimi/a-1"
    assert [each["ref"] for each in flip["evidence"]] == ["kimi/a-1/1#2.2", "kimi/a-1/2#2.1"]


def test_what_was_not_read_yet_is_said_beside_the_list(tmp_path: Path) -> None:
    path = stocked(tmp_path)
    said = run("findings", path)
    assert (said.returncode, said.stdout) == (0, "")
    assert "No suggestions." in said.stderr
    assert f"3 conversations were never read: reviewer scan {path}" in said.stderr
    assert f"Nothing was read yet: reviewer scan {path}" in run("reads", path).stderr
    assert "No conversation matches." in run("scan", path, "model:nobody").stderr


def test_reads_without_a_store_say_what_they_are(tmp_path: Path) -> None:
    said = run("reads").stdout
    for read in READS:
        assert f"{read.name} {read.version}" in said
    assert "(off: a strength" in said
    path = stocked(tmp_path)
    run("scan", path)
    told = json.loads(run("reads", path, "--json").stdout)
    (leak,) = [each for each in told if each["read"] == "leaked-think-tag"]
    assert (leak["opportunities"], leak["certain"], leak["failed"]) == (4, 1, 0)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["scan", "runs.db", "--read", "nope"], "There is no read “nope”."),
        (["findings", "runs.db", "--read", "nope"], "There is no read “nope”."),
        (["scan", "nowhere.db"], "There is no nowhere.db."),
        (["findings", "nowhere.db"], "There is no nowhere.db."),
        (["reads", "runs.db", "--truth", "nowhere.jsonl"], "nowhere.jsonl cannot be read as text"),
        (["reads", "runs.db", "--truth", "bad.jsonl"], "bad.jsonl, line 2: it is no line of a truth file."),
        (["scan", "runs.db", "modle:x"], "no field"),
    ],
)
def test_bad_input_gets_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    stocked(tmp_path)
    Path("bad.jsonl").write_text('{"ref": "m/c/1#2", "mode": "x", "kind": "real"}\n{"ref": 1}\n')
    got = run(*words)
    assert got.returncode == 2
    assert said in got.stderr
    assert "Traceback" not in got.stderr


def test_import_can_scan_at_once(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(run("export", stocked(tmp_path), "--format", "conversations").stdout)
    said = run("import", log, "--into", tmp_path / "new.db", "--scan")
    assert said.returncode == 0
    assert "3 conversations read; 1 suggestions added." in said.stdout


def test_nothing_of_a_hostile_store_acts_on_the_terminal(tmp_path: Path) -> None:
    evil = conversation(customer("?"), agent(f"<think>{HOSTILE}</think>"), model=HOSTILE, case=HOSTILE)
    path = store(tmp_path, evil)
    run("scan", path)
    for words in (["findings", str(path)], ["findings", str(path), "--json"], ["reads", str(path)]):
        said = run(*words)
        assert said.returncode == 0
        assert not {"\x1b", "\x07", "\u202e"} & set(said.stdout)
    assert "leaked-think-tag" in run("findings", path).stdout


def test_the_package_as_a_program_scans_in_several_processes(tmp_path: Path) -> None:
    talk = [conversation(customer("?"), agent(f"<think>{n}</think>Yes."), case=f"c-{n}") for n in range(301)]
    path = store(tmp_path, *talk)
    words = [sys.executable, "-m", "reviewer", "scan", str(path), "--processes", "2"]
    said = subprocess.run(words, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
    assert said.stdout.count("conversations read") == 1
    assert "301 conversations read; 301 suggestions added." in said.stdout


def test_suggestions_of_an_older_read_are_said(tmp_path: Path) -> None:
    path = stocked(tmp_path)
    run("scan", path)
    with sqlite3.connect(f"{path}.findings.db") as db:
        db.execute("UPDATE findings SET version = 0 WHERE mode = 'leaked-think-tag'")
    assert f"1 suggestions are of older versions of their reads: reviewer scan {path}" in run("findings", path).stderr
