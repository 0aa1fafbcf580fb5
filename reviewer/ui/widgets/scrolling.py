"""A widget with more lines than fit: what the wheel does to it, and its scroll bar."""

from __future__ import annotations

from abc import abstractmethod

from textual.events import MouseDown, MouseMove, MouseScrollDown, MouseScrollUp, MouseUp

from reviewer.ui.level import thumb
from reviewer.ui.widgets.byline import ByLine

WHEEL = 3
"""Lines that a notch of the wheel is worth."""


class Scrolling(ByLine, can_focus=True):
    """More lines than fit."""

    @abstractmethod
    def scroll_lines(self, lines: int) -> bool:
        """Scroll so many lines; False when there was nothing further."""

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """The wheel scrolls."""
        event.stop()
        self.scroll_lines(WHEEL)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """The wheel scrolls back."""
        event.stop()
        self.scroll_lines(-WHEEL)


class Barred(Scrolling):
    """With a scroll bar in the last cell of each row, which is drawn by whoever draws the row."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.top = 0
        """The first line on screen."""
        self.thumb = range(0)
        """The rows where the scroll bar stands; none where all lines fit."""
        self.held: int | None = None
        """Which row of it the mouse held when it was last pressed."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many lines there are."""

    def prepare(self) -> None:
        """Where the scroll bar stands."""
        self.thumb = thumb(self.top, self.size.height, self.count)

    def stand(self, top: int) -> bool:
        """Show the lines from there on; False when they are shown already."""
        top = max(0, min(top, self.count - self.size.height))
        if top == self.top:
            return False
        self.top = top
        super().repaint()  # the lines say what they said
        return True

    def scroll_lines(self, lines: int) -> bool:
        """Look further on; the cursor stays where it is."""
        return self.stand(self.top + lines)

    def on_mouse_down(self, event: MouseDown) -> None:
        """The scroll bar may be taken hold of."""
        at, self.held = event.get_content_offset_capture(self), None
        if self.thumb and at.x >= self.size.width - 1:
            self.held = at.y - self.thumb.start if at.y in self.thumb else len(self.thumb) // 2
            self.capture_mouse()
            self._drag(at.y)

    def on_mouse_move(self, event: MouseMove) -> None:
        """It comes along."""
        if self.held is not None and self.app.mouse_captured is self:
            self._drag(event.get_content_offset_capture(self).y)

    def on_mouse_up(self, _: MouseUp) -> None:
        """It is let go."""
        self.release_mouse()

    def _drag(self, y: int) -> None:
        height = self.size.height
        free = max(1, height - len(self.thumb))
        self.stand(round((y - (self.held or 0)) * (self.count - height) / free))
