"""Colours: every name that is drawn has a look, and every look can be read."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from rich.style import Style
from textual.color import Color

from reviewer.app.app import ReviewerApp
from reviewer.app.shared.theme import DEFAULT, LOOKS, THEMES, styles
from reviewer.cli.open import Theme
from tests import builders
from tests.ui.room import LARGE, SMALL, room
from tests.ui.test_golden import SCREENS, talks

LAYOUT = Path(__file__).resolve().parents[2] / "reviewer" / "app" / "layout"
MIXED = [name for name in THEMES if name != "ansi"]


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG counts it."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", MIXED)
@pytest.mark.parametrize("name", list(LOOKS))
def test_every_look_can_be_read_on_every_ground_it_stands_on(theme: str, name: str) -> None:
    look, colours = LOOKS[name], THEMES[theme]
    colour = colours[look.colour or "text"]
    grounds = [look.ground] if look.ground else ["ground", "raised", "cursor"]
    for ground in grounds:
        assert contrast(colour, colours[ground]) >= 4.5, ground


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


def test_the_sixteen_colours_are_the_terminals_own() -> None:
    for name, style in styles("ansi").items():
        for colour in (style.color, style.bgcolor):
            assert colour is None or colour.is_system_defined, name


@pytest.mark.parametrize(("one", "other"), [("hit", "hit-here"), ("tagged", "hit-here"), ("text", "selected")])
def test_without_colours_what_is_painted_differs_by_its_attributes(one: str, other: str) -> None:
    look = styles("ansi")
    assert _attributes(look[one]) != _attributes(look[other])


def test_without_colours_facts_differ_by_where_they_come_from() -> None:
    look = styles("ansi")
    facts = [_attributes(style) for name, style in look.items() if name.startswith("fact.")]
    assert len(facts) == len({*facts, _attributes(look["text"])}) - 1 == 5
    assert _attributes(look["hit-here"]) not in facts


def _attributes(style: Style) -> tuple[bool | None, ...]:
    return style.bold, style.italic, style.underline, style.reverse


def test_the_command_line_knows_every_theme() -> None:
    assert [theme.value for theme in Theme] == list(THEMES)


async def test_a_theme_is_chosen_while_reading_and_completed(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path), theme="light") as here:
        assert here.app.theme == "light"
        await here.press(":")
        await here.type("th")
        await here.press("tab")
        assert "contrast  dark" in here.foot
        await here.type("con")
        await here.press("tab", "enter")
        assert here.app.theme == "contrast"
        await here.press(":")
        await here.type("theme mauve")
        await here.press("enter")
        assert "no theme “mauve”" in here.foot
        assert here.app.theme == "contrast"


@pytest.mark.parametrize("theme", MIXED)
def test_a_theme_that_is_no_terminals_has_no_colour_of_a_terminal(theme: str) -> None:
    """Lines are painted without a look for these, which would then be the terminal's own."""
    assert all(colour.startswith("#") for colour in THEMES[theme].values())


async def test_no_color_is_honoured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with room(builders.store(tmp_path), theme="light") as here:
        await here.press("j", "v", "1", "/", "i", "t", "enter")
        strips = here.app.screen._compositor.render_strips()
        shown = [line.apply_filter(each, Color(0, 0, 0)) for line in strips for each in here.app.get_line_filters()]
        segments = [segment.style for line in shown for segment in line if segment.style]
        assert segments
        assert here.screen.transcript.get_line_filters() == here.app.get_line_filters() != []
        for style in segments:
            assert all(colour is None or colour.is_default for colour in (style.color, style.bgcolor))
        await here.press(":")
        await here.type("theme dark")
        await here.press("enter")
        assert "NO_COLOR" in here.foot


PLAIN_SCREENS = {
    **SCREENS,
    "palette": ("ctrl+p",),
    "command": (":",),
    "filter": ("f",),
    "inline": ("\\", "r", "p"),
    "raw": ("m",),
    "compared": ("=", "d"),
    "cells": ("B",),
    "board": ("M",),
    "nothing found": ("/", "q", "x", "enter"),
}


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("name", list(PLAIN_SCREENS))
async def test_with_plain_signs_nothing_else_is_drawn(tmp_path: Path, name: str, size: tuple[int, int]) -> None:
    store = talks(
        tmp_path, builders.agent("\x1b[2J \u202edrowssap\u202c \x7f", builders.call("look\x00up", '{"a\x1b":[1]}'))
    )
    async with room(store, size, plain=True) as here:
        await here.press(*PLAIN_SCREENS[name])
        await here.idle()
        beyond = [line for line in here.lines() if not line.isascii()]
        assert not beyond


async def test_plain_signs_for_what_was_made_visible_lead_back_to_what_is_stored(tmp_path: Path) -> None:
    text = "\x1b[2J \u202eno"
    store = builders.store(tmp_path, builders.conversation(builders.agent(text)))
    async with room(store, plain=True) as here:
        assert "^[[2J <U+202E>no" in here.text
        await here.press("/", "n", "o", "enter")
        hit = here.screen.viewing.hits[0]
        assert text[hit.start : hit.end] == "no"


async def test_a_start_makes_the_style_sheets_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    again = ReviewerApp.refresh_css

    def counted(app: ReviewerApp, animate: bool = True) -> None:
        made.append(app.theme)
        again(app, animate)

    monkeypatch.setattr(ReviewerApp, "refresh_css", counted)
    async with room(builders.store(tmp_path), theme="light") as here:
        assert made == []
        assert here.app.current_theme.name == "light"
        await here.press(":")
        await here.type("theme contrast")
        await here.press("enter")
        assert set(made) == {"contrast"}
