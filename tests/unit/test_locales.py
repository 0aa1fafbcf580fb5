"""Locales whose alphabet is not Unicode's: files and pipes are UTF-8, a terminal gets what it can show."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import agent, conversation, customer, store
from tests.forked import run

WORDS = "Größe 已经取消 → “ok” 🧳"
PLAIN_C = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a German locale of ISO 8859-1, which is made here."""
    where = tmp_path_factory.mktemp("locales")
    program = shutil.which("localedef")
    words = [program or "", "-i", "de_DE", "-f", "ISO-8859-1", str(where / "de_DE.ISO-8859-1")]
    made = program and subprocess.run(words, capture_output=True, check=False).returncode == 0
    if not made:
        pytest.skip("this machine cannot make a locale of ISO 8859-1")
    return {"LOCPATH": str(where), "LC_ALL": "de_DE.ISO-8859-1"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = store(tmp_path, conversation(customer(WORDS), agent(WORDS)))
    assert run("tag", path, "kimi/used-item-1/1", "warm", "--note", WORDS, "--as", "Jürgen").returncode == 0
    return path


def spoken(
    locale: dict[str, str], *words: str | Path, out: int = subprocess.PIPE
) -> subprocess.CompletedProcess[bytes]:
    program = [sys.executable, "-c", "from reviewer.cli import main; main()", *map(str, words)]
    usual = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    return subprocess.run(
        program, stdout=out, stderr=subprocess.PIPE, env=usual | locale, check=False, stdin=subprocess.DEVNULL
    )


COMMANDS = [
    ("show", "kimi/used-item-1/1"),
    ("show", "kimi/used-item-1/1", "--json"),
    ("list",),
    ("tags",),
    ("search", "ok"),
    ("check",),
    ("board",),
    ("report", "kimi"),
    ("export", "--notes"),
    ("export", "--format", "csv", "--notes"),
    ("export", "--format", "html"),
    ("open",),
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_pipes_are_utf8_in_every_locale(german: dict[str, str], path: Path, words: tuple[str, ...]) -> None:
    command, *rest = words
    usual = run(command, path, *rest)
    assert usual.returncode == 0
    for locale in (german, PLAIN_C):
        said = spoken(locale, command, path, *rest)
        assert (said.returncode, said.stdout.decode(), said.stderr.decode()) == (0, usual.stdout, usual.stderr)


def test_files_are_utf8_in_every_locale(german: dict[str, str], path: Path) -> None:
    for number, locale in enumerate(({"LC_ALL": "C.UTF-8"}, german, PLAIN_C)):
        folder = path.parent / str(number)
        folder.mkdir()
        assert spoken(locale, "export", path, "--format", "csv", "--notes", "-o", folder / "a.csv").returncode == 0
        assert spoken(locale, "init", folder / "notes").returncode == 0
    files = [sorted((each.name, each.read_bytes()) for each in (path.parent / str(n)).rglob("*.*")) for n in range(3)]
    assert files[0] == files[1] == files[2]


def test_a_terminal_gets_what_it_can_show(german: dict[str, str], path: Path) -> None:
    ours, theirs = pty.openpty()
    said = spoken(german, "show", path, "kimi/used-item-1/1", out=theirs)
    os.close(theirs)
    shown = os.read(ours, 1 << 16)
    os.close(ours)
    assert (said.returncode, said.stderr) == (0, b"")
    assert "Größe ???? ? ?ok? ?".encode("latin-1") in shown


def test_a_name_that_a_locale_does_not_have_is_a_sentence(german: dict[str, str], path: Path) -> None:
    git = path.parent / "gitconfig"
    git.write_text("[user]\n\tname = 李\n", "utf-8")
    said = spoken({**german, "GIT_CONFIG_GLOBAL": str(git)}, "tag", path, "kimi/used-item-1/1", "warm")
    assert said.returncode == 2
    assert "This locale (latin-1) has no file name “李.jsonl”." in said.stderr.decode()
    assert b"Traceback" not in said.stderr
