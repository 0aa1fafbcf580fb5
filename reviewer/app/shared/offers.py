"""The list under a field: what may stand at the cursor, each with its meaning."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.events import Click
from textual.strip import Strip

from reviewer.app.shared.line_widgets import Bit, ByLine, plain_bits, spread
from reviewer.app.shared.messages import PromptSaid
from reviewer.app.shared.theme import is_plain
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph

MOST = 8
"""Lines at most; a third of the screen where that is less."""
_WIDEST = 40


class OfferList(ByLine):
    """What may stand at the cursor of the field above; the field has the keys."""

    DEFAULT_CSS = "OfferList { dock: bottom; width: 1fr; height: 1; display: none; background: $panel; }"

    def __init__(self, purpose: str, *, id: str) -> None:
        super().__init__(id=id)
        self._purpose = purpose
        self._offers: Sequence[tuple[str, str]] = ()
        self._cursor: int | None = None

    @property
    def shown(self) -> list[str]:
        """The texts that are offered."""
        return [text for text, _ in self._offers]

    def show(self, offers: Sequence[tuple[str, str]], cursor: int | None) -> None:
        """Show these texts with their meanings, one of them as the chosen one."""
        self._offers, self._cursor = offers, cursor
        self.repaint()

    def drawn(self, y: int) -> Strip:
        """One offer, with the chosen one kept in sight; on the last line how many more there are."""
        plain, height, cursor = is_plain(self.app), self.size.height, self._cursor
        index = y + max(0, (cursor or 0) - height + 1)
        if index >= len(self._offers):
            return self.blank
        room = min(_WIDEST, max(cell_len(text) for text, _ in self._offers))
        text, meaning = (printable_line(each) for each in self._offers[index])
        here, more = index == cursor, len(self._offers) - index - 1
        left: list[Bit] = [
            (glyph("cursor", plain) if here else " ", "bar"),
            (text + " " * max(0, room - cell_len(text)), "strong"),
            (f"  {meaning}", "muted"),
        ]
        right: list[Bit] = [(f"  {more:,} more ", "muted")] if y == height - 1 and more else []
        bits = spread(plain_bits(left) if plain else left, right, self.size.width, glyph("more", plain))
        return self.strip(bits, here=here)

    def on_click(self, event: Click) -> None:
        """Take what was clicked."""
        index = event.y + max(0, (self._cursor or 0) - self.size.height + 1)
        if index < len(self._offers):
            self.post_message(PromptSaid(f"{self._purpose}.picked", str(index), done=False))
