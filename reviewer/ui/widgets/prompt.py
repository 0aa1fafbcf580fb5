"""The line at the foot where one types: what to find, a command, a filter."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Input

from reviewer.glyphs import plainly
from reviewer.ui.messages import PromptSaid
from reviewer.ui.theme import is_plain


class Prompt(Input):
    """One line of input with a sign in front; enter confirms, escape leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("tab", "complete", show=False),
    ]
    DEFAULT_CSS = """
    Prompt { height: 1; border: none; padding: 0; background: $panel; display: none; dock: bottom; }
    Prompt > .input--placeholder { color: $r-muted; }
    Prompt:focus { border: none; background-tint: transparent; }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, compact=True)
        self.purpose = ""

    def ask(self, purpose: str, placeholder: str, value: str = "") -> None:
        """Come up and take the keys."""
        self.purpose = purpose
        self.placeholder = plainly(placeholder, is_plain(self.app))
        with self.prevent(Input.Changed):
            self.value = value
        self.display = True
        self.focus()
        self.action_select_all()

    def action_leave(self) -> None:
        """Go without a word."""
        self.display = False
        self.post_message(PromptSaid(f"{self.purpose}.left", None, done=True))

    def action_complete(self) -> None:
        """Ask for what may stand at the cursor."""
        self.post_message(PromptSaid(f"{self.purpose}.complete", self.value, done=False))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Pass on what stands there."""
        event.stop()
        self.post_message(PromptSaid(f"{self.purpose}.typed", event.value, done=False))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Pass on what was confirmed."""
        event.stop()
        self.display = False
        self.post_message(PromptSaid(f"{self.purpose}.entered", event.value, done=True))
