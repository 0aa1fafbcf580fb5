"""Terms about what the agent did, by the desk and the case, as SQL: `wrote:`, `attempted:`, `handover:`, `forbidden:`,
`flips:`.

Owns the SELECTs. They read the columns `acts` and `outcome`, which hold what `reviewer.transcripts.desk.outcome` makes
of a conversation, so that no text is read: ` cancel=1a2b handover= ` for a cancellation that succeeded and a handover,
` !cancel=1a2b ` for one that was only attempted. `acts(text)`, which a connection of `reviewer.transcripts.store`
knows, gives a desk's tools with their classes.
"""

from __future__ import annotations

from reviewer.transcripts.query.selection import OWN_JUDGE, Value
from reviewer.transcripts.query.value_tests import Condition, name_test

_CLASSED = "conversations.outcome IS NOT NULL"
_WITH_CASE = f"({_CLASSED} AND conversations.case_id IS NOT NULL)"
_CLASSES = (
    "(SELECT DISTINCT tool.value AS act FROM desks, json_each(acts(desks.text)) AS tool WHERE tool.value <> 'read')"
)
_DONE = "instr(conversations.outcome, ' ' || act || '=') > 0"
_ATTEMPTED = "instr(conversations.acts, ' !' || act || '=') > 0"
_INTENDED = f"({_DONE} OR {_ATTEMPTED})"
_FORBIDDEN_ACTS = (
    "(SELECT each.value AS act FROM cases, json_each(iif(json_valid(cases.forbidden), cases.forbidden, '[]')) AS each"
    " WHERE cases.id = conversations.case_id)"
)
_FIRED = f"EXISTS (SELECT 1 FROM {_FORBIDDEN_ACTS} WHERE {_INTENDED} AND {{}})"
_BROKEN = "(messages = 0 OR error IS NOT NULL OR ifnull(ended_by, '') IN ('error', 'cut'))"
_RANK = "CASE lower(scorer) WHEN 'reward' THEN 0 WHEN 'resolution' THEN 1 WHEN 'score' THEN 2 ELSE 3 END"
_DECIDING = (
    f"(SELECT conversation_id, value, min({_RANK} << 40 | scores.id) >> 40 AS rank FROM scores"
    f" JOIN conversations ON conversations.id = conversation_id WHERE {OWN_JUDGE} AND ifnull(value, raw) IS NOT NULL"
    " GROUP BY conversation_id HAVING rank < 3 OR count(DISTINCT scorer) = 1)"
)
"""The deciding score of each conversation: `reward`, else `resolution`, else `score`, else the only one; by the judge
of the run where that is known."""
_FORBIDDEN_SET = (
    f"iif(cases.forbidden LIKE '%\"%', (SELECT group_concat(act) FROM (SELECT DISTINCT act FROM {_FORBIDDEN_ACTS}"
    f" WHERE {_INTENDED} ORDER BY act)), NULL)"
)
_CAME_TO = (
    f"iif({_CLASSED} AND (acts <> ' ' OR NOT {_BROKEN}), conversations.outcome || ifnull({_FORBIDDEN_SET}, ''), NULL)"
)
_PASSED = (
    "iif(deciding.value BETWEEN 0 AND 1.000001 AND (deciding.rank <> 1 OR ifnull(cases.bucket, 'resolvable') ="
    " 'resolvable'), deciding.value >= 0.999999, NULL)"
)
"""Passed or not; resolution is looked at in resolvable cases alone, as its mean on the board is."""
_COMPARED = (
    "conversations.id IN (WITH compared AS MATERIALIZED (SELECT conversations.id, runs.model, case_id, {came_to} AS"
    " came_to, {passed} AS passed FROM conversations JOIN runs ON runs.id = run_id JOIN cases ON cases.id = case_id"
    " {join}), chosen AS MATERIALIZED (SELECT model, case_id FROM compared GROUP BY 1, 2 HAVING {having})"
    " SELECT compared.id FROM compared JOIN chosen USING (model, case_id))"
)
"""The conversations of a model and case whose runs, taken together, fulfil a condition."""
_BY_ACTS = "ifnull(min(came_to) <> max(came_to), 0)"
_BY_SCORE = "ifnull(min(passed) <> max(passed), 0)"
_FLIPS = {
    "acts": _BY_ACTS,
    "score": _BY_SCORE,
    "yes": f"({_BY_ACTS} OR {_BY_SCORE})",
    "no": f"(count(came_to) > 1 OR count(passed) > 1) AND NOT {_BY_ACTS} AND NOT {_BY_SCORE}",
}


def wrote(value: Value) -> Condition:
    """That a write succeeded, or one of a class."""
    if value.kind == "none":
        return f"NOT {_CLASSED}", ()
    if asked := _plainly(value):
        return f"(conversations.outcome {'NOT ' if asked == 'yes' else ''}IN (' ', ' handover= '))", ()
    test, parameters = name_test("act", value)
    return f"EXISTS (SELECT 1 FROM {_CLASSES} WHERE act <> 'handover' AND {_DONE} AND {test})", parameters


def attempted(value: Value) -> Condition:
    """That the agent attempted an act which the tool refused, or one of a class; whether or not it succeeded later."""
    if value.kind == "none":
        return f"NOT {_CLASSED}", ()
    if asked := _plainly(value):
        return f"({_CLASSED} AND instr(conversations.acts, ' !') {'>' if asked == 'yes' else '='} 0)", ()
    test, parameters = name_test("act", value)
    return f"EXISTS (SELECT 1 FROM {_CLASSES} WHERE {_ATTEMPTED} AND {test})", parameters


def handover(value: Value) -> Condition:
    """That the agent handed over to a person, or did not."""
    return f"(instr(conversations.outcome, ' handover=') {'>' if value.text == 'yes' else '='} 0)", ()


def forbidden(value: Value) -> Condition:
    """That the agent did or attempted what the case forbids, or a class of that."""
    if value.kind == "none":
        return f"NOT {_WITH_CASE}", ()
    if asked := _plainly(value):
        fired = _FIRED.format("1")
        return (fired if asked == "yes" else f"({_WITH_CASE} AND NOT {fired})"), ()
    test, parameters = name_test("act", value)
    return _FIRED.format(test), parameters


def flips(value: Value) -> Condition:
    """That runs of one model and case differ: in their outcome (`acts`), in passing (`score`), in either (`yes`); or
    that there are several and they differ in neither (`no`).
    """
    join = "" if value.text == "acts" else f"LEFT JOIN {_DECIDING} AS deciding ON conversation_id = conversations.id"
    came_to = "NULL" if value.text == "score" else _CAME_TO
    passed = _PASSED if join else "NULL"
    return _COMPARED.format(came_to=came_to, passed=passed, join=join, having=_FLIPS[value.text]), ()


def _plainly(value: Value) -> str:
    """`yes` or `no`, where one of these is asked for and no class."""
    text = value.text.lower()
    return text if value.kind == "is" and text in ("yes", "no") else ""
