"""A judge that is asked about stored conversations: the model, by way of Inspect, and what its calls cost."""

from __future__ import annotations

from inspect_ai.model import GenerateConfig, get_model

from reviewer.prices import PriceList
from reviewer.run.admission import Budget
from reviewer.run.judge_scorers import ATTEMPTS
from reviewer.run.live_run import CALL_SECONDS, RETRIES, as_usage
from reviewer.run.probes import explained, probe
from reviewer.run.verdict import Judgement, judgement


class JudgeModel:
    """A model that judges."""

    def __init__(self, name: str, prices: PriceList, budget: Budget, connections: int) -> None:
        self._name, self._price, self._budget = name, prices.of(name), budget
        self._config = GenerateConfig(max_connections=connections, max_retries=RETRIES, attempt_timeout=CALL_SECONDS)

    async def probe(self) -> None:
        """Refuse in a sentence where the model does not answer."""
        await probe([], [self._name])

    async def ask(self, question: str) -> Judgement | None:
        """Put a question, once more where the answer has no number; None where none has."""
        for _ in range(ATTEMPTS):
            try:
                output = await get_model(self._name, config=self._config).generate(question)
            except Exception as error:
                raise explained(self._name, error) from error
            cost = self._price.cost(*as_usage(output.usage)) if self._price and output.usage else None
            self._budget.spend(cost or 0.0)
            if (answer := judgement(output.completion)) is not None:
                return answer
        return None
