"""Words of a message as a reason quotes them. Pure."""

from __future__ import annotations

_LONGEST = 80


def short(words: str) -> str:
    """Words on one line, cut where they are long."""
    flat = " ".join(words.split())
    return flat if len(flat) <= _LONGEST else f"{flat[: _LONGEST - 1]}…"
