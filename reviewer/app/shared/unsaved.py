"""What opens when something could not be written: it says why, and leaves the choice to the reader."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Protocol

from rich.text import Text
from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from reviewer.app.shared.bindings import KeyedApp
from reviewer.app.shared.still import Dialog, steady
from reviewer.basics.clean import printable
from reviewer.basics.errors import ReviewerError

_NAMELESS = "Type a whole path, such as ~/tags.jsonl."
_CHOICES = {
    "r": "try again",
    "s": "save it to another file",
    "esc": "go back without it",
    "q": "quit without it",
}
_TYPING = {"enter": "save it there", "esc": "back to the choices"}


class UnsavedActs(Protocol):
    """The interface of what holds acts that could not be written."""

    def retry(self) -> None:
        """Write them where they belong."""

    def save_elsewhere(self, path: Path) -> None:
        """Write them to another file."""

    def give_up(self) -> None:
        """Forget them."""


class UnsavedScreen(Dialog[str]):
    """Says that something was not saved, and gives the words for what became of it.

    Whoever tags quickly has typed on by the time it comes up: these keys are dropped, and a file is named by a whole
    path, which nobody types by accident.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "retry", "try again"),
        Binding("s", "elsewhere", "save elsewhere"),
        Binding("escape", "back", "go back"),
        Binding("q", "leave", "quit"),
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
    app = getters.app(KeyedApp)
    words = getters.query_one("#words", Static)
    place = getters.query_one(Input)

    def __init__(self, error: ReviewerError, unsaved: UnsavedActs) -> None:
        super().__init__()
        self._error = error
        self._unsaved = unsaved

    def compose(self) -> ComposeResult:
        """Compose the dialog: what happened, the ways out, and where a path is typed."""
        with Vertical() as box:
            box.border_title = Content("Not saved")
            yield Static(self._text(_CHOICES), id="words", markup=False)
            steady(field := Input(placeholder="~/tags.jsonl", compact=True))
            yield field

    def on_mount(self) -> None:
        """Drop what was typed before anybody could see this."""
        self.app.forget_typed()

    def action_retry(self) -> None:
        """Write it again."""
        try:
            self._unsaved.retry()
        except ReviewerError as error:
            self._still(error)
        else:
            self.dismiss("Saved.")

    def action_elsewhere(self) -> None:
        """Ask for another file."""
        self.place.display = True
        self.place.focus()
        self.words.update(self._text(_TYPING))

    def action_back(self) -> None:
        """Go back to the choices; from there to the screen, without what was not saved."""
        if self.place.display:
            self._still(self._error)
        else:
            self._unsaved.give_up()
            self.dismiss("It was not saved, and is not marked.")

    def action_leave(self) -> None:
        """Quit, and say once more what is lost."""
        self.app.exit(return_code=1, message=Text(printable(f"What you did last was not saved: {self._error}")))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Write it there."""
        text = event.value.strip()
        path = Path(text).expanduser()
        try:
            if not path.is_absolute():
                raise ReviewerError(f"“{text}” is not a whole path." if text else "No file was named.", _NAMELESS)
            self._unsaved.save_elsewhere(path)
        except ReviewerError as error:
            self._still(error)
        else:
            self.dismiss(f"Saved to {path}; copy it into the annotations when they can be written again.")

    def _still(self, error: ReviewerError) -> None:
        self._error = error
        self.words.update(self._text(_CHOICES))
        self.place.display = False
        self.set_focus(None)

    def _text(self, choices: dict[str, str]) -> Content:
        lines = [((f"{key:<5} ", "bold $primary"), f"{what}\n") for key, what in choices.items()]
        return Content.assemble(
            (f"{self._error.message}\n", "bold"),
            f"{self._error.hint}\n\n" if self._error.hint else "\n",
            "What you just did is not on disk, so it is not shown.\n\n",
            *(piece for line in lines for piece in line),
        ).rstrip()
