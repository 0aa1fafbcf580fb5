"""A share of so many, with how sure it is."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

Share = tuple[float, float, float]
"""A share, and between which shares it lies."""
_Z = 1.96


def share_of(count: int, of: int) -> Share | None:
    """A share, and between which shares it lies (Wilson, 95%); None of nothing."""
    return _surely(count / of, of) if of else None


def share_over_cases(counts: Iterable[tuple[int, int]]) -> Share | None:
    """A share over several cases, each given as a count of so many, and between which shares it lies (95%).

    What is decided in one case goes together, so that many decisions of few cases say less than as many cases would.
    The interval is Wilson's for the number of decisions that would be as sure if each stood alone, reckoned from how
    far the cases lie apart, with Student's t for their number; where all decisions are the same, for the number of
    cases. None for fewer than two cases, which do not say how far cases lie apart.
    """
    known = [(count, of) for count, of in counts if of]
    cases, whole = len(known), sum(of for _, of in known)
    if cases < 2:
        return None
    share = sum(count for count, _ in known) / whole
    if share in (0, 1):
        return _surely(share, cases)
    variance = cases / (cases - 1) * sum((count - share * of) ** 2 for count, of in known) / whole**2
    alone = min(whole, share * (1 - share) / variance) if variance else whole
    return _surely(share, alone * (_Z / _student(cases - 1)) ** 2)


def _surely(share: float, of: float) -> Share:
    """A share of so many with Wilson's interval; so many need be no whole number."""
    middle, spread = share + _Z * _Z / (2 * of), _Z * sqrt(share * (1 - share) / of + _Z * _Z / (4 * of * of))
    low, high = (middle - spread) / (1 + _Z * _Z / of), (middle + spread) / (1 + _Z * _Z / of)
    return share, max(low, 0.0), min(high, 1.0)


def _student(freedom: int) -> float:
    """The point that Student's t passes in 2.5% of draws, expanded around the normal one: good from four cases on."""
    z = _Z
    terms = ((z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384)
    return z + sum(term / float(freedom) ** power for power, term in enumerate(terms, start=1))
