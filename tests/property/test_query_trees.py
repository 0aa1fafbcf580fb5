"""A query of any shape, answered by the store, lets through what the same tree lets through when a person weighs it
conversation by conversation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reviewer.findings.questions import asked
from reviewer.marks import queues
from reviewer.marks.folder import SUPPORT
from reviewer.marks.review import Session
from reviewer.transcripts.model import Case, Conversation
from reviewer.transcripts.query import parse
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.reader import Reader
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


PLAIN: dict[str, Callable[[Facts], bool]] = {
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
OF_TAG: dict[str, Callable[[tuple[str, str, str]], bool]] = {
    "tag:warm": lambda tag: tag[1] == "warm",
    "tag:phantom-action": lambda tag: tag[1] == "phantom-action",
    "stance:clear": lambda tag: tag[2] == "clear",
}
BY = ("by:ana", "by:bo")
SCOPES = ("role:agent",)
VERDICTS = {"verdict:fail": "fail", "verdict:pass": "pass"}


@dataclass(frozen=True)
class Tree:
    """A term, or terms side by side (`all`), or alternatives (`any`)."""

    kind: str
    term: str = ""
    parts: tuple[Tree, ...] = ()
    dash: str = ""

    def __str__(self) -> str:
        return self.term or f"{self.dash}({self.inner})"

    @property
    def inner(self) -> str:
        """As it is written without parentheses around it."""
        return (" " if self.kind == "all" else " or ").join(map(str, self.parts))

    @property
    def worded(self) -> bool:
        """True if there are words to be looked for in it."""
        return self.term.lstrip("-") in WORDS or any(part.worded for part in self.parts)


terms = st.sampled_from([*PLAIN, *WORDS, *OF_TAG, *VERDICTS, *BY])
dashes = st.sampled_from(["", "-"])
leaves = st.builds(lambda dash, term: Tree("leaf", dash + term), dashes, terms) | st.sampled_from(SCOPES).map(
    lambda term: Tree("leaf", term)
)
trees = st.recursive(
    leaves,
    lambda inner: st.builds(
        Tree, st.sampled_from(["all", "any"]), st.just(""), st.lists(inner, min_size=2, max_size=3).map(tuple), dashes
    ),
    max_leaves=9,
)


def _holds(parts: Sequence[Tree], it: Facts, roles: tuple[str, ...], whose: str) -> bool:
    """Weigh what stands side by side."""
    said = [each.term for each in parts if each.term]
    named = {term.removeprefix("by:") for term in said if term in BY}
    if "role:agent" in said and any(each.worded for each in parts):
        roles = ("agent",)
    by = ("nobody" if len(named) > 1 else min(named)) if named else whose  # nobody is two people
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
            holds = name.removeprefix("by:") in (marked & {by} if named else marked)
        elif name in VERDICTS:
            holds = it.verdict == VERDICTS[name] and by in ("", "bo")
        elif name in WORDS:
            holds = any(name in it.said[role].split() for role in roles)
        else:
            holds = name in SCOPES or PLAIN[name](it)
        if holds == term.startswith("-"):
            return False
    return all(_holds_inside(each, it, roles, by) for each in parts if not each.term)


def _holds_inside(tree: Tree, it: Facts, roles: tuple[str, ...], whose: str) -> bool:
    sides = [tree.parts] if tree.kind == "all" else [(each,) for each in tree.parts]
    return any(_holds(side, it, roles, whose) for side in sides) != bool(tree.dash)


def _tags(*terms: str) -> Tree:
    return Tree("all", parts=tuple(Tree("leaf", term) for term in terms))


@example(
    Tree(
        "all",
        parts=(
            Tree("leaf", "by:ana"),
            Tree("any", parts=(_tags("tag:warm", "stance:clear"), Tree("leaf", "tag:phantom-action"))),
        ),
    )
)
@example(
    Tree(
        "all",
        parts=(Tree("leaf", "by:bo"), Tree("any", parts=(Tree("leaf", "tag:warm"), Tree("leaf", "run:2")), dash="-")),
    )
)
@example(Tree("all", parts=(Tree("leaf", "tag:warm"), _tags("stance:clear", "run:2"))))
@given(trees)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_tree_answered_by_the_store_is_the_tree_weighed_by_hand(reader: Reader, tree: Tree) -> None:
    text = str(tree) if tree.dash else tree.term or tree.inner
    query = parse(text)
    assert parse(str(query)) == query
    question = asked(query, lambda: Session(reader.path.parent / "annotations", "ana", reader.path.name))
    refs = {row.ref for row in reader.rows(reader.ids(question.selection(reader)))}
    parts = tree.parts if tree.kind == "all" and not tree.dash else (tree,)
    assert refs == {_ref(each) for each in FACTS if _holds(parts, each, ("customer", "agent"), "")}, text
