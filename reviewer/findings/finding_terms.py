"""The terms of a query that are about suggestions (`finding:`, `certain:`, `read:`), answered from the findings.

Owns what each of them means. Those that stand side by side must hold of one finding. A finding counts while what it is
about has not changed and nobody rejected it, unless somebody else accepted it. `none` is what reads went through
without a suggestion; what no read has seen is neither that nor the other. The answer goes to the store as rows.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from reviewer.findings.finding_lookup import FindingLookup, HeldFinding
from reviewer.marks.codebook import Codebook
from reviewer.marks.ledger import Ledger
from reviewer.marks.terms import Condition, MarkSources, passes
from reviewer.transcripts.query import Query, Term, TermGroup, Value
from reviewer.transcripts.query.selection import OF_FINDINGS, Truth

_ANY = ("yes", "any")
_NONE = ("no", "none")
Allowed = Mapping[str, Collection[str]]
"""What a field of a finding may be, for the fields that are asked for."""


def condition(terms: Sequence[Term], findings: FindingLookup, ledger: Ledger, codebook: Codebook) -> Condition:
    """The condition that all of these terms hold of a conversation."""
    joint = [term for term in terms if not term.negated and not _asks_for_none(term)]
    sides = ([joint] if joint else []) + [[term] for term in terms if term not in joint]
    tests = [f"conversations.id {'NOT ' * side[0].negated}IN (SELECT value FROM json_each(?))" for side in sides]
    rowids = [_rowids(side, findings, ledger, codebook) for side in sides]
    return " AND ".join(tests), tuple(json.dumps(sorted(each)) for each in rowids)


def suggestion_is_meant(query: Query, ref: str, names: Mapping[str, str], marked: MarkSources) -> bool:
    """True if one suggestion, about a conversation that the query lets through, is what its terms about them ask for.

    `names` holds what the suggestion has in each field: `finding` (its mode), `read`, `certain` (yes or no). Terms
    about conversations have a say where they are one of several alternatives.
    """

    def own(group: TermGroup) -> Truth:
        for term in group.terms:
            if term.field in OF_FINDINGS and is_of(term, names, marked.codebook) == term.negated:
                return False
        return group is query.group or passes(group, OF_FINDINGS, ref, marked)

    return query.group.weighed(own) is not False


def _rowids(side: Sequence[Term], findings: FindingLookup, ledger: Ledger, codebook: Codebook) -> set[int]:
    """The conversations with one finding of which all these terms hold, or without any where the one term says so."""
    rowids: set[int] = set()
    if _asks_for_none(side[0]):
        rowids = findings.scanned() - _about(findings.held({}), ledger)
        some = tuple(value for value in side[0].values if not _is_none(value))
        if not some:
            return rowids
        side = [replace(side[0], values=some)]
    allowed: dict[str, set[str]] = {}
    for term in side:
        names = _names(term, findings, codebook)
        if names is not None:
            allowed[term.field] = allowed.get(term.field, names) & names
    return rowids | _about(findings.held(allowed), ledger)


def _names(term: Term, findings: FindingLookup, codebook: Codebook) -> set[str] | None:
    """What a term allows of what there is; None where it asks for any."""
    if term.field == "certain":
        return {value.text for value in term.values}
    if any(value.kind == "is" and value.text.lower() in _ANY for value in term.values):
        return None
    if term.field == "read":
        return set(filter(term.matches, findings.reads()))
    return {name for name in findings.modes() if any(map(term.matches, _called(name, codebook)))}


def is_of(term: Term, names: Mapping[str, str], codebook: Codebook) -> bool:
    """True if one of a term's values is what a finding has in that field: `finding` (its mode), `read`, `certain`."""
    name = names[term.field]
    if term.field != "certain" and any(value.kind == "is" and value.text.lower() in _ANY for value in term.values):
        return True
    return any(map(term.matches, _called(name, codebook) if term.field == "finding" else (name,)))


def _called(name: str, codebook: Codebook) -> tuple[str, ...]:
    """All that a mode is and was called."""
    mode = codebook.mode(name)
    return (name, mode.code, *mode.was) if mode else (name,)


def _about(held: Sequence[HeldFinding], ledger: Ledger) -> set[int]:
    """The conversations that these findings are about, without those findings that were rejected."""
    refs = {each.ref for each in held}
    gone: set[tuple[str, str]] = set()
    for ref in ledger.conversations():
        case = ref.rpartition("/")[0]  # what is suggested of a case may be decided in one of its runs
        about = refs.intersection((ref, case))
        if about:
            gone.update((each, identity) for identity in ledger.brief(ref).turned_down for each in about)
    return {rowid for each in held if (each.ref, each.identity) not in gone for rowid in each.rowids}


def _asks_for_none(term: Term) -> bool:
    return term.field != "certain" and any(map(_is_none, term.values))


def _is_none(value: Value) -> bool:
    return value.kind == "none" or (value.kind == "is" and value.text.lower() in _NONE)
