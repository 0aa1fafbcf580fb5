"""How far reviewers read: to the end, in part, or nobody knows; and how many conversations that is of each.

Owns the rule. A review that was made on a screen says how many messages were on screen and how many there are. A
message counts once a line of it was on screen, folded or not, whatever the tool layer showed of its calls. A review
from the shell, or by an early version, says neither, so it is never taken for a reading to the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

ReadExtent = Literal["end", "part", "unknown"]


def extent(how: Mapping[str, Any]) -> ReadExtent:
    """How far a review says that its conversation was read."""
    seen, of = how.get("seen"), how.get("of")
    if type(seen) is not int or type(of) is not int or not 0 <= seen <= of:
        return "unknown"
    return "end" if seen == of else "part"


def furthest(extents: Iterable[ReadExtent]) -> ReadExtent | None:
    """How far somebody is known to have read, of what several say; None where nobody reviewed it."""
    said = set(extents)
    return "end" if "end" in said else "part" if "part" in said else "unknown" if said else None


class ReadCounts(NamedTuple):
    """How many conversations were reviewed, by how far they were read."""

    end: int = 0
    part: int = 0
    unknown: int = 0

    @classmethod
    def of(cls, extents: Iterable[ReadExtent | None]) -> ReadCounts:
        """Count; what was not reviewed is None, and counts for nothing."""
        listed = list(extents)
        return cls(listed.count("end"), listed.count("part"), listed.count("unknown"))

    @property
    def reviewed(self) -> int:
        """All of them."""
        return sum(self)

    def words(self, whole: str = "") -> str:
        """`7 reviewed (5 to the end, 2 in part)`; `of 60` goes behind the number."""
        return f"{self.reviewed:,}{f' {whole}' if whole else ''} reviewed{self.how_far}"

    @property
    def how_far(self) -> str:
        """What stands behind `reviewed`: ` (5 to the end, 2 in part)`; empty where nothing was."""
        named = {"to the end": self.end, "in part": self.part, "unknown how far": self.unknown}
        kinds = {name: count for name, count in named.items() if count}
        if len(kinds) > 1:
            return f" ({', '.join(f'{count:,} {name}' for name, count in kinds.items())})"
        return " (unknown how far)" if self.unknown else f" {next(iter(kinds), '')}".rstrip()
