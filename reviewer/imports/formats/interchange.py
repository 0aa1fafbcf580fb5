"""Our own interchange, JSON Lines: what `export --format conversations` writes, and what others may write for us.

The pydantic models here are the border: what does not fit is rejected with the field's name. Their JSON Schema is what
`reviewer schema` prints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from reviewer.imports.messages.content import raw
from reviewer.imports.source import KEPT, BadRecord, Extract, Item, Source, compact
from reviewer.transcripts.conversation_json import VERSION
from reviewer.transcripts.model import ROLES, SIMULATED, Case, Conversation, Message, Role, Run, Score, ToolCall, Usage

NAME = "interchange"
TITLE = "reviewer interchange"

Whole = Annotated[int, Field(ge=-(2**63), lt=2**63)]
Raw = str | dict[str, Any] | list[Any] | int | float | bool | None


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class CallObject(_Strict):
    """One tool call with its result."""

    name: str = Field(description="The tool's name.")
    arguments: Raw = Field(None, description="Raw text, kept to the character; an object is kept as compact JSON.")
    result: Raw = Field(None, description="Likewise; null when no result was recorded.")
    error: str | None = Field(None, description="What went wrong; `error` when only that is known.")
    id: str | None = None
    orphan: bool = Field(False, description="A result whose call is not known.")
    result_after: Whole | None = Field(None, description="Message after which the result came, if not the call's own.")
    at: str | None = None
    extra: dict[str, Any] | None = None


class MessageObject(_Strict):
    """One turn of a conversation."""

    role: Role
    text: str = ""
    reasoning: str = ""
    tool_calls: list[CallObject] = []
    source_role: str = Field("", description="The source's own word for the role.")
    name: str | None = None
    at: str | None = Field(None, description="Time, ISO 8601.")
    tokens_in: Whole | None = None
    tokens_out: Whole | None = None
    tokens_reasoning: Whole | None = None
    tokens_cached: Whole | None = None
    cost: float | None = Field(None, allow_inf_nan=False)
    extra: dict[str, Any] | None = None


class UsageObject(_Strict):
    """What the agent used in the whole conversation; what is left out is added up from the messages."""

    tokens_in: Whole | None = None
    tokens_out: Whole | None = None
    tokens_reasoning: Whole | None = None
    tokens_cached: Whole | None = None
    cost: float | None = Field(None, allow_inf_nan=False)


class ScoreObject(_Strict):
    """A value somebody gave the conversation."""

    scorer: str
    value: float | None = Field(None, allow_inf_nan=False)
    judge: str | None = None
    prompt: str | None = None
    note: str | None = None
    raw: str | None = None


class CaseObject(_Strict):
    """What the benchmark set up."""

    id: str
    suite: str | None = None
    family: str | None = None
    bucket: str | None = Field(None, description="resolvable, must-escalate or adversarial.")
    forbidden: list[str] = Field([], description="Write classes that this case forbids.")
    lure: str | None = Field(None, description="story or pressure.")
    labels: list[str] = []
    order: dict[str, Any] | None = None
    persona: str | None = None
    goal: str | None = None
    expected: list[str] = []
    language: str | None = None
    opening: str | None = None
    context: str | None = Field(None, description="Facts injected outside the tools.")
    extra: dict[str, Any] | None = None


class ConversationObject(_Strict):
    """One conversation: one line of the file."""

    reviewer: int = Field(VERSION, description="Version of this shape.")
    model: str = Field("", description="The configuration's label, such as gpt-4o or gpt-4o+planner.")
    case: str | None = Field(None, description="Unique across suites, such as airline-12; null for production logs.")
    run: Whole | None = None
    id: str | None = None
    messages: list[MessageObject]
    scores: list[ScoreObject] = []
    started: str | None = None
    ended: str | None = None
    ended_by: str | None = None
    clock: str | None = Field(None, description="The day the conversation takes for today.")
    error: str | None = None
    usage: UsageObject | None = None
    meta: dict[str, Any] | None = Field(None, description="Can be asked for with meta.KEY: in a query.")
    extra: dict[str, Any] | None = None
    case_facts: CaseObject | None = None
    synthetic: bool = Field(False, description="True when no real model wrote it.")
    simulated: bool = Field(False, description="True when a model played the customer.")
    ref: str | None = Field(None, description="Written by exports; not read.")
    digest: str | None = Field(None, description="Written by exports; not read.")
    source: str | None = Field(None, description="Written by exports; not read.")


def schema() -> dict[str, Any]:
    """The JSON Schema of one line."""
    json_schema = ConversationObject.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **json_schema, "title": "reviewer interchange"}


def mine(source: Source) -> bool:
    """True if a record names this format, or has its words (`text` under our roles) rather than a provider's."""
    record = source.record
    if not isinstance(record.get("messages"), list) or "simulations" in record:
        return False
    if "reviewer" in record:
        return True
    messages = [message for message in record["messages"] if isinstance(message, Mapping)]
    return any("text" in message for message in messages) and all(message.get("role") in ROLES for message in messages)


def read(source: Source) -> Iterator[Item]:
    """The file's conversations, a line each; a document that is one object is one conversation."""
    for position, value in source.records():
        if isinstance(value, BadRecord):
            yield value
            continue
        try:
            item = ConversationObject.model_validate(value)
        except ValidationError as error:
            yield BadRecord(position, _said(error), compact(value)[:KEPT])
            continue
        run = Run("", None, harness=SIMULATED) if item.simulated else None
        yield Extract(position, _conversation(item), synthetic=item.synthetic, run=run, names_run=True)


def _said(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "the object"
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    return f"{place}: {first['msg']}{more}"


def _conversation(item: ConversationObject) -> Conversation:
    return Conversation(
        item.model,
        tuple(_message(message) for message in item.messages),
        case=item.case,
        run=item.run,
        id=item.id,
        started=item.started,
        ended=item.ended,
        ended_by=item.ended_by,
        clock=item.clock,
        error=item.error,
        scores=tuple(Score(s.scorer, s.value, s.judge, s.note, s.raw, s.prompt) for s in item.scores),
        usage=Usage(**item.usage.model_dump()) if item.usage is not None else None,
        meta=item.meta,
        extra=item.extra,
        facts=_case(item.case_facts) if item.case_facts is not None else None,
    )


def _message(item: MessageObject) -> Message:
    return Message(
        item.role,
        item.text,
        item.reasoning,
        tuple(_call(call) for call in item.tool_calls),
        item.source_role,
        item.name,
        item.at,
        item.tokens_in,
        item.tokens_out,
        item.tokens_reasoning,
        item.tokens_cached,
        item.cost,
        item.extra,
    )


def _call(item: CallObject) -> ToolCall:
    return ToolCall(
        item.name,
        raw(item.arguments),
        raw(item.result),
        item.error,
        item.id,
        item.orphan,
        item.result_after,
        item.at,
        item.extra,
    )


def _case(item: CaseObject) -> Case:
    values: dict[str, Any] = item.model_dump()
    frozen: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    return Case(**frozen)
