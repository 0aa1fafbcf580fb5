"""The terms of a query that are about reviews (`tag:`, `by:`, `verdict:` ...), answered from the ledger.

Owns what each of them means. Several terms about tags that stand side by side must hold of one tag; `by:` says whose
marks count, in the parentheses beside it too; what is said of a case across its runs holds for each of its runs. The
answer goes to the store as references, since only there is it known which conversations exist.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial

from reviewer.marks.codebook import Codebook
from reviewer.marks.ledger import EMPTY, Ledger, State
from reviewer.transcripts.model import Tag
from reviewer.transcripts.query import Query, Selection, Term, TermGroup, Value
from reviewer.transcripts.query.conditions import of_group, selection
from reviewer.transcripts.query.selection import OF_FINDINGS, Alternatives, Truth, alike

_OF_TAG = ("tag", "stance", "exemplar", "note")
Condition = tuple[str, tuple[str, ...]]
"""A condition of the store, and its parameters."""
RunsOf = Callable[[str], Collection[str]]
"""The references of a case's runs."""


@dataclass(frozen=True, slots=True)
class MarkSources:
    """All that terms about marks and suggestions are answered from: ledger, codebook, queues, and the suggestions."""

    ledger: Ledger
    codebook: Codebook
    queues: Mapping[str, Callable[[], Collection[str]]]
    """Name of a queue to what reads its references: a damaged one is no matter to those who do not ask for it."""
    runs_of: RunsOf
    passing: Callable[[Query], Set[str]]
    """The references of the conversations that a query lets through."""
    suggested: Callable[[Sequence[Term]], Condition]
    """The condition that terms about suggestions set."""


def narrowed(query: Query, marked: MarkSources) -> Selection:
    """The query's selection with its terms about reviews answered, ready for the store."""
    if not query.ledger:
        return query.selection
    return selection(_with_whose(query.group), partial(_condition, marked))


def _condition(marked: MarkSources, terms: Sequence[Term]) -> Condition:
    tests, parameters = [], list[str]()
    suggested = [term for term in terms if term.field in OF_FINDINGS]
    if suggested:
        test, values = marked.suggested(suggested)
        tests.append(test)
        parameters += values
    if said := [term for term in terms if term not in suggested]:
        refs, inside = answer(said, marked)
        tests.append(f"conversations.ref {'' if inside else 'NOT '}IN (SELECT value FROM json_each(?))")
        parameters.append(json.dumps(sorted(refs)))
    return " AND ".join(tests), tuple(parameters)


def _with_whose(group: TermGroup, around: tuple[Term, ...] = ()) -> TermGroup:
    """The group with `by:` said again in the parentheses beside it, where nobody else is named."""
    own = tuple(term for term in group.terms if _names_reviewers(term))
    about_marks = any(term.field in (*_OF_TAG, "verdict", "reviewed") for term in group.terms)
    terms = group.terms if own or not about_marks else (*group.terms, *around)
    choices = (
        replace(choice, groups=tuple(_with_whose(each, own or around) for each in choice.groups))
        for choice in group.choices
    )
    return replace(group, terms=terms, choices=tuple(choices))


def answer(terms: Sequence[Term], marked: MarkSources) -> tuple[set[str], bool]:
    """The references for which the terms hold (True), or, where that is nearly all, those for which not (False)."""
    ledger = marked.ledger
    queued = {ref for term in terms if term.field == "queue" for ref in _queued(term, marked.queues)}
    cases = {ref for ref in ledger.conversations() if _is_case(ledger.brief(ref))}
    of_case = {run: case for case in cases for run in marked.runs_of(case)}
    known = (set(ledger.conversations()) - cases) | queued | of_case.keys()
    outside = holds(terms, "", EMPTY, marked)
    differing = {
        ref
        for ref in known
        if holds(terms, ref, _with_case(ledger.brief(ref), ledger.brief(of_case.get(ref, ""))), marked) != outside
    }
    return differing, not outside


def holds(terms: Sequence[Term], ref: str, state: State, marked: MarkSources) -> bool:
    """True if all terms hold of one conversation."""
    whose = [term for term in terms if _names_reviewers(term)]
    state = _marks_of(state, whose)
    joint = [term for term in terms if term.field in _OF_TAG and not term.negated and not _asks_for_none(term)]
    others = [term for term in terms if term not in joint]
    if joint and not any(all(_tag_is(term, tag, marked.codebook) for term in joint) for tag in state.tags):
        return False
    return all(_term_holds(term, ref, state, marked) != term.negated for term in others)


def tag_is_meant(query: Query, tag: Tag, marked: MarkSources) -> bool:
    """True if one tag, of a conversation that the query lets through, is what its terms about tags ask for.

    Terms about conversations have a say where they are one of several alternatives.
    """

    def own(group: TermGroup) -> Truth:
        for term in group.terms:
            if term.field == "by" and term.matches(tag.by) == term.negated:
                return False
            if term.field in _OF_TAG and _tag_is(term, tag, marked.codebook) == term.negated:
                return False
        return group is query.group or passes(group, (*_OF_TAG, "by"), tag.ref.conversation, marked)

    return query.group.weighed(own) is not False


