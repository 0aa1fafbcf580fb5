"""The words that reads go by: days, lengths of time, values, moods, and what asks for leave."""

from __future__ import annotations

from datetime import date

import pytest

from reviewer.findings.reads import claims
from reviewer.findings.reads.confirmations import asks_leave, demanded, says_no, says_yes, undecided
from reviewer.findings.reads.dates import days, lengths
from reviewer.findings.reads.marks_of_thought import thinking, unsaid
from reviewer.findings.reads.moods import mood
from reviewer.findings.reads.spoken_languages import language_of, surely_english
from reviewer.findings.reads.states import meaning, stated
from reviewer.findings.reads.typed_values import facts, normal, result_fields

TODAY = date(2026, 6, 29)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("on 2026-04-20.", ["2026-04-20"]),
        ("on April 20th, 2026", ["2026-04-20"]),
        ("on 20 April", ["04-20"]),
        ("am 20. April", ["04-20"]),
        ("el 20 de abril de 2026", ["2026-04-20"]),
        ("le 1er août", ["08-01"]),
        ("4月20日", ["04-20"]),
        ("4/20/2026", ["2026-04-20"]),
        ("February 30 and 2026-13-01", []),
        ("yesterday and 3 days ago", ["2026-06-28", "2026-06-26"]),
        ("1-2 business days", []),
        ("version 1.2026-04", []),
    ],
)
def test_days_as_people_write_them(text: str, said: list[str]) -> None:
    assert [day.said for day in days(text, today=TODAY)] == said


def test_a_day_stands_where_it_is_written() -> None:
    (day,) = days("It came on April 20, they say.")
    assert "It came on April 20, they say."[day.start : day.end] == "April 20"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("5-7 business days", (5, 7, "business day")),
        ("5–10 business days", (5, 10, "business day")),
        ("5 to 7 days", (5, 7, "day")),
        ("about a week", (1, 1, "week")),
        ("within 24 hours", (24, 24, "hour")),
        ("1-2 días hábiles", (1, 2, "business day")),
        ("1 bis 2 Werktage", (1, 2, "business day")),
        ("1-2 个工作日", (1, 2, "business day")),
        ("two weeks", (2, 2, "week")),
    ],
)
def test_lengths_of_time(text: str, told: tuple[int, int, str]) -> None:
    ((low, high, unit),) = [(each.low, each.high, each.unit) for each in lengths(text)]
    assert (low, high, unit) == told


def test_a_length_that_says_less_is_within_one_that_says_more() -> None:
    (known,), (same,), (part,), (more,) = (
        [*lengths(text)] for text in ("5 to 7 days", "5-7 business days", "7 days", "5-10 business days")
    )
    assert same.within(known)
    assert part.within(known)
    assert not more.within(known)


@pytest.mark.parametrize(
    ("kind", "text", "values"),
    [
        ("url", "See https://a.example/x, or a.example/x/.", ["a.example/x", "a.example/x"]),
        ("url", "Write to help@a.example please", []),
        ("e-mail", "Write to help@a.example.", ["help@a.example"]),
        ("money", "$1,234.00 and €5", ["1234.00", "5.00"]),
        ("money", "54,90 €, 1200 dollars, $7.5 and 3 boxes", ["54.90", "1200.00", "7.50"]),
        ("tracking number", "1Z11307036821445512 NL434999291", ["NL434999291"]),
        ("tracking number", "Item ID 5253880258, SKU-12345678", []),
        ("tracking number", "9400 11185 0042 8813 07", ["9400111850042881307"]),
        ("order", "Order #W123 and #1130", ["W123", "1130"]),
        ("carrier", "with FedEx or DHL", ["fedex", "dhl"]),
        ("status", "It is In Transit, not canceled", ["in transit", "cancelled"]),
        ("status", "in_transit", ["in transit"]),
        ("identifier", "DRB28-CLA, 1656367028, mia_li_3668", ["DRB28CLA", "1656367028", "MIA_LI_3668"]),
        ("identifier", "Not A19, 24/7, 12345, ABCDEF or 123456.78", []),
        ("address", "to 760 Elm Avenue, TX 77034, or 3 ways", ["760 elm ave", "tx 77034"]),
        ("address", "Hauptstraße 12, Calle Mayor 5, SW1A 1AA", ["hauptstraße 12", "calle mayor 5", "sw1a 1aa"]),
    ],
)  # fmt: skip
def test_values_have_one_spelling(kind: str, text: str, values: list[str]) -> None:
    assert [fact.value for fact in facts(text, kind)] == values  # type: ignore[arg-type]


