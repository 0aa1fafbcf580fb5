"""The keys of the grounding lens: on and off, from fact to fact, and to where a fact comes from."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from reviewer.app.reading.lens import Lens
from reviewer.app.shared.sheet import Item

if TYPE_CHECKING:
    from reviewer.app.reading.grounding_lens import GroundingLens
    from reviewer.app.reading.review_screen import ReviewScreen
    from reviewer.findings.reads.grounds import Grounds
    from reviewer.transcripts.model import Stored

_GROUP = "lens"


class LensKeys:
    """What the lens needs of the screen, and what the screen's keys do with it."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._lens: GroundingLens | None = None
        """The lens that lies over the words."""

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {"lens": self.toggle, "lens.step": self.step, "lens.source": self.source}

    def toggle(self) -> None:
        """Put the lens over what is read, or take it away."""
        from reviewer.app.reading.grounding_lens import GroundingLens

        screen, viewing = self._screen, self._screen.viewing
        if viewing.lens.on:
            viewing.lens, self._lens = Lens(), None
            screen.say("Grounding lens off.", "muted")
        elif viewing.stored is not None:
            viewing.lens = self._lens = lens = GroundingLens(self._begin)
            lens.take(viewing.stored)
            if not lens.working:  # that is said until it is done
                screen.say(lens.words, "muted")

    def step(self, by: int) -> None:
        """Go to the next fact, or the one before."""
        screen, lens = self._screen, self._lens
        if lens is None:
            return
        fact = lens.step(by, screen.transcript.cursor)
        if fact is None:
            screen.say(lens.words, "muted")
            return
        self._unfold(lens)
        screen.showing.reveal(Item(fact.message), "text", fact.start)

    def source(self) -> None:
        """Go to where the fact under the cursor comes from."""
        screen, viewing, lens = self._screen, self._screen.viewing, self._lens
        if lens is None or lens.fact is None:
            return
        ref = lens.source
        if ref is None or ref.message is None:
            screen.say(self._elsewhere(lens), "muted")
            return
        while ref.call is not None and viewing.mode == "hidden":
            viewing.cycle_tools()
        self._unfold(lens)
        first = next(iter(lens.lit), None)
        item = Item(ref.message, ref.call)
        screen.showing.reveal(item, first.part if first else ref.part, first.start if first else 0)

    def _elsewhere(self, lens: GroundingLens) -> str:
        fact = lens.fact
        if fact is None or fact.source is None:
            return "Nothing before this message holds it."
        return f"It stands beside the conversation; {self._screen.key('facts')} shows what is known of it."

    def _unfold(self, lens: GroundingLens) -> None:
        """Open what hides the place that the fact comes from."""
        viewing = self._screen.viewing
        for paint in lens.lit:
            item = Item(paint.message, paint.call)
            hidden_layer = paint.call is not None and viewing.mode == "hidden"
            if not hidden_layer and self._screen.showing.hides(item, paint.part, max(paint.start, paint.end - 1)):
                viewing.open_fold(item, paint.part)

    # -- a long conversation -----------------------------------------------------------------------------------------

    def _begin(self, stored: Stored) -> None:
        self._screen.run_worker(lambda: self._work(stored), thread=True, exclusive=True, group=_GROUP)

    def _work(self, stored: Stored) -> None:
        """Work out where the facts of a conversation come from, until nobody waits for it any more."""
        from reviewer.findings.reads.grounds import in_steps

        worker = get_current_worker()
        for known in in_steps(stored):
            if worker.is_cancelled:
                return
            if known is not None:
                self._screen.app.call_from_thread(self._screen.guarded(self._worked), stored, known)

    def _worked(self, stored: Stored, known: Grounds) -> None:
        if self._lens is not None:
            self._lens.hold(stored, known)
