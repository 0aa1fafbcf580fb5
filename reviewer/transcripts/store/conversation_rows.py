"""Rows back into values: whole conversations and cases.

Owns the SELECTs that load message text; the reader hands in how to ask.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection
from typing import Any, cast

from reviewer.basics.errors import GoneError
from reviewer.transcripts.model import (
    ROLES,
    SIMULATED,
    Case,
    Conversation,
    Message,
    Role,
    Score,
    Stored,
    ToolCall,
    Usage,
)
from reviewer.transcripts.store.column_types import AMOUNT, COUNT, NUMBER, TEXT, WORDS, sound

Ask = Callable[..., list[Any]]

_WHOLE = (
    "SELECT ref, digest, runs.model, runs.number, cases.name, source_key, started, ended, ended_by, clock, error,"
    " tokens_in, tokens_out, tokens_reasoning, tokens_cached, cost,"
    " meta, conversations.extra, sources.path, sources.synthetic, desks.text,"
    f" instr(ifnull(runs.harness, ''), '{SIMULATED}') FROM conversations"
    " JOIN runs ON runs.id = run_id JOIN sources ON sources.id = source_id LEFT JOIN cases ON cases.id = case_id"
    " LEFT JOIN desks ON desks.id = desk_id WHERE conversations.id = ?"
)
_OF_WHOLE = (*[TEXT] * 3, NUMBER, *[WORDS] * 7, *[NUMBER] * 4, AMOUNT, *[WORDS] * 2, TEXT, NUMBER, WORDS, COUNT)
_OF_CASE = (TEXT, *[WORDS] * 14)
_OF_CALL = (COUNT, NUMBER, WORDS, TEXT, *[WORDS] * 4, NUMBER, WORDS)
_OF_MESSAGE = (COUNT, *[TEXT] * 3, *[WORDS] * 3, *[NUMBER] * 4, AMOUNT, WORDS)
_OF_SCORE = (TEXT, AMOUNT, *[WORDS] * 4)


TOKENS = "CASE WHEN coalesce(tokens_in, tokens_out) IS NOT NULL THEN ifnull(tokens_in, 0) + ifnull(tokens_out, 0) END"
"""What a conversation used in all; nothing where its source does not say."""
BILLED = "NOT (SELECT synthetic FROM sources WHERE sources.id = source_id)"
"""Whether a real model was asked: for what a script says nobody was billed."""


def stored(ask: Ask, rowid: int) -> Stored:
    """One conversation with everything in it; raises a sentence where it was removed meanwhile."""
    rows = [*sound(ask(_WHOLE, (rowid,)), _OF_WHOLE)]
    if not rows:
        raise GoneError
    ref, digest, model, number, name, key, started, ended, ended_by, clock, error, *rest = rows[0]
    used, (meta, extra, path, synthetic, desk, simulated) = rest[:5], rest[5:]
    conversation = Conversation(
        model,
        messages_of(ask, rowid),
        case=name,
        run=number,
        id=key,
        started=started,
        ended=ended,
        ended_by=ended_by,
        clock=clock,
        error=error,
        scores=_scores(ask, rowid),
        usage=Usage(*used) if any(each is not None for each in used) else None,
        meta=loaded(meta),
        extra=loaded(extra),
        facts=case(ask, name) if name is not None else None,
    )
    return Stored(rowid, ref, digest, conversation, path, bool(synthetic), desk, bool(simulated))


def case(ask: Ask, name: str) -> Case | None:
    """The facts about a case."""
    rows = ask(
        'SELECT name, suite, family, bucket, forbidden, lure, labels, "order", persona, goal, expected, language,'
        " opening, context, extra FROM cases WHERE name = ?",
        (name,),
    )
    if not rows:
        return None
    next(sound(rows, _OF_CASE))
    (id, suite, family, bucket, forbidden, lure, labels, order, persona, goal, expected, *rest) = rows[0]
    return Case(
        id,
        suite,
        family,
        bucket,
        names(forbidden),
        lure,
        names(labels),
        loaded(order),
        persona,
        goal,
        names(expected),
        *[*rest[:3], loaded(rest[3])],
    )


def desks(ask: Ask, ids: Collection[int | None]) -> dict[int, str]:
    """The texts of these desks."""
    asked = ask(f"SELECT id, text FROM desks WHERE id IN ({','.join('?' * len(ids))})", (*ids,))
    return dict(sound(asked, (COUNT, TEXT)))


def names(text: str | None) -> tuple[str, ...]:
    """Parse a column that holds a list of names; anything else in the list is reported as a damaged file."""
    held = loaded(text)
    if not isinstance(held, list):
        return ()
    if not all(isinstance(each, str) for each in held):
        raise sqlite3.DatabaseError("malformed: a list of names holds other values")
    return tuple(held)


def messages_of(ask: Ask, rowid: int) -> tuple[Message, ...]:
    """The messages of one conversation with their calls."""
    calls: defaultdict[int, list[ToolCall]] = defaultdict(list)
    asked = ask(
        "SELECT message, orphan, extra, name, arguments, result, error, call_id, result_after, at FROM calls"
        " WHERE conversation_id = ? ORDER BY message, number",
        (rowid,),
    )
    for message, orphan, extra, *rest in sound(asked, _OF_CALL):
        name, arguments, result, error, id, after, at = rest
        calls[message].append(ToolCall(name, arguments, result, error, id, bool(orphan), after, at, loaded(extra)))
    rows = ask(
        "SELECT number, role, text, reasoning, source_role, name, at, tokens_in, tokens_out, tokens_reasoning,"
        " tokens_cached, cost, extra FROM messages WHERE conversation_id = ? ORDER BY number",
        (rowid,),
    )
    if strange := {role for _, role, *_ in sound(rows, _OF_MESSAGE)}.difference(ROLES):
        raise sqlite3.DatabaseError(f"malformed: nobody is “{min(strange)}”")
    return tuple(
        Message(cast("Role", role), text, reasoning, tuple(calls[number]), *[*rest, loaded(extra)])
        for number, role, text, reasoning, *rest, extra in rows
    )


def _scores(ask: Ask, rowid: int) -> tuple[Score, ...]:
    columns = "scorer, value, judge, note, raw, prompt"
    rows = ask(f"SELECT {columns} FROM scores WHERE conversation_id = ? ORDER BY id", (rowid,))
    return tuple(Score(*row) for row in sound(rows, _OF_SCORE))


def loaded(text: str | None) -> Any:
    """Parse a column that holds JSON, None for an empty one; broken JSON is reported as a damaged file."""
    try:
        return None if text is None else json.loads(text)
    except (ValueError, RecursionError):
        raise sqlite3.DatabaseError("malformed JSON in a column") from None