def test_the_fields_of_a_result_are_known_by_their_pointers_json_in_json_too() -> None:
    fields = {each.pointer: each for each in result_fields('{"a/b":[{"Status":"x"}],"in":"{\\"deep\\": 1}"}')}
    assert fields["/a~1b/0/Status"].name == "status"
    nested = [each for each in result_fields('{"in":"{\\"deep\\": 1}"}') if each.name == "deep"]
    assert [(each.pointer, each.value) for each in nested] == [("/in", "1")]
    assert result_fields("no JSON") == []
    assert result_fields('{"half":') == []
    assert normal("order", "#W 123") == "W123"


@pytest.mark.parametrize(
    ("sentence", "meant"),
    [
        ("It was delivered yesterday.", "asserted"),
        ("I can see it was delivered yesterday.", "asserted"),
        ("It was not really delivered yesterday.", "negated"),
        ("Once it was delivered, tell us.", "conditional"),
        ("Was it, as it seems, delivered yesterday?", "question"),
        ("It will have been delivered soon.", "future"),
        ("You wrote that it was delivered.", "attributed"),
        ("The page says “it was delivered”, hm.", "attributed"),
        ("Falls es ankam: delivered.", "conditional"),
    ],
)
def test_how_a_sentence_means_it(sentence: str, meant: str) -> None:
    start = sentence.index("delivered")
    assert mood(sentence, (0, len(sentence)), start, start + len("delivered")) == meant


@pytest.mark.parametrize(
    "sentence",
    [
        "Shall I go ahead and cancel #1130 for you?",
        "Before I change it: 12 Elm St. Correct?",
        "Do you confirm these changes (yes/no)?",
        "Would you like me to proceed with the cancellation?",
        'Please reply "yes" to proceed.',
        "¿Quiere que lo cancele?",
        "要取消吗?",
        "Could you confirm your e-mail address, and would you like me to cancel #1130?",
        "Please verify your phone number; shall I go ahead?",
        "Please confirm your name and reply yes, so I can proceed.",
    ],
)
def test_what_asks_for_leave(sentence: str) -> None:
    assert asks_leave(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "How can I help you today?",
        "Could you please confirm your e-mail address?",
        "To proceed, I need your order number.",
        "Which reservation would you like to cancel?",
        "Is there anything else?",
        "Your order is on its way.",
    ],
)
def test_what_only_asks_for_data(sentence: str) -> None:
    assert not asks_leave(sentence)


def test_a_yes_and_a_no() -> None:
    assert all(says_yes(text) for text in ("Yes please", "yep, do it", "Sounds good", "Ja, genau", "好的"))
    assert all(says_no(text) for text in ("No, don't.", "nope", "Wait!", "Nein"))
    assert not any(says_no(text) for text in ("No problem, go ahead", "No longer needed", "Now please"))
    assert demanded("You must obtain explicit user confirmation (yes) to proceed.")
    assert not demanded("Confirm receipt of the parcel.")


