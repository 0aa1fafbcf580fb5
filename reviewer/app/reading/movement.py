"""The keys that move: by item, page, conversation, pane, run and tag, and to a reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.widget import Widget

from reviewer.app.marking import drawn_marks as drawn
from reviewer.app.shared.sheet import Item
from reviewer.app.shared.walk import walking
from reviewer.basics.errors import RefError

if TYPE_CHECKING:
    from reviewer.app.reading.review_screen import ReviewScreen
    from reviewer.marks.review import Mark
    from reviewer.transcripts.model import Stored
    from reviewer.transcripts.refs import Ref


class MovementKeys:
    """The keys that move, whatever pane they reach."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {
            **walking(self),
            "conversation.next": partial(self.conversation, 1),
            "conversation.previous": partial(self.conversation, -1),
            "pane.next": partial(self.pane, 1),
            "pane.previous": partial(self.pane, -1),
            "queue.enter": self.read,
            "leave": self.read,
            "goto": self.goto,
        }

    def item(self, by: int) -> None:
        """Go to the next item of the pane: a line of the queue, an item of the transcript, a call of the tool layer."""
        screen = self._screen
        if screen.queue.has_focus:
            screen.showing.stand(screen.queue.cursor + by)
        elif screen.tools.has_focus:
            self._call(by)
        else:
            screen.transcript.move(by)

    def edge(self, last: bool) -> None:
        """Go to the first or last item of the pane."""
        screen = self._screen
        if screen.queue.has_focus:
            screen.showing.stand(len(screen.queue.ids) - 1 if last else 0)
        else:
            screen.transcript.edge(last)

    def scroll(self, lines: int) -> None:
        """Scroll by a few lines, within what is read."""
        screen = self._screen
        if screen.queue.has_focus:
            screen.showing.stand(screen.queue.cursor + lines)
        elif screen.tools.has_focus:
            screen.tools.scroll_lines(lines)
        else:
            screen.transcript.scroll_lines(lines)

    def page(self, pages: float) -> None:
        """Scroll by a page, or a part of one."""
        screen = self._screen
        if screen.queue.has_focus:
            screen.showing.stand(screen.queue.cursor + screen.queue.page(pages))
        elif screen.tools.has_focus:
            screen.tools.scroll_lines(int(pages * screen.tools.size.height))
        elif not screen.transcript.page(pages):
            end = f"The end of the conversation; {screen.key('conversation.next')} opens the next."
            screen.say(end if pages > 0 else "The beginning.", "muted")

    def conversation(self, by: int) -> None:
        """Open the next conversation of the queue."""
        screen = self._screen
        at = screen.reading.index
        wanted = (-1 if by > 0 else 0) + by if at is None else at + by
        if not screen.reading.ids:
            screen.say("The queue is empty.", "muted")
        elif not 0 <= wanted < len(screen.reading.ids):
            screen.say("The end of the queue." if by > 0 else "The beginning of the queue.", "muted")
        else:
            screen.showing.stand(wanted)

    def pane(self, by: int) -> None:
        """Give the keys to the next pane that is to be seen; a hidden queue comes up."""
        screen = self._screen
        panes: list[Widget] = [screen.queue, screen.transcript]
        if screen.tools.display and not screen.tools.has_class("-ruled"):
            panes.append(screen.tools)
        at = next((index for index, pane in enumerate(panes) if pane.has_focus), 1)
        wanted = panes[(at + by) % len(panes)]
        screen.set_class(wanted is screen.queue, "-queue")
        screen.call_after_refresh(wanted.focus)

    def read(self) -> None:
        """Go to the transcript."""
        self._screen.transcript.focus()

    def goto(self, text: str) -> None:
        """Follow a reference, or a place in this conversation."""
        screen = self._screen
        target = screen.reading.find(text)
        place = target.place
        item = Item(place.message, place.call) if place.message else None
        if screen.reading.stored is None or screen.reading.stored.rowid != target.rowid:
            screen.showing.open(target.rowid, item)
            screen.queue.point(screen.reading.index)
        stored = screen.reading.stored
        if place.judge is not None and stored is not None:
            self._to_note(stored, place)
        if place.message and stored and place.message > (count := len(stored.conversation.messages)):
            raise RefError(f"{stored.ref} has {count} messages, no #{place.message}.")
        if item is not None and place.span:
            screen.transcript.reveal(item, place.part, place.span[0])
        elif item is not None:
            screen.transcript.to(item)

    def _to_note(self, stored: Stored, place: Ref) -> None:
        """Go to a judge's note, which opens for that."""
        viewing, names = self._screen.viewing, [note.name for note in stored.conversation.judged]
        if place.judge not in names or not viewing.judges:
            hidden = "is hidden until you mark the conversation as reviewed"
            raise RefError(f"{place} {hidden if place.judge in names else 'is no judge’s note there'}.")
        item = Item(0, names.index(place.judge) + 1)
        self._screen.showing.reveal(item, "text", place.span[0] if place.span else 0)

    def _call(self, by: int) -> None:
        transcript = self._screen.transcript
        calls = [item for item in transcript.items if item.call is not None and item.message]
        at = transcript.cursor
        after = [item for item in calls if (item > at if at.call else item.message >= at.message)]
        before = [item for item in calls if (item < at if at.call else item.message < at.message)]
        if wanted := (after[:1] if by > 0 else before[-1:]):
            transcript.to(wanted[0])


class StepKeys:
    """The keys that follow a thread through the store, or through a conversation."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {
            "run.next": partial(self.run, 1),
            "run.previous": partial(self.run, -1),
            "tag.next": partial(self.tag, 1),
            "tag.previous": partial(self.tag, -1),
        }

    def run(self, by: int) -> None:
        """Open the same case in another run, at the same message where it goes that far."""
        screen = self._screen
        stored, runs = screen.reading.stored, screen.reading.runs()
        if stored is None or len(runs) < 2:
            screen.say("This case has no other run.", "muted")
            return
        at = runs.index(stored.rowid) + by
        if not 0 <= at < len(runs):
            screen.say("The last run of this case." if by > 0 else "The first run of this case.", "muted")
            return
        screen.showing.open(runs[at], Item(screen.transcript.cursor.message))
        screen.queue.point(screen.reading.index)

    def tag(self, by: int) -> None:
        """Go to the next tag in reading order, round the ends; those on one item in turn."""
        screen = self._screen
        marking, transcript = screen.marking, screen.transcript
        shown = set(transcript.items)
        stops = [(at if at in shown else Item(at.message), mark) for at, mark in drawn.stops(marking.marks)]
        if not stops:
            screen.say("No tag or suggestion in this conversation.", "muted")
            return
        item, mark = stops[_next(stops, transcript.cursor, marking.here, by)]
        span = next((ref for ref in mark.places if ref.span and (ref.message, ref.call) == item), None)
        if item in shown:
            transcript.to(item)
        marking.point(mark)
        screen.follow_tag()
        if span is not None and span.span is not None:
            screen.showing.reveal(item, span.part, span.span[0])


def _next(stops: Sequence[tuple[Item, Mark]], cursor: Item, here: Mark | None, by: int) -> int:
    """The stop after (or before) the tag under the cursor, else after the cursor; round the ends."""
    own = (at for at, (item, mark) in enumerate(stops) if mark is here and item in (Item(0), cursor))
    at = next(own, None)
    if at is not None:
        return (at + by) % len(stops)
    before = sum((item.message, item.call or 0) < (cursor.message, cursor.call or 0) for item, _ in stops)
    return (before if by > 0 else before - 1) % len(stops)
