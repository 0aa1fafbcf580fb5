"""The figures that the sample must come to, per model: published ones first, ours where nothing was published.

Owns reading the published figures, `models.toml` and `reports.toml`, and turning printed rates into counts.
It decides nothing about which conversation does what; that is the plan.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from reviewer.basics import toml
from reviewer.basics.resources import data_dir

ESCALATIONS, RESOLVABLE, TRAPS = 24, 120, 18


@dataclass(frozen=True, slots=True)
class FamilyFigures:
    """One family of six cases in a deep report: handovers, judged instruction-following in twentieths, resolved."""

    family: str
    over: int
    following: int
    resolved: int


@dataclass(frozen=True, slots=True)
class StatedCell:
    """What a source says of one family of a model; counts are over all runs, `following` is the median's sum."""

    family: str
    over: int | None = None
    missed: int | None = None
    unresolved: int | None = None
    following: int | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures that one model must reach; counts are per run where known, else medians."""

    model: str
    vendor: str
    tier: str
    badges: tuple[str, ...]
    remark: str
    runs: int
    escalation: float
    over_escalation: float
    unsafe: int
    following: float
    resolution: float
    messages: float
    sentiment: float
    reasoning: bool
    thinks_always: bool
    voice: Mapping[str, float]
    headline: Mapping[str, float] | None = None
    per_run: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """`instruction_following`, and the counts `escalation`, `over_escalation`, `unsafe`, `resolved`, where known."""
    families: Mapping[str, FamilyFigures] = field(default_factory=dict)
    fired: Mapping[str, tuple[int, ...]] | None = None
    """Which traps fire in which runs, where a report says so (and our choice where it leaves one unnamed)."""
    handed_over: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Traps that are handed over in these runs."""
    missed: Mapping[str, tuple[int, ...]] | None = None
    """Which must-escalate cases are not handed over in which runs, where that is known."""
    cells: Mapping[str, StatedCell] = field(default_factory=dict)
    """What a source says of single families, where there is no whole report."""
    must_escalate_following: float | None = None
    adversarial_following: float | None = None


@cache
def published() -> Mapping[str, Any]:
    """The published figures as our own file has them."""
    loaded: Mapping[str, Any] = json.loads((data_dir() / "published.json").read_text(encoding="utf-8"))
    return loaded


@cache
def figures() -> tuple[Figures, ...]:
    """The 24 models in the published order."""
    ours, reports = _toml("models.toml"), _toml("reports.toml")
    return tuple(_figures(row, ours[row["model"]], reports.get(row["model"], {})) for row in published()["board"])


def count_of(percent: float, of: int) -> int | None:
    """The count that prints as this percentage; None when no count does."""
    near = round(percent * of / 100)
    digits = 0 if float(percent).is_integer() else 1
    fits = [k for k in (near, near - 1, near + 1) if 0 <= k <= of and printed(k, of, digits) == f"{percent:.{digits}f}"]
    return fits[0] if fits else None


def printed(count: float, of: int, digits: int) -> str:
    """A rate in per cent as boards print it: halves go up."""
    return f"{int(count / of * 100 * 10**digits + 0.5 + 1e-9) / 10**digits:.{digits}f}"


def _toml(name: str) -> dict[str, Any]:
    return toml.table_of((data_dir() / "northline" / name).read_text(encoding="utf-8"))


def _figures(row: Mapping[str, Any], ours: Mapping[str, Any], report: Mapping[str, Any]) -> Figures:
    said = published()["reports"].get(row["model"], {})
    known = {**ours, **report}
    return Figures(
        model=row["model"],
        vendor=row["vendor"],
        tier=row["tier"],
        badges=tuple(row["badges"]),
        remark=row["remark"],
        runs=row["runs"],
        escalation=row["escalation"],
        over_escalation=row["over_escalation"],
        unsafe=row["unsafe"],
        following=ours["following"],
        resolution=ours["resolution"],
        messages=said.get("agent_messages", ours["messages"]),
        sentiment=said.get("sentiment", ours["sentiment"]),
        reasoning=ours["reasoning"],
        thinks_always=ours.get("thinks_always", False),
        voice=ours["voice"],
        headline=said.get("headline"),
        per_run=_per_run(said, known),
        families={entry["family"]: FamilyFigures(**entry) for entry in report.get("families", ())},
        fired=_in_runs(known["fired"]) if "fired" in known else None,
        handed_over=_in_runs(known.get("handed_over", {})),
        missed=_in_runs(known["missed"]) if "missed" in known else None,
        cells={entry["family"]: StatedCell(**entry) for entry in known.get("cells", ())},
        must_escalate_following=known.get("must_escalate_following"),
        adversarial_following=known.get("adversarial_following"),
    )


def _in_runs(table: Mapping[str, list[int]]) -> dict[str, tuple[int, ...]]:
    return {case: tuple(runs) for case, runs in table.items()}


def _per_run(said: Mapping[str, Any], ours: Mapping[str, Any]) -> dict[str, tuple[float, ...]]:
    """Counts per run: the published percentages turned into counts, else what our files say."""
    counts: dict[str, tuple[float, ...]] = {}
    for name, of in (("escalation", ESCALATIONS), ("over_escalation", RESOLVABLE)):
        if name in said:
            counts[name] = tuple(round(percent * of / 100) for percent in said[name])
        elif isinstance(ours.get(name), list):
            counts[name] = tuple(ours[name])
    for name in ("unsafe", "resolved", "instruction_following"):
        if name in said or name in ours:
            counts[name] = tuple(said.get(name, ours.get(name)))
    return counts
