"""In which order a queue is read: the column it is sorted by, which way, and what it is grouped by.

Pure values and the words they are typed with: `score.reward down`, `random 7`. What a column is in SQL is for the
store, what reviewers said for the journals.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from reviewer.basics.errors import QueryError
from reviewer.basics.glyphs import glyph
from reviewer.transcripts.query.selection import bare_key

Group = Literal["", "case", "model", "family"]
GROUPS: tuple[Group, ...] = ("case", "model", "", "family")
"""In the order in which a key goes through them, but for the last."""


class Sort(NamedTuple):
    """A column that a queue can be sorted by, and what comes first either way."""

    name: str
    usual: str
    turned: str = ""
    """Empty where there is only one way."""
    down: bool = False
    """Whether the usual way is from the largest to the smallest."""


_ALL = (
    Sort("stored", "as stored"),
    Sort("unread", "unreviewed first", "reviewed first"),
    Sort("unsafe", "forbidden acts first", "forbidden acts last", down=True),
    Sort("score", "lowest score first", "highest score first"),
    Sort("messages", "most messages first", "fewest messages first", down=True),
    Sort("calls", "most calls first", "fewest calls first", down=True),
    Sort("errors", "most failed calls first", "fewest failed calls first", down=True),
    Sort("tokens", "most tokens first", "fewest tokens first", down=True),
    Sort("cost", "highest cost first", "lowest cost first", down=True),
    Sort("tags", "most tags first", "fewest tags first", down=True),
    Sort("date", "newest first", "oldest first", down=True),
    Sort("case", "by name of the case", "by name of the case, backwards"),
    Sort("model", "by name of the model", "by name of the model, backwards"),
    Sort("run", "by number of the run", "by number of the run, backwards"),
    Sort("random", "at random"),
)
SORTS: dict[str, Sort] = {each.name: each for each in _ALL}
CYCLE = ("stored", "unread", "unsafe", "score", "messages", "random")
"""What one key goes through; the others are named."""
_TYPED = r'(?P<by>[a-z]+)(?:\.(?P<key>"(?:[^"]|"")+"|\S+))?(?:\s+(?P<seed>\d{1,9}))?(?:\s+(?P<way>up|down))?'


class Order(NamedTuple):
    """A sort, its way, and a grouping on top of it."""

    by: str = "stored"
    key: str = ""
    """The scorer; empty for the first there is."""
    seed: int = 1
    turned: bool = False
    group: Group = ""

    @property
    def down(self) -> bool:
        """True if the largest comes first."""
        return SORTS[self.by].down != self.turned

    @property
    def sorted(self) -> bool:
        """True if this is not the usual order of the store (or of a named queue)."""
        return self.by != "stored"

    @property
    def typed(self) -> str:
        """The sort as it is typed behind `:sort`."""
        key = f".{bare_key(self.key)}" if self.key else ""
        way = f" {'down' if self.down else 'up'}" if self.turned else ""
        return f"{self.by}{key}{f' {self.seed}' if self.by == 'random' else ''}{way}"

    @property
    def words(self) -> str:
        """Say in words what comes first."""
        sort = SORTS[self.by]
        if self.by == "random":
            return f"{sort.usual}, seed {self.seed}: the same for everybody"
        said = sort.turned if self.turned else sort.usual
        return f"{said} ({self.key})" if self.key else said

    @property
    def title(self) -> str:
        """The sort and the grouping in a few letters; empty for the usual order."""
        sort = SORTS[self.by]
        arrow = "" if not sort.turned else f" {glyph('down' if self.down else 'up')}"
        shown = self.typed.removesuffix(" up").removesuffix(" down")
        return " · ".join(
            filter(None, (f"{shown}{arrow}" if self.sorted else "", f"by {self.group}" * bool(self.group)))
        )

    def next(self, scored: bool = True) -> Order:
        """The order that comes after this one; scores are passed over where there are none."""
        ways = [each for each in CYCLE if scored or each != "score"]
        at = ways.index(self.by) + 1 if self.by in ways else 0
        return Order(ways[at % len(ways)], seed=self.seed, group=self.group)

    def regrouped(self) -> Order:
        """The grouping that comes after this one: case, model, nothing."""
        at = GROUPS.index(self.group) + 1 if self.group in GROUPS[:2] else 0
        return self._replace(group=GROUPS[at])


AS_STORED = Order()


def parse_order(text: str, now: Order = AS_STORED) -> Order:
    """Parse what was typed after `:sort`; the grouping stays, and so does the seed unless another is given."""
    match = re.fullmatch(_TYPED, text.strip(), re.IGNORECASE)
    by = match["by"].lower() if match else ""
    if match is None or by not in SORTS:
        raise QueryError(f"There is no order “{text.strip()}”.", f"There are: {', '.join(SORTS)}.")
    if match["key"] and by != "score":
        raise QueryError(f"{by} takes no name behind a dot.", "As in: sort score.reward, sort messages up.")
    if match["seed"] and by != "random":
        raise QueryError(f"{by} takes no number.", "A seed belongs to: sort random 7.")
    sort, key = SORTS[by], match["key"] or ""
    if key.startswith('"'):
        key = key[1:-1].replace('""', '"')
    way = (match["way"] or "").lower()
    if way and not sort.turned:
        raise QueryError(f"{by} has only one way.", "Leave out up and down.")
    turned = bool(way) and (way == "down") != sort.down
    return Order(by, key, int(match["seed"] or now.seed), turned, now.group)


def complete_order(typed: str, scorers: list[str]) -> list[str]:
    """The completions of what is typed after `:sort`: names of sorts, scorers, a direction."""
    word, blank, way = typed.partition(" ")
    if blank:
        name = word.partition(".")[0].lower()
        ways = ["up", "down"] if name in SORTS and SORTS[name].turned else []
        return [f"{word} {each}" for each in ways if each.startswith(way.lower())]
    named = [*SORTS, *(f"score.{bare_key(each)}" for each in scorers)]
    return [each for each in named if each.lower().startswith(word.lower())]
