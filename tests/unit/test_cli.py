"""The command line from outside: words, JSON, exit codes, and no traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reviewer.cli import COMMANDS
from reviewer.transcripts.conversation_json import as_object
from reviewer.transcripts.model import Score
from reviewer.transcripts.store.connection import VERSION
from tests.builders import agent, call, conversation, customer, store, stored
from tests.forked import run


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


HOSTILE = "\x1b]0;owned\x07\u202e[/red]"


def test_import_then_info_list_and_show(tmp_path: Path) -> None:
    line = json.dumps(as_object(stored()))
    (tmp_path / "logs.jsonl").write_text(line + "\n", encoding="utf-8")
    said = run("import", "logs.jsonl", "--into", "runs.db", "--json", cwd=tmp_path)
    assert said.returncode == 0
    assert json.loads(said.stdout)["new"] == 1
    info = json.loads(run("info", "runs.db", "--json", cwd=tmp_path).stdout)
    assert info["messages"] == {"agent": 2, "customer": 2}
    assert (info["models"], info["tool_calls"], info["schema"]) == ({"kimi": 1}, 2, VERSION)
    (row,) = objects(run("list", "runs.db", "--json", cwd=tmp_path).stdout)
    assert (row["ref"], row["model"], row["case"], row["run"]) == ("kimi/used-item-1/1", "kimi", "used-item-1", 1)
    (shown,) = objects(run("show", "runs.db", row["ref"], "--json", cwd=tmp_path).stdout)
    assert (shown["ref"], shown["case"]) == (row["ref"], "used-item-1")
    assert shown["messages"][1]["tool_calls"][0] == {
        "name": "get_order",
        "arguments": '{"order_id":"#1130"}',
        "result": '{"status":"in transit","carrier":"UPS"}',
        "error": None,
    }


def test_a_score_without_a_number_is_no_nan(tmp_path: Path) -> None:
    line = {
        "model": "m",
        "case": "a",
        "messages": [{"role": "user", "content": "Hi"}],
        "scores": {"judge": float("nan")},
    }
    (tmp_path / "logs.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert run("import", "logs.jsonl", "--into", "runs.db", cwd=tmp_path).returncode == 0
    assert run("list", "runs.db", "--columns", "case,score.judge", cwd=tmp_path).stdout.split() == ["a", "-"]
    shown = run(
        "show", "runs.db", run("list", "runs.db", "--columns", "ref", cwd=tmp_path).stdout.strip(), cwd=tmp_path
    )
    assert "  judge: no number" in shown.stdout


def test_open_without_a_terminal_lists_what_a_query_lets_through_and_finds_the_store_of_a_log(tmp_path: Path) -> None:
    log, path = tmp_path / "logs.jsonl", tmp_path / "logs.jsonl.db"
    log.write_text(json.dumps(as_object(stored())) + "\n", encoding="utf-8")
    said = run("open", log)
    assert (said.returncode, said.stdout) == (2, "")
    assert "Traceback" not in said.stderr
    assert run("import", log, "--into", path).returncode == 0
    opened = run("open", log, "model:kimi")
    assert "kimi/used-item-1/1" in opened.stdout
    assert f"{log} was imported into {path}; opening that." in opened.stderr
    assert "kimi/used-item-1/1" not in run("open", path, "model:gpt").stdout
    assert "kimi/used-item-1/1" in run("open", path, "reviewed:no").stdout
    assert "no field" in run("open", path, "modle:gpt").stderr


def test_a_store_of_this_version_is_up_to_date_and_the_package_is_a_program(tmp_path: Path) -> None:
    path = store(tmp_path)
    before = path.read_bytes()
    assert run("upgrade", path).stdout == f"{path} is up to date.\n"
    assert path.read_bytes() == before
    words = [sys.executable, "-m", "reviewer", "--version"]
    said = subprocess.run(words, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
    assert said.stdout == run("--version").stdout


def test_no_escape_of_the_store_reaches_the_terminal(tmp_path: Path) -> None:
    evil = conversation(customer(HOSTILE), agent(HOSTILE, call(HOSTILE, HOSTILE, HOSTILE)), model=HOSTILE, case=HOSTILE)
    path = store(tmp_path, evil)
    (row,) = objects(run("list", path, "--json").stdout)
    whole = ["export", path, "--format", "conversations"]
    for words in (["info", path], ["list", path], ["show", path, row["ref"]], whole):
        said = run(*words)
        assert said.returncode == 0
        assert not {"\x1b", "\x07", "\u202e"} & set(said.stdout)
        assert "owned" in said.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["info", "nowhere.db"], "There is no nowhere.db."),
        (["show", "runs.db", "kimi/other/1"], "Nothing stands at kimi/other/1"),
        (["show", "runs.db", "kimi"], "is not a reference"),
        (["show", "runs.db", "kimi/used-item-1/1#9"], "has 4 messages, no #9"),
        (["import", "nowhere.json", "--into", "runs.db"], "There is no nowhere.json"),
        (["import", "runs.db", "--into", "new.db", "--format", "nope"], "There is no format"),
        (["upgrade", "nowhere.db"], "There is no nowhere.db."),
        (["sample", "-o", "runs.db"], "runs.db is there already."),
        (["sample", "-o", "gone/s.db"], "The folder gone is not there."),
        (["sample", "-o", "s.db", "--models", "gpt-9"], "The sample has no model “gpt-9”."),
        (["board", "runs.db", "--sort", "score"], "There is no column “score”."),
        (["board", "runs.db", "--judge", "gpt"], "Nobody called “gpt” judged here."),
        (["board", "nowhere.db"], "There is no nowhere.db."),
    ],
)
def test_what_cannot_be_done_is_one_sentence(tmp_path: Path, words: list[str], said: str) -> None:
    store(tmp_path)
    ran = run(*words, cwd=tmp_path)
    assert ran.returncode == 2
    assert said in ran.stderr
    assert "Traceback" not in ran.stderr
    assert ran.stdout == ""


def test_a_message_is_shown_with_all_that_it_holds(tmp_path: Path) -> None:
    calls = (call("a", "{}", "told", error="told"), call("b", "{}", None, error="no route"), call("c", error="error"))
    path = store(tmp_path, conversation(customer("Hi."), agent("Done.", *calls, reasoning="First\nthis.")))
    said = run("show", path, "kimi/used-item-1/1#2").stdout
    assert "\n#2 agent\n  reasoning: First\n  this.\n  Done.\n  #2.1 a · error\n" in said
    assert "      error: no route\n" in said
    assert said.count("error: ") == 1
    assert "Hi." not in said
    (shown,) = objects(run("show", path, "kimi/used-item-1/1#2", "--json").stdout)
    assert (shown["ref"], shown["role"], shown["text"]) == ("kimi/used-item-1/1#2", "agent", "Done.")
    assert len(shown["tool_calls"]) == 3


def test_a_reader_who_has_gone_gets_no_traceback(tmp_path: Path) -> None:
    path = store(tmp_path)
    program = [sys.executable, "-c", "from reviewer.cli import main; main()"]
    for words in (("list", path), ("info", path, "--json"), ("help", "keys")):
        reading, writing = os.pipe()
        os.close(reading)
        ran = subprocess.run([*program, *words], stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
        os.close(writing)
        assert (ran.returncode, ran.stderr) == (1, "")


def test_a_number_that_json_lacks_goes_out_by_its_name(tmp_path: Path) -> None:
    meta = {"loss": float("nan"), "best": [float("inf"), -float("inf")], "steps": 3.5}
    path = store(tmp_path, replace(conversation(), meta=meta, extra={"deep": {"nan": float("nan")}}))
    for words in (("show", path, "kimi/used-item-1/1", "--json"), ("export", path, "--format", "conversations")):
        found = json.loads(run(*words).stdout, parse_constant=pytest.fail)
        assert found["meta"] == {"loss": "NaN", "best": ["Infinity", "-Infinity"], "steps": 3.5}
        assert found["extra"] == {"deep": {"nan": "NaN"}}


@pytest.mark.parametrize(
    "words", [["list"], ["search", "x"], ["board"], ["export"], ["export", "--format", "conversations"], ["remove"]]
)
def test_who_finds_nothing_hears_of_names_that_are_not_there(tmp_path: Path, words: list[str]) -> None:
    store(tmp_path)
    ran = run(words[0], "runs.db", "model:kimo", *words[1:], cwd=tmp_path)
    assert (ran.returncode, ran.stderr.splitlines()[-1]) == (0, "No model here is “kimo”. Did you mean kimi?")


def test_a_page_of_a_list_is_a_slice_of_it(tmp_path: Path) -> None:
    path = store(tmp_path, *[conversation(case=f"c-{n}") for n in range(7)])
    every = run("list", path, "--json").stdout.splitlines()
    assert run("list", path, "--json", "--limit", "2", "--offset", "3").stdout.splitlines() == every[3:5]
    assert run("list", path, "--json", "--offset", "5").stdout.splitlines() == every[5:]
    beyond = run("list", path, "--offset", "99")
    assert (beyond.returncode, beyond.stdout + beyond.stderr) == (0, "")


def test_the_schema_is_one_that_the_interchange_fits() -> None:
    schema = json.loads(run("schema").stdout)
    assert schema["title"] == "reviewer interchange"
    assert set(as_object(stored())) <= set(schema["properties"])
    assert schema["required"] == ["messages"]


def test_the_version_is_printed() -> None:
    assert run("--version").stdout.startswith("reviewer ")


def test_every_command_can_be_asked_for_alone_and_in_company() -> None:
    every = run("--help").stdout
    listed = every.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in listed] == list(COMMANDS)
    assert not [line for line in listed if line.endswith("...")]
    for name in COMMANDS:
        assert f"  {name} " in every
        assert run(name, "--help").stdout.startswith(f"Usage: reviewer {name}")
    assert run("help", "list").stdout == run("list", "--help").stdout
    assert "Did you mean 'open'?" in run("opne").stderr


def test_every_action_is_printed_with_its_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    said = run("help", "keys").stdout
    assert "item.next" in said
    assert "keys.toml" in said
    (tmp_path / "reviewer").mkdir()
    (tmp_path / "reviewer" / "keys.toml").write_text('[keys]\n"untag" = ["j"]\n', "utf-8")
    ran = run("help", "keys")
    assert ran.stdout == said
    assert "keys.toml, line 2:" in ran.stderr


def test_without_a_terminal_the_queue_is_printed_with_how_to_open_it(tmp_path: Path) -> None:
    ran = run("open", store(tmp_path, synthetic=True))
    assert ran.returncode == 0
    assert ran.stdout.startswith("runs.db · 1 conversations · SYNTHETIC")
    assert "kimi/used-item-1/1" in ran.stdout
    assert "reviewer open" in ran.stdout


def test_conversations_go_out_and_come_back_equal(tmp_path: Path) -> None:
    path = store(tmp_path, conversation(case="a"), conversation(case="b"), conversation(customer(HOSTILE), case="c"))
    words = ("export", path, "--format", "conversations", "-o", "out.jsonl")
    assert run(*words, cwd=tmp_path).stderr == "3 conversations in out.jsonl.\n"
    assert run(*words, cwd=tmp_path).stderr == "3 conversations in out.jsonl, which was replaced.\n"
    assert run("import", "out.jsonl", "--into", "again.db", cwd=tmp_path).returncode == 0
    exported = [run("export", each, "--format", "conversations", cwd=tmp_path).stdout for each in (path, "again.db")]
    digests = [[(it["ref"], it["digest"]) for it in objects(text)] for text in exported]
    assert digests[0] == digests[1]
    assert len(digests[0]) == 3
    some = objects(run("export", path, "case:b", "--format", "conversations", cwd=tmp_path).stdout)
    assert [it["case"] for it in some] == ["b"]
    masked = run("export", path, "--format", "conversations", "--mask-models", cwd=tmp_path)
    assert masked.returncode == 2


@pytest.mark.parametrize(
    ("stops", "said", "code"), [(True, "reviewer: stopped.", 130), (False, "Nothing was removed", 1)]
)
def test_who_stops_at_a_question_gets_one_sentence(tmp_path: Path, stops: bool, said: str, code: int) -> None:
    path = store(tmp_path, conversation())
    program = [sys.executable, "-c", "from reviewer.cli import main; main()", "remove", str(path), "model:kimi"]
    ours, theirs = os.openpty()
    with subprocess.Popen(program, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True) as process:
        printed = b""
        while b"[y/N]" not in printed:
            printed += os.read(ours, 1024)
        if stops:
            process.send_signal(signal.SIGINT)
        else:
            os.write(ours, b"n\n")
        assert process.wait(30) == code
    while said not in printed.decode():
        printed += os.read(ours, 1024)
    os.close(ours)
    os.close(theirs)
    assert json.loads(run("info", path, "--json").stdout)["conversations"] == 1


def test_list_says_what_happened_and_takes_columns(tmp_path: Path) -> None:
    judged = replace(conversation(), scores=(Score("reward", 0.25), Score("tone", 1.0)))
    path = store(tmp_path, judged, conversation(customer("\n\n What is =1+1\x1b[2J?"), case="short-1"))
    assert [line.split() for line in run("list", path).stdout.splitlines()] == [
        ["kimi/used-item-1/1", "cancel", "0.25", "4", "2"],
        ["kimi/short-1/1", "1", "0"],
    ]
    chosen = run("list", path, "--columns", "score.tone,case opening", "--limit", "1").stdout
    assert chosen == "   1  used-item-1  Please cancel order #1130, I ordered the wrong size.\n"
    openings = run("list", path, "--columns", "opening").stdout
    assert openings.splitlines()[1].startswith("What is =1+1")
    assert "\x1b" not in openings
    for columns, sentence in (
        ("colour", "There is no column “colour”.\n  There are: case, model"),
        ("score.gone", "No score of “gone” here.\n  There are scores of: reward, tone."),
        ("ref,marks", "Marks are in the journals"),
        ("", "No column is named."),
    ):
        refused = run("list", path, "--columns", columns)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert sentence in refused.stderr


def test_without_a_terminal_the_queue_is_printed_in_the_same_columns(tmp_path: Path) -> None:
    path = store(tmp_path)
    assert run("list", path).stdout in run("open", path).stdout


INTERRUPTED = """
from reviewer.cli import main, program

def stopped(*_, **__):
    exec("raise KeyboardInterrupt")

program.composed = stopped
main()
"""


def test_ctrl_c_while_python_executes_a_text_ends_in_the_same_code(tmp_path: Path) -> None:
    (tmp_path / "interrupted.py").write_text(INTERRUPTED)
    command = [sys.executable, "-m", "interrupted"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "reviewer: stopped.\n")
