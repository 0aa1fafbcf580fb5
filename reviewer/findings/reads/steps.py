"""Messages and calls of a conversation with their places: what reads go through. Pure."""

from __future__ import annotations

from typing import NamedTuple

from reviewer.transcripts.model import Message, ToolCall


class Turn(NamedTuple):
    """A message with its number."""

    number: int
    message: Message

    @property
    def text(self) -> str:
        """The visible text."""
        return self.message.text


class AgentCall(NamedTuple):
    """A call of the agent's, with its place."""

    message: int
    position: int
    call: ToolCall
    act: str | None
    """Its write class or `handover`; None for a read, or for a tool that the desk does not know."""
    kind: str
    """What the desk says of the tool: read, write, handover, or `?`."""
    order: str = ""
    """The order it is about, as the desk says; empty if that is not known."""
    failed: bool = False
    """Whether it came back with an error, marked by its source or written into its result."""
