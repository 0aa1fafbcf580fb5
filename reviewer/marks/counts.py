"""How much each reviewer has marked: kept as a sum, and changed by what one conversation's events change of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from reviewer.marks.read_extent import ReadCounts, ReadExtent


class MarkCounts(NamedTuple):
    """How much one reviewer has marked."""

    tags: int = 0
    end: int = 0
    part: int = 0
    unknown: int = 0
    verdicts: int = 0

    @property
    def read(self) -> ReadCounts:
        """The conversations that they reviewed, by how far they read."""
        return ReadCounts(self.end, self.part, self.unknown)

    @property
    def extent(self) -> ReadExtent | None:
        """How far they read, where this is one conversation's."""
        return "end" if self.end else "part" if self.part else "unknown" if self.unknown else None


Counts = dict[str, MarkCounts]
"""Reviewer to what they marked."""


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

    def reviewed(self, by: str, before: Mapping[str, ReadExtent]) -> Iterator[tuple[str, ReadExtent]]:
        """Yield what a reviewer has reviewed, and how far; `before` is what they had where this tally begins."""
        yield from ((each, extent) for each, extent in before.items() if each not in self._known)
        for each, counts in self._known.items():
            if (extent := _extent(counts, by)) is not None:
                yield each, extent

    def total(self) -> Counts:
        """Return the sum over everything."""
        return dict(self._total)


Held = Callable[[Collection[str]], Collection[str]]
"""Tells which of these conversations a store holds."""


class ReviewedHere:
    """The conversations of one store that a reviewer has reviewed: asked for once, then kept up to date."""

    def __init__(self, by: str, held: Held, reviewed: Iterable[tuple[str, ReadExtent]]) -> None:
        self.by = by
        self.held = held
        extents = dict(reviewed)
        self._here = {each: extents[each] for each in held(list(extents))}

    @property
    def counts(self) -> ReadCounts:
        """How many there are, by how far they were read."""
        return ReadCounts.of(self._here.values())

    def put(self, conversation: str, counts: Counts) -> None:
        """Take in what is marked in a conversation now."""
        extent = _extent(counts, self.by)
        if extent is None:
            self._here.pop(conversation, None)
        elif conversation in self._here or self.held([conversation]):
            self._here[conversation] = extent


def _extent(counts: Counts, by: str) -> ReadExtent | None:
    return counts[by].extent if by in counts else None


def marked(tags: Iterable[str], reviewed: Mapping[str, ReadExtent], verdicts: Iterable[str]) -> Counts:
    """Count what one conversation adds, from the names of those who tagged, reviewed (and how far) and judged it."""
    by_tags, by_verdicts = Counter(list(tags)), Counter(list(verdicts))
    return {
        by: MarkCounts(by_tags[by], *ReadCounts.of([reviewed.get(by)]), by_verdicts[by])
        for by in {*by_tags, *reviewed, *by_verdicts}
    }


def add(total: Counts, more: Counts, sign: int) -> None:
    """Let a sum hold so much more, or less."""
    for by, counts in more.items():
        there = total.get(by, MarkCounts())
        total[by] = MarkCounts(*(one + sign * other for one, other in zip(there, counts, strict=True)))
