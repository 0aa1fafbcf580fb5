"""Three lines for somebody who opens the program for the first time; gone for good once they are put away."""

from __future__ import annotations

from textual.strip import Strip

from reviewer.app.keys import Bound, key_of
from reviewer.app.shared.line_widgets import Bit, ByLine, plain_bits
from reviewer.app.shared.theme import is_plain

_BROAD = 90


def welcome_lines(width: int, bound: Bound) -> list[list[Bit]]:
    """Say what this is, what tags, and what explains the rest."""
    explains, hides, selects = (key_of(name, bound) for name in ("help", "back", "select"))
    broad = width >= _BROAD
    lines: list[list[Bit]] = [
        [("Read conversations beside the tools that the agent called, and mark what went wrong."
          if broad else "Read conversations, mark failures.", "strong")],
        [("1", "key"), (" tags the message under the cursor, as every digit does; ", "text"), (selects, "key"),
         (" selects words first.", "text")]
        if broad else [("1", "key"), (" tags what the cursor is on.", "text")],
        [(explains, "key"), (" explains all keys and signs; " if broad else " explains, ", "text"), (hides, "key"),
         (" hides these lines.", "text")],
    ]  # fmt: skip
    return [[(" ", ""), *bits] for bits in lines]


class Welcome(ByLine):
    """The three lines, below the head."""

    DEFAULT_CSS = "Welcome { height: 3; width: 1fr; background: $panel; }"

    def __init__(self, bound: Bound) -> None:
        super().__init__(id="welcome")
        self._bound = bound

    def drawn(self, y: int) -> Strip:
        """One of the lines."""
        bits = welcome_lines(self.size.width, self._bound)[y]
        return self.strip(plain_bits(bits) if is_plain(self.app) else bits)
