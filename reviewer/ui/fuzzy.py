"""How well typed letters match a name: all in order, the better the closer together and to word starts. Pure."""

from __future__ import annotations

from collections.abc import Sequence

_DESCRIBED = 1_000.0


def score(typed: str, name: str) -> float | None:
    """Smaller is better; None when the letters do not stand there in order. Nothing typed matches all alike."""
    wanted, there = typed.lower().replace(" ", ""), name.lower()
    if not wanted:
        return 0.0
    if (whole := there.find(typed.lower().strip())) >= 0:
        starts_word = whole == 0 or not there[whole - 1].isalnum()
        return whole / 1000 - (2 if starts_word else 1)
    total, at, last = 0.0, 0, -1
    for letter in wanted:
        found = there.find(letter, at)
        if found < 0:
            return None
        total += 0.0 if found == last + 1 or not there[found - 1].isalnum() else 1.0
        last, at = found, found + 1
    return total + len(there) / 1000


def ranked(typed: str, names: Sequence[tuple[str, str]]) -> list[int]:
    """The indexes of what matches by its name, the best first, then of what is only described in these words."""
    scored: list[tuple[float, int]] = []
    for index, (name, about) in enumerate(names):
        value = score(typed, name)
        if value is None and typed.strip().lower() in about.lower():
            value = _DESCRIBED
        if value is not None:
            scored.append((value, index))
    return [index for _, index in sorted(scored)]
