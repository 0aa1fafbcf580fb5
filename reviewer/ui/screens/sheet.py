"""A sheet of read-only text over the screen, scrolled by the usual keys: help, facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Resize
from textual.screen import ModalScreen
from textual.widgets import Static

from reviewer.text.glyphs import plainly
from reviewer.ui.bars import plain_bars
from reviewer.ui.theme import is_plain

_MOVES = {"j": "down", "k": "up", "space": "page_down", "b": "page_up", "g": "home", "G": "end"}


_WIDEST, _AROUND = 88, 7
"""Cells of a sheet, as its style says, and those of them that border, padding and scrollbar take."""


class SheetScreen(ModalScreen[None]):
    """Shows its text, which is laid out for a width, until it is closed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,i,question_mark,f1,enter", "dismiss", show=False),
        *(Binding(key, f"sheet('{move}')", show=False) for key, move in _MOVES.items()),
    ]
    DEFAULT_CSS = """
    SheetScreen { align: center middle; background: $background 60%; }
    SheetScreen > VerticalScroll {
        width: 88; max-width: 100%; height: auto; max-height: 92%; padding: 1 2;
        border: $r-border $primary; background: $panel; scrollbar-size-vertical: 1;
    }
    """
    text = getters.query_one(VerticalScroll)

    def __init__(self, title: str, text: Callable[[int], Content]) -> None:
        super().__init__()
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        """One sheet."""
        with VerticalScroll() as sheet:
            plain_bars(sheet)
            sheet.border_title = Content(plainly(self._title, is_plain(self.app)))
            sheet.border_subtitle = Content("esc closes")
            yield Static(self._laid(), markup=False)

    def on_resize(self, _: Resize) -> None:
        """Lay the text out for the width there is now."""
        self.query_one(Static).update(self._laid())

    def _laid(self) -> Content:
        return self._text(min(_WIDEST, self.app.size.width) - _AROUND)

    def action_sheet(self, move: str) -> None:
        """Scroll."""
        getattr(self.text, f"scroll_{move}")(animate=False)
