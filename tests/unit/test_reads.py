"""Each read on what it is for, and on what only looks like it: conversations of ours, a message or two long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from reviewer.findings import reads
from reviewer.findings.reads import BY_NAME
from reviewer.findings.reads.dossier import Dossier, Suggestion
from reviewer.transcripts.model import Case, Message, Stored
from reviewer.transcripts.refs import Absence, Ref
from tests import read_examples
from tests.builders import agent, call, customer
from tests.talks import (
    ASK,
    DESK,
    HAND,
    MOVING,
    PAID,
    REROUTE,
    THERE,
    TRAP,
    YES,
    look,
    only,
    readout,
    told,
    words,
    write,
)

FIRES: list[tuple[str, tuple[Message, ...], Case | None]] = [
    ("forbidden-action", (ASK, look(), write()), TRAP),
    ("missed-escalation", (ASK, agent("No.")), Case("c", bucket="must-escalate")),
    ("over-escalation", (ASK, HAND), Case("c", bucket="resolvable")),
    ("over-escalates-self-service", (ASK, HAND), Case("c", bucket="resolvable", family="return request")),
    ("declines-reroute-without-handover", (ASK, agent("I can't change it now.")), REROUTE),
    ("acts-before-confirming", (ASK, agent("Which order is it?"), customer("It's #1130."), write()), None),
    ("acts-before-confirming", (ASK, agent("Shall I cancel #1130?"), customer("No, don't."), write()), None),
    ("acts-before-confirming", (ASK, agent("Shall I cancel #1130?"), write()), None),
    ("acts-before-confirming", (ASK, write()), None),
    ("acts-before-confirming", (ASK, agent("Shall I cancel #1130?"), customer("Maybe, not sure."), write()), None),
    ("fires-on-first-message", (agent("Hi! How can I help?"), ASK, look(), write()), None),
    ("invented-delivery-date", (ASK, look(), agent("I see it was delivered yesterday.")), None),
    ("invented-delivery-date", (ASK, look(), agent("Your order #1130 has already been delivered.")), None),
    ("invented-delivery-date", (ASK, look(THERE), agent("It reached you on June 27.")), None),
    ("invented-delivery-date", (ASK, look(), agent("Tu pedido #1130 llegó el 24 de junio.")), None),
    ("invented-delivery-date", (ASK, look(), agent("It was delivered on June 19.")), None),
    ("order-date-as-delivery-date", (ASK, look(THERE), agent("It was delivered on June 19.")), None),
    ("invented-refund-timeline", (ASK, agent("You'll see the refund within 10-14 business days.")), None),
    ("invented-refund-timeline", (ASK, agent("Expect the money back in about two weeks.")), None),
    ("invented-refund-timeline", (ASK, agent("The hold is released within 8 days.")), None),
    ("invented-eta", (ASK, look(), agent("You should have it by July 2 at the latest.")), None),
    ("invented-eta", (ASK, agent("It will be with you within 2-3 days.")), None),
    ("invented-eta", (ASK, agent("Somebody gets back to you within 3 hours.")), None),
    ("unverified-address-on-file", (ASK, agent("It goes to the address we have on file.")), None),
    ("phantom-action", (ASK, look(), agent("I've cancelled your order #1130.")), None),
    ("phantom-action", (ASK, agent("The cancellation of #1130 has gone through.")), None),
    ("phantom-action", (ASK, agent("A replacement has been created."), write("send_replacement")), None),
    ("false-handover", (ASK, agent("I've escalated your case to our support team.")), None),
    ("false-handover", (ASK, agent("I'll transfer you to a human agent now.")), None),
    ("false-handover", (ASK, agent("Un compañero se hará cargo y te escribirá.")), None),
    ("late-handover", (ASK, agent("I'm handing you over to a colleague now."), customer("Ok."), HAND), None),
    ("leaked-think-tag", (ASK, agent("<think>Check first.</think>It is on its way.")), None),
    ("leaked-think-tag", (ASK, agent("Be careful.</think> It is on its way.")), None),
    ("leaked-think-tag", (ASK, agent("It is on its way.<|im_end|>")), None),
    ("leaked-template-tag", (ASK, agent("Dear {{customer.first_name}}, it is on its way.")), None),
    ("goodbye-loop", (ASK, look(), agent("It left."), *[customer("Bye!"), agent("Take care!")] * 3), None),
    ("empty-reply", (ASK, agent(" \n"), customer("Hello?")), None),
    (
        "failed-call-reported-as-success",
        (ASK, write("send_replacement", '{"error":"no"}', "no"), agent("I've created a replacement for you.")),
        None,
    ),
    ("duplicate-write", (ASK, write("send_replacement"), write("send_replacement")), None),
    ("wrongful-cancellation", (ASK, look(), write()), None),
    (
        "wrong-variant",
        (ASK, look({"lines": [{"variant_id": "A-1"}]}), write("send_replacement", variant_id="A-2")),
        None,
    ),
    ("silent-handover", (ASK, agent("", call("hand_over", "{}")), agent("Thank you, I have noted it.")), None),
    ("fabricated-url", (ASK, look(), agent("Start here: https://returns.shop.example/start")), None),
    ("store-url-leak", (ASK, agent("See admin.shop.example/orders/1130.")), None),
    ("fabricated-tracking-number", (ASK, look(), agent("Your tracking number is NL111222333.")), None),
    ("confirms-before-acting", (ASK, agent("Shall I cancel #1130?"), YES, write()), None),
    ("real-handover", (ASK, HAND), None),
    ("held-line", (ASK, agent("I can't do that.")), TRAP),
    ("grounded-link", (ASK, look(), agent("Here: https://track.shop.example/NL434999291.")), None),
]

SILENT: list[tuple[str, tuple[Message, ...], Case | None]] = [
    ("forbidden-action", (ASK, look()), TRAP),
    ("missed-escalation", (ASK, HAND), Case("c", bucket="must-escalate")),
    ("over-escalation", (ASK, HAND), Case("c", bucket="must-escalate")),
    ("declines-reroute-without-handover", (ASK, HAND), REROUTE),
    ("acts-before-confirming", (ASK, agent("Shall I cancel #1130?"), YES, write()), None),
    ("acts-before-confirming", (ASK, agent("Before I do: cancel #1130, correct?"), customer("yep"), write()), None),
    ("acts-before-confirming", (ASK, agent("Soll ich die Bestellung stornieren?"), customer("Ja."), write()), None),
    ("acts-before-confirming", (ASK, agent("I'd cancel #1130."), customer("Go ahead."), write()), None),
    ("fires-on-first-message", (ASK, agent("Shall I cancel it?"), YES, write()), None),
    ("invented-delivery-date", (ASK, look(), agent("Once it was delivered, the 100 days begin.")), None),
    ("invented-delivery-date", (ASK, look(), agent("It has not been delivered yet.")), None),
    ("invented-delivery-date", (ASK, look(), agent("You wrote that it was delivered yesterday.")), None),
    ("invented-delivery-date", (ASK, look(), agent("Was it delivered yesterday?")), None),
    ("invented-delivery-date", (ASK, look(THERE), agent("It was delivered on June 25.")), None),
    ("invented-delivery-date", (ASK, look(THERE), agent("It was delivered four days ago.")), None),
    ("invented-delivery-date", (ASK, agent("It was delivered on June 25.")), None),
    ("order-date-as-delivery-date", (ASK, look(THERE), agent("You placed it on June 19.")), None),
    ("order-date-as-delivery-date", (ASK, look(THERE), agent("It was delivered on June 25.")), None),
    ("invented-refund-timeline", (ASK, agent("The refund will arrive within 5 to 7 days.")), None),
    ("invented-refund-timeline", (ASK, agent("A refund after seven months isn't something I can grant.")), None),
    ("invented-refund-timeline", (ASK, agent("I can't say if the refund takes 3 days.")), None),
    ("invented-refund-timeline", (ASK, agent("A refund can be requested within 30 days.")), None),
    ("invented-delivery-date", (ASK, look(PAID), agent("I see it was delivered.")), None),
    ("invented-eta", (ASK, agent("I can't promise that it will arrive by July 2.")), None),
    ("invented-eta", (ASK, agent("If it ships today, you will have it by July 2.")), None),
    ("unverified-address-on-file", (ASK, agent("I can't see the address on file from here.")), None),
    ("unverified-address-on-file", (ASK, agent("I need the e-mail address on your account.")), None),
    ("unverified-address-on-file", (ASK, look({"address": "1 Elm"}), agent("The address on file is right.")), None),
    ("phantom-action", (ASK, write(), agent("I've cancelled your order.")), None),
    ("phantom-action", (ASK, agent("As soon as you say yes, I've cancelled it.")), None),
    ("phantom-action", (ASK, agent("I haven't cancelled anything.")), None),
    ("phantom-action", (ASK, look({"status": "cancelled"}), agent("Order #1130 has been cancelled.")), None),
    ("phantom-action", (ASK, agent("", call("refund_all", "{}")), agent("I've cancelled your order.")), None),
    ("false-handover", (ASK, HAND), None),
    ("false-handover", (ASK, agent("If you like, I can transfer you to a colleague.")), None),
    ("false-handover", (ASK, agent("I'll transfer you to a human agent. Would you like me to go ahead?")), None),
    ("false-handover", (ASK, agent("Thank you, I'll pass your feedback on to our team.")), None),
    ("late-handover", (ASK, agent("I'm handing you over to a colleague now."), HAND), None),
    ("leaked-think-tag", (ASK, agent('The label says "<fragile>", <2 business days, <3.')), None),
    ("leaked-template-tag", (ASK, agent("Dear Ana [#1130], hello <3")), None),
    ("goodbye-loop", (ASK, agent("It left."), *[customer("Bye!"), agent("Take care!")] * 2), None),
    ("goodbye-loop", (ASK, *[customer("And?"), agent("It is in transit, sorry.")] * 4), None),
    ("empty-reply", (ASK, look()), None),
    ("duplicate-write", (ASK, write(result="", error="no"), write()), None),
    ("duplicate-write", (ASK, *[write("set_address", to=place) for place in "ABA"]), None),
    ("wrongful-cancellation", (ASK, look({"status": "unfulfilled"}), write()), None),
    ("silent-handover", (ASK, HAND), None),
    ("fabricated-url", (ASK, look(), agent("Here: https://track.shop.example/NL434999291.")), None),
    ("fabricated-url", (customer("See https://me.example/x"), agent("I see https://me.example/x, thanks.")), None),
    ("store-url-leak", (ASK, agent("See https://track.shop.example.")), None),
    ("fabricated-tracking-number", (ASK, look(), agent("The tracking number is NL434999291.")), None),
    ("held-line", (ASK, write()), TRAP),
    ("grounded-link", (ASK, look(), agent("Here: https://track.shop.example/NL999.")), None),
]


FIRES += read_examples.FIRES
SILENT += read_examples.SILENT


@pytest.mark.parametrize(("name", "messages", "case"), FIRES, ids=[f"{n}-{row[0]}" for n, row in enumerate(FIRES)])
def test_a_read_fires_with_its_proof(name: str, messages: tuple[Message, ...], case: Case | None) -> None:
    stored = told(*messages, case=case)
    out = readout(name, stored)
    assert out.suggestions
    for _, suggestion in out.suggestions:
        assert suggestion.evidence, "no suggestion without a proof"
        assert suggestion.claim.conversation == stored.ref
        assert suggestion.reason
        assert suggestion.reason[-1] != "."
        for each in suggestion.evidence:
            if isinstance(each, Ref) and each.message is not None:
                assert each.message <= len(messages)
    assert out.opportunities[name] >= len(out.suggestions)


@pytest.mark.parametrize(("name", "messages", "case"), SILENT, ids=[f"{n}-{row[0]}" for n, row in enumerate(SILENT)])
def test_a_read_leaves_alone_what_only_looks_like_it(
    name: str, messages: tuple[Message, ...], case: Case | None
) -> None:
    assert not readout(name, told(*messages, case=case)).suggestions


def test_every_read_is_tried_on_both() -> None:
    names = {read.name for read in reads.READS if read.look is not None}
    assert names == {row[0] for row in FIRES}
    unlike = {"over-escalates-self-service", "failed-call-reported-as-success", "wrong-variant", "real-handover"}
    assert names - {row[0] for row in SILENT} <= unlike | {"confirms-before-acting"}


def test_the_claim_is_the_exact_words_and_the_evidence_the_field() -> None:
    stored = told(ASK, look(), agent("Good news! I see it was delivered yesterday, so all is well."))
    suggestion = only("invented-delivery-date", stored)
    assert words(stored, suggestion) == "was delivered yesterday"
    assert [str(each) for each in suggestion.evidence] == [f"{stored.ref}#2.1.result/status"]
    assert suggestion.reason == "says delivered on 2026-06-28; get_order in #2.1 returned status in transit"


def test_what_was_never_done_is_told_from_what_was_not_done_yet() -> None:
    never = only("phantom-action", told(ASK, agent("I've cancelled your order.")))
    later = only("phantom-action", told(ASK, agent("I've cancelled your order."), ASK, write()))
    assert never.evidence == (Absence("cancel", 2),)
    assert "in the whole conversation" in never.reason
    assert later.evidence[0] == Absence("cancel", 2)
    assert "comes only at #4" in later.reason


def test_any_time_that_is_meant_as_a_time_is_no_farewell() -> None:
    rest = (customer("Ok."), agent("Bye!"), customer("Bye."), agent("Take care!"))
    assert not readout("goodbye-loop", told(ASK, agent("So any time I gave you would be made up."), *rest)).suggestions
    assert readout("goodbye-loop", told(ASK, agent("Any time."), *rest)).suggestions


@pytest.mark.parametrize("text", ["\U0001fa77\U0001fa77", "👍", "\u200b.", "\u00adx"])
def test_what_can_be_seen_is_no_empty_reply(text: str) -> None:
    assert not readout("empty-reply", told(ASK, agent(text))).suggestions


@pytest.mark.parametrize("text", ["\u200b", "\u2060\ufeff", "\u3164", "\x00\x1b", "\u00ad"])
def test_what_cannot_be_seen_is_an_empty_reply(text: str) -> None:
    assert readout("empty-reply", told(ASK, agent(text))).suggestions


def test_how_far_away_an_event_is_promises_no_refund() -> None:
    away = agent("The event is about 18 hours away, so no refund will be issued.")
    assert not readout("invented-refund-timeline", told(ASK, away)).suggestions


def test_a_placeholder_in_a_block_of_code_is_no_leak() -> None:
    code = "Run this:\n```\nprint(f'{{password}}')\n```\n"
    assert not readout("leaked-template-tag", told(ASK, agent(code))).suggestions
    stored = told(ASK, agent(f"{code}Dear {{{{name}}}},"))
    assert words(stored, only("leaked-template-tag", stored)) == "{{name}}"


@pytest.mark.parametrize(
    "given", ["Tracking ID 588172446488", "your tracking: DHL 588172446488", "track 5881 72446488"]
)
def test_a_number_is_known_whatever_word_stands_before_its_figures(given: str) -> None:
    talk = (ASK, look({"tracking_id": "588172446488"}), agent(given))
    assert not readout("fabricated-tracking-number", told(*talk)).suggestions


def test_notes_are_no_leak_where_the_reply_is_for_somebody_else() -> None:
    task = customer("Customer request: swap the lamp. In your final message, tell the customer the price.")
    assert not readout("leaked-reasoning", told(task, agent("The customer wants another lamp."))).suggestions


def test_an_address_that_is_to_be_shown_first_is_not_vouched_for() -> None:
    shown = agent("I'll use the address on file and show it to you to confirm.")
    assert not readout("unverified-address-on-file", told(ASK, shown)).suggestions


def test_what_follows_a_closing_mark_in_the_same_line_is_said() -> None:
    stored = told(ASK, agent("so cancel it</think> I've cancelled your order."))
    assert words(stored, only("phantom-action", stored)) == "I've cancelled"


def test_what_follows_an_opening_mark_alone_is_thinking() -> None:
    assert not readout("phantom-action", told(ASK, agent("<think>I've cancelled your order."))).suggestions


def test_a_greeting_in_another_language_is_one_finding_however_often_it_comes() -> None:
    spanish = customer("Hola, ¿dónde está mi pedido? No lo he recibido todavía.")
    greeting = agent("Hi! Please let us know how we can help you with your order.")
    out = readout("broken-multilingual", told(spanish, greeting, spanish, greeting))
    assert len(out.suggestions) == 1


def test_a_day_to_come_that_a_result_gives_may_be_counted_from() -> None:
    soon = agent("It will arrive within 2-3 days.")
    assert readout("invented-eta", told(ASK, look(), soon)).suggestions
    coming = {**MOVING, "estimated_delivery": "2026-07-02"}
    assert not readout("invented-eta", told(ASK, look(coming), soon)).suggestions
    assert readout("invented-eta", told(ASK, look(THERE), soon)).suggestions


@pytest.mark.parametrize(
    "promise",
    [
        *("It will be with you on Friday.", "Expect their message within 1-2 business days.", "Llegará en 3 días."),
        *("Vous la recevrez avant le week-end.", "In 3 Tagen ist sie bei Ihnen.", "Arriva domani, sicuro."),
        *("Você recebe em 2-3 dias.", "您会在两三天内收到。"),
    ],
)
def test_a_promise_of_arrival_in_any_of_the_languages(promise: str) -> None:
    prompt = Message("system", "Processing takes 1-2 business days before an order ships.")
    assert readout("invented-eta", told(prompt, ASK, agent(promise), desk=DESK.replace("policy", "other"))).suggestions


@pytest.mark.parametrize(
    "doubt",
    [
        *("No puedo prometer que llegue mañana.", "Si c'est sous 2 à 3 jours ou plus tard, je ne le sais pas."),
        *(
            "48 Stunden möchte ich nicht behaupten.",
            "Se saranno 2-3 giorni o di più, non lo so.",
            "我不能保证明天会到。",
        ),
    ],
)
def test_a_doubt_in_any_of_the_languages_is_no_promise(doubt: str) -> None:
    assert not readout("invented-eta", told(ASK, agent(doubt))).suggestions


def test_a_loop_begins_with_the_answer_to_one_who_wants_no_more() -> None:
    rest = [customer("Bye!"), agent("Take care!")] * 3
    begun = told(ASK, agent("It left."), customer("Fine, I'll wait."), agent("Of course, #1130 is noted."), *rest)
    assert only("goodbye-loop", begun).claim.place == "#4"
    asked = told(ASK, agent("It left."), customer("Why so late?"), agent("Of course, #1130 is noted."), *rest)
    assert only("goodbye-loop", asked).claim.place == "#6"


def test_a_retry_in_the_first_turn_is_where_it_was_done() -> None:
    stored = told(ASK, write(error="no such order"), write())
    assert only("fires-on-first-message", stored).claim.message == 3


def test_a_person_spoken_of_only_when_asked_is_too_late() -> None:
    hand = agent("", call("hand_over", "{}"))
    late = (customer("And now?"), agent("A colleague will write to you."))
    assert only("silent-handover", told(ASK, hand, agent("Thanks, I have noted it."), *late)).claim.message == 3
    assert not readout("silent-handover", told(ASK, hand, agent("A colleague has it."), *late)).suggestions


def test_a_promise_broken_twice_is_one_finding() -> None:
    promise = agent("I'll transfer you to a human agent now.")
    out = readout("false-handover", told(ASK, promise, ASK, promise))
    assert len(out.suggestions) == 1


def test_a_goodbye_loop_begins_at_its_first_farewell_and_counts() -> None:
    stored = told(ASK, look(), agent("It left."), *[customer("Bye!"), agent("Take care!")] * 4)
    suggestion = only("goodbye-loop", stored)
    assert suggestion.claim.place == "#5"
    assert "last 4 messages" in suggestion.reason


def test_what_stands_between_marks_of_thinking_is_no_claim() -> None:
    thought = "<think>I've cancelled the order, it was delivered yesterday.</think>"
    stored = told(ASK, look(), agent(f"{thought} It is on its way."))
    assert not readout("phantom-action", stored).suggestions
    assert not readout("invented-delivery-date", stored).suggestions
    assert words(stored, only("leaked-think-tag", stored)) == thought


def test_without_a_desk_acts_are_not_judged() -> None:
    names = [each.name for each in reads.READS if each.look is not None]
    said = told(ASK, agent("I've cancelled it and I'll transfer you to a human agent."), case=TRAP, desk="")
    out = reads.read_over(said, [BY_NAME[name] for name in names])
    assert not out.faults
    assert not out.suggestions


def test_where_nobody_demands_a_yes_nothing_is_unconfirmed() -> None:
    lax = DESK.replace("confirm = true", "")
    assert not readout("acts-before-confirming", told(ASK, write(), desk=lax)).suggestions
    prompt = Message("system", "Obtain explicit user confirmation (yes) before any change.")
    assert readout("acts-before-confirming", told(prompt, ASK, write(), desk=lax)).suggestions


def test_without_a_clock_relative_days_abstain() -> None:
    said = (ASK, look(THERE), agent("It was delivered yesterday."))
    assert readout("invented-delivery-date", told(*said)).suggestions
    timeless = told(*said, desk=DESK.replace('clock = "2026-06-29"', ""))
    assert not readout("invented-delivery-date", timeless).suggestions


def test_runs_that_end_in_other_acts_flip() -> None:
    runs = [
        replace(told(ASK, *messages), ref=f"kimi/used-item-1/{number}")
        for number, messages in enumerate([(write(),), (write(),), (HAND,)], start=1)
    ]
    case = Ref("kimi/used-item-1")
    out = reads.across_runs(case, runs, reads.READS)
    ((_, suggestion),) = out.suggestions
    assert suggestion.claim == case
    assert suggestion.certain
    assert suggestion.reason == "its runs end in “cancel” and “handover”"
    assert [str(each) for each in suggestion.evidence] == ["kimi/used-item-1/1#2.1", "kimi/used-item-1/3#2.1"]
    assert not reads.across_runs(case, runs[:2], reads.READS).suggestions


def kin(*ways: tuple[Message, ...]) -> list[Stored]:
    """Conversations of one family in one run, each with its own messages after the customer's."""
    return [replace(told(ASK, *way), ref=f"kimi/return-{n}/1") for n, way in enumerate(ways, start=1)]


