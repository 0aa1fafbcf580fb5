"""Requests to a model as gateways log them, a row each -> conversations: those of one session told once.

Every request of a session repeats the history before it, so rows become spans and `traces` tells them once. A row that
names no session is a conversation alone. Rows of sessions wait in a spool, so that a log needs no more memory than its
longest session. What a row says under which name is the format's to know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reviewer.imports.formats import SURPRISES, kept, told
from reviewer.imports.messages import bodies, chat, trace_tree, traces
from reviewer.imports.messages.content import NO_TOKENS, Answer, Tokens, cost_of, filled, tokens_of
from reviewer.imports.messages.items import items_of
from reviewer.imports.messages.prompts import Said
from reviewer.imports.source import BadRecord, Extract, Item, Remark, compact, parsed_together
from reviewer.transcripts.model import Conversation, Message, Run, Score
from reviewer.transcripts.store.spool import Spool


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its response."""

    id: str
    request: Any
    """The body that was sent, or the messages alone."""
    response: Any
    session: str | None = None
    model: str = ""
    started: str | None = None
    ended: str | None = None
    usage: Any = None
    """Token counts beside the response, where its body has none."""
    cost: Any = None
    error: str | None = None
    agent: str | None = None
    """The step or the agent that asked, where a session has several."""
    scores: tuple[Score, ...] = ()
    meta: Mapping[str, Any] | None = None
    extra: Mapping[str, Any] | None = None
    tools: tuple[Mapping[str, Any], ...] = ()
    """Tools told beside the request."""


@dataclass(frozen=True, slots=True)
class Gateway:
    """The functions with which a format reads its rows."""

    harness: str
    session: Callable[[Mapping[str, Any]], str | None]
    """The session that a row names."""
    read: Callable[[Mapping[str, Any]], Exchange | None]
    """The exchange that a row tells; None when its bodies are not in it."""
    silent: str
    """What rows without a word in them are called."""


def conversations(rows: Iterable[tuple[str, Any]], gateway: Gateway) -> Iterator[Item]:
    """The conversations of these rows: one per session, and one per row without a session."""
    passed = 0
    with Spool() as spool:
        for position, row in rows:
            if isinstance(row, BadRecord):
                yield row
                continue
            try:
                session = gateway.session(_object(row))
                if session is not None:
                    spool.put(session, compact([position, row]))
            except SURPRISES as error:
                yield _bad(position, row, error)
                continue
            if session is None:
                made = list(_told(position, [(position, row)], gateway))
                passed += not made
                yield from made
        for session, texts in spool.groups():
            together = parsed_together(texts, f"session {session}")
            made = list(_told(f"session {session}", together, gateway))
            passed += 0 if made else len(together)
            yield from made
    if passed:
        yield Remark(f"{passed} {gateway.silent}: passed over")


def _object(row: Any) -> Mapping[str, Any]:
    if not isinstance(row, Mapping):
        raise TypeError("it is not an object")
    return row


def _bad(position: str, row: Any, error: Exception) -> BadRecord:
    return BadRecord(position, f"not shaped as this format is ({told(error)})", kept(row))


def _told(position: str, rows: Sequence[Any], gateway: Gateway) -> Iterator[Item]:
    """The conversation of these rows, with those that cannot be read beside it; nothing when none says a word."""
    exchanges: list[Exchange] = []
    read: list[Any] = []
    for place, row in rows:
        try:
            one = gateway.read(row)
        except SURPRISES as error:
            yield _bad(place, row, error)
            continue
        if one is not None:
            exchanges.append(one)
            read.append((place, row))
    if not exchanges:
        return
    try:
        extract = _extract(position, exchanges, gateway.harness)
    except SURPRISES as error:
        yield from (_bad(place, row, error) for place, row in read)
        return
    if extract is not None:
        yield extract


