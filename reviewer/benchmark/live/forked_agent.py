"""Agents that are put before a past and decide, by way of Inspect: as `reviewer run` would let them, for one turn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage, execute_tools

from reviewer.benchmark.live.admission import Budget
from reviewer.benchmark.live.desk_kit import DeskKit
from reviewer.benchmark.live.dialogue import ROUNDS
from reviewer.benchmark.live.fork_point import ForkPoint
from reviewer.benchmark.live.inspect_tools import desk_tools
from reviewer.benchmark.live.live_models import live_model
from reviewer.benchmark.live.live_run import CALL_SECONDS, RETRIES, as_usage
from reviewer.benchmark.live.past_chat import as_chat
from reviewer.benchmark.live.probes import explained, probe
from reviewer.imports.formats.inspect import messages_in
from reviewer.transcripts.model import Message
from reviewer.transcripts.prices import PriceList


class ForkedAgents:
    """The models that decide at points, as often as they are asked, and what that costs."""

    def __init__(self, models: Iterable[str], prices: PriceList, budget: Budget, connections: int) -> None:
        self._prices, self._budget = prices, budget
        self._config = GenerateConfig(max_connections=connections, max_retries=RETRIES, attempt_timeout=CALL_SECONDS)
        self.spent: dict[str, float | None] = {name: None if prices.of(name) is None else 0.0 for name in models}
        """Dollars by model; None where it has no price."""

    async def probe(self, played: DeskKit) -> None:
        """Refuse in a sentence where one of the models does not answer, or takes no tools such as a desk's."""
        await probe(self.spent, [], lambda name, usage: self._pay(name, self._cost(name, usage)), played)

    async def decided(self, model: str, point: ForkPoint) -> tuple[Message, ...]:
        """Let a model call and answer once; the messages up to its first one without a call."""
        tools = desk_tools(point.played)
        facts = point.stored.conversation.facts
        context = facts.context if facts else None
        talk, outputs = list(as_chat(point.past, context, point.played)), list[ModelOutput]()
        past = len(talk)
        try:
            for _ in range(ROUNDS):
                outputs.append(await live_model(model, self._config).generate(talk, tools=tools))
                talk.append(outputs[-1].message)
                self._pay(model, self._cost(model, outputs[-1].usage))
                if not outputs[-1].message.tool_calls:
                    break
                talk.extend((await execute_tools(talk, tools)).messages)
        except Exception as error:
            raise explained(model, error) from error
        said = messages_in(each.model_dump(mode="json", exclude_none=True) for each in talk[past:])
        return tuple(
            _paid(message, output.usage, self._cost(model, output.usage))
            for message, output in zip(said, outputs, strict=True)
        )

    def _cost(self, model: str, usage: ModelUsage | None) -> float | None:
        price = self._prices.of(model)
        return price.cost(*as_usage(usage)) if price and usage else None

    def _pay(self, model: str, cost: float | None) -> None:
        before = self.spent[model]
        if cost is not None and before is not None:
            self.spent[model] = before + cost
            self._budget.spend(cost)


def _paid(message: Message, usage: ModelUsage | None, cost: float | None) -> Message:
    if usage is None:
        return message
    used, _ = as_usage(usage)
    return replace(
        message,
        tokens_in=used.tokens_in,
        tokens_out=used.tokens_out,
        tokens_reasoning=used.tokens_reasoning,
        tokens_cached=used.tokens_cached,
        cost=cost,
    )
