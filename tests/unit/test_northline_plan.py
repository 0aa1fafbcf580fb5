"""The plan comes to the published figures whatever the seed."""

from __future__ import annotations

import random
from collections import Counter
from statistics import mean, median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewer.benchmark.northline import traps
from reviewer.benchmark.northline.cases import cases
from reviewer.benchmark.northline.figures import count_of, figures, printed, published
from reviewer.benchmark.northline.plan import Part, Plan, planned
from reviewer.benchmark.northline.spread import at_most_one_apart, lowered, nudged, shared_out

BUCKETS = {case.id: case.bucket for case in cases()}
FAMILIES = {case.id: case.family for case in cases()}


def counts(plan: Plan, model: str, runs: int, bucket: str, what: str) -> list[int]:
    return [
        sum(bool(getattr(part, what)) for part in plan[model, run] if BUCKETS[part.case] == bucket)
        for run in range(1, runs + 1)
    ]


@given(seed=st.integers(0, 10_000))
@settings(max_examples=6, deadline=None)
def test_medians_are_the_published_ones(seed: int) -> None:
    plan = planned(figures(), cases(), seed)
    for row in published()["board"]:
        model, runs = row["model"], row["runs"]
        over = median(counts(plan, model, runs, "resolvable", "handover"))
        escalated = counts(plan, model, runs, "must-escalate", "handover")
        digits = 0 if float(row["over_escalation"]).is_integer() else 1
        assert printed(over, 120, digits) == f"{row['over_escalation']:.{digits}f}", model
        assert median(counts(plan, model, runs, "adversarial", "fired")) == row["unsafe"], model
        if model in published()["misfits"]:
            assert round(100 * sum(escalated) / 72) == row["escalation"]
        else:
            assert printed(median(escalated), 24, 0) == f"{row['escalation']:.0f}", model
    fired = Counter(part.case for parts in plan.values() for part in parts if part.fired)
    for trap, percent in published()["trap_rates_of_66_runs"].items():
        assert round(100 * fired[trap] / 66) == percent


def test_reports_hold_per_run() -> None:
    plan = planned(figures(), cases(), 5)
    for model, said in published()["reports"].items():
        runs = [plan[model, run] for run in (1, 2, 3)]
        fired = Counter(part.case for parts in runs for part in parts if part.fired)
        assert {trap: fired[trap] for trap in said["traps"]} == said["traps"]
        assert len(fired) == said["trap_types"]
        assert not fired.keys() & set(said["held"])
        for name, of, bucket in (("escalation", 24, "must-escalate"), ("over_escalation", 120, "resolvable")):
            if name in said:
                assert [round(100 * k / of, 1) for k in counts(plan, model, 3, bucket, "handover")] == said[name]
        if "instruction_following" in said:
            assert [following(parts) for parts in runs] == pytest.approx(said["instruction_following"], abs=0.005)
        assert median(mean(part.messages for part in parts) for parts in runs) == pytest.approx(
            said["agent_messages"], abs=0.05
        )


def following(parts: tuple[Part, ...]) -> float:
    return mean(part.following / 20 for part in parts if BUCKETS[part.case] == "resolvable")


@pytest.mark.parametrize(
    ("model", "family", "cell"),
    [
        ("kimi-k2.7-code", "cancel before ship", 0.38),
        ("kimi-k2.7-code", "return request", 0.38),
        ("kimi-k2.7-code", "address change", 0.58),
        ("kimi-k2.6", "cancel before ship", 0.5),
        ("kimi-k2.6", "missing item", 0.54),
        ("kimi-k2.6", "wrong item", 0.54),
        ("kimi-k2.6", "delivery dispute", 0.58),
        ("qwen3.7-plus", "return request", 0.56),
    ],
)
def test_printed_cells_of_the_reports_hold(model: str, family: str, cell: float) -> None:
    plan = planned(figures(), cases(), 5)
    means = [mean(p.following / 20 for p in plan[model, run] if FAMILIES[p.case] == family) for run in (1, 2, 3)]
    assert f"{median(means):.2f}" == f"{cell:.2f}"


def test_most_missed_escalations_are_unsupported_requests() -> None:
    plan = planned(figures(), cases(), 2)
    missed = Counter(
        FAMILIES[p.case]
        for parts in plan.values()
        for p in parts
        if BUCKETS[p.case] == "must-escalate" and not p.handover
    )
    assert missed["unsupported request"] / missed.total() == pytest.approx(0.86, abs=0.05)


def test_counts_print_as_they_were_printed() -> None:
    assert [count_of(percent, 24) for percent in (100, 96, 92, 88, 83, 79, 75, 93)] == [
        24,
        23,
        22,
        21,
        20,
        19,
        18,
        None,
    ]
    assert [count_of(percent, 120) for percent in (2.5, 12.5, 13, 22)] == [3, 15, 16, 26]
    assert printed(21, 24, 0) == "88"


@given(st.data())
def test_spreads_keep_their_sum_and_bounds(data: st.DataObject) -> None:
    rng = random.Random(data.draw(st.integers()))
    values = data.draw(st.lists(st.integers(2, 8), min_size=1, max_size=30))
    total = data.draw(st.integers(2 * len(values), 8 * len(values)))
    moved = nudged(values, total, 2, 8, rng)
    assert sum(moved) == total
    assert all(2 <= value <= 8 for value in moved)
    full = {str(at): 120 for at in range(len(values))}
    by = data.draw(st.integers(0, 120 * len(values)))
    down = lowered(full, by, dict.fromkeys(full, 1.0), rng)
    assert sum(down.values()) == 120 * len(values) - by
    assert all(0 <= value <= 120 for value in down.values())
    up = shared_out(down, 120 * len(values), full, rng)
    assert up == full
    assert sum(at_most_one_apart(total, 3)) == total


def test_no_table_of_traps_is_said() -> None:
    with pytest.raises(ValueError, match="no table of traps"):
        traps.firings({("a", 1): 1}, {}, {"x": 1, "y": 1}, random.Random(1))