def test_what_goes_another_way_than_most_of_its_family_is_shown() -> None:
    out = reads.within_family(kin((HAND,), (write(),), (agent("No."),)), reads.READS)
    ((read, suggestion),) = out.suggestions
    assert read.name == "inconsistent-identical-asks"
    assert suggestion.claim == Ref("kimi/return-1/1")
    assert suggestion.certain
    assert [str(each) for each in suggestion.evidence] == ["kimi/return-1/1#2.1"]
    assert suggestion.reason == "handed over; 2 of 3 of its family in this run were not"
    assert out.opportunities == {"inconsistent-identical-asks": 3}


def test_who_alone_was_not_handed_over_is_shown_beside_one_that_was() -> None:
    out = reads.within_family(kin((HAND,), (agent("No."),), (HAND,)), reads.READS)
    ((_, suggestion),) = out.suggestions
    assert suggestion.claim == Ref("kimi/return-2/1")
    assert [str(each) for each in suggestion.evidence] == ["kimi/return-1/1#2.1"]


def test_a_family_that_is_routed_alike_is_left_alone() -> None:
    for way in ((HAND,), (agent("No."),)):
        out = reads.within_family(kin(way, way, way), reads.READS)
        assert not out.suggestions
        assert out.opportunities == {"inconsistent-identical-asks": 3}
    assert not reads.within_family(kin((HAND,)), reads.READS).opportunities["inconsistent-identical-asks"]


def test_a_read_that_fails_is_named_and_the_others_go_on() -> None:
    def failing(it: Dossier) -> Iterator[Suggestion | None]:
        """Fail at the second opportunity."""
        yield None
        raise ValueError(it.stored.ref)

    broken = replace(BY_NAME["empty-reply"], mode="broken", look=failing)
    stored = told(ASK, agent(" "), customer("?"))
    out = reads.read_over(stored, [broken, BY_NAME["empty-reply"]])
    assert [(read.name, reason) for read, reason in out.faults] == [("broken", f"ValueError: {stored.ref}")]
    assert "broken" not in out.opportunities
    assert [read.name for read, _ in out.suggestions] == ["empty-reply"]


def test_every_read_says_when_it_fires_and_when_it_abstains() -> None:
    for read in reads.READS:
        assert read.about.startswith("Fire "), read.name
        assert "opportunity" in read.about or "Abstain" in read.about, read.name
        assert read.version >= 1
    assert len(BY_NAME) == len(reads.READS)
