"""Colours: the names that layout and widgets use for what they draw, and the themes that give them a look.

Owns the themes and the table from style names to colours. No state is told by a colour alone: whoever draws one of
these styles also draws a glyph or a word, so the table may be as quiet as it likes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from rich.style import Style
from textual.theme import Theme

_DARK = {
    "ground": "#15171c",
    "raised": "#1d2027",
    "cursor": "#242a36",
    "line": "#3a4150",
    "focus": "#6ea8fe",
    "text": "#d9dce3",
    "muted": "#929aaa",
    "faint": "#6b7484",
    "customer": "#e3bd80",
    "agent": "#8fbcff",
    "system": "#a0a8b6",
    "colleague": "#ceacf7",
    "read": "#80cbb9",
    "write": "#f5a862",
    "handover": "#ceacf7",
    "bad": "#f48782",
    "good": "#95d38c",
    "tag": "#f5cd75",
    "tag-ground": "#3a3217",
    "hit-ground": "#57481a",
    "here-ground": "#e8c34e",
    "here": "#15171c",
    "selected-ground": "#2f4f82",
    "evidence": "#93e3d3",
    "evidence-ground": "#173f3a",
}
_LIGHT = {
    "ground": "#fbfaf8",
    "raised": "#f0eeea",
    "cursor": "#e6ecf7",
    "line": "#cbc7bf",
    "focus": "#2f66c4",
    "text": "#23262d",
    "muted": "#5c6370",
    "faint": "#7b8290",
    "customer": "#7f5200",
    "agent": "#1f55b5",
    "system": "#5c6370",
    "colleague": "#7438a8",
    "read": "#0d6356",
    "write": "#a04600",
    "handover": "#7438a8",
    "bad": "#b3261e",
    "good": "#28692b",
    "tag": "#664a00",
    "tag-ground": "#f8e9bb",
    "hit-ground": "#fdf0ab",
    "here-ground": "#ffce33",
    "here": "#23262d",
    "selected-ground": "#cadcf9",
    "evidence": "#0a4f45",
    "evidence-ground": "#cdeee7",
}
_CONTRAST = {
    "ground": "#000000",
    "raised": "#000000",
    "cursor": "#262626",
    "line": "#c0c0c0",
    "focus": "#ffff00",
    "text": "#ffffff",
    "muted": "#e0e0e0",
    "faint": "#c8c8c8",
    "customer": "#ffd75f",
    "agent": "#87d7ff",
    "system": "#e0e0e0",
    "colleague": "#ffafff",
    "read": "#87ffd7",
    "write": "#ffaf5f",
    "handover": "#ffafff",
    "bad": "#ff8787",
    "good": "#87ff87",
    "tag": "#ffff87",
    "tag-ground": "#3a3a00",
    "hit-ground": "#5f5f00",
    "here-ground": "#ffff00",
    "here": "#000000",
    "selected-ground": "#005faf",
    "evidence": "#87ffff",
    "evidence-ground": "#004f4f",
}


@dataclass(frozen=True, slots=True)
class Look:
    """How one style name is drawn: colour names of the theme, and attributes."""

    colour: str = ""
    ground: str = ""
    bold: bool = False
    italic: bool = False
    underline: bool = False


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
    "bar": Look("focus", bold=True),
    "flip": Look("tag", bold=True),
    "same": Look("muted"),
    "parting": Look("tag"),
    "bar-away": Look("faint"),
    # painted over what stands there
    "cursor": Look("", "cursor"),
    "tagged": Look("tag", "tag-ground", underline=True),
    "hit": Look("", "hit-ground", underline=True),
    "hit-here": Look("here", "here-ground", bold=True),
    "selected": Look("", "selected-ground", bold=True),
    "evidence": Look("evidence", "evidence-ground", underline=True),
}

DEFAULT = "reviewer-dark"
Styles = Mapping[str, Style]


def _theme(name: str, colours: Mapping[str, str], dark: bool) -> Theme:
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
        dark=dark,
        variables={f"r-{key}": value for key, value in colours.items()},
    )


THEMES: Mapping[str, Mapping[str, str]] = {DEFAULT: _DARK, "reviewer-light": _LIGHT, "reviewer-contrast": _CONTRAST}


def themes() -> list[Theme]:
    """The themes for Textual."""
    return [_theme(name, colours, name != "reviewer-light") for name, colours in THEMES.items()]


@lru_cache(maxsize=8)
def styles(theme: str) -> Styles:
    """Every style name as it looks in a theme."""
    colours = THEMES.get(theme, _DARK)
    return {name: _style(look, colours) for name, look in LOOKS.items()}


def _style(look: Look, colours: Mapping[str, str]) -> Style:
    return Style(
        color=colours[look.colour] if look.colour else None,
        bgcolor=colours[look.ground] if look.ground else None,
        bold=look.bold or None,
        italic=look.italic or None,
        underline=look.underline or None,
    )
