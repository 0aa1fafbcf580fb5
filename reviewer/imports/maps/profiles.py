"""What the columns of a table look like: how often they say something, how many different, times, numbers, lists.

Looks at values only as far as a guess needs; nested JSON is looked into, JSON in a string too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from reviewer.imports.maps import cell_values
from reviewer.imports.maps.column_names import squashed
from reviewer.imports.maps.paths import pointer
from reviewer.imports.source import unfolded

_DEEP = 3
_DIFFERENT = 2_000
_COLUMNS = 300
_MESSAGES = 2_000
_SHORT = 20
_SAMPLES = 20
_SAMPLED = 20_000


@dataclass
class Profile:
    """One column, or one place within it."""

    path: str
    said: int = 0
    """Rows in which it says something."""
    length: int = 0
    """Characters of all its texts."""
    times: int = 0
    numbers: int = 0
    json: int = 0
    marked_up: int = 0
    words: Counter[str] = field(default_factory=Counter)
    samples: list[str] = field(default_factory=list)
    """Some of its longer texts."""

    @property
    def word(self) -> str:
        """The last part of the path as names are compared."""
        return squashed(self.path.rpartition(".")[2])

    @property
    def name(self) -> str:
        """The last part of the path, in small letters."""
        return self.path.rpartition(".")[2].lower()

    @property
    def mean(self) -> float:
        """Characters of a text, on average."""
        return self.length / self.said if self.said else 0.0

    def mostly(self, n: int) -> bool:
        """True if this count is nearly all of the values."""
        return bool(self.said) and n >= 0.9 * self.said

    def take(self, value: Any) -> None:
        """Take one more value into account."""
        text = cell_values.words_of(value)
        if text is None:
            return
        self.said += 1
        self.length += len(text)
        self.times += cell_values.is_time(value)
        self.numbers += cell_values.number_in(value) is not None or isinstance(value, bool)
        self.marked_up += any(tag in text for tag in ("</", "<br", "<p>", "<div"))
        if len(text) > _SHORT and len(self.samples) < _SAMPLES:
            self.samples.append(text[:_SAMPLED])
        if len(self.words) < _DIFFERENT or text[:80] in self.words:
            self.words[text[:80]] += 1


@dataclass
class Profiles:
    """All the columns of some rows."""

    rows: int = 0
    columns: dict[str, Profile] = field(default_factory=dict)
    lists: dict[str, list[Any]] = field(default_factory=dict)
    """Places that hold lists of objects, with the objects."""
    objects: dict[str, Profile] = field(default_factory=dict)
    """Places that hold an object, which the columns name part by part."""
    unnamed: set[str] = field(default_factory=set)
    """Columns whose names no map can write."""

    def but(self, table: str) -> Profiles:
        """The profiles without the columns of a joined table."""
        own = {path: it for path, it in self.columns.items() if not path.startswith(f"{table}.")}
        return Profiles(self.rows, own, self.lists, self.objects, self.unnamed)

    def take(self, row: Mapping[str, Any]) -> None:
        """Take one more row into account."""
        self.rows += 1
        self._take(row, "", 0)

    def _take(self, value: Mapping[str, Any], before: str, deep: int) -> None:
        for key, held in value.items():
            path = _spelled(f"{before}{key}")
            if path is None or (deep and not str(key).replace("_", "").replace("-", "").isalnum()):
                self.unnamed.add(str(key)[:80])
                continue
            inner = unfolded(held.strip()) if isinstance(held, str) and held[:1] in "{[ " else held
            if isinstance(inner, Mapping):
                self.objects.setdefault(path, Profile(path)).take(held)
            if isinstance(inner, Mapping) and deep < _DEEP:
                self._take(inner, f"{before}{key}.", deep + 1)
            elif isinstance(inner, list) and any(isinstance(each, Mapping) for each in inner):
                listed = self.lists.setdefault(path, [])
                listed += [each for each in inner if isinstance(each, Mapping)][: max(0, _MESSAGES - len(listed))]
            if not isinstance(inner, Mapping) and (len(self.columns) < _COLUMNS or path in self.columns):
                profile = self.columns.setdefault(path, Profile(path))
                profile.take(held)
                profile.json += isinstance(inner, list)


def profiled(rows: Iterable[Mapping[str, Any]]) -> Profiles:
    """The columns of these rows."""
    profiles = Profiles()
    for row in rows:
        profiles.take(row)
    return profiles


def _spelled(name: str) -> str | None:
    """Return a column's name as a map writes it; None when a map cannot."""
    if name.startswith("="):
        return None
    said = f"{name}?" if name.endswith("?") else name
    place = pointer(said)
    return said if place is not None and place.name == name else None
