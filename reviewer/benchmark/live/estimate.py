"""How many calls a programme takes and about what they cost, before one is made. Pure.

What a conversation takes is what stored ones of the same model took: of the same case, else of any. Where there are
none, it is what the sample's own take, counted once. An estimate to decide by, not a bill.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from reviewer.benchmark.live.programme import Programme
from reviewer.transcripts.model import Usage
from reviewer.transcripts.prices import PriceList
from reviewer.transcripts.store.past_runs import HeldLength

AGENT = Usage(12_000, 250)
"""Tokens of the agent in a conversation: some six calls, each of which reads the policy and all before it."""
CUSTOMER = Usage(2_000, 160)
"""Tokens of the simulated customer: some four answers."""
JUDGE = Usage(4_500, 300)
"""Tokens of a judge: three questions, each with the policy and the conversation."""
CALLS = {"agent": 6, "customer": 4, "judge": 3}

Basis = Literal["case", "model", "sample"]
"""Whose length a conversation is reckoned with: stored ones of its model and case, of its model, the sample's."""


class Share(NamedTuple):
    """What one model does in one role: its calls, and what they cost where it has a price."""

    role: str
    model: str
    calls: int
    cost: float | None


class _Length(NamedTuple):
    calls: float
    usage: Usage


_SAMPLE = {
    role: _Length(CALLS[role], usage) for role, usage in (("agent", AGENT), ("customer", CUSTOMER), ("judge", JUDGE))
}


class StoredLengths:
    """How long stored conversations were, by model and case."""

    def __init__(self, held: Iterable[HeldLength] = ()) -> None:
        rows = list(held)
        self._by_case = {(each.model, each.case): each for each in rows}
        self._by_model = {model: _mean([each for each in rows if each.model == model]) for model, *_ in rows}

    def basis(self, model: str, case: str) -> Basis:
        """Whose length a conversation of this model and case is reckoned with."""
        return "case" if (model, case) in self._by_case else "model" if model in self._by_model else "sample"

    def of(self, model: str, case: str, role: str) -> _Length:
        """What a role takes in a conversation of this model and case."""
        held = self._by_case.get((model, case)) or self._by_model.get(model)
        return (_in_role(held, role) if held is not None else None) or _SAMPLE[role]


def estimated(plan: Programme, prices: PriceList, lengths: StoredLengths | None = None) -> list[Share]:
    """What is still to be done, by role and model, in the order in which people ask: agents, customers, judges."""
    known = lengths or StoredLengths()
    taken: dict[tuple[str, str], list[_Length]] = {}
    for leg in plan.legs:
        asked = [("agent", leg.model), ("customer", plan.wanted.customer_of(leg.model))]
        asked += [("judge", model) for model in plan.wanted.judges]
        for role, model in asked:
            own = [known.of(leg.model, case.id, role) for case in leg.cases]
            taken.setdefault((role, model), []).extend(own)
    shares = [_share(role, model, own, prices) for (role, model), own in taken.items() if own]
    return sorted(shares, key=lambda share: tuple(CALLS).index(share.role))


def bases(plan: Programme, lengths: StoredLengths) -> Counter[Basis]:
    """How many conversations are reckoned with whose length."""
    return Counter(lengths.basis(leg.model, case.id) for leg in plan.legs for case in leg.cases)


def _share(role: str, model: str, own: Sequence[_Length], prices: PriceList) -> Share:
    price = prices.of(model)
    costs = [price.cost(each.usage) or 0.0 for each in own] if price else []
    return Share(role, model, round(sum(each.calls for each in own)), sum(costs) if price else None)


def _in_role(held: HeldLength, role: str) -> _Length | None:
    """What a role took in stored conversations; None where no source says."""
    if role == "agent":
        return _Length(held.calls, _usage(held.tokens_in, held.tokens_out, held.tokens_cached))
    customer = role == "customer"
    read, written = (held.customer_in, held.customer_out) if customer else (held.judge_in, held.judge_out)
    if read is None or written is None:
        return None
    return _Length(held.customer_calls if customer else CALLS[role], _usage(read, written))


def _usage(read: float, written: float, cached: float = 0) -> Usage:
    return Usage(round(read), round(written), None, round(cached))


def _mean(rows: Sequence[HeldLength]) -> HeldLength:
    """The rows as one, each case counting once."""

    def mean(values: Iterable[float | None]) -> float | None:
        told = [value for value in values if value is not None]
        return sum(told) / len(told) if told else None

    told: list[Any] = [mean(column) for column in zip(*(row[3:] for row in rows), strict=True)]
    return HeldLength(rows[0].model, "", sum(row.conversations for row in rows), *told)
