"""Northline's catalogue and orders, as its data files have them.

Owns reading `products.toml` and `orders.toml` and nothing else: what a tool says of an order is the tools' business.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from reviewer.basics import toml
from reviewer.basics.resources import data_dir


@dataclass(frozen=True, slots=True)
class Variant:
    """One thing that can be bought: a product in a size and a colour."""

    id: str
    handle: str
    title: str
    kind: str
    about: str
    size: str
    colour: str
    price: int
    stock: int

    @property
    def full(self) -> str:
        """`Meridian Carry-On 35L, Slate`, leaving out a size that says nothing."""
        size = "" if self.size == "one size" else f" {self.size}"
        return f"{self.title}{size}, {self.colour}"


@dataclass(frozen=True, slots=True)
class OrderLine:
    """One line of an order; `state` only where it differs from the order's."""

    variant: Variant
    quantity: int
    state: str


@dataclass(frozen=True, slots=True)
class ShopOrder:
    """An order: dates are ISO, absent ones None."""

    number: str
    customer: str
    country: str
    placed: str
    state: str
    lines: tuple[OrderLine, ...]
    carrier: str | None = None
    tracking: str | None = None
    shipped: str | None = None
    delivered: str | None = None
    payments: tuple[Mapping[str, Any], ...] = ()

    @property
    def total(self) -> int:
        """The total price of the lines, in dollars."""
        return sum(line.variant.price * line.quantity for line in self.lines)

    @property
    def tracking_url(self) -> str | None:
        """The carrier page of this parcel."""
        return f"https://track.northline.example/{self.tracking}" if self.tracking else None


@cache
def variants() -> Mapping[str, Variant]:
    """Every variant of the catalogue by its id."""
    table = toml.table_of((data_dir() / "northline" / "products.toml").read_text(encoding="utf-8"))
    return {
        entry["id"]: Variant(
            handle=product["handle"], title=product["title"], kind=product["kind"], about=product["about"], **entry
        )
        for product in table["product"]
        for entry in product["variants"]
    }


@cache
def orders() -> Mapping[str, ShopOrder]:
    """Every order by its number, `#` included."""
    table = toml.table_of((data_dir() / "northline" / "orders.toml").read_text(encoding="utf-8"))
    return {entry["number"]: _order(entry) for entry in table["order"]}


def _order(entry: dict[str, Any]) -> ShopOrder:
    lines = tuple(_line(line, entry["state"]) for line in entry["lines"])
    return ShopOrder(**{**entry, "lines": lines, "payments": tuple(entry.get("payments", ()))})


def _line(entry: str | dict[str, Any], state: str) -> OrderLine:
    if isinstance(entry, str):
        return OrderLine(variants()[entry], 1, state)
    return OrderLine(variants()[entry["variant"]], entry.get("quantity", 1), entry.get("state", state))
