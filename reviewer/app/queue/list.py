"""The queue: one line a conversation, a million of them if need be, in groups where these are wanted."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.events import Click, Resize
from textual.strip import Strip

from reviewer.app.shared.bindings import bindings
from reviewer.app.shared.line_widgets import Bit
from reviewer.app.shared.messages import ConversationChosen, ConversationEntered, QueueClicked
from reviewer.app.shared.scroll import BarredWidget
from reviewer.app.shared.theme import Palette, is_plain
from reviewer.basics.glyphs import glyph
from reviewer.basics.values import dataclass
from reviewer.transcripts.model import QueueRow

if TYPE_CHECKING:
    from reviewer.marks.row_marks import RowMarks


@dataclass(frozen=True, slots=True)
class Groups:
    """So many conversations in groups; without starts there are none, and a line is a conversation."""

    count: int = 0
    starts: array[int] = field(default_factory=lambda: array("i"))

    @property
    def lines(self) -> int:
        """The number of lines."""
        return self.count + len(self.starts)

    def line(self, index: int) -> int:
        """The line of a conversation."""
        return index + self.group(index) + 1

    def group(self, index: int) -> int:
        """The group of a conversation; -1 without groups."""
        return bisect_right(self.starts, index) - 1

    def members(self, group: int) -> tuple[int, int]:
        """The first conversation of a group, and the one behind its last."""
        after = self.starts[group + 1] if group + 1 < len(self.starts) else self.count
        return self.starts[group], after

    def at(self, line: int) -> tuple[int, int | None]:
        """The group that a line belongs to, and the conversation on it; None where it is the head."""
        group = bisect_right(range(len(self.starts)), line, key=lambda each: self.starts[each] + each) - 1
        index = line - group - 1
        return group, None if group >= 0 and index < self.starts[group] else index

    def near(self, line: int) -> int:
        """The conversation on a line, or on the one below a head; the last beyond the end."""
        group, index = self.at(max(0, min(line, self.lines - 1)))
        return self.starts[group] if index is None else index


Fetch = Callable[[Sequence[int]], Sequence[QueueRow]]
MarksOf = Callable[[str], "RowMarks"]
"""What the row of the conversation of a reference shows of marks."""
Describe = Callable[[QueueRow, "RowMarks", int], list[Bit]]
DescribeGroup = Callable[[int, int, int], list[Bit]]
"""What the head of a group says, whose conversations stand from one place of the queue to another; and its width."""
Heading = Callable[[int], list[Bit]]
"""What stands above the lines, in so many cells."""
_NEAR = 60
_KEPT = 1_000
_DRAWN = 300
"""Drawn lines that are kept: whenever something is marked, their marks are compared."""
_HEADED = 4
"""With fewer rows than these there is no heading."""
LEAST = 32
"""Cells that the queue takes at least."""
_FRAME = 4
"""Cells of a line that are not for words: the frame, the cursor and the scroll bar."""


class QueueList(BarredWidget):
    """The list of conversations."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("queue")]

    def __init__(
        self,
        fetch: Fetch,
        marks_of: MarksOf,
        describe: Describe,
        describe_group: DescribeGroup,
        heading: Heading,
        words: Callable[[], int],
        *,
        id: str,
    ) -> None:
        super().__init__(id=id)
        self.ids: array[int] = array("q")
        self.groups = Groups()
        self.cursor = 0
        self._fetch = fetch
        self._marks_of = marks_of
        self._describe = describe
        self._describe_group = describe_group
        self._heading = heading
        self._words_wanted = words
        self._known: dict[int, QueueRow] = {}
        self._lines: dict[tuple[int, bool], tuple[str, RowMarks, Strip]] = {}
        """Lines as they were drawn, by conversation and whether the scroll bar stands there: of which reference, with
        which marks."""
        self._drawn_with: tuple[Palette, int] | None = None

    @property
    def count(self) -> int:
        """The number of lines, heads included."""
        return self.groups.lines

    @property
    def above(self) -> int:
        """One row for the heading, where there is room for it."""
        return int(self.size.height >= _HEADED)

    @property
    def wanted_width(self) -> int:
        """The cells in which its lines say all that they have to say, frame and all."""
        return max(LEAST, self._words_wanted() + _FRAME)

    def show(self, ids: array[int], cursor: int, starts: array[int] | None = None) -> None:
        """Take these conversations as the queue; the cursor goes where it is told, saying nothing."""
        self.ids = ids
        self.groups = Groups(len(ids), starts or array("i"))
        self.cursor = cursor
        self._bring_into_view()
        self.repaint()

    def point(self, index: int | None) -> None:
        """Put the cursor on what was opened in another way, saying nothing; off the list when it is not in it."""
        self.cursor = -1 if index is None else index
        self._bring_into_view()
        super().repaint()  # the lines say what they said

    def forget(self) -> None:
        """Ask again for what the lines say."""
        self._known.clear()
        self.repaint()

    def repaint(self) -> None:
        """Draw the lines again, as they may say something else now."""
        self._lines.clear()
        super().repaint()

    def compare_marks(self) -> None:
        """Draw the lines again whose marks differ from those that they were drawn with."""
        for drawn, (ref, marks, _) in list(self._lines.items()):
            if self._marks_of(ref) != marks:
                del self._lines[drawn]
        super().repaint()

    def row(self, index: int) -> QueueRow | None:
        """Return the row on a line; None when the store no longer has it."""
        rowid = self.ids[index]
        if rowid not in self._known:
            if len(self._known) > _KEPT:
                self._known.clear()
            start = max(0, index - _NEAR // 2)
            near = self.ids[start : start + _NEAR]
            self._known.update((row.rowid, row) for row in self._fetch(near))
        return self._known.get(rowid)

    def page(self, pages: float) -> int:
        """Return how many conversations further so many pages lead."""
        lines = int(pages * max(1, self.lines_shown - 1))
        at = max(0, self.cursor)
        by = self.groups.near(self.groups.line(at) + lines) - at if self.ids else 0
        return by or (1 if pages > 0 else -1)

    def prepare(self) -> None:
        """Forget the drawn lines when their colours or width changed, or when there are too many."""
        super().prepare()
        with_what = self.palette, self.words_shown
        if self._drawn_with != with_what or len(self._lines) > _DRAWN:
            self._drawn_with = with_what
            self._lines.clear()

    def drawn(self, y: int) -> Strip:
        """The heading, a conversation's line, the head of a group, or an empty line; and the scroll bar."""
        above = self.above
        if y < above:
            return self.strip([(" ", ""), *self._heading(self.words_shown)])
        line = y + self.top - above
        group, index = self.groups.at(line)
        if index is not None and index >= self.groups.count:
            return self.blank
        if index is None or (self.groups.starts and y == above):
            return self._line(y, self._describe_group(*self.groups.members(group), self.words_shown))
        drawn = self.ids[index], y in self.thumb
        if index != self.cursor and drawn in self._lines:
            return self._lines[drawn][2]
        row, width = self.row(index), self.words_shown
        if row is None:
            return self._line(y, [(f"{'gone from the store':<{width}}", "muted")], here=index == self.cursor)
        marks = self._marks_of(row.ref)
        strip = self._line(y, self._describe(row, marks, width), here=index == self.cursor)
        if index != self.cursor:
            self._lines[drawn] = row.ref, marks, strip
        return strip

    @property
    def words_shown(self) -> int:
        """The cells of a line that are for words."""
        return self.width - 1 - bool(self.thumb)

    def _line(self, y: int, bits: Iterable[Bit], *, here: bool = False) -> Strip:
        plain = is_plain(self.app)
        bar: Bit = (glyph("cursor", plain), "bar") if here else (" ", "")
        rail: Bit = (glyph("thumb", plain), "faint") if y in self.thumb else (" ", "")
        return self.strip([bar, *bits, rail], here=here)

    # -- the mouse ---------------------------------------------------------------------------------------------------

    def on_click(self, event: Click) -> None:
        """Tell which cell is clicked; on the head of a group, open its first conversation."""
        at = event.get_content_offset_capture(self)
        line = at.y + self.top - self.above
        if self.held is not None or line >= self.groups.lines or at.y < 0:
            return
        if at.y < self.above:
            self.post_message(QueueClicked(None, at.x - 1, event.chain))
            return
        group, index = self.groups.at(line)
        if index is None or self._covered(at.y):
            self.post_message(ConversationChosen(self.groups.members(group)[0]))
        else:
            self.post_message(QueueClicked(index, at.x - 1, event.chain))

    def click(self, index: int, chain: int) -> None:
        """Open a conversation that was clicked; after a second click, go to it."""
        self.post_message(ConversationChosen(index))
        if chain > 1:
            self.post_message(ConversationEntered())

    def on_resize(self, _: Resize) -> None:
        """Keep the cursor on screen."""
        self._bring_into_view()

    def _covered(self, y: int) -> bool:
        """True if the head of a group that has scrolled away stands on this line, in the place of a conversation."""
        return bool(self.groups.starts) and y == self.above

    def _bring_into_view(self) -> None:
        height, top = self.lines_shown, self.top
        if self.cursor >= 0:
            margin = min(3, max(0, (height - 1) // 2))
            line = self.groups.line(self.cursor)
            top = min(max(top, line - height + 1 + margin), line - margin)
        self.stand(top)
