"""Terms about what the agent did, by the desk and the case, as SQL over calls: `wrote:`, `handover:`, `forbidden:`,
`flips:`.

Owns the SELECTs. Says what `reviewer.desk.outcome` says of one conversation: only the agent's own calls count, a
forbidden act by intent. Calls are looked up by their name and then in the index that has them in order, so that no
text is read. `acts(text)`, which a connection of `reviewer.store` knows, gives a desk's tools with their classes.
"""

from __future__ import annotations

from reviewer.query.selection import Value
from reviewer.query.value_tests import Condition, name_test

_ACTS = (
    "acts(desk, name, act) AS MATERIALIZED (SELECT desks.id, tool.key, tool.value"
    " FROM desks, json_each(acts(desks.text)) AS tool WHERE tool.value <> 'read')"
)
_FORBIDS = (
    "forbids(case_id, act) AS MATERIALIZED (SELECT DISTINCT cases.id, each.value"
    " FROM cases, json_each(iif(json_valid(cases.forbidden), cases.forbidden, '[]')) AS each)"
)
_FIRED = (
    " FROM acts CROSS JOIN calls AS named INDEXED BY calls_by_name ON named.name = acts.name"
    " CROSS JOIN conversations AS held ON held.id = named.conversation_id AND held.desk_id = acts.desk{}"
    " WHERE {} AND EXISTS (SELECT 1 FROM calls AS own INDEXED BY calls_in_order"
    " WHERE own.conversation_id = named.conversation_id AND own.name = named.name"
    " AND own.role = 'agent' AND own.orphan = 0)"
)
_OF_CASE = " CROSS JOIN forbids ON forbids.case_id = held.case_id AND forbids.act = acts.act"
_WROTE = f"conversations.id IN (WITH {_ACTS} SELECT named.conversation_id{_FIRED.format('', '{}')})"
_FORBIDDEN = (
    f"conversations.id IN (WITH {_ACTS}, {_FORBIDS} SELECT named.conversation_id{_FIRED.format(_OF_CASE, '{}')})"
)
_CLASSED = "conversations.desk_id IN (SELECT id FROM desks WHERE acts(text) IS NOT NULL)"
_WITH_CASE = f"({_CLASSED} AND conversations.case_id IS NOT NULL)"

_WRITE = "acts.act <> 'handover'"
_HANDOVER = "acts.act = 'handover'"

# An outcome is the set of acts: given these, whether one was forbidden follows from the case.
_CAME_OUT = (
    "made AS MATERIALIZED (SELECT held.id, runs.model, held.case_id, held.messages, held.error, held.ended_by,"
    " (SELECT group_concat(act, ' ') FROM (SELECT DISTINCT acts.act AS act"
    " FROM calls AS own INDEXED BY calls_in_order"
    " CROSS JOIN acts ON acts.name = own.name AND acts.desk = held.desk_id"
    " WHERE own.conversation_id = held.id AND own.role = 'agent' AND own.orphan = 0 ORDER BY 1)) AS acts"
    " FROM conversations AS held JOIN runs ON runs.id = held.run_id"
    f" WHERE held.case_id IS NOT NULL AND {_CLASSED.replace('conversations.', 'held.')})"
)
_COUNTS = "(acts IS NOT NULL OR (messages > 0 AND error IS NULL AND ifnull(ended_by, '') NOT IN ('error', 'cut')))"
_FLIPS = (
    f"conversations.id IN (WITH {_ACTS}, {_CAME_OUT}, parted AS MATERIALIZED (SELECT model, case_id FROM made"
    f" WHERE {_COUNTS} GROUP BY 1, 2 HAVING count(*) > 1 AND min(ifnull(acts, '')) {{}} max(ifnull(acts, '')))"
    " SELECT made.id FROM made JOIN parted ON parted.case_id = made.case_id AND parted.model = made.model)"
)


def wrote(value: Value) -> Condition:
    """That the agent called a tool that writes, or one of a class."""
    if value.kind == "none":
        return f"NOT {_CLASSED}", ()
    if asked := _plainly(value):
        written = _WROTE.format(_WRITE)
        return (written if asked == "yes" else f"({_CLASSED} AND NOT {written})"), ()
    test, parameters = name_test("acts.act", value)
    return _WROTE.format(f"{_WRITE} AND {test}"), parameters


def handover(value: Value) -> Condition:
    """That the agent handed over to a person, or did not."""
    handed = _WROTE.format(_HANDOVER)
    return (handed if value.text == "yes" else f"({_CLASSED} AND NOT {handed})"), ()


def forbidden(value: Value) -> Condition:
    """That the agent called what the case forbids, or a class of that."""
    if value.kind == "none":
        return f"NOT {_WITH_CASE}", ()
    if asked := _plainly(value):
        fired = _FORBIDDEN.format("1")
        return (fired if asked == "yes" else f"({_WITH_CASE} AND NOT {fired})"), ()
    test, parameters = name_test("acts.act", value)
    return _FORBIDDEN.format(test), parameters


def flips(value: Value) -> Condition:
    """That the runs of the same model and case came out differently, or, where there are several, alike."""
    return _FLIPS.format("<>" if value.text == "yes" else "="), ()


def _plainly(value: Value) -> str:
    """`yes` or `no`, where one of these is asked for and no class."""
    text = value.text.lower()
    return text if value.kind == "is" and text in ("yes", "no") else ""
