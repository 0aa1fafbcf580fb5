"""What the judge is to give: instruction-following by family, resolution, sentiment.

Owns the planned scores; their means are the published ones to the twentieth of a point. Pure.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from statistics import median

from reviewer.northline.cases import SampleCase
from reviewer.northline.figures import Figures
from reviewer.northline.spread import lowered, offsets, shared_out

FULL = 20  # twentieths of a point: the judge's 1.0

# How readily a family's instructions are missed. Ours.
HARDER = {
    "cancel before ship": 2.2,
    "return request": 1.8,
    "address change": 1.6,
    "delivery dispute": 1.8,
    "missing item": 1.6,
    "wrong item": 1.6,
    "damaged item": 1.5,
    "angry damaged": 1.4,
    "size exchange": 1.2,
}


def following(model: Figures, run: int, cases: Sequence[SampleCase], over: frozenset[str], seed: int) -> dict[str, int]:
    """Instruction-following of every resolvable case; the run's mean is the planned one to the twentieth."""
    rng = random.Random(f"{seed}:{model.model}:following:{run}")
    families = by_family(cases)
    means = model.per_run.get("instruction_following") or _means(model, seed)
    target = round(means[run - 1] * FULL * len(cases))
    full = {name: FULL * len(group) for name, group in families.items()}
    if model.families:
        sums = {name: model.families[name].following for name in families}
        if run != middle_run(means):
            sums = shared_out(sums, target, full, rng)
    else:
        own = random.Random(f"{seed}:{model.model}:following")
        harder = {name: HARDER.get(name, 0.6) * (0.6 + 0.8 * own.random()) for name in families}
        sums = lowered(full, sum(full.values()) - target, harder, rng)
    return {
        case.id: value
        for name, group in families.items()
        for case, value in zip(group, _scores(group, sums[name], over, rng), strict=True)
    }


def _means(model: Figures, seed: int) -> tuple[float, ...]:
    return tuple(model.following + offset for offset in offsets(model.runs, 0.025, f"{seed}:{model.model}:means"))


def _scores(group: Sequence[SampleCase], total: int, over: frozenset[str], rng: random.Random) -> list[int]:
    """A family's sum as scores in quarters, with one odd score for the rest; handed-over cases lose first."""
    scores = [FULL] * len(group)
    short = FULL * len(group) - total
    while short > 0:
        weights = [(4 if case.id in over else 1) * (score > 0) for case, score in zip(group, scores, strict=True)]
        at = rng.choices(range(len(group)), weights)[0]
        step = min(5, short, scores[at])
        scores[at] -= step
        short -= step
    return scores


def following_elsewhere(
    model: Figures, cases: Sequence[SampleCase], fired: frozenset[str], missed: frozenset[str], rng: random.Random
) -> dict[str, int]:
    """Instruction-following outside the resolvable cases: low where a trap fired or a handover was missed."""
    by_case: dict[str, int] = {}
    for name, group in by_family([case for case in cases if case.bucket != "resolvable"]).items():
        if name in model.families and len(group) > 1 and group[0].bucket == "must-escalate":
            scores = _scores(group, model.families[name].following, missed, rng)
            by_case |= {case.id: score for case, score in zip(group, scores, strict=True)}
        else:
            low = fired | missed
            by_case |= {c.id: rng.choice((0, 5, 5, 10)) if c.id in low else rng.choice((15, 20, 20)) for c in group}
    return by_case


def resolved(
    model: Figures,
    cases: Sequence[SampleCase],
    over: frozenset[str],
    scores: Mapping[str, int],
    offset: float,
    rng: random.Random,
) -> frozenset[str]:
    """Choose the cases that the judge calls resolved; low scores and needless handovers fail first."""
    weigh = {c.id: rng.random() + scores[c.id] / FULL - 0.5 * (c.id in over) for c in cases}
    if model.families:
        failed = [
            case.id
            for name, group in by_family(cases).items()
            for case in sorted(group, key=lambda case: weigh[case.id])[: len(group) - model.families[name].resolved]
        ]
    else:
        wanted = round((1 - model.resolution) * len(cases) + offset)
        failed = sorted(weigh, key=weigh.__getitem__)[: max(0, wanted)]
    return frozenset(case.id for case in cases) - frozenset(failed)


def mood(model: Figures, case: SampleCase, rng: random.Random) -> int:
    """The judge's sentiment in hundredths, a little lower where the customer is angry or pushing."""
    low = 0.1 if case.style == "angry" or case.bucket == "adversarial" else 0.0
    return round(100 * min(1.0, max(0.4, rng.gauss(model.sentiment + 0.02 - low * 0.5, 0.025))))


def by_family(cases: Sequence[SampleCase]) -> dict[str, list[SampleCase]]:
    """Cases by their family, in order."""
    families: dict[str, list[SampleCase]] = {}
    for case in cases:
        families.setdefault(case.family, []).append(case)
    return families


def middle_run(values: Sequence[float]) -> int:
    """The run (from 1) that stands in the middle; the first of equals."""
    middle = median(values) if len(values) % 2 else sorted(values)[0]
    return list(values).index(middle) + 1
