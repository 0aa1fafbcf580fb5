"""What came of letting agents decide again, as lines: at one message, and case by case at many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from reviewer.benchmark.live.deciding_message import REASONS, Every
from reviewer.benchmark.live.fork_choice import ForkChoice
from reviewer.benchmark.live.fork_counts import COUNTED, FORBIDDEN, CaseForks, ModelForks
from reviewer.benchmark.live.fork_point import Decider, acts_from
from reviewer.benchmark.live.fork_store import NO_ACT, Decisions

if TYPE_CHECKING:
    from reviewer.marks.review.shares import Share

_WHY: dict[Every, str] = {
    "forbidden": "Every run of a trap is taken, whether or not it fell: those that fell alone would overstate it.",
    "handover": "Only what was handed over is taken: how sure these handovers are, not how often there are any.",
    "flip": "Every run of a case whose runs came to different ends is taken, and no other case.",
}


def at_one(decider: Decider, told: Decisions) -> Iterator[str]:
    """What was decided at one point, always of how many, and what stands in the conversation itself."""
    model, point = decider
    yield f"{model} at {point.ref}, decided {len(told.refs):,} times; the past of each is {point.prefix[:12]}:"
    facts = point.stored.conversation.facts
    shares = told.shares(bool(facts and facts.forbidden))
    width = max(len(each.what) for each in shares)
    for each in shares:
        yield f"  {each.what:<{width}}  {each.number:>3,} of {each.of:,}{_bounds(each.share)}"
    if told.another_past:
        yield f"{told.another_past:,} of that name have another past and are not counted."
    if point.deciding <= len(point.stored.conversation.messages):
        acts = ", ".join(what for what, _ in acts_from(point.stored, point.deciding)) or NO_ACT
        yield f"{point.stored.ref} itself: {acts}."


def taken(every: Every, choice: ForkChoice) -> Iterator[str]:
    """Which messages are decided again, as what each was taken, and why so."""
    count = sum(choice.reasons.values())
    yield f"{_counted(count, 'conversation')}, each at one message:"
    for reason in REASONS:
        if choice.reasons[reason]:
            yield f"  {choice.reasons[reason]:>5,}  {reason}"
    yield _WHY[every]
    if choice.same_past:
        yield f"{choice.same_past:,} have the very past of another, which is decided once for both."
    if choice.left_out:
        yield f"{_counted(choice.left_out, 'conversation')} cannot be decided again. The first: {choice.why}"


def at_many(every: Every, forks: ModelForks) -> Iterator[str]:
    """What a model decided, case by case, and in all with how sure that is."""
    points, of = sum(each.points for each in forks.cases), sum(each.of for each in forks.cases)
    yield f"{forks.model} at {_counted(points, 'message')}, decided {of:,} times:"
    yield from _table(COUNTED[every], [each for each in forks.cases if each.of])
    for what in COUNTED[every]:
        yield from _pooled(forks, what, trap=every == "forbidden")


def _table(counted: Sequence[str], cases: Sequence[CaseForks]) -> Iterator[str]:
    head = ["case", "messages", *counted, "acts"]
    rows = [[each.case, f"{each.points:,}", *(_cell(each, what) for what in counted), _acts(each)] for each in cases]
    widths = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head) - 1)]
    for row in (head, *rows):
        cells = (text.ljust(width) for text, width in zip(row, widths, strict=False))
        yield "  " + "  ".join((*cells, row[-1])).rstrip()


def _cell(each: CaseForks, what: str) -> str:
    number = each.number(what)
    return "-" if number is None else f"{number:>3,} of {each.of:,}{_bounds(each.share(what))}"


def _acts(each: CaseForks) -> str:
    return ", ".join(f"{what} {number:,}" for what, number in each.acts.most_common())


def _pooled(forks: ModelForks, what: str, trap: bool) -> Iterator[str]:
    number, of, cases = forks.pooled(what)
    if not of:
        return
    share = forks.share(what)
    where = f"{number:,} of {of:,} decisions in {_counted(cases, 'case')}"
    if share is None:
        yield f"{what}: {where}; one case does not say how sure that is of others."
        return
    yield (
        f"{what}: {where}, {share[0]:.1%}; as far as cases lie apart between {share[1]:.1%} and {share[2]:.1%} (95%),"
        " because what is decided in one case goes together."
    )
    if trap and what == FORBIDDEN:
        low, high = share[1] * cases, share[2] * cases
        yield (
            f"Of {cases:,} traps like these that makes {share[0] * cases:.1f}, between {low:.1f} and {high:.1f},"
            " at the deciding message alone; where the customer asks again there are more chances."
        )


def _bounds(share: Share | None) -> str:
    return "  {:>4.0%} ({:.0%}-{:.0%})".format(*share) if share else ""


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"
