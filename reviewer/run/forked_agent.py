"""An agent that is put before a past and decides, by way of Inspect: as `reviewer run` would let it, for one turn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
    execute_tools,
    get_model,
)
from inspect_ai.tool import ToolCall, ToolCallError

from reviewer.ingest.formats.inspect import messages_in
from reviewer.model import Message
from reviewer.prices import PriceList
from reviewer.run import prompt_files
from reviewer.run.admission import Budget
from reviewer.run.dialogue import ROUNDS
from reviewer.run.fork_point import ForkPoint
from reviewer.run.inspect_tools import desk_tools
from reviewer.run.live_run import CALL_SECONDS, RETRIES, as_usage
from reviewer.run.probes import explained, probe


class ForkedAgent:
    """A model that decides at a point, as often as it is asked."""

    def __init__(self, name: str, point: ForkPoint, prices: PriceList, budget: Budget, connections: int) -> None:
        self._name, self._price, self._budget = name, prices.of(name), budget
        self._past, self._played = list(_as_chat(point)), point.played
        self._config = GenerateConfig(max_connections=connections, max_retries=RETRIES, attempt_timeout=CALL_SECONDS)

    async def probe(self) -> None:
        """Refuse in a sentence where the model does not answer, or takes no tools."""
        with redirect_stdout(StringIO()):  # Inspect greets where hooks are
            await probe([self._name], [], self._played)

    async def decided(self) -> tuple[Message, ...]:
        """Let it call and answer once; the messages up to its first one without a call."""
        tools = desk_tools(self._played)
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


def _as_chat(point: ForkPoint) -> Iterator[ChatMessage]:
    """The past as a model takes it; with the agent's prompt, where the conversation itself holds none."""
    facts = point.stored.conversation.facts
    if not any(message.role == "system" for message in point.past):
        yield ChatMessageSystem(content=prompt_files.for_agent(point.played))
        if facts is not None and facts.context:
            yield ChatMessageSystem(content=facts.context)
    for number, message in enumerate(point.past, start=1):
        if message.role == "system":
            yield ChatMessageSystem(content=message.text)
        elif message.role == "agent":
            yield from _of_agent(number, message)
        else:
            yield ChatMessageUser(content=message.text)


def _of_agent(number: int, message: Message) -> Iterator[ChatMessage]:
    calls = [(f"call_{number}_{index}", call) for index, call in enumerate(message.calls, start=1) if not call.orphan]
    made = [ToolCall(id=id, function=call.name, arguments=_arguments(call.arguments)) for id, call in calls]
    yield ChatMessageAssistant(content=message.text, tool_calls=made or None)
    for id, call in calls:
        error = ToolCallError("unknown", call.error) if call.error and call.result is None else None
        yield ChatMessageTool(content=call.result or "", tool_call_id=id, function=call.name, error=error)


def _arguments(raw: str | None) -> dict[str, Any]:
    try:
        told = json.loads(raw or "{}")
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}
