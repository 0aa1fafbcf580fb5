"""Alternatives and parentheses where not only the store answers: tags, notes, counts, hits, completion, the shell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewer.basics.errors import QueryError
from reviewer.findings.questions import asked, marked_in
from reviewer.marks.folder import SUPPORT
from reviewer.marks.review import Session
from reviewer.marks.review.note_search import in_notes
from reviewer.marks.review.sight import Sight
from reviewer.marks.terms import reviewer_is_meant, tag_is_meant, without_marks
from reviewer.transcripts.query import parse
from reviewer.transcripts.query.completion import complete
from reviewer.transcripts.query.conditions import of_group
from reviewer.transcripts.query.parser import DEEPEST
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.reader import Reader
from tests import builders
from tests.builders import agent, call, conversation, customer
from tests.forked import run
from tests.unit.test_cli import objects
from tests.unit.test_completion import Known

KIMI, GPT, LAMP = "kimi/bike/1", "gpt/bike/1", "kimi/lamp/1"


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """Three conversations; ana and bo put two modes on each of the first two, and noted something."""
    folder = tmp_path_factory.mktemp("alternatives")
    talk = (customer("A refund?"), agent("No return.", call("get_order", '{"why":"refund"}', "shipped")))
    items = [conversation(*talk, model=model, case=case) for model, case in (("kimi", "bike"), ("gpt", "bike"))]
    path = builders.store(folder, *items, conversation(customer("Hello."), agent("A refund, yes."), case="lamp"))
    with Reader(path) as reader:
        for ref in (KIMI, GPT):
            stored = reader.stored(reader.find(ref)[0])
            for by, mode, note in (("ana", "warm", "Refund asked"), ("bo", "phantom-action", "odd return")):
                Session(folder / "annotations", by, path.name, SUPPORT).tag(stored, mode, Ref(ref, 2), note=note)
        yield reader


def session(reader: Reader) -> Session:
    return Session(reader.path.parent / "annotations", "ana", reader.path.name, SUPPORT)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("tag:warm", "kimi warm, gpt warm"),
        ("tag:warm or tag:phantom-action", "kimi warm, kimi phantom-action, gpt warm, gpt phantom-action"),
        ("tag:warm or model:kimi", "kimi warm, kimi phantom-action, gpt warm"),
        ("(tag:warm model:kimi) or (by:bo model:gpt)", "kimi warm, gpt phantom-action"),
        ("-(tag:warm or model:gpt)", ""),  # no conversation of which neither holds
        ("model:* -(tag:absent model:kimi)", "kimi warm, kimi phantom-action, gpt warm, gpt phantom-action"),
        ("tag:* (by:ana or verdict:fail)", "kimi warm, gpt warm"),
        ("tag:* (hello or by:bo)", "kimi phantom-action, gpt phantom-action"),
    ],
)
def test_the_tags_that_are_meant_are_those_of_the_alternatives_that_hold(text: str, meant: str, reader: Reader) -> None:
    query, own = parse(text), session(reader)
    ids = reader.ids(asked(query, lambda: own).selection(reader))
    passing = {row.ref for row in reader.rows(ids)}
    marked = marked_in(own.folder, own.book.ledger, own.codebook, reader)
    tags = [tag for ref in (KIMI, GPT) if ref in passing for tag in own.book.ledger.state(ref).tags]
    named = {f"{tag.ref.conversation.split('/')[0]} {tag.code}" for tag in tags if tag_is_meant(query, tag, marked)}
    assert named == set(filter(None, meant.split(", ")))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("model:kimi tag:warm", "model:kimi"),
        ("model:kimi or tag:warm", ""),
        ("run:1 (model:kimi or tag:warm)", "run:1"),
        ("run:1 (model:kimi tag:warm or refund)", "run:1 (model:kimi or refund)"),
        ("run:1 -(model:kimi tag:warm)", "run:1"),
        ("run:1 -(model:kimi or tag:warm)", "run:1 -(model:kimi)"),
        ("run:1 -(model:kimi -(tag:warm))", "run:1"),
        ("queue:week -by:ana", "queue:week"),
    ],
)
def test_counts_are_of_all_that_marks_might_hold_of(text: str, left: str) -> None:
    group = without_marks(parse(text).group)
    assert group is not None
    assert str(of_group(group)) == left


def test_whose_reviews_count_follows_the_alternatives() -> None:
    for text, names in (
        ("by:ana", "ana"),
        ("by:ana or by:bo", "ana bo"),
        ("run:1 -(by:bo)", "ana cy"),
        ("", "ana bo cy"),
    ):
        assert [name for name in ("ana", "bo", "cy") if reviewer_is_meant(parse(text), name)] == names.split()


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("refund or return", {f"{KIMI}#1:2-8", f"{KIMI}#2:3-9", f"{KIMI}#2.1.arguments:8-14", f"{LAMP}#2:2-8"}),
        ("(role:agent in:text refund) or shipped", {f"{KIMI}#2.1.result:0-7", f"{LAMP}#2:2-8"}),
        ("role:agent in:text (refund or return)", {f"{KIMI}#2:3-9", f"{LAMP}#2:2-8"}),
        ("refund -(return or shipped)", {f"{LAMP}#2:2-8"}),
        ("hello or (refund role:customer)", {f"{KIMI}#1:2-8", f"{LAMP}#1:0-5"}),
    ],
)
def test_hits_are_where_each_word_is_looked_for(text: str, refs: set[str], reader: Reader) -> None:
    query = parse(f"({text}) model:kimi")
    assert {hit.ref for hit in reader.search.hits(query.selection)} == refs


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("refund or return", 4),
        ("(refund or return) model:gpt", 2),
        ("refund or (return model:gpt)", 3),
        ("asked -(refund or x)", 0),
        ("role:agent (refund or return)", 0),
        ("odd or (refund in:text)", 2),
    ],
)
def test_notes_are_searched_by_the_same_tree(text: str, count: int, reader: Reader) -> None:
    assert len(list(in_notes(reader, parse(text).selection, session(reader).book.ledger))) == count


@pytest.mark.parametrize(
    ("typed", "become"),
    [
        ("(mod", ["(model:"]),
        ("a or -(mod", ["a or -(model:"]),
        ("(run:1 or model:kimi-", ["(run:1 or model:kimi-k2"]),
        ("handover:", ["handover:yes", "handover:no"]),
    ],
)
def test_completion_goes_on_within_parentheses(typed: str, become: list[str]) -> None:
    offered = complete(typed, len(typed), Known())
    assert [typed[: each.start] + each.text for each in offered] == become


def test_words_that_the_shell_parted_keep_their_order(tmp_path: Path) -> None:
    path = builders.store(tmp_path, conversation(case="a"), conversation(case="b"), conversation(case="c"))
    for words, cases in (
        (["-case:a", "case:b", "or", "case:c"], ["b", "c"]),
        (["case:c", "or", "-case:b", "-case:c", "--json"], ["a", "c"]),
        (["-(case:a", "or", "case:b)"], ["c"]),
    ):
        said = run("list", path, *words, *([] if "--json" in words else ["--json"]))
        assert [row["case"] for row in objects(said.stdout)] == cases, said.stderr


def test_a_drawn_queue_hides_others_wherever_it_is_asked_for(reader: Reader) -> None:
    from reviewer.marks import queues

    folder = reader.path.parent / "drawn"
    queues.save(folder, queues.Queue("week", (KIMI,), "drawn"))
    for text, alone in (("queue:week", True), ("run:1 (queue:week or run:2)", True), ("-(queue:week)", False)):
        sight = Sight(folder, "ana")
        sight.read(parse(text))
        assert sight.alone == alone


@pytest.mark.parametrize(
    "inner",
    [
        "refund return",
        "flips:yes or forbidden:no",
        "meta.a.b.c.d:x or label:none",
        "source:x or score.x:>5 or -tag:warm",
    ],
)
def test_parentheses_may_stand_so_deep_and_no_deeper(inner: str, reader: Reader) -> None:
    deep = "-(run:1 " * DEEPEST + inner + ")" * DEEPEST
    shallow, own = f"run:1 ({inner})", session(reader)
    both = [asked(parse(text), lambda: own).selection(reader) for text in (deep, shallow)]
    wanted, there = (set(reader.ids(each)) for each in both)
    assert wanted == there
    hits = [{hit.ref for hit in reader.search.hits(each)} for each in both]
    assert hits[0] == hits[1]
    with pytest.raises(QueryError, match=f"more than {DEEPEST} deep"):
        parse(f"-(run:1 {deep})")
    with pytest.raises(QueryError, match="deep"):
        parse("(" * 10_000)
