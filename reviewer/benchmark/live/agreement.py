"""How far judges agree: with each other, and with what people said. Pure.

No number without its denominator: each line says of how many conversations it speaks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from statistics import mean

Values = Mapping[str, Mapping[int, float]]
"""What a judge gave: by score, by conversation."""


def between(first: Values, second: Values) -> Iterator[str]:
    """How far two judges' numbers lie apart, score by score, over the conversations that both judged."""
    for scorer, own in first.items():
        both = sorted(own.keys() & second.get(scorer, {}).keys())
        if not both:
            continue
        apart = mean(abs(own[each] - second[scorer][each]) for each in both)
        means = (mean(own[each] for each in both), mean(second[scorer][each] for each in both))
        yield (
            f"{scorer}: {apart:.3f} apart on average, means {means[0]:.3f} and {means[1]:.3f}"
            f" (of {len(both):,} that both judged)"
        )


def with_people(values: Values, passed: Collection[int], failed: Collection[int]) -> Iterator[str]:
    """What a judge gave where people said pass and where they said fail, and how often it put a pass above a fail."""
    for scorer, own in values.items():
        good, bad = ([own[each] for each in said if each in own] for said in (passed, failed))
        named = (("pass", good), ("fail", bad))
        told = [f"{word} {mean(given):.3f} (of {len(given):,})" for word, given in named if given]
        if not told:
            yield f"{scorer}: nobody has said pass or fail of what it judged"
            continue
        yield f"{scorer}: {', '.join(told)}{_order(good, bad)}"


def _order(good: list[float], bad: list[float]) -> str:
    """In which share of the pairs the pass has the higher number; equals count half."""
    if not good or not bad:
        return ""
    from bisect import bisect_left, bisect_right

    lower = sorted(bad)
    above = sum((bisect_left(lower, each) + bisect_right(lower, each)) / 2 for each in good)
    pairs = len(good) * len(bad)
    return f"; a pass above a fail in {above / pairs:.0%} of {pairs:,} pairs"
