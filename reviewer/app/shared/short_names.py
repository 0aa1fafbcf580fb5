"""Names in fewer cells than they have, no two alike: they are cut in the middle of what they share with others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise

from rich.cells import cell_len, set_cell_size

from reviewer.app.shared.line_widgets import elided, elided_middle
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph, plainly


class ShortNames:
    """Names in so many cells, made printable. Each stays as it was shown first, however many come after it."""

    def __init__(self, width: int, names: Iterable[str] = (), *, plain: bool = False) -> None:
        self._width, self._plain = width, plain
        self._mark = glyph("more", plain)
        self._texts: dict[str, str] = {}
        self._names: dict[str, str] = {}
        """By their texts."""
        self._seed(set(names))

    def shown(self, name: str) -> str:
        """The name in no more cells than there are, unlike any other."""
        if name not in self._texts:
            text = self._cut(name)
            other = self._names.get(text)
            self._take(name, text if other is None else self._apart(name, self._shared(name, other)))
        return self._texts[name]

    def _seed(self, names: set[str]) -> None:
        """Cut these so that each shows where it differs from those it would else be taken for."""
        alike: defaultdict[str, list[str]] = defaultdict(list)
        for name in sorted(names, key=self._printed):
            alike[self._cut(name)].append(name)
        for text, several in alike.items():
            if len(several) == 1:
                self._take(several[0], text)
        for several in alike.values():
            shared = [self._shared(*pair) for pair in pairwise(several)]
            for name, *near in zip(several, [0, *shared], [*shared, 0], strict=True) if shared else ():
                self._take(name, self._apart(name, max(near)))

    def _cut(self, name: str) -> str:
        return elided_middle(self._printed(name), self._width, self._mark)

    def _printed(self, name: str) -> str:
        return plainly(printable_line(name), self._plain)

    def _shared(self, name: str, other: str) -> int:
        """How many characters two names begin with alike."""
        one, two = self._printed(name), self._printed(other)
        return next(
            (at for at, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1]), min(len(one), len(two))
        )

    def _apart(self, name: str, at: int) -> str:
        """The beginning, what stands where the name differs from another, and the end."""
        text, room = self._printed(name), self._width - 2 * len(self._mark)
        head, tail = max(0, room // 4), max(0, room // 4)
        start = max(0, at - 1)
        if cell_len(text[:start]) <= head + len(self._mark):
            head, start = 0, 0
        first = f"{set_cell_size(text[:start], head).rstrip()}{self._mark}" if start else ""
        rest = self._width - cell_len(first)
        if cell_len(text[start:]) <= rest:
            return first + text[start:]
        end = text[len(text) - tail :]
        while cell_len(end) > tail:
            end = end[1:]
        return f"{first}{elided(text[start:], rest - cell_len(end), self._mark)}{end}"

    def _take(self, name: str, text: str) -> None:
        """Keep the text of a name, with a number where another name has that text."""
        number = 1
        unlike = text
        while self._names.setdefault(unlike, name) != name:
            number += 1
            sign = f"{glyph('namesake')}{number}"
            unlike = f"{elided(text, self._width - len(sign), self._mark)}{sign}"
        self._texts[name] = unlike
