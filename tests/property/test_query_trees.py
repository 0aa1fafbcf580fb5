"""A query of any shape, answered by the store, lets through what the same tree lets through when a person weighs it
conversation by conversation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewer.annotations import queues
from reviewer.annotations.folder import SUPPORT
from reviewer.model import Case, Conversation
from reviewer.query import parse
from reviewer.refs import Ref
from reviewer.session import Session
from reviewer.session.questions import asked
from reviewer.store.reader import Reader
from tests import builders
from tests.builders import agent, call, customer

Tags = list[tuple[str, str, str]]
"""By whom, which mode, and its stance."""


@dataclass
class Facts:
    """What a person knows of one conversation."""

    model: str
    run: int
    case: str
    said: dict[str, str]
    """Role to all that it said."""
    acts: set[str]
    tags: Tags = field(default_factory=list)
    queued: bool = False
    verdict: str = ""


FORBIDS = {"c1": ("cancel",), "c2": ("handover",)}
SAID = [
    ("kimi", 1, "c1", "please refund it", "done", ("cancel_order",)),
    ("kimi", 2, "c1", "please cancel", "no refund today", ()),
    ("kimi", 1, "c2", "hello", "refund done", ("hand_over", "get_order")),
    ("kimi", 2, "c2", "hello", "i hand you over", ("hand_over",)),
    ("gpt", 1, "c1", "refund or not", "yes", ("get_order",)),
    ("gpt", 2, "c1", "hello", "done", ()),
    ("gpt", 1, "c2", "please", "done", ("cancel_order",)),
    ("gpt", 2, "c2", "hello refund", "refund", ("cancel_order", "hand_over")),
]
ACTS = {"cancel_order": "cancel", "hand_over": "handover"}
FACTS = [
    Facts(model, run, case, {"customer": asks, "agent": says}, {ACTS[each] for each in tools if each in ACTS})
    for model, run, case, asks, says, tools in SAID
]
FACTS[0].tags, FACTS[0].verdict = [("ana", "warm", "clear"), ("bo", "phantom-action", "debatable")], "fail"
FACTS[1].tags = [("ana", "warm", "debatable"), ("ana", "phantom-action", "clear")]
FACTS[4].tags, FACTS[4].verdict = [("bo", "warm", "clear")], "pass"
FACTS[6].queued = FACTS[0].queued = True


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """The store that holds these conversations, with the marks of two people."""
    folder = tmp_path_factory.mktemp("trees")
    items = [
        Conversation(
            model, (customer(asks), agent(says, *map(call, tools))), case=case, run=run,
            facts=Case(case, forbidden=FORBIDS[case]),
        )
        for model, run, case, asks, says, tools in SAID
    ]  # fmt: skip
    path = builders.store(folder, *items)
    with Reader(path) as reader:
        for each in FACTS:
            stored = reader.stored(reader.find(_ref(each))[0])
            for by, mode, stance in each.tags:
                Session(folder / "annotations", by, path.name, SUPPORT).tag(
                    stored, mode, Ref(stored.ref, 2), stance=stance
                )
            if each.verdict:
                Session(folder / "annotations", "bo", path.name, SUPPORT).verdict(stored, each.verdict)
        queued = tuple(_ref(each) for each in FACTS if each.queued)
        queues.save(folder / "annotations", queues.Queue("week", queued, "picked"))
        yield reader


def _ref(facts: Facts) -> str:
    return f"{facts.model}/{facts.case}/{facts.run}"


def _flips(facts: Facts) -> bool:
    return len({frozenset(each.acts) for each in FACTS if (each.model, each.case) == (facts.model, facts.case)}) > 1


PLAIN = {
    "model:kimi": lambda it: it.model == "kimi",
    "run:2": lambda it: it.run == 2,
    "case:c1": lambda it: it.case == "c1",
    "wrote:cancel": lambda it: "cancel" in it.acts,
    "wrote:no": lambda it: not it.acts - {"handover"},
    "handover:yes": lambda it: "handover" in it.acts,
    "forbidden:yes": lambda it: bool(it.acts & set(FORBIDS[it.case])),
    "forbidden:handover": lambda it: it.case == "c2" and "handover" in it.acts,
    "flips:yes": _flips,
    "flips:no": lambda it: not _flips(it),
    "queue:week": lambda it: it.queued,
}
WORDS = ("refund", "hello", "done")
OF_TAG = {
    "tag:warm": lambda tag: tag[1] == "warm",
    "tag:phantom-action": lambda tag: tag[1] == "phantom-action",
    "stance:clear": lambda tag: tag[2] == "clear",
}
BY = ("by:ana", "by:bo")
SCOPES = ("role:agent",)
VERDICTS = {"verdict:fail": "fail", "verdict:pass": "pass"}

Tree = tuple[str, str] | tuple[str, list["Tree"], str]
leaves = st.tuples(
    st.just("leaf"),
    st.builds(
        lambda dash, term: "-" * dash + term,
        st.booleans(),
        st.sampled_from([*PLAIN, *WORDS, *OF_TAG, *VERDICTS, *BY]),
    )
    | st.sampled_from(SCOPES),
)
trees = st.recursive(
    leaves,
    lambda inner: st.tuples(
        st.sampled_from(["all", "any"]), st.lists(inner, min_size=2, max_size=3), st.sampled_from(["", "-"])
    ),
    max_leaves=9,
)


def _written(tree: Tree, inside: str = "") -> str:
    if tree[0] == "leaf":
        return tree[1]
    inner = (" " if tree[0] == "all" else " or ").join(_written(each, tree[0]) for each in tree[1])
    return f"{tree[2]}({inner})" if tree[2] or inside else inner


def _words_in(tree: Tree) -> bool:
    return tree[1].lstrip("-") in WORDS if tree[0] == "leaf" else any(map(_words_in, tree[1]))


def _side_by_side(tree: Tree) -> list[Tree]:
    """What stands beside one another: the parts of a group that is not in parentheses, or one thing alone."""
    return list(tree[1]) if tree[0] == "all" and not tree[2] else [tree]


def _holds(parts: list[Tree], it: Facts, roles: tuple[str, ...], whose: str) -> bool:
    """Weigh what stands side by side."""
    said = [each[1] for each in parts if each[0] == "leaf"]
    named = [term.removeprefix("by:") for term in said if term in BY]
    scoped = "role:agent" in said and any(map(_words_in, parts))
    roles = ("agent",) if scoped and "agent" in roles else () if scoped else roles
    # Nobody is two people.
    by = (named[0] if len(set(named)) == 1 else "nobody") if named else whose
    tags = [tag for tag in it.tags if by in ("", tag[0])]
    marked = {tag[0] for tag in it.tags} | ({"bo"} if it.verdict else set())
    joint = [OF_TAG[term] for term in said if term in OF_TAG]
    if joint and not any(all(test(tag) for test in joint) for tag in tags):
        return False
    for term in said:
        name = term.removeprefix("-")
        if name in OF_TAG:
            holds = term == name or any(map(OF_TAG[name], tags))
        elif name in BY:
            own = marked if not named else marked & {by}
            holds = name.removeprefix("by:") in own
        elif name in VERDICTS:
            holds = it.verdict == VERDICTS[name] and by in ("", "bo")
        elif name in WORDS:
            holds = any(name in it.said[role].split() for role in roles)
        else:
            holds = True if name in SCOPES else PLAIN[name](it)
        if holds == term.startswith("-"):
            return False
    return all(_holds_inside(each, it, roles, by) for each in parts if each[0] != "leaf")


def _holds_inside(tree: Tree, it: Facts, roles: tuple[str, ...], whose: str) -> bool:
    if tree[0] == "all":
        return _holds(list(tree[1]), it, roles, whose) != bool(tree[2])
    return any(_holds(_alternative(each), it, roles, whose) for each in tree[1]) != bool(tree[2])


def _alternative(tree: Tree) -> list[Tree]:
    """One side of an `or`: parentheses around the whole of it say nothing more."""
    return [tree] if tree[0] == "any" else _side_by_side(tree)


@given(trees)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_tree_answered_by_the_store_is_the_tree_weighed_by_hand(reader: Reader, tree: Tree) -> None:
    text = _written(tree)
    query = parse(text)
    assert parse(str(query)) == query
    question = asked(query, lambda: Session(reader.path.parent / "annotations", "ana", reader.path.name))
    refs = {row.ref for row in reader.rows(reader.ids(question.selection(reader)))}
    parts = _side_by_side(tree)
    assert refs == {_ref(each) for each in FACTS if _holds(parts, each, ("customer", "agent"), "")}, text
