"""The queue: one line a conversation, a million of them if need be.

Owns the cursor and what is on screen. It is given the ids in order and a function that says what is known of a few of
them; it keeps only the lines near the screen.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.events import Click, Resize
from textual.geometry import Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from reviewer.glyphs import glyph
from reviewer.model import QueueRow
from reviewer.ui.bindings import bindings
from reviewer.ui.messages import ConversationChosen, ConversationEntered
from reviewer.ui.theme import is_plain, styles
from reviewer.ui.widgets.byline import ByLine
from reviewer.ui.widgets.strips import Bit, strip_of

Fetch = Callable[[Sequence[int]], Sequence[QueueRow]]
Describe = Callable[[QueueRow, int], list[Bit]]
_NEAR = 60
_KEPT = 1_000


class Queue(ByLine, ScrollView, can_focus=True):
    """The list of conversations."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("queue")]
    DEFAULT_CSS = "Queue { overflow-x: hidden; scrollbar-size-vertical: 1; }"

    cursor: reactive[int] = reactive(0, repaint=False, init=False)

    def __init__(self, fetch: Fetch, describe: Describe, *, id: str) -> None:
        super().__init__(id=id)
        self.ids: array[int] = array("q")
        self._fetch = fetch
        self._describe = describe
        self._rows: dict[int, QueueRow] = {}

    def show(self, ids: array[int], cursor: int) -> None:
        """Take these conversations as the queue; the cursor goes where it is told, saying nothing."""
        self.ids = ids
        self.set_reactive(Queue.cursor, cursor)
        self.virtual_size = Size(1, len(ids))  # lines have no width of their own, so a resize lays out nothing
        self._bring_into_view()
        self.refresh()

    def point(self, index: int | None) -> None:
        """The cursor on what was opened in another way, saying nothing; off the list when it is not in it."""
        before = self.cursor
        self.set_reactive(Queue.cursor, -1 if index is None else index)
        self._bring_into_view()
        self.refresh_line(before)
        self.refresh_line(self.cursor)

    def forget(self) -> None:
        """Ask again for what the lines say."""
        self._rows.clear()
        self.refresh()

    def row(self, index: int) -> QueueRow | None:
        """What is known of a line; None when the store no longer has it."""
        rowid = self.ids[index]
        if rowid not in self._rows:
            if len(self._rows) > _KEPT:
                self._rows.clear()
            start = max(0, index - _NEAR // 2)
            near = self.ids[start : start + _NEAR]
            self._rows.update((row.rowid, row) for row in self._fetch(near))
        return self._rows.get(rowid)

    def page(self, pages: float) -> int:
        """How many lines so many pages are."""
        return int(pages * max(1, self.scrollable_content_region.height - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        """Repaint the two lines and say where the cursor is."""
        self._bring_into_view()
        self.refresh_line(old)
        self.refresh_line(new)
        self.post_message(ConversationChosen(new))

    def drawn(self, y: int) -> Strip:
        """A conversation's line, or an empty one below the last."""
        index = y + self.scroll_offset.y
        look = styles(self.app.theme)
        width = self.scrollable_content_region.width
        if index >= len(self.ids):
            return Strip.blank(width, self.ground)
        row = self.row(index)
        here = index == self.cursor
        bits = self._describe(row, width - 1) if row else [("gone from the store", "muted")]
        bar: Bit = (glyph("cursor", is_plain(self.app)), "bar") if here else (" ", "")
        return strip_of([bar, *bits], look, width, self.ground + look["cursor"] if here else self.ground)

    def on_click(self, event: Click) -> None:
        """A click moves the cursor, a second one reads."""
        index = event.get_content_offset_capture(self).y + self.scroll_offset.y
        if 0 <= index < len(self.ids):
            self.cursor = index
            if event.chain > 1:
                self.post_message(ConversationEntered())

    def on_resize(self, _: Resize) -> None:
        """Keep the cursor on screen."""
        self._bring_into_view()

    def _bring_into_view(self) -> None:
        height = self.scrollable_content_region.height
        if self.cursor < 0:
            return
        top = self.scroll_offset.y
        margin = min(3, max(0, (height - 1) // 2))
        wanted = min(max(top, self.cursor - height + 1 + margin), self.cursor - margin)
        wanted = max(0, min(wanted, len(self.ids) - height))
        if wanted != top:
            self.scroll_to(y=wanted, animate=False, immediate=True)
