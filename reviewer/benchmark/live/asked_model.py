"""A model that is asked about stored conversations, by way of Inspect, and what its calls cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from inspect_ai.model import GenerateConfig, ModelUsage

from reviewer.benchmark.live.admission import Budget
from reviewer.benchmark.live.live_models import live_model
from reviewer.benchmark.live.live_run import CALL_SECONDS, RETRIES, as_usage
from reviewer.benchmark.live.probes import explained, probe
from reviewer.benchmark.live.verdict import ATTEMPTS
from reviewer.transcripts.prices import PriceList

Answer = TypeVar("Answer")


class AskedModel:
    """A model that judges or reads."""

    def __init__(self, name: str, prices: PriceList, budget: Budget, connections: int) -> None:
        self._name, self._price, self._budget = name, prices.of(name), budget
        self._config = GenerateConfig(max_connections=connections, max_retries=RETRIES, attempt_timeout=CALL_SECONDS)

    async def probe(self) -> None:
        """Refuse in a sentence where the model does not answer."""
        await probe([], [self._name], lambda _, usage: self._pay(usage))

    async def say(self, question: str) -> str:
        """What it answers to a question."""
        try:
            output = await live_model(self._name, self._config).generate(question)
        except Exception as error:
            raise explained(self._name, error) from error
        self._pay(output.usage)
        return output.completion

    async def ask(self, question: str, read: Callable[[str], Answer | None]) -> Answer | None:
        """Put a question, once more where its answer cannot be read; None where neither can."""
        for _ in range(ATTEMPTS):
            if (answer := read(await self.say(question))) is not None:
                return answer
        return None

    def _pay(self, usage: ModelUsage | None) -> None:
        cost = self._price.cost(*as_usage(usage)) if self._price and usage else None
        self._budget.spend(cost or 0.0)
