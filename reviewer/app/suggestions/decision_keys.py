"""The keys of the suggestions screen: accept and go on, reject and go on, read it where it stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from reviewer.app.marking.reviewer_acts import Begin, ReviewerActs
from reviewer.app.shared.messages import QueueWanted, ReadingWanted
from reviewer.app.shared.position import SuggestionPlace
from reviewer.app.shared.walk import TableKeys
from reviewer.basics.errors import ReviewerError
from reviewer.marks.shapes import finding_identity
from reviewer.transcripts.query.selection import bare_key

if TYPE_CHECKING:
    from reviewer.app.suggestions.suggestion_screen import SuggestionScreen
    from reviewer.findings.suggestions import ModeSuggestions
    from reviewer.marks.review.tool_classes import Way


class SuggestionActs(ReviewerActs):
    """A reviewer's acts where suggestions are listed: nothing is tagged here but what was suggested."""

    def __init__(self, screen: SuggestionScreen, begin: Begin) -> None:
        super().__init__(screen, begin)
        self._screen = screen

    def tag(self, code: str, **_: bool) -> None:
        """Say that modes are given where the words are."""
        raise ReviewerError(f"{code} is given while reading.", f"{self._at.key('suggestion.read')} opens it there.")

    def turn(self, way: Way) -> None:
        """Undo or redo; the cursor goes to the suggestion that waits again."""
        act = self.session.pen.to_undo() if way == "undo" else None
        finding = act[0].fields.get("finding") if act else None
        if isinstance(finding, dict) and (identity := finding_identity(finding)):
            self._screen.wanted = SuggestionPlace(str(finding.get("mode")), [identity])
        super().turn(way)

    def refresh(self) -> None:
        """Look again what waits."""
        self._screen.survey()


class DecisionKeys(TableKeys):
    """The keys that decide, and those that go through the list."""

    def __init__(self, screen: SuggestionScreen) -> None:
        super().__init__(screen, screen.suggestions)
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        screen = self._screen
        return {
            **super().verbs(),
            "suggestion.accept": partial(self.decide, True),
            "suggestion.reject": partial(self.decide, False),
            "suggestion.read": self.read,
            "suggestion.queue": self.queue,
            "suggestion.fold": screen.suggestions.fold,
            "suggestion.fold.all": screen.suggestions.fold_all,
        }

    def decide(self, accepted: bool) -> None:
        """Accept or reject the suggestion under the cursor, and go to the next one of its mode, else to the mode."""
        screen = self._screen
        brief, stored, mark = screen.suggestions.chosen, screen.stored, screen.mark
        finding = mark.finding if mark is not None else None
        if brief is None or stored is None or finding is None:
            key = screen.key("suggestion.read")
            screen.say(f"This is a mode; {key} lists what waits." if brief is None else "It cannot be read.", "muted")
        elif screen.marking.act(lambda session: session.decide(stored, accepted, [finding])) is not None:
            modes = [_without(each, brief.number, accepted) for each in screen.suggestions.modes]
            screen.suggestions.take(modes)

    def read(self) -> None:
        """Open the conversation where it is read, at these words; a mode is opened or folded."""
        screen, mark = self._screen, self._screen.mark
        if mark is None:
            screen.suggestions.fold()
            return
        place = mark.places[0] if mark.places else mark.tag.ref
        screen.post_message(ReadingWanted(str(place) if place.message else screen.stored.ref if screen.stored else ""))

    def queue(self) -> None:
        """Read the conversations about which a read suggests this mode."""
        screen, line = self._screen, self._screen.suggestions.here
        if line is not None:
            screen.post_message(QueueWanted(f"finding:{bare_key(screen.suggestions.modes[line.mode].mode)}"))


def _without(each: ModeSuggestions, number: int, accepted: bool) -> ModeSuggestions:
    """A mode after one of its suggestions was decided about."""
    waiting = tuple(brief for brief in each.waiting if brief.number != number)
    if len(waiting) == len(each.waiting):
        return each
    return replace(each, waiting=waiting, accepted=each.accepted + accepted, rejected=each.rejected + (not accepted))


def deciding(screen: SuggestionScreen) -> dict[str, Callable[..., None]]:
    """The verbs of the suggestions screen."""
    from reviewer.app.shared.commands import CommandKeys, HelpKeys

    verbs: dict[str, Callable[..., None]] = {}
    for part in (screen.marking, CommandKeys(screen), HelpKeys(screen), DecisionKeys(screen)):
        verbs.update(part.verbs())
    return verbs
