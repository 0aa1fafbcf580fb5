"""Rows of requests that a gateway logged: LiteLLM (spend logs, standard logging payload), Helicone, Portkey.

A row is one request with its response. Those of one session repeat the history and are one conversation, told once; a
row that names no session is one alone. Which names each gateway gives things stands here; the telling is `exchanges`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reviewer.imports.messages import bodies
from reviewer.imports.messages.content import (
    cost_of,
    filled,
    first_of,
    mapping,
    raw,
    rest_of,
    score_of,
    text_of,
    text_or_none,
    time_of,
)
from reviewer.imports.messages.exchanges import Exchange, Gateway, conversations
from reviewer.imports.source import Item, Source, unfolded
from reviewer.transcripts.model import Score

NAME = "gateways"
TITLE = "Requests logged by LiteLLM, Helicone or Portkey"

_PAGES = ("data", "logs", "rows")
_LITELLM = ("call_type", "litellm_call_id")
_LITELLM_READ = {
    *("id", "request_id", "model", "messages", "response", "proxy_server_request", "metadata", "startTime", "endTime"),
    *("prompt_tokens", "completion_tokens", "total_tokens", "response_cost", "spend", "session_id", "trace_id"),
    *("litellm_session_id", "error_str", "status", "request_tags", "user", "end_user", "cache_hit", "call_type"),
    *("error_information", "model_parameters", "api_key", "hidden_params", "model_map_information", "cache_key"),
}
_SILENT = "rows without a message of a model, whose bodies were not stored or stand elsewhere"
_ENVELOPE = ("headers", "url", "method", "body")
"""What stands around a body that was sent; headers hold keys, which nobody wants in a store of transcripts."""
_HELICONE_READ = {
    *("request_id", "request_body", "response_body", "request_created_at", "response_created_at", "request_properties"),
    *(
        "properties",
        "prompt_tokens",
        "completion_tokens",
        "total_tokens",
        "prompt_cache_write_tokens",
        "costUSD",
        "cost",
    ),
    *("prompt_cache_read_tokens", "scores", "feedback", "request_model", "response_model", "model", "llmSchema"),
    *(
        "request_user_id",
        "helicone_user",
        "response_status",
        "signed_body_url",
        "asset_urls",
        "request_path",
        "provider",
    ),
    *("feedback_rating", "feedback_created_at", "feedback_id", "model_override", "heliconeMetadata"),
}
_PORTKEY_READ = {
    *("id", "trace_id", "request", "response", "created_at", "ai_model", "ai_org", "ai_provider", "cost", "metadata"),
    *("req_units", "res_units", "total_units", "response_status_code", "is_success", "feedback", "span_name"),
}
_SESSION = "Helicone-Session-Id"


def mine(source: Source) -> bool:
    """True if a row, or the first of a page of them, has the names that one of these gateways gives its columns."""
    return any(_kind(row) for row in _rows_in(source.record)[:1])


def read(source: Source) -> Iterator[Item]:
    """The file's conversations: a session each, else a row."""
    yield from conversations(_rows(source), Gateway("gateway", _session, _exchange, _SILENT))


def _rows(source: Source) -> Iterator[tuple[str, Any]]:
    for position, record in source.records():
        rows = _rows_in(mapping(record))
        if (len(rows) == 1 and rows[0] is record) or not isinstance(record, Mapping):
            yield position, record
        else:
            yield from ((f"{position}, row {index}", row) for index, row in enumerate(rows))


def _rows_in(record: Mapping[str, Any]) -> list[Any]:
    """The rows of a page of an API, or the record itself; a callback's arguments hold theirs in one field."""
    held = mapping(record.get("standard_logging_object"))
    if held:
        return [held]
    page = next((record[name] for name in _PAGES if isinstance(record.get(name), list)), None)
    return (
        [record]
        if page is None or _kind(record)
        else [mapping(row).get("standard_logging_object") or row for row in page]
    )