def passes(group: TermGroup, fields: Collection[str], ref: str, marked: MarkSources) -> bool:
    """True if a conversation, or a run of a case, passes what a group asks for in other fields than these."""
    terms = tuple(term for term in group.terms if term.field not in fields)
    if not terms and not group.texts:
        return True
    passing = marked.passing(of_group(TermGroup(terms, group.texts)))
    return ref in passing or not passing.isdisjoint(marked.runs_of(ref))


def reviewer_is_meant(query: Query, name: str) -> bool:
    """True if what the query says of reviewers lets this one pass."""

    def own(group: TermGroup) -> Truth:
        if any(term.field == "by" and term.matches(name) == term.negated for term in group.terms):
            return False
        said = all(term.field == "by" for term in group.terms) and not group.texts
        return True if said else None

    return query.group.weighed(own) is not False


def without_marks(group: TermGroup, wanted: bool = True) -> TermGroup | None:
    """The conversations that a query is about, whatever was marked in them; None for none at all.

    What is asked of marks might hold of any conversation, and might not.
    """
    terms = tuple(term for term in group.terms if not term.of_reviews or term.field in ("queue", *OF_FINDINGS))
    if len(terms) < len(group.terms) and not wanted:
        return None
    choices: list[Alternatives] = []
    for choice in group.choices:
        sides = [without_marks(each, wanted != choice.negated) for each in choice.groups]
        left = tuple(each for each in sides if each is not None)
        if TermGroup() in left or not left:  # holds always, or never
            if (TermGroup() in left) == choice.negated:
                return None
            continue
        choices.append(replace(choice, groups=left))
    return TermGroup(terms, group.texts, tuple(choices))


def _term_holds(term: Term, ref: str, state: State, marked: MarkSources) -> bool:
    if term.field == "by":
        names = {tag.by for tag in state.tags} | state.verdicts.keys() | state.reviewed.keys()
        return _any(term, names)
    if term.field == "verdict":
        return _any(term, set(state.verdicts.values()))
    if term.field == "reviewed":
        how_far = ("yes", state.extent) if state.reviewed else ("no",)
        return any(value.text.lower() in how_far for value in term.values) or _any(term, set(state.reviewed))
    if term.field == "queue":
        return ref in _queued(term, marked.queues)
    none = _asks_for_none(term) and not any(_bears(term.field, tag) for tag in state.tags)
    return none or any(_tag_is(term, tag, marked.codebook) for tag in state.tags)


def _names_reviewers(term: Term) -> bool:
    return term.field == "by" and not term.negated and not _asks_for_none(term)


def _any(term: Term, names: Collection[str]) -> bool:
    return any(term.matches(name) for name in names) if names else term.matches(None)


def _asks_for_none(term: Term) -> bool:
    return any(value.kind == "none" or (term.field == "exemplar" and value.text == "no") for value in term.values)


def _bears(field: str, tag: Tag) -> bool:
    bearing = {"tag": tag.code, "stance": tag.stance, "note": tag.note, "exemplar": tag.exemplar}
    return bool(bearing[field])


def _tag_is(term: Term, tag: Tag, codebook: Codebook) -> bool:
    if term.field == "tag":
        mode = codebook.mode(tag.code)
        names = (tag.code, mode.code, *mode.was) if mode else (tag.code,)
        return any(term.matches(name) for name in names if name)
    if term.field == "stance":
        return bool(tag.stance) and term.matches(tag.stance)
    if term.field == "exemplar":
        return any((value.text == "yes") == tag.exemplar for value in term.values)
    return bool(tag.note) and any(_in_note(value, tag.note) for value in term.values)


def _in_note(value: Value, note: str) -> bool:
    if value.kind == "exactly":
        return value.text in note
    return value.matches(note) or (value.kind == "is" and alike(value.text) in alike(note))


def _queued(term: Term, queues: Mapping[str, Callable[[], Collection[str]]]) -> set[str]:
    return {ref for name, refs in queues.items() if term.matches(name) for ref in refs()}


def _marks_of(state: State, whose: Sequence[Term]) -> State:
    """Only the marks of the reviewers that `by:` names."""
    if not whose:
        return state

    def counts(name: str) -> bool:
        return all(term.matches(name) for term in whose)

    return replace(
        state,
        tags=tuple(tag for tag in state.tags if counts(tag.by)),
        verdicts={by: verdict for by, verdict in state.verdicts.items() if counts(by)},
        reviewed={by: done for by, done in state.reviewed.items() if counts(by)},
    )


def _is_case(state: State) -> bool:
    """True if these marks are a case's: what is said of a conversation bears its digest."""
    return any(not tag.digest for tag in state.tags)


def _with_case(state: State, case: State) -> State:
    return replace(state, tags=(*case.tags, *state.tags)) if case.tags else state
