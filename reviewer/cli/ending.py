"""A round of questions that a command pays for: held under a bar, then what failed, what is left, and the exit code."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from reviewer.basics.shell import shell_line
from reviewer.cli.output import say

if TYPE_CHECKING:
    from reviewer.benchmark.live.admission import Budget
    from reviewer.benchmark.live.failures import Failures
    from reviewer.benchmark.live.question_round import QuestionRound

_LACKING, _STOPPED = 1, 130


def hold_round(
    title: str, at_once: int, budget: Budget, work: Callable[[QuestionRound], Awaitable[None]]
) -> tuple[QuestionRound, bool]:
    """Hold a round under a bar of progress; the round, and True where somebody stopped it."""
    import asyncio

    from reviewer.benchmark.live.question_round import QuestionRound
    from reviewer.cli.progress import ShareProgress

    async def whole(held: QuestionRound) -> None:
        await work(held)

    with ShareProgress(title) as progress:
        held = QuestionRound(at_once, budget, progress.step)
        try:
            asyncio.run(whole(held))
        except KeyboardInterrupt:
            return held, True
    return held, False


def say_round(held: QuestionRound, total: int, what: str, stopped: bool) -> None:
    """Say which questions of a round failed, and how many are left."""
    say_failures(held.failures, what)
    say_left(total - held.asked, what, held.budget.used_up, stopped)


def say_cost(model: str, dollars: float | None) -> None:
    """Say what a model cost; None where it has no price."""
    say(f"cost of {model}: " + ("its price is unknown" if dollars is None else f"${dollars:,.4f}"))


def say_failures(failures: Failures, what: str) -> None:
    """Say how many of what was asked failed, cause by cause."""
    if failures:
        say(f"{_counted(len(failures), what)} failed:")
        for line in failures.lines():
            say(f"  {line}")


def say_left(number: int, what: str, limit_reached: bool, stopped: bool) -> None:
    """Say how many were never begun, or not finished, and why where that is known."""
    why = "Stopped: " if stopped else "The limit of cost is reached: " if limit_reached else ""
    if number:
        say(f"{why}{_counted(number, what)} {'is' if number == 1 else 'are'} left.")


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def ended(complete: bool, stopped: bool = False) -> int:
    """The exit code: 0 only where all that was asked for is stored; else the command that goes on is printed."""
    if complete:
        return 0
    say_next(sys.argv[1:])
    return _STOPPED if stopped else _LACKING


def say_next(words: Sequence[str]) -> None:
    """Print a command of the program that goes on with what is left, quoted for a shell."""
    say(f"To go on: {shell_line(['reviewer', *words])}")
