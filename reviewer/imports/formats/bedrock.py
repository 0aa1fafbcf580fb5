"""Bedrock: Converse requests with their responses, and the logs of model invocations as CloudWatch and S3 have them.

A record is an invocation log (alone, or as the message of a CloudWatch event), a pair of request and response in one of
the envelopes people give them, or a line of a batch job. Requests that name one session are one conversation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from reviewer.imports.messages import bodies
from reviewer.imports.messages.content import (
    filled,
    first_of,
    listed,
    mapping,
    raw,
    rest_of,
    text_of,
    text_or_none,
    time_of,
)
from reviewer.imports.messages.exchanges import Exchange, Gateway, conversations
from reviewer.imports.source import Item, Remark, Source, unfolded

NAME = "bedrock"
TITLE = "Bedrock Converse and invocation logs"

_LOG = "ModelInvocationLog"
_PAIRS = (("request", "response"), ("input", "output"), ("modelInput", "modelOutput"), ("Request", "Response"))
_SESSIONS = ("session_id", "sessionId", "SessionId", "conversation_id", "conversationId", "thread_id")
_IDS = ("requestId", "request_id", "recordId", "id")
_MODELS = ("modelId", "model_id", "model")
_STARTS = ("timestamp", "startTime", "start_time", "created_at")
_CONFIGS = ("toolConfig", "inferenceConfig", "additionalModelRequestFields", "guardrailConfig")
_REQUEST = ("messages", "system", "modelId", "promptVariables", "performanceConfig", *_CONFIGS)
_RESPONSE = ("output", "stopReason", "usage", "metrics", "trace", "ResponseMetadata", "additionalModelResponseFields")
_READ = {
    *("schemaType", "schemaVersion", "timestamp", "requestId", "operation", "modelId", "input", "output", "region"),
    *("accountId", "identity", "requestMetadata", "errorCode", "inferenceRegion"),
}
_CACHED = {"cacheReadInputTokenCount": "cacheReadInputTokens", "cacheWriteInputTokenCount": "cacheWriteInputTokens"}


def mine(source: Source) -> bool:
    """True if a record is an invocation log, or has Converse's request or response in it."""
    record = source.record
    if _logged(record) is not None or any(_logged(event) is not None for event in _events(record)[:3]):
        return True
    if "modelInput" in record and "recordId" in record:
        return True
    request, response = _pair(record)
    return _asks(request) or _answers(response)


def read(source: Source) -> Iterator[Item]:
    """The file's conversations: a session each, else a request."""
    elsewhere = [0]
    gateway = Gateway("bedrock", _session, partial(_exchange, elsewhere), "requests without a message of a model")
    yield from conversations(_rows(source), gateway)
    if elsewhere[0]:
        yield Remark(f"{elsewhere[0]} requests whose bodies stand in files of their own on S3: not read")


def _rows(source: Source) -> Iterator[tuple[str, Any]]:
    for position, record in source.records():
        events = _events(mapping(record))
        if not events:
            yield position, record
        for index, event in enumerate(events):
            log = _logged(event)
            yield f"{position}, event {index}", event if log is None else log


def _events(record: Mapping[str, Any]) -> list[Any]:
    """The events of CloudWatch: a page of them, what a subscription sends, or rows of a query."""
    if isinstance(record.get("results"), list):
        fields = [
            {mapping(cell).get("field"): mapping(cell).get("value") for cell in listed(row)}
            for row in record["results"]
        ]
        return [{"message": cells.get("@message")} for cells in fields]
    return listed(first_of(record, "events", "logEvents"))


def _logged(value: Any) -> Mapping[str, Any] | None:
    """The invocation log that this is or holds as text."""
    told = mapping(value)
    if told.get("schemaType") == _LOG:
        return told
    inner = mapping(unfolded(first_of(told, "message", "@message")))
    return inner if inner.get("schemaType") == _LOG else None


