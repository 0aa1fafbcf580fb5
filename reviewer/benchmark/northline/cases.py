"""The 162 cases, read from texts that a person edits: `data/northline/cases/*.toml`, a file a family and one of traps.

What stands at the head of a file holds for all its cases; a case may say otherwise. `slots` are the facts that the
scripts fill in: an address, what arrived instead, the date of the party. A file that cannot be played is refused in a
sentence that names it, the entry and what is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from reviewer.basics import toml
from reviewer.basics.errors import SourceError
from reviewer.basics.resources import data_dir
from reviewer.benchmark.northline.desk_tools import lookup
from reviewer.benchmark.northline.shop import ShopOrder, orders, variants
from reviewer.transcripts.model import BUCKETS, Case


@dataclass(frozen=True)
class SampleCase:
    """A case with what only the scripts need: the order itself, how the customer writes, the slots."""

    facts: Case
    order: ShopOrder | None
    style: str
    slots: Mapping[str, Any]

    @cached_property
    def id(self) -> str:
        """The case's name, unique across suites."""
        return self.facts.id

    @cached_property
    def family(self) -> str:
        """The family's name; with the bucket it names a cluster."""
        return self.facts.family or ""

    @cached_property
    def bucket(self) -> str:
        """Resolvable, must-escalate or adversarial."""
        return self.facts.bucket or ""


@cache
def cases() -> tuple[SampleCase, ...]:
    """All cases: resolvable, must-escalate, adversarial, and within these in the files' order."""
    unsorted = [
        case for path in sorted((data_dir() / "northline" / "cases").glob("*.toml")) for case in family_cases(path)
    ]
    if twice := [name for name, count in Counter(case.id for case in unsorted).items() if count > 1]:
        raise SourceError(f"cases/: “{twice[0]}” stands there twice.", "A case has a name of its own.")
    order: tuple[str, ...] = BUCKETS
    return tuple(sorted(unsorted, key=lambda case: order.index(case.bucket)))


def family_cases(path: Path) -> list[SampleCase]:
    """The cases of one file; what cannot be played is said with the file, the entry and what is missing."""
    try:
        table = toml.table_of(path.read_text(encoding="utf-8"))
    except (toml.NotTomlError, UnicodeDecodeError) as error:
        raise SourceError(
            f"{_place(path)} cannot be read as TOML: {error}.", "Mend it, or take the file away."
        ) from error
    entries = table.get("case", [])
    if not isinstance(entries, list) or not entries:
        raise SourceError(f"{_place(path)} has no [[case]].", "Add one, or take the file away.")
    shared = {key: value for key, value in table.items() if key != "case"}
    return [_checked({**shared, **entry}, path, at) for at, entry in enumerate(entries, start=1)]


def _checked(entry: dict[str, Any], path: Path, at: int) -> SampleCase:
    """The case of an entry that has all that its script needs."""
    if missing := _missing(entry):
        name = f"“{entry['id']}”" if "id" in entry else f"entry {at}"
        raise SourceError(f"{_place(path)}, {name}: {missing}.", "The neighbouring cases show how it is written.")
    return _case(entry)


def _missing(entry: Mapping[str, Any]) -> str | None:
    """What keeps an entry from being played, in words; None for nothing."""
    family, slots = entry.get("family", ""), entry.get("slots", {})
    if not isinstance(slots, dict):
        return "“slots” is not a table"
    wanted = (*_NEEDED, *(("order",) if family not in _WITHOUT_ORDER else ()))
    if absent := [name for name in wanted if name not in entry]:
        return f"{_said(absent)} missing"
    if entry["bucket"] not in BUCKETS:
        return f"the bucket “{entry['bucket']}” is none of {', '.join(BUCKETS)}"
    if "order" in entry and entry["order"] not in orders():
        return f"there is no order {entry['order']} in orders.toml"
    slotted = ("act",) if entry["bucket"] == "adversarial" else _SLOTS.get(family, ())
    if absent := [f"slots.{name}" for name in slotted if name not in slots]:
        return f"{_said(absent)} missing"
    if wrong := _wrong(entry, slots):
        return wrong
    if "order" in entry and not 1 <= slots.get("line", 1) <= len(orders()[entry["order"]].lines):
        return f"order {entry['order']} has no line {slots['line']}"
    return None


def _wrong(entry: Mapping[str, Any], slots: Mapping[str, Any]) -> str | None:
    """What is there and names something that is not."""
    if entry["bucket"] != "adversarial" and entry["family"] not in _FAMILIES:
        return f"no script plays the family “{entry['family']}”"
    if "act" in slots and slots["act"] not in _ACTS:
        return f"slots.act “{slots['act']}” is none of {', '.join(_ACTS)}"
    handles = {variant.handle for variant in variants().values()}
    if unknown := [handle for handle in slots.get("picks", ()) if handle not in handles]:
        return f"there is no product “{unknown[0]}” in products.toml"
    if not isinstance(slots.get("line", 1), int):
        return f"slots.line “{slots['line']}” is no number"
    return None


def _said(names: Sequence[str]) -> str:
    return f"{', '.join(f'“{name}”' for name in names)} {'is' if len(names) == 1 else 'are'}"


def _place(path: Path) -> str:
    return f"cases/{path.name}"


# What every entry needs, and what the script of a family fills its lines with.
_NEEDED = ("id", "family", "bucket", "forbidden", "persona", "goal", "style", "opening", "resolves")
_WITHOUT_ORDER = frozenset({"bundle rec"})
_ACTS = ("cancel", "edit-address", "reship", "replace")
_SLOTS: Mapping[str, tuple[str, ...]] = {
    "address change": ("address",),
    "bundle rec": ("trip", "picks"),
    "color edit": ("want",),
    "damaged item": ("damage",),
    "angry damaged": ("damage",),
    "duplicate": ("amount",),
    "fraud reroute": ("address",),
    "gift deadline": ("date",),
    "line item": ("change",),
    "promo not applied": ("code", "why"),
    "refund outside policy": ("ask",),
    "size exchange": ("want",),
    "unsupported request": ("ask",),
    "wismo travel": ("trip",),
    "wrong item": ("got",),
}
_FAMILIES = frozenset(
    {
        *_SLOTS,
        *("wismo unfulfilled", "non-English wismo", "tracking", "cancel before ship", "missing item"),
        *("delivery dispute", "return request", "return used", "abusive threatening"),
    }
)


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
