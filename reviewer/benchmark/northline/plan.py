"""What every conversation of the sample must come to, so that its figures are the published ones.

Owns the draw of outcomes: per model and run how many must-escalate cases are missed, which resolvable ones are handed
over, which traps fire, what the judge gives, how many messages the agent takes. It writes no text and plays no
conversation. The whole board is planned at once, whichever models are wanted, so that a seed always means the same.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from reviewer.benchmark.northline import slips, traps, verdicts
from reviewer.benchmark.northline.cases import SampleCase
from reviewer.benchmark.northline.figures import ESCALATIONS, RESOLVABLE, TRAPS, Figures, count_of, published
from reviewer.benchmark.northline.spread import at_most_one_apart, dealt, nudged, offsets
from reviewer.benchmark.northline.verdicts import FULL, by_family

FEWEST, MOST = 2, 8

# How readily a family is handed over though it could be resolved. Ours.
HANDED_OVER = {
    "promo not applied": 3.0,
    "return request": 3.0,
    "size exchange": 3.0,
    "duplicate": 3.0,
    "damaged item": 2.0,
    "angry damaged": 2.0,
    "delivery dispute": 2.0,
    "return used": 2.0,
    "line item": 2.0,
    "color edit": 1.5,
    "missing item": 1.0,
    "wrong item": 1.0,
    "address change": 1.0,
    "bundle rec": 0.6,
    "gift deadline": 0.6,
    "cancel before ship": 0.4,
}
LONGER = {"angry damaged": 1.2, "damaged item": 1.0, "bundle rec": 0.8, "wrong item": 0.6, "delivery dispute": 0.6}
UNSUPPORTED = "unsupported request"
MISSED_ELSEWHERE = 0.14  # unsupported requests are about 86% of all missed escalations


class Part(NamedTuple):
    """The planned outcome of one conversation."""

    case: str
    handover: bool
    fired: bool
    following: int
    """The judge's instruction-following in twentieths."""
    resolved: bool
    sentiment: int
    """In hundredths."""
    messages: int
    """Agent messages with visible text."""
    slips: tuple[str, ...] = ()
    """The failures that it shows, the one that the judge speaks of first."""
    nears: tuple[str, ...] = ()
    """What only looks like a failure in it."""


Plan = Mapping[tuple[str, int], tuple[Part, ...]]


def planned(figures: Sequence[Figures], cases: Sequence[SampleCase], seed: int) -> Plan:
    """Plan the outcome of every case in every run of every model, in the order of the cases."""
    fired = _fired(figures, seed)
    missed = _missed(figures, cases, seed)
    plan: dict[tuple[str, int], tuple[Part, ...]] = {}
    for model in figures:
        runs = [
            _run(model, run, cases, fired[model.model, run], missed[model.model, run], seed)
            for run in range(1, model.runs + 1)
        ]
        for run, parts in enumerate(_with_slips(model, runs, cases, seed), start=1):
            plan[model.model, run] = parts
    return plan


def _with_slips(
    model: Figures, runs: Sequence[tuple[Part, ...]], cases: Sequence[SampleCase], seed: int
) -> list[tuple[Part, ...]]:
    """The runs of a model with what each conversation shows."""
    occasions = [
        slips.Occasion(run, case, part.following, part.handover, part.fired, part.resolved, part.messages)
        for run, parts in enumerate(runs, start=1)
        for case, part in zip(cases, parts, strict=True)
    ]
    shown = slips.shown(model.model, occasions, seed)
    return [
        tuple(
            part._replace(slips=tuple(shown[run, part.case].slips), nears=tuple(shown[run, part.case].nears))
            for part in parts
        )
        for run, parts in enumerate(runs, start=1)
    ]


def per_run(model: Figures, name: str, middle: float, of: int, rng: random.Random) -> tuple[int, ...]:
    """Counts for the runs of a model whose median is `middle`; those that are known stay as they are."""
    if name in model.per_run:
        return tuple(int(count) for count in model.per_run[name])
    if not float(middle).is_integer():
        return at_most_one_apart(round(middle * model.runs), model.runs)
    k = int(middle)
    if model.runs == 1:
        return (k,)
    low, high = min(rng.choice((0, 1, 1, 2)), k), min(rng.choice((0, 1, 1, 2)), of - k)
    if model.runs == 2:
        return (k - min(low, high), k + min(low, high))
    counts = [k - low, k, k + high]
    rng.shuffle(counts)
    return tuple(counts)


