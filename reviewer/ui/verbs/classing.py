"""Saying what a tool is: `:class cancel` on a call, `:class refund TOOL` on any, `:class ? TOOL` to take it back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from reviewer.errors import ReviewerError

if TYPE_CHECKING:
    from reviewer.ui.screens.review import ReviewScreen


class Classing:
    """The command that names the class of a tool in the desk."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Nothing has a key; the command line leads here."""
        return {"class": self.ask}

    def ask(self, text: str) -> None:
        """Class the tool that is named, else the one under the cursor; without a class, say what it is."""
        act, _, named = text.partition(" ")
        tool = self._named(named.strip()) if named.strip() else self._here()
        if not act:
            entry = self._screen.viewing.desk.tools.get(tool)
            is_now = f"is {entry.act}" if entry else "has no class"
            self._screen.say(f"{tool} {is_now}. It looks like: class read, class handover, class cancel, class ?")
            return
        stored = self._screen.reading.stored
        if stored is not None:
            self._screen.say("Writing the desk …", "muted")
            work = partial(self._write, stored.desk, tool, act)
            self._screen.run_worker(work, thread=True, exclusive=True, group="desk")

    def _here(self) -> str:
        """The tool under the cursor: the call's, or that of a message with a single call."""
        stored, cursor = self._screen.reading.stored, self._screen.transcript.cursor
        calls = stored.conversation.messages[cursor.message - 1].calls if stored and cursor.message else ()
        if cursor.call is None and len({call.name for call in calls}) != 1:
            raise ReviewerError("No call is under the cursor.", "Move to one, or name its tool: class cancel TOOL.")
        return calls[(cursor.call or 1) - 1].name

    def _named(self, tool: str) -> str:
        """A tool that somebody called in this store; what is misspelt would class nothing for good."""
        near = self._screen.reading.reader.vocabulary.values("tool", tool)
        if tool not in near:
            meant = f"Near it: {', '.join(near[:5])}." if near else "The cursor on a call names its own."
            raise ReviewerError(f"Nobody called a tool “{tool}” in this store.", meant)
        return tool

    def _write(self, text: str | None, tool: str, act: str) -> None:
        from reviewer.session.classing import class_tool

        screen, worker = self._screen, get_current_worker()
        try:
            words, style = class_tool(screen.reading.path, text, tool, act), "good"
        except ReviewerError as error:
            words, style = str(error), "bad"
        if not worker.is_cancelled:
            screen.app.call_from_thread(self._written, words, style)

    def _written(self, words: str, style: str) -> None:
        """Classes are derived when a conversation is read, so it is enough to read this one again."""
        screen = self._screen
        if style == "good":
            screen.watching.known()
            screen.showing.read_again()
            screen.queueing.forget()
        screen.say(words, style)
