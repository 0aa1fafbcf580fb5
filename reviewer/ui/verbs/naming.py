"""Tagging by name: any failure mode, recent ones first; a new name makes a new one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from reviewer.annotations.codebook import code_of
from reviewer.text.clean import printable_line

if TYPE_CHECKING:
    from reviewer.ui.surface import Stage
    from reviewer.ui.verbs.writing import Writing


class Naming:
    """The keys that open the list of modes."""

    def __init__(self, screen: Stage, marking: Writing, all: str = "conversation") -> None:
        self._screen = screen
        self._marking = marking
        self._all = all
        self._recent: list[str] = []

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Actions and what does them."""
        return {
            "mark.pick": partial(self.mode, False),
            "select.pick": partial(self.mode, False),
            "mark.whole": partial(self.mode, True),
        }

    def mode(self, whole: bool) -> None:
        """A failure mode by name, recent ones first; a new name makes a new one."""
        from reviewer.ui.screens.pick import Choice, PickScreen

        session = self._marking.session
        if session.modes.problem is not None:
            raise session.modes.problem
        modes = {mode.code: mode for mode in session.codebook.active()}
        codes = [code for code in self._recent if code in modes] + [code for code in modes if code not in self._recent]
        choices = [
            Choice(printable_line(mode.title), printable_line(f"{mode.code} · {mode.definition}"), mode.key)
            for mode in map(modes.__getitem__, codes)
        ]

        def picked(answer: int | str | None) -> None:
            if isinstance(answer, str):
                made = self._marking.act(lambda session: session.recode(lambda modes: modes.add(answer)[1]))
                if made is not None:
                    self._give(code_of(answer), whole)
                    self._screen.say(made.words, "good")
            elif answer is not None:
                self._give(codes[answer], whole)

        title = f"A failure mode for the whole {self._all}" if whole else "A failure mode"
        self._screen.app.push_screen(PickScreen(title, choices, new=True), self._screen.guarded(picked))

    def _give(self, code: str, whole: bool) -> None:
        self._marking.tag(code, whole=whole)
        self._recent = [code, *(each for each in self._recent if each != code)]