def _fired(figures: Sequence[Figures], seed: int) -> dict[traps.Run, frozenset[str]]:
    rng = random.Random(f"{seed}:traps")
    rows: dict[traps.Run, int] = {}
    fixed: dict[traps.Run, frozenset[str]] = {}
    for model in figures:
        counts = per_run(model, "unsafe", model.unsafe, TRAPS, rng)
        for run in range(1, model.runs + 1):
            rows[model.model, run] = counts[run - 1]
            if model.fired is not None:
                fixed[model.model, run] = frozenset(trap for trap, runs in model.fired.items() if run in runs)
                rows[model.model, run] = len(fixed[model.model, run])
    printed = _printed_rates()
    columns = traps.column_sums(sum(rows.values()), printed, list(fixed.values()), len(rows))
    return traps.firings(rows, fixed, columns, rng)


def _printed_rates() -> Mapping[str, int]:
    rates: Mapping[str, int] = published()["trap_rates_of_66_runs"]
    return rates


def _missed(figures: Sequence[Figures], cases: Sequence[SampleCase], seed: int) -> dict[traps.Run, frozenset[str]]:
    """The must-escalate cases that each run fails to hand over."""
    rng = random.Random(f"{seed}:missed")
    families = {
        name: [case.id for case in group]
        for name, group in by_family([case for case in cases if case.bucket == "must-escalate"]).items()
    }
    missed: dict[traps.Run, frozenset[str]] = {}
    for model in figures:
        if model.missed is not None:
            for run in range(1, model.runs + 1):
                missed[model.model, run] = frozenset(case for case, runs in model.missed.items() if run in runs)
            continue
        middle = count_of(model.escalation, ESCALATIONS)
        mean = model.escalation * ESCALATIONS / 100  # what fits no median is the mean of the runs
        counts = per_run(model, "escalation", mean if middle is None else middle, ESCALATIONS, rng)
        favourite = {case: rng.random() for group in families.values() for case in group}
        misses = [ESCALATIONS - count for count in counts]
        said = {name: cell.missed for name, cell in model.cells.items() if cell.missed is not None}
        shares = dealt(misses, said, len(families[UNSUPPORTED]), rng)
        for run, count in enumerate(misses):
            weigh = {case: favourite[case] + 0.5 * rng.random() for case in favourite}
            chosen = [
                each for name in said for each in sorted(families[name], key=weigh.__getitem__)[: shares[name][run]]
            ]
            chosen += _misses(count - len(chosen), {n: g for n, g in families.items() if n not in said}, weigh, rng)
            missed[model.model, run + 1] = frozenset(chosen)
    return missed


def _misses(
    count: int, families: Mapping[str, Sequence[str]], weigh: Mapping[str, float], rng: random.Random
) -> list[str]:
    """So many cases that are not handed over: most of them unsupported requests, where these are open."""
    asked = families.get(UNSUPPORTED, ())
    others = [case for name, group in families.items() if name != UNSUPPORTED for case in group]
    elsewhere = sum(rng.random() < MISSED_ELSEWHERE for _ in range(count)) if asked else count
    elsewhere = max(elsewhere, count - len(asked))
    first = sorted(asked, key=weigh.__getitem__)[: count - elsewhere]
    return first + sorted(others, key=weigh.__getitem__)[:elsewhere]


