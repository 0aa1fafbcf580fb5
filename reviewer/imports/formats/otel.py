"""OpenTelemetry spans with model calls: GenAI conventions, OpenInference, Vercel's AI SDK, Google's ADK, OTLP JSON.

Spans come as a list, a line each, an object of attributes alone, or in OTLP's resourceSpans with typed values, in any
order. A session (or conversation) id joins traces; else each trace is one conversation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reviewer.imports.formats import SURPRISES, behind_headers, kept, told
from reviewer.imports.formats.parts import otlp, span_events
from reviewer.imports.formats.parts.span_table import SpanTable
from reviewer.imports.messages import content, prompts, trace_tree, traces
from reviewer.imports.source import BadRecord, Extract, Item, Remark, Source, unfolded
from reviewer.transcripts.model import ToolCall

NAME = "otel"
TITLE = "OpenTelemetry spans"

_ASKS = (
    "gen_ai.input.messages",
    "gen_ai.prompt",
    "ai.prompt.messages",
    "ai.prompt",
    "gcp.vertex.agent.llm_request",
)
_ANSWERS = ("gen_ai.output.messages", "gen_ai.completion", "gcp.vertex.agent.llm_response")
_LLM = ("chat", "generate_content", "text_completion", "call_llm")
_TOKENS = {
    "input_tokens": (
        *("gen_ai.usage.input_tokens", "llm.token_count.prompt", "gen_ai.usage.prompt_tokens"),
        *("ai.usage.inputTokens", "ai.usage.promptTokens"),
    ),
    "output_tokens": (
        *("gen_ai.usage.output_tokens", "llm.token_count.completion", "gen_ai.usage.completion_tokens"),
        *("ai.usage.outputTokens", "ai.usage.completionTokens"),
    ),
    "reasoning_tokens": (
        *("gen_ai.usage.reasoning.output_tokens", "gen_ai.usage.reasoning_tokens", "ai.usage.reasoningTokens"),
        *("llm.token_count.completion_details.reasoning", "gen_ai.usage.details.reasoning_tokens"),
        "gen_ai.usage.output_tokens.reasoning",
    ),
    "cached_tokens": (
        *("gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens", "ai.usage.cachedInputTokens"),
        *("llm.token_count.prompt_details.cache_read", "gen_ai.usage.details.cache_read_tokens"),
        *("gen_ai.usage.input_tokens.cached", "gen_ai.usage.cached_tokens"),
    ),
}
_COSTS = ("gen_ai.usage.cost", "gen_ai.usage.total_cost", "gen_ai.cost.total", "llm.cost.total", "operation.cost")
_SETTINGS = ("temperature", "top_p", "top_k", "max_tokens", "seed", "choice.count")
_FUNCTIONS = "llm.request.functions"

Attributes = Mapping[str, Any]


def mine(source: Source) -> bool:
    """True if a record is a span, OTLP's resourceSpans, or holds a list of spans."""
    return any(_is_record(record) for record in source.leading)


def _is_record(record: Any) -> bool:
    if not isinstance(record, Mapping):
        return False
    if otlp.holds_spans(record):
        return True
    return sum(str(key).startswith(("gen_ai.", "llm.", "openinference.")) for key in record) >= 3


def read(source: Source) -> Iterator[Item]:
    """The file's conversations: a trace each, or a session."""
    exported: list[tuple[str, otlp.Span, str | None]] = []
    for position, record in behind_headers(source, _is_record, kept=True):
        if isinstance(record, BadRecord | Remark):
            yield record
            continue
        try:
            exported += [(position, span, session) for span, session in otlp.spans_of(content.mapping(record))]
        except SURPRISES as error:
            yield BadRecord(position, f"not shaped as this format is ({told(error)})", kept(record))
    spans: list[trace_tree.TraceSpan] = []
    for position, exported_span, session in otlp.joined(exported):
        try:
            spans.append(_span(exported_span, session))
        except SURPRISES as error:
            yield BadRecord(position, f"not shaped as this format is ({told(error)})", kept(exported_span))
    silent = 0
    for group in trace_tree.grouped(spans):
        conversation = traces.conversation(group)
        if conversation is None:
            silent += 1
        else:
            yield Extract(f"trace {group[0].trace}", conversation, run=traces.run_of(group))
    if silent:
        yield Remark(f"{silent} traces without any message of a model: passed over")


def _span(told: otlp.Span, session: str | None) -> trace_tree.TraceSpan:
    given = span_events.taken_in(told.get("events", []), told["attributes"])
    status = content.mapping(told.get("status"))
    failed = str(content.first_of(status, "code", "status_code")).upper().endswith(("ERROR", "2"))
    span = _SPANS.span({**told, "attributes": given}, _failure(status) if failed else None)
    span.trace = span.trace or span.id
    span.asked, span.answered = _asked(given), _answered(given)
    tool = _tool(given, span.name)
    if tool is not None:
        span.tool = ToolCall(tool.name, tool.arguments, tool.result, span.error, tool.id, at=span.start)
    span.kind = "tool" if tool else _kind(given, span.name, span.speaks)
    span.usage = _usage(given)
    span.cost = _cost(given)
    span.tools = _tools(given)
    span.settings = dict(content.filled(**{name: given.get(f"gen_ai.request.{name}") for name in _SETTINGS}) or {})
    span.session = span.session or session
    return span


