"""`reviewer search` and queries on the command line, from outside."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.cli.search import stopping
from reviewer.transcripts.model import Score
from tests.builders import agent, call, conversation, customer, store
from tests.forked import run
from tests.unit.test_cli import HOSTILE, objects

TALK = (
    customer("Where is #1130? Has it shipped?"),
    agent("Shipped!</think>", call("get_order", result='{"a":"shipped"}')),
)


def test_hits_as_json_carry_the_true_text(tmp_path: Path) -> None:
    said = run("search", store(tmp_path, conversation(*TALK)), "shipped", "--json")
    assert said.returncode == 0
    found = objects(said.stdout)
    assert [(hit["ref"], hit["message"], hit["where"]) for hit in found] == [
        ("kimi/used-item-1/1#1:23-30", 1, "text"),
        ("kimi/used-item-1/1#2:0-7", 2, "text"),
        ("kimi/used-item-1/1#2.1.result:6-13", 2, "result"),
    ]
    assert found[1]["snippet"] == "Shipped!</think>"
    start, end = found[0]["span"]
    assert found[0]["snippet"][start:end] == "shipped"


def test_hits_for_people_are_a_line_each(tmp_path: Path) -> None:
    said = run("search", store(tmp_path, conversation(*TALK)), '"</think>" role:agent')
    assert said.stdout == "kimi/used-item-1/1#2:8-16  Shipped!</think>\n"


def test_judges_notes_are_found_behind_the_transcripts_and_shown_by_their_reference(tmp_path: Path) -> None:
    scores = (Score("tone", 0.5, "gpt-5", "It shipped, they say."),)
    path = store(tmp_path, replace(conversation(*TALK), scores=scores))
    said = run("search", path, "shipped")
    last = said.stdout.splitlines()[-1]
    assert last == "kimi/used-item-1/1#judge.tone@gpt-5:3-10  (judge)  It shipped, they say."
    assert len(run("search", path, "in:text shipped").stdout.splitlines()) == 2
    assert run("show", path, "kimi/used-item-1/1#judge.tone@gpt-5").stdout == "It shipped, they say.\n"
    assert "There is: #judge.tone@gpt-5." in run("show", path, "kimi/used-item-1/1#judge.none").stderr


def test_limit_says_that_there_may_be_more(tmp_path: Path) -> None:
    said = run("search", store(tmp_path, conversation(*TALK)), "shipped", "--limit", "1")
    assert len(said.stdout.splitlines()) == 1
    assert said.stderr == "Stopped at --limit 1; there may be more.\n"


def test_nothing_found_is_said_and_no_failure(tmp_path: Path) -> None:
    said = run("search", store(tmp_path), "nowhere")
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "Nothing found.\n")


@pytest.mark.parametrize("words", [["-shipped"], ["model:kimi"], []])
def test_a_search_needs_a_word(words: list[str], tmp_path: Path) -> None:
    said = run("search", store(tmp_path), *words)
    assert said.returncode == 2
    assert "no words to look for" in said.stderr


def test_nothing_of_the_store_reaches_the_terminal_as_it_is(tmp_path: Path) -> None:
    said = run("search", store(tmp_path, conversation(customer(HOSTILE), model=HOSTILE)), "owned")
    assert "owned" in said.stdout
    assert not {"\x1b", "\x07", "\u202e"} & set(said.stdout)


def test_a_query_that_does_not_parse_is_pointed_at(tmp_path: Path) -> None:
    for command in ("list", "search", "export"):
        said = run(command, store(tmp_path, name=f"{command}.db"), "x 已 modle:kimi")
        assert said.returncode == 2
        first, query, caret, hint = said.stderr.splitlines()
        assert "Column 5" in first
        assert query == "    x 已 modle:kimi"
        assert caret == "         ^"
        assert "model:" in hint


@pytest.mark.parametrize(
    ("words", "models"),
    [
        (["model:k*"], ["kimi"]),
        (["-model:k*"], ["gpt"]),
        (["-hello", "run:1"], ["kimi"]),
        (["-hello run:1", "--limit", "1"], ["kimi"]),
        (["--", "-hello"], ["kimi"]),
        (["tag:none", "model:gpt"], ["gpt"]),
        (["tag:false-claim"], []),
    ],
)
def test_a_query_may_be_one_word_or_several_and_begin_with_a_dash(
    words: list[str], models: list[str], tmp_path: Path
) -> None:
    path = store(tmp_path, conversation(model="kimi"), conversation(customer("hello"), model="gpt"))
    said = run("list", path, "--json", *words)
    assert said.returncode == 0, said.stderr
    assert [row["model"] for row in objects(said.stdout)] == models


def test_a_mistyped_option_is_not_taken_for_a_word(tmp_path: Path) -> None:
    said = run("list", store(tmp_path), "--limt", "2")
    assert said.returncode == 2
    assert "--limt" in said.stderr


def test_an_option_and_its_value_in_one_word_are_not_taken_for_a_word_to_leave_out(tmp_path: Path) -> None:
    path = store(tmp_path)
    said = run("export", path, "-order", "--format", "csv")
    assert said.returncode == 2
    assert "write -o rder for the one, -- -order for the other" in said.stderr
    assert run("export", path, "--format", "csv", "--", "-order").returncode == 0


def test_ctrl_c_stops_a_statement_that_sqlite_is_busy_with() -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        db.create_function("press", 0, lambda: os.kill(os.getpid(), signal.SIGINT))
        db.set_progress_handler(lambda: 0, 100)
        endless = "WITH RECURSIVE n(i) AS (SELECT press() UNION ALL SELECT 1 FROM n) SELECT count(*) FROM n"
        with pytest.raises(KeyboardInterrupt), stopping(db.interrupt):
            db.execute(endless)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_is_one_sentence_and_130(tmp_path: Path) -> None:
    path = store(tmp_path, conversation(*(customer("refund") for _ in range(20_000))))
    program = [sys.executable, "-c", "from reviewer.cli import main; main()", "search", str(path), '"refund"']
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        assert process.stderr.read() == "reviewer: stopped.\n"
    assert process.returncode == 130


def test_help_explains_queries_and_commands(tmp_path: Path) -> None:
    assert run("help", "query").stdout.startswith("# The query language")
    assert "--limit" in run("help", "search").stdout
    assert "reviewer help query" in run("help").stdout
    said = run("help", "serach", cwd=tmp_path)
    assert (said.returncode, "serach" in said.stderr) == (2, True)