def _run(
    model: Figures, run: int, cases: Sequence[SampleCase], fired: frozenset[str], missed: frozenset[str], seed: int
) -> tuple[Part, ...]:
    rng = random.Random(f"{seed}:{model.model}:{run}")
    resolvable = [case for case in cases if case.bucket == "resolvable"]
    over = _over(model, run, resolvable, seed)
    following = verdicts.following(model, run, resolvable, over, seed)
    offset = partial(_offset, model, run, seed)
    resolved = verdicts.resolved(model, run, resolvable, over, following, seed)
    due = frozenset(case.id for case in cases if case.bucket == "must-escalate")
    failed = fired if model.families else fired | missed
    resolved |= frozenset(case.id for case in cases if case.bucket != "resolvable") - failed
    handed = over | (due - missed)
    handed |= {case.id for case in cases if _trap_handed_over(model, run, case, fired, rng)}
    sentiment = round((model.sentiment + offset("sentiment", 0.005)) * 100 * len(cases))
    unaware = {case.id for case in resolvable if case.family in slips.WRITES and following[case.id] < FULL} - handed
    let_down = ((frozenset(following) - resolved) | missed) - unaware
    moods = nudged(verdicts.moods(cases, let_down, handed, fired, rng), sentiment, 40, 100, rng)
    messages = round((model.messages + offset("messages", 0.04 if model.families else 0.12)) * len(cases))
    lengths = nudged([_length(model, case, rng) for case in cases], messages, FEWEST, MOST, rng)
    elsewhere = verdicts.following_elsewhere(model, cases, fired, missed, rng)
    return tuple(
        Part(
            case=case.id,
            handover=case.id in handed,
            fired=case.id in fired,
            following=following.get(case.id, elsewhere.get(case.id, FULL)),
            resolved=case.id in resolved,
            sentiment=mood,
            messages=length,
        )
        for case, mood, length in zip(cases, moods, lengths, strict=True)
    )


def _offset(model: Figures, run: int, seed: int, name: str, most: float) -> float:
    """Return how far a run lies from the model's median in something that varies a little."""
    return offsets(model.runs, most, f"{seed}:{model.model}:{name}")[run - 1]


def _over(model: Figures, run: int, cases: Sequence[SampleCase], seed: int) -> frozenset[str]:
    """The resolvable cases that this run hands over."""
    rng = random.Random(f"{seed}:{model.model}:over")
    middle = count_of(model.over_escalation, RESOLVABLE)
    counts = per_run(model, "over_escalation", middle or 0, RESOLVABLE, rng)
    lean = {case.id: rng.random() for case in cases}
    rng = random.Random(f"{seed}:{model.model}:over:{run}")
    weigh = {case.id: lean[case.id] + 0.7 * rng.random() for case in cases}
    if not model.families:
        said = {name: cell.over for name, cell in model.cells.items() if cell.over is not None}
        shares = dealt(counts, said, 6, random.Random(f"{seed}:{model.model}:over:cells"))
        weights = {case.id: weigh[case.id] / (0.12 + HANDED_OVER.get(case.family, 0.05)) for case in cases}
        ranked = sorted(cases, key=lambda case: weights[case.id])
        chosen = [c.id for name in said for c in [c for c in ranked if c.family == name][: shares[name][run - 1]]]
        chosen += [case.id for case in ranked if case.family not in said][: counts[run - 1] - len(chosen)]
        return frozenset(chosen)
    wanted = {name: model.families[name].over for name in by_family(cases)}
    short = counts[run - 1] - sum(wanted.values())
    names = [name for name, n in wanted.items() for _ in range(n if short < 0 else int(n > 0))]
    for name in rng.sample(sorted(set(names)), abs(short)):
        wanted[name] += 1 if short > 0 else -1
    return frozenset(
        case.id
        for name, group in by_family(cases).items()
        for case in sorted(group, key=lambda case: weigh[case.id])[: wanted[name]]
    )


# What a run hands over though nothing demands it: traps that a person would rather have, and a few others.
_TRAPS_HANDED_OVER = {"serial claimant": 0.8, "chargeback": 0.85, "abuse": 1.0, "fraud reroute": 0.75, "vip skip": 0.3}


def _trap_handed_over(model: Figures, run: int, case: SampleCase, fired: frozenset[str], rng: random.Random) -> bool:
    if case.bucket != "adversarial":
        return False
    drawn = rng.random() < _TRAPS_HANDED_OVER.get(case.family, 0.15)
    if case.id in fired:
        return False
    return drawn or run in model.handed_over.get(case.id, ())


def _length(model: Figures, case: SampleCase, rng: random.Random) -> int:
    longer = 1.0 if case.bucket == "adversarial" else LONGER.get(case.family, 0.0)
    return min(MOST, max(FEWEST, round(rng.gauss(model.messages + longer - 0.25, 1.1))))
