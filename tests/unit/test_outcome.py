"""What came of a conversation, when two came out alike, and where they part."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.app.shared.outcomes import signs
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.desk.outcome import Act, Outcome
from reviewer.transcripts.model import Case, Message, Stored
from reviewer.transcripts.store.act_columns import BLANKS
from reviewer.transcripts.store.reader import Reader
from tests import builders
from tests.builders import agent, call, customer

CANCEL = call("cancel_order", '{"order_id":"#1130"}', '{"ok":true}')
LOOK = call("get_order", '{"order_id":"#1130"}')
HAND_OVER = call("hand_over")


def told(*messages: Message, forbidden: tuple[str, ...] = ()) -> Stored:
    made = builders.stored(*messages)
    facts = Case("used-item-1", forbidden=forbidden)
    return replace(made, conversation=replace(made.conversation, facts=facts))


def out(*acts: str, ended_by: str | None = None) -> Outcome:
    return Outcome(tuple(Act(each) for each in acts), ended_by, messages=4)


def text(found: Outcome, plain: bool = False, words: bool = True) -> str:
    return " ".join(sign for sign, _ in signs(found, plain, words))


def test_acts_stand_in_order_with_their_place_and_order() -> None:
    found = outcome.of_stored(told(customer("Hi."), agent("Done.", LOOK, CANCEL), agent("Bye.", HAND_OVER)))
    assert [(act.what, act.order, act.message, act.call) for act in found.acts] == [
        ("cancel", "1130", 2, 2),
        ("handover", "", 3, 1),
    ]
    assert found.writes == ("cancel",)
    assert found.handover
    assert text(found) == "⚡ cancel ⇥ handover"
    assert text(found, plain=True, words=False) == "! >"


def test_a_forbidden_act_counts_by_intent() -> None:
    failed = replace(CANCEL, error="not allowed")
    found = outcome.of_stored(told(agent("I will.", failed), forbidden=("cancel",)))
    assert found.forbidden == ("cancel",)
    assert found.acts[0].failed
    assert found.errors == 1
    assert text(found) == "⛔ attempted cancel"


def test_only_the_agents_own_calls_are_acts() -> None:
    found = outcome.of_stored(
        told(Message("colleague", "Mine now.", calls=(CANCEL,)), agent("Yes.", replace(CANCEL, orphan=True)))
    )
    assert found.acts == ()
    assert text(found) == "– no act"


def test_what_broke_off_or_never_began_says_so() -> None:
    assert text(Outcome()) == "∅ empty"
    assert text(out("cancel", ended_by="error")) == "⚡ cancel ✗ broken off"
    assert text(out(ended_by="cut"), plain=True, words=False) == "x"


def test_arguments_that_are_no_object_name_no_order() -> None:
    for arguments in ("", "nonsense", "[1]", "[" * 100_000, '{"order_id": {"a": 1}}'):
        found = outcome.of_stored(told(agent("Done.", call("cancel_order", arguments))))
        assert found.acts[0].order == ""


def test_a_flip_is_another_outcome() -> None:
    assert not outcome.flips([out("cancel", "handover"), out("handover", "cancel")])
    assert outcome.flips([out("cancel"), out("cancel", "cancel")])
    assert outcome.flips([out("cancel", "refund"), out("refund", "cancel")])
    assert outcome.flips([out("cancel"), out("handover")])
    assert outcome.flips([out("cancel"), out()])
    forbidden = Outcome((Act("cancel", forbidden=True),), messages=4)
    assert outcome.flips([out("cancel"), forbidden])
    assert not outcome.flips([out("cancel")])


def test_what_broke_off_without_an_act_is_no_flip() -> None:
    assert not outcome.flips([out("cancel"), out(ended_by="error"), Outcome()])
    assert outcome.flips([out("cancel"), out("handover", ended_by="error")])


def test_the_parting_is_the_first_act_that_differs() -> None:
    assert outcome.parting([out("cancel"), out("cancel", "handover")]) == 1
    assert outcome.parting([out("cancel"), out("handover")]) == 0
    assert outcome.parting([out(), out()]) is None
    one, other = Outcome((Act("cancel", key="1"),)), Outcome((Act("cancel", key="2"),))
    assert outcome.parting([one, other]) == 0
    refused = Outcome((Act("refund", failed=True), Act("cancel", key="1")))
    assert outcome.parting([one, refused]) is None
    assert outcome.parting([one, Outcome((Act("cancel", key="1"), Act("refund", failed=True, forbidden=True)))]) == 1


acts = st.lists(st.sampled_from(["cancel", "refund", "handover"]), max_size=5)


@given(st.lists(acts, min_size=1, max_size=4))
def test_before_the_parting_all_agree_and_at_it_they_do_not(many: list[list[str]]) -> None:
    at = outcome.parting([out(*each) for each in many])
    if at is None:
        assert all(each == many[0] for each in many)
    else:
        assert all(each[:at] == many[0][:at] for each in many)
        assert len({tuple(each[at : at + 1]) for each in many}) > 1


def test_the_parting_stands_at_the_act_or_at_the_turn_where_it_was_not_made() -> None:
    hasty = told(customer("Cancel it."), agent("Done.", CANCEL), customer("Thanks."))
    slow = told(customer("Cancel it."), agent("Sure?"), customer("Yes."), agent("I can't."), customer("Oh."))
    acted = outcome.of_stored(hasty)
    assert outcome.place_of(hasty.conversation, acted, 0, 1) == (2, 1)
    turns = outcome.turns_to(hasty.conversation, acted, 0)
    assert turns == 1
    assert outcome.place_of(slow.conversation, outcome.of_stored(slow), 0, turns) == (2, None)
    assert outcome.place_of(slow.conversation, outcome.of_stored(slow), 0, 9) == (4, None)
    silent = told(customer("Hello?"))
    assert outcome.place_of(silent.conversation, Outcome(), 0, 1) == (1, None)


def test_a_line_of_the_queue_tells_the_same_as_the_conversation(tmp_path: Path) -> None:
    facts = Case("used-item-1", forbidden=("cancel",))
    path = builders.store(tmp_path, replace(builders.conversation(), facts=facts))
    with Reader(path) as reader:
        row = reader.rows(reader.ids())[0]
        whole = outcome.of_stored(reader.stored(row.rowid))
    assert outcome.of_row(row).same == whole.same
    assert [what for what, _ in whole.done] == ["cancel"]
    assert whole.same[2] == {"cancel"}


HASTY = (customer("Cancel #1130."), agent("  \n\u3000", LOOK), agent("Done.", CANCEL))
ASKING = (customer("Cancel #1130."), agent("Shall I?", LOOK), customer("Yes."), agent("", CANCEL))
MUTE = (customer("Cancel #1130."), agent("", LOOK, CANCEL))


def test_a_write_without_a_word_before_differs_where_the_desk_wants_confirmation(tmp_path: Path) -> None:
    runs = [builders.conversation(*said, run=run) for run, said in enumerate((HASTY, ASKING, MUTE), start=1)]
    for desk, silent in ((builders.CONFIRMING, [True, False, True]), (builders.DESK, [False] * 3)):
        path = builders.store(tmp_path, *runs, name=f"{silent[0]}.db", desk=desk)
        with Reader(path) as reader:
            rows = reader.rows(reader.ids())
            wholes = [outcome.of_stored(reader.stored(row.rowid)) for row in rows]
        assert [whole.silent for whole in wholes] == silent
        assert [outcome.of_row(row).manner for row in rows] == [whole.manner for whole in wholes]
        assert outcome.alike(wholes[:2]) is not silent[0]
        assert outcome.alike([wholes[0], wholes[2]])
        assert not outcome.flips(wholes)  # they came to the same, one way or another
        assert outcome.parting(wholes[:2]) == (0 if silent[0] else None)


def test_blank_is_what_python_calls_blank() -> None:
    assert set(BLANKS) == {chr(code) for code in range(0x110000) if chr(code).isspace()}


def test_a_handover_needs_no_confirmation() -> None:
    made = replace(told(customer("Hi."), agent("", HAND_OVER)), desk=builders.CONFIRMING.text)
    assert not outcome.of_stored(made).silent


def edit(arguments: str, result: str = "{}") -> Outcome:
    return outcome.of_stored(told(customer("Hi."), agent("Done.", call("cancel_order", arguments, result))))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('{"order_id": "#1130", "items": [1]}', '{"items": ["1"], "order_id": "1130"}'),
        ('{"order_id": "1130", "reason": "too late"}', '{"order_id": "1130", "reason": "changed my mind"}'),
        ('{"order_id": "1130", "cancelReason": "x"}', '{"order_id": "1130", "gift": null, "tags": []}'),
        ('{"order_id": "1130", "items": [1, 2]}', "{'order_id': '1130', 'items': '[2, 1]'}"),
        ('{"items": [1, 2], "new": [8, 9]}', '{"items": [2, 1], "new": [9, 8]}'),
        ("cancel it", " cancel it\n"),
    ],
)
def test_the_same_act_in_other_words_is_no_flip(one: str, other: str) -> None:
    assert not outcome.flips([edit(one), edit(other)])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('{"order_id": "1130"}', '{"order_id": "1131"}'),
        ('{"order_id": "1130", "items": [1]}', '{"order_id": "1130", "items": [1, 2]}'),
        ('{"items": [1, 2], "new": [8, 9]}', '{"items": [1, 2], "new": [9, 8]}'),
        ('{"order_id": "1130"}', "cancel it"),
    ],
)
def test_another_argument_is_a_flip(one: str, other: str) -> None:
    assert outcome.flips([edit(one), edit(other)])


def test_the_desk_says_which_arguments_matter() -> None:
    text = builders.DESK.text.replace('class = "cancel", order', 'class = "cancel", compare = ["order_id"], order')
    runs = [
        replace(told(agent("Done.", call("cancel_order", f'{{"order_id": "1130", "items": [{item}]}}'))), desk=text)
        for item in (1, 2)
    ]
    assert not outcome.flips(map(outcome.of_stored, runs))


def test_a_refused_write_is_attempted_and_no_flip() -> None:
    refused = call("cancel_order", '{"order_id": "9"}', "Error: not pending")
    tried = outcome.of_stored(told(agent("Trying.", refused), agent("Done.", CANCEL)))
    assert (tried.writes, tried.attempted) == (("cancel",), ())
    assert not outcome.flips([tried, outcome.of_stored(told(agent("Done.", CANCEL)))])
    only = outcome.of_stored(told(agent("Trying.", refused)))
    assert (only.writes, only.attempted) == ((), ("cancel",))
    assert text(only) == "↯ attempted cancel"
    assert text(only, plain=True, words=False) == "~"
    assert not outcome.flips([only, outcome.of_stored(told(agent("No.")))])


def test_arguments_nested_without_end_are_compared_as_text() -> None:
    deep = '{"a":' * 900 + "1" + "}" * 900
    assert edit(deep).acts[0].key == edit(deep).acts[0].key != edit(deep.replace("1", "2")).acts[0].key
