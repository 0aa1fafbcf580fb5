"""AutoGen 0.2 (and AG2): results of chats, their histories, every agent's messages, and logged calls of the model.

A history is told from one agent's side, who is the assistant in it whoever that is: names tell who spoke, and whoever
began is the customer; in logs of failures that were traced to an agent, and of a team around an orchestrator, the
first words alone are. A logged call repeats what went before it, so calls of one session are merged as a trace is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from reviewer.imports.formats import SURPRISES, each, kept, told
from reviewer.imports.messages import chat, prompts, trace_tree, traces
from reviewer.imports.messages.content import (
    Answer,
    answer_of,
    cost_of,
    filled,
    first_of,
    listed,
    mapping,
    number_of,
    rest_of,
    score_of,
    text_of,
    text_or_none,
    time_of,
)
from reviewer.imports.source import BadRecord, Extract, Item, Remark, Source, compact, unfolded
from reviewer.transcripts.model import Case, Conversation, Message, Role, Run, Score, Usage

NAME = "autogen-chat"
TITLE = "AutoGen 0.2 chats"

_SESSION = "Started new session with Session ID:"
_READ = {"chat_history", "cost", "summary", "chat_id", "human_input"}
_SPOKEN = {"content", "role", "name", "tool_calls", "tool_responses", "function_call", "tool_call_id"}
_LISTS = ("messages", "conversation", "conversations", "history", "trajectory", "turns", "chat", "dialogue", "input")
_NO_AGENTS = {
    *_LISTS,
    "chosen",
    "rejected",
    "chosen_messages",
    "rejected_messages",
    "prompt",
    "completion",
    "response",
    "output",
}
_EXECUTED = "exitcode: "
_ORCHESTRATOR = "Orchestrator ("
_TRACED = {"history", "question", "question_ID", "ground_truth", "mistake_agent", "mistake_step", "mistake_reason"}
_VERDICTS = ("is_correct", "is_corrected")
_COSTS = ("usage_including_cached_inference", "usage_excluding_cached_inference")


def mine(source: Source) -> bool:
    """True if the first record is a chat's result, a logged call, or messages as only AutoGen has them."""
    if source.head.startswith(_SESSION.encode()):
        return True
    record = source.record
    if _is_result(record) or _is_traced(record) or _is_call(record) or _is_dump(record):
        return True
    return _is_team(source) or _is_bare(source)


def read(source: Source) -> Iterator[Item]:
    """The file's conversations: a chat each, or the calls of a session."""
    if source.head.startswith(_SESSION.encode()):
        yield from _recorded(source)
    elif _is_call(source.record):
        yield from _logged(source)
    elif _is_team(source):
        yield from each("the document", {"history": source.document}, partial(_traced, "the document"))
    elif _is_bare(source):
        yield from each("the document", {"chat_history": source.document}, partial(_extract, "the document"))
    else:
        for position, record in source.records():
            if _is_dump(record):
                yield from _dumped(position, record)
            else:
                convert = _traced if _is_traced(mapping(record)) else _extract
                yield from each(position, record, partial(convert, position))


def _is_bare(source: Source) -> bool:
    """True if the document is a chat's messages and nothing else."""
    if "role" not in source.record or source.is_lines or not isinstance(source.document, list):
        return False
    return _is_history(source.document)


def _is_team(source: Source) -> bool:
    """True if the document is a team's messages and nothing else: agents' names as roles, an orchestrator's asides."""
    if "role" not in source.record or source.is_lines or not isinstance(source.document, list):
        return False
    items = [mapping(item) for item in source.document]
    plain = all(item.keys() <= {"role", "content", "name"} for item in items)
    return plain and any(text_of(item.get("role")).startswith(_ORCHESTRATOR) for item in items)


def _is_result(record: Mapping[str, Any]) -> bool:
    return isinstance(record.get("chat_history"), list) and any(key in record for key in _READ - {"chat_history"})


