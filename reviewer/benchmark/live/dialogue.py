"""The conversation of one sample: an agent with the desk's tools, and a customer that another model plays.

Owns who speaks when and how it ends: the customer stops, the turns are used up, the customer fell out of its role, or
the agent went on calling without a word. What is to be known later is left in the sample's metadata.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Model,
    execute_tools,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolDef

from reviewer.benchmark.live import simulated_customer
from reviewer.benchmark.live.admission import admitted
from reviewer.benchmark.live.desk_kit import kit_for
from reviewer.benchmark.live.inspect_tools import desk_tools
from reviewer.benchmark.live.recorded_answers import RecordedAnswers
from reviewer.benchmark.live.whole_replies import whole
from reviewer.imports.formats.inspect import messages_in
from reviewer.transcripts.desk import Desk
from reviewer.transcripts.model import ToolCall

TURNS = 8
"""Messages of the customer, the first one included."""
ROUNDS = 12
"""Times an agent may call tools before it has to say something."""
KEY = "reviewer"
"""Under which name the metadata of a sample holds what is ours."""
CUSTOMER = "customer"
"""The role of the model that plays the customer."""


@solver
def dialogue(turns: int = TURNS) -> Solver:
    """Let the agent and the customer talk until one of the ends is reached; turns of a past do not count."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        async with admitted():
            customer = whole(get_model(role=CUSTOMER, default=whole(get_model())))
            return await _Talk(state, generate, customer, turns).held()

    return solve


class _Talk:
    """One conversation while it goes on."""

    def __init__(self, state: TaskState, generate: Generate, customer: Model, turns: int) -> None:
        self._state, self._generate, self._customer, self._turns = state, generate, customer, turns
        self._own: MutableMapping[str, Any] = state.metadata[KEY]
        played, goes_on = kit_for(self._own["desk"]), "past" in self._own
        self._tools: list[ToolDef] = desk_tools(played, _recorded(state, played.desk) if goes_on else None)
        self._own["customer"] = str(customer)
        self._unheard: list[str] = []
        """What the agent has said since the customer's last message, where a past is gone on with."""
        self._heard: list[ChatMessage] = self._as_the_customer_sees_it()

    def _as_the_customer_sees_it(self) -> list[ChatMessage]:
        """What the customer's model is told at first; its instructions stay with the sample for readers of the log."""
        heard: list[ChatMessage] = [ChatMessageSystem(content=str(self._own["instructions"]))]
        said = ["(The chat is open.)"]
        for message in self._state.messages:
            if message.role == "assistant" and message.text.strip():
                said.append(message.text.strip())
            elif message.role == "user":
                heard += [ChatMessageUser(content="\n\n".join(said))] if said else []
                heard.append(ChatMessageAssistant(content=message.text))
                said = []
        self._unheard = said
        return heard

    async def held(self) -> TaskState:
        """Hold the conversation."""
        self._state.tools = self._tools
        for turn in range(1, self._turns + 1):
            said = await self._agent_speaks()
            if said is None:
                return self._ended("cut", cut=f"{ROUNDS} rounds of calls without a word")
            if turn == self._turns:
                return self._ended("turn-limit")
            answer = await self._customer_speaks("\n\n".join([*self._unheard, *filter(None, [said])]))
            self._unheard = []
            if answer.text:
                self._state.messages.append(ChatMessageUser(content=answer.text))
                if broken := simulated_customer.role_break(answer.text):
                    return self._ended("error", role_break=broken)
            if answer.done:
                return self._ended("customer-stop")
        return self._state

    async def _agent_speaks(self) -> str | None:
        """Let the agent call and answer; returns what the customer sees of it, None where it never answered."""
        said = []
        for _ in range(ROUNDS):
            self._state = await self._generate(self._state, tool_calls="none")
            message = self._state.output.message
            said += [message.text.strip()] if message.text.strip() else []
            if not message.tool_calls:
                return "\n\n".join(said)
            results = await execute_tools(self._state.messages, self._tools)
            self._state.messages.extend(results.messages)
        return None

    async def _customer_speaks(self, said: str) -> simulated_customer.CustomerTurn:
        self._heard.append(ChatMessageUser(content=said or "(An empty message.)"))
        output = await self._customer.generate(self._heard)
        answer = simulated_customer.turn(output.completion)
        self._heard.append(ChatMessageAssistant(content=answer.text or "…"))
        return answer

    def _ended(self, by: str, **more: str) -> TaskState:
        told: Mapping[str, Any] = {"ended_by": by, **more}
        self._own.update(told)
        self._state.completed = True
        return self._state


def _recorded(state: TaskState, played: Desk) -> RecordedAnswers:
    """What the tools answered before the cut, and in the conversation itself behind it."""
    said = messages_in(each.model_dump(mode="json", exclude_none=True) for each in state.messages)
    later = (ToolCall(name, arguments, result) for name, arguments, result in state.metadata[KEY].get("later") or ())
    return RecordedAnswers((call for each in said for call in each.calls), later, played)
