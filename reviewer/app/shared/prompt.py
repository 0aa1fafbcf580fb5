"""The line at the foot where one types: what to find, a command, a filter.

Owns what was typed before, for each purpose, while the program runs; the alternatives of the last completion; and
which of the texts offered below it is chosen, which stands in the field while it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Paste
from textual.widgets import Input

from reviewer.app.shared.messages import PromptSaid
from reviewer.app.shared.still import steady
from reviewer.app.shared.theme import is_plain
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import plainly


class Prompt(Input):
    """One line of input; enter confirms, escape leaves, tab completes, up and down recall.

    Where texts are offered below, tab and down go to these, up goes back, enter takes the chosen one.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("tab", "complete", show=False),
        Binding("shift+tab", "another", show=False),
        Binding("up", "recall(-1)", show=False),
        Binding("down", "recall(1)", show=False),
    ]
    DEFAULT_CSS = """
    Prompt { height: 1; border: none; padding: 0; background: $panel; display: none; dock: bottom; }
    Prompt > .input--placeholder { color: $r-muted; }
    Prompt:focus { border: none; background-tint: transparent; }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, compact=True, select_on_focus=False)
        steady(self)
        self.purpose = ""
        self._past: dict[str, list[str]] = {}
        self._at = 0
        self._draft = ""
        self._filled: tuple[str, list[str]] = ("", [])
        """What stands there since the last completion, and what else could, the next first."""
        self.chosen: int | None = None
        """Which of the texts that are offered stands there, not taken yet."""
        self._offered: Sequence[tuple[int, int, str]] = ()
        self._typed: tuple[str, int] = ("", 0)
        """What was typed where a chosen text stands now, and where the cursor was."""

    def ask(self, purpose: str, placeholder: str, value: str = "", at: int | None = None) -> None:
        """Come up and take the keys; typing replaces what stands there, unless the cursor is wanted at a place."""
        if (
            self.display and self.purpose != purpose
        ):  # the keys had gone elsewhere, and what it had brought stands there
            self.post_message(PromptSaid(f"{self.purpose}.left", None, done=False))
        self.purpose = purpose
        self.placeholder = plainly(placeholder, is_plain(self.app))
        self._at, self._draft = len(self._past.get(purpose, ())), ""
        self.offer(())
        with self.prevent(Input.Changed):
            self.value = value
        self.display = True
        self.focus()
        if at is None:
            self.action_select_all()
        else:
            self.cursor_position = at

    def fill(self, start: int, end: int, texts: Sequence[str]) -> None:
        """Put the first of these between two places; the others are offered when another is asked for.

        What holds characters that steer a terminal is left out: an input would hand them on.
        """
        texts = [text for text in texts if printable_line(text) == text]
        if texts:
            whole = [f"{self.value[:start]}{text}{self.value[end:]}" for text in texts]
            self._put(whole, start + len(texts[0]))

    def offer(self, texts: Sequence[tuple[int, int, str]]) -> None:
        """Let one of these be chosen for what stands between its two places."""
        self.chosen, self._offered = None, texts

    def choose(self, by: int) -> None:
        """Put the next offered text there, not taken yet, or before the first what was typed."""
        if self._offered:
            last = len(self._offered) - 1
            at = (0 if by > 0 else last) if self.chosen is None else self.chosen + by
            self.put(None if at < 0 else 0 if at > last else at)

    def put(self, at: int | None) -> None:
        """Put one of the offered texts there, or what was typed; one that is no longer offered is none."""
        if at is not None and at >= len(self._offered):
            return
        if self.chosen is None:
            self._typed = self.value, self.cursor_position
        self.chosen = at
        value, cursor = self._typed
        if at is not None:
            start, end, text = self._offered[at]
            value, cursor = f"{value[:start]}{text}{value[end:]}", start + len(text)
        with self.prevent(Input.Changed):
            self.value = value
        self.cursor_position = cursor
        self.post_message(PromptSaid(f"{self.purpose}.chosen", None, done=False))

    def take(self) -> None:
        """Let the chosen text stand, and ask what may follow it."""
        self.chosen = None
        self.post_message(PromptSaid(f"{self.purpose}.typed", self.value, done=False))

    def action_leave(self) -> None:
        """Go without a word; from an offered text, back to what was typed."""
        if self.chosen is not None:
            self.put(None)
            return
        self.display = False
        self.post_message(PromptSaid(f"{self.purpose}.left", None, done=True))

    def action_complete(self) -> None:
        """Ask for what may stand at the cursor."""
        self.post_message(PromptSaid(f"{self.purpose}.complete", self.value, done=False))

    def action_another(self) -> None:
        """Put the next alternative in the place of what was completed last, or the offered text before."""
        if self.chosen is not None:
            self.choose(-1)
            return
        shown, others = self._filled
        if others and self.value == shown:
            behind = len(shown) - self.cursor_position
            self._put([*others, shown], len(others[0]) - behind)

    def action_recall(self, by: int) -> None:
        """Recall what was typed before; past the last of it, what was being typed, and then what is offered below."""
        past = self._past.get(self.purpose, [])
        at = self._at + by
        if self.chosen is not None or at > len(past):
            self.choose(by)
            return
        if 0 <= at <= len(past):
            if self._at == len(past):
                self._draft = self.value
            self._at = at
            self.value = self._draft if at == len(past) else past[at]
            self.cursor_position = len(self.value)

    def on_paste(self, event: Paste) -> None:
        """Take all lines of what is pasted, as one."""
        event.text = " ".join(event.text.splitlines())

    def on_input_changed(self, event: Input.Changed) -> None:
        """Pass on what stands there."""
        event.stop()
        self.chosen = None
        self.post_message(PromptSaid(f"{self.purpose}.typed", event.value, done=False))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Pass on what was confirmed; an offered text is only taken."""
        event.stop()
        if self.chosen is not None:
            self.take()
            return
        self.display = False
        if event.value.strip():
            past = self._past.setdefault(self.purpose, [])
            past[:] = [*(each for each in past if each != event.value), event.value]
        self.post_message(PromptSaid(f"{self.purpose}.entered", event.value, done=True))

    def _put(self, whole: list[str], cursor: int) -> None:
        self._filled = (whole[0], whole[1:])
        self.value = whole[0]
        self.cursor_position = cursor
