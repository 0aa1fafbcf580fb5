"""Writing a note: enter saves, ctrl+j starts a line, escape keeps the draft."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import TextArea

from reviewer.text.glyphs import plainly
from reviewer.ui.theme import is_plain


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


class NoteScreen(ModalScreen[tuple[bool, str]]):
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
            yield NoteArea(self._text, soft_wrap=True, compact=True)

    def on_mount(self) -> None:
        """Write on at the end."""
        area = self.query_one(NoteArea)
        area.move_cursor(area.document.end)

    def action_leave(self) -> None:
        """Keep what was written as a draft."""
        self.dismiss((False, self.query_one(NoteArea).text))
