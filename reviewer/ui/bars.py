"""Scroll bars without block characters, where only plain signs are wanted."""

from __future__ import annotations

from typing import ClassVar

from textual.scrollbar import ScrollBarRender
from textual.widget import Widget

from reviewer.ui.theme import is_plain


class PlainBar(ScrollBarRender):
    """A bar of whole cells."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


def plain_bars(widget: Widget) -> None:
    """Draw the bar of a widget that scrolls in plain signs where these are wanted."""
    if is_plain(widget.app):
        widget.vertical_scrollbar.renderer = PlainBar  # type: ignore[misc]  # of this one bar, not of all
