"""Themes and their colours: what every style is drawn with, and scroll bars in plain signs where these are wanted."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from rich.style import Style
from textual.scrollbar import ScrollBarRender
from textual.theme import Theme
from textual.widget import Widget

from reviewer.app.shared.colours import ANSI, CONTRAST, DARK, LIGHT

if TYPE_CHECKING:
    from textual.app import App


class Look(NamedTuple):
    """The look of one style name: colour names of the theme, and attributes."""

    colour: str = ""
    ground: str = ""
    bold: bool = False
    italic: bool = False
    underline: bool = False
    reverse: bool = False
    """In place of the ground, where a theme has none of its own."""


LOOKS: Mapping[str, Look] = {
    "": Look(),
    "text": Look("text"),
    "muted": Look("muted"),
    "faint": Look("faint"),
    "strong": Look("text", bold=True),
    "title": Look("focus", bold=True),
    "key": Look("focus", bold=True),
    "role.customer": Look("customer", bold=True),
    "role.agent": Look("agent", bold=True),
    "role.system": Look("system", bold=True),
    "role.colleague": Look("colleague", bold=True),
    "role.other": Look("system", bold=True),
    "gutter": Look(),
    "number": Look("muted"),
    "time": Look("faint"),
    "dim": Look("muted"),
    "reasoning": Look("muted", italic=True),
    "control": Look("bad"),
    "fold": Look("muted", italic=True),
    "heading": Look("text", bold=True),
    "emphasis": Look("text", italic=True),
    "code": Look("read"),
    "marker": Look("faint"),
    "bullet": Look("muted"),
    "quote": Look("muted"),
    "tool.name": Look("text", bold=True),
    "tool.key": Look("muted"),
    "tool.read": Look("read"),
    "tool.write": Look("write", bold=True),
    "tool.handover": Look("handover", bold=True),
    "tool.unclassed": Look("muted"),
    "tool.forbidden": Look("bad", bold=True),
    "field.key": Look("muted"),
    "field.group": Look("muted", bold=True),
    "value": Look("text"),
    "value.number": Look("text"),
    "value.word": Look("text"),
    "punctuation": Look("faint"),
    "error": Look("bad", bold=True),
    "missing": Look("bad"),
    "good": Look("good"),
    "bad": Look("bad", bold=True),
    "tag": Look("tag"),
    "suggestion": Look("suggestion", italic=True),
    "bar": Look("focus", bold=True),
    "flip": Look("tag", bold=True),
    "same": Look("muted"),
    "parting": Look("tag"),
    "bar-away": Look("faint"),
    # painted over what stands there
    "cursor": Look("", "cursor"),
    "suggested": Look("suggestion", underline=True),
    "tagged": Look("tag", "tag-ground", underline=True),
    "hit": Look("text", "hit-ground", underline=True),
    "hit-here": Look("here", "here-ground", bold=True, reverse=True),
    "selected": Look("text", "selected-ground", bold=True, reverse=True),
    "evidence": Look("evidence", "evidence-ground", underline=True),
    "fact.tool": Look("read", underline=True),
    "fact.citation": Look("read", bold=True, italic=True, underline=True),
    "fact.told": Look("colleague", italic=True, underline=True),
    "fact.customer": Look("customer", bold=True, underline=True),
    "fact.nowhere": Look("bad", "bad-ground", underline=True, reverse=True),
    "cited": Look("cited", "cited-ground", bold=True, underline=True, reverse=True),
}

DEFAULT, WITHOUT_COLOURS = "dark", "ansi"
Styles = Mapping[str, Style]
THEMES: Mapping[str, Mapping[str, str]] = {DEFAULT: DARK, "light": LIGHT, "contrast": CONTRAST, "ansi": ANSI}
_INPUTS = {
    "ansi-background": "ansi_black",
    "ansi-foreground": "ansi_white",
    "border-blurred": "ansi_bright_black",
    "block-cursor-foreground": "ansi_bright_white",
    "block-cursor-background": "ansi_blue",
    "input-cursor-background": "ansi_default",
    "input-cursor-foreground": "ansi_default",
    "input-cursor-text-style": "reverse",
    "input-selection-background": "ansi_blue",
    "input-selection-foreground": "ansi_bright_white",
    "screen-selection-background": "ansi_blue",
    "screen-selection-foreground": "ansi_bright_white",
}
"""What Textual would compute from colours that it can mix; the sixteen cannot be mixed."""


def _theme(name: str, colours: Mapping[str, str]) -> Theme:
    return Theme(
        name,
        primary=colours["focus"],
        foreground=colours["text"],
        background=colours["ground"],
        surface=colours["raised"],
        panel=colours["raised"],
        error=colours["bad"],
        warning=colours["tag"],
        success=colours["good"],
        accent=colours["write"],
        dark=name != "light",
        ansi=name == "ansi",
        variables={f"r-{key}": value for key, value in colours.items()} | (_INPUTS if name == "ansi" else {}),
    )


@cache
def themes() -> Mapping[str, Theme]:
    """The themes for Textual, by name."""
    return {name: _theme(name, colours) for name, colours in THEMES.items()}


def borders(plain: bool) -> dict[str, str]:
    """The kinds of border as variables of the style sheets."""
    return {"r-border": "ascii" if plain else "round", "r-border-loud": "ascii" if plain else "heavy"}


PLAIN = "-ascii"
"""The class that the app has when only plain signs are wanted."""


def is_plain(app: App[Any]) -> bool:
    """True if only plain signs are wanted."""
    return app.has_class(PLAIN)


@lru_cache(maxsize=8)
def styles(theme: str) -> Styles:
    """Every style name as it looks in a theme."""
    colours = THEMES.get(theme, DARK)
    return {name: _style(look, colours) for name, look in LOOKS.items()}


class Palette(NamedTuple):
    """The styles of a theme as they look on a ground."""

    over: Styles
    """Laid over what stands there already."""
    line: Styles
    """On a line."""
    here: Styles
    """On the line of the cursor."""


@lru_cache(maxsize=32)
def palette(theme: str, ground: Style) -> Palette:
    """Return the styles that a widget draws with."""
    over = styles(theme)
    here = ground + over["cursor"]
    return Palette(over, _on(ground, over), _on(here, over))


def _on(ground: Style, looks: Styles) -> Styles:
    return {name: ground + style for name, style in looks.items()}


def _style(look: Look, colours: Mapping[str, str]) -> Style:
    ground = colours[look.ground] if look.ground else ""
    return Style(
        color=_rich(colours[look.colour]) if look.colour else None,
        bgcolor=_rich(ground) if ground and ground != "ansi_default" else None,
        bold=look.bold or None,
        italic=look.italic or None,
        underline=look.underline or None,
        reverse=(look.reverse and ground == "ansi_default") or None,
    )


def _rich(colour: str) -> str:
    return colour.removeprefix("ansi_")


class PlainBar(ScrollBarRender):
    """A bar of whole cells."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


def plain_bars(widget: Widget) -> None:
    """Draw the bar of a widget that scrolls in plain signs where these are wanted."""
    if is_plain(widget.app):
        widget.vertical_scrollbar.renderer = PlainBar  # type: ignore[misc]  # of this one bar, not of all
