"""What is known of a case, above the first message: what stands in the one line, and what opens below it."""

from __future__ import annotations

from dataclasses import replace

from reviewer.app.layout import View, text_of
from reviewer.app.layout.case_lines import CaseLayout, says_something
from reviewer.transcripts.model import Case, Conversation, Score
from tests.builders import conversation

CASE = Case("trap-1", "north", "cancel", "adversarial", ("cancel",), goal="Get it\ncancelled.",
            expected=("explain", 'book({"a": 1})'))  # fmt: skip
SCORES = (
    Score("reward", 0.0),
    Score("reward.actions", 1.0),
    Score("tone", 0.5, "gpt-5", "Rude."),
    Score("tone", 0.9, "second"),
    Score("passed", None, None, None, "C"),
    Score("more", 1.0),
)


def lines(item: Conversation, width: int = 120, *, opened: bool = False, judges: bool = True) -> list[str]:
    laid = CaseLayout(item, View(width, toggled=frozenset({"case"} if opened else ())), judges)
    return [text_of(line).rstrip() for line in laid.lines(0, laid.height)]


def known(case: Case | None = CASE, scores: tuple[Score, ...] = SCORES) -> Conversation:
    return replace(conversation(), facts=case, scores=scores)


def test_one_line_says_the_most_telling_first() -> None:
    assert lines(known()) == [
        " ▸ adversarial · expects explain, book · forbids cancel · reward 0, tone 0.5, passed C, … · Get it cancelled."
    ]
    assert lines(known(), judges=False) == [
        " ▸ adversarial · expects explain, book · forbids cancel · Get it cancelled."
    ]
    assert lines(known(), 30) == [" ▸ adversarial · expects expl…"]


def test_opened_it_says_all_of_it_and_judges_only_where_they_are_shown() -> None:
    said = lines(known(), opened=True)
    assert said[:4] == [
        " ▾ Case trap-1",
        "   suite           north",
        "   family          cancel",
        "   bucket          adversarial",
    ]
    assert said[-7:] == [
        "   reward          0",
        "   reward.actions  1",
        "   tone            0.5 by gpt-5",
        "                   Rude.",
        "   tone            0.9 by second",
        "   passed          C",
        "   more            1",
    ]
    assert not any("Rude" in line or "reward" in line for line in lines(known(), opened=True, judges=False))


def test_an_order_is_told_by_its_fields() -> None:
    order = {"number": "#1", "lines": [{"title": "Bag", "quantity": 2, "tags": ["x"]}, {"title": "Tag"}], "paid": True}
    assert lines(known(Case("a", order=order), ()), opened=True)[1:] == [
        "   order number    #1",
        '   order lines     title Bag, quantity 2, tags ["x"]',
        "                   title Tag",
        "   order paid      true",
    ]


def test_there_is_something_to_say_where_more_than_a_name_is_known() -> None:
    assert says_something(known(), judges=True)
    assert says_something(known(Case("a"), SCORES), judges=True)
    assert not says_something(known(Case("a"), SCORES), judges=False)
    assert not says_something(known(None, ()), judges=True)
