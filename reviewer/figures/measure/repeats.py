"""Repeats: what came of the same case in several runs of a model, in passes and in flips.

pass^k is the chance that k runs of a case, drawn from those it has, all passed: the mean over cases of C(c,k)/C(n,k),
with c of n runs passed. A case with fewer than k runs has no such chance and is left out. A case flips by acts where
its runs have different outcomes (`reviewer.transcripts.desk.outcome`), and by score where one run passed and another
did not. `flips:` in `reviewer.transcripts.query.desk_conditions` asks a store the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import comb
from typing import NamedTuple

from reviewer.figures.measure import metrics
from reviewer.figures.measure.flip_cases import CaseComparison, flip_cases
from reviewer.transcripts.model import QueueRow
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.tallies import ConversationTally, RunRow

_DECIDING = ("reward", "resolution", "score")
"""Scores that give a verdict on the whole conversation, the first of them before the others."""
_PASSED = 1 - 1e-6
"""From here on a score is 1: sources add up parts of it."""
_RESOLVABLE = metrics.METRICS[metrics.OVER].bucket
_MOST = 32
"""The largest k of pass^k."""
_AT_ONCE = 5_000
"""Rows that one question asks for."""


class PassK(NamedTuple):
    """pass^k of one model for one k."""

    k: int
    value: float
    cases: int
    """The cases with k runs or more, over which it is the mean."""
    left_out: int
    """The cases with fewer runs."""


class Verdict(NamedTuple):
    """The score that says whether a conversation passed, and who gave it."""

    scorer: str
    judge: str | None
    unit: bool
    """Whether all its values are from 0 to 1, so that 1 is a pass."""
    resolvable: bool = False
    """Whether only resolvable cases are counted, as for the score's mean."""


@dataclass(frozen=True, slots=True)
class Repeats:
    """What came of a model's cases in all their runs that count."""

    passes: tuple[PassK, ...] = ()
    """From one run up to the most runs that a case has; empty where nothing says what passed."""
    all: int = 0
    """Cases that passed in each of their runs; of one run, too."""
    some: int = 0
    none: int = 0
    score_flips: tuple[int, int] | None = None
    """Cases that passed in some of their runs and not in others, and cases with two scored runs or more."""
    act_flips: tuple[int, int] | None = None
    """Cases that flip by acts, and cases compared; None where no case has two runs whose tools a desk classes."""


def deciding(scorers: Iterable[str]) -> str | None:
    """The scorer whose score decides whether a conversation passed; None where none of several is known to do so."""
    known = list(scorers)
    named = [each for name in _DECIDING for each in known if each.lower() == name]
    return named[0] if named else known[0] if len(known) == 1 else None


def passed(value: float) -> bool:
    """True if a conversation with this value of the deciding score passed."""
    return value >= _PASSED


def verdict(scores: Mapping[str, float | str], bucket: str | None) -> bool | None:
    """Whether a conversation passed by its deciding score; None where it has none, or none from 0 to 1.

    Resolution decides nothing in a case that is not to be resolved.
    """
    scorer = deciding(scores)
    value = scores[scorer] if scorer is not None else None
    if (
        scorer is not None
        and metrics.plain_name(scorer) in metrics.OVER_RESOLVABLE
        and bucket not in (None, _RESOLVABLE)
    ):
        return None
    return passed(value) if isinstance(value, float | int) and 0 <= value <= 2 - _PASSED else None


def differ(verdicts: Iterable[bool | None]) -> bool:
    """True if one passed and another did not; where nothing is concluded, nothing differs."""
    return {True, False} <= set(verdicts)


def repeats(values: Iterable[list[float]], unit: bool, compared: CaseComparison | None) -> Repeats:
    """Count passes and flips; `values` has for each case the deciding score of each of its runs."""
    scored = [runs for runs in values if runs]
    counted = [(sum(map(passed, runs)), len(runs)) for runs in scored if unit]
    most = min(_MOST, max((n for _, n in counted), default=0))
    passes = []
    for k in range(1, most + 1):
        chances = [comb(c, k) / comb(n, k) for c, n in counted if n >= k]
        passes.append(PassK(k, sum(chances) / len(chances), len(chances), len(counted) - len(chances)))
    several = [0 < c < n for c, n in counted if n > 1]
    return Repeats(
        tuple(passes),
        sum(c == n for c, n in counted),
        sum(0 < c < n for c, n in counted),
        sum(not c for c, _ in counted),
        (sum(several), len(several)) if several else None,
        (len(compared.flips), compared.compared) if compared is not None and compared.compared else None,
    )


def compared_cases(
    reader: Reader, conversations: Iterable[ConversationTally], runs: Mapping[int, RunRow]
) -> dict[str, CaseComparison]:
    """Compare the acts in the runs of each case, model by model; only cases with several conversations are read."""
    by_case: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for each in conversations:
        if each.case is not None and each.desk is not None:
            by_case[runs[each.run].model, each.case].append(each.id)
    ids = [rowid for several in by_case.values() if len(several) > 1 for rowid in several]
    by_model: defaultdict[str, list[QueueRow]] = defaultdict(list)
    for start in range(0, len(ids), _AT_ONCE):
        for row in reader.rows(ids[start : start + _AT_ONCE]):
            by_model[row.model].append(row)
    return {model: flip_cases(rows) for model, rows in by_model.items()}
