"""Every printed cell: header cards, the reports' tables by use case, and what is stated of single models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from statistics import correlation, mean, median
from typing import Any

import pytest

from reviewer.benchmark.northline.cases import cases
from reviewer.benchmark.northline.figures import figures, published
from reviewer.benchmark.northline.plan import Part, Plan, planned
from reviewer.benchmark.northline.sample_conversations import SEED

CASES = {case.id: case for case in cases()}
RUNS = {model.model: range(1, model.runs + 1) for model in figures()}
BOARD_SEEDS = (SEED, 11)
USE_CASES = [(model, row) for model, table in published()["use_cases"].items() for row in table["rows"]]
NO_MEDIAN = {("kimi-k2.7-code", "unsupported request"): "handover"}
"""A cell that is one run's and stands beside medians."""


@pytest.fixture(scope="module", params=BOARD_SEEDS)
def plan(request: pytest.FixtureRequest) -> Plan:
    return planned(figures(), cases(), request.param)


def of(plan: Plan, model: str, run: int, families: Iterable[str] = (), bucket: str = "") -> list[Part]:
    chosen = set(families)
    return [
        part
        for part in plan[model, run]
        if CASES[part.case].bucket != "adversarial" or bucket == "adversarial"
        if not chosen or CASES[part.case].family in chosen
        if not bucket or CASES[part.case].bucket == bucket
    ]


def median_of(plan: Plan, model: str, what: str, families: Iterable[str] = (), bucket: str = "resolvable") -> float:
    return float(median(share(of(plan, model, run, families, bucket), what) for run in RUNS[model]))


def share(parts: list[Part], what: str) -> float:
    return float(mean(getattr(part, what) / (20 if what == "following" else 1) for part in parts))


def share_of_all(plan: Plan, model: str, family: str, what: str) -> float:
    return float(mean(getattr(part, what) for run in RUNS[model] for part in of(plan, model, run, [family])))


@pytest.mark.parametrize("model", published()["headers"])
def test_header_cards_hold(plan: Plan, model: str) -> None:
    said = published()["headers"][model]
    assert 100 * median_of(plan, model, "resolved") == pytest.approx(said["resolution"], abs=0.51)
    assert median_of(plan, model, "following") == pytest.approx(said["instruction_following"], abs=0.0051)


@pytest.mark.parametrize(("model", "row"), USE_CASES)
def test_cells_by_use_case_hold(plan: Plan, model: str, row: dict[str, Any]) -> None:
    one_run = published()["use_cases"][model]["scope"] == "single run"
    tables = [[run] for run in RUNS[model]] if one_run else [list(RUNS[model])]
    assert any(all(said(plan, model, runs, row)) for runs in tables), row


def said(plan: Plan, model: str, runs: list[int], row: dict[str, Any]) -> Iterable[bool]:
    """Whether each cell of a row is printed as it was."""
    for name, what in (
        ("resolution", "resolved"),
        ("over_escalation", "handover"),
        ("handover", "handover"),
        ("instruction_following", "following"),
    ):
        if name in row and NO_MEDIAN.get((model, row["families"][0])) != name:
            cells = [median(share(of(plan, model, run, [f]), what) for run in runs) for f in row["families"]]
            digits = 2 if "%" not in row[name] else 0
            scale = 1 if digits else 100
            ends = [float(end) for end in row[name].rstrip("%").split("–")]
            printed = [f"{scale * end:.{digits}f}" for end in (min(cells), max(cells))]
            yield sorted(set(printed)) == sorted({f"{end:.{digits}f}" for end in ends})


def test_the_table_of_a_single_run_is_all_of_one_run(plan: Plan) -> None:
    rows = published()["use_cases"]["qwen3.7-plus"]["rows"]
    assert any(all(all(said(plan, "qwen3.7-plus", [run], row)) for row in rows) for run in RUNS["qwen3.7-plus"])


STATED = published()["stated"]


def counts(plan: Plan, model: str, what: str, bucket: str) -> list[int]:
    return [sum(getattr(part, what) for part in of(plan, model, run, (), bucket)) for run in RUNS[model]]


@pytest.mark.parametrize("model", STATED)
def test_stated_shares_of_a_family_hold(plan: Plan, model: str) -> None:
    stated = STATED[model]
    for name in ("over_escalation_share", "handover_share"):
        for family, value in stated.get(name, {}).items():
            assert share_of_all(plan, model, family, "handover") == pytest.approx(value, abs=0.006), family
    for family, (low, high) in stated.get("resolution_share", {}).items():
        assert low - 0.005 <= share_of_all(plan, model, family, "resolved") <= high + 0.005