def _failure(status: Mapping[str, Any]) -> str:
    return content.text_of(content.first_of(status, "message", "description")) or "error"


def _time(value: Any) -> str | None:
    """A time, from JavaScript's pair of seconds and nanoseconds too."""
    if isinstance(value, list) and len(value) == 2 and all(isinstance(each, int) for each in value):
        return content.time_of(value[0] + value[1] / 1e9)
    return content.time_of(value)


_SPANS = SpanTable(
    id=("span_id", "spanId", "spanContext.spanId", "spanContext.span_id", "context.spanId", "context.span_id"),
    parent=("parent_span_id", "parentSpanId", "parent_id", "parentSpanContext.spanId"),
    trace=("trace_id", "traceId", "spanContext.traceId", "spanContext.trace_id", "context.traceId", "context.trace_id"),
    start=("start_time", "startTimeUnixNano", "start_time_unix_nano", "startTime"),
    end=("end_time", "endTimeUnixNano", "end_time_unix_nano", "endTime"),
    model=(
        *("attributes.gen_ai.response.model", "attributes.ai.response.model", "attributes.gen_ai.request.model"),
        *("attributes.llm.model_name", "attributes.ai.model.id"),
    ),
    session=(
        *("attributes.session.id", "attributes.gen_ai.conversation.id", "attributes.gcp.vertex.agent.session_id"),
        "attributes.langfuse.session.id",
    ),
    agent=("attributes.gen_ai.agent.name", "attributes.agent.name"),
    time=_time,
)


def _kind(given: Attributes, name: str, speaks: bool) -> trace_tree.Kind:
    stated = str(given.get("openinference.span.kind") or "").upper()
    operation = str(content.first_of(given, "gen_ai.operation.name", "ai.operationId") or "")
    if stated == "LLM" or operation in _LLM or operation.startswith(("ai.generate", "ai.stream")):
        return "llm"
    if stated == "AGENT" or operation in ("invoke_agent", "create_agent"):
        return "agent"
    if "llm.request.type" in given:
        return "llm"
    if str(given.get("traceloop.span.kind")) == "agent":
        return "agent"
    if given.get("told_as") == "generation" or (speaks and not stated and not operation and name == "call_llm"):
        return "llm"
    return "llm" if "gcp.vertex.agent.llm_request" in given and speaks else ""


def _asked(given: Attributes) -> list[prompts.Said]:
    flat = _unflattened(given, "llm.input_messages") or _unflattened(given, "gen_ai.prompt")
    system = prompts.asked(given.get("gen_ai.system_instructions"))
    told = [{"role": "system", "content": each.get("content")} for each in system]
    for name in _ASKS:
        if given.get(name) is not None:
            return [*told, *prompts.asked(given[name])]
    return [*told, *(flat or prompts.asked(content.first_of(given, "told_input", "input.value")))]


def _answered(given: Attributes) -> list[prompts.Said]:
    flat = _unflattened(given, "llm.output_messages", "assistant") or _unflattened(
        given, "gen_ai.completion", "assistant"
    )
    if flat:
        return flat
    for name in _ANSWERS:
        if given.get(name) is not None:
            return prompts.answered(given[name])
    calls, text = (
        unfolded(given.get("ai.response.toolCalls")),
        content.first_of(given, "ai.response.text", "ai.response.object"),
    )
    thought = content.text_or_none(given.get("ai.response.reasoning"))
    if calls or text or thought:
        said = {"role": "assistant", "content": content.text_of(text), "tool_calls": content.listed(calls)}
        return [{**said, "reasoning_content": thought} if thought else said]
    return prompts.answered(content.first_of(given, "told_output", "output.value"))


def _unflattened(given: Attributes, prefix: str, role: str = "user") -> list[prompts.Said]:
    """Messages out of `llm.input_messages.0.message.role` and its like; the role is that of messages without one."""
    stated = given.get(prefix)
    if isinstance(stated, list) and prefix.startswith("llm."):
        return prompts.asked([_message(_tree(content.mapping(each)), role) for each in stated])
    below = {key[len(prefix) + 1 :]: value for key, value in given.items() if key.startswith(f"{prefix}.")}
    return prompts.asked([_message(each, role) for each in _in_order(_tree(below))])