def _extract(position: str, exchanges: list[Exchange], harness: str) -> Extract | None:
    """The conversation of these exchanges; None when none of them says a word."""
    exchanges = sorted(exchanges, key=lambda each: each.started or "")
    several = len({one.model for one in exchanges if one.model}) > 1
    spans = [_span(str(index), one, several) for index, one in enumerate(exchanges)]
    it = traces.conversation(spans) if len(spans) > 1 else _alone(spans[0])
    if it is None:
        return None
    last = exchanges[-1]
    failures = [one.error for one in exchanges[:-1] if one.error]
    alone = dict(last.extra or {}) if len(exchanges) == 1 else {}
    requests = [] if alone else [each for each in map(_leftover, exchanges) if each]
    tools = {compact(tool): tool for one in exchanges for tool in (*one.tools, *bodies.tools_of(one.request))}
    settings = next((made for one in reversed(exchanges) if (made := bodies.settings_of(one.request))), None)
    it = replace(
        it,
        ended_by="error" if last.error else None,
        error=last.error,
        scores=tuple(score for one in exchanges for score in one.scores),
        extra=filled(alone, errors=failures, requests=requests if len(exchanges) > 1 else None),
    )
    return Extract(position, it, run=Run("", None, harness=harness, tools=tuple(tools.values()), extra=settings))


def _alone(span: trace_tree.TraceSpan) -> Conversation | None:
    """The conversation of one request, with every message that it sent."""
    if not span.speaks:
        return None
    return Conversation(
        span.model,
        messages_of(span.asked, span.answered, tokens_of(span.usage), span.start or None, span.end),
        id=span.session or span.trace or None,
        started=span.start or None,
        ended=span.end,
        meta=span.meta or None,
    )


def messages_of(
    asked: Sequence[Said],
    answered: Sequence[Said],
    counts: Tokens = NO_TOKENS,
    started: str | None = None,
    ended: str | None = None,
    cost: float | None = None,
) -> tuple[Message, ...]:
    """Return a question and its answer as messages; the answer's first one gets counts, cost and end."""
    said: list[Message | Answer] = [_at(item, started) for item in items_of(asked)]
    counted = False
    for item in items_of(answered):
        made = _at(item, ended or started)
        if isinstance(made, Message) and not counted:
            counted = True
            read, written, thought, cached = counts
            if counts != NO_TOKENS and made.tokens_out is None:
                made = replace(made, tokens_in=read, tokens_out=written, tokens_reasoning=thought, tokens_cached=cached)
            made = made if cost is None or made.cost is not None else replace(made, cost=cost)
        said.append(made)
    return chat.tied(said)


def _at(item: Message | Answer, at: str | None) -> Message | Answer:
    return replace(item, at=at) if at and isinstance(item, Message) and item.at is None else item


def _leftover(one: Exchange) -> dict[str, Any]:
    return {**({"id": one.id} if one.id else {}), **(one.extra or {})}


def _span(index: str, one: Exchange, several: bool) -> trace_tree.TraceSpan:
    said = bodies.answered(one.response)
    return trace_tree.TraceSpan(
        id=index,
        parent=None,
        trace=one.id,
        name=one.agent or "",
        kind="llm",
        start=one.started or "",
        end=one.ended,
        asked=bodies.asked(one.request),
        answered=_told_with(said, one, several),
        model=one.model,
        usage=bodies.usage_of(one.response) or one.usage,
        error=one.error,
        session=one.session,
        agent=one.agent,
        meta=dict(one.meta or {}),
    )


def _told_with(said: list[Said], one: Exchange, several: bool) -> list[Said]:
    """The answer with its cost, why it stopped, and its model where the session has several."""
    more = filled(cost=cost_of(one.cost), stop=bodies.stop_of(one.response), model=one.model if several else None)
    if not more:
        return said
    place = next((k for k, each in enumerate(said) if "role" in each), None)
    if place is None:
        place = next((k for k, each in enumerate(said) if each.get("type") == "function_call"), None)
    if place is None:
        return said
    it = said[place]
    if "role" not in it:
        it = {"role": "assistant", "content": None, "tool_calls": [it]}
    return [*said[:place], {**it, **more}, *said[place + 1 :]]
