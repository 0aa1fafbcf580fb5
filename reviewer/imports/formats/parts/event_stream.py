"""OpenHands events, of either generation -> messages and results, and what they say of the run beside it. Pure.

The first generation has actions and observations, and keeps the model's whole answer with every action that came of it;
the second has kinds of events. An answer with several calls stands there once for each call: it becomes one message.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reviewer.imports.formats.parts.openhands_metrics import usage_of
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import (
    NO_TOKENS,
    Answer,
    Tokens,
    call_of,
    content_of,
    filled,
    first_of,
    listed,
    mapping,
    raw,
    rest_of,
    text_of,
    text_or_none,
    time_of,
    tokens_of,
)
from reviewer.transcripts.model import Json, Message, Role, ToolCall, Usage

_BY: dict[str, Role] = {"user": "customer", "agent": "agent"}
_ENDINGS = {"finished": "agent-stop", "error": "error", "stuck": "error", "stopped": "cut", "rejected": "agent-stop"}
_FAILURES = ("error", "user_rejected")
_STATES = ("change_agent_state", "null", "recall", "condensation_request", "loop_detection")
_OBSERVED = ("agent_state_changed", "null", "success")
_BOOKKEEPING = ("thought", "hidden", "confirmation_state", "is_confirmed", "keep_prompt", "translated_ipython_code")
_SPOKEN = {"content", "image_urls", "images_urls", "wait_for_response", "security_risk", "action", "file_urls"}
_ENVELOPE = {
    *("id", "timestamp", "source", "message", "cause", "action", "observation", "tool_call_metadata", "llm_metrics"),
    *("timeout", "args", "extras", "content", "success", "images_urls"),
}
_ACTION_READ = {
    *("id", "timestamp", "source", "kind", "thought", "reasoning_content", "thinking_blocks", "action", "tool_name"),
    *("tool_call_id", "tool_call", "llm_response_id", "responses_reasoning_item"),
}
_MESSAGE_READ = {"id", "timestamp", "source", "kind", "llm_message", "llm_response_id", "sender"}
_SOURCES = ("user", "agent", "environment", "hook")
_ENDS_OF_KINDS = ("Event", "Observation", "Condensation", "Request")
_GIVEN = {"thought", "content", "command", "code", "path", "outputs"}
_LONGEST = 500
"""Characters of a short thing that an observation says besides its content."""


def is_event(value: Any) -> bool:
    """True if a value is an event of either generation, with its source."""
    told = mapping(value)
    if told.get("source") not in _SOURCES:
        return False
    return str(told.get("kind") or "").endswith(_ENDS_OF_KINDS) or _is_named(told)


def is_listed_event(value: Any) -> bool:
    """True for an event of a history; the oldest do not say who acted."""
    told = mapping(value)
    return is_event(told) or ("source" not in told and _is_named(told) and "response" not in told)


def _is_named(told: Mapping[str, Any]) -> bool:
    name = told.get("action") if "observation" not in told else told["observation"]
    if not isinstance(name, str) or not name.isidentifier():
        return False
    return "content" in told if "observation" in told else "args" in told or bool(told.keys() & _GIVEN)


@dataclass
class EventStream:
    """The events of one conversation as they go by: yields messages and results, keeps what else they say."""

    spent: Mapping[str, Tokens] = field(default_factory=dict)
    """Tokens by the id of the model's answer, where the envelope tells them."""
    model: str = ""
    agent: str = ""
    state: str = ""
    error: str | None = None
    usage: Usage | None = None
    tools: tuple[Json, ...] = ()
    passed: Counter[str] = field(default_factory=Counter)
    """Events that say nothing of the conversation, by their kinds."""
    _told: set[str] = field(default_factory=set)
    """Answers of the model that became messages."""
    _open: list[Message] = field(default_factory=list)
    """The calls of one answer of the second generation, until another event comes."""
    _answer: str | None = None

    def items(self, events: Iterable[Any]) -> Iterator[Message | Answer]:
        """Every event as messages and results, in order."""
        for event in events:
            for told in event if isinstance(event, list) else [event]:
                yield from self._event(mapping(told))
        yield from self._gathered()

    @property
    def ended_by(self) -> str | None:
        """How the run ended, by the agent's last state."""
        return _ENDINGS.get(self.state)

    def _event(self, told: Mapping[str, Any]) -> Iterator[Message | Answer]:
        kind = told.get("kind")
        if "source" in told and isinstance(kind, str):
            if kind != "ActionEvent" or self._answer != text_or_none(told.get("llm_response_id")):
                yield from self._gathered()
            yield from self._by_kind(kind, told)
        elif isinstance(told.get("observation"), str):
            yield from self._observation(told)
        elif isinstance(told.get("action"), str):
            yield from self._action(told)
        elif told:
            raise ValueError("an event that is neither action nor observation")

    # the first generation

    def _action(self, told: Mapping[str, Any]) -> Iterator[Message | Answer]:
        name, args = text_of(told["action"]), _given(told)
        if "args" not in told and name in ("message", "system"):
            args = {**args, "content": told.get("content")}
        metadata = mapping(told.get("tool_call_metadata"))
        self._metrics(told.get("llm_metrics"))
        if name in _STATES:
            self.passed[name] += 1
            self.state = text_or_none(args.get("agent_state")) or self.state
        elif name == "system":
            self.tools = self.tools or tuple(tool for tool in listed(args.get("tools")) if isinstance(tool, dict))
            self.agent = text_of(args.get("agent_class")) or self.agent
            yield Message("system", text_of(args.get("content")), source_role=name, at=time_of(told.get("timestamp")))
        elif name == "message":
            yield self._message(told, args)
        elif name == "condensation":
            yield from _summary(args.get("summary"), told)
        elif metadata.get("model_response"):
            yield from self._answered(told, metadata)
        else:
            self.state = "finished" if name == "finish" else self.state
            yield self._acted(told, name, args, metadata)

    def _message(self, told: Mapping[str, Any], args: Mapping[str, Any]) -> Message:
        source = text_of(told.get("source")) or ("agent" if self._told else "user")
        if "args" not in told:  # the oldest logs do not say who spoke: they begin with the task
            self._told.add("task")
        text = text_of(args.get("content"))
        pictures = [url for key in ("image_urls", "images_urls") for url in listed(args.get(key))]
        shown = content_of([{"type": "image_url", "image_url": {"url": url}} for url in pictures])
        response = mapping(mapping(told.get("tool_call_metadata")).get("model_response"))
        tokens = tokens_of(response.get("usage"))
        return Message(
            _BY.get(source, "other"),
            "\n".join((text, shown.text)) if shown.texts else text,
            source_role=source,
            at=time_of(told.get("timestamp")),
            tokens_in=tokens[0],
            tokens_out=tokens[1],
            tokens_reasoning=tokens[2],
            tokens_cached=tokens[3],
            extra=filled(**(rest_of(args, _SPOKEN) or {})),
        )

    def _answered(self, told: Mapping[str, Any], metadata: Mapping[str, Any]) -> Iterator[Message]:
        """The model's own answer, once for all the actions that came of it."""
        response = mapping(metadata["model_response"])
        said = mapping(mapping(next(iter(listed(response.get("choices"))), None)).get("message"))
        id = text_or_none(response.get("id"))
        self.state = "finished" if told.get("action") == "finish" else self.state
        if id is not None and id in self._told:
            return
        if id is not None:
            self._told.add(id)
        self.model = self.model or text_of(response.get("model"))
        answer = {**said, "role": "assistant", "usage": response.get("usage"), "timestamp": told.get("timestamp")}
        calls = chat.calls_of(answer)
        own = text_or_none(metadata.get("tool_call_id"))
        if own is not None and all(call.id != own for call in calls):
            calls += (ToolCall(text_of(metadata.get("function_name")), _arguments(told), id=own),)
        for made in chat.read_item(answer):
            if isinstance(made, Message):
                thought = made.text or text_of(mapping(told.get("args")).get("thought"))
                yield replace(made, text=thought, calls=calls, source_role="agent", extra=filled(response=id))

    def _acted(
        self, told: Mapping[str, Any], name: str, args: Mapping[str, Any], metadata: Mapping[str, Any]
    ) -> Message:
        """An action without the model's answer: what it thought and what it did."""
        own = text_or_none(metadata.get("tool_call_id") or told.get("id"))
        call = ToolCall(text_of(metadata.get("function_name")) or name, _arguments(told), id=own)
        source = text_of(told.get("source")) or "agent"
        return Message(
            "agent" if source == "agent" else "other",
            text_of(args.get("thought")),
            calls=(call,),
            source_role=source,
            at=time_of(told.get("timestamp")),
        )

    def _observation(self, told: Mapping[str, Any]) -> Iterator[Message | Answer]:
        name, extras = text_of(told["observation"]), mapping(told.get("extras"))
        text = text_of(told.get("content"))
        at = time_of(told.get("timestamp"))
        metadata = mapping(told.get("tool_call_metadata"))
        own = text_or_none(metadata.get("tool_call_id"))
        if name in _OBSERVED and own is None:
            self.passed[name] += 1
            self.state = text_or_none(extras.get("agent_state")) or self.state
            self.error = text_or_none(extras.get("reason")) or self.error if self.state == "error" else self.error
            return
        cause = own or text_or_none(told.get("cause"))
        extra = _short({**extras, **({} if "extras" in told else rest_of(told, _ENVELOPE) or {})})
        if name == "recall" or (cause is None and "source" in told):
            yield Message("other", text or text_of(told.get("message")), source_role=name, at=at, extra=extra)
            return
        failed = (text or "error") if name in _FAILURES else None
        yield Answer(text, cause, text_or_none(metadata.get("function_name")), failed, at, extra)

    # the second generation

    def _by_kind(self, kind: str, told: Mapping[str, Any]) -> Iterator[Message | Answer]:
        at = time_of(told.get("timestamp"))
        if kind == "ActionEvent":
            self._act(told)
        elif kind == "MessageEvent":
            yield self._spoken(told)
        elif kind == "SystemPromptEvent":
            self.tools = self.tools or tuple(tool for tool in listed(told.get("tools")) if isinstance(tool, dict))
            said = [told.get("system_prompt"), *filter(None, [told.get("dynamic_context")])]
            yield Message("system", content_of(said).text, source_role="system", at=at)
        elif kind == "ACPToolCallEvent":
            yield from self._foreign(told, at)
        elif "tool_call_id" in told:
            yield _result(told, at)
        elif kind in ("Condensation", "CondensationSummaryEvent"):
            yield from _summary(told.get("summary"), told)
        elif kind == "ConversationErrorEvent":
            self.error, self.state = text_or_none(told.get("detail") or told.get("code")), "error"
            self.passed[kind] += 1
        else:
            self.passed[kind] += 1
            if kind == "ConversationStateUpdateEvent":
                self.state_of({told["key"]: told.get("value")} if told.get("key") != "full_state" else told["value"])

    def state_of(self, state: Any) -> None:
        """Take what a conversation's state says: how it stands, its model, what it used."""
        told = mapping(state)
        self.state = text_or_none(told.get("execution_status") or told.get("agent_status")) or self.state
        self.model = text_of(mapping(mapping(told.get("agent")).get("llm")).get("model")) or self.model
        parts = [mapping(part) for part in mapping(mapping(told.get("stats")).get("usage_to_metrics")).values()]
        self.model = self.model or next((text_of(part["model_name"]) for part in parts if part.get("model_name")), "")
        self.usage = usage_of(parts) or self.usage

    def _act(self, told: Mapping[str, Any]) -> None:
        """Take in a call of an answer, and keep it until the answer's other calls are known."""
        self._answer = text_or_none(told.get("llm_response_id"))
        call = call_of(mapping(told.get("tool_call")))
        if not call.name:
            call = replace(call, name=text_of(told.get("tool_name")), id=text_or_none(told.get("tool_call_id")))
        if call.arguments is None:
            call = replace(call, arguments=raw(told.get("action")))
        item = mapping(told.get("responses_reasoning_item"))
        thoughts = [told.get("reasoning_content"), *(content_of(told.get("thinking_blocks")).thoughts[:1])]
        thoughts += [text_of(first_of(item, "content", "summary"))] if item else []
        tokens = self.spent.get(self._answer or "", NO_TOKENS) if not self._open else NO_TOKENS
        self._open.append(
            Message(
                "agent",
                content_of(told.get("thought") or []).text,
                next((text_of(thought) for thought in thoughts if thought), ""),
                (call,),
                text_of(told.get("source")),
                None,
                time_of(told.get("timestamp")),
                *tokens,
                extra=rest_of(told, _ACTION_READ),
            )
        )

    def _gathered(self) -> Iterator[Message]:
        """The calls of one answer as its message."""
        if self._open:
            first = self._open[0]
            texts, thoughts = ([part for part in parts if part] for parts in zip(*map(_words, self._open), strict=True))
            calls = tuple(
                replace(call, at=message.at, extra=message.extra) for message in self._open for call in message.calls
            )
            self._told.add(self._answer or "")
            yield replace(first, text="\n".join(texts), reasoning="\n".join(thoughts), calls=calls, extra=None)
        self._open, self._answer = [], None

    def _spoken(self, told: Mapping[str, Any]) -> Message:
        source, said = text_of(told.get("source")), mapping(told.get("llm_message"))
        made = next((item for item in chat.read_item(said) if isinstance(item, Message)), Message("other"))
        tokens = self.spent.get(text_of(told.get("llm_response_id")), NO_TOKENS)
        return replace(
            made,
            role=_BY.get(source, "other"),
            source_role=source,
            name=text_or_none(told.get("sender")),
            at=time_of(told.get("timestamp")),
            tokens_in=tokens[0],
            tokens_out=tokens[1],
            tokens_reasoning=tokens[2],
            tokens_cached=tokens[3],
            extra=rest_of(told, _MESSAGE_READ),
        )

    def _foreign(self, told: Mapping[str, Any], at: str | None) -> Iterator[Message | Answer]:
        """A call of another harness that OpenHands drives: told at its start and again when it is done."""
        id, made = text_of(told.get("tool_call_id")), first_of(told, "raw_output", "content")
        if id not in self._told:
            self._told.add(id)
            call = ToolCall(text_of(told.get("title")), raw(told.get("raw_input")), id=id)
            yield Message("agent", calls=(call,), source_role=text_of(told.get("source")), at=at)
        if made not in (None, "", []) and told.get("status") in ("completed", "failed", None):
            result = text_of(made)
            yield Answer(result, id, None, (result or "error") if told.get("is_error") is True else None, at)

    def _metrics(self, metrics: Any) -> None:
        """Take in the usage, which the first generation states up to each action."""
        self.usage = usage_of([mapping(metrics)]) or self.usage


