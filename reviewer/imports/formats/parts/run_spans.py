"""LangSmith's runs -> spans: where a run stands, what it was asked and what it answered, in any shape. Pure.

Runs come from LangChain's own tracer, from wrappers around a provider's client and from functions that were merely
decorated, and their inputs and outputs differ accordingly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reviewer.basics.python_literals import literal
from reviewer.imports.formats.parts import langchain_messages
from reviewer.imports.messages import prompts, trace_tree, traces
from reviewer.imports.messages.content import cost_of, first_of, listed, mapping, raw, text_of, text_or_none, time_of
from reviewer.imports.source import compact, unfolded
from reviewer.transcripts.model import Json, ToolCall

_KINDS: dict[str, trace_tree.Kind] = {"llm": "llm", "tool": "tool", "retriever": "tool"}
_TYPES = ("llm", "chain", "tool", "retriever", "prompt", "parser", "embedding", "agent")
_THREADS = ("thread_id", "session_id", "conversation_id")
_FOLDED = ("inputs", "outputs", "extra", "feedback_stats", "feedback", "tags", "metadata", "parent_run_ids")
_ASKS = ("input", "question", "query", "prompt", "user_input", "human_input", "message", "text")
_ANSWERS = ("output", "answer", "response", "result", "text", "content", "final_output", "generation")

Row = dict[str, Any]


def rows_of(record: Any, outer: Mapping[str, Any] | None = None) -> Iterator[Row]:
    """The runs of a record: itself with those below it, or those it lists."""
    held = mapping(record)
    for name in () if "run_type" in held else ("runs", "data", "post", "patch", "child_runs", "run", "trace"):
        for each in listed(held.get(name)) or [held[name]] if held.get(name) else []:
            yield from rows_of(each)
    if held and ("run_type" in held or is_end(held)):
        row = {key: unfolded(value) if key in _FOLDED else value for key, value in held.items() if key != "child_runs"}
        if outer is not None:
            row = {"trace_id": trace_of(dict(outer)), "parent_run_id": outer.get("id"), **without_blanks(row)}
        yield row
        for child in listed(held.get("child_runs")):
            yield from rows_of(child, row)


def without_blanks(row: Mapping[str, Any]) -> Row:
    """A run without the fields that say nothing."""
    return {key: value for key, value in row.items() if value is not None}


def is_run(row: Mapping[str, Any]) -> bool:
    """True if a row is a run, by its type and its other fields."""
    kind = row.get("run_type")
    places = ("inputs", "outputs", "dotted_order", "trace_id", "start_time")
    return isinstance(kind, str) and kind in _TYPES and id_of(row) != "" and any(name in row for name in places)


def is_end(row: Mapping[str, Any]) -> bool:
    """True if a row only says how a run ended, as the client sends it."""
    return "run_type" not in row and "outputs" in row and "end_time" in row and id_of(row) != ""


def id_of(row: Mapping[str, Any]) -> str:
    """A run's own id."""
    named = first_of(row, "id", "run_id")
    return text_of(named if named is not None else text_of(row.get("dotted_order")).rpartition("Z")[2])


def trace_of(row: Mapping[str, Any]) -> str:
    """The trace a run belongs to; a dotted order begins with it."""
    first = text_of(row.get("dotted_order")).partition(".")[0].rpartition("Z")[2]
    return text_of(row.get("trace_id")) or first or id_of(row)


def parent_of(row: Mapping[str, Any]) -> str | None:
    above = listed(row.get("parent_run_ids"))
    path = text_of(row.get("dotted_order")).split(".")
    named = row.get("parent_run_id") or (above[-1] if above else None)
    return text_or_none(named) or (path[-2].rpartition("Z")[2] or None if len(path) > 1 else None)


