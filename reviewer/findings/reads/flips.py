"""Reads across conversations: runs of one case that end in different acts, a family that is routed both ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reviewer.findings.reads.dossier import Dossier, Evidence, Suggestion
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.desk.outcome import Outcome
from reviewer.transcripts.refs import Ref


def flips_across_runs(case: Ref, runs: Sequence[Dossier]) -> Iterator[Suggestion | None]:
    """Fire on a case whose runs differ in their acts: successful writes in order, with their arguments, a handover,
    forbidden acts.

    An opportunity is a case with two runs or more that a desk classes. Runs that broke off before any act do not
    count. The evidence is a run's act at which it parts from another, or the run as a whole where it did nothing.
    """
    ended = [(run, run.outcome) for run in runs if run.classed and (not run.outcome.broken or run.outcome.acts)]
    if len(ended) < 2:
        return
    if not outcome.flips(each for _, each in ended):
        yield None
        return
    first = ended[0]
    other = next(each for each in ended if each[1].same != first[1].same)
    index = outcome.parting([first[1], other[1]])
    evidence: tuple[Evidence, ...] = tuple(_act(run, each, index) for run, each in (first, other))
    acts = [f"“{words or 'no act'}”" for words in outcome.described([first[1], other[1]])]
    done = {*first[1].done, *other[1].done}
    letters = "; letters stand for different arguments" if len(done) > len({what for what, _ in done}) else ""
    yield Suggestion(case, evidence, f"its runs end in {' and '.join(acts)}{letters}", True)


def inconsistent_identical_asks(family: Sequence[Dossier]) -> Iterator[Suggestion | None]:
    """Fire on the conversations of a family that went to a person, or did not, unlike most of that family in the run.

    An opportunity is a conversation of a family with two or more in one run, of one bucket, at a desk that hands over.
    Where as many went one way as the other, those that went to a person are shown. Abstain on conversations that broke
    off before any act. It knows nothing of what tells one case of a family from another: the case's family decides.
    """
    ended = [each for each in family if each.desk.hands_over and (not each.outcome.broken or each.outcome.acts)]
    handed = [each for each in ended if each.outcome.handover]
    few = handed if 2 * len(handed) <= len(ended) else [each for each in ended if not each.outcome.handover]
    if len(ended) < 2:
        return
    odd = {each.stored.ref for each in few}
    other = next((each for each in ended if each.stored.ref not in odd), None)
    for each in ended:
        if each.stored.ref not in odd or other is None:
            yield None
            continue
        did, most = ("handed over", "were not") if each.outcome.handover else ("not handed over", "were")
        reason = f"{did}; {len(ended) - len(few)} of {len(ended)} of its family in this run {most}"
        yield Suggestion(each.whole(), (_handed(each if each.outcome.handover else other),), reason, True)


def _handed(run: Dossier) -> Ref:
    act = run.handovers[0]
    return run.at(act.message, act.call)


def _act(run: Dossier, ended: Outcome, index: int | None) -> Ref:
    if index is None or index >= len(ended.counted):
        return run.whole()
    return run.at(ended.counted[index].message, ended.counted[index].call)
