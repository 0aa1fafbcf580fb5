"""Saying what a tool is: `:class cancel` on a call, `:class refund TOOL` on any, `:class ? TOOL` in no class."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from reviewer.desk import kept
from reviewer.errors import ReviewerError

if TYPE_CHECKING:
    from reviewer.model import Stored
    from reviewer.ui.screens.keyed import KeyedScreen
    from reviewer.ui.sheet import Item
    from reviewer.ui.verbs.writing import Writing

Spot = Callable[[], "tuple[Stored | None, Item]"]
"""The conversation that is meant, and the item under the cursor."""


class Classing:
    """The command that names the class of a tool in the desk."""

    def __init__(self, screen: KeyedScreen, marking: Writing, spot: Spot) -> None:
        self._screen = screen
        self._marking = marking
        self._spot = spot

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Nothing has a key; the command line leads here."""
        return {"class": self.ask}

    def ask(self, text: str) -> None:
        """Class the tool that is named, else the one under the cursor; without a class, say what it is."""
        stored, cursor = self._spot()
        if stored is None:
            return
        act, _, named = text.partition(" ")
        tool = self._named(named.strip()) if named.strip() else _here(stored, cursor)
        if act:
            self._marking.desking.class_tool(stored.desk, tool, act)
            return
        entry = kept(stored.desk).tools.get(tool)
        is_now = f"is {entry.act}" if entry else "has no class"
        self._screen.say(f"{tool} {is_now}. It looks like: class read, class handover, class cancel, class ?")

    def _named(self, tool: str) -> str:
        """A tool that somebody called in this store; what is misspelt would class nothing for good."""
        near = self._screen.reading.reader.vocabulary.values("tool", tool)
        if tool not in near:
            meant = f"Near it: {', '.join(near[:5])}." if near else "The cursor on a call names its own."
            raise ReviewerError(f"Nobody called a tool “{tool}” in this store.", meant)
        return tool


def _here(stored: Stored, cursor: Item) -> str:
    """The tool under the cursor: the call's, or that of a message with a single call."""
    calls = stored.conversation.messages[cursor.message - 1].calls if cursor.message else ()
    if cursor.call is None and len({call.name for call in calls}) != 1:
        raise ReviewerError("No call is under the cursor.", "Move to one, or name its tool: class cancel TOOL.")
    return calls[(cursor.call or 1) - 1].name
