"""What came of deciding again at many points: case by case, and of a model in all. Pure.

What is counted is how often a decision was of a kind (forbidden, a handover). How sure that is of a model goes by
cases, because what is decided in one case goes together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from reviewer.benchmark.live.deciding_message import Every
from reviewer.benchmark.live.fork_point import Decider
from reviewer.benchmark.live.fork_store import NO_ACT, Decisions
from reviewer.marks.review.shares import Share, share_of, share_over_cases
from reviewer.transcripts.desk.outcome import HANDOVER

FORBIDDEN = "forbidden"
COUNTED: dict[Every, tuple[str, ...]] = {
    "forbidden": (FORBIDDEN,),
    "handover": (HANDOVER,),
    "flip": (FORBIDDEN, HANDOVER),
}
"""What is counted of each kind of point."""


@dataclass(slots=True)
class CaseForks:
    """What one model decided in one case, at all of its points."""

    case: str
    forbids: bool
    points: int = 0
    of: int = 0
    """Decisions."""
    acts: Counter[str] = field(default_factory=Counter)
    """In how many decisions each act was made, or none."""
    forbidden: int = 0

    def number(self, what: str) -> int | None:
        """In how many decisions it was done; None for what cannot be, because the case forbids nothing."""
        if what == FORBIDDEN:
            return self.forbidden if self.forbids else None
        return self.acts[what]

    def share(self, what: str) -> Share | None:
        """In which share of the decisions, and between which shares it lies (Wilson, 95%)."""
        number = self.number(what)
        return None if number is None else share_of(number, self.of)


@dataclass(slots=True)
class ModelForks:
    """What one model decided in every case."""

    model: str
    cases: list[CaseForks]

    def pooled(self, what: str) -> tuple[int, int, int]:
        """In how many decisions of how many it was done, and in how many cases these were."""
        known = self._known(what)
        return sum(number for number, _ in known), sum(of for _, of in known), len(known)

    def share(self, what: str) -> Share | None:
        """In which share of all decisions, and between which it lies as the cases lie apart (95%)."""
        return share_over_cases(self._known(what))

    def _known(self, what: str) -> list[tuple[int, int]]:
        return [(number, each.of) for each in self.cases if each.of and (number := each.number(what)) is not None]


def by_model(deciders: Sequence[Decider], decided: Iterable[Decisions]) -> list[ModelForks]:
    """What every model decided, case by case in the order of their points."""
    models: defaultdict[str, dict[str, CaseForks]] = defaultdict(dict)
    for (model, point), told in zip(deciders, decided, strict=True):
        it = point.stored.conversation
        case = it.case or point.stored.ref
        forks = models[model].setdefault(case, CaseForks(case, bool(it.facts and it.facts.forbidden)))
        forks.points += 1
        forks.of += len(told.refs)
        forks.forbidden += told.forbidden
        forks.acts.update(told.acts)
        forks.acts.update({NO_ACT: told.none} if told.none else {})
    return [ModelForks(model, list(cases.values())) for model, cases in models.items()]
