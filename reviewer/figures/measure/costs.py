"""What 1,000 conversations of a model cost, from the agent's own tokens: no simulated customer's, no judge's. Pure.

What a source told is taken as it told it, but for a model of which it says nothing but 0: that is what harnesses write
of what they cannot price. Where a source told only tokens, they are reckoned by a list of prices; a model without a
price is said to have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from textwrap import wrap

from reviewer.basics.clean import printable_line
from reviewer.transcripts.model import Usage
from reviewer.transcripts.prices import PriceList
from reviewer.transcripts.store.tallies import CostRow, RoleSum

_WIDTH = 100
_NAMED = 8
"""Models without a price that a sentence names; the others are counted."""


@dataclass(frozen=True, slots=True)
class ModelCost:
    """The cost of one model: dollars for 1,000 conversations, and of how many that speaks."""

    model: str
    per_thousand: float | None
    """None where it is not known of a single conversation."""
    tier: str | None
    told: int
    """Conversations whose source told the cost."""
    reckoned: int
    """Conversations whose tokens were reckoned by the list."""
    unknown: int
    """Conversations of which neither is known."""
    unpriced: int = 0
    """Those of them that told their tokens: the list has no price for the model."""


@dataclass(frozen=True, slots=True)
class RoleCost:
    """What a role beside the agent's cost: dollars for 1,000 conversations, and of how many that speaks."""

    role: str
    model: str | None
    per_thousand: float
    of: int


def model_costs(rows: Iterable[CostRow], prices: PriceList) -> list[ModelCost]:
    """The cost of every model that has at least told its tokens."""
    return [_cost(own, prices) for own in _by_model(rows) if any(row.told or row.with_tokens for row in own)]


def run_costs(rows: Iterable[CostRow], prices: PriceList) -> dict[int, tuple[float, int]]:
    """What is known of each run in the store: dollars, and of how many conversations they are."""
    return {row.run: _known(row, prices, own)[:2] for own in _by_model(rows) for row in own}


def role_costs(sums: Iterable[RoleSum], prices: PriceList) -> list[RoleCost]:
    """What each role beside the agent cost, as far as that is known."""
    known = [_of_role(each, prices) for each in sums]
    return [each for each in known if each is not None]


def _of_role(each: RoleSum, prices: PriceList) -> RoleCost | None:
    price = prices.of(each.model) if each.with_tokens and each.model else None
    total, counted = each.cost, each.told if each.cost else 0
    if price is not None:
        usage = Usage(each.tokens_in, each.tokens_out, None, each.tokens_cached)
        total += price.cost(usage, each.tokens_written) or 0.0
        counted += each.with_tokens
    return RoleCost(each.role, each.model, total / counted * 1000, counted) if counted else None


def _by_model(rows: Iterable[CostRow]) -> list[list[CostRow]]:
    return [list(own) for _, own in groupby(rows, key=lambda row: row.model)]


def _cost(own: list[CostRow], prices: PriceList) -> ModelCost:
    known = [_known(row, prices, own) for row in own]
    total, counted, reckoned = (sum(column) for column in zip(*known, strict=True))
    whole, tokens = sum(row.conversations for row in own), sum(row.with_tokens for row in own)
    each = total / counted * 1000 if counted else None
    tier = None if each is None else prices.tier(each)
    told = int(counted - reckoned)
    return ModelCost(own[0].model, each, tier, told, int(reckoned), int(whole - counted), int(tokens - reckoned))


def _known(row: CostRow, prices: PriceList, own: list[CostRow]) -> tuple[float, int, int]:
    """Dollars of a run, of how many conversations they are, and of how many of them by their tokens."""
    price = prices.of(row.model) if row.with_tokens else None
    told = row.told if any(each.cost for each in own) else 0
    if price is None:
        return row.cost, told, 0
    amount = price.cost(Usage(row.tokens_in, row.tokens_out, None, row.tokens_cached)) or 0.0
    return row.cost + amount, told + row.with_tokens, row.with_tokens


def cost_lines(costs: Iterable[ModelCost], prices: PriceList) -> Iterator[str]:
    """The costs as lines below a board; where no model's is known, at most which have no price."""
    told = list(costs)
    if any(each.per_thousand is not None for each in told):
        yield "Cost of 1,000 conversations, from the agent's own tokens, hidden reasoning included"
        width = max(len(printable_line(each.model)) for each in told)
        for each in told:
            yield f"  {printable_line(each.model):<{width}}  {cost_said(each)}"
        yield f"  Tiers: {prices.cut_offs}."
    yield from wrap(lacking(told, prices), _WIDTH, break_on_hyphens=False, break_long_words=False)


def cost_said(each: ModelCost) -> str:
    """What 1,000 conversations cost, which tier that is, and of how many that speaks."""
    if each.per_thousand is None:
        return "unknown: it has no price" if each.unpriced else "unknown: its source says nothing but 0"
    return f"${each.per_thousand:,.2f}  {each.tier}  ({known_of(each)})"


def known_of(each: ModelCost) -> str:
    """Of how many conversations a cost speaks: `3 told by the source, 1 unknown`."""
    of = [f"{each.told:,} told by the source"] if each.told else []
    of += [f"{each.reckoned:,} reckoned from tokens"] if each.reckoned else []
    return ", ".join([*of, f"{each.unknown:,} unknown"] if each.unknown else of)


def lacking(costs: Iterable[ModelCost], prices: PriceList) -> str:
    """A sentence with the models whose tokens are told and have no price in the list; empty where all have one."""
    names = [printable_line(each.model) for each in costs if each.unpriced]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    has = f"{printable_line(prices.name)} has no price for"
    return f"{has} {', '.join(names[:_NAMED])}{more}." if names else ""