def _is_traced(record: Mapping[str, Any]) -> bool:
    return record.keys() >= {"history", "mistake_agent", "mistake_step"} and isinstance(record["history"], list)


def _is_call(record: Mapping[str, Any]) -> bool:
    return "invocation_id" in record and "wrapper_id" in record and "request" in record and "response" in record


def _is_message(value: Any) -> bool:
    item = mapping(value)
    return isinstance(item.get("role"), str) and ("content" in item or "tool_calls" in item)


def _is_dump(record: Any) -> bool:
    """True if each field is an agent's name with the messages of its chat."""
    values = list(mapping(record).values())
    if not values or record.keys() & _NO_AGENTS:
        return False
    lists = [value for value in values if isinstance(value, list)]
    if len(lists) != len(values) or not any(lists):
        return False
    return all(all(_is_message(item) for item in value[:3]) for value in lists)


def _is_history(items: list[Any]) -> bool:
    """True if bare messages follow AutoGen's ways: all results in one message, or several names for one role."""
    if any("tool_responses" in mapping(item) for item in items):
        return True
    if not all(mapping(item).keys() <= _SPOKEN and mapping(item).get("name") for item in items):
        return False
    users = {text_of(mapping(item)["name"]) for item in items if mapping(item).get("role") == "user"}
    return len(users) > 1 or (mapping(items[0]).get("role") == "assistant" and len(users) == 1)


def _dumped(position: str, record: Mapping[str, Any]) -> Iterator[Item]:
    """Every agent's messages; agents of a group hold the same ones, which are told once."""
    seen: dict[tuple[str, ...], str] = {}
    for name, items in record.items():
        words = tuple(text_of(mapping(item).get("content")) for item in items)
        if words in seen:
            yield Remark(f"{position}: the messages of {name} are those of {seen[words]}")
            continue
        seen[words] = name
        place = f"{position}, {name}"
        yield from each(place, {"chat_history": items, "id": name}, partial(_extract, place))
    if not any(record.values()):
        yield Remark(f"{position}: no messages")


def _extract(position: str, record: Mapping[str, Any]) -> Extract:
    items = record["chat_history"]
    if not isinstance(items, list):
        raise TypeError("its chat_history is not a list")
    models, usage = _used(mapping(record.get("cost")))
    messages = chat.tied(_told(items))
    names = dict.fromkeys(message.name for message in messages if message.role == "agent" and message.name)
    return Extract(
        position,
        Conversation(
            models[0] if models else "",
            messages,
            started=messages[0].at if messages else None,
            ended=messages[-1].at if messages else None,
            id=text_or_none(first_of(record, "id", "chat_id")),
            ended_by="agent-stop" if messages and "TERMINATE" in messages[-1].text else None,
            meta=filled(agents=", ".join(names), models=", ".join(models) if len(models) > 1 else None),
            extra=filled(
                rest_of(record, _READ | {"id"}), summary=record.get("summary"), human_input=record.get("human_input")
            ),
            usage=usage,
        ),
        run=Run("", None, harness="AutoGen 0.2"),
    )


def _traced(position: str, record: Mapping[str, Any]) -> Extract:
    """A failure with the agent and the step that people found to blame."""
    items = [mapping(item) for item in record["history"]]
    first, *others = chat.tied(made for item in items for made in chat.read_item(item)) or (Message("customer"),)
    messages = (replace(first, role="customer", name=None), *(_of_agent(message) for message in others))
    case = text_or_none(first_of(record, "question_ID", "question_id"))
    step, verdict = number_of(_numeral(record.get("mistake_step"))), first_of(record, *_VERDICTS)
    scores = [] if verdict is None else [Score("is_correct", *score_of(verdict)[:1], raw=score_of(verdict)[1])]
    blamed = ": ".join(filter(None, map(text_of, (record.get("mistake_agent"), record.get("mistake_reason")))))
    if step is not None or blamed:
        scores.append(Score("mistake_step", None if step is None else float(step), note=blamed or None))
    wanted = text_or_none(record.get("ground_truth"))
    return Extract(
        position,
        Conversation(
            "",
            messages if items else (),
            case=case,
            scores=tuple(scores),
            extra=rest_of(record, _TRACED | set(_VERDICTS)),
            facts=Case(case, goal=text_or_none(record.get("question")), expected=(wanted,) if wanted else ())
            if case
            else None,
        ),
        run=Run("", None, harness="AutoGen"),
    )


