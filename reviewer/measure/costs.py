"""What 1,000 conversations of a model cost, from the agent's own tokens: no simulated customer's, no judge's. Pure.

What a source told is taken as it told it. Where it told only tokens, they are reckoned by a list of prices; a model
without a price is said to have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reviewer.model import Usage
from reviewer.prices import PriceList
from reviewer.store.tallies import CostRow
from reviewer.text.clean import printable_line


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


def model_costs(rows: Iterable[CostRow], prices: PriceList) -> list[ModelCost]:
    """The cost of every model that has at least told its tokens."""
    return [_cost(row, prices) for row in rows if row.told or row.with_tokens]


def _cost(row: CostRow, prices: PriceList) -> ModelCost:
    price = prices.of(row.model)
    total, reckoned = row.cost, 0
    if price is not None and row.with_tokens:
        reckoned = row.with_tokens
        total += price.cost(Usage(row.tokens_in, row.tokens_out, None, row.tokens_cached)) or 0.0
    known = row.told + reckoned
    each = total / known * 1000 if known else None
    tier = None if each is None else prices.tier(each)
    return ModelCost(row.model, each, tier, row.told, reckoned, row.conversations - known)


def cost_lines(costs: Iterable[ModelCost], prices: PriceList) -> Iterator[str]:
    """The costs as lines below a board; none where no model's is known."""
    told = list(costs)
    if not any(each.per_thousand is not None for each in told):
        return
    yield "Cost of 1,000 conversations, from the agent's own tokens, hidden reasoning included"
    width = max(len(printable_line(each.model)) for each in told)
    for each in told:
        name = f"  {printable_line(each.model):<{width}}"
        if each.per_thousand is None:
            yield f"{name}  unknown: it has no price"
            continue
        of = [f"{each.told:,} told by the source"] if each.told else []
        of += [f"{each.reckoned:,} reckoned from tokens"] if each.reckoned else []
        of += [f"{each.unknown:,} unknown"] if each.unknown else []
        yield f"{name}  ${each.per_thousand:,.2f}  {each.tier}  ({', '.join(of)})"
    cuts = ", ".join(f"{name} below ${most:g}" for name, most in prices.tiers.items())
    yield f"  Tiers: {cuts}, flagship above. Prices of {prices.as_of}."
