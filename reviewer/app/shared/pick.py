"""A list to pick from by words in any order, else by a few letters of the name, the better the closer together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Resize
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

from reviewer.app.layout.wrap import wrapped
from reviewer.app.shared.line_widgets import Bit, ByLine, plain_bits, spread, strip_of
from reviewer.app.shared.still import Dialog, steady
from reviewer.app.shared.theme import is_plain, palette
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph, plainly

_DESCRIBED = 3
"""How much worse a word stands in a description than in a name."""
_WIDE, _AROUND = 76, 4
"""Cells of the dialog, as its style says, and those of them that border and padding take."""
_BESIDE = 4
"""Lines of it besides the list: border, what is typed, and the blank below."""
_MOST, _FEW = 16, 5
"""Lines that the list has at most, and those that it keeps when something is explained below, the blank included."""


def score(typed: str, name: str) -> float | None:
    """Rate how well letters match, smaller is better; None when they do not stand there in order."""
    wanted, there = typed.lower().replace(" ", ""), name.lower()
    if not wanted:
        return 0.0
    if (whole := there.find(typed.lower().strip())) >= 0:
        starts_word = whole == 0 or not there[whole - 1].isalnum()
        return whole / 1000 - (2 if starts_word else 1)
    total, at, last = 0.0, 0, -1
    for letter in wanted:
        place = there.find(letter, at)
        if place < 0:
            return None
        total += 0.0 if place == last + 1 or not there[place - 1].isalnum() else 1.0
        last, at = place, place + 1
    return total + len(there) / 1000


def ranked(typed: str, names: Sequence[tuple[str, str]]) -> list[int]:
    """The indexes of what has every typed word in its name or description, in any order, the best first.

    A single word that no name has may be letters of one, in order; so may several where nothing has them all.
    """
    words = typed.casefold().split()
    if not words:
        return list(range(len(names)))
    standing = [_standing(words, name.casefold(), about.casefold()) for name, about in names]
    matching = sorted((each, index) for index, each in enumerate(standing) if each is not None)
    if matching and len(words) > 1:
        return [index for _, index in matching]
    others = [(score(typed, names[index][0]), index) for index, each in enumerate(standing) if each is None]
    alike = sorted((value, index) for value, index in others if value is not None)
    return [index for _, index in (*matching, *alike)]


def _standing(words: Sequence[str], name: str, about: str) -> tuple[int, int, int] | None:
    """How well words stand in a name, else its description, smaller is better; None when one is missing."""
    worst, first = 0, len(name)
    for word in words:
        place = _best_place(word, name)
        if place is not None:
            first = min(first, place[1])
        else:
            place = _best_place(word, about)
            if place is None:
                return None
            place = place[0] + _DESCRIBED, 0
        worst += place[0]
    return worst, first, len(name)


def _best_place(word: str, text: str) -> tuple[int, int] | None:
    """How a word stands in a text at best, and where: 0 whole or at its beginning, 1 as one begins, 2 within one."""
    best, at = None, text.find(word)
    while at >= 0:
        end = at + len(word)
        begins, ends = not at or not text[at - 1].isalnum(), end == len(text) or not text[end].isalnum()
        how = 0 if not at or (begins and ends) else 1 if begins else 2
        if best is None or how < best[0]:
            best = how, at
        if not how:
            break
        at = text.find(word, at + 1)
    return best


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the many: what it is called, what stands at the right of it, and whether it can be had."""

    name: str
    about: str = ""
    key: str = ""
    off: bool = False
    more: tuple[str, ...] = ()
    """Paragraphs that are shown whole below the list while the cursor is on it."""


class Choices(Widget):
    """The list below what is typed."""

    DEFAULT_CSS = "Choices { height: auto; min-height: 1; }"

    def __init__(self, choices: Sequence[Choice], *, new: bool) -> None:
        super().__init__()
        self._choices = [*choices, Choice("")] if new else list(choices)
        self._names = [(choice.name, " ".join((choice.about, *choice.more))) for choice in choices]
        self._new = new
        self._shown = list(range(len(choices)))
        self._cursor = 0
        self._room = max([2, *(cell_len(choice.key) for choice in choices)])

    @property
    def chosen(self) -> int | None:
        """The choice under the cursor; as many as there are choices for what was typed as a new name."""
        return self._shown[self._cursor] if self._shown else None

    @property
    def more(self) -> tuple[str, ...]:
        """What there is to say of the choice under the cursor."""
        return self._choices[self.chosen].more if self.chosen is not None else ()

    def narrow(self, typed: str) -> None:
        """Show what matches, the best first; last, what was typed as a new name where that is wanted."""
        self._shown = ranked(typed, self._names)
        name = typed.strip()
        if self._new and name and all(name.casefold() != each[0].casefold() for each in self._names):
            self._choices[-1] = Choice(f"+ {name}", "a new one of this name")
            self._shown = [*self._shown, len(self._names)]
        self._cursor = 0
        self.refresh()

    def move(self, by: int) -> None:
        """Move the cursor so many lines on, round the ends."""
        if self._shown:
            self._cursor = (self._cursor + by) % len(self._shown)
            self.refresh()

    def get_content_height(self, *_: object) -> int:
        """Return as many lines as there are choices."""
        return max(1, len(self._choices))

    def render_line(self, y: int) -> Strip:
        """A choice, the cursor kept on screen."""
        looks, width = palette(self.app.theme, self.rich_style), self.size.width
        plain = is_plain(self.app)
        index = y + max(0, self._cursor - self.size.height + 1)
        if index >= len(self._shown):
            words = "nothing matches" if not self._shown and y == 0 else ""
            return strip_of([(f"  {words}", "muted")], looks.line, width)
        choice = self._choices[self._shown[index]]
        here = index == self._cursor
        left: list[Bit] = [
            (glyph("cursor") if here else " ", "bar"),
            (f"{choice.key:<{self._room}} ", "key"),
            (choice.name, "muted" if choice.off else "strong"),
            (f"  {choice.about}" if choice.about else "", "muted"),
        ]
        bits = spread(plain_bits(left) if plain else left, [], width, glyph("more", plain))
        return strip_of(bits, looks.here if here else looks.line, width)


