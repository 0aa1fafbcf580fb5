"""What was meant could not be written: nothing else happens until it is saved, here or elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from reviewer.errors import ReviewerError


class UnsavedScreen(ModalScreen[str]):
    """Stays until the journal could be written; gives the words for what was done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "retry", "try again"),
        Binding("s", "elsewhere", "save elsewhere"),
    ]
    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    UnsavedScreen { align: center middle; background: $background 60%; }
    UnsavedScreen > Vertical {
        width: 72; max-width: 100%; height: auto; padding: 1 2; border: $r-border-loud $error; background: $panel;
    }
    UnsavedScreen Static { height: auto; }
    UnsavedScreen Input { display: none; margin-top: 1; }
    """
    words = getters.query_one("#words", Static)
    place = getters.query_one(Input)

    def __init__(self, error: ReviewerError, retry: Callable[[], None], elsewhere: Callable[[Path], None]) -> None:
        super().__init__()
        self._error = error
        self._retry = retry
        self._elsewhere = elsewhere

    def compose(self) -> ComposeResult:
        """What happened, and the two ways out."""
        with Vertical() as box:
            box.border_title = Content("Not saved")
            yield Static(self._text(), id="words", markup=False)
            yield Input(placeholder="file to save to, such as /tmp/tags.jsonl", compact=True)

    def action_retry(self) -> None:
        """Write it again."""
        try:
            self._retry()
        except ReviewerError as error:
            self._still(error)
        else:
            self.dismiss("Saved.")

    def action_elsewhere(self) -> None:
        """Ask for another file."""
        self.place.display = True
        self.place.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Write it there."""
        path = Path(event.value.strip()).expanduser()
        try:
            self._elsewhere(path)
        except ReviewerError as error:
            self._still(error)
        else:
            self.dismiss(f"Saved to {path}; copy it into the annotations when they can be written again.")

    def _still(self, error: ReviewerError) -> None:
        self._error = error
        self.words.update(self._text())
        self.place.display = False
        self.set_focus(None)

    def _text(self) -> Content:
        return Content.assemble(
            (f"{self._error.message}\n", "bold"),
            f"{self._error.hint}\n\n" if self._error.hint else "\n",
            "What you just did is not on disk, so it is not shown.\n\n",
            ("r", "bold $primary"), " tries again    ", ("s", "bold $primary"), " saves it to another file",
        )  # fmt: skip
