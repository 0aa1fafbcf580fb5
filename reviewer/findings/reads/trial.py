"""A read tried on a conversation that one writes down: for the tests of reads, here and in other packages.

tried(READ, customer("Where is it?"), agent("Calm down.")).quotes == ["Calm down"]
"""

from __future__ import annotations

from typing import NamedTuple

from reviewer.findings.reads import Read
from reviewer.findings.reads.dossier import Dossier, Suggestion
from reviewer.transcripts.digests import conversation_digest
from reviewer.transcripts.model import Conversation, Message, Stored, ToolCall

_REF = "model/case/1"


class Trial(NamedTuple):
    """The yield of a read over one conversation."""

    suggestions: tuple[Suggestion, ...]
    opportunities: int
    quotes: list[str]
    """The words of each claim; a message's text where it is claimed whole, nothing for calls and conversations."""


def call(name: str, arguments: str = "{}", result: str | None = "{}", error: str | None = None) -> ToolCall:
    """A tool call with its result."""
    return ToolCall(name, arguments, result, error)


def customer(text: str) -> Message:
    """A message of the customer."""
    return Message("customer", text)


def agent(text: str, *calls: ToolCall) -> Message:
    """A message of the agent with its calls."""
    return Message("agent", text, calls=calls)


def tried(read: Read, *messages: Message, desk: str = "") -> Trial:
    """What a read says of these messages; `desk` is the text of a desk file. What the read raises is raised."""
    if read.look is None:
        raise ValueError(f"{read.name} looks at the runs of a case, not at one conversation")
    digest = conversation_digest(messages)
    stored = Stored(1, _REF, digest, Conversation("model", messages, case="case", run=1), "trial", False, desk)
    yielded = list(read.look(Dossier(stored)))
    suggestions = tuple(each for each in yielded if each is not None)
    return Trial(suggestions, len(yielded), [_quote(each, messages) for each in suggestions])


def _quote(suggestion: Suggestion, messages: tuple[Message, ...]) -> str:
    claim = suggestion.claim
    if claim.message is None or claim.call is not None:
        return ""
    start, end = claim.span or (0, None)
    return messages[claim.message - 1].text[start:end]
