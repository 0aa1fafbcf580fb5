"""What lies over the words of a conversation besides marks and hits: by itself nothing.

Owns what a view may ask of it. A lens that shows something is a subclass, loaded when somebody wants it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from reviewer.app.shared.sheet import Item, Paint

if TYPE_CHECKING:
    from reviewer.app.shared.line_widgets import Bit
    from reviewer.basics.sentences import Span
    from reviewer.transcripts.model import Stored


class LensFoot(NamedTuple):
    """What a lens has for the foot."""

    told: Sequence[Bit]
    """Of what the reader stands on; nothing elsewhere."""
    legend: Sequence[Bit]


class Lens:
    """No lens: nothing lies over the words."""

    on = False
    """Whether it shows anything."""
    remarks: Mapping[Item, Bit] = {}
    """What it says at calls."""
    lit: Sequence[Paint] = ()
    """What it points at from where the reader stands."""

    def take(self, stored: Stored) -> None:
        """Look at another conversation."""

    def paints(self) -> Sequence[Paint]:
        """What is laid over the words."""
        return ()

    def words_on(self, _: Item) -> Span | None:
        """The words of a message that the reader went to, while the cursor is still there."""
        return None

    def follow(self, _: Item) -> bool:
        """Point from where the cursor is now; False if it is so already."""
        return False

    def foot(self, _: Item, __: int) -> LensFoot:
        """What it has for the foot."""
        return LensFoot((), ())
