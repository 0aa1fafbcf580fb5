"""Records of OpenTelemetry exporters -> spans with plain attributes and their events. Pure.

Owns the envelopes: OTLP's JSON in camel and snake case with its typed values, Tempo's batches, log records that belong
to spans, Phoenix's nested attributes and its rows of dotted columns. What the attributes say is `formats/otel.py`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from reviewer.imports.messages.content import first_of, listed, mapping, raw, text_of, text_or_none

Span = dict[str, Any]

_SPANS = ("resourceSpans", "resource_spans", "batches")
_LOGS = ("resourceLogs", "resource_logs")
_PLACES = ("span_id", "spanId", "spanContext", "context", "context.span_id")
_NESTED = ("llm", "openinference", "input", "output", "tool", "session", "agent", "gen_ai")
_WHOLE = ("value", "parameters", "arguments", "result", "metadata")
"""What may be an object and is not taken apart."""
_KINDS = (
    *("stringValue", "boolValue", "doubleValue", "intValue", "bytesValue"),
    *("string_value", "bool_value", "double_value", "int_value", "bytes_value"),
)
_WHOLE_NUMBER = re.compile(r"-?\d{1,18}")


def is_span(value: Any) -> bool:
    """True if a value is one span with its attributes."""
    told = mapping(value)
    plain = isinstance(told.get("attributes"), Mapping | list)
    return any(key in told for key in _PLACES) and (plain or any(str(key).startswith("attributes.") for key in told))


def holds_spans(record: Mapping[str, Any]) -> bool:
    """True if the record is a span or holds some."""
    told = unwrapped(record)
    if any(isinstance(told.get(key), list) for key in (*_SPANS, *_LOGS)) or is_span(told):
        return True
    return any(is_span(each) for each in listed(told.get("spans"))[:3])


def unwrapped(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """The record out of what an API puts around it."""
    for key in ("data", "trace"):
        inner = mapping(record.get(key))
        if any(name in inner for name in (*_SPANS, *_LOGS, "spans")):
            return inner
    return record


def spans_of(record: Mapping[str, Any]) -> Iterator[tuple[Span, str | None]]:
    """The spans of a record with the session that stands around them; log records as spans of events alone."""
    told = unwrapped(record)
    for resource in (mapping(each) for key in _SPANS for each in listed(told.get(key))):
        for scope in listed(first_of(resource, "scopeSpans", "scope_spans", "instrumentationLibrarySpans")):
            yield from ((_span(mapping(span)), _session(resource)) for span in listed(mapping(scope).get("spans")))
    for resource in (mapping(each) for key in _LOGS for each in listed(told.get(key))):
        for scope in listed(first_of(resource, "scopeLogs", "scope_logs")):
            logs = listed(first_of(mapping(scope), "logRecords", "log_records"))
            yield from ((_logged(mapping(log)), _session(resource)) for log in logs)
    session = text_or_none(told.get("session_id"))
    yield from ((_span(mapping(span)), session) for span in listed(told.get("spans")))
    if is_span(told):
        yield _span(told), None
    elif not any(key in told for key in (*_SPANS, *_LOGS, "spans")):
        yield {"attributes": dict(told), "span_id": told.get("gen_ai.response.id") or "span"}, None


def joined(spans: list[tuple[str, Span, str | None]]) -> list[tuple[str, Span, str | None]]:
    """The spans with the events that stood in log records put to the span they name."""
    by_id: dict[tuple[str | None, str | None], Span] = {}
    whole = []
    for position, span, session in sorted(spans, key=lambda each: "logged" in each[1]):
        key = (raw(first_of(span, "trace_id", "traceId")), raw(first_of(span, "span_id", "spanId")))
        if "logged" in span and key in by_id:
            by_id[key]["events"] = [*listed(by_id[key].get("events")), *span["events"]]
            continue
        by_id[key] = span
        whole.append((position, span, session))
    return whole


def plain(value: Any) -> dict[str, Any]:
    """Attributes as one object of dotted names, from OTLP's list of typed pairs too."""
    if isinstance(value, Mapping):
        return dict(_flat(value))
    return {str(pair.get("key")): _typed(pair.get("value")) for pair in map(mapping, listed(value))}


def _span(told: Mapping[str, Any]) -> Span:
    span = {key: value for key, value in told.items() if not str(key).startswith(("attributes.", "context."))}
    dotted = {key.removeprefix("attributes."): value for key, value in told.items() if key.startswith("attributes.")}
    given = {**plain(told.get("attributes")), **dotted}
    if isinstance(told.get("span_kind"), str):
        given.setdefault("openinference.span.kind", told["span_kind"])
    if "context.span_id" in told:
        span["context"] = {"span_id": told["context.span_id"], "trace_id": told.get("context.trace_id")}
    if "status_code" in told:
        span.setdefault("status", {"code": told["status_code"], "message": told.get("status_message")})
    events = [_event(mapping(event)) for event in listed(first_of(told, "span_events", "events"))]
    return {**span, "attributes": given, "events": events}


def _event(told: Mapping[str, Any]) -> Span:
    held = plain(told.get("attributes"))
    name = text_of(first_of(told, "name", "event_name", "eventName") or held.get("event.name"))
    return {"name": name, "attributes": held, "body": _typed(told.get("body"))}


def _logged(log: Mapping[str, Any]) -> Span:
    """A log record as a span that holds only this event; `joined` puts it where it belongs."""
    place = {name: log[name] for name in ("traceId", "spanId", "trace_id", "span_id") if name in log}
    at = first_of(log, "timeUnixNano", "time_unix_nano", "observedTimeUnixNano")
    given = {"gen_ai.operation.name": "chat"}
    return {**place, "attributes": given, "start_time": at, "events": [_event(log)], "logged": True}


def _session(resource: Mapping[str, Any]) -> str | None:
    about = plain(mapping(resource.get("resource")).get("attributes"))
    return text_or_none(first_of(about, "session.id", "gen_ai.conversation.id"))


def _flat(value: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, inner in value.items():
        name = f"{prefix}{key}"
        if isinstance(inner, Mapping) and (prefix or key in _NESTED) and key not in _WHOLE:
            yield from _flat(inner, f"{name}.")
        else:
            yield name, inner


def _typed(value: Any) -> Any:
    told = mapping(value)
    held = mapping(first_of(told, "arrayValue", "array_value"))
    if held:
        return [_typed(each) for each in listed(held.get("values"))]
    held = mapping(first_of(told, "kvlistValue", "kvlist_value"))
    if held:
        return plain(held.get("values"))
    number = first_of(told, "intValue", "int_value")
    if isinstance(number, str) and _WHOLE_NUMBER.fullmatch(number):
        return int(number)
    return next(iter(told.values())) if len(told) == 1 and next(iter(told)) in _KINDS else value
