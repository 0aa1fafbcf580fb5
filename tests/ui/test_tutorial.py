"""The tutorial, done as it says: its commands in a shell, its keys in the app, and what it says one then sees."""

from __future__ import annotations

import re
import shlex
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from typer.testing import CliRunner

from reviewer.cli.program import composed
from reviewer.marks.folder import SUPPORT
from tests.ui.room import LARGE, Room, room

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tutorial.md"
_BLOCK = re.compile(r"^```(console|keys|screen|page)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_KEY = re.compile(r'"([^"]*)"|(\S+)')


class Learner:
    """Somebody in an empty folder, who does what the page says."""

    def __init__(self, folder: Path, stack: AsyncExitStack) -> None:
        self.folder, self._stack = folder, stack
        self.room: Room | None = None

    async def console(self, block: str) -> None:
        """Run the commands, each with what is said to be printed below it."""
        for command, _, wanted in (each.partition("\n") for each in block.strip().removeprefix("$ ").split("\n$ ")):
            program, *words = shlex.split(command, comments=True)
            assert program == "reviewer"
            if words[0] == "open":
                self.room = await self._stack.enter_async_context(room(self.folder / words[1], LARGE, codebook=SUPPORT))
                continue
            result = CliRunner().invoke(composed(), words)
            assert result.exit_code == 0, f"{command}: {result.output}"
            _says(result.output, wanted)

    async def keys(self, block: str) -> None:
        """Press the keys; what stands in quotes is typed."""
        assert self.room is not None, "the app is not open yet"
        for typed, key in _KEY.findall(block):
            if key == "q":
                await self._stack.aclose()
                return
            await (self.room.press({"esc": "escape"}.get(key, key)) if key else self.room.type(typed))
            await self.room.idle()

    async def screen(self, block: str) -> None:
        """See what is said to be on the screen."""
        assert self.room is not None
        _says(self.room.text, block)

    async def page(self, block: str) -> None:
        """Read what is said to stand in a file, whose name is the first line."""
        name, _, wanted = block.partition("\n")
        _says((self.folder / name).read_text("utf-8"), wanted)


def _says(text: str, wanted: str) -> None:
    """Every wanted line stands in the text, in this order; `…` is anything."""
    at, flat = 0, " ".join(text.split())
    for line in filter(None, (" ".join(each.split()) for each in wanted.splitlines())):
        place = re.compile(".*?".join(map(re.escape, line.split("…")))).search(flat, at)
        assert place, f"“{line}” is not in:\n{text}"
        at = place.end()


async def test_the_tutorial_can_be_done_as_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REVIEWER_NAME", "maria")
    blocks = _BLOCK.findall(PAGE.read_text("utf-8"))
    assert len(blocks) > 10
    async with AsyncExitStack() as stack:
        learner = Learner(tmp_path, stack)
        for kind, block in blocks:
            await getattr(learner, kind)(block)
