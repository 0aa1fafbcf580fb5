"""No key of the app looks at all that is long: what was said, asked of tools, thought, noted, known.

Every action of the screens is done by its key on stores whose every text is one hostile piece repeated, sixteen times
as long in one as in the other. What is counted is the processor time of the thread that hears keys.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from reviewer.app.keys import ACTIONS
from reviewer.transcripts.model import Case, Conversation, Score
from tests import builders
from tests.builders import agent, call, customer
from tests.pumping import pumped
from tests.ui.room import Room, room

SHORT, LONG = 20_000, 320_000
MOST, LITTLE = 3.0, 0.025
"""How many times as long a key may take in the long texts, and seconds below which it takes little."""
TRIES = 3
"""Walks of which the least counts: what else the machine does takes time too."""
PIECES = ("\u0730", "a. ", '{"a":[1]},')
LEAVE = {"quit", "prose", "copy", "copy.ref"}
FAR = {"select.last"}
"""Goes to the end of a text; to find its last field, all of the text is read."""
WAYS = (
    {"transcript": (), "review": (), "anywhere": (), "select": ("v",)},
    {"compare": ("=",), "grid": ("B",), "board": ("M",), "suggestions": ("!",)},
)
"""How one comes from the transcript to each pane, screen or state, in two walks."""
"""Actions that end the program or hand a text to another."""
DIALOGS = {
    "mark.pick": ("x",),
    "note": ("x", "backspace"),
    "clause": ("x",),
    "facts": ("G",),
    "help": ("G",),
    "command": ("g", "o"),
    "palette": ("x",),
    "filter": ("x",),
    "find": ("a", "enter"),
}
"""Keys that are pressed in what an action opens."""


def stored(folder: Path, text: str) -> Path:
    """A store of two runs of a case about which everything is this text."""
    looked = call("get_order", text, text)
    said = (customer(text), agent(text, looked, call("cancel_order", '{"id":"1"}', text), reasoning=text), agent(text))
    facts = Case("long", "s", "f", "adversarial", persona=text, goal=text, context=text, expected=(text,),
                 labels=("x",), order={"number": text}, lure="story")  # fmt: skip
    scores = (Score("resolution", 1.0, "judge", text), Score("tone", None, "judge", text, text))
    held = [
        Conversation("kimi", said, case="long", run=run, facts=facts, scores=scores, error=text, meta={"m": text})
        for run in (1, 2)
    ]
    folder.mkdir()
    return builders.store(folder, *held)


def keys_of(scope: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each action of a pane by its key, and what is pressed in what it opens."""
    for action in ACTIONS:
        if scope in action.scopes and action.id not in LEAVE | FAR:
            yield action.id, (action.keys[0], *DIALOGS.get(action.id, ()))


async def spent(here: Room, *keys: str) -> float:
    """Seconds that the thread which hears keys works for some."""
    before = time.thread_time()
    await here.press(*keys)
    return time.thread_time() - before


async def walked(folder: Path, text: str, ways: Mapping[str, tuple[str, ...]]) -> dict[str, float]:
    """What each action takes, by where it is done and its name."""
    took: dict[str, float] = {}
    async with room(stored(folder, text)) as here:
        await here.press("shift+tab", "shift+tab", "1", "1", "c", "x", "enter")
        for scope, way in ways.items():
            for name, keys in keys_of(scope):
                await here.press(*way)
                took[f"{scope} {name}"] = await spent(here, *keys)
                await here.press("escape")
                while here.app.screen is not here.screen:
                    await here.press("escape")
    return took


def text_of(piece: str, size: int) -> str:
    """A text of one piece; the last of them makes JSON."""
    return f"[{pumped(piece, size, '')}0]" if piece == PIECES[-1] else pumped(piece, size, "")


@pytest.mark.parametrize("ways", WAYS, ids=["reading", "beside it"])
@pytest.mark.parametrize("piece", PIECES)
async def test_a_key_takes_as_long_in_a_long_text_as_in_a_short_one(
    tmp_path: Path, piece: str, ways: Mapping[str, tuple[str, ...]]
) -> None:
    least: dict[tuple[int, str], float] = {}
    slow: list[tuple[str, float, float]] = []
    for walk in range(TRIES):
        for size in (SHORT, LONG):
            for name, took in (await walked(tmp_path / f"{size}-{walk}", text_of(piece, size), ways)).items():
                least[size, name] = min(took, least.get((size, name), took))
        both = [(name, least[SHORT, name], took) for (size, name), took in least.items() if size == LONG]
        slow = [each for each in both if each[2] > MOST * max(each[1], LITTLE)]
        if not slow:
            break
    assert len(least) >= 160
    assert not slow
