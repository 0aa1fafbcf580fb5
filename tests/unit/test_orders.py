"""Orders of the queue: every column both ways, seeded at random, in groups; and the words they are typed with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.basics.errors import QueryError
from reviewer.transcripts.model import Conversation, Score
from reviewer.transcripts.query import parse
from reviewer.transcripts.query.orders import AS_STORED, SORTS, Order, complete_order, parse_order
from reviewer.transcripts.store.listings import Listing, gathered
from reviewer.transcripts.store.reader import Reader
from tests import builders


def talk(model: str, case: str, run: int, messages: int, score: float | None = None, day: int = 1) -> Conversation:
    """A conversation of so many messages."""
    said = tuple(builders.customer(f"Line {n} of {case}.") for n in range(messages))
    scores = () if score is None else (Score("reward", score),)
    return Conversation(model, said, case=case, run=run, scores=scores, started=f"2026-06-{day:02}")


TALKS = (
    talk("m10", "case-2", 1, 4, 0.5, 3),
    talk("m10", "case-10", 1, 9, None, 1),
    talk("m9", "case-2", 1, 2, 0.1, 2),
    talk("m9", "case-10", 1, 2, 0.9, 4),
    talk("m9", "case-2", 2, 7, 0.5, 5),
)


def listed(path: Path, order: str, query: str = "", **options: Any) -> list[str]:
    """References in an order."""
    with Reader(path) as reader:
        found = reader.orders.listing(parse(query).selection, parse_order(order), **options)
        assert found is not None
        return [row.ref for row in reader.rows(found.ids)]


def listing(path: Path, order: Order) -> Listing:
    """A whole listing."""
    with Reader(path) as reader:
        found = reader.orders.listing(order=order)
        assert found is not None
        return found


@pytest.mark.parametrize(
    ("order", "first"),
    [
        ("stored", "m10/case-2/1"),
        ("messages", "m10/case-10/1"),
        ("messages up", "m9/case-2/1"),
        ("score", "m9/case-2/1"),
        ("score.reward down", "m9/case-10/1"),
        ("score.REWARD", "m9/case-2/1"),
        ("date", "m9/case-2/2"),
        ("date up", "m10/case-10/1"),
        ("case", "m9/case-2/1"),
        ("case down", "m9/case-10/1"),
        ("model", "m9/case-2/1"),
    ],
)
def test_a_column_says_what_comes_first(tmp_path: Path, order: str, first: str) -> None:
    path = builders.store(tmp_path, *TALKS)
    found = listed(path, order)
    assert len(set(found)) == len(TALKS)
    assert found[0] == first if order not in ("case", "case down") else found[0].split("/")[1] == first.split("/")[1]


def test_names_are_sorted_with_numbers_as_numbers(tmp_path: Path) -> None:
    path = builders.store(tmp_path, *TALKS)
    assert [ref.split("/")[1] for ref in listed(path, "case")] == ["case-2"] * 3 + ["case-10"] * 2
    assert listed(path, "model") == ["m9/case-2/1", "m9/case-10/1", "m9/case-2/2", "m10/case-2/1", "m10/case-10/1"]


def test_what_has_no_value_comes_last_either_way(tmp_path: Path) -> None:
    path = builders.store(tmp_path, *TALKS)
    assert listed(path, "score")[-1] == listed(path, "score down")[-1] == "m10/case-10/1"


def test_ties_stay_in_the_order_of_the_store(tmp_path: Path) -> None:
    path = builders.store(tmp_path, *TALKS)
    assert listed(path, "calls") == listed(path, "stored") == listed(path, "calls up")


def test_at_random_is_the_same_for_everybody_and_another_with_another_seed(tmp_path: Path) -> None:
    talks = [talk("m", f"case-{n}", 1, 2) for n in range(40)]
    (tmp_path / "other").mkdir()
    here, there = builders.store(tmp_path, *talks), builders.store(tmp_path / "other", *reversed(talks[5:]))
    assert listed(here, "random 7") == listed(here, "random 7")
    assert listed(here, "random 7") != listed(here, "random 8")
    assert listed(here, "random 7") != listed(here, "stored")
    kept = set(listed(there, "stored"))
    assert listed(there, "random 7") == [ref for ref in listed(here, "random 7") if ref in kept]


def test_a_list_keeps_its_own_order_until_it_is_sorted(tmp_path: Path) -> None:
    path = builders.store(tmp_path, *TALKS)
    with Reader(path) as reader:
        ids = list(reader.ids())
    named = [ids[3], ids[0], ids[4]]
    assert listed(path, "stored", among=named) == ["m9/case-10/1", "m10/case-2/1", "m9/case-2/2"]
    assert listed(path, "messages", among=named) == ["m9/case-2/2", "m10/case-2/1", "m9/case-10/1"]


def test_ranks_sort_and_what_has_none_counts_as_nothing(tmp_path: Path) -> None:
    path = builders.store(tmp_path, *TALKS)
    with Reader(path) as reader:
        known = reader.orders.rowids(["m9/case-2/2", "m9/case-2/1", "nobody/x/1", "half/\ud800/1"])
    assert len(known) == 2
    ranks = {known["m9/case-2/2"]: 2, known["m9/case-2/1"]: 1}
    assert listed(path, "tags", ranks=ranks)[:2] == ["m9/case-2/2", "m9/case-2/1"]
    assert listed(path, "unread", ranks=ranks)[-2:] == ["m9/case-2/1", "m9/case-2/2"]


def test_a_filter_is_kept_and_its_models_are_told(tmp_path: Path) -> None:
    path = builders.store(tmp_path, *TALKS)
    assert len(listed(path, "messages", "model:m9")) == 3
    with Reader(path) as reader:
        one = reader.orders.listing(parse("model:m9").selection)
    assert one is not None
    assert one.models == {"m9"}
    assert listing(path, AS_STORED).models == {"m9", "m10"}


def test_groups_stand_together_in_the_order_in_which_their_first_comes(tmp_path: Path) -> None:
    path = builders.store(tmp_path, *TALKS)
    found = listing(path, Order("messages", group="case"))
    with Reader(path) as reader:
        refs = [row.ref for row in reader.rows(found.ids)]
    assert refs == ["m10/case-10/1", "m9/case-10/1", "m9/case-2/2", "m10/case-2/1", "m9/case-2/1"]
    assert list(found.starts) == [0, 2]
    assert list(listing(path, Order(group="model")).starts) == [0, 2]
    assert list(listing(path, Order(group="family")).starts) == [0]


def test_a_score_that_nobody_gave_is_said(tmp_path: Path) -> None:
    path = builders.store(tmp_path, *TALKS)
    with pytest.raises(QueryError, match="taste"):
        listed(path, "score.taste")
    (tmp_path / "bare").mkdir()
    with pytest.raises(QueryError, match="has a score"):
        listed(builders.store(tmp_path / "bare"), "score")


@given(st.lists(st.integers(0, 9), max_size=60))
def test_gathering_loses_nothing_and_keeps_the_order_within_a_group(groups: list[int]) -> None:
    known: dict[int, int] = {}
    ordinals = [known.setdefault(each, len(known)) for each in groups]
    placed, starts = gathered(range(len(groups)), ordinals, len(known))
    assert sorted(placed) == list(range(len(groups)))
    ends = [*starts[1:], len(groups)][: len(known)]
    for ordinal, (start, end) in enumerate(zip(starts, ends, strict=True)):
        assert list(placed[start:end]) == [at for at, each in enumerate(ordinals) if each == ordinal]


@pytest.mark.parametrize("name", list(SORTS))
def test_every_order_is_read_back_as_it_is_typed(name: str) -> None:
    order = Order(name, seed=7 if name == "random" else 1)
    assert parse_order(order.typed) == order
    assert order.words
    if SORTS[name].turned:
        turned = Order(name, turned=True)
        assert parse_order(turned.typed) == turned
        assert turned.words != order.words


@pytest.mark.parametrize(
    "text", ["", "colour", "messages.x", "messages 7", "random up", "unsafe 3", "score.a b", "random 7 8"]
)
def test_what_is_no_order_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(QueryError) as raised:
        parse_order(text)
    assert raised.value.hint


def test_a_scorer_is_named_behind_a_dot() -> None:
    assert parse_order('score."how kind" down') == Order("score", "how kind", turned=True)
    assert Order("score", "how kind", turned=True).typed == 'score."how kind" down'
    assert Order("score", "reward", group="case").title == "score.reward ↑ · by case"
    assert Order("random", seed=7).title == "random 7"
    assert not AS_STORED.title


def test_orders_are_completed() -> None:
    assert complete_order("m", []) == ["messages", "model"]
    assert complete_order("score.", ["reward", "how kind"]) == ["score.reward", 'score."how kind"']
    assert complete_order("messages ", []) == ["messages up", "messages down"]
    assert complete_order("random ", []) == []


def test_one_key_goes_through_the_orders_and_another_through_the_groups() -> None:
    seen, order = [], AS_STORED
    for _ in range(6):
        order = order.next()
        seen.append(order.by)
    assert seen == ["unread", "unsafe", "score", "messages", "random", "stored"]
    assert Order("unsafe").next(scored=False).by == "messages"
    assert Order("date").next().by == "stored"
    assert [order.regrouped().group, order.regrouped().regrouped().group] == ["case", "model"]
    assert (
        Order(group="model").regrouped().group == Order(group="family").regrouped().regrouped().regrouped().group == ""
    )
