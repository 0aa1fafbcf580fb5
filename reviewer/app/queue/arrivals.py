"""What arrives behind the screen: a store that grows while it is open, and the index of its words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.timer import Timer
from textual.worker import Worker, get_current_worker

from reviewer.app.keys import bound_to, first_key
from reviewer.app.shared.rows import counted
from reviewer.transcripts.store.watch import News, Watch

if TYPE_CHECKING:
    from reviewer.app.reading.review_screen import ReviewScreen
    from reviewer.app.shared.position import QueueRequest
    from reviewer.findings.questions import Question
    from reviewer.transcripts.store.listings import Listing
    from reviewer.transcripts.store.reader import Reader


PAUSE = 1.0


class ArrivalWatch:
    """Looks at the store now and then, behind the screen, and takes in what was added."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._watch: Watch | None = None
        self._news = News()
        self._info: dict[str, Any] = {}
        self._looking: Worker[None] | None = None

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {"refresh": self.take}

    @property
    def words(self) -> str:
        """The words in the head about the store; empty while there is nothing to say."""
        news = self._news
        if news.fate != "there":
            return f"the store is {news.fate}"
        if not news.changed:
            return ""
        what = f"+{news.added:,} new" if news.added > 0 else f"{-news.added:,} removed" if news.added else "changed"
        key = first_key(bound_to("refresh", self._screen.app.bound))
        return f"{what} · {key}" if key else what

    def begin(self) -> None:
        """Look again and again from now on."""
        self._watch = Watch(self._screen.reading.path, int(self._screen.reading.info["conversations"]))
        self._screen.set_interval(PAUSE, self.look)

    def look(self) -> None:
        """Look once, on a thread."""
        if self._looking is None or self._looking.is_finished:
            self._looking = self._screen.run_worker(self._look, thread=True, group="watch")

    def end(self) -> None:
        """Look no more."""
        if self._watch is not None:
            self._watch.close()
            self._watch = None

    def known(self) -> None:
        """Note that the latest change of the store was the app's own."""
        if self._watch is not None and not self._news.added:
            self._news = News()
            self._watch.taken(int(self._screen.reading.info["conversations"]))

    def take(self) -> None:
        """Take in what was added; the cursor stays on what is read."""
        if self._news.fate != "there":
            self._tell_fate(self._news)
        else:
            self._screen.say("Reading the store again …", "muted")
            question = self._screen.filtering.question(self._screen.reading.wanted.query)
            self._screen.queueing.bring(partial(self._want, question), self._take)

    # -- behind the screen -------------------------------------------------------------------------------------------

    def _look(self) -> None:
        watch, worker = self._watch, get_current_worker()
        if watch is None:
            return
        news = watch.look()
        if news != self._news and not worker.is_cancelled:
            self._screen.app.call_from_thread(self._hear, news)

    def _hear(self, news: News) -> None:
        before, self._news = self._news, news
        if news.fate not in ("there", before.fate):
            self._tell_fate(news)
        self._screen.changed()

    def _tell_fate(self, news: News) -> None:
        name = self._screen.reading.path.name
        if news.fate == "gone":
            words = f"{name} is no longer there. What you see is what it held; put it back, or quit and open another."
        else:
            words = f"{name} was replaced by another file. What you see is the one before; quit and open it again."
        self._screen.say(words, "bad")

    def _want(self, question: Question, reader: Reader) -> QueueRequest:
        """Return the request for what passes the filter now; a named queue stays as it is."""
        self._info = reader.info()
        wanted = self._screen.reading.wanted
        if wanted.name:
            return wanted
        return replace(wanted, selection=question.selection(reader))

    def _take(self, wanted: QueueRequest, listing: Listing) -> None:
        screen, reading = self._screen, self._screen.reading
        added = len(listing.ids) - len(reading.ids)
        reading.info = self._info
        self._news = News()
        if self._watch is not None:
            self._watch.taken(int(reading.info["conversations"]))
        if reading.stored is None and listing.ids:
            screen.showing.open(listing.ids[0])
        screen.marking.session.book.ask_again()
        screen.queueing.forget()
        screen.queueing.take(wanted, listing)
        screen.say(
            f"{counted(len(reading.ids))}, {abs(added):,} {'fewer' if added < 0 else 'more'} than before.",
            "good",
        )


_PAUSE = 0.25


class _LeftError(Exception):
    """Nobody waits for the index any more."""


class IndexBuild:
    """Builds the index of one store, once."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._work: Worker[Any] | None = None
        self._timer: Timer | None = None
        self._share = 0.0

    @property
    def words(self) -> str:
        """The words in the head about the index; empty while nothing is indexed."""
        return "" if self._timer is None else f"indexing words {self._share:.0%}"

    def begin(self) -> None:
        """Begin, if that has not been done before."""
        if self._work is None:
            self._work = self._screen.run_worker(self._index, thread=True, group="words")
            self._timer = self._screen.set_interval(_PAUSE, self._look)
            self._screen.changed()

    def _index(self) -> None:
        from reviewer.transcripts.store import word_index

        worker = get_current_worker()

        def step(done: int, whole: int) -> None:
            if worker.is_cancelled:
                raise _LeftError
            self._share = done / max(1, whole)

        try:
            word_index.update(self._screen.reading.path, step)
        except _LeftError:
            return

    def _look(self) -> None:
        if self._timer is not None and self._work is not None and self._work.is_finished:
            self._timer.stop()
            self._timer = None
        self._screen.changed()
