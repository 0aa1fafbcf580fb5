"""What the verbs that mark words ask of a screen: the reading room, or a column of a comparison. Types only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

from reviewer.keys import Scope
from reviewer.model import Part
from reviewer.ui.shared.bindings import KeyedApp
from reviewer.ui.shared.prompt import Prompt
from reviewer.ui.shared.sheet import Item, Sheet

if TYPE_CHECKING:
    from reviewer.ui.marking.marking import Marking
    from reviewer.ui.reading.view import Viewing
    from reviewer.ui.shared.position import Reading


class Words(Protocol):
    """The widget in which the words stand."""

    border_subtitle: Any

    @property
    def cursor(self) -> Item:
        """The item under the cursor."""

    @property
    def items(self) -> Sequence[Item]:
        """What the cursor can stand on."""

    def hold(self, item: Item) -> None:
        """The cursor on an item that is on screen, without scrolling."""


class Shows(Protocol):
    """How what is read comes onto the screen."""

    @property
    def views(self) -> Sequence[Viewing]:
        """How each conversation that is shown is looked at."""

    def present(self) -> None:
        """Show what differs from what is on screen."""

    def reveal(self, item: Item, part: Part, offset: int) -> None:
        """The cursor on an item, with the line on screen that shows a character of it."""

    def sheet_of(self, item: Item) -> Sheet | None:
        """Where an item is shown."""


class Stage(Protocol):
    """A screen that can tell the reader something."""

    @property
    def app(self) -> KeyedApp:
        """The app."""

    @property
    def reading(self) -> Reading:
        """What is open."""

    @property
    def is_current(self) -> bool:
        """Whether this is the screen that is seen."""

    def say(self, words: str, style: str = "text") -> None:
        """Tell the reader something at the foot."""

    def key(self, name: str) -> str:
        """The key that starts an action, for sentences."""

    def acting(self) -> AbstractContextManager[None]:
        """Change what is to be shown, and show it at the end."""

    def set_interval(self, interval: float, callback: Callable[[], None]) -> Any:
        """Call again and again."""

    def run_worker(self, work: Callable[[], None], *, group: str, exclusive: bool, thread: bool) -> Any:
        """Do something behind the screen."""

    def guarded(self, verb: Callable[..., None]) -> Callable[..., None]:
        """The same, but what a person should read about it is said on the screen."""


class Surface(Stage, Protocol):
    """A screen with one conversation under the cursor."""

    @property
    def scope(self) -> Scope:
        """Whose keys count now."""

    @property
    def viewing(self) -> Viewing:
        """How the conversation under the cursor is looked at."""

    @property
    def transcript(self) -> Words:
        """Where it stands."""

    @property
    def showing(self) -> Shows:
        """How it comes there."""

    @property
    def marking(self) -> Marking:
        """What writes."""

    @property
    def prompt(self) -> Prompt:
        """Where one types."""

    def action_do(self, name: str, *arguments: Any) -> None:
        """Do what a key stands for."""
