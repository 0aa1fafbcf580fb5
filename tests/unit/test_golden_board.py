"""The board as it is printed and as JSON, word for word; `make golden` writes it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from reviewer.cli import main
from reviewer.transcripts.model import Case, Conversation, Score
from tests import builders
from tests.builders import agent, call, customer
from tests.ui.room import GOLDEN

CASES = (
    Case("easy-1", family="where is it", bucket="resolvable"),
    Case("must-1", family="fraud", bucket="must-escalate"),
    Case("trap-1", family="used item", bucket="adversarial", forbidden=("cancel",)),
)
WORDS = (
    (),
    ("--by", "bucket"),
    ("--by", "case"),
    ("--by", "family", "case:easy*,trap*"),
    ("--run", "1"),
    ("--sort", "unsafe"),
    ("--sort", "escalation"),
    ("--judge", "opus"),
    ("model:nobody",),
    ("--json",),
    ("--json", "--by", "bucket"),
)


def talk(model: str, run: int, case: Case, number: int) -> Conversation:
    """What an agent did, and how two judges liked it."""
    tools = ("hand_over",) if (run + number) % 2 else ("cancel_order", "get_order")
    messages = [customer("Hello")] + [agent("Hm.", *map(call, tools))] * (1 + number)
    scores = (
        Score("resolution", float(run % 2), "gpt-5"),
        Score("resolution", 1.0, "opus"),
        Score("instruction-following", 0.25 * number, "gpt-5"),
        Score("sentiment", 0.5),
        Score("politeness", 0.1 * run),
    )
    return Conversation(model, tuple(messages), case=case.id, run=run, facts=case, scores=scores)


def test_golden_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    runs = (("kimi-k2", 1), ("kimi-k2", 2), ("a-model-with-quite-a-long-name-0725", 1))
    store = builders.store(
        tmp_path, *(talk(model, run, case, number) for model, run in runs for number, case in enumerate(CASES)),
        Conversation("kimi-k2", (), case="easy-1", run=3, facts=CASES[0], error="broke off"),
        name="board.db",
    )  # fmt: skip
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    said = ""
    for words in WORDS:
        monkeypatch.setattr(sys, "argv", ["reviewer", "board", store.name, *words])
        with pytest.raises(SystemExit) as ended:
            main()
        told = capsys.readouterr()
        said += f"$ {' '.join(sys.argv)}\n{told.out}{told.err}[{ended.value.code}]\n\n"
    path = GOLDEN / "board.txt"
    if os.environ.get("REVIEWER_GOLDEN") == "write":
        path.write_text(said, "utf-8")
    assert path.read_text("utf-8") == said
