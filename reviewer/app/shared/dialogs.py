"""What opens over a screen: a page to read, and a note to write."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events, getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.events import Resize
from textual.widgets import Static, TextArea

from reviewer.app.shared.still import Dialog, steady
from reviewer.app.shared.theme import is_plain, plain_bars
from reviewer.basics.glyphs import plainly

_MOVES = {"j": "down", "k": "up", "space": "page_down", "b": "page_up", "g": "home", "G": "end"}


_WIDEST, _AROUND = 88, 7
"""Cells of a sheet, as its style says, and those of them that border, padding and scrollbar take."""


class SheetScreen(Dialog[None]):
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


class NoteArea(TextArea):
    """An editor in which enter is not a line break."""

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.prevent_default()
            event.stop()
            self.screen.dismiss((True, self.text))
        elif event.key == "ctrl+j":
            event.prevent_default()
            event.stop()
            self.insert("\n")
        else:
            await super()._on_key(event)


class NoteScreen(Dialog[tuple[bool, str]]):
    """Gives whether to save, and the text as it stands."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]
    DEFAULT_CSS = """
    NoteScreen { align: center bottom; background: $background 40%; }
    NoteScreen > Vertical { width: 100%; max-width: 100; height: 9; border: $r-border $primary; background: $panel; }
    NoteScreen TextArea { border: none; background: $panel; height: 1fr; padding: 0 1; }
    """

    def __init__(self, about: str, text: str) -> None:
        super().__init__()
        self._about = about
        self._text = text

    def compose(self) -> ComposeResult:
        """One editor."""
        with Vertical() as box:
            plain = is_plain(self.app)
            box.border_title = Content(plainly(self._about, plain))
            box.border_subtitle = Content(plainly("enter saves · ctrl+j new line · esc keeps the draft", plain))
            steady(area := NoteArea(self._text, soft_wrap=True, compact=True))
            yield area

    def on_mount(self) -> None:
        """Write on at the end."""
        area = self.query_one(NoteArea)
        area.move_cursor(area.document.end)

    def action_leave(self) -> None:
        """Keep what was written as a draft."""
        self.dismiss((False, self.query_one(NoteArea).text))
