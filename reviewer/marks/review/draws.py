"""Drawing a sample: seeded, so that a colleague draws the same, and stratified, so that no family is missed. Pure."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence


def draw(sizes: Mapping[str, int], size: int, seed: int) -> list[tuple[str, int]]:
    """Draw so many places from strata of these sizes, each in proportion and with one at least while there is room.

    A place is a stratum and which of its conversations, in order of reference; they come in random order.
    """
    chance = random.Random(seed)  # noqa: S311 -- a sample that can be drawn again, not a secret
    names = sorted(name for name in sizes if sizes[name])
    shares = _shares([sizes[name] for name in names], size)
    places = [
        (name, at) for name, share in zip(names, shares, strict=True) for at in chance.sample(range(sizes[name]), share)
    ]
    chance.shuffle(places)
    return places


def _shares(sizes: Sequence[int], wanted: int) -> list[int]:
    """Share out a number over groups by largest remainder, after one for each while there are enough."""
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
        spare = (index for index, share in enumerate(shares) if share > floor)
        index = max(spare, key=lambda index: (shares[index] - exact[index], index))
        shares[index] -= 1
    return shares
