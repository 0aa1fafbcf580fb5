"""The columns of a list of conversations: which there are in a store, what they say, what their cells filter by."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reviewer.app.queue.queue_line import extents, fitted, header, line, signs, slot_at
from reviewer.app.shared.line_widgets import width_of
from reviewer.app.shared.short_names import ShortNames
from reviewer.basics.errors import QueryError
from reviewer.figures.measure.row_columns import (
    COLUMNS,
    Inventory,
    band,
    columns_named,
    complete_columns,
    first_score,
    inventory,
    inventory_of,
    score_column,
    score_text,
    term_of,
    text_of,
    tokens_text,
    usual_columns,
)
from reviewer.marks.ledger import State
from reviewer.marks.row_marks import RowMarks
from reviewer.transcripts.model import Case, Conversation, QueueRow, Score, Usage
from reviewer.transcripts.query import parse
from reviewer.transcripts.query.orders import SORTS, Order
from reviewer.transcripts.store.reader import Reader
from tests import builders

SCORES = (Score("reward.actions", 0.5), Score("reward", 1.0), Score("grade", None, raw="B"))


def store(tmp_path: Path, count: int = 6) -> Path:
    """Conversations with scores, tokens and cost, one of which forbids what it does."""
    facts = Case("case-2", family="odd ones", forbidden=("cancel",))
    talks = [
        replace(
            builders.conversation(case=f"case-{number}"),
            scores=SCORES,
            usage=Usage(tokens_in=900 * number, tokens_out=100, cost=0.0123),
            facts=facts if number == 2 else None,
        )
        for number in range(1, count + 1)
    ]
    return builders.store(tmp_path, *talks)


def row(model: str = "kimi", case: str | None = "late", run: int | None = 1, opening: str = "Hi.") -> QueueRow:
    return QueueRow(1, f"{model}/{case}/{run}", model, case, run, None, None, 4, 2, 1, 0, None, None, opening)


def test_a_store_shows_the_columns_that_it_has_something_for(tmp_path: Path) -> None:
    with Reader(store(tmp_path)) as reader:
        known = inventory_of(reader)
    assert [column.name for column in usual_columns(known)] == [
        "case", "happened", "score.reward", "marks", "messages", "tokens", "cost", "opening",
    ]  # fmt: skip
    first = {column.name: text_of(column, known.rows[1]) for column in (*COLUMNS.values(), *usual_columns(known))}
    assert first["happened"] == "cancel (forbidden)"
    assert (first["score.reward"], first["tokens"], first["cost"]) == ("1", "1.9k", "0.012")
    assert first["opening"].startswith("Please cancel order #1130")
    assert known.wrote is True
    assert known.scales.keys() == {"reward", "reward.actions", "grade"}


def test_every_column_that_sorts_does_so_by_an_order_there_is() -> None:
    assert {column.sort for column in COLUMNS.values()} - {""} <= SORTS.keys()


def test_what_most_do_is_no_news_and_who_did_not_has_a_sign(tmp_path: Path) -> None:
    talks = [replace(builders.conversation(run=run), ended_by="customer-stop") for run in range(1, 12)]
    silent = builders.conversation(builders.customer("Hello?"), run=12)
    with Reader(builders.store(tmp_path, *talks, silent)) as reader:
        known = inventory_of(reader)
        few = inventory(known.rows[:3])
    texts = ["".join(text for text, _ in signs(each, known, plain=False)) for each in (known.rows[0], known.rows[-1])]
    assert [text.strip() for text in texts] == ["", "–"]
    assert (known.wrote, known.ended) == (True, "customer-stop")
    assert (few.wrote, few.ended) == (False, "")


def test_columns_are_named_completed_and_refused() -> None:
    scorers = ["reward", "odd name"]
    named = columns_named('case, score.reward,messages case score."odd name"', scorers)
    assert [column.name for column in named] == ["case", "score.reward", "messages", 'score."odd name"']
    assert [column.scorer for column in columns_named("score", ["tone", "reward"])] == ["reward"]
    with pytest.raises(QueryError, match="no column “colour”"):
        columns_named("case colour", scorers)
    with pytest.raises(QueryError, match="No score of “tone”"):
        columns_named("score.tone", scorers)
    assert complete_columns("case mess", scorers) == ["case messages"]
    assert complete_columns("score.", scorers) == ["score.reward", 'score."odd name"']
    assert "case" not in complete_columns("case ", scorers)


def test_the_score_of_the_whole_is_shown_before_its_parts() -> None:
    assert first_score(["reward.actions", "tone", "Reward"]) == "Reward"
    assert first_score(["reward.actions", "tone"]) == "tone"
    assert first_score([]) == ""


def test_numbers_are_short() -> None:
    assert [score_text(each) for each in (1.0, 0.85, 0.333333, 4096.5, "B", None, "nan", "NaN")] == [
        "1",
        "0.85",
        "0.33",
        "4096.5",
        "B",
        "",
        "-",
        "-",
    ]
    assert [tokens_text(each) for each in (None, 0, 999, 86_640)] == ["", "0", "999", "86.6k"]


@given(st.floats(0, 1), st.sampled_from([(0.0, 1.0), (0.0, 5.0)]))
def test_a_band_is_the_one_that_its_filter_lets_through(share: float, scale: tuple[float, float]) -> None:
    value = share * scale[1]
    known = Inventory(scales={"reward": scale})
    column = score_column("reward")
    terms = term_of(column, replace(row(), scores={"reward": value}), known).split()
    tests = [term.partition(":")[2] for term in terms]
    assert all(value >= float(each[2:]) if each.startswith(">=") else value < float(each[1:]) for each in tests)
    others = {band(other * scale[1], scale) for other in (0.1, 0.6, 0.9)} - {band(value, scale)}
    assert len(others) == 2


def test_a_cell_filters_by_what_it_says(tmp_path: Path) -> None:
    with Reader(store(tmp_path)) as reader:
        known = inventory_of(reader)
        here = known.rows[1]
        columns = [*columns_named("case model run happened score.reward score.grade family", known.scorers)]
        for column in columns:
            assert here.rowid in reader.ids(parse(term_of(column, here, known)).selection)
        assert len(reader.ids(parse(term_of(columns[0], here, known)).selection)) == 1
        assert term_of(columns[-1], here, known) == 'family:"odd ones"'
        assert term_of(COLUMNS["opening"], here, known) == ""


def test_a_window_of_rows_costs_three_queries(tmp_path: Path) -> None:
    with Reader(store(tmp_path, 70)) as reader:
        ids, asked = reader.ids(), list[str]()
        reader._db.set_trace_callback(asked.append)
        assert len(reader.rows(ids[:60], scored=True)) == 60
        assert len(asked) == 3
        reader.rows(ids[:60])
        assert len(asked) == 5


def test_conversations_from_everywhere_are_looked_through(tmp_path: Path) -> None:
    with Reader(store(tmp_path, 70)) as reader:
        ids = list(reader.ids())
        assert reader.spread(100) == ids
        some = reader.spread(7)
        assert len(some) == 7
        assert (some[0], some[-1]) == (ids[0], ids[-1])
    with Reader(builders.store(tmp_path, Conversation("kimi", ()), name="one.db")) as reader:
        assert len(reader.spread(7)) == 1


# -- lines -------------------------------------------------------------------------------------------------------------

PARTS = st.sampled_from(["cancel", "-", "shipped", "part-", "price-match", "1", "12", "注文", "order-", "\x1b", " "])
NAMES = st.lists(PARTS, min_size=1, max_size=9).map("".join)


@given(st.sets(NAMES, min_size=2, max_size=12), st.integers(8, 40), st.booleans(), st.booleans())
@example({"cancel-shipped", "cancel-part-shipped"}, 8, True, False)
def test_no_two_short_names_are_alike(names: set[str], width: int, known: bool, plain: bool) -> None:
    short = ShortNames(width, names if known else (), plain=plain)
    texts = [short.shown(name) for name in sorted(names)]
    assert len(set(texts)) == len(names)
    assert all(width_of([(text, "")]) <= width for text in texts)
    assert texts == [short.shown(name) for name in sorted(names)]


def test_names_are_cut_in_the_middle_of_what_they_share() -> None:
    short = ShortNames(12, ["cancel-shipped", "cancel-part-shipped", "refund-over-limit-7"])
    assert short.shown("cancel-part-shipped") == "ca…-part-…ed"
    assert short.shown("cancel-shipped") == "ca…-shipped"
    assert short.shown("refund-over-limit-7") == "refund…mit-7"


@given(
    st.sets(st.tuples(NAMES, NAMES, st.integers(1, 99)), min_size=2, max_size=8),
    st.integers(40, 200),
    st.booleans(),
    st.booleans(),
)
@example({("kimi", "cancel-shipped", 1), ("kimi", "cancel-part-shipped", 1)}, 40, True, False)
def test_two_conversations_never_print_alike(
    talks: set[tuple[str, str, int]], terminal: int, scored: bool, plain: bool
) -> None:
    scores = {"reward": 1.0} if scored else {}
    shown = [replace(row(model, case, run), scores=scores) for model, case, run in sorted(talks)]
    known = inventory(shown, ("model", "run"))
    columns = usual_columns(known)
    slots = fitted(columns, extents(columns, known, plain), terminal - 4)
    short: dict[tuple[str, int], ShortNames] = {}

    def shorten(column: str, name: str, width: int) -> str:
        return short.setdefault((column, width), ShortNames(width, plain=plain)).shown(name)

    lines = [line(each, slots, known, RowMarks(), shorten, plain) for each in shown]
    assert len({"".join(text for text, _ in bits) for bits in lines}) == len(talks)
    assert {width_of(bits) for bits in lines} == {terminal - 4}
    assert width_of(header(slots, Order(), plain)) == terminal - 4


@given(st.integers(10, 200), st.text(max_size=40), st.text(max_size=40), st.sampled_from([0, 2]), st.booleans())
def test_a_line_of_the_queue_fills_its_width(width: int, case: str, model: str, indent: int, plain: bool) -> None:
    each = replace(row(model, case, 1, "What is 注文 \u202e?"), ended_by="cut", errors=1)
    known = inventory([each], ("model", "run"))
    columns = usual_columns(known)
    slots = fitted(columns, extents(columns, known, plain), width, indent)
    marks = RowMarks(State(), "me")
    bits = line(each, slots, known, marks, lambda _, name, room: ShortNames(room, plain=plain).shown(name), plain)
    assert width_of(bits) == width
    assert slot_at(slots, slots[0].start) == slots[0]
    assert slot_at(slots, width + 9) is None
    assert sum(slot.width for slot in slots) + len(slots) - 1 + indent == width
    assert width_of(header(slots, Order(), plain)) == width


def test_signs_give_way_to_names_in_forty_columns() -> None:
    shown = [row("a-model-of-some-length", "a-case-of-some-length", run) for run in (1, 2)]
    known = inventory(shown, ("model", "run"))
    columns = usual_columns(known)
    names = {slot.column.name for slot in fitted(columns, extents(columns, known, plain=False), 36)}
    assert {"case", "model", "run"} <= names
    assert "happened" not in names


def test_judges_are_shown_to_those_who_may_see_them() -> None:
    each = replace(row(), scores={"reward": 0.25})
    known = inventory([each])
    columns = usual_columns(known)
    slots = fitted(columns, extents(columns, known, plain=False), 60)
    for judges in (True, False):
        bits = line(each, slots, known, RowMarks(judges=judges), lambda _, name, __: name, plain=False)
        assert ("0.25" in [text for text, _ in bits]) is judges
        assert width_of(bits) == 60