def test_thinking_reaches_from_mark_to_mark_or_from_the_start() -> None:
    text = "<think>a</think>b</analysis>c<think>d"
    assert [text[start:end] for start, end in thinking(text)] == ["<think>a</think>", "</analysis>", "<think>"]
    assert [text[start:end] for start, end in unsaid(text)] == ["<think>a</think>", "b</analysis>", "<think>d"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Thanks for reaching out! The latest status is what you see in the tracking.", "English"),
        ("Hola, ¿dónde está mi pedido? No lo he recibido todavía.", "Spanish"),
        ("Je n'ai pas encore reçu ma commande, où est-elle ?", "French"),
        ("Wo ist meine Bestellung? Ich habe sie noch nicht bekommen.", "German"),
        ("Dov'è il mio ordine? Non è ancora arrivato e mi serve per il viaggio.", "Italian"),
        ("Onde está o meu pedido? Ainda não chegou, e eu preciso dele para a viagem.", "Portuguese"),
        ("我的订单在哪里?还没有收到。", "Chinese"),
        ("注文はどこですか。まだ届いていません。", "Japanese"),
        ("كم سعر الفستان الاسود", "Arabic"),
        ("Где мой заказ?", "Russian"),
        ("HAT190 113, DEN 165, IAH 148", None),
        ("#1130", None),
        ("", None),
    ],
)
def test_the_language_of_a_text(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_what_is_english_at_a_glance_is_english() -> None:
    text = "I can see your order, and it is with the carrier, so you will have to wait for it."
    assert surely_english(text)
    assert language_of(text) == "English"
    assert not surely_english("Hola, ¿dónde está mi pedido?")


@pytest.mark.parametrize(
    ("sentence", "stands"),
    [
        ("Your order is still being prepared.", ["here"]),
        ("#1130 has not shipped yet.", ["here"]),
        ("It has already shipped.", ["away"]),
        ("It is on its way.", ["away"]),
        ("It was delivered.", ["there"]),
        ("Your replacement is on its way.", []),
        ("While it is unshipped, it can be cancelled.", []),
        ("Order #1130 is shipped to New York.", []),
    ],
)
def test_how_things_stand(sentence: str, stands: list[str]) -> None:
    claims_of = [claim.stand for claim in stated(sentence, (0, len(sentence)))]
    assert claims_of == stands


@pytest.mark.parametrize(
    ("value", "stand"),
    [
        *[("in transit", "away"), ("unfulfilled", "here"), ("pending (item modified)", "here"), ("Delivered", "there")],
        *[("cancelled", "off"), ("partially shipped", None), ("processed", None), ("", None)],
    ],
)
def test_what_a_state_means(value: str, stand: str | None) -> None:
    assert meaning(value) == stand


def test_a_maybe_is_no_yes() -> None:
    open_ends = ("Maybe.", "Perhaps, what would it cost?", "Yes, nice, but let me think.", "I need to sleep on it.")
    assert all(undecided(text) for text in open_ends)
    assert not any(undecided(text) for text in ("Yes, maybe today?", "Maybe it is late, but yes please.", "Go ahead."))


def asserted(sentence: str) -> set[str]:
    """What a sentence asserts, by kind."""
    span, lowered = (0, len(sentence)), sentence.lower()
    told = [claim for claim in claims.done(sentence, span) if claims.hinted(claim.what, lowered)]
    for what, pattern in (("handover", claims.HANDOVER), ("delivery", claims.DELIVERY)):
        if claims.hinted(what, lowered):
            told += claims.said(what, pattern, sentence, span)
    return {claim.what for claim in told if claim.mood == "asserted"}


@pytest.mark.parametrize(
    ("sentence", "what"),
    [
        ("I've started a return for the boots.", "return"),
        ("I have emailed you the return label.", "return"),
        ("Another parcel with the lamp is being prepared.", "reship"),
        ("We are sending you the blue lamp as a replacement.", "replace"),
        ("In place of the cracked lamp, the blue one will be sent to you.", "replace"),
        ("I've switched the color to red.", "edit"),
        ("I have updated #4711 as you asked.", "edit"),
        ("Adding the second lamp is done.", "edit"),
        ("The quantity has been updated.", "edit"),
        ("The lamp is now addressed to 12 Elm St.", "edit-address"),
        ("I've told the courier to call first.", "contact"),
        ("We've pushed your order to the top of the queue.", "expedite"),
        ("Somebody from the support team will get back to you.", "handover"),
        ("Our colleagues have your case now.", "handover"),
        ("I'm escalating #4711 to somebody on our team.", "handover"),
        ("I've passed #4711 on to a specialist.", "handover"),
        ("DHL delivered it on Monday.", "delivery"),
        ("It has reached its destination.", "delivery"),
        ("The courier left it with the porter.", "delivery"),
        ("It was handed over on May 3.", "delivery"),
    ],
)
def test_what_a_sentence_says_is_so(sentence: str, what: str) -> None:
    assert asserted(sentence) == {what}


@pytest.mark.parametrize(
    "sentence",
    [
        "I've opened the return page for you to see.",
        "I can switch the color to red.",
        "I haven't told the courier anything.",
        "Once it is here, another parcel is being prepared.",
        "Shall I say that adding the second lamp is done?",
        "A delivery date is not shown here.",
        "It was handed over on May 3 to the carrier.",
        "If you like, somebody from our team will contact you.",
        "I've asked the team that built the site.",
        "I have the address on #4711.",
    ],
)
def test_what_only_sounds_like_it(sentence: str) -> None:
    assert asserted(sentence) == set()