def _numeral(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 9 else value


def _of_agent(message: Message) -> Message:
    """Convert a message of an agent or a terminal; where no name is given, the role serves as one."""
    terminal = message.text.startswith(_EXECUTED)
    return replace(message, role="other" if terminal else "agent", name=message.name or message.source_role or None)


def _used(cost: Mapping[str, Any]) -> tuple[list[str], Usage | None]:
    """The models and what they used in all."""
    spent = next((mapping(cost[key]) for key in _COSTS if isinstance(cost.get(key), dict)), cost)
    by_model = {str(name): value for name, value in spent.items() if isinstance(value, dict) and "cost" in value}
    read = [number_of(value.get("prompt_tokens")) or 0 for value in by_model.values()]
    written = [number_of(value.get("completion_tokens")) or 0 for value in by_model.values()]
    total = cost_of(spent.get("total_cost"))
    if not by_model:
        return [], Usage(cost=total) if total else None
    return list(by_model), Usage(sum(read), sum(written), cost=total)


def _told(items: list[Any]) -> Iterator[Message | Answer]:
    """The messages with who spoke by their names; whoever began is the customer."""
    speakers = [_speaker(mapping(item)) for item in items]
    first = next((speaker for speaker in speakers if speaker not in ("system", "")), "")
    for item, speaker in zip(items, speakers, strict=True):
        message = mapping(item)
        answers = [mapping(answer) for answer in listed(message.get("tool_responses"))]
        if answers:
            yield from (replace(answer_of(answer), error=_error(answer)) for answer in answers)
            continue
        for made in chat.read_item({**message, "name": None} if message.get("role") == "function" else item):
            if not isinstance(made, Message):
                yield replace(made, error=made.error or _error(message))
                continue
            acts = bool(made.calls) or (speaker != first and made.role != "system")
            role: Role = "system" if made.role == "system" else "agent" if acts else "customer"
            if made.text.startswith(_EXECUTED):  # what code gave that an agent wrote, in whoever's name it ran
                role = "other"
            extra = rest_of(made.extra or {}, ("tool_responses", "tool_call_id"))
            yield replace(made, role=role, name=None if role == "customer" else made.name, extra=extra)


def _speaker(message: Mapping[str, Any]) -> str:
    """Return the name of who spoke, else the role; empty for results."""
    if message.get("role") in ("tool", "function") or message.get("tool_responses"):
        return ""
    return text_of(message.get("name")) or text_of(message.get("role"))


def _error(answer: Mapping[str, Any]) -> str | None:
    """AutoGen writes what a tool raised as a result that starts with `Error:`."""
    text = text_of(answer.get("content"))
    return text if text.startswith("Error:") else None


def _recorded(source: Source) -> Iterator[Item]:
    """A runtime log: what every agent received, in order; the model's calls beside it say what was used."""
    session, passed, costs = "", 0, 0.0
    model, items, asked = "", _DeliveredMessages(), ""
    for number, row in source.lines(kept=True):
        if isinstance(row, BadRecord) and row.raw.startswith(_SESSION):
            session = row.raw.removeprefix(_SESSION).strip()
        elif isinstance(row, BadRecord):
            yield row
        elif mapping(row).get("event_name") == "received_message":
            yield from each(f"line {number}", row, items.take)
        elif _is_call(mapping(row)):
            request = mapping(row["request"])
            model, asked = model or text_of(request.get("model")), asked or row["request"]
            costs += cost_of(row.get("cost")) or 0.0
        else:
            passed += 1
    record = {"chat_history": items.messages, "id": session, "cost": {"total_cost": costs}}
    for item in each("the log", record, partial(_extract, "the log")):
        if isinstance(item, Extract):
            item = replace(item, conversation=replace(item.conversation, model=model), run=_run(asked))
        yield item
    if passed:
        yield Remark(f"{passed} lines about agents' own steps passed over")


class _DeliveredMessages:
    """Messages of a runtime log, each once: in a group the manager passes each on to all agents."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self._last: tuple[str, str] | None = None
        self._receivers: set[str] = set()

    def take(self, row: Mapping[str, Any]) -> None:
        """Take in one delivery."""
        state = mapping(unfolded(row.get("json_state")))
        message = state["message"] if isinstance(state["message"], dict) else {"content": state["message"]}
        receiver, speaker = text_of(row.get("source_name")), text_of(message.get("name") or state.get("sender"))
        key = (speaker, compact({**message, "name": None, "role": None}))
        again = key == self._last and receiver not in self._receivers
        self._receivers = {*self._receivers, receiver} if again else {receiver}
        self._last = key
        if not again:
            told = {"role": "assistant", **message, "name": speaker, "timestamp": row.get("timestamp")}
            self.messages.append(told)


def _run(request: Any) -> Run:
    """Return what the model was given, where a logged call says so."""
    asked = mapping(unfolded(request))
    tools = tuple(tool for tool in listed(asked.get("tools")) if isinstance(tool, dict))
    system = (mapping(it) for it in listed(asked.get("messages")) if mapping(it).get("role") == "system")
    prompt = text_or_none(mapping(next(system, None)).get("content"))
    settings = filled(temperature=asked.get("temperature"), top_p=asked.get("top_p"))
    return Run("", None, harness="AutoGen 0.2", prompt=prompt, tools=tools, extra=settings)


def _logged(source: Source) -> Iterator[Item]:
    """The rows of logged calls: those of every session as one conversation."""
    spans: list[trace_tree.TraceSpan] = []
    costs: dict[str, float] = {}
    for position, row in source.records(kept=True):
        if isinstance(row, BadRecord):
            yield row
            continue
        try:
            span = _span(row, source.name)
        except SURPRISES as error:
            yield BadRecord(position, f"not shaped as this format is ({told(error)})", kept(row))
        else:
            spans.append(span)
            costs[span.trace] = costs.get(span.trace, 0.0) + (cost_of(row.get("cost")) or 0.0)
    for group in trace_tree.grouped(spans):
        item, name = traces.conversation(group), group[0].trace
        if item is None:
            yield BadRecord(f"session {name}", "no call of it holds a message")
            continue
        usage = replace(item.usage or Usage(), cost=costs[name]) if costs[name] else item.usage
        meta = {key: value for key, value in (item.meta or {}).items() if key != "request"}
        run = _run(group[0].meta.get("request"))
        yield Extract(f"session {name}", replace(item, usage=usage, meta=meta or None), run=run)


def _span(row: Mapping[str, Any], session: str) -> trace_tree.TraceSpan:
    """A logged call as a trace's span."""
    request, response = mapping(unfolded(row["request"])), unfolded(row["response"])
    answer = mapping(response)
    name = text_or_none(row.get("session_id")) or session
    return trace_tree.TraceSpan(
        id=text_of(row["invocation_id"]),
        parent=None,
        trace=name,
        name=text_of(row.get("source_name")),
        kind="llm",
        start=time_of(row.get("start_time")) or "",
        end=time_of(row.get("end_time")),
        asked=prompts.asked({"messages": listed(request.get("messages"))}),
        answered=prompts.answered(response),
        model=text_of(first_of(answer, "model") or request.get("model")),
        usage=answer.get("usage"),
        session=name,
        agent=text_or_none(row.get("source_name")),
        meta={"request": row["request"]},
    )
