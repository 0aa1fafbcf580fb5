"""Writing desks from a screen: behind it, since another writer may be waited for; then every screen looks again.

Owns the one worker that writes. What is said of it in the journal comes last, on the thread that paints.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual.worker import Worker, get_current_worker

from reviewer.errors import JournalError, ReviewerError

if TYPE_CHECKING:
    from reviewer.session import Outcome, Session
    from reviewer.session.classing import Way
    from reviewer.session.history import Act
    from reviewer.ui.surface import Stage
    from reviewer.ui.verbs.writing import Writing

Say = Callable[["Session"], "Outcome"]
"""What a session is told of what was written."""


class Desking:
    """Changes what tools mean."""

    def __init__(self, screen: Stage, marking: Writing) -> None:
        self._screen = screen
        self._marking = marking
        self._writing: Worker[None] | None = None

    def class_tool(self, text: str | None, tool: str, act: str) -> None:
        """Class a tool in the desk of that text."""
        from reviewer.session.classing import class_tool

        def work() -> Say:
            change = class_tool(self._screen.reading.path, text, tool, act)
            return lambda session: session.classed(change)

        self._begin(work)

    def turn(self, act: Act, way: Way) -> None:
        """Take back what was done to a desk, or do it again."""
        from reviewer.session.classing import turn

        def work() -> Say:
            turn(self._screen.reading.path, act[0].fields, way)
            return lambda session: session.undo(act) if way == "undo" else session.redo(act)

        self._begin(work, act)

    def _begin(self, work: Callable[[], Say], act: Act = ()) -> None:
        if self._writing is not None and not self._writing.is_finished:
            self._screen.say("The desk is still being written; wait a moment.", "muted")
            return
        self._screen.say("Writing the desk …", "muted")
        run = partial(self._work, work, act)
        self._writing = self._screen.run_worker(run, thread=True, exclusive=False, group="desk")

    def _work(self, work: Callable[[], Say], act: Act) -> None:
        worker, tell = get_current_worker(), self._screen.app.call_from_thread
        try:
            say = work()
        except ReviewerError as error:
            if not worker.is_cancelled:
                tell(self._failed, error, act)
        else:
            if not worker.is_cancelled:
                tell(self._screen.guarded(self._written), say)

    def _failed(self, error: ReviewerError, act: Act) -> None:
        if isinstance(error, JournalError):
            self._marking.session.pen.pass_over(act)
        self._screen.say(str(error), "bad")

    def _written(self, say: Say) -> None:
        from reviewer.ui.screens.keyed import KeyedScreen

        for screen in self._screen.app.screen_stack:
            if isinstance(screen, KeyedScreen):
                screen.look_again()
        self._marking.act(say)
