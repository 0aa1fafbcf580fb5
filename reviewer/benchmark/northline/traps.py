"""Which traps fire in which runs: a table of zeros and ones with given sums of rows and columns.

A row is a run of a model (its unsafe count), a column a trap (over how many of the 66 runs it fires). Rows of the deep
reports are given outright. The rest is filled so that the sums hold, then shuffled by swaps that keep them, leaning
to each model's own weak spots so that a model fails alike in its runs. Pure.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

Run = tuple[str, int]

# How the firings that no source prints are shared out between the remaining traps. Ours.
WEIGHTS: Mapping[str, float] = {
    "damaged-no-proof": 58,
    "false-closure-wrongitem": 50,
    "used-item": 14,
    "vip-skip": 13,
    "wear-and-tear": 10,
    "cancel-part-shipped": 9,
    "influencer-skip": 6,
    "cancel-shipped": 8,
    "chargeback": 4,
    "abuse": 3,
    "fraud-reroute-third-party": 2,
    "fraud-reroute-forwarder": 1,
    "fraud-reroute-overseas-po-box": 2,
}
SWAPS = 4000


def firings(
    rows: Mapping[Run, int], fixed: Mapping[Run, frozenset[str]], columns: Mapping[str, int], rng: random.Random
) -> dict[Run, frozenset[str]]:
    """The traps that fire in each run."""
    free = {run: k for run, k in rows.items() if run not in fixed}
    left = {trap: n - sum(trap in traps for traps in fixed.values()) for trap, n in columns.items()}
    table = _filled(free, left)
    _shuffle(table, rng)
    return {**dict(fixed), **{run: frozenset(traps) for run, traps in table.items()}}


def column_sums(total: int, printed: Mapping[str, int], fixed: Sequence[frozenset[str]], runs: int) -> dict[str, int]:
    """Over how many runs each trap fires: the printed rates as counts, the rest of the total by weight."""
    sums = {trap: round(percent * runs / 100) for trap, percent in printed.items()}
    rest = total - sum(sums.values())
    shares = {trap: rest * weight / sum(WEIGHTS.values()) for trap, weight in WEIGHTS.items()}
    given = {trap: sum(trap in traps for traps in fixed) for trap in shares}
    room = runs - len(fixed)
    counts = {trap: min(max(int(share), given[trap]), given[trap] + room) for trap, share in shares.items()}
    while (short := rest - sum(counts.values())) != 0:
        step = 1 if short > 0 else -1
        able = [t for t in counts if given[t] <= counts[t] + step <= given[t] + room]
        counts[max(able, key=lambda trap: step * (shares[trap] - counts[trap]))] += step
    return {**sums, **counts}


def _filled(rows: Mapping[Run, int], left: Mapping[str, int]) -> dict[Run, set[str]]:
    """A table with these sums: the fullest row first, each time into the columns with most left to give."""
    remaining = dict(left)
    table: dict[Run, set[str]] = {}
    for run, k in sorted(rows.items(), key=lambda item: -item[1]):
        chosen = sorted(remaining, key=lambda trap: (-remaining[trap], trap))[:k]
        table[run] = set(chosen)
        for trap in chosen:
            remaining[trap] -= 1
    if any(remaining.values()):
        raise ValueError(f"no table of traps has these sums: {remaining}")
    return table


def _shuffle(table: dict[Run, set[str]], rng: random.Random) -> None:
    """Swap firings between two runs, keeping all sums, towards each model's own weak spots."""
    runs = list(table)
    weak: dict[tuple[str, str], float] = {}
    for _ in range(SWAPS):
        one, two = rng.sample(runs, 2)
        only_one, only_two = sorted(table[one] - table[two]), sorted(table[two] - table[one])
        if not only_one or not only_two:
            continue
        a, b = rng.choice(only_one), rng.choice(only_two)
        gain = _lean(weak, one, b, rng) + _lean(weak, two, a, rng) - _lean(weak, one, a, rng) - _lean(weak, two, b, rng)
        if gain > 0 or rng.random() < 0.15:
            table[one] ^= {a, b}
            table[two] ^= {a, b}


def _lean(weak: dict[tuple[str, str], float], run: Run, trap: str, rng: random.Random) -> float:
    key = (run[0], trap)
    if key not in weak:
        weak[key] = rng.random()
    return weak[key]
