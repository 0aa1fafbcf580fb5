"""A store that another program has spoilt, under every command: one sentence that names the file, no traceback.

The commands are taken from the program itself, so that a new one has to say here how it opens a store.
"""

from __future__ import annotations

import contextlib
import io
import random
import re
import shutil
import sqlite3
import sys
import traceback
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import typer.main

from reviewer.cli.program import composed, run
from reviewer.findings.damaged_findings import damaged_findings
from reviewer.transcripts import desk
from reviewer.transcripts.model import Case, Conversation, Score, Usage
from reviewer.transcripts.store import connection, soundness
from reviewer.transcripts.store.reader import Reader
from tests import builders, damages
from tests.builders import CANCELLED

REF = "kimi/used-item-1/1"
WORDS: dict[str, tuple[str, ...]] = {
    "open": ("STORE",),
    "open, filtered": ("STORE", "model:kimi", "order"),
    "import": ("more.jsonl", "--into", "STORE"),
    "info": ("STORE",),
    "info, rejected": ("STORE", "--json", "--rejected"),
    "list": ("STORE",),
    "list, all of it": ("STORE", "--json", "bucket:adversarial", "or", "score.resolution:>0", "or", "tool:cancel*"),
    "list, with columns": ("STORE", "--columns", "ref,score.resolution,cost,tokens,family,opening"),
    "show": ("STORE", REF),
    "show, as an object": ("STORE", REF, "--json"),
    "board": ("STORE",),
    "board, by family": ("STORE", "--by", "family", "--json"),
    "run": ("northline", "--model", "openai/gpt-5", "--into", "STORE", "--dry-run"),
    "judge": ("STORE", "--judge", "openai/gpt-5", "--dry-run"),
    "judge, agreement": ("STORE", "--judge", "one", "--agree"),
    "ask": ("STORE", "--model", "openai/gpt-5", "--mode", "phantom-action", "--dry-run"),
    "fork": ("STORE", f"{REF}#2", "--dry-run"),
    "cases": ("STORE", "--cut", f"{REF}#2", "-o", "cut", "--dry-run"),
    "search": ("STORE", "order"),
    "search, filtered": ("STORE", "model:kimi", "cancelled", "--json"),
    "attach": ("STORE", "retail", "--as", "desk"),
    "attach, cases": ("STORE", "cases.csv", "--as", "cases"),
    "attach, scores": ("STORE", "scores.csv", "--as", "scores"),
    "desk": ("--init", "STORE"),
    "remove": ("STORE", "model:kimi", "--yes"),
    "remove, an import": ("STORE", "--import", "1", "--yes"),
    "imports": ("STORE",),
    "imports, as objects": ("STORE", "--json"),
    "upgrade": ("STORE",),
    "init": ("STORE",),
    "tag": ("STORE", REF, "warm", "--as", "bo"),
    "untag": ("STORE", f"{REF}#2:5-10", "phantom-action", "--as", "ana"),
    "tags": ("STORE",),
    "tags, as objects": ("STORE", "--json", "model:kimi"),
    "verdict": ("STORE", REF, "pass", "--as", "ana"),
    "reviewed": ("STORE", REF, "--as", "ana"),
    "check": ("STORE",),
    "scan": ("STORE", "--processes", "1"),
    "findings": ("STORE",),
    "reads": ("STORE",),
    **{f"export, {form}": ("STORE", "--format", form) for form in ("md", "jsonl", "csv", "html")},
    "export": ("STORE", "--mask-customers", "--mask-models"),
    "report": ("STORE", "kimi"),
    "report, findings": ("STORE", "--findings"),
    "modes": ("STORE", "--by", "family"),
    "codebook list": ("STORE",),
    "codebook split": ("STORE", "phantom-action", "warm", "--as", "ana"),
}
"""How each command opens a store; what stands behind a comma is another way."""
SOME = 8
"""Damages of contents that each command is tried on here, others for each; `make slow` tries more."""
WITHOUT = {"map", "schema", "sample", "help"} | {
    f"codebook {name}" for name in ("add", "rename", "merge", "retire", "set")
}
"""Commands that open no store."""


def commands() -> Iterator[str]:
    """The commands of the program, those of groups with the group's name before."""

    def below(group: Any, before: str) -> Iterator[str]:
        for name, each in group.commands.items():
            yield from below(each, f"{before}{name} ") if hasattr(each, "commands") else (f"{before}{name}",)

    return below(typer.main.get_command(composed()), "")


