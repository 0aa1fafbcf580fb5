"""The floor that the app is measured against: a Textual app with one short list that moves by j and k, nothing more."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.widgets import OptionList


class Floor(App[None]):
    """Nothing but a list."""

    BINDINGS: ClassVar[list[BindingType]] = [("j", "down"), ("k", "up"), ("q", "quit")]

    def compose(self) -> ComposeResult:
        """The list."""
        yield OptionList(*[f"conversation {number}" for number in range(20)])

    def action_down(self) -> None:
        """To the next line."""
        self.query_one(OptionList).action_cursor_down()

    def action_up(self) -> None:
        """To the one before."""
        self.query_one(OptionList).action_cursor_up()


if __name__ == "__main__":
    Floor().run()