class Explanation(ByLine):
    """The paragraphs below the list, wrapped; what there is no room for is cut with a mark."""

    DEFAULT_CSS = "Explanation { height: 0; margin-top: 1; display: none; }"

    def __init__(self) -> None:
        super().__init__(id="more")
        self._paragraphs: tuple[str, ...] = ()
        self._style = "text"

    def show(self, paragraphs: tuple[str, ...], style: str = "text") -> None:
        """Show these paragraphs from now on."""
        self._paragraphs, self._style = paragraphs, style
        self.repaint()

    def drawn(self, y: int) -> Strip:
        """A line of the paragraphs."""
        lines = _lines(self._paragraphs, self.size.width)
        words = lines[y] if y < len(lines) else ""
        if y == self.size.height - 1 and y < len(lines) - 1:
            words = f"{words[: self.size.width - 2]} {glyph('more', is_plain(self.app))}"
        bits: list[Bit] = [(words, self._style)]
        return self.strip(plain_bits(bits) if is_plain(self.app) else bits)


def _lines(paragraphs: Iterable[str], width: int) -> list[str]:
    return [text[start:end] for text in paragraphs for start, end in wrapped(text, width)]


class PickScreen(Dialog[int | str | None]):
    """Gives the index of what was picked, the text typed when that is to be something new, or None.

    Where it is `quick`, the key of a choice picks it at once. `new` says what is asked before something new is made of
    a name; without it nothing new can be.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("down,ctrl+n", "move(1)", show=False),
        Binding("up,ctrl+p", "move(-1)", show=False),
    ]
    DEFAULT_CSS = """
    PickScreen { align: center middle; background: $background 60%; }
    PickScreen > Vertical {
        width: 76; max-width: 100%; height: auto; max-height: 100%; padding: 0 1;
        border: $r-border $primary; background: $panel;
    }
    PickScreen Input > .input--placeholder { color: $r-muted; }
    PickScreen Input { height: 1; border: none; padding: 0; background: $panel; margin-bottom: 1; }
    """
    choices = getters.query_one(Choices)
    explanation = getters.query_one(Explanation)

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice],
        *,
        new: Callable[[str], str] | None = None,
        quick: bool = False,
    ) -> None:
        super().__init__()
        self._quick = {choice.key: index for index, choice in enumerate(choices)} if quick else {}
        self._title = title
        self._choices = choices
        self._new = new
        self._asked = ""
        """The new name about which was asked whether it is to be made."""

    def compose(self) -> ComposeResult:
        """Compose what is typed, what matches, and what there is to say of it."""
        with Vertical() as box:
            plain = is_plain(self.app)
            box.border_title = Content(plainly(self._title, plain))
            box.border_subtitle = Content(plainly("enter picks · esc leaves", plain))
            words = "its letter, or a few of the name" if self._quick else "type a few letters"
            steady(field := Input(placeholder=words, compact=True))
            yield field
            yield Choices(self._choices, new=self._new is not None)
            yield Explanation()

    def on_resize(self, event: Resize) -> None:
        """Share the height between the list and what there is to say of a choice, so that nothing jumps."""
        width = min(_WIDE, event.size.width) - _AROUND
        longest = max((len(_lines(choice.more, width)) for choice in self._choices), default=0)
        room = event.size.height - _BESIDE
        needed = min(longest, max(1, room - _FEW))
        self.explanation.styles.height = needed
        self.explanation.display = longest > 0
        self.choices.styles.max_height = max(1, min(_MOST, room - (needed + 1 if longest else 0)))
        self._explain()

    def action_move(self, by: int) -> None:
        """Move up and down while typing."""
        self.choices.move(by)
        self._explain()

    def action_leave(self) -> None:
        """Go back from the question, else leave."""
        if self._asked:
            self._explain()
        else:
            self.dismiss(None)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow the list."""
        if event.value in self._quick:
            self.dismiss(self._quick[event.value])
        else:
            self.choices.narrow(event.value)
            self._explain()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take what is under the cursor: one of the choices, or, once that is confirmed, a new name."""
        chosen, name = self.choices.chosen, event.value.strip()
        if chosen is None:
            return
        if chosen < len(self._choices):
            self.dismiss(chosen)
        elif self._asked == name:
            self.dismiss(name)
        elif self._new is not None:
            self._asked = name
            self.explanation.show((printable_line(self._new(name)), "enter makes it, esc goes back."), "tag")

    def _explain(self) -> None:
        self._asked = ""
        self.explanation.show(self.choices.more)
