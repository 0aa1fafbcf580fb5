"""Colours: every name that is drawn has a look, and every look can be read."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from reviewer.ui.theme import DEFAULT, LOOKS, THEMES, styles

LAYOUT = Path(__file__).resolve().parents[2] / "reviewer" / "layout"
FAINT = {"faint", "marker", "punctuation", "bar-away", "time"}


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG counts it."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", list(THEMES))
@pytest.mark.parametrize("name", list(LOOKS))
def test_every_look_can_be_read_on_every_ground_it_stands_on(theme: str, name: str) -> None:
    look, colours = LOOKS[name], THEMES[theme]
    colour = colours[look.colour or "text"]
    grounds = [look.ground] if look.ground else ["ground", "cursor"]
    wanted = 3.0 if name in FAINT else 4.5
    for ground in grounds:
        assert contrast(colour, colours[ground]) >= wanted, ground


def test_every_style_that_the_layout_names_has_a_look() -> None:
    named: set[str] = set()
    for path in LAYOUT.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Piece" and len(node.args) > 1:
                style = node.args[1]
                named |= {style.value} if isinstance(style, ast.Constant) and isinstance(style.value, str) else set()
    assert {"gutter", "fold", "number"} <= named
    assert named <= LOOKS.keys()


def test_an_unknown_theme_looks_like_the_default() -> None:
    assert styles("nobody") == styles(DEFAULT)
