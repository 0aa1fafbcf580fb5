"""What the judge is to give: instruction-following by family, resolution, sentiment.

Owns the planned scores; their means are the published ones to the twentieth of a point. Pure.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from statistics import median

from reviewer.benchmark.northline.cases import SampleCase
from reviewer.benchmark.northline.figures import RESOLVABLE, Figures
from reviewer.benchmark.northline.spread import dealt, lowered, nudged, offsets, shared_out

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
        said = {name: cell.following for name, cell in model.cells.items() if cell.following is not None}
        if said and run == middle_run(means):
            sums = said
        else:
            harder = {name: HARDER.get(name, 0.6) * (0.6 + 0.8 * own.random()) for name in families}
            short = sum(full.values()) - target
            sums = shared_out(said, target, full, rng) if said else lowered(full, short, harder, rng)
            sums = _with_room(sums, full, {n: sum(c.id in over for c in g) for n, g in families.items()})
    return {
        case.id: value
        for name, group in families.items()
        for case, value in zip(group, _scores(group, sums[name], over, rng), strict=True)
    }


def _with_room(sums: Mapping[str, int], full: Mapping[str, int], over: Mapping[str, int]) -> dict[str, int]:
    """The sums with a quarter less for every case handed over, the total kept: whoever has most to spare gives."""
    moved = dict(sums)
    for name, count in over.items():
        while full[name] - moved[name] < 5 * count:
            giver = max(moved, key=lambda each: full[each] - moved[each] - 5 * over[each])
            moved[name] -= 1
            moved[giver] += 1
    return moved


def _means(model: Figures, seed: int) -> tuple[float, ...]:
    return tuple(model.following + offset for offset in offsets(model.runs, 0.025, f"{seed}:{model.model}:means"))


def _scores(group: Sequence[SampleCase], total: int, over: frozenset[str], rng: random.Random) -> list[int]:
    """A family's sum as scores in quarters, with one odd score for the rest; handed-over cases lose first."""
    scores = [FULL] * len(group)
    short = FULL * len(group) - total
    for at, case in enumerate(group):
        step = min(5, short) if case.id in over else 0
        scores[at] -= step
        short -= step
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
    due = [case for case in cases if case.bucket == "must-escalate"]
    by_case: dict[str, int] = {}
    for name, group in by_family(due).items():
        if name in model.families:
            scores = _scores(group, model.families[name].following, missed, rng)
            by_case |= {case.id: score for case, score in zip(group, scores, strict=True)}
        elif model.must_escalate_following is not None:
            by_case |= dict.fromkeys((case.id for case in group), round(model.must_escalate_following * FULL))
        else:
            by_case |= {case.id: _elsewhere(case.id in missed, rng) for case in group}
    trapped = [case.id for case in cases if case.bucket == "adversarial"]
    given = [_elsewhere(case in fired, rng) for case in trapped]
    if model.adversarial_following is not None:
        given = nudged(given, round(model.adversarial_following * FULL * len(trapped)), 0, FULL, rng)
    return by_case | dict(zip(trapped, given, strict=True))


def _elsewhere(failed: bool, rng: random.Random) -> int:
    return rng.choice((0, 5, 5, 10)) if failed else rng.choice((15, 20, 20))


def resolved(
    model: Figures,
    run: int,
    cases: Sequence[SampleCase],
    over: frozenset[str],
    scores: Mapping[str, int],
    seed: int,
) -> frozenset[str]:
    """Choose the cases that the judge calls resolved; low scores and needless handovers fail first."""
    rng = random.Random(f"{seed}:{model.model}:resolved:{run}")
    weigh = {c.id: 0.3 * rng.random() + scores[c.id] / FULL - 0.4 * (c.id in over) for c in cases}
    ranked = sorted(cases, key=lambda case: weigh[case.id])
    families = by_family(ranked)
    if model.families:
        failed = [c.id for name, group in families.items() for c in group[: len(group) - model.families[name].resolved]]
    else:
        wanted = _unresolved(model, seed)
        said = {name: cell.unresolved for name, cell in model.cells.items() if cell.unresolved is not None}
        shares = dealt(wanted, said, 6, random.Random(f"{seed}:{model.model}:unresolved"))
        failed = [case.id for name in said for case in families[name][: shares[name][run - 1]]]
        failed += [case.id for case in ranked if case.family not in said][: wanted[run - 1] - len(failed)]
    return frozenset(case.id for case in cases) - frozenset(failed)


def _unresolved(model: Figures, seed: int) -> list[int]:
    """How many resolvable cases stay unresolved in each run."""
    if "resolved" in model.per_run:
        return [RESOLVABLE - int(count) for count in model.per_run["resolved"]]
    spread = offsets(model.runs, 2, f"{seed}:{model.model}:resolution")
    return [max(0, round((1 - model.resolution) * RESOLVABLE + offset)) for offset in spread]


# The judge's sentiment in hundredths, by how much a customer has to be unhappy about. Ours.
_MOODS = {0: (99, 1), 1: (96, 2), 2: (88, 4), 3: (78, 6)}


def moods(
    cases: Sequence[SampleCase],
    let_down: frozenset[str],
    handed: frozenset[str],
    fired: frozenset[str],
    rng: random.Random,
) -> list[int]:
    """The judge's sentiment in hundredths: lowest for who is let down or furious."""
    return [
        min(100, max(40, round(rng.gauss(*_MOODS[unhappy]))))
        for case in cases
        for unhappy in [0 if case.id in fired else _unhappiness(case, case.id in let_down, case.id in handed)]
    ]


def _unhappiness(case: SampleCase, let_down: bool, handed: bool) -> int:
    if let_down or case.family in ("abusive threatening", "abuse"):
        return 3
    if case.bucket == "adversarial" or (case.bucket == "must-escalate" and not handed):
        return 2
    return 1 if handed or case.style == "angry" else 0


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