def _words(message: Message) -> tuple[str, str]:
    return message.text, message.reasoning


def _arguments(told: Mapping[str, Any]) -> str | None:
    """The arguments of an action, without the harness's notes."""
    return raw({key: value for key, value in _given(told).items() if key not in _BOOKKEEPING and value is not None})


def _given(told: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments of an action; the oldest logs have them beside its name."""
    beside = {key: value for key, value in told.items() if key not in _ENVELOPE}
    return mapping(told["args"]) if "args" in told else beside


def _summary(text: Any, told: Mapping[str, Any]) -> Iterator[Message]:
    """Yield the summary that replaces the events the agent forgot."""
    if text:
        yield Message("other", text_of(text), source_role="condensation", at=time_of(told.get("timestamp")))


def _result(told: Mapping[str, Any], at: str | None) -> Answer:
    """The result of a call: a tool's output, an error of the harness, or a person's refusal to allow it."""
    name, id = text_or_none(told.get("tool_name")), text_or_none(told.get("tool_call_id"))
    refused = first_of(told, "error", "rejection_reason")
    if refused is not None or "observation" not in told:
        words = text_of(refused)
        return Answer(words, id, name, words or "error", at)
    seen = mapping(told["observation"])
    parts = seen.get("content")
    text = text_of(parts) if parts is not None else raw(rest_of(seen, {"kind", "is_error"}) or {}) or ""
    extra = _short({**seen, "extended_content": content_of(told.get("extended_content") or []).text})
    return Answer(text, id, name, (text or "error") if seen.get("is_error") is True else None, at, extra)


def _short(said: Mapping[str, Any]) -> Json | None:
    """The short things that an observation says besides its content; its exit code out of the rest."""
    code = mapping(said.get("metadata")).get("exit_code")
    plain = {
        key: value
        for key, value in said.items()
        if key not in ("command", "kind", "hidden", "content", "path", "code", "command_id")
        and (value is True or isinstance(value, int | float | str))
        and not (isinstance(value, str) and len(value) > _LONGEST)
        and value is not False
    }
    return filled(**{"exit_code": code, **plain})