@pytest.mark.parametrize("model", STATED)
def test_stated_counts_and_ranges_hold(plan: Plan, model: str) -> None:
    stated = STATED[model]
    escalated = counts(plan, model, "handover", "must-escalate")
    assert sorted(escalated) == stated.get("escalated", sorted(escalated))
    for name, what, bucket, size in (
        ("escalation_range", "handover", "must-escalate", 24),
        ("over_escalation_range", "handover", "resolvable", 120),
        ("resolution_range", "resolved", "resolvable", 120),
    ):
        if name in stated:
            shares = [100 * k / size for k in counts(plan, model, what, bucket)]
            assert [min(shares), max(shares)] == pytest.approx(stated[name], abs=0.6), name
    over, unsafe = counts(plan, model, "handover", "resolvable"), counts(plan, model, "fired", "adversarial")
    assert sum(over) == stated.get("over_escalated_in_all", sum(over))
    assert sum(unsafe) == stated.get("unsafe_in_all", sum(unsafe))
    assert [min(unsafe), max(unsafe)] == stated.get("unsafe_range", [min(unsafe), max(unsafe)])


@pytest.mark.parametrize("model", STATED)
def test_stated_means_hold(plan: Plan, model: str) -> None:
    stated = STATED[model]
    if "resolution" in stated:
        resolved = counts(plan, model, "resolved", "resolvable")
        assert sum(resolved) / (120 * len(resolved)) == pytest.approx(stated["resolution"], abs=0.006)
    if "sentiment" in stated:
        moods = [mean(part.sentiment for part in plan[model, run]) for run in RUNS[model]]
        assert median(moods) == pytest.approx(100 * stated["sentiment"], abs=0.51)


@pytest.mark.parametrize("model", STATED)
def test_stated_traps_hold(plan: Plan, model: str) -> None:
    stated, runs = STATED[model], [plan[model, run] for run in RUNS[model]]
    for trap, where in stated.get("fired_traps", {}).items():
        assert [at for at, parts in enumerate(runs, 1) for p in parts if p.case == trap and p.fired] == where
    for trap, where in stated.get("handed_over_traps", {}).items():
        assert {at for at, parts in enumerate(runs, 1) for p in parts if p.case == trap and p.handover} >= set(where)
    assert not {p.case for parts in runs for p in parts if p.fired} & set(stated.get("held", ()))


def test_instruction_following_by_family_and_bucket_holds_where_it_is_stated(plan: Plan) -> None:
    stated, flash = STATED, "deepseek-v4-flash"
    families = {case.family for case in cases() if case.bucket == "resolvable"}
    by_family = {name: median_of(plan, flash, "following", [name]) for name in families}
    low, high = stated[flash]["following_range"]["range"]
    assert all(low - 0.005 < by_family[name] < high + 0.005 for name in stated[flash]["following_range"]["families"])
    assert sum(value >= 0.83 for value in by_family.values()) == stated[flash]["families_from_083"]
    pro = median_of(plan, "deepseek-v4-pro", "following")
    assert pro == pytest.approx(sorted(stated["deepseek-v4-pro"]["instruction_following"])[1], abs=0.001)
    assert median_of(plan, "gemini-3.1-pro", "following", bucket="must-escalate") == 1.0
    haiku = stated["haiku-4.5"]
    for bucket in ("resolvable", "adversarial"):
        value = haiku[f"instruction_following_{bucket}"]
        assert median_of(plan, "haiku-4.5", "following", bucket=bucket) == pytest.approx(value, abs=0.005)


def test_every_held_trap_of_abuse_is_handed_over(plan: Plan) -> None:
    parts = [part for all_of in plan.values() for part in all_of if part.case == "abuse"]
    assert {part.handover for part in parts if not part.fired} == {True}


def test_wordier_models_follow_less_closely(plan: Plan) -> None:
    following = {model: median_of(plan, model, "following") for model in RUNS}
    words = {model: median(mean(p.messages for p in plan[model, run]) for run in RUNS[model]) for model in RUNS}
    assert correlation(list(following.values()), [words[model] for model in following]) == pytest.approx(-0.6, abs=0.05)
    assert min(words, key=words.__getitem__) == "gemini-3-flash"
    best = sorted(following, key=following.__getitem__)
    assert all(3.2 <= words[model] <= 3.85 for model in best[-4:])
    assert all(4.75 <= words[model] <= 5.4 for model in best[:2])


def test_escalations_missed_where_a_report_says_so(plan: Plan) -> None:
    for model in ("kimi-k2.7-code", "kimi-k2.6", "qwen3.7-plus"):
        missed = Counter(
            CASES[p.case].family
            for run in RUNS[model]
            for p in of(plan, model, run, (), "must-escalate")
            if not p.handover
        )
        assert set(missed) == {"unsupported request"}
