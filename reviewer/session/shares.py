"""A share of so many, with how sure it is."""

from __future__ import annotations

from math import sqrt


def share_of(count: int, of: int) -> tuple[float, float, float] | None:
    """A share, and between which shares it lies (Wilson, 95%); None of nothing."""
    if not of:
        return None
    share, z = count / of, 1.96
    middle, spread = share + z * z / (2 * of), z * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return share, (middle - spread) / (1 + z * z / of), (middle + spread) / (1 + z * z / of)
