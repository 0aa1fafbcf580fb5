"""Drawing a sample: seeded, so that a colleague draws the same, and stratified, so that no family is missed. Pure."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence


def draw(strata: Mapping[str, Sequence[str]], size: int, seed: int) -> list[str]:
    """So many references, each stratum in proportion and with one at least while there is room; in random order."""
    chance = random.Random(seed)  # noqa: S311 -- a sample that can be drawn again, not a secret
    names = sorted(name for name in strata if strata[name])
    shares = _shares([len(strata[name]) for name in names], size)
    found = [
        ref for name, share in zip(names, shares, strict=True) for ref in chance.sample(sorted(strata[name]), share)
    ]
    chance.shuffle(found)
    return found


def _shares(sizes: Sequence[int], wanted: int) -> list[int]:
    """How many of each: by largest remainder, after one for each while there are enough."""
    total = sum(sizes)
    wanted = min(wanted, total)
    if not wanted:
        return [0] * len(sizes)
    exact = [size * wanted / total for size in sizes]
    floor = 1 if wanted >= len(sizes) else 0
    shares = [max(floor, int(share)) for share in exact]
    by_rest = sorted(range(len(sizes)), key=lambda index: (int(exact[index]) - exact[index], index))
    while sum(shares) < wanted:
        for index in by_rest:
            if shares[index] < sizes[index] and sum(shares) < wanted:
                shares[index] += 1
    while sum(shares) > wanted:
        index = max(range(len(sizes)), key=lambda index: (shares[index] - exact[index], index))
        shares[index] -= 1
    return shares
