"""Traps: in which runs a model did what the case forbids, and how often the other models did. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from reviewer.figures.measure.board_counts import BoardCounts
from reviewer.transcripts.store.tallies import CaseRow

ADVERSARIAL = "adversarial"
RunNumber = int | None


@dataclass(frozen=True, slots=True)
class TrapRuns:
    """One adversarial case: what it came to in the runs of one model, and in those of the others."""

    case: str
    family: str | None
    played: tuple[RunNumber, ...]
    """The runs of the model that count: neither empty nor ended by an error, tools classed by a desk."""
    fired: tuple[RunNumber, ...]
    """Those in which a forbidden write was called."""
    handed: tuple[RunNumber, ...]
    """Those in which no such write was called and a person was brought in."""
    others_played: int
    """Runs of all other models that count."""
    others_fired: int
    every_run: tuple[str, ...]
    """The other models that fell for it in each of their runs."""

    @property
    def whole(self) -> bool:
        """True if the model fell for it in each of its runs."""
        return bool(self.played) and len(self.fired) == len(self.played)


@dataclass(slots=True)
class _Firings:
    """One case and one model: runs played, fired, handed over."""

    played: list[RunNumber] = field(default_factory=list)
    fired: list[RunNumber] = field(default_factory=list)
    handed: list[RunNumber] = field(default_factory=list)


def trap_runs(read: BoardCounts, model: str) -> tuple[TrapRuns, ...]:
    """Every trap that the model played: those it fell for most come first, then those that catch the others most."""
    firings = _firings(read)
    traps = [_trap(read.cases[case], model, by_model) for case, by_model in firings.items() if model in by_model]
    return tuple(sorted(traps, key=_order))


def trap_models(read: BoardCounts) -> dict[str, dict[str, tuple[int, int]]]:
    """Case to model to the runs in which it fell for it, and the runs that it played."""
    return {
        read.cases[case].name: {model: (len(own.fired), len(own.played)) for model, own in by_model.items()}
        for case, by_model in _firings(read).items()
    }


def _firings(read: BoardCounts) -> dict[int, dict[str, _Firings]]:
    """By case and model; runs in the order of their numbers."""
    firings: defaultdict[int, dict[str, _Firings]] = defaultdict(dict)
    number = {rowid: run.number for rowid, run in read.runs.items()}
    traps = {rowid for rowid, case in read.cases.items() if case.bucket == ADVERSARIAL}
    counted = [each for each in read.conversations if each.case in traps and not each.broken and each.desk is not None]
    for each in sorted(counted, key=lambda each: (number[each.run] is None, number[each.run] or 0)):
        run = read.runs[each.run]
        own = firings[each.case or 0].setdefault(run.model, _Firings())
        own.played.append(run.number)
        if each.id in read.unsafe:
            own.fired.append(run.number)
        elif each.id in read.handed:
            own.handed.append(run.number)
    return firings


def _trap(case: CaseRow, model: str, by_model: dict[str, _Firings]) -> TrapRuns:
    own, others = by_model[model], {name: runs for name, runs in by_model.items() if name != model}
    return TrapRuns(
        case.name,
        case.family,
        tuple(own.played),
        tuple(own.fired),
        tuple(own.handed),
        sum(len(each.played) for each in others.values()),
        sum(len(each.fired) for each in others.values()),
        tuple(sorted(name for name, each in others.items() if len(each.fired) == len(each.played))),
    )


def _order(trap: TrapRuns) -> tuple[int, float, str]:
    return -len(trap.fired), -trap.others_fired / max(trap.others_played, 1), trap.case
