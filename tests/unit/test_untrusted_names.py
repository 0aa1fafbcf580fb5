"""Names of files that attack the terminal: in questions, in what is printed, in what typer finds wrong."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

from reviewer.cli.open import _store
from tests import builders, hostile
from tests.forked import run

NAME = "runs\x1b]0;PWNED\x07\x1b[2J\u202e\x9b31m\n.jsonl"


@pytest.mark.parametrize("answer", ["y\n", "n\n"])
def test_the_question_of_open_shows_a_hostile_name(
    answer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = hostile.log(tmp_path, hostile.EVIL, "name")
    path = path.rename(tmp_path / NAME)
    monkeypatch.setattr("sys.stdin", StringIO(answer))
    assert (_store(path, interactive=True) is None) == (answer == "n\n")
    if answer == "y\n":
        assert _store(path, interactive=True) == path.with_name(f"{NAME}.db")  # and says that it is there
    shown = "".join(capsys.readouterr())
    assert "runs␛]0;PWNED␇␛[2J⟨U+202E⟩" in shown
    assert not hostile.HIDDEN.search(shown), shown


@pytest.mark.parametrize(
    "words",
    [
        ("open", NAME), ("open", NAME, "model:none"), ("open", NAME, "--theme", NAME), ("list", NAME, "--limit", NAME),
        ("list", NAME, "--limit", "1"), ("imports", NAME, NAME), (NAME,), ("help", NAME), ("upgrade", NAME),
        ("show", NAME, NAME),
        ("search", NAME, "order", "--limit", "1"), ("desk", NAME), ("board", NAME), ("export", NAME, "--format", NAME),
        ("remove", NAME, "model:none"), ("remove", NAME, "case:used*", "--yes"), ("sample", NAME), ("map", NAME),
        ("check", NAME),
        ("import", NAME), ("report", NAME, NAME), ("modes", NAME, "--by", NAME), ("codebook", NAME), ("--" + NAME,),
    ],
    ids=str,
)  # fmt: skip
def test_no_command_prints_a_hostile_name_as_it_is(words: tuple[str, ...], tmp_path: Path) -> None:
    builders.store(tmp_path, name=NAME)
    ended = run(*words, cwd=tmp_path)
    assert "Traceback" not in ended.stderr
    assert not hostile.HIDDEN.search(ended.stdout + ended.stderr), ended.stdout + ended.stderr
