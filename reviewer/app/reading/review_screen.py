"""The screen where one reads: queue, transcript and tool layer, and the routes between them.

Owns who stands where and which message leads to whom. What keys do stands in the verbs; what is read and written, in
`ReadingPosition` and `TagKeys`.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.events import Resize

from reviewer.app.keys import AS_USUAL, Bound, Scope, key_of
from reviewer.app.marking.mode_line import ModeLine
from reviewer.app.marking.tag_keys import TagKeys
from reviewer.app.marking.tag_screen import LOW_OR_TALL, TagScreen
from reviewer.app.queue.list import QueueList
from reviewer.app.queue.queue_contents import QueueContents
from reviewer.app.reading.actions import others
from reviewer.app.reading.conversation_view import ConversationView
from reviewer.app.reading.memory import LastPlace, Memory, PlaceKeeper
from reviewer.app.reading.movement import MovementKeys
from reviewer.app.reading.panes import ReadingPanes
from reviewer.app.reading.tool_layer import Tools, first_call
from reviewer.app.reading.transcript import Transcript
from reviewer.app.shared import rows
from reviewer.app.shared.bindings import bindings
from reviewer.app.shared.line_widgets import Bit, LineWidget
from reviewer.app.shared.messages import ConversationChosen, ConversationEntered, CursorMoved, ItemClicked, QueueClicked
from reviewer.app.shared.position import ReadingPosition
from reviewer.app.shared.prompt import Prompt

if TYPE_CHECKING:
    from reviewer.app.queue.arrivals import ArrivalWatch, IndexBuild
    from reviewer.app.queue.filter import FilterField
    from reviewer.app.queue.named_queues import Queues
    from reviewer.app.reading.read_ahead import ReadAhead
    from reviewer.app.reading.welcome import Welcome
    from reviewer.findings.review_session import ReviewSession


_GARBAGE = 20_000
"""So many more objects than before are looked through for cycles; what a key makes and leaves has none."""
_TAGGING = ("mark", "mark.pick", "mark.whole", "select.mark", "select.pick")
WIDE = 120
"""From here on there is room for the tool layer beside the transcript."""
BREAKPOINTS = ((0, "-narrow"), (100, "-normal"), (WIDE, "-wide"), (170, "-vast"))


class ReviewScreen(TagScreen):
    """The reading room."""

    AUTO_FOCUS = "#transcript"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("review")]
    HORIZONTAL_BREAKPOINTS = [*BREAKPOINTS]  # noqa: RUF012 -- an instance variable in Textual's eyes
    DEFAULT_CSS = """
    ReviewScreen {
        #head, #foot { background: $panel; }
        #panes > * {
            border: $r-border $r-line; background: $background;
            &:focus { border: $r-border $primary; }
        }
        #tools { display: none; }
        #tools.-beside { display: block; }
        #tools.-ruled { border: none; }
        &.-narrow #queue { display: none; layer: over; dock: left; width: 100%; max-width: 100%; }
        &.-narrow.-queue #queue { display: block; }
    }
    """

    showing: ReadingPanes
    queue = getters.query_one("#queue", QueueList)
    transcript = getters.query_one("#transcript", Transcript)
    tools = getters.query_one("#tools", Tools)

    def __init__(
        self,
        reading: ReadingPosition,
        begin: Callable[[], ReviewSession],
        at: str = "",
        *,
        plain: bool = False,
        suggestions: bool = True,
        memory: Memory | None = None,
        bound: Bound = AS_USUAL,
    ) -> None:
        super().__init__(reading)
        place = memory.place if memory else LastPlace()
        opens = key_of("item.fold", bound)
        self._viewing = ConversationView(
            plain=plain, tools=place.tools, layers=place.layers, opens=opens, seen=reading.seen
        )
        self.viewing.seek(tuple(reading.selection.words()))
        self.viewing.headed = True
        self.viewing.left = place.ref.partition("#")[0], place.folds
        self.remembering = PlaceKeeper(self, memory, suggestions=suggestions)
        self.has_settled = False
        """Whether what could wait for the first paint is loaded."""
        self.showing = ReadingPanes(self)
        self.queueing = QueueContents(self, place.columns)
        self.marking = TagKeys(self, partial(self._begun, begin))
        self._at = at
        self._headed: tuple[rows.HeaderFacts, int] | None = None
        """What the head shows, and in how many cells."""
        self._welcome: Welcome | None = None
        self.verbs = {**MovementKeys(self).verbs(), **self.marking.verbs()}

    def compose(self) -> ComposeResult:
        """Compose head, three panes and foot; as wide as the terminal is, so that nothing is laid out twice."""
        width, height = self.app.size
        self.add_class(_at(BREAKPOINTS, width), _at(LOW_OR_TALL, height), update=False)  # nothing is styled yet
        self.viewing.roomy = width >= WIDE
        lines = self.queueing.lines
        yield LineWidget(id="head")
        with Horizontal(id="panes"):
            row_marks = self.marking.row_marks
            yield QueueList(
                self.showing.rows, row_marks, lines.line, lines.head, lines.heading, lines.wanted, id="queue"
            )
            yield Transcript(id="transcript")
            yield Tools(id="tools")
        yield ModeLine()
        yield LineWidget(id="foot")

    @property
    def viewing(self) -> ConversationView:
        """The view of the open conversation."""
        return self._viewing

    # -- keys --------------------------------------------------------------------------------------------------------

    @property
    def scope(self) -> Scope:
        """The scope whose keys count now."""
        if self.viewing.selecting is not None:
            return "select"
        if self.queue.has_focus:
            return "queue"
        return "tools" if self.tools.has_focus else "transcript"

    def action_do(self, name: str, *arguments: Any) -> None:
        """Do what a key stands for; the first lines of all go when they are put away, or were understood."""
        if self._welcome is not None and name in ("back", "help", *_TAGGING):
            self._welcome.remove()
            self._welcome = None
            if name == "back":
                return
        super().action_do(name, *arguments)

    def on_mount(self) -> None:
        """Show the first conversation at once."""
        self.queueing.entitle()
        self.tools.entitle("Tool layer")
        self.queue.show(self.reading.ids, 0)
        if self._at:
            self.action_do("goto", self._at)
        if self.reading.stored is None and self.reading.ids:
            self.showing.open(self.reading.ids[0])
        elif self.reading.stored is None:
            self.transcript.instead = rows.no_conversations(self.reading.query, self.reading.path.name)
            self.changed()
        self.call_after_refresh(self.settle_in)

    def settle_in(self) -> None:
        """Load what can wait until something was shown: the journals, and the rest of the queue."""
        self.has_settled = True
        self.mount(prompt := Prompt(id="prompt"))
        self.app.rebind(prompt)
        self.verbs.update(others(self))
        gc.freeze()  # what was loaded stays, so no collection need look at it while somebody waits for a key
        gc.set_threshold(_GARBAGE)
        gc.enable()
        self.remembering.tell()
        self.guarded(self.marking.begin)()
        if self.remembering.new_here and not self.marking.has_marked:
            self._greet()
        resorted = self.remembering.resume()
        if self.reading.query.startswith("queue:"):
            self.filtering.resume()
        elif resorted or not self.reading.complete:
            self.queueing.read_all()
        self.watching.begin()
        self.reading_ahead.soon()
        if self.reading.wanted.query.texts and self.reading.reader.search.lags(self.reading.selection):
            self.indexing.begin()

    def _greet(self) -> None:
        from reviewer.app.reading.welcome import Welcome

        self._welcome = Welcome(self.app.bound)
        self.mount(self._welcome, after=self.head)

    def _begun(self, begin: Callable[[], ReviewSession]) -> ReviewSession:
        """The session, told which queue is read here and what the keys are called."""
        session = begin()
        session.key = self.key
        session.held = self.reading.reader.orders.rowids
        session.sight.others = self.remembering.others
        session.sight.suggestions = self.remembering.suggestions
        self._suggest(session)
        session.sight.read(self.reading.wanted.query)
        return session

    def _suggest(self, session: ReviewSession) -> None:
        """Let the session look at what reads suggest about this store."""
        from reviewer.findings.suggestions import Suggestions

        session.suggest(Suggestions(self.reading.path))

    def on_unmount(self) -> None:
        """Remember the place, for the next time."""
        self.remembering.now()
        if self.has_settled:
            self.watching.end()

    @cached_property
    def reading_ahead(self) -> ReadAhead:
        """What prepares the next conversation; loaded behind the first paint."""
        from reviewer.app.reading.read_ahead import ReadAhead

        return ReadAhead(self)

    @cached_property
    def watching(self) -> ArrivalWatch:
        """The watch on what is added to the store; loaded behind the first paint."""
        from reviewer.app.queue.arrivals import ArrivalWatch

        return ArrivalWatch(self)

    @cached_property
    def indexing(self) -> IndexBuild:
        """The building of the index of words; loaded behind the first paint."""
        from reviewer.app.queue.arrivals import IndexBuild

        return IndexBuild(self)

    @cached_property
    def filtering(self) -> FilterField:
        """The filter of the queue; loaded behind the first paint."""
        from reviewer.app.queue.filter import FilterField

        return FilterField(self)

    @cached_property
    def queues(self) -> Queues:
        """The commands about named queues; loaded behind the first paint."""
        from reviewer.app.queue.named_queues import Queues

        return Queues(self)

    def on_screen_resume(self) -> None:
        """Take in what may have been marked meanwhile."""
        self.guarded(self.marking.refresh)()

    # -- the lines ---------------------------------------------------------------------------------------------------

    def present(self) -> None:
        """Show what differs from what is on screen: what is read, beside it the tools, head and foot."""
        self.follow_tag()
        self.showing.present()
        self.lead_tools()
        reading = self.reading
        standing = rows.HeaderFacts(
            reading.path.name,
            reading.mark,
            reading.query,
            reading.index,
            reading.total,
            self.marking.reviewed,
            self.marking.by,
            self.queues.progress if reading.name else None,
            (self.watching.words or self.indexing.words) if self.has_settled else "",
            self.marking.hidden,
        )
        if self._headed != (standing, self.size.width):
            self._headed = standing, self.size.width
            self.head.show(*rows.header(standing, self.size.width))
        super().present()

    @on(CursorMoved)
    def keep_up(self, event: CursorMoved) -> None:
        """Show what goes with the cursor, wherever the mouse or a key moved it."""
        event.stop()
        if self.follow_tag():
            self.changed()
        else:
            self.lead_tools()

    def lead_tools(self) -> None:
        """Move the tool layer along with what is read, in the same frame."""
        viewing, shown = self._viewing, self.transcript.rows()
        viewing.seen.update(filter(None, shown))
        if viewing.meet_calls(self.showing.in_sight_beside_calls(shown)):
            self.showing.fit()
        self.tools.follow(shown, self.transcript.cursor, first_call(viewing.lens.lit or viewing.cited))

    def follow_tag(self) -> bool:
        """Show the tag under the cursor and what it cites, and light where a fact of the lens comes from."""
        points_elsewhere = self.viewing.lens.follow(self.transcript.cursor)
        return super().follow_tag() or points_elsewhere

    def footing(self) -> tuple[list[Bit], list[Bit]]:
        """What the foot shows; under the lens, the fact one stands on and the looks of all."""
        lens, (left, right) = self.viewing.lens, super().footing()
        if not lens.on or self.viewing.selecting is not None:
            return left, right
        told, legend = lens.foot(self.transcript.cursor, self.size.width)
        return [*(left if self.has_said else told or self._lens_hints())], [*legend]

    def _lens_hints(self) -> list[Bit]:
        keys = (("find.next", "next fact"), ("item.fold", "its source"), ("lens", "leave"))
        return [(" ", ""), *(bit for name, does in keys for bit in ((self.key(name), "key"), (f" {does}  ", "muted")))]

    # -- messages ----------------------------------------------------------------------------------------------------

    def on_conversation_chosen(self, event: ConversationChosen) -> None:
        """Open the conversation under the queue's cursor."""
        self.guarded(self.showing.stand)(event.index)

    def on_conversation_entered(self, _: ConversationEntered) -> None:
        """Go from the queue to the transcript."""
        self.transcript.focus()

    def on_queue_clicked(self, event: QueueClicked) -> None:
        """Sort by the heading that was clicked, filter by the cell, or open the conversation."""
        self.action_do("queue.click", event.index, event.x, event.chain)

    def on_item_clicked(self, event: ItemClicked) -> None:
        """Move the cursor to a clicked item, and leave the selection."""
        self.action_do("select.leave")
        self.transcript.to(event.item)

    def on_resize(self, event: Resize) -> None:
        """Note if there is room for the tool layer beside, and lay out accordingly."""
        self.viewing.roomy = event.size.width >= WIDE
        self.changed()

    def on_descendant_focus(self) -> None:
        """Show the keys that count now; on a narrow screen the queue shows only while it has the keys."""
        self.set_class(self.queue.has_focus, "-queue")
        self.changed()

    def look_again(self) -> None:
        """Read the open conversation again, as its classes are derived on reading."""
        self.watching.known()
        self.showing.read_again()
        self.queueing.forget()


def _at(breakpoints: Sequence[tuple[int, str]], cells: int) -> str:
    """The class of a screen with so many cells."""
    return max(each for each in breakpoints if each[0] <= cells)[1]
