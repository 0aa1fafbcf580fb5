"""No name makes it slow: models, cases, families, scorers, judges and tools of a store may be as long as a text."""

from __future__ import annotations

import time
from functools import cache, partial
from pathlib import Path

import pytest

from reviewer.transcripts.model import Case, Conversation, Score
from tests import builders
from tests.builders import agent, call, customer
from tests.pumping import LARGE, MOST, SMALL, growth, pumped
from tests.slow.test_long_keys import keys_of
from tests.ui.room import room
from tests.unit.test_damaged_stores import said

PIECES = ("ab ", "\u65e5", "%2F", "\u0301\u0327")
WAYS: dict[str, tuple[str, ...]] = {"queue": (), "board": ("M",), "compare": ("=",)}
"""How one comes to the panes that show the most names."""
COMMANDS = (
    *("open", "info", "list", "list --json", "list --columns ref,score.resolution,family,opening", "board"),
    *("board --by family", "board --json", "modes", "modes --by family", "modes --by run", "findings", "scan", "tags"),
    *("check", "imports", "report --findings", "search order", "export --format md", "export --format html"),
    *("export --format csv", "export --format jsonl", "export --mask-models --mask-customers"),
)


def named(folder: Path, piece: str, size: int) -> Path:
    """A store in which everything that has a name has a long one, with a tag and a finding."""
    name = partial(pumped, piece, size)
    talk = (customer("Where is it?"), agent("</think>Here.", call(name("t"), "{}", "{}")), agent("It is cancelled."))
    held = []
    for model in ("1", "2"):
        for case in ("1", "2"):
            facts = Case(name(case), name("s"), name(f"f{case}"), "adversarial", labels=(name("l"),), lure=name("l"))
            scores = (Score("resolution", 1.0, name("j")), Score(name("s"), 0.5, name("k"), raw=name("r")))
            more = {"facts": facts, "scores": scores, "ended_by": name("e"), "id": name(f"{model}{case}")}
            held += [Conversation(name(model), talk, case=name(case), run=run, **more) for run in (1, 2)]  # type: ignore[arg-type]
    folder.mkdir(parents=True)
    return builders.store(folder, *held)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_takes_a_time_that_grows_with_the_names(command: str, tmp_path: Path) -> None:
    slow = {}
    for number, piece in enumerate(PIECES):

        @cache
        def store(size: int, number: int = number, piece: str = piece) -> str:
            return str(named(tmp_path / f"{number}-{size}", piece, size))

        name, *options = command.split()
        words = partial(_words, name, options)
        times = growth(lambda path, words=words: said(*words(path)), store, enough=10.0)  # type: ignore[misc]
        if times > MOST:
            slow[piece] = times
    assert not slow


def _words(name: str, options: list[str], store: str) -> tuple[str, ...]:
    return name, store, *options, *(("--processes", "1") if name == "scan" else ())


@pytest.mark.parametrize("piece", PIECES[:1])
async def test_a_key_takes_a_time_that_grows_with_the_names(tmp_path: Path, piece: str) -> None:
    took: dict[tuple[str, int], float] = {}
    for size in (SMALL, LARGE):
        async with room(named(tmp_path / str(size), piece, size)) as here:
            for scope, way in WAYS.items():
                for name, keys in keys_of(scope):
                    await here.press(*way)
                    began = time.thread_time()
                    await here.press(*keys)
                    took[f"{scope} {name}", size] = time.thread_time() - began
                    await here.press("escape")
                    while here.app.screen is not here.screen:
                        await here.press("escape")
    slow = {
        name: (took[name, SMALL], least)
        for (name, size), least in took.items()
        if size == LARGE and least > MOST * max(took[name, SMALL], 0.025)
    }
    assert len(took) > 120
    assert not slow
