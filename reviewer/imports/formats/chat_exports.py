"""What ChatGPT and Claude give a person who asks for their data: every conversation of theirs, with its title.

A conversation is a tree, since questions are edited and answers made again: read is the branch on which the person
ended. One conversation alone, as browser extensions save it, has the same shape.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from reviewer.imports.formats import each
from reviewer.imports.formats.parts import branches, chatgpt_nodes, claude_export
from reviewer.imports.messages.content import filled, first_of, listed, mapping, rest_of, text_of, text_or_none, time_of
from reviewer.imports.source import Extract, Item, Remark, Source
from reviewer.transcripts.model import Conversation, Message, Score

NAME = "chat-exports"
TITLE = "ChatGPT and Claude exports"

_READ_TREE = {
    *("title", "create_time", "update_time", "mapping", "current_node", "conversation_id", "id", "default_model_slug"),
    *("gizmo_id", "conversation_template_id", "is_archived"),
}
_READ_LIST = {
    *("uuid", "name", "summary", "created_at", "updated_at", "chat_messages", "current_leaf_message_uuid", "model"),
    *("account", "project", "settings"),
}
Said = Callable[[Iterable[str]], Sequence[Message]]
"""What nodes say, by their ids."""
_MARKS = {"upvote": 1.0, "downvote": 0.0}


def mine(source: Source) -> bool:
    """True if a record is a conversation: a mapping of nodes, or messages with senders."""
    record = source.record
    if _is_list(record):
        return True
    nodes = mapping(record.get("mapping")).values()
    return bool(nodes) and all({"message", "children", "parent"} & mapping(node).keys() for node in list(nodes)[:5])


def read(source: Source) -> Iterator[Item]:
    """The file's conversations, a record each."""
    left: list[branches.AbandonedBranches] = []
    any_record = False
    for position, record in source.records():
        any_record = True
        yield from each(position, record, partial(_extract, position, left))
    said = branches.summed(left)
    if said:
        yield Remark(said)
    if not any_record:
        yield Remark("an export without conversations")


def _is_list(record: Mapping[str, Any]) -> bool:
    return isinstance(record.get("chat_messages"), list) and ("uuid" in record or "name" in record)


def _extract(position: str, left: list[branches.AbandonedBranches], record: Mapping[str, Any]) -> Extract:
    if isinstance(record.get("mapping"), Mapping):
        extract, aside = _tree(position, record)
    elif isinstance(record.get("chat_messages"), list):
        extract, aside = _list(position, record)
    else:
        raise ValueError("it has neither a mapping nor chat messages")
    left.append(aside)
    return extract


def _tree(position: str, record: Mapping[str, Any]) -> tuple[Extract, branches.AbandonedBranches]:
    """ChatGPT's: nodes that name their parents and their children."""
    nodes = {str(id): mapping(node) for id, node in record["mapping"].items()}
    parents = {id: text_or_none(node.get("parent")) for id, node in nodes.items()}
    path = branches.ancestry(_current(nodes, record.get("current_node")), parents)
    aside = _aside(path, list(nodes), parents, lambda ids: chatgpt_nodes.said_in(nodes[id] for id in ids))
    messages = chatgpt_nodes.said_in(nodes[id] for id in path)
    models = Counter(filter(None, (chatgpt_nodes.model_of(nodes[id]) for id in path)))
    named = [name for name, _ in models.most_common()]
    return Extract(
        position,
        Conversation(
            named[0] if named else text_of(record.get("default_model_slug")),
            messages,
            id=text_or_none(first_of(record, "conversation_id", "id")),
            started=time_of(record.get("create_time")),
            ended=time_of(record.get("update_time")),
            meta=filled(
                title=record.get("title"),
                gizmo=first_of(record, "gizmo_id", "conversation_template_id"),
                archived=record.get("is_archived") or None,
                models=", ".join(named) if len(named) > 1 else None,
            ),
            extra=_extra(rest_of(record, _READ_TREE), aside),
        ),
    ), aside


def _current(nodes: dict[str, Mapping[str, Any]], named: Any) -> str | None:
    """The node on which the person ended; where it is not told, the last that has no children."""
    if isinstance(named, str) and named in nodes:
        return named
    return next((id for id in reversed(nodes) if not listed(nodes[id].get("children"))), None)


def _list(position: str, record: Mapping[str, Any]) -> tuple[Extract, branches.AbandonedBranches]:
    """Claude's: messages that name the one before them."""
    messages = {str(n): mapping(message) for n, message in enumerate(record["chat_messages"])}
    parents = claude_export.parents_in(messages)
    path = branches.ancestry(claude_export.last_in(messages, record.get("current_leaf_message_uuid")), parents)
    aside = _aside(path, list(messages), parents, lambda ids: claude_export.said_in(messages[id] for id in ids))
    return Extract(
        position,
        Conversation(
            text_of(record.get("model")),
            claude_export.said_in(messages[id] for id in path),
            id=text_or_none(record.get("uuid")),
            started=time_of(record.get("created_at")),
            ended=time_of(record.get("updated_at")),
            scores=tuple(_feedback(messages[id] for id in path)),
            meta=filled(title=record.get("name"), project=mapping(record.get("project")).get("name")),
            extra=_extra({**(rest_of(record, _READ_LIST) or {}), "summary": record.get("summary")}, aside),
        ),
    ), aside


def _feedback(messages: Iterable[Mapping[str, Any]]) -> Iterator[Score]:
    """The person's feedback on an answer."""
    for told in (mapping(message.get("chat_feedback")) for message in messages):
        if told:
            kind = text_of(told.get("type"))
            yield Score("feedback", _MARKS.get(kind), "human", text_or_none(told.get("reason")), kind or None)


def _aside(
    path: Sequence[str], every: Sequence[str], parents: Mapping[str, str | None], said: Said
) -> branches.AbandonedBranches:
    """The messages outside the branch, in the order of the source; empty nodes make no branch."""
    on = set(path)
    off = [id for id in every if id not in on]
    speaking = {id for id in off if any(m.text or m.calls or m.reasoning for m in said([id]))}
    return (
        branches.aside(branches.beginnings(off, speaking, parents), said(off))
        if speaking
        else branches.AbandonedBranches()
    )


def _extra(rest: Mapping[str, Any] | None, aside: branches.AbandonedBranches) -> dict[str, Any] | None:
    kept = filled(rest, branches=aside.branches or None, aside=list(aside.kept))
    return dict(kept) if kept else None
