"""What 1,000 conversations of a model cost, from the agent's own tokens: no simulated customer's, no judge's. Pure.

What a source told is taken as it told it, but for a model of which it says nothing but 0: that is what harnesses write
of what they cannot price. Where a source told only tokens, they are reckoned by a list of prices; a model without a price
is said to have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from textwrap import wrap

from reviewer.model import Usage
from reviewer.prices import PriceList
from reviewer.store.tallies import CostRow
from reviewer.text.clean import printable_line

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


def model_costs(rows: Iterable[CostRow], prices: PriceList) -> list[ModelCost]:
    """The cost of every model that has at least told its tokens."""
    return [_cost(row, prices) for row in rows if row.told or row.with_tokens]


def _cost(row: CostRow, prices: PriceList) -> ModelCost:
    price = prices.of(row.model)
    total, told, reckoned = row.cost, row.told if row.cost else 0, 0
    if price is not None and row.with_tokens:
        reckoned = row.with_tokens
        total += price.cost(Usage(row.tokens_in, row.tokens_out, None, row.tokens_cached)) or 0.0
    known = told + reckoned
    each = total / known * 1000 if known else None
    tier = None if each is None else prices.tier(each)
    return ModelCost(row.model, each, tier, told, reckoned, row.conversations - known, row.with_tokens - reckoned)


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
