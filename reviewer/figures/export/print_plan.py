"""The plan of an export: which tags it prints in which order, what is printed together, and how many there are.

Owns what was judged before anything is printed: of each tag where it belongs and what counts need, not its words, so
that a plan of ten thousand tags takes a few megabytes. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter

from reviewer.marks.read_extent import ReadCounts, ReadExtent, furthest
from reviewer.transcripts.refs import Ref


@dataclass(frozen=True, slots=True)
class PlannedTag:
    """A tag's place in the plan."""

    section: int
    mode: int
    code: str
    words: bytes
    """What two tags with the same words have in common."""
    ref: str
    tag: str
    exemplar: bool
    case: str | None
    places: tuple[Ref, ...]
    """Where its words stand now."""
    across: bool
    """Whether it is about a case across its runs."""

    @property
    def whole(self) -> bool:
        """True if it is about a conversation (or a case) as a whole, and not about words or items of it."""
        return not self.places or self.places[0].message is None


@dataclass(slots=True)
class PrintGroup:
    """Tags of one mode that are printed together: the same words in several conversations, else all words of one."""

    first: int
    """The place of its first tag among all."""
    exemplar: bool = False
    refs: set[str] = field(default_factory=set)
    """The conversations that they stand in."""


Entry = tuple[PlannedTag, PrintGroup]
"""A tag in its turn, with what it is printed with."""


@dataclass(frozen=True, slots=True)
class ModeTally:
    """The number of tags, and of the conversations and cases they are in."""

    tags: int
    conversations: int
    cases: int


class Plan:
    """One export's tags."""

    def __init__(self) -> None:
        self._tags: dict[str, list[PlannedTag]] = {}
        """By code."""
        self._reviewed: dict[str, dict[str, ReadExtent]] = {}
        """Queue (empty for none) to the conversations that were reviewed in it, and how far somebody read."""
        self._left_out: list[tuple[str, str, str, str]] = []

    def put(self, planned: PlannedTag) -> None:
        """Take a tag in."""
        self._tags.setdefault(planned.code, []).append(planned)

    def review(self, ref: str, queue: str, extent: ReadExtent) -> None:
        """Take in that a conversation was reviewed in a queue (empty for none), and how far it was read."""
        extents = self._reviewed.setdefault(queue, {})
        extents[ref] = furthest([extent, extents.get(ref, extent)]) or extent

    def leave_out(self, state: str, ref: str, code: str, reviewer: str) -> None:
        """Take in a tag that is not printed."""
        self._left_out.append((state, ref, code, reviewer))

    def codes(self) -> list[str]:
        """The modes of which something is printed."""
        return [code for code, tags in self._tags.items() if tags]

    def of_mode(self, code: str) -> Sequence[PlannedTag]:
        """The tags of a mode."""
        return self._tags.get(code, ())

    def in_order(self) -> list[Entry]:
        """Return the entries by section and mode, exemplars first, with those printed together side by side."""

        def turn(entry: Entry) -> tuple[int, int, str, bool, int, bool, str, str]:
            tag, group = entry
            return tag.section, tag.mode, tag.code, not group.exemplar, group.first, not tag.exemplar, tag.ref, tag.tag

        return sorted(self._grouped(), key=turn)

    def _grouped(self) -> Iterator[Entry]:
        shared = self._shared()
        groups: dict[tuple[str, str | bytes], PrintGroup] = {}
        for at, tag in enumerate(self._all()):
            together = tag.whole or (tag.code, tag.words) in shared
            group = groups.setdefault((tag.code, tag.words if together else tag.ref), PrintGroup(at))
            group.exemplar |= tag.exemplar
            group.refs.add(tag.ref)
            yield tag, group

    def _shared(self) -> set[tuple[str, bytes]]:
        """Codes and words that stand in several conversations."""
        first: dict[tuple[str, bytes], str] = {}
        return {key for tag in self._all() if first.setdefault(key := (tag.code, tag.words), tag.ref) != tag.ref}

    def by_conversation(self) -> list[PlannedTag]:
        """The tags by reference and in no other order."""
        return sorted(self._all(), key=attrgetter("ref", "tag"))

    @property
    def left_out(self) -> list[tuple[str, str, str, str]]:
        """State, reference, code and reviewer of each tag that is not printed."""
        return sorted(self._left_out, key=lambda each: each[:3])

    def tally(self, code: str | None = None) -> ModeTally:
        """Count what is printed, in all or of one mode."""
        tags = list(self._all() if code is None else self._tags.get(code, ()))
        conversations = {tag.ref for tag in tags if not tag.across}
        return ModeTally(len(tags), len(conversations), len({tag.case for tag in tags if tag.case is not None}))

    def across(self) -> int:
        """On how many cases something is said across their runs."""
        return len({tag.ref for tag in self._all() if tag.across})

    def reviewed(self, queue: str | None = None) -> ReadCounts:
        """Count the reviewed conversations by how far somebody read, in all or in one queue."""
        extents = (
            self._reviewed.get(queue, {}).get(ref) if queue is not None else self._furthest(ref)
            for ref in self._reviewed_in(queue)
        )
        return ReadCounts.of(extents)

    def _furthest(self, ref: str) -> ReadExtent | None:
        return furthest(extents[ref] for extents in self._reviewed.values() if ref in extents)

    def queues(self) -> list[str]:
        """The queues that conversations were reviewed in."""
        return sorted(filter(None, self._reviewed))

    def with_mode(self, code: str, queue: str | None = None) -> int:
        """Count the reviewed conversations (of a queue) that bear a mode."""
        return len(self._reviewed_in(queue) & {tag.ref for tag in self._tags.get(code, ())})

    def _reviewed_in(self, queue: str | None) -> set[str]:
        return set().union(*self._reviewed.values()) if queue is None else {*self._reviewed.get(queue, ())}

    def _all(self) -> Iterator[PlannedTag]:
        return chain.from_iterable(self._tags.values())
