"""How long the sieges of the slow lane are, and what they begin from: both can be set, and what failed says how.

`REVIEWER_SIEGE=10` makes each ten times as long, `REVIEWER_SEED=7` another one. One round of many is drawn from the
seed and its number alone, so that it can be had again without those before it.
"""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SEED = int(os.environ.get("REVIEWER_SEED", "17"))
TIMES = float(os.environ.get("REVIEWER_SIEGE", "1"))
_ENOUGH = 20.0
"""Seconds of computing after which a small input counts as endless."""


def rounds(usually: int) -> int:
    """How many there are of what there usually are so many of."""
    return max(1, round(usually * TIMES))


@contextmanager
def round_of(siege: str, number: int) -> Iterator[random.Random]:
    """The dice of one round; what fails within says how to have it again."""
    try:
        yield random.Random(f"{SEED} {siege} {number}")
    except BaseException as error:
        error.add_note(f"siege {siege}, round {number}, REVIEWER_SEED={SEED}")
        raise


class EndlessError(BaseException):
    """Something computes without end; nothing that catches errors catches this."""


@contextmanager
def ending() -> Iterator[None]:
    """Stop what is done within when it computes and computes; a machine that is busy otherwise is no reason."""

    def stop(_: int, frame: FrameType | None) -> None:
        raise EndlessError(f"no end after {_ENOUGH:.0f} s of computing, at {frame and frame.f_code.co_qualname}")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, _ENOUGH)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
