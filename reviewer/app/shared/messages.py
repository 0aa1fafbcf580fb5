"""What widgets tell the screen: facts in the past tense, and requests. Values only; who acts on them is not said."""

from __future__ import annotations

from typing import Literal

from textual.message import Message

from reviewer.app.shared.sheet import Item
from reviewer.basics.errors import ReviewerError
from reviewer.transcripts.refs import Part


class ConversationChosen(Message):
    """The cursor of the queue came to rest on a conversation."""

    def __init__(self, index: int) -> None:
        super().__init__()
        self.index = index

    def can_replace(self, message: Message) -> bool:
        """True for a later choice: only the last one matters."""
        return isinstance(message, ConversationChosen)


class ConversationEntered(Message):
    """The reader wants to read the conversation under the cursor."""


class QueueClicked(Message):
    """A cell of the queue was clicked: on the line of a conversation, or of the heading."""

    def __init__(self, index: int | None, x: int, chain: int) -> None:
        super().__init__()
        self.index = index
        """The conversation; None for the heading."""
        self.x = x
        """Which cell of the words of its line."""
        self.chain = chain
        """How many clicks there have been in a row."""


class RowsUnread(Message):
    """Rows could not be drawn, because what they say cannot be read now."""

    def __init__(self, error: ReviewerError) -> None:
        super().__init__()
        self.error = error

    def can_replace(self, message: Message) -> bool:
        """True for another of the kind: one sentence is enough."""
        return isinstance(message, RowsUnread)


class CursorMoved(Message):
    """The cursor of the transcript stands elsewhere, or what is around it moved."""

    def can_replace(self, message: Message) -> bool:
        """True for another of the kind: one redraw is enough."""
        return isinstance(message, CursorMoved)


class PromptSaid(Message):
    """Something is typed, confirmed or given up at a prompt."""

    def __init__(self, verb: str, text: str | None, *, done: bool) -> None:
        super().__init__()
        self.verb = verb
        """What it is for, with `.typed`, `.entered` or `.left`."""
        self.text = text
        self.done = done


class ItemClicked(Message):
    """An item was clicked."""

    def __init__(self, item: Item) -> None:
        super().__init__()
        self.item = item


class WordsChosen(Message):
    """The mouse went over stored characters of an item: those, or the word or unit (sentence, field) they are in."""

    def __init__(self, item: Item, part: Part, start: int, end: int, unit: Literal["", "word", "unit"] = "") -> None:
        super().__init__()
        self.item = item
        self.part = part
        self.span = (start, end)
        self.unit = unit

    def can_replace(self, message: Message) -> bool:
        """True for a later stretch: only the last one matters."""
        return isinstance(message, WordsChosen)


class ColumnScrolled(Message):
    """A column wants other rows on screen: all of them move together."""

    def __init__(self, top: int) -> None:
        super().__init__()
        self.top = top

    def can_replace(self, message: Message) -> bool:
        """True for a later place: only the last one matters."""
        return isinstance(message, ColumnScrolled)


class ColumnClicked(Message):
    """A column was clicked, maybe on an item."""

    def __init__(self, column: int, item: Item | None) -> None:
        super().__init__()
        self.column = column
        self.item = item


class CellMoved(Message):
    """The cursor of a grid stands elsewhere."""

    def can_replace(self, message: Message) -> bool:
        """True for another of the kind: one redraw is enough."""
        return isinstance(message, CellMoved)


class CellEntered(Message):
    """The reader wants to read the conversation in the cell under the cursor."""


class QueueWanted(Message):
    """The reader wants to read what a filter lets through, in the reading room."""

    def __init__(self, query: str) -> None:
        super().__init__()
        self.query = query


class ReadingWanted(Message):
    """The reader wants to read what stands at a reference, in the reading room."""

    def __init__(self, ref: str) -> None:
        super().__init__()
        self.ref = ref
