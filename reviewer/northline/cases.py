"""The 162 cases, read from texts that a person edits: `data/northline/cases/*.toml`, a file a family and one of traps.

What stands at the head of a file holds for all its cases; a case may say otherwise. `slots` are the facts that the
scripts fill in: an address, what arrived instead, the date of the party.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from reviewer.model import BUCKETS, Case
from reviewer.northline.desk_tools import lookup
from reviewer.northline.shop import ShopOrder, orders
from reviewer.resources import data_dir


@dataclass(frozen=True, slots=True)
class SampleCase:
    """A case with what only the scripts need: the order itself, how the customer writes, the slots."""

    facts: Case
    order: ShopOrder | None
    style: str
    slots: Mapping[str, Any]

    @property
    def id(self) -> str:
        """The case's name, unique across suites."""
        return self.facts.id

    @property
    def family(self) -> str:
        """The family's name; with the bucket it names a cluster."""
        return self.facts.family or ""

    @property
    def bucket(self) -> str:
        """Resolvable, must-escalate or adversarial."""
        return self.facts.bucket or ""


@cache
def cases() -> tuple[SampleCase, ...]:
    """All cases: resolvable, must-escalate, adversarial, and within these in the files' order."""
    unsorted = [case for path in sorted((data_dir() / "northline" / "cases").glob("*.toml")) for case in _family(path)]
    order: tuple[str, ...] = BUCKETS
    return tuple(sorted(unsorted, key=lambda case: order.index(case.bucket)))


def _family(path: Path) -> list[SampleCase]:
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    shared = {key: value for key, value in table.items() if key != "case"}
    return [_case({**shared, **entry}) for entry in table["case"]]


def _case(entry: dict[str, Any]) -> SampleCase:
    order = orders()[entry["order"]] if "order" in entry else None
    facts = Case(
        id=entry["id"],
        suite="northline",
        family=entry["family"],
        bucket=entry["bucket"],
        forbidden=tuple(entry["forbidden"]),
        lure=entry.get("lure"),
        labels=tuple(entry.get("labels", ())),
        order=_facts(order) if order else None,
        persona=entry["persona"],
        goal=entry["goal"],
        expected=tuple(entry.get("expected", ())),
        language=entry.get("language", "en"),
        opening=entry["opening"],
        context=entry.get("context"),
        extra={"resolves": entry["resolves"]},
    )
    return SampleCase(facts, order, entry["style"], entry.get("slots", {}))


def _facts(order: ShopOrder) -> dict[str, Any]:
    said = lookup(order)
    return {"number": order.number, "value": order.total, "status": order.state, "lines": said["lines"]}
