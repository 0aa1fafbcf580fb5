"""Names in the one form in which they are compared (NFKC), in a time that grows with them. Pure."""

from __future__ import annotations

import unicodedata

_STRETCH = 1_000
"""Python sorts each run of marks by taking it up one by one, which takes the square of the run."""


def normal(name: str) -> str:
    """The name in NFKC; marks without end, which no name has, are put in order stretch by stretch."""
    stretches = (name[at : at + _STRETCH] for at in range(0, len(name), _STRETCH))
    return "".join(unicodedata.normalize("NFKC", each) for each in stretches)
