"""An agent that is put before a past and decides, by way of Inspect: as `reviewer run` would let it, for one turn."""

from __future__ import annotations

from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO

from inspect_ai.model import GenerateConfig, ModelOutput, execute_tools, get_model

from reviewer.ingest.formats.inspect import messages_in
from reviewer.model import Message
from reviewer.prices import PriceList
from reviewer.run.admission import Budget
from reviewer.run.desk_kit import desk_tools
from reviewer.run.dialogue import ROUNDS
from reviewer.run.fork_point import ForkPoint
from reviewer.run.live_run import CALL_SECONDS, RETRIES, as_usage
from reviewer.run.past_chat import as_chat
from reviewer.run.probes import explained, probe


class ForkedAgent:
    """A model that decides at a point, as often as it is asked."""

    def __init__(self, name: str, point: ForkPoint, prices: PriceList, budget: Budget, connections: int) -> None:
        self._name, self._price, self._budget = name, prices.of(name), budget
        facts = point.stored.conversation.facts
        self._past = list(as_chat(point.past, facts.context if facts else None))
        self._config = GenerateConfig(max_connections=connections, max_retries=RETRIES, attempt_timeout=CALL_SECONDS)

    async def probe(self) -> None:
        """Refuse in a sentence where the model does not answer, or takes no tools."""
        with redirect_stdout(StringIO()):  # Inspect greets where hooks are
            await probe([self._name], [])

    async def decided(self) -> tuple[Message, ...]:
        """Let it call and answer once; the messages up to its first one without a call."""
        tools = desk_tools()
        talk, outputs = list(self._past), list[ModelOutput]()
        try:
            for _ in range(ROUNDS):
                outputs.append(await get_model(self._name, config=self._config).generate(talk, tools=tools))
                talk.append(outputs[-1].message)
                self._budget.spend(self._cost(outputs[-1]) or 0.0)
                if not outputs[-1].message.tool_calls:
                    break
                talk.extend((await execute_tools(talk, tools)).messages)
        except Exception as error:
            raise explained(self._name, error) from error
        said = messages_in(each.model_dump(mode="json", exclude_none=True) for each in talk[len(self._past) :])
        return tuple(self._paid(message, output) for message, output in zip(said, outputs, strict=True))

    def _cost(self, output: ModelOutput) -> float | None:
        return self._price.cost(*as_usage(output.usage)) if self._price and output.usage else None

    def _paid(self, message: Message, output: ModelOutput) -> Message:
        if output.usage is None:
            return message
        used, _ = as_usage(output.usage)
        return replace(
            message,
            tokens_in=used.tokens_in,
            tokens_out=used.tokens_out,
            tokens_reasoning=used.tokens_reasoning,
            tokens_cached=used.tokens_cached,
            cost=self._cost(output),
        )
