"""How much each reviewer has marked: kept as a sum, and changed by what one conversation's events change of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator

Counts = dict[str, tuple[int, int, int]]
"""Reviewer to tags, conversations reviewed, verdicts."""


class Tally:
    """The sum over all conversations; `before` tells what one added to the sum that this tally begins with."""

    def __init__(self, total: Counts, before: Callable[[str], Counts]) -> None:
        self._total = dict(total)
        self._before = before
        self._known: dict[str, Counts] = {}

    def put(self, conversation: str, counts: Counts) -> None:
        """Set what a conversation adds to the sum."""
        was = self._known.get(conversation)
        add(self._total, self._before(conversation) if was is None else was, -1)
        add(self._total, counts, 1)
        self._known[conversation] = counts

    def reviewed(self, by: str, before: Iterable[str] = ()) -> Iterator[str]:
        """Yield what a reviewer has read to the end; `before` is what they had where this tally begins."""
        yield from (each for each in before if each not in self._known)
        yield from (each for each, counts in self._known.items() if _has_read(counts, by))

    def total(self) -> Counts:
        """Return the sum over everything."""
        return dict(self._total)


Held = Callable[[Collection[str]], Collection[str]]
"""Tells which of these conversations a store holds."""


class ReviewedHere:
    """The conversations of one store that a reviewer has read to the end: asked for once, then kept up to date."""

    def __init__(self, by: str, held: Held, reviewed: Iterable[str]) -> None:
        self.by = by
        self.held = held
        self._here = set(held(list(reviewed)))

    def __len__(self) -> int:
        return len(self._here)

    def put(self, conversation: str, counts: Counts) -> None:
        """Take in what is marked in a conversation now."""
        if not _has_read(counts, self.by):
            self._here.discard(conversation)
        elif conversation not in self._here:
            self._here.update(self.held([conversation]))


def _has_read(counts: Counts, by: str) -> bool:
    return by in counts and counts[by][1] > 0


def marked(tags: Iterable[str], reviewed: Iterable[str], verdicts: Iterable[str]) -> Counts:
    """Count what one conversation adds, from the names of those who tagged, read and judged it."""
    by_kind = [Counter(list(names)) for names in (tags, reviewed, verdicts)]
    return {by: (by_kind[0][by], by_kind[1][by], by_kind[2][by]) for by in set().union(*by_kind)}


def add(total: Counts, more: Counts, sign: int) -> None:
    """Let a sum hold so much more, or less."""
    for by, (tags, reviewed, verdicts) in more.items():
        there = total.get(by, (0, 0, 0))
        total[by] = (there[0] + sign * tags, there[1] + sign * reviewed, there[2] + sign * verdicts)
