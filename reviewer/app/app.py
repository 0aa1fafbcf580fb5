"""The app: puts the parts together and is where errors that a person should read end up. No SQL, no files."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import RenderableType
from rich.text import Text
from textual import on
from textual.app import App
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.driver import Driver
from textual.events import Event, Key, MouseDown, Paste, Resize
from textual.screen import Screen
from textual.theme import Theme
from textual.worker import WorkerFailed

from reviewer.app.keys import AS_USUAL, Bound, bound_to
from reviewer.app.reading.review_screen import ReviewScreen
from reviewer.app.shared.bindings import KeyedApp, bindings
from reviewer.app.shared.crash_file import CrashCause, causes_of, crash_text, write_crash_file
from reviewer.app.shared.messages import QueueWanted, ReadingWanted
from reviewer.app.shared.position import ReadingPosition
from reviewer.app.shared.theme import DEFAULT, PLAIN, THEMES, WITHOUT_COLOURS, borders, themes
from reviewer.app.shared.typeahead import TypeAhead
from reviewer.basics.clean import printable
from reviewer.basics.errors import ReviewerError

if TYPE_CHECKING:
    from reviewer.app.reading.memory import Memory
    from reviewer.findings.review_session import ReviewSession


_FAREWELL = 3
"""Seconds that leaving may take when the terminal may be gone already."""
_GLANCE = 1.0
"""Seconds between two looks at whether the terminal is still there."""


class ReviewerApp(KeyedApp):
    """The reading room."""

    TITLE = "reviewer"
    ENABLE_COMMAND_PALETTE = False
    ESCAPE_TO_MINIMIZE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("anywhere"),
        Binding("ctrl+c", "quit", show=False, system=True),
        Binding("ctrl+z", "suspend_process", show=False, system=True),
    ]

    def __init__(
        self,
        reading: ReadingPosition,
        begin: Callable[[], ReviewSession],
        *,
        at: str = "",
        theme: str = "",
        plain: bool = False,
        suggestions: bool = True,
        memory: Memory | None = None,
        bound: Bound = AS_USUAL,
        trouble: ReviewerError | None = None,
    ) -> None:
        colourless = "NO_COLOR" in os.environ
        self._plain = plain
        wanted = theme or (memory.place.theme if memory else "")
        # before Textual reads it, or else it makes its style sheets for another theme first
        self.set_reactive(App.theme, WITHOUT_COLOURS if colourless else wanted if wanted in THEMES else DEFAULT)
        super().__init__(ansi_color=True if colourless else None)
        self._suggestions = suggestions
        self._memory = memory
        self._trouble = trouble
        self.bound = bound
        self.rebind(self)
        self.set_class(plain, PLAIN)
        self._reading = reading
        self._begin = begin
        self._at = at
        self.crash = ""
        """The sentence about the error that ended the app."""
        self.typed = TypeAhead(self, super().on_event, bound_to("quit", bound).keys)

    @cached_property
    def available_themes(self) -> dict[str, Theme]:
        """Ours beside Textual's, from the first style sheet on; it is asked for with every line that is painted."""
        return {**super().available_themes, **themes()}

    def get_default_screen(self) -> Screen[None]:
        """The reading room is the only screen at the start."""
        return ReviewScreen(
            self._reading,
            self._begin,
            self._at,
            plain=self._plain,
            suggestions=self._suggestions,
            memory=self._memory,
            bound=self.bound,
        )

    def get_css_variables(self) -> dict[str, str]:
        """The theme's, and which signs borders are made of."""
        return {**super().get_css_variables(), **borders(self._plain)}

    def on_load(self) -> None:
        """Leave the terminal as it was even when the program is told to end."""
        for number in (signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, self._told_to_go, number)

    @on(Driver.SignalResume)
    def _brought_back(self) -> None:
        """Paint all of it: the terminal has shown another program since Ctrl+Z, and holds nothing of ours."""
        self.refresh(layout=True)

    def _told_to_go(self, number: signal.Signals) -> None:
        signal.alarm(_FAREWELL)  # a terminal that is gone takes no more output, and would be waited for
        self.exit(return_code=128 + number)

    async def on_event(self, event: Event) -> None:
        """Queue what is typed, in order, except for the key that stops everything; clean what is pasted."""
        if isinstance(event, Paste | MouseDown | Resize):
            self.last_actions.add(type(event).__name__)
        stops = isinstance(event, Key) and event.key == "ctrl+c"
        if isinstance(event, Key | Paste) and not event.is_forwarded and not stops:
            if isinstance(event, Paste):
                event.text = printable(
                    "\n".join(event.text.splitlines()), joined=True
                )  # terminals send line ends as \r
            self.typed.take(event)
        else:
            await super().on_event(event)

    async def _dispatch_action(self, namespace: DOMNode, action_name: str, params: Any) -> bool:
        """Keep the name of each action; those of a screen's table are kept where they are done."""
        if action_name != "do":
            self.last_actions.add(f"{type(namespace).__name__}.{action_name}")
        return await super()._dispatch_action(namespace, action_name, params)

    def forget_typed(self) -> None:
        """Drop the keys that were typed and that nobody has taken yet."""
        self.typed.waiting.clear()

    def _look_for_terminal(self) -> None:
        """Leave when the terminal was closed; whoever started us may have been told of it in our place, as make is."""
        terminal = select.poll()
        terminal.register(sys.__stdin__ or 0, 0)
        if any(told & select.POLLHUP for _, told in terminal.poll(0)):
            self._told_to_go(signal.SIGHUP)

    def on_ready(self) -> None:
        """Say what was wrong from the start, when there is something to read beside it."""
        if not self.is_headless:
            self.set_interval(_GLANCE, self._look_for_terminal)
        if self._trouble is not None:
            self.complain(self._trouble)

    def copy_to_clipboard(self, text: str) -> None:
        """Copy a text without anything that steers terminals, as it will be pasted into one."""
        super().copy_to_clipboard(printable(text, joined=True))

    def on_reading_wanted(self, event: ReadingWanted) -> None:
        """Go back to the reading room, to the place that is wanted there."""
        self._in_the_reading_room("goto", event.ref)

    def on_queue_wanted(self, event: QueueWanted) -> None:
        """Go back to the reading room, and read there what a filter lets through."""
        self._in_the_reading_room("filter.entered", event.query)

    def _in_the_reading_room(self, action: str, text: str) -> None:
        while len(self.screen_stack) > 1:
            self.pop_screen()
        room = self.screen
        if isinstance(room, ReviewScreen):
            room.action_do(action, text)
            if action == "goto" and self._reading.came_from_report:
                room.say(f"{room.key('back')} goes back to the report.", "muted")

    def _handle_exception(self, error: Exception) -> None:
        """Close with a sentence where nobody took up what a person should read; else with all that is known of it."""
        meant = error.error if isinstance(error, WorkerFailed) else error
        if isinstance(meant, ReviewerError):
            self._exception = self._exception or meant  # what drives the app in a test is told as well
            self.exit(return_code=meant.exit_code, message=Text(printable(str(meant))))
        else:
            self.ended_on(causes_of(meant))
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """Close without a traceback: it would print the values of variables, which hold texts of the store."""
        self._close_messages_no_wait()

    def panic(self, *renderables: RenderableType) -> None:
        """Close on an error that came as its traceback: the thread that reads the terminal hands over no other."""
        from rich.traceback import Traceback

        stacks = [each.trace.stacks for each in renderables if isinstance(each, Traceback)]
        self.ended_on([CrashCause.from_stack(stack) for stacks_of_one in stacks for stack in reversed(stacks_of_one)])
        self._return_code = 1
        self._fatal_error()

    def ended_on(self, errors: list[CrashCause]) -> None:
        """Write the crash file for the first error that ends the app, and keep the sentence about it for the end."""
        if self.crash:
            return
        folder = self._reading.reader.path.absolute().parent
        parts = {
            "Screens, the top one last": [_focus(each) for each in self.screen_stack],
            "Sizes": self._sizes(),
            "Last actions": self.last_actions.lines(),
        }
        path = write_crash_file(crash_text(errors, parts), folder)
        where = f"{path} says where, without any text of a conversation" if path else "no file about it can be written"
        self.crash = f"The app ended on an error of its own ({errors[-1].kind if errors else 'unknown'}); {where}."

    def _sizes(self) -> list[str]:
        reading = self._reading
        stored = reading.stored
        return [
            f"terminal: {self.size.width}x{self.size.height}",
            f"conversations in the store: {reading.info['conversations']:,}; in the queue: {len(reading.ids):,}",
            f"messages of the open conversation: {len(stored.conversation.messages) if stored else 'none is open'}",
        ]

    def complain(self, error: ReviewerError) -> None:
        """Say what went wrong and what to do about it."""
        self.notify(printable(error.hint), title=printable(error.message), severity="error", markup=False, timeout=10)


def _focus(screen: Screen[Any]) -> str:
    """The type of a screen, and of the widget in it that takes the keys."""
    return f"{type(screen).__name__}: {type(screen.focused).__name__ if screen.focused else 'no widget takes the keys'}"