def said(*words: str) -> tuple[int, str]:
    """The exit code of a command and all that it says; a traceback is 99."""
    held = io.BytesIO()
    out = io.TextIOWrapper(held, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        patch.setattr(sys, "argv", ["reviewer", *words])
        patch.setattr(sys, "stdin", io.StringIO())
        try:
            code = run()
        except Exception:  # noqa: BLE001 -- that is what is looked for
            code = 99
            traceback.print_exc()
    out.flush()
    return code, held.getvalue().decode("utf-8", "replace")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store that has something in every table, journals and findings, and files to bring in."""
    folder = tmp_path_factory.mktemp("sound")
    scores = tuple(Score("resolution", 1.0, judge, "Fine.") for judge in ("one", "other"))
    facts = Case("used-item-1", "retail", "used item", "adversarial", forbidden=("cancel",), labels=("high-value",))
    runs = [
        Conversation(model, CANCELLED, case="used-item-1", run=run, scores=scores, usage=Usage(9, 9, 9, 9, 0.1),
                     meta={"a": 1}, extra={"b": [1]}, facts=facts, started="2026-06-29T10:00:00Z")
        for model in ("kimi", "gpt") for run in (1, 2)
    ]  # fmt: skip
    store = builders.store(folder, *runs, desk=desk.load("northline"))
    (folder / "more.jsonl").write_text('{"messages": [{"role": "user", "content": "Hi."}], "model": "kimi"}\n{"\n')
    (folder / "cases.csv").write_text("case,bucket\nused-item-1,resolvable\n")
    (folder / "scores.csv").write_text(f"ref,scorer,value\n{REF},resolution,0.5\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for words in (
            ("import", "more.jsonl", "--into", "runs.db"), ("scan", "runs.db", "--processes", "1"), ("init", "runs.db"),
            ("tag", "runs.db", f"{REF}#2:5-10", "phantom-action", "--as", "ana"),
            ("attach", "runs.db", "scores.csv", "--as", "scores"), ("search", "runs.db", "order"),
        ):  # fmt: skip
            code, text = said(*words)
            assert code in (0, 1), text
    with closing(sqlite3.connect(store)) as db:
        db.execute("INSERT INTO models VALUES ('kimi', 'Moonshot', 'open', '[\"fast\"]', '{\"index\": 3}')")
        db.commit()
    return folder


def outcome(sound: Path, folder: Path, name: str, damage: damages.Damage, of_contents: bool) -> str:
    """What is wrong with what a command does about a damage; nothing where it is as it should be.

    Where rows are no longer there, or say something else that may stand there, a command says what it does not find.
    """
    shutil.copytree(sound, folder)
    damage(folder / "runs.db")
    words = ["runs.db" if word == "STORE" else word for word in WORDS[name]]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        code, text = said(*name.partition(",")[0].split(), *words)
    shutil.rmtree(folder)
    told = [line for line in text.splitlines() if line.startswith("reviewer: ")]
    if code == 99 or "Traceback" in text:
        return text
    if code == 2:
        named = "runs.db" in text or of_contents
        return "" if len(told) == 1 and named else f"no sentence about the store:\n{text}"
    return f"bytes are shown:\n{text}" if "b'\\x" in text else ""


def tried(sound: Path, folder: Path, name: str, every: dict[str, damages.Damage], of_contents: bool = True) -> None:
    """Try a command on each damage."""
    wrong = {what: text for what, each in every.items() if (text := outcome(sound, folder, name, each, of_contents))}
    assert not wrong, "\n\n".join(f"{what}: {text}" for what, text in wrong.items())


def test_every_command_says_here_how_it_opens_a_store() -> None:
    assert {name.partition(",")[0] for name in WORDS} | WITHOUT == set(commands())


@pytest.mark.parametrize("name", WORDS)
def test_a_sound_store_does(sound: Path, tmp_path: Path, name: str) -> None:
    shutil.copytree(sound, tmp_path / "it")
    words = ["runs.db" if word == "STORE" else word for word in WORDS[name]]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path / "it")
        code, text = said(*name.partition(",")[0].split(), *words)
    assert code in (0, 1), text
    assert not list(soundness._faults(tmp_path / "it" / "runs.db"))


@pytest.mark.parametrize("name", WORDS)
def test_a_store_that_is_none(sound: Path, tmp_path: Path, name: str) -> None:
    tried(sound, tmp_path / "it", name, damages.FILES, of_contents=False)


@pytest.mark.parametrize("name", WORDS)
def test_a_store_into_which_another_program_wrote(sound: Path, tmp_path: Path, name: str) -> None:
    every = list(damages.contents(sound / "runs.db"))
    tried(sound, tmp_path / "it", name, dict(random.Random(name).sample(every, SOME)))


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("import", "messages emptied"), ("import", "bytes in sources.label"), ("import", "bytes for texts in cases"),
        ("list, with columns", "nothing in conversations.opening"), ("remove, an import", "bytes for texts in runs"),
        ("imports", "bytes for texts in imports"), ("report", "conversations emptied"),
    ],
)  # fmt: skip
def test_what_came_to_light_is_said_of_the_store_and_of_nothing_else(
    sound: Path, tmp_path: Path, name: str, what: str
) -> None:
    damage = dict(damages.contents(sound / "runs.db"))[what]
    tried(sound, tmp_path / "it", name, {what: damage}, of_contents=False)


@pytest.mark.parametrize(
    "error",
    [
        TypeError(),
        sqlite3.OperationalError("no such function: x"),
        sqlite3.OperationalError("user-defined function raised exception"),
    ],
)
def test_what_no_store_is_the_reason_for_stays_what_it_is(
    sound: Path, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_opened", {})
    with Reader(sound / "runs.db"):
        because = soundness.reason(error, damaged_findings)
    assert (because is None) == isinstance(error, TypeError)
    assert "damaged" not in str(because)


@pytest.mark.parametrize("words", [("search", "runs.db", "order"), ("list", "runs.db", "order")])
def test_bytes_where_words_are_looked_for_are_said_of_the_store(
    sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    shutil.copytree(sound, tmp_path / "it")
    dict(damages.contents(sound / "runs.db"))["bytes for texts in messages"](tmp_path / "it" / "runs.db")
    monkeypatch.chdir(tmp_path / "it")
    code, text = said(*words)
    assert code == 2
    assert re.match(r"reviewer: runs\.db is damaged: messages\.\w+ holds what it cannot, which another", text), text
