"""The keys that go by item, by a few lines and by page, whatever it is that they go through."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from reviewer.app.shared.messages import ReadingWanted

if TYPE_CHECKING:
    from reviewer.app.shared.keyed_screen import KeyedScreen
    from reviewer.app.shared.scroll import TableWidget


_FEW = 3


class Movements(Protocol):
    """The interface of what one can go through."""

    def item(self, by: int) -> None:
        """Go to the next item."""

    def edge(self, last: bool) -> None:
        """Go to the first or the last item."""

    def scroll(self, lines: int) -> None:
        """Scroll by a few lines."""

    def page(self, pages: float) -> None:
        """Scroll by a page, or a part of one."""


def walking(through: Movements) -> dict[str, Callable[..., None]]:
    """Return actions with the functions that do them."""
    return {
        "item.next": partial(through.item, 1),
        "item.previous": partial(through.item, -1),
        "item.first": partial(through.edge, False),
        "item.last": partial(through.edge, True),
        "scroll.down": partial(through.scroll, _FEW),
        "scroll.up": partial(through.scroll, -_FEW),
        "half.down": partial(through.page, 0.5),
        "half.up": partial(through.page, -0.5),
        "page.down": partial(through.page, 1.0),
        "page.up": partial(through.page, -1.0),
    }


class TableKeys:
    """The keys that go through a table and away from it, as grid and board have them."""

    def __init__(self, screen: KeyedScreen, table: TableWidget) -> None:
        self._at = screen
        self._table = table

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {
            **walking(self),
            "cell.next": partial(self._table.move, 0, 1),
            "cell.previous": partial(self._table.move, 0, -1),
            "goto": self.goto,
            "back": self.back,
        }

    def item(self, by: int) -> None:
        """Go to the next line."""
        self._table.move(by)

    def edge(self, last: bool) -> None:
        """Go to the first or the last line."""
        self._table.move(self._table.count if last else -self._table.count)

    def scroll(self, lines: int) -> None:
        """Go a few lines on."""
        self._table.move(lines)

    def page(self, pages: float) -> None:
        """Go so many pages on."""
        self._table.page(pages)

    def goto(self, text: str) -> None:
        """Follow a reference, in the reading room."""
        self._at.post_message(ReadingWanted(text))

    def back(self) -> None:
        """Go back to the screen one came from."""
        self._at.dismiss()
