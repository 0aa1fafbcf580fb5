"""A screen whose keys end in verbs: a head, a foot that hints or tells, a prompt.

Owns how a key becomes a verb and where its words go. Which verbs there are, and what is between head and foot, is each
screen's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from textual import getters

from reviewer.app.keys import Scope, key_of
from reviewer.app.shared import rows
from reviewer.app.shared.bindings import KeyedApp
from reviewer.app.shared.line_widgets import Bit, LineWidget
from reviewer.app.shared.messages import PromptSaid, RowsUnread, WordsChosen
from reviewer.app.shared.position import ReadingPosition
from reviewer.app.shared.prompt import Prompt
from reviewer.app.shared.still import StillScreen
from reviewer.basics.clean import printable_line
from reviewer.basics.errors import ReviewerError

Offer = Callable[[str], list[tuple[str, str]]]
"""What may stand in the place of what was typed behind a command, and what there is to say of each."""


class KeyedScreen(StillScreen):
    """The base of the screens with keys of their own."""

    app = getters.app(KeyedApp)
    prompt = getters.query_one("#prompt", Prompt)
    head = getters.query_one("#head", LineWidget)
    foot = getters.query_one("#foot", LineWidget)

    def __init__(self, reading: ReadingPosition) -> None:
        super().__init__()
        self.reading = reading
        self.verbs: dict[str, Callable[..., None]] = {}
        self.offers: dict[str, Offer] = {}
        """By the command behind which they are typed."""
        self._notice: Bit | None = None
        self._acts = 0
        """How deep in acts this is."""
        self._hinted: dict[tuple[Scope, int], tuple[list[Bit], list[Bit]]] = {}

    def on_mount(self) -> None:
        """Bind the reader's own keys, in every pane."""
        for node in (self, *self.query("*")):
            self.app.rebind(node)

    def action_do(self, name: str, *arguments: Any) -> None:
        """Do what a key stands for; a key typed before the screen has settled in waits until it has."""
        if name not in self.verbs:
            self.call_after_refresh(self.action_do, name, *arguments)
            return
        self.app.last_actions.add(name)
        self._notice = None
        self.guarded(self.verbs[name])(*arguments)

    def guarded(self, verb: Callable[..., None]) -> Callable[..., None]:
        """The same as an act: what a person should read about it is said, and what it changed is shown once it ends."""

        def run(*arguments: Any) -> None:
            with self.acting():
                try:
                    verb(*arguments)
                except ReviewerError as error:
                    self.say(str(error), "bad")

        return run

    @contextmanager
    def acting(self) -> Iterator[None]:
        """Change what is to be shown, and show it at the end of the outermost act."""
        self._acts += 1
        try:
            yield
        finally:
            self._acts -= 1
        self.changed()

    def changed(self) -> None:
        """Show what may have changed; during an act this waits for its end. What cannot be read for it is said."""
        if not self._acts and self.is_mounted:
            try:
                self.present()
            except ReviewerError as error:
                self._notice = _notice(str(error), "bad")
                self.foot.show(*self.footing())

    def present(self) -> None:
        """Show what differs from what is on screen: the foot, which tells what was said, else the hints."""
        self.foot.show(*self.footing())

    @property
    def has_said(self) -> bool:
        """True while the foot tells what was said."""
        return self._notice is not None

    def footing(self) -> tuple[list[Bit], list[Bit]]:
        """What the foot shows: what was said, else the hints."""
        return ([self._notice], []) if self._notice else self._hints(self.scope, self.size.width)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Allow the keys of the selection only while something is being selected."""
        if action == "do" and str(parameters[0]).startswith("select."):
            return self.scope == "select"
        return True

    @property
    def scope(self) -> Scope:
        """The scope whose keys count now."""
        return "anywhere"

    def why_not(self, name: str) -> str | None:
        """Say why an action would do nothing now; None when it would do something."""
        return None if name in self.verbs else "not on this screen"

    def say(self, words: str, style: str = "text", indent: int = 1) -> None:
        """Tell the reader something at the foot, until the next key."""
        self._notice = _notice(words, style, indent)
        self.changed()

    def key(self, name: str) -> str:
        """The key that starts an action, for sentences."""
        return key_of(name, self.app.bound)

    def _hints(self, scope: Scope, width: int) -> tuple[list[Bit], list[Bit]]:
        if (scope, width) not in self._hinted:
            self._hinted[scope, width] = rows.hints(scope, width, self.app.bound)
        return self._hinted[scope, width]

    def look_again(self) -> None:
        """Read again what follows from what tools mean, after the desk has changed."""

    def take_keys(self) -> None:
        """Give the keys back to what is read, after something was typed."""

    def on_rows_unread(self, event: RowsUnread) -> None:
        """Say why rows stay empty."""
        self.say(str(event.error), "bad")

    def on_words_chosen(self, event: WordsChosen) -> None:
        """Select what the mouse went over, as after `v`."""
        self.action_do("select.words", event.item, event.part, event.span, event.unit)

    def on_prompt_said(self, event: PromptSaid) -> None:
        """Answer what is typed, confirmed or given up at the foot."""
        if event.done:
            self.take_keys()
        if event.verb in self.verbs:
            self.action_do(event.verb, *([event.text] if event.text is not None else []))


def _notice(words: str, style: str, indent: int = 1) -> Bit:
    return f"{' ' * indent}{printable_line(words)}", style
