"""Golden screens: plain text that a diff can be read of. `make golden` writes them anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reviewer.transcripts.model import Message
from tests import builders
from tests.ui.room import LARGE, SMALL, Room, room

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
SIZES = {"80x24": SMALL, "140x40": LARGE}

SCREENS = {
    "reading": ("j",),
    "selecting": ("j", "v", "j", "w"),
    "tagged": ("j", "v", "j", "2", "s"),
    "finding": ("/", "i", "t", "enter", "n"),
    "lens": ("j", "l", "n", "n"),
    "queue": ("shift+tab", "j", "j"),
    "grouped": ("O", "shift+tab", "j", "j"),
    "help": ("?",),
    "facts": ("i",),
    "modes": ("j", "t", "a", "c", "t"),
    "note": ("j", "1", "c", "h", "m"),
}


def talks(tmp_path: Path, *others: Message) -> Path:
    """A small synthetic store: two models, two cases, two runs."""
    more = (
        builders.customer("The duffel ripped. I've had it about a year, and I used it on every trip since."),
        builders.agent(
            "I'm so sorry! Let me look that up.\n\n1. **Order** #1199\n2. `used` items </think> [bold]",
            builders.call(
                "get_order", '{"order_id":"#1199"}', '{"status":"delivered","lines":[{"sku":"4471","qty":1}]}'
            ),
        ),
        builders.agent(
            "A new one is on its way!", builders.call("cancel_order", '{"order_id":"#1199"}', None, "timeout")
        ),
    )
    return builders.store(
        tmp_path,
        *(
            builders.conversation(*builders.CANCELLED, *more, *others, model=model, case=case, run=run)
            for model in ("gpt-5-mini", "kimi-k2.7-code")
            for run in (1, 2)
            for case in ("used-item-1", "vip-skip-2")
        ),
        synthetic=True,
    )


@pytest.mark.parametrize("size", list(SIZES))
@pytest.mark.parametrize("name", list(SCREENS))
async def test_golden_screens(tmp_path: Path, name: str, size: str) -> None:
    async with room(talks(tmp_path), SIZES[size]) as here:
        for key in SCREENS[name]:
            await here.press(key)
            await here.idle()
        shown = drawn(here, tmp_path)
    path = GOLDEN / f"{name}-{size}.txt"
    if os.environ.get("REVIEWER_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(shown, "utf-8")
    assert shown == path.read_text("utf-8")


def drawn(here: Room, tmp_path: Path) -> str:
    """The screen without what differs from machine to machine."""
    return "\n".join(line.replace(str(tmp_path), "TMP") for line in here.lines()) + "\n"