def _pair(record: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The request and the response of a record, in envelopes or side by side in it."""
    for ask, answer in _PAIRS:
        request, response = mapping(unfolded(record.get(ask))), mapping(unfolded(record.get(answer)))
        if request and (response or ask != "input") and not response.get("message"):
            return request, response
    if mapping(record.get("input")) and "message" in mapping(record.get("output")):
        return mapping(record["input"]), record
    return {key: record[key] for key in _REQUEST if key in record}, record


def _asks(request: Mapping[str, Any]) -> bool:
    """True for a request of the Converse API: content blocks without types, and a setting that only it has."""
    messages = listed(request.get("messages"))
    blocks = [block for message in messages[:4] for block in listed(mapping(message).get("content"))[:4]]
    spoken = any(bodies.converse_block(block) for block in blocks)
    system = any(bodies.converse_block(block) for block in listed(request.get("system"))[:2])
    return spoken and (system or "modelId" in request or any(key in request for key in _CONFIGS))


def _answers(response: Mapping[str, Any]) -> bool:
    output = mapping(response.get("output"))
    return "role" in mapping(output.get("message")) and ("stopReason" in response or "usage" in response)


def _session(row: Mapping[str, Any]) -> str | None:
    """The session that a request names, beside it or among its tags."""
    log = _logged(row)
    if log is not None:
        return text_or_none(first_of(mapping(log.get("requestMetadata")), *_SESSIONS))
    request, _ = _pair(row)
    places = (row, mapping(request.get("requestMetadata")), request)
    return text_or_none(next((made for place in places if (made := first_of(place, *_SESSIONS))), None))


def _exchange(elsewhere: list[int], row: Mapping[str, Any]) -> Exchange | None:
    log = _logged(row)
    if log is None:
        return _paired(row)
    given, made = mapping(log.get("input")), mapping(log.get("output"))
    if "inputBodyJson" not in given and "outputBodyJson" not in made:
        elsewhere[0] += "inputBodyS3Path" in given or "outputBodyS3Path" in made
        if "inputText" not in given:
            return None
    tags = mapping(log.get("requestMetadata"))
    request, response = first_of(given, "inputBodyJson", "inputText"), first_of(made, "outputBodyJson", "outputText")
    failure = text_or_none(first_of(log, "errorCode"))
    return Exchange(
        id=text_of(raw(log.get("requestId"))),
        request=request,
        response=response,
        session=_session(row),
        model=_bare(log.get("modelId")) or bodies.model_of(request, response),
        started=time_of(log.get("timestamp")),
        usage=_counts(given, made),
        error=failure or _failure(response),
        meta=filled(
            operation=log.get("operation"),
            region=log.get("region"),
            identity=mapping(log.get("identity")).get("arn"),
            **{str(key): value for key, value in tags.items()},
        ),
        extra=filled(
            rest_of(log, _READ),
            account=log.get("accountId"),
            inferenceRegion=log.get("inferenceRegion"),
            metrics=mapping(unfolded(response)).get("metrics"),
            bodies=filled(input=given.get("inputBodyS3Path"), output=made.get("outputBodyS3Path")),
        ),
    )


def _counts(given: Mapping[str, Any], made: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The token counts beside the bodies."""
    cached = {name: given[key] for key, name in _CACHED.items() if given.get(key) is not None}
    return filled(cached, inputTokens=given.get("inputTokenCount"), outputTokens=made.get("outputTokenCount"))


def _failure(response: Any) -> str | None:
    """The error that a response reports if it is no answer."""
    told = mapping(unfolded(response))
    return text_or_none(first_of(told, "errorMessage", "error") or (told.get("message") if len(told) == 1 else None))


def _paired(row: Mapping[str, Any]) -> Exchange:
    request, response = _pair(row)
    if not request and response.keys().isdisjoint(_RESPONSE):
        raise ValueError("neither a request nor a response")
    told_in = {*_REQUEST, *_RESPONSE, *(name for pair in _PAIRS for name in pair)}
    beside = {key: value for key, value in row.items() if key not in told_in}
    about = mapping(response.get("ResponseMetadata"))
    tags = mapping(request.get("requestMetadata"))
    return Exchange(
        id=text_of(raw(first_of(row, *_IDS) or first_of(about, "RequestId"))),
        request=request,
        response=response,
        session=_session(row),
        model=_bare(first_of(request, *_MODELS) or first_of(row, *_MODELS)) or bodies.model_of(request, response),
        started=time_of(first_of(row, *_STARTS) or mapping(about.get("HTTPHeaders")).get("date")),
        error=text_or_none(row.get("error")) or _failure(response),
        meta=filled(**{str(key): value for key, value in tags.items()}),
        extra=filled(
            rest_of(beside, {*_IDS, *_SESSIONS, *_MODELS, *_STARTS, "error"}),
            metrics=response.get("metrics"),
            trace=rest_of({"trace": response.get("trace")}, ()),
        ),
    )


def _bare(model: Any) -> str:
    """A model's name out of its ARN."""
    name = text_of(raw(model))
    return name.rpartition("/")[2] if name.startswith("arn:") else name
