"""No key of the app looks more than once at what is long: what was said, asked of tools, thought, noted, known.

Every action of the reading room is done by its key on stores whose every text is one hostile piece repeated, four times
as long in one as in the other. What is counted is the processor time of the thread that hears keys.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewer.keys import ACTIONS
from reviewer.model import Case, Conversation, Score
from tests import builders
from tests.builders import agent, call, customer
from tests.pumping import LARGE, MOST, SHORT, SMALL, pumped
from tests.ui.room import Room, room

PIECES = ("\u0730", "a. ", '{"a":[1]},')
LEAVE = {"quit", "prose", "copy", "copy.ref"}
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
        if scope in action.scopes and action.id not in LEAVE:
            yield action.id, (action.keys[0], *DIALOGS.get(action.id, ()))


async def spent(here: Room, *keys: str) -> float:
    """Seconds that the thread which hears keys works for some."""
    before = time.thread_time()
    await here.press(*keys)
    return time.thread_time() - before


async def walked(folder: Path, text: str) -> dict[str, float]:
    """What each action takes, by pane and name."""
    took: dict[str, float] = {}
    async with room(stored(folder, text)) as here:
        await here.press("shift+tab", "shift+tab", "1", "c", "x", "enter")
        for scope, way in (("transcript", ()), ("review", ()), ("anywhere", ()), ("select", ("v",))):
            for name, keys in keys_of(scope):
                await here.press(*way)
                took[f"{scope} {name}"] = await spent(here, *keys)
                await here.press("escape", "escape")
    return took


@pytest.mark.parametrize("piece", PIECES)
async def test_a_key_takes_a_time_that_grows_with_the_text_at_most(tmp_path: Path, piece: str) -> None:
    small = await walked(tmp_path / "small", pumped(piece, SMALL, ""))
    large = await walked(tmp_path / "large", pumped(piece, LARGE, ""))
    assert len(small) >= 80
    slow = {name: (small[name], large[name]) for name in small if large[name] > MOST * max(small[name], 2 * SHORT)}
    assert not slow
