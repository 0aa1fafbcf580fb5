"""How many calls a programme takes and about what they cost, before one is made. Pure.

What a conversation takes is what the sample's own take, counted once: an estimate to decide by, not a bill.
"""

from __future__ import annotations

from typing import NamedTuple

from reviewer.model import Usage
from reviewer.prices import PriceList
from reviewer.run.programme import Programme

AGENT = Usage(12_000, 250)
"""Tokens of the agent in a conversation: some six calls, each of which reads the policy and all before it."""
CUSTOMER = Usage(2_000, 160)
"""Tokens of the simulated customer: some four answers."""
JUDGE = Usage(4_500, 300)
"""Tokens of a judge: three questions, each with the policy and the conversation."""
CALLS = {"agent": 6, "customer": 4, "judge": 3}


class Share(NamedTuple):
    """What one model does in one role: its calls, and what they cost where it has a price."""

    role: str
    model: str
    calls: int
    cost: float | None


def estimated(plan: Programme, prices: PriceList) -> list[Share]:
    """What is still to be done, by role and model, in the order in which people ask: agents, customers, judges."""
    totals: dict[tuple[str, str], int] = {}
    for leg in plan.legs:
        asked = [("agent", leg.model), ("customer", plan.wanted.customer_of(leg.model))]
        asked += [("judge", model) for model in plan.wanted.judges]
        for key in asked:
            totals[key] = totals.get(key, 0) + len(leg.cases)
    shares = [_share(role, model, n, prices) for (role, model), n in totals.items() if n]
    return sorted(shares, key=lambda share: tuple(CALLS).index(share.role))


def _share(role: str, model: str, conversations: int, prices: PriceList) -> Share:
    usage = {"agent": AGENT, "customer": CUSTOMER, "judge": JUDGE}[role]
    price = prices.of(model)
    cost = price.cost(usage) if price else None
    return Share(role, model, CALLS[role] * conversations, None if cost is None else cost * conversations)