def _tree(dotted: Mapping[str, Any]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for key, value in dotted.items():
        node = tree
        *path, last = str(key).split(".")
        for part in path:
            inner = node.setdefault(part, {})
            node = inner if isinstance(inner, dict) else {}
        node[last] = value
    return tree


def _in_order(tree: Any) -> list[Any]:
    """Return the values of an object numbered from 0, in order, or of a list as it is."""
    if isinstance(tree, list):
        return [_tree(content.mapping(each)) for each in tree]
    pairs = [(int(key), value) for key, value in content.mapping(tree).items() if str(key).isdecimal()]
    return [value for _, value in sorted(pairs, key=lambda pair: pair[0])]


def _message(told: Any, role: str) -> prompts.Said:
    message = content.mapping(content.mapping(told).get("message")) or content.mapping(told)
    blocks = [
        content.mapping(content.mapping(each).get("message_content")) for each in _in_order(message.get("contents"))
    ]
    words = message.get("content")
    if isinstance(words, Mapping):
        words = [each if isinstance(each, str) else content.mapping(each) for each in _in_order(words)]
    calls = [
        content.mapping(content.mapping(each).get("tool_call")) or content.mapping(each)
        for each in _in_order(message.get("tool_calls"))
    ]
    if message.get("function_call_name"):
        calls = [{"name": message["function_call_name"], "arguments": message.get("function_call_arguments_json")}]
    return {
        "role": content.text_of(message.get("role")) or role,
        "content": blocks or words,
        "tool_calls": [vars_of(call) for call in calls],
        "tool_call_id": message.get("tool_call_id"),
        "name": message.get("name"),
        "reasoning_content": content.first_of(message, "reasoning_content", "reasoning"),
    }


def vars_of(call: Mapping[str, Any]) -> dict[str, Any]:
    """A call's fields as `call_of` takes them."""
    made = content.call_of(call)
    return {"id": made.id, "name": made.name, "arguments": made.arguments}


def _tool(given: Attributes, name: str) -> ToolCall | None:
    stated = str(given.get("openinference.span.kind") or "").upper()
    operation = str(content.first_of(given, "gen_ai.operation.name", "ai.operationId") or "")
    if "tool" not in (stated.lower(), given.get("told_as"), given.get("traceloop.span.kind")) and (
        operation not in ("execute_tool", "ai.toolCall")
    ):
        return None
    names = ("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name")
    called = content.first_of(given, *names) or name.removeprefix("execute_tool ")
    arguments = content.first_of(
        given,
        *("gen_ai.tool.call.arguments", "ai.toolCall.args", "gcp.vertex.agent.tool_call_args", "tool_arguments"),
        *("told_input", "input.value", "tool.parameters", "traceloop.entity.input"),
    )
    result = content.first_of(
        given,
        *("gen_ai.tool.call.result", "ai.toolCall.result", "gcp.vertex.agent.tool_response", "tool_response"),
        *("told_output", "output.value", "traceloop.entity.output"),
    )
    id = content.first_of(given, "gen_ai.tool.call.id", "ai.toolCall.id", "tool_call.id", "tool.id")
    return ToolCall(content.text_of(called), content.raw(arguments), content.raw(result), id=content.text_or_none(id))


def _usage(given: Attributes) -> dict[str, Any]:
    """The tokens of a call, cached ones among those read, as all conventions have them."""
    stated = content.mapping(unfolded(given.get("langfuse.observation.usage_details")))
    if stated:
        return dict(stated)
    return {ours: content.first_of(given, *theirs) for ours, theirs in _TOKENS.items()}


def _cost(given: Attributes) -> float | None:
    details = content.mapping(unfolded(given.get("langfuse.observation.cost_details")))
    return content.cost_of(content.first_of({**given, "total": details.get("total")}, *_COSTS, "total"))


def _tools(given: Attributes) -> tuple[Mapping[str, Any], ...]:
    """The definitions of the tools that a model was given, as JSON in a string or flattened."""
    flat = _unnumbered(given, "llm.tools")
    flat = [{**each, **content.mapping(each.get("tool"))} for each in flat]
    schemas = [unfolded(content.first_of(each, "tool.json_schema", "json_schema", "tool.definition")) for each in flat]
    functions = [{**each, "parameters": unfolded(each.get("parameters"))} for each in _unnumbered(given, _FUNCTIONS)]
    stated = unfolded(content.first_of(given, "gen_ai.tool.definitions", "gen_ai.request.tools", "ai.prompt.tools"))
    config = content.mapping(content.mapping(unfolded(given.get("gcp.vertex.agent.llm_request"))).get("config"))
    declared = [
        each
        for tool in content.listed(config.get("tools"))
        for each in content.listed(_declared(content.mapping(tool)))
    ]
    every = [*schemas, *functions, *map(unfolded, content.listed(stated)), *declared]
    return tuple(each for each in every if isinstance(each, dict) and each)


def _declared(tool: Mapping[str, Any]) -> Any:
    return content.first_of(tool, "function_declarations", "functionDeclarations")


def _unnumbered(given: Attributes, prefix: str) -> list[Mapping[str, Any]]:
    """The objects that stand flattened under `prefix.0.`, `prefix.1.`, with what is below them in dotted names."""
    if isinstance(given.get(prefix), list):
        return [content.mapping(each) for each in given[prefix]]
    objects: dict[int, dict[str, Any]] = {}
    for key, value in given.items():
        number, _, name = (
            key.removeprefix(f"{prefix}.").partition(".") if key.startswith(f"{prefix}.") else ("", "", "")
        )
        if number.isdecimal() and len(number) < 9:
            objects.setdefault(int(number), {})[name] = value
    return [objects[number] for number in sorted(objects)]
