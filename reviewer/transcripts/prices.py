"""What models cost: `data/prices.toml`, or a file of the user's in its form, and what tokens come to by it.

A model without a line has no price, and whoever asks is told so; nothing is guessed. Pure but for reading the file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from reviewer.basics import toml
from reviewer.basics.errors import SourceError
from reviewer.basics.resources import data_dir
from reviewer.basics.values import dataclass
from reviewer.transcripts.model import Usage

_MILLION = 1_000_000
_PLAIN = {"as_of", "currency", "tiers"}
_DEAREST = "flagship"
"""The tier of whatever costs more than the last cut-off."""
_NEEDED, _MORE = ("in", "out"), ("cached", "written")
_DATED = re.compile(r"(?:[-@](?:20\d{6}|20\d\d-\d\d-\d\d)|-latest|:[a-z]+)$")
"""What a provider adds to a name without changing the price: a date, `-latest`, `:free` aside."""


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars a million tokens: read, written, read from a cache, written to one."""

    read: float
    written: float
    cached: float
    cache_written: float
    source: str

    @property
    def rates(self) -> tuple[float, float, float]:
        """Dollars a token: read, read from a cache, written."""
        return self.read / _MILLION, self.cached / _MILLION, self.written / _MILLION

    def cost(self, usage: Usage, cache_written: int = 0) -> float | None:
        """Dollars for these tokens; None where neither those read nor those written are told."""
        if usage.tokens_in is None and usage.tokens_out is None:
            return None
        cached = min(usage.tokens_cached or 0, usage.tokens_in or 0)
        fresh = max((usage.tokens_in or 0) - cached - cache_written, 0)
        spent = fresh * self.read + cached * self.cached + cache_written * self.cache_written
        return (spent + (usage.tokens_out or 0) * self.written) / _MILLION


@dataclass(frozen=True, slots=True)
class PriceList:
    """Prices by model, of a certain date."""

    name: str
    """What its file is called."""
    as_of: str
    prices: Mapping[str, Price]
    tiers: Mapping[str, float]
    """Where each ends, in dollars for 1,000 conversations, the cheapest first; above the last is one more."""

    def of(self, model: str) -> Price | None:
        """The price of a model, by its whole name or what stands behind its provider's; None where there is none.

        What stands behind a `+` says in which configuration it ran, and is no part of what the provider sells.
        """
        name = model.lower().partition("+")[0]
        while True:
            for each in (name, _DATED.sub("", name)):
                if each in self.prices:
                    return self.prices[each]
            _, slash, name = name.partition("/")
            if not slash:
                return None

    def tier(self, per_thousand: float) -> str:
        """The tier of what 1,000 conversations cost."""
        return next((name for name, most in self.tiers.items() if per_thousand < most), _DEAREST)

    @property
    def tier_names(self) -> tuple[str, ...]:
        """The tiers, the cheapest first."""
        return (*self.tiers, _DEAREST)

    @property
    def cut_offs(self) -> str:
        """The tiers in words: where each ends, and of when the prices are."""
        cuts = ", ".join(f"{name} below ${most:,g}" for name, most in self.tiers.items())
        return f"{cuts}, {_DEAREST} above; prices of {self.as_of}"


def price_list(path: Path | None = None) -> PriceList:
    """The shipped prices, or those of a file."""
    return _read(path or data_dir() / "prices.toml", path is None)


@cache
def _read(path: Path, shipped: bool) -> PriceList:
    where = path.name if shipped else str(path)
    try:
        table = toml.table_of(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SourceError(
            f"{where} cannot be read: {error.strerror}.", "Name a file in the form of prices.toml."
        ) from None
    except (toml.NotTomlError, UnicodeDecodeError) as error:
        raise SourceError(f"{where} cannot be read as TOML: {error}.", "Mend it.") from None
    tiers = _tiers(table, where) if "tiers" in table or shipped else price_list().tiers
    prices: dict[str, Price] = {}
    for name, group in table.items():
        if name in _PLAIN:
            continue
        models = group.get("models") if isinstance(group, dict) else None
        if not isinstance(models, dict):
            raise SourceError(f"{where}: “{name}” has no table of models.", f"Write [{name}.models] above them.")
        prices |= {
            model.lower(): _price(told, where, model, str(group.get("source", ""))) for model, told in models.items()
        }
    return PriceList(path.name, str(table.get("as_of", "no date given")), prices, tiers)


def _tiers(table: Mapping[str, Any], where: str) -> dict[str, float]:
    """The tiers of a file, the cheapest first."""
    ends = _numbers(table.get("tiers"), where, "tiers")
    return dict(sorted(ends.items(), key=lambda tier: tier[1]))


def _price(told: Any, where: str, model: str, source: str) -> Price:
    numbers = _numbers(told, where, model)
    if absent := [name for name in _NEEDED if name not in numbers]:
        raise SourceError(f"{where}: “{model}” has no `{absent[0]}`.", 'Write it as: "NAME" = { in = 1.25, out = 10 }.')
    if extra := sorted(numbers.keys() - {*_NEEDED, *_MORE}):
        raise SourceError(f"{where}: “{model}” has `{extra[0]}`, which means nothing.", "in, out, cached, written.")
    read = numbers["in"]
    return Price(read, numbers["out"], numbers.get("cached", read), numbers.get("written", read), source)


def _numbers(told: Any, where: str, name: str) -> dict[str, float]:
    held = told if isinstance(told, dict) else {}
    wrong = [key for key, value in held.items() if isinstance(value, bool) or not isinstance(value, int | float)]
    if not isinstance(told, dict) or wrong or any(value < 0 for value in held.values()):
        raise SourceError(f"{where}: “{name}” is no table of prices.", "Prices are numbers from 0 on.")
    return {key: float(value) for key, value in held.items()}