def metadata_of(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The application's metadata of a run."""
    return mapping(mapping(row.get("extra")).get("metadata")) or mapping(row.get("metadata"))


def thread_of(row: Mapping[str, Any]) -> str | None:
    """The thread that a run names; the `session_id` beside that is the project's."""
    about = metadata_of(row)
    named = next((about[name] for name in _THREADS if about.get(name)), None) or row.get("thread_id")
    return text_or_none(named)


def span_of(row: Row) -> trace_tree.TraceSpan:
    """A run as a span."""
    kind = _KINDS.get(text_of(row.get("run_type")), "")
    failed = text_or_none(row.get("error"))
    asked, answered = ([], []) if kind == "tool" else _said(row, kind == "llm")
    about = metadata_of(row)
    return trace_tree.TraceSpan(
        id=id_of(row),
        parent=parent_of(row),
        trace=trace_of(row),
        name=text_of(row.get("name")),
        kind=kind,
        start=_time(row.get("start_time")) or "",
        end=_time(row.get("end_time")),
        asked=asked,
        answered=answered,
        model=_model(row) if kind == "llm" else "",
        usage=_tokens(row),
        tools=_tools(row),
        tool=_tool(row, failed) if kind == "tool" else None,
        error=failed,
        session=thread_of(row),
        agent=_agent(about),
        meta=_meta(row) if parent_of(row) is None else {},
    )


def _time(value: Any) -> str | None:
    """A time; Python's own writing of one has a blank where the standard has a T."""
    at = time_of(value)
    return at.replace(" ", "T", 1) if at is not None and at[10:11] == " " else at


def _agent(about: Mapping[str, Any]) -> str | None:
    """The agent that a run belongs to: by its own name, by the part of the graph, by the node."""
    within = text_of(first_of(about, "langgraph_checkpoint_ns", "checkpoint_ns"))
    part = within.partition(":")[0] if "|" in within else ""
    return text_or_none(about.get("lc_agent_name")) or part or text_or_none(about.get("langgraph_node"))


def _meta(row: Mapping[str, Any]) -> Row:
    about = metadata_of(row)
    return traces.meta_of(
        trace=row.get("name"),
        project=row.get("session_name"),
        tags=row.get("tags"),
        user=first_of(about, "user_id", "user"),
    )


def _said(row: Mapping[str, Any], model: bool) -> tuple[list[prompts.Said], list[prompts.Said]]:
    """The question and the answer of a run."""
    given, made = row.get("inputs"), row.get("outputs")
    if not model:
        return _split(_told_in(given, _ASKS, "user"), _told_in(made, _ANSWERS, "assistant"))
    answered = _generated(mapping(made)) or _told_in(made, _ANSWERS, "assistant")
    cost = cost_in(row)
    if answered and cost is not None:
        answered[0] = {**answered[0], "cost": cost}
    return _prompted(mapping(given)), answered


def _prompted(given: Mapping[str, Any]) -> list[prompts.Said]:
    """The prompt of a call: LangChain's messages or texts, else a provider's request."""
    texts = listed(given.get("prompts"))
    if texts:
        return [{"role": "user", "content": text_of(text)} for text in texts]
    values = listed(given.get("messages"))
    batch = values[0] if values and isinstance(values[0], list) and not _is_pair(values[0]) else values
    if any(langchain_messages.is_message(each) or isinstance(each, list) for each in batch):
        return _all_said(batch)
    return prompts.asked(dict(given))


def _is_pair(value: list[Any]) -> bool:
    return len(value) == 2 and isinstance(value[0], str)


def _generated(made: Mapping[str, Any]) -> list[prompts.Said]:
    """The answer of a call: LangChain's generations or message, else a provider's response."""
    generations = listed(made.get("generations"))
    first = generations[0] if generations else None
    first = first[0] if isinstance(first, list) and first else first
    if isinstance(first, Mapping):
        return [langchain_messages.generated(first)]
    for value in (made, made.get("output"), made.get("message")):
        if langchain_messages.is_message(value):
            return _all_said([value])
    if langchain_messages.is_list(made.get("messages")):
        return _all_said(listed(made["messages"]))
    return prompts.answered(dict(made))


def _all_said(messages: list[Any]) -> list[prompts.Said]:
    made = [langchain_messages.said(message) for message in messages]
    return [each for each in made if each and each.get("role") != "remove"]


def _told_in(value: Any, names: tuple[str, ...], role: str) -> list[prompts.Said]:
    """The messages in what a step was given or gave: a history, then a text of its own."""
    if isinstance(value, str):
        return [{"role": role, "content": value}] if value else []
    held = mapping(value)
    made: list[prompts.Said] = []
    for name in ("chat_history", "history", "messages", "output", "input"):
        values = held.get(name)
        if isinstance(values, list) and values and all(_is_said(each) for each in values):
            made += _all_said(values)
    if made and "messages" in held:
        return made
    spoken = next((held[name] for name in names if isinstance(held.get(name), str | Mapping) and held[name]), None)
    if spoken is None and len(held) == 1:
        spoken = next(iter(held.values()))
    if isinstance(spoken, Mapping):
        return [*made, *(_all_said([spoken]) if _is_said(spoken) else _told_in(spoken, names, role))]
    return [*made, {"role": role, "content": spoken}] if isinstance(spoken, str) and spoken else made


def _is_said(value: Any) -> bool:
    if isinstance(value, list):
        return _is_pair(value)
    return langchain_messages.is_message(value) or ("role" in mapping(value) and "content" in mapping(value))


def _split(asked: list[prompts.Said], answered: list[prompts.Said]) -> tuple[list[prompts.Said], list[prompts.Said]]:
    """A state after a step begins with the one before: what stands behind the last words asked is the answer."""
    last = _words(asked[-1]) if asked else None
    for index in range(len(answered) - 1, -1, -1):
        if _words(answered[index]) == last:
            return answered[: index + 1], answered[index + 1 :]
    return asked, answered


def _words(message: prompts.Said) -> tuple[str, str]:
    return text_of(message.get("role")), text_of(message.get("content"))


def _model(row: Mapping[str, Any]) -> str:
    """The model that answered, else the one that was asked for."""
    made, extra = mapping(row.get("outputs")), mapping(row.get("extra"))
    asked = mapping(extra.get("invocation_params"))
    named = (
        mapping(made.get("llm_output")).get("model_name"),
        made.get("model"),
        metadata_of(row).get("ls_model_name"),
        *(asked.get(name) for name in ("model", "model_name", "model_id")),
        mapping(row.get("inputs")).get("model"),
    )
    return next((name for name in named if isinstance(name, str) and name), "")


def _tokens(row: Mapping[str, Any]) -> Json:
    """The token counts of a run; the service keeps cached and reasoning tokens apart from the call's own usage."""
    made = mapping(row.get("outputs"))
    own = (made.get("usage_metadata"), mapping(made.get("llm_output")).get("token_usage"), made.get("usage"))
    counted = {"prompt_tokens": row.get("prompt_tokens"), "completion_tokens": row.get("completion_tokens")}
    if any(counted.values()):
        details = {"input_token_details": row.get("prompt_token_details")}
        return {**counted, **details, "output_token_details": row.get("completion_token_details")}
    return next((mapping(usage) for usage in own if mapping(usage)), {})


def _tools(row: Mapping[str, Any]) -> tuple[Json, ...]:
    places = (mapping(mapping(row.get("extra")).get("invocation_params")), mapping(row.get("inputs")))
    return tuple(tool for place in places for tool in listed(place.get("tools")) if isinstance(tool, Mapping))


def cost_in(row: Mapping[str, Any]) -> float | None:
    """A cost, which the service writes as text."""
    value = row.get("total_cost")
    try:
        return cost_of(float(value) if isinstance(value, str) else value)
    except ValueError:
        return None


def _tool(row: Mapping[str, Any], failed: str | None) -> ToolCall:
    """A tool's or a retriever's call, its input out of the text that older versions wrote it as."""
    given, made = row.get("inputs"), row.get("outputs")
    inner = mapping(given)
    arguments = _opened(inner["input"]) if inner.keys() == {"input"} else given
    value = mapping(made).get("output", mapping(made).get("documents", made if made else None))
    answer = langchain_messages.fields_of(value) if langchain_messages.is_message(value) else {}
    id = first_of(mapping(row.get("extra")), "tool_call_id") or answer.get("tool_call_id") or inner.get("id")
    result = text_of(answer.get("content")) if answer else raw(value)
    if answer.get("status") == "error" and failed is None:
        failed = result or "error"
    # what failed has no result; its error is what came back
    result = failed if result is None else result
    at = _time(row.get("start_time"))
    return ToolCall(text_of(row.get("name")), raw(arguments), result, failed, text_or_none(id), at=at)


def _opened(given: Any) -> Any:
    """Arguments that were written as Python writes an object."""
    value = literal(given, None) if isinstance(given, str) and given[:1] == "{" else None
    return compact(value) if isinstance(value, dict) else given
