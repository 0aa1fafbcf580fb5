"""The columns of a store that hold what came of a conversation: `acts`, `outcome`, and which calls `failed`.

They are derived from stored calls and the conversation's desk, so that `flips:` and the lines of the queue need no
text. A writer clears `acts` when a conversation gets another desk, and `fill` writes what is missing before a commit.
`acts` stays NULL without a desk. `outcome` stays NULL, too, where the desk classes no tools.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Sequence

from reviewer.transcripts import desk
from reviewer.transcripts.desk import Desk
from reviewer.transcripts.desk.call_results import reports_failure
from reviewer.transcripts.desk.outcome import act_of, kept_acts, kept_outcome
from reviewer.transcripts.model import ToolCall

BLANKS = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""What a text may consist of without saying anything; what Python calls space."""
_MISSING = "SELECT id, desk_id FROM conversations WHERE acts IS NULL AND desk_id IS NOT NULL LIMIT 500"
_CALLS = (
    "SELECT id, conversation_id, message, role = 'agent', name, arguments, result, error, failed FROM calls"
    " WHERE conversation_id IN (SELECT value FROM json_each(:ids)) AND orphan = 0"
    " AND (failed OR :all OR (role = 'agent' AND name IN (SELECT value FROM json_each(:tools))))"
    " ORDER BY conversation_id, message, number"
)
_SPOKEN = (
    "SELECT conversation_id, min(number) FROM messages WHERE conversation_id IN (SELECT value FROM json_each(?))"
    " AND role = 'agent' AND trim(text, ?) <> '' GROUP BY 1"
)


def fill(db: sqlite3.Connection) -> None:
    """Write the acts and the outcome of every conversation that has a desk and none of these yet."""
    while missing := db.execute(_MISSING).fetchall():
        by_desk: defaultdict[int, list[int]] = defaultdict(list)
        for rowid, number in missing:
            by_desk[number].append(rowid)
        for number, rowids in by_desk.items():
            (text,) = db.execute("SELECT text FROM desks WHERE id = ?", (number,)).fetchone() or ("",)
            _fill(db, rowids, desk.kept(text))


def without_desk(db: sqlite3.Connection, rowids: Sequence[int]) -> None:
    """Work out anew which calls failed in conversations that lose their desk, and with it its `refusals`."""
    _fill(db, rowids, desk.NONE)


def _fill(db: sqlite3.Connection, rowids: Sequence[int], known: Desk) -> None:
    ids = json.dumps(rowids)
    acting = [name for name in known.tools if known.act(name) is not None]
    spoken = dict(db.execute(_SPOKEN, (ids, BLANKS)).fetchall())
    wanted = {"ids": ids, "all": bool(known.refusals), "tools": json.dumps(acting)}
    acts = defaultdict(list)
    changed = defaultdict(list)
    for call_id, rowid, message, agents, name, arguments, result, error, failed in db.execute(_CALLS, wanted):
        call = ToolCall(name, arguments, result, error)
        if agents and known.act(name) is not None:
            act = act_of(call, known, message=message, spoken=spoken.get(rowid, message) < message)
            acts[rowid].append(act)
            fails = act.failed
        else:
            fails = error is not None or reports_failure(result or "", known.refusals)
        if fails != bool(failed):
            changed[rowid].append((fails, call_id))
    db.executemany("UPDATE calls SET failed = ? WHERE id = ?", [each for calls in changed.values() for each in calls])
    if changed:
        db.execute(f"{_ERRORS} WHERE id IN (SELECT value FROM json_each(?))", (json.dumps([*changed]),))
    db.executemany(
        "UPDATE conversations SET acts = ?, outcome = ? WHERE id = ?",
        [(kept_acts(acts[rowid]), kept_outcome(acts[rowid]) if known.tools else None, rowid) for rowid in rowids],
    )


_ERRORS = (
    "UPDATE conversations SET errors ="
    " (SELECT count(*) FROM calls WHERE conversation_id = conversations.id AND failed AND NOT orphan)"
)


def upgrade(db: sqlite3.Connection) -> None:
    """Work out all of these columns for a store that was written before there were any."""
    db.create_function("reports_failure", 1, reports_failure, deterministic=True)
    db.execute("UPDATE calls SET failed = 1 WHERE error IS NOT NULL OR (result <> '' AND reports_failure(result))")
    db.execute(f"{_ERRORS} WHERE EXISTS (SELECT 1 FROM calls WHERE conversation_id = conversations.id AND failed)")
    fill(db)
