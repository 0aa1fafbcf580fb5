"""Small integer puzzles of the plan: values with a given sum that stay within bounds. Pure."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence


def at_most_one_apart(total: int, parts: int) -> tuple[int, ...]:
    """Split a total into parts that differ by one at most, small ones first."""
    low, more = divmod(total, parts)
    return (low,) * (parts - more) + (low + 1,) * more


def dealt(counts: Sequence[int], totals: Mapping[str, int], most: int, rng: random.Random) -> dict[str, list[int]]:
    """Deal each name's total out to the runs, into those with most room left, at most so many of a name to a run."""
    room, shares = list(counts), {name: [0] * len(counts) for name in totals}
    for name, total in sorted(totals.items(), key=lambda item: -item[1]):
        for _ in range(total):
            able = [run for run, own in enumerate(shares[name]) if own < most and room[run] > 0]
            if not able:
                raise ValueError(f"{name}: {total} cannot be dealt to runs of {list(counts)}")
            run = max(able, key=lambda each: (room[each] - shares[name][each], rng.random()))
            shares[name][run] += 1
            room[run] -= 1
    return shares


def offsets(runs: int, most: float, seed: str) -> tuple[float, ...]:
    """Return how far each run lies from the median of all: the middle one not at all, one below, one above."""
    rng = random.Random(seed)
    down, up = rng.uniform(0.2, 1) * most, rng.uniform(0.2, 1) * most
    distances = {1: [0.0], 2: [-down, down], 3: [0.0, -down, up]}[runs]
    rng.shuffle(distances)
    return tuple(distances)


def nudged(values: Sequence[int], total: int, least: int, most: int, rng: random.Random) -> list[int]:
    """The values moved by ones at random places until they sum to the total, each staying within its bounds."""
    moved = list(values)
    while (short := total - sum(moved)) != 0:
        step = 1 if short > 0 else -1
        able = [at for at, value in enumerate(moved) if least <= value + step <= most]
        if not able:
            raise ValueError(f"{len(moved)} values between {least} and {most} cannot sum to {total}")
        for at in rng.sample(able, min(len(able), abs(short))):
            moved[at] += step
    return moved


def shared_out(sums: Mapping[str, int], total: int, most: Mapping[str, int], rng: random.Random) -> dict[str, int]:
    """The sums moved all up or all down until they come to the total, in proportion to the room each has."""
    moved = dict(sums)
    step = 1 if total > sum(moved.values()) else -1
    names = list(moved)
    while (short := abs(total - sum(moved.values()))) > 0:
        room = [(most[name] - moved[name] if step > 0 else moved[name]) for name in names]
        for name in rng.choices(names, room, k=min(short, 8)):
            if 0 <= moved[name] + step <= most[name]:
                moved[name] += step
    return moved


def lowered(full: Mapping[str, int], by: int, weights: Mapping[str, float], rng: random.Random) -> dict[str, int]:
    """The full sums lowered by so much in all, the heavier the more, with some chance in it."""
    drawn = {name: weights[name] * rng.uniform(0.7, 1.3) for name in full}
    moved = {name: full[name] - min(full[name], int(by * drawn[name] / sum(drawn.values()))) for name in full}
    return shared_out(moved, sum(full.values()) - by, full, rng)
