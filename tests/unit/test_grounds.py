"""Where facts come from: each kind of value, each kind of source, what counts first, and what is no fact."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from reviewer.findings.reads.grounds import GroundedFact, grounds
from reviewer.transcripts.model import Case, Message, Stored
from tests.builders import agent, call, customer
from tests.talks import ASK, DESK, MOVING, YES, look, told, write

BARE = 'name = "x"\n'
"""A desk that knows nothing."""


def facts(stored: Stored) -> dict[str, GroundedFact]:
    """The facts by their words."""
    texts = [message.text for message in stored.conversation.messages]
    return {texts[each.message - 1][each.start : each.end]: each for each in grounds(stored).facts}


def origins(*messages: Message, **known: object) -> dict[str, str]:
    """The words that are facts, each with where it comes from."""
    return {words: fact.origin for words, fact in facts(told(*messages, **known)).items()}  # type: ignore[arg-type]


def place(fact: GroundedFact) -> str:
    """The place that a fact comes from, and who said it."""
    assert fact.source is not None
    return f"{fact.source.name} {fact.source.ref.place if fact.source.ref else '-'}"


def result(**fields: object) -> Message:
    """A call that returned these fields."""
    return agent("", call("get_order", '{"order_id":"#1130"}', json.dumps(fields)))


def test_a_value_that_a_result_held_before_is_a_tools_and_one_that_nobody_held_is_nowheres() -> None:
    said = agent("#1130 was shipped on June 22 and was delivered on June 24. It is in transit.")
    known = facts(told(ASK, look(), said))
    assert {words: fact.origin for words, fact in known.items()} == {
        "#1130": "tool", "shipped": "tool", "June 22": "tool", "delivered": "nowhere", "June 24": "nowhere",
        "in transit": "tool",
    }  # fmt: skip
    assert place(known["June 22"]) == "get_order #2.1.result/shipped"
    assert place(known["in transit"]) == "get_order #2.1.result/status"


def test_a_result_that_comes_after_the_words_is_no_source_of_them() -> None:
    assert origins(ASK, agent("It is in transit."), look(), agent("It is in transit.")) == {"in transit": "tool"}
    first, second = grounds(told(ASK, agent("It is in transit."), look(), agent("It is in transit."))).facts
    assert (first.origin, second.origin) == ("nowhere", "tool")


def test_a_result_that_came_late_is_known_from_then_on() -> None:
    late = agent("", replace(call("get_order", "{}", json.dumps(MOVING)), result_after=3))
    said = agent("It is in transit.")
    first, second = grounds(told(ASK, late, said, said)).facts
    assert (first.origin, second.origin) == ("nowhere", "tool")


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("delivered", "2026-06-25T10:00:00Z", "June 25, 2026"),
        ("delivered", "2026-06-25", "25 June"),
        ("eta", "5-7 business days", "5 to 7 business days"),
        ("price", 154, "$154"),
        ("price", 54.5, "$54.50"),
        ("refund", "1,234.00 USD", "$1,234"),
        ("order_id", "W1234567", "#W1234567"),
        ("id", 1130, "#1130"),
        ("tracking", "1Z999AA10123456784", "1Z999AA10123456784"),
        ("tracking", "9400111850042881307", "9400 11185 0042 8813 07"),
        ("variant_id", "DRB28-CLA", "DRB28-CLA"),
        ("item", 1656367028, "1656367028"),
        ("flight", "HAT136", "HAT136"),
        ("payment_id", "gift_card_8887175", "8887175"),
        ("link", "https://track.example/NL1", "track.example/NL1"),
        ("mail", "Rosa.Delgado@mail.example", "rosa.delgado@mail.example"),
        ("address1", "760 Elm Avenue", "760 Elm Ave"),
        ("carrier", "Royal Mail", "Royal Mail"),
        ("note", "Left with UPS on 2026-06-25", "UPS"),
    ],
)  # fmt: skip
def test_each_kind_of_value_is_known_again_however_it_is_written(field: str, value: object, said: str) -> None:
    asked, text = customer("Hello?"), agent(f"I see {said} here.")
    assert origins(asked, result(**{field: value}), text, desk=BARE) == {said: "tool"}
    assert origins(asked, result(other=None), text, desk=BARE) == {said: "nowhere"}


def test_the_names_of_fields_are_values_too_and_stand_at_what_they_hold() -> None:
    known = facts(told(ASK, result(variants={"1656367028": {"available": True}}), agent("Item 1656367028 is there.")))
    assert place(known["1656367028"]) == "get_order #2.1.result/variants/1656367028/available"


def test_a_number_that_is_no_price_makes_no_sum_known() -> None:
    assert origins(ASK, result(quantity=30), agent("That is $30.")) == {"$30": "nowhere"}


def test_what_the_agent_was_told_is_a_source_with_its_place() -> None:
    prompt = Message("system", "Refunds arrive within 5-7 business days.")
    known = facts(told(prompt, ASK, agent("It takes 5-7 business days, 6 business days mostly.")))
    assert {words: fact.origin for words, fact in known.items()} == {
        "5-7 business days": "told",
        "6 business days": "told",
    }
    assert place(known["5-7 business days"]) == "policy -"  # the desk's own says so first
    bare = facts(told(prompt, ASK, agent("It takes 5-7 business days."), desk=BARE))
    assert place(bare["5-7 business days"]) == "system #1:22-39"


def test_context_and_clock_are_told_too() -> None:
    case = Case("used-item-1", context="Everything is $20 off.")
    known = facts(told(ASK, agent("You get $20 off. We write June 29, 2026."), case=case))
    assert [place(fact) for fact in known.values()] == ["context -", "clock -"]


def test_what_only_the_customer_said_is_told_apart_and_gives_way_to_a_tool() -> None:
    asked = customer("I live at 12 oak street, order 1130, and it cost $40.")
    said = agent("So #1130 for $40 goes to 12 Oak Street.")
    assert origins(asked, said) == {"#1130": "customer", "$40": "customer", "12 Oak Street": "customer"}
    known = facts(told(asked, result(order_id="#1130", total=40), said))
    assert {words: fact.origin for words, fact in known.items()} == {
        "#1130": "tool",
        "$40": "tool",
        "12 Oak Street": "customer",
    }


def test_a_rule_that_names_a_status_says_nothing_of_this_order() -> None:
    prompt = Message("system", "An order that is delivered cannot be cancelled.")
    assert origins(prompt, ASK, agent("It was delivered.")) == {"delivered": "nowhere"}


def test_of_several_results_the_latest_about_the_order_in_question_counts() -> None:
    def of_order(order: str, day: str) -> Message:
        return agent("", call("get_order", json.dumps({"order_id": order}), json.dumps({"delivered": day})))

    messages = (of_order("#1", "2026-06-25"), of_order("#2999", "2026-06-25"), of_order("#3111", "2026-06-25"))
    known = facts(told(ASK, *messages, agent("#2999 came on June 25.")))
    assert place(known["June 25"]) == "get_order #3.1.result/delivered"
    known = facts(told(ASK, *messages, agent("It came on June 25.")))
    assert place(known["June 25"]) == "get_order #4.1.result/delivered"


def test_what_a_write_only_repeats_is_known_from_before() -> None:
    known = facts(
        told(ASK, look(), write(result='{"order_id":"#1130","status":"cancelled"}'), agent("#1130 is cancelled."))
    )
    assert place(known["#1130"]) == "get_order #2.1.result/order_id"
    assert place(known["cancelled"]) == "cancel_order #3.1"


def test_the_status_of_another_order_is_not_this_ones() -> None:
    other = agent("", call("get_order", '{"order_id":"#2999"}', '{"status":"delivered"}'))
    assert origins(ASK, other, look(), agent("#1130 was delivered."))["delivered"] == "nowhere"
    assert origins(ASK, other, look(), agent("It was delivered."))["delivered"] == "tool"


def test_what_the_agent_did_itself_is_known_from_its_call() -> None:
    known = facts(told(ASK, write(), agent("Your order was cancelled and is processed.")))
    assert [place(fact) for fact in known.values()] == ["cancel_order #2.1", "cancel_order #2.1"]
    assert origins(ASK, write(error="not possible"), agent("Your order was cancelled.")) == {"cancelled": "nowhere"}


@pytest.mark.parametrize(
    "text",
    [
        "It cannot be cancelled.",
        "Once it is delivered, write to us.",
        "As soon as it's shipped you get a link.",
        "If it was delivered, tell me.",
        "It will be refunded.",
        "Has it not been delivered?",
        "How can I help you today?",
        "Two requests a month are usual.",
        "Das sehe ich von hier nicht.",
    ],
)
def test_what_is_open_denied_or_a_greeting_is_no_fact(text: str) -> None:
    assert not origins(ASK, agent(text))


def test_relative_days_are_facts_where_today_is_known() -> None:
    said = agent("It came yesterday.")
    assert origins(ASK, look({**MOVING, "delivered": "2026-06-28"}), said) == {"yesterday": "tool"}
    assert origins(ASK, look(), said) == {"yesterday": "nowhere"}
    assert not origins(ASK, look(), said, desk=BARE)
    dated = replace(said, at="2026-06-23T09:00:00Z")
    assert origins(ASK, look(), dated, desk=BARE) == {"yesterday": "tool"}  # the day it was shipped on


def test_results_that_are_no_json_are_sources_with_their_words() -> None:
    plain = agent("", call("get_order", "{}", "Order #1130: in transit with UPS, due 2026-07-01"))
    known = facts(told(ASK, plain, agent("UPS has it, it is in transit until July 1.")))
    assert {words: place(fact) for words, fact in known.items()} == {
        "UPS": "get_order #2.1.result:29-32",
        "in transit": "get_order #2.1.result:13-23",
        "July 1": "get_order #2.1.result:38-48",
    }


def test_a_result_that_is_a_figure_alone_is_a_source() -> None:
    reckoned = agent("", call("calculate", '{"expression":"30 - 5.76"}', "24.24"))
    assert place(facts(told(ASK, reckoned, agent("You pay $24.24.")))["$24.24"]) == "calculate #2.1.result:0-5"
    assert origins(ASK, agent("", call("state", "{}", "in_transit")), agent("It is in transit.")) == {
        "in transit": "tool"
    }


def test_json_in_json_is_a_source_at_the_field_that_holds_it() -> None:
    nested = agent("", call("get_order", "{}", json.dumps({"body": json.dumps(MOVING)})))
    known = facts(told(ASK, nested, agent("It is in transit.")))
    assert place(known["in transit"]) == "get_order #2.1.result/body"


def test_a_long_text_is_searched_piece_by_piece_and_every_fact_stands_where_it_is() -> None:
    filler = "Nothing is told here at all.\n" * 2_000
    known = facts(
        told(customer(f"{filler}It cost $5.{filler}I paid $6."), agent(f"{filler}So $5, {filler}and $6, $7."))
    )
    assert {words: fact.origin for words, fact in known.items()} == {
        "$5": "customer",
        "$6": "customer",
        "$7": "nowhere",
    }
    assert place(known["$6"]) == "customer #1:116018-116020"


def test_only_the_agents_words_are_looked_at_and_one_word_is_one_fact() -> None:
    said = grounds(told(customer("It cost $5, see https://a.example/1234567."), agent("https://a.example/1234567!")))
    assert [(fact.kind, fact.value) for fact in said.facts] == [("url", "a.example/1234567")]


def test_writes_say_who_confirmed_them_whether_anybody_demands_it_or_not() -> None:
    asked = agent("I would cancel #1130. Shall I go ahead?")
    desk = DESK.replace("confirm = true", "confirm = false")
    (called, how), *_ = grounds(told(ASK, asked, YES, write(), desk=desk)).writes
    assert (called.message, how.standing, how.asked, how.answered) == (4, "confirmed", 2, 3)
    (_, how), *_ = grounds(told(ASK, write(), desk=desk)).writes
    assert how.standing == "silent"
    assert not grounds(told(ASK, look())).writes
