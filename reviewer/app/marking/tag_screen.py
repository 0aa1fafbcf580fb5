"""The base of the screens on which one can tag: the reading room, and a comparison."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import getters

from reviewer.app.marking.mode_line import ModeLine
from reviewer.app.shared.keyed_screen import KeyedScreen

if TYPE_CHECKING:
    from reviewer.app.marking.tag_keys import TagKeys
    from reviewer.app.reading.conversation_view import ConversationView
    from reviewer.app.shared.sheet import Item
    from reviewer.app.shared.sheet_widgets import MessagePage, SheetWidget
    from reviewer.transcripts.refs import Part


class Panes(ABC):
    """The interface through which conversations come onto a screen with tags."""

    @property
    @abstractmethod
    def views(self) -> Sequence[ConversationView]:
        """The views of all conversations on screen."""

    @property
    def covered(self) -> bool:
        """True while something else stands over the words."""
        return False

    @abstractmethod
    def present(self) -> None:
        """Show what differs from what is on screen."""

    @abstractmethod
    def reveal(self, item: Item, part: Part, offset: int) -> None:
        """Put the cursor on an item, with the line on screen that shows a character of it, unfolded where need be."""

    @abstractmethod
    def bring(self, item: Item, part: Part, offset: int) -> None:
        """The same as things are folded now."""

    @abstractmethod
    def page_of(self, item: Item) -> SheetWidget:
        """Return the pane that shows an item."""

    def hides(self, item: Item, part: Part, offset: int) -> bool:
        """True if a stored character is folded away."""
        sheet = self.page_of(item).sheet
        if sheet is None or not sheet.items:
            return False
        return sheet.block(sheet.index(item)).line_of(part, item.call, offset) is None


TALL = 30
"""From so many lines on what the digits mean has a line of its own; below that, one over the frame while selecting."""
LOW_OR_TALL = ((0, "-low"), (TALL, "-tall"))


class TagScreen(KeyedScreen):
    """A screen with one conversation under the cursor."""

    VERTICAL_BREAKPOINTS = [*LOW_OR_TALL]  # noqa: RUF012 -- an instance variable in Textual's eyes
    DEFAULT_CSS = """
    TagScreen {
        layers: base over;
        &.-low #modes { layer: over; dock: bottom; offset: 0 -1; }
    }
    """

    showing: Panes
    marking: TagKeys
    modes = getters.query_one("#modes", ModeLine)

    def present(self) -> None:
        """Show what differs from what is on screen: what the digits mean, and the foot."""
        tall = self.size.height >= TALL
        codebook = self.marking.codebook
        if codebook is not None:
            self.modes.show(codebook, self.size.width)
        self.modes.display = tall or (codebook is not None and self.viewing.selecting is not None)
        super().present()

    @property
    @abstractmethod
    def viewing(self) -> ConversationView:
        """The view of the conversation under the cursor."""

    @property
    @abstractmethod
    def transcript(self) -> MessagePage:
        """The widget in which its words stand."""

    def follow_tag(self) -> bool:
        """Show the tag under the cursor, and light and unfold what it cites; False when all is shown already."""
        changed = self.marking.follow()
        self.transcript.put_below(self.marking.card, self.marking.words_here)
        return changed

    def why_not(self, name: str) -> str | None:
        """Say why an action would do nothing now."""
        if self.viewing.stored is None and name not in ("help", "quit", "command", "palette", "back"):
            return "nothing is open"
        if name in ("find.next", "find.previous") and not self.viewing.words and not self.viewing.lens.on:
            return "nothing was looked for"
        here = self.marking.here
        if name in ("accept", "accept.all", "reject.all"):
            return None if here is not None and here.finding is not None else "nothing is suggested under the cursor"
        if name == "untag" and here is not None:
            return None
        needs_tag = name in ("evidence", "evidence.pick", "exemplar", "untag")
        return "no tag under the cursor" if needs_tag and self.marking.tag_here is None else None

    def take_keys(self) -> None:
        """Give the keys to the words."""
        self.transcript.focus()
