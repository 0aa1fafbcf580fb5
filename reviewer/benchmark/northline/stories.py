"""What each case is about, in words: read from `data/northline/lines/stories/*.toml`, a file a family.

A story gives a case the words that its conversations are made of: what the thing is called, what the customer wants,
what an agent says on hearing it, side questions nobody else would ask, and arguments with the answer to each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from reviewer.basics.errors import SourceError
from reviewer.benchmark.northline.cases import SampleCase, cases
from reviewer.benchmark.northline.lines import Topic, folder, table

# In which situation a family's own side questions fit; the others' fit while their order is as it was.
AFTER = {
    "address change": "edited",
    "cancel before ship": "cancelled",
    "missing item": "resent",
    "delivery dispute": "resent",
    "wrong item": "replaced",
    "damaged item": "replaced",
    "angry damaged": "replaced",
}
UNCHANGED = frozenset({"unfulfilled", "transit", "delivered", "partial", "recommend", "promo", "charge", "returning"})
PLURAL = ("cubes", "straps")
_WORDS = ("thing", "brief", "wants")


@dataclass(frozen=True, slots=True)
class Story:
    """One case's words: slots for its lines, its own side questions, how many arguments it has, what it never asks."""

    words: Mapping[str, str]
    asides: tuple[Topic, ...]
    pushes: int
    never: frozenset[str]
    """Topics that would make no sense in this story."""


@cache
def stories() -> Mapping[str, Story]:
    """Every case's story by the case's name; a case without one is named in an error."""
    tables = {
        name: (path, entry)
        for path in sorted((folder() / "stories").glob("*.toml"))
        for name, entry in table(path).items()
    }
    told = {}
    for case in cases():
        if case.id not in tables:
            raise SourceError(f"lines/stories: no file has a story of “{case.id}”.", "Add one, as its neighbours have.")
        path, entry = tables[case.id]
        if missing := next((word for word in ("brief", "wants", "heard", "wish") if word not in entry), None):
            raise SourceError(f"{path.relative_to(folder().parent)}, “{case.id}”: “{missing}” is missing.")
        told[case.id] = _story(case, entry)
    return told


def _story(case: SampleCase, entry: Mapping[str, Any]) -> Story:
    kind = case.order.lines[case.slots.get("line", 1) - 1].variant.kind if case.order else "item"
    thing = entry.get("thing", kind)
    when = frozenset({AFTER[case.family]}) if case.family in AFTER else UNCHANGED
    asides = tuple(Topic(f"stories.{case.id}.aside.{n}", when) for n, _ in enumerate(entry.get("aside", ()), start=1))
    words = {name: entry[name] for name in _WORDS if name in entry}
    if case.order or "thing" in entry:
        words |= {"thing": thing, **_number(thing), **_article(thing)}
    return Story(words, asides, len(entry.get("push", ())), frozenset(entry.get("never", ())))


def _article(thing: str) -> dict[str, str]:
    """One of the things, and a new one, as they are spoken of for the first time."""
    if thing.endswith(PLURAL):
        return {"one": thing, "new_one": f"new {thing}"}
    return {"one": f"a{'n' if thing[0] in 'aeiou' else ''} {thing}", "new_one": f"a new {thing}"}


def _number(thing: str) -> dict[str, str]:
    """Words that go with one thing, or with several."""
    if thing.endswith(PLURAL):
        return {"is": "are", "was": "were", "has": "have", "it": "they", "them": "them", "its": "their"}
    return {"is": "is", "was": "was", "has": "has", "it": "it", "them": "it", "its": "its"}
