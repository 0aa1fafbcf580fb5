"""The signs that a record was misread, so that what a reader made of it is not worth keeping. Pure.

A log of a shape that nobody foresaw often looks like a known one: messages of unheard roles, or with their words under
a name that is not read. Such a conversation would be stored as a row of blank lines. Owns the judgement; a reader that
takes what many programs write asks it for every record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from reviewer.imports.messages.chat import ROLES
from reviewer.transcripts.model import Conversation, Message

_SHOWN = 5
_MANY = 4
"""So many messages without a word are no failed run any more, whatever they leave."""


def refuse(messages: Sequence[Message]) -> None:
    """Raise an error if these messages were misread, so that their record is kept as rejected."""
    seen = misread(messages)
    if seen is not None:
        raise ValueError(seen)


def of_conversation(conversation: Conversation) -> str | None:
    """The sign that a conversation was misread; None if there is none."""
    return misread(conversation.messages)


def misread(messages: Sequence[Message]) -> str | None:
    """The sign that messages were misread: most are blank, or their roles are unknown; None if there is none."""
    blank = [message for message in messages if _is_blank(message)]
    unread = [message for message in blank if message.extra]
    if 2 * len(blank) > len(messages) and (unread or len(blank) >= _MANY):
        fields = _counted(key for message in unread for key in message.extra or ())
        left = f"; not read: {fields}" if fields else ""
        roles = _counted(message.source_role for message in messages)
        return f"{len(blank)} of {len(messages)} messages hold no words; roles: {roles}{left}"
    unheard = [message for message in messages if _is_unheard(message)]
    speaking = [message for message in messages if message.role != "system"]
    if 2 * len(unheard) > len(speaking):
        roles = _counted(message.source_role for message in unheard)
        return f"{len(unheard)} of {len(messages)} messages have a role that is not known: {roles}"
    return None


def _is_blank(message: Message) -> bool:
    return (not message.text or message.text.isspace()) and not (message.reasoning or message.calls)


def _is_unheard(message: Message) -> bool:
    """True if a message has an unknown role and is neither a named agent's nor a call or result on its own."""
    known = message.name or message.calls or message.source_role.lower() in ROLES
    return message.role == "other" and not known


def _counted(words: Iterable[str]) -> str:
    """Words with how often each came, the most frequent first."""
    counts = Counter(words).most_common()
    shown = ", ".join(f"{word or '(none)'} ({n})" for word, n in counts[:_SHOWN])
    return f"{shown}, and {len(counts) - _SHOWN} more" if len(counts) > _SHOWN else shown
