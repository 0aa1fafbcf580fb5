"""The queue: one line a conversation, a million of them if need be.

Owns the cursor and what is on screen. It is given the ids in order, where groups begin among them, and functions that
say what is known of a few of them; it keeps only the lines near the screen. The cursor counts conversations, never the
heads of groups.
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
from reviewer.ui.groups import Groups
from reviewer.ui.messages import ConversationChosen, ConversationEntered
from reviewer.ui.theme import is_plain, styles
from reviewer.ui.widgets.byline import ByLine
from reviewer.ui.widgets.strips import Bit, strip_of

Fetch = Callable[[Sequence[int]], Sequence[QueueRow]]
Describe = Callable[[QueueRow, int], list[Bit]]
DescribeGroup = Callable[[int, int, int], list[Bit]]
"""What the head of a group says, whose conversations stand from one place of the queue to another; and its width."""
_NEAR = 60
_KEPT = 1_000


class Queue(ByLine, ScrollView, can_focus=True):
    """The list of conversations."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("queue")]
    # Style sheets are inherited from the first base alone, so what a ScrollView has is said again.
    DEFAULT_CSS = "Queue { height: 1fr; overflow-x: hidden; overflow-y: auto; scrollbar-size-vertical: 1; }"

    cursor: reactive[int] = reactive(0, repaint=False, init=False)

    def __init__(self, fetch: Fetch, describe: Describe, describe_group: DescribeGroup, *, id: str) -> None:
        super().__init__(id=id)
        self.ids: array[int] = array("q")
        self.groups = Groups()
        self._fetch = fetch
        self._describe = describe
        self._describe_group = describe_group
        self._rows: dict[int, QueueRow] = {}

    def show(self, ids: array[int], cursor: int, starts: array[int] | None = None) -> None:
        """Take these conversations as the queue; the cursor goes where it is told, saying nothing."""
        self.ids = ids
        self.groups = Groups(len(ids), starts or array("i"))
        self.set_reactive(Queue.cursor, cursor)
        self.virtual_size = Size(1, self.groups.lines)  # lines have no width of their own: a resize lays out nothing
        self._bring_into_view()
        self.refresh()

    def point(self, index: int | None) -> None:
        """The cursor on what was opened in another way, saying nothing; off the list when it is not in it."""
        before = self.cursor
        self.set_reactive(Queue.cursor, -1 if index is None else index)
        self._bring_into_view()
        self.refresh_line(self.groups.line(before))
        self.refresh_line(self.groups.line(self.cursor))

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
        """How many conversations further so many pages lead."""
        lines = int(pages * max(1, self.scrollable_content_region.height - 1))
        at = max(0, self.cursor)
        by = self.groups.near(self.groups.line(at) + lines) - at if self.ids else 0
        return by or (1 if pages > 0 else -1)

    def watch_cursor(self, old: int, new: int) -> None:
        """Repaint the two lines and say where the cursor is."""
        self._bring_into_view()
        self.refresh_line(self.groups.line(old))
        self.refresh_line(self.groups.line(new))
        self.post_message(ConversationChosen(new))

    def drawn(self, y: int) -> Strip:
        """A conversation's line, the head of a group, or an empty line below the last."""
        line = y + self.scroll_offset.y
        look = styles(self.app.theme)
        width = self.scrollable_content_region.width
        if line >= self.groups.lines:
            return Strip.blank(width, self.ground)
        group, index = self.groups.at(line)
        if index is None or self._covered(y):
            bits = [(" ", ""), *self._describe_group(*self.groups.members(group), width - 1)]
            return strip_of(bits, look, width, self.ground)
        row = self.row(index)
        here = index == self.cursor
        bits = self._describe(row, width - 1) if row else [("gone from the store", "muted")]
        bar: Bit = (glyph("cursor", is_plain(self.app)), "bar") if here else (" ", "")
        return strip_of([bar, *bits], look, width, self.ground + look["cursor"] if here else self.ground)

    def on_click(self, event: Click) -> None:
        """A click moves the cursor, a second one reads."""
        y = event.get_content_offset_capture(self).y
        line = y + self.scroll_offset.y
        if 0 <= line < self.groups.lines:
            group, index = self.groups.at(line)
            on_head = index is None or self._covered(y)
            self.cursor = self.groups.members(group)[0] if on_head else self.groups.near(line)
            if event.chain > 1 and not on_head:
                self.post_message(ConversationEntered())

    def on_resize(self, _: Resize) -> None:
        """Keep the cursor on screen."""
        self._bring_into_view()

    def _covered(self, y: int) -> bool:
        """Whether the head of a group that has scrolled away stands on this line, in the place of a conversation."""
        return y == 0 and bool(self.groups.starts)

    def _bring_into_view(self) -> None:
        height = self.scrollable_content_region.height
        if self.cursor < 0:
            return
        top = self.scroll_offset.y
        margin = min(3, max(0, (height - 1) // 2))
        line = self.groups.line(self.cursor)
        wanted = min(max(top, line - height + 1 + margin), line - margin)
        wanted = max(0, min(wanted, self.groups.lines - height))
        if wanted != top:
            self.scroll_to(y=wanted, animate=False, immediate=True)