def _kind(row: Any) -> str:
    """Name the gateway that wrote a row; empty if none did."""
    told = mapping(row)
    if any(name in told for name in _LITELLM) and told.keys() & {"messages", "response", "proxy_server_request"}:
        return "litellm" if told.keys() & {"startTime", "response_cost", "spend", "litellm_call_id"} else ""
    if "request_id" in told and "request_created_at" in told:
        return "helicone" if told.keys() & {"request_body", "signed_body_url", "request_properties"} else ""
    if "request" in told and "response" in told and told.keys() & {"ai_model", "ai_org", "ai_provider"}:
        return "portkey"
    return ""


def _session(row: Mapping[str, Any]) -> str | None:
    """The session that a row names, in its own column or among what the caller sent along."""
    kind = _kind(row)
    if kind == "helicone":
        return text_or_none(_properties(row).get(_SESSION))
    meta = mapping(unfolded(row.get("metadata")))
    if kind == "portkey":
        return text_or_none(first_of(meta, "session_id", "_session_id", "conversation_id") or row.get("trace_id"))
    stated = row.get("litellm_session_id") or row.get("session_id") or _tagged(meta)
    return text_or_none(stated or row.get("trace_id"))


def _properties(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**mapping(row.get("properties")), **mapping(unfolded(row.get("request_properties")))}


def _exchange(row: Mapping[str, Any]) -> Exchange | None:
    kind = _kind(row)
    if not kind:
        raise ValueError("no row of a request")
    return {"litellm": _litellm, "helicone": _helicone, "portkey": _portkey}[kind](row)


def _litellm(row: Mapping[str, Any]) -> Exchange:
    meta = mapping(unfolded(row.get("metadata")))
    given = mapping(unfolded(row.get("proxy_server_request")))
    given = mapping(given.get("body")) or {key: given[key] for key in given if key not in _ENVELOPE}
    said = _stored(row.get("messages"))
    folded = said if isinstance(said, str) else None
    said = unfolded(said)
    settings = mapping(unfolded(row.get("model_parameters")))
    request = {**settings, **given, **({"messages": said} if isinstance(said, list) and said else {})}
    if isinstance(said, Mapping) and bodies.asked(said):
        request |= said
    elif folded and not isinstance(said, list):
        request.setdefault("prompt", folded)
    response = _stored(row.get("response"))
    failure = _litellm_error(row, meta)
    return Exchange(
        id=text_of(raw(first_of(row, "id", "request_id", "litellm_call_id"))),
        request=request,
        response=None if failure and not bodies.answered(response) else response,
        session=_session(row),
        model=text_of(row.get("model")) or bodies.model_of(request, response),
        started=time_of(row.get("startTime")),
        ended=time_of(row.get("endTime")),
        usage={"prompt_tokens": row.get("prompt_tokens"), "completion_tokens": row.get("completion_tokens")},
        cost=first_of(row, "response_cost", "spend"),
        error=failure,
        meta=filled(
            tags=unfolded(row.get("request_tags")),
            user=first_of(row, "end_user") or row.get("user"),
            call_type=row.get("call_type"),
            team=meta.get("user_api_key_team_alias"),
            cache_hit=row.get("cache_hit") if row.get("cache_hit") not in ("None", "", False, "False") else None,
        ),
        extra=filled(
            rest_of(row, _LITELLM_READ), metadata=rest_of(meta, ("usage_object", "user_api_key", "user_api_key_hash"))
        ),
    )


def _stored(value: Any) -> Any:
    """A body, unless it was not stored: spend logs keep an empty object in its place, as text or not."""
    return None if value in ("{}", "[]", "null", "", {}, []) else value


def _tagged(meta: Mapping[str, Any]) -> Any:
    """The session among what the caller sent along."""
    places = (meta, mapping(meta.get("requester_metadata")), mapping(meta.get("spend_logs_metadata")))
    return next((made for place in places if (made := first_of(place, "session_id", "litellm_session_id"))), None)


def _litellm_error(row: Mapping[str, Any], meta: Mapping[str, Any]) -> str | None:
    about = mapping(unfolded(first_of(row, "error_information") or meta.get("error_information")))
    said = text_or_none(row.get("error_str")) or text_or_none(about.get("error_message"))
    failed = "failure" in (row.get("status"), meta.get("status"))
    return said or text_or_none(about.get("error_class")) or ("error" if failed else None)


