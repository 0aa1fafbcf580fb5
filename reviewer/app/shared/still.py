"""Screens that are still while another one covers them.

Textual counts the screen beneath another as visible, whether or not anything of it shows through. Once something on it
has changed, that screen asks to be painted again in every frame, and the whole of it is written to the terminal sixty
times a second for as long as the other one is open. So only the screen on top paints: a dialog once for each change
of what shows through around it, and a screen that comes up again as a whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from textual import on
from textual.messages import Update
from textual.screen import ModalScreen, Screen

if TYPE_CHECKING:
    from textual.widgets import Input, TextArea

Result = TypeVar("Result")


def steady(*fields: Input | TextArea) -> None:
    """Keep the cursor of these fields from blinking: each blink is written to the terminal."""
    for field in fields:
        field.cursor_blink = False


def _is_on_top(screen: Screen[Any]) -> bool:
    stack = screen.app.screen_stack
    return bool(stack) and stack[-1] is screen


class StillScreen(Screen[None]):
    """The base of the screens that cover the whole terminal."""

    @property
    def is_seen(self) -> bool:
        """True if nothing but dialogs stands over this screen."""
        seen = (each for each in reversed(self.app.screen_stack) if not isinstance(each, Dialog))
        return next(seen, None) is self

    @on(Update)
    def show_through(self) -> None:
        """Have the dialog on top painted again when something around it has changed."""
        if not self.is_current and self.is_seen:
            self.app.screen.refresh()

    @property
    def is_current(self) -> bool:
        """True if this is the screen on top."""
        return _is_on_top(self)


class Dialog(ModalScreen[Result]):
    """The base of what opens over a screen, and is closed with an answer."""

    @property
    def is_current(self) -> bool:
        """True if this is the screen on top."""
        return _is_on_top(self)
