"""Terms about what the agent did: by the desk and the case, from indexes alone; and what is said where none is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.basics.errors import QueryError
from reviewer.figures.measure import repeats
from reviewer.transcripts.model import Case, Conversation, Score
from reviewer.transcripts.query import parse
from reviewer.transcripts.query.absence import unknown
from reviewer.transcripts.query.fields import FIELDS
from reviewer.transcripts.query.meanings import _MEANT, fields_meant
from reviewer.transcripts.store.reader import Reader
from tests.builders import agent, call, conversation, customer, store

FORBIDS = Case("a", forbidden=("cancel",))
DESK_TERMS = (
    *("wrote:yes", "wrote:no", "wrote:cancel", "attempted:yes", "attempted:cancel", "handover:no"),
    *("forbidden:yes", "forbidden:no", "flips:yes", "flips:acts"),
)


def talk(*tools: str, case: str = "a", run: int = 1, orphan: bool = False) -> Conversation:
    """A conversation in which the agent called these tools."""
    calls = [replace(call(tool), orphan=orphan) for tool in tools]
    said = conversation(customer("Cancel it."), agent("Cancelled.", *calls), case=case, run=run)
    return replace(said, facts=FORBIDS if case == "a" else Case(case))


def listed(path: Path, query: str) -> set[str]:
    with Reader(path) as reader:
        return {row.ref.removeprefix("kimi/") for row in reader.rows(reader.ids(parse(query).selection))}


@pytest.mark.parametrize(
    ("query", "refs"),
    [
        ("wrote:cancel", "a/1 b/1"),
        ("wrote:CAN*", "a/1 b/1"),
        ('wrote:"Cancel"', ""),
        ("wrote:yes", "a/1 b/1"),
        ("wrote:no", "a/2 a/3 b/2 c/1 c/2"),
        ("wrote:handover", ""),
        ("wrote:none", ""),
        ("handover:yes", "a/2"),
        ("handover:no wrote:no", "a/3 b/2 c/1 c/2"),
        ("forbidden:yes", "a/1"),
        ("forbidden:cancel,refund", "a/1"),
        ("forbidden:handover", ""),
        ("forbidden:no", "a/2 a/3 b/1 b/2 c/1 c/2"),
        ("flips:yes", "a/1 a/2 a/3"),
        ("flips:acts", "a/1 a/2 a/3"),
        ("flips:score", ""),
        ("flips:no", "c/1 c/2"),  # the second run of b broke off, so there is but one
        ("wrote:no role:agent cancelled", "a/2 a/3 b/2 c/1 c/2"),
        ("wrote:cancel or handover:yes", "a/1 a/2 b/1"),
        ("-(wrote:cancel or handover:yes) case:a", "a/3"),
    ],
)
def test_each_term_lets_through_what_the_agent_did(query: str, refs: str, tmp_path: Path) -> None:
    path = store(
        tmp_path,
        talk("get_order", "cancel_order"),
        talk("hand_over", run=2),
        talk("cancel_order", run=3, orphan=True),  # a result without a call is no act
        talk("cancel_order", case="b"),
        replace(talk(case="b", run=2), ended_by="error"),
        talk("get_order", case="c"),
        talk(case="c", run=2),
    )
    assert listed(path, query) == set(refs.split())


def test_a_failed_call_of_what_is_forbidden_counts_by_intent(tmp_path: Path) -> None:
    tried = replace(call("cancel_order"), result=None, error="not allowed")
    path = store(tmp_path, replace(conversation(customer("Hi."), agent("No.", tried), case="a"), facts=FORBIDS))
    assert listed(path, "forbidden:yes") == {"a/1"}


def test_a_refused_write_is_attempted_not_written(tmp_path: Path) -> None:
    refused = call("cancel_order", result="Error: not pending")
    tried = conversation(customer("Hi."), agent("Trying.", refused), case="b")
    both = conversation(customer("Hi."), agent("Trying.", refused, call("cancel_order")), case="b", run=2)
    path = store(tmp_path, tried, both)
    assert listed(path, "wrote:cancel") == listed(path, "wrote:yes") == {"b/2"}
    assert listed(path, "attempted:cancel") == listed(path, "attempted:yes") == {"b/1", "b/2"}
    assert listed(path, "attempted:no") == set()
    assert listed(path, "attempted:cancel wrote:no") == {"b/1"}
    assert listed(path, "error:yes") == {"b/1", "b/2"}
    assert listed(path, "flips:acts") == {"b/1", "b/2"}


def test_runs_flip_by_score_where_one_passed_and_another_failed(tmp_path: Path) -> None:
    def scored(case: str, run: int, *values: float | None) -> Conversation:
        named = zip(("reward", "resolution"), values, strict=False)
        scores = tuple(Score(scorer, value) for scorer, value in named if value is not None)
        return replace(talk(case=case, run=run), scores=scores)

    path = store(
        tmp_path,
        *(scored("a", 1, 1.0), scored("a", 2, 0.0)),
        *(scored("b", 1, 1.0, 0.0), scored("b", 2, 1.0, 1.0)),  # reward decides
        *(scored("c", 1, None, 1.0), scored("c", 2, None, 0.0)),
        *(scored("d", 1, 4.0), scored("d", 2, 1.0)),  # of 4 nothing is concluded
        *(scored("e", 1, 1.0), talk(case="e", run=2)),
        *(scored("f", 1, 0.4), scored("f", 2, 1.0)),
    )
    assert listed(path, "flips:score") == {"a/1", "a/2", "c/1", "c/2", "f/1", "f/2"} == listed(path, "flips:yes")
    assert listed(path, "flips:no") == {"b/1", "b/2", "d/1", "d/2", "e/1", "e/2"}
    with Reader(path) as reader:
        for case, wanted in zip("abcdef", (True, False, True, False, False, True), strict=True):
            rows = reader.rows(reader.runs_of("kimi", case), scored=True)
            assert repeats.differ(repeats.verdict(row.scores, row.bucket) for row in rows) == wanted


def test_another_argument_is_a_flip_by_acts_alone(tmp_path: Path) -> None:
    runs = [
        conversation(customer("Hi."), agent("Done.", call("cancel_order", arguments)), case="b", run=run)
        for run, arguments in enumerate(('{"order_id": "1"}', '{"order_id": "2"}'), start=1)
    ]
    path = store(tmp_path, *runs)
    assert listed(path, "flips:acts") == listed(path, "flips:yes") == {"b/1", "b/2"}
    assert listed(path, "flips:score") == listed(path, "flips:no") == set()


@pytest.mark.parametrize("query", DESK_TERMS)
def test_no_text_is_read_to_answer(query: str, tmp_path: Path) -> None:
    path = store(tmp_path, talk("cancel_order"))
    with Reader(path) as reader:
        where, parameters = reader.search.where(parse(query).selection)
        plan = reader._all(f"EXPLAIN QUERY PLAN SELECT id FROM conversations{where}", parameters)
        tables = {row[3].split()[1] for row in plan if row[3].startswith(("SCAN", "SEARCH"))}
    assert tables
    assert not tables & {"messages", "calls"}


@pytest.mark.parametrize("query", DESK_TERMS)
def test_without_a_desk_they_find_nothing_and_say_so(query: str, tmp_path: Path) -> None:
    path = store(tmp_path, talk("cancel_order"), desk=False)
    assert listed(path, query) == set()
    with Reader(path) as reader:
        said = unknown(parse(f"{query} flips:no"), reader.vocabulary, reader.orders.scorers)
    named = "flips: finds" if query.startswith("flips") else f"{query.partition(':')[0]}: and flips: find"
    assert said == [f"No desk here says what tools do, so {named} nothing.", "`reviewer desk --init` drafts one."]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("wrote:cancelled", "No kind of write here is “cancelled”. Did you mean cancel?"),
        ("wrote:refund", "No kind of write here is “refund”; known: cancel."),
        ("wrote:escalated", "“escalated” is no kind of write. Did you mean handover:yes?"),
        ("wrote:handover", "“handover” is no kind of write. Did you mean handover:yes?"),
        ("forbidden:refund", "No forbidden act here is “refund”; known: cancel."),
    ],
)
def test_what_the_desk_does_not_know_is_said_with_what_is_meant(query: str, said: str, tmp_path: Path) -> None:
    with Reader(store(tmp_path, talk("cancel_order"))) as reader:
        assert unknown(parse(query), reader.vocabulary, reader.orders.scorers) == [said]


def test_a_store_of_one_run_each_says_that_nothing_can_flip(tmp_path: Path) -> None:
    with Reader(store(tmp_path, talk("cancel_order"), talk(case="b"))) as reader:
        (said,) = unknown(parse("flips:yes"), reader.vocabulary, reader.orders.scorers)
    assert said == "No model went through a case twice here, so flips: finds nothing."


def test_cases_that_forbid_nothing_and_stores_without_cases_say_so(tmp_path: Path) -> None:
    for number, (case, said) in enumerate([("b", "No case here says what it forbids"), (None, "Nothing here names a")]):
        item = conversation(case=case)
        with Reader(store(tmp_path, item, name=f"{number}.db")) as reader:
            (sentence,) = unknown(parse("forbidden:yes"), reader.vocabulary, reader.orders.scorers)
        assert sentence.startswith(said)


@pytest.mark.parametrize(
    ("query", "offers"),
    [
        ("status:done", "ended: or verdict:?"),
        ("outcome:x", "wrote: or handover:yes or score.NAME:?"),
        ("result:x", "in:result"),
        ("reviewer:ana", "by:?"),
        ("reviwer:ana", "by:?"),
        ("rating:5", "score.NAME: or verdict:?"),
        ("refund:yes", "wrote:refund?"),
        ("escalated:yes", "handover:yes?"),
        ("cancelled:yes", "wrote:cancel?"),
        ("agent:kimi", "role:agent or model:?"),
        ("who:ana", "by: or role:?"),
        ("modle:kimi", "model:?"),
        ("role:bot", "role:agent?"),
        ("role:user", "role:customer?"),
        ("error:true", "error:yes?"),
        ("handover:n", "handover:no?"),
    ],
)
def test_what_is_near_in_meaning_is_offered_before_what_is_near_in_letters(query: str, offers: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(query)
    assert offers in caught.value.hint


def test_all_that_is_offered_is_of_the_language() -> None:
    usages = {field.usage for field in FIELDS.values()} | {"score.NAME@JUDGE:", "score.reward:"}
    for word in _MEANT:
        assert word not in FIELDS
        for offer in fields_meant(word):
            assert offer in usages or parse(f"{offer} word").terms