def _helicone(row: Mapping[str, Any]) -> Exchange:
    told = _properties(row)
    held = mapping(unfolded(row.get("signed_body")))
    request = unfolded(row.get("request_body")) or held.get("request")
    response = unfolded(row.get("response_body")) or held.get("response")
    about = mapping(row.get("llmSchema"))
    if not bodies.asked(request) and not bodies.answered(response):
        request, response = mapping(about.get("request")), mapping(about.get("response"))
    status = row.get("response_status")
    failed = isinstance(status, int) and status >= 400
    names = (*(("model",) if not row.get("response_model") else ("response_model",)), "request_model", "model_override")
    stated = next((row[name] for name in names if isinstance(row.get(name), str) and row[name]), "")
    return Exchange(
        id=text_of(raw(row.get("request_id"))),
        request=request,
        response=None if failed and not bodies.answered(response) else response,
        session=_session(row),
        model=text_of(stated) or bodies.model_of(request, response),
        started=time_of(row.get("request_created_at")),
        ended=time_of(row.get("response_created_at")),
        usage={
            "prompt_tokens": row.get("prompt_tokens"),
            "completion_tokens": row.get("completion_tokens"),
            "cached_tokens": row.get("prompt_cache_read_tokens") or None,
        },
        cost=first_of(row, "costUSD", "cost"),
        error=(_message_in(response) or f"status {status}") if failed else None,
        agent=text_or_none(told.get("Helicone-Session-Path")),
        scores=tuple(_helicone_scores(row)),
        meta=filled(
            name=told.get("Helicone-Session-Name"),
            user=first_of(row, "request_user_id") or row.get("helicone_user"),
            provider=row.get("provider"),
            **{str(key): value for key, value in told.items() if not str(key).startswith("Helicone-Session-")},
        ),
        extra=rest_of(row, _HELICONE_READ),
    )


def _message_in(response: Any) -> str | None:
    """The message of a provider's error, wherever it is."""
    told = mapping(unfolded(response))
    inner = first_of(told, "error", "heliconeError", "message", "detail")
    return text_or_none(mapping(inner).get("message") or inner)


def _helicone_scores(row: Mapping[str, Any]) -> Iterator[Score]:
    for name, stated in mapping(unfolded(row.get("scores"))).items():
        number, words = score_of(mapping(stated).get("value") if isinstance(stated, Mapping) else stated)
        yield Score(str(name).removeprefix("helicone-"), number, raw=words)
    rating = row.get("feedback_rating")
    if rating is None:
        rating = mapping(unfolded(row.get("feedback"))).get("rating")
    if rating is not None:
        number, words = score_of(rating)
        yield Score("feedback", number, raw=words)


def _portkey(row: Mapping[str, Any]) -> Exchange:
    meta = mapping(unfolded(row.get("metadata")))
    request, response = (_sent(row.get(name)) for name in ("request", "response"))
    status = row.get("response_status_code")
    failed = row.get("is_success") is False or (isinstance(status, int) and status >= 400)
    cents = cost_of(row.get("cost"))
    return Exchange(
        id=text_of(raw(row.get("id"))),
        request=request,
        response=None if failed and not bodies.answered(response) else response,
        session=_session(row),
        model=text_of(row.get("ai_model")) or bodies.model_of(request, response),
        started=time_of(row.get("created_at")),
        usage={"prompt_tokens": row.get("req_units"), "completion_tokens": row.get("res_units")},
        cost=None if cents is None else cents / 100,
        error=(_message_in(response) or f"status {status}") if failed else None,
        agent=text_or_none(row.get("span_name")),
        scores=tuple(_ratings(row.get("feedback"))),
        meta=filled(provider=first_of(row, "ai_org", "ai_provider"), **{str(key): meta[key] for key in meta}),
        extra=rest_of(row, _PORTKEY_READ),
    )


def _sent(envelope: Any) -> Any:
    """A body out of its method, headers and address."""
    told = unfolded(envelope)
    return unfolded(told["body"]) if isinstance(told, Mapping) and "body" in told else told


def _ratings(feedback: Any) -> Iterator[Score]:
    told = unfolded(feedback)
    for each in map(mapping, told if isinstance(told, list) else [told]):
        if each.get("value") is not None:
            number, words = score_of(each["value"])
            yield Score("feedback", number, raw=words)
