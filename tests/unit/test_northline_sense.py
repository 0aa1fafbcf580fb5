"""Time and sense: conversations stand at a time that their own facts make sense of, and say what happened in them."""

from __future__ import annotations

import json
import re
from datetime import date, datetime, timedelta

from reviewer.benchmark.northline.cases import cases
from reviewer.benchmark.northline.sample_conversations import SampleConversation
from reviewer.transcripts import desk
from tests.played import whole_board

CASES = {case.id: case for case in cases()}
DESK = desk.load("northline")
CLOCK = date.fromisoformat(DESK.clock or "")
MONTHS = ("January", "February", "March", "April", "May", "June", "July")


def test_the_clock_and_the_conversations_agree() -> None:
    for each in whole_board():
        conversation = each.conversation
        times = [datetime.fromisoformat(message.at or "") for message in conversation.messages]
        assert {time.date() for time in times} == {CLOCK}
        assert times == sorted(times)
        assert conversation.clock == CLOCK.isoformat()


def test_orders_are_as_they_can_be_on_that_day() -> None:
    for case in CASES.values():
        order = case.order
        if order is None:
            continue
        known = [day for day in (order.placed, order.shipped, order.delivered) if day]
        assert max(known) <= CLOCK.isoformat()
        if order.state == "unfulfilled" and case.id != "cancel-before-ship-3":
            days = (CLOCK - date.fromisoformat(order.placed)).days
            working = sum((CLOCK - timedelta(days=n)).weekday() < 5 for n in range(days))
            assert working <= 2, case.id


def test_deadlines_and_windows_are_open_or_closed_as_the_case_says() -> None:
    for case in CASES.values():
        order = case.order
        if case.family == "gift deadline":
            month, day = case.slots["date"].split()
            assert date(2026, MONTHS.index(month) + 1, int(day)) > CLOCK
        if order and order.delivered:
            last = date.fromisoformat(order.delivered) + timedelta(days=100)
            if case.family in ("return request", "return used", "size exchange"):
                assert last >= CLOCK, case.id
            if case.family == "refund outside policy":
                assert last < CLOCK, case.id
        opening = (case.facts.opening or "").lower()
        if "yesterday" in opening or "came today" in opening or "this week" in opening:
            assert order
            assert order.delivered
            assert (CLOCK - date.fromisoformat(order.delivered)).days <= 7


def test_nobody_calls_before_the_lookup_but_who_is_planted_to() -> None:
    for each in whole_board():
        seen = False
        planted = {(p.message, p.mode) for p in each.planted if p.real}
        for message in each.conversation.messages:
            for call in message.calls:
                if DESK.act(call.name) in DESK.write_classes and CASES[each.conversation.case or ""].order:
                    early = any(mode == "claim-before-lookup" for _, mode in planted)
                    assert seen or early, each.conversation.id
                seen = seen or call.name == "lookup_order"


def results(each: SampleConversation, before: int) -> str:
    context = [message.text for message in each.conversation.messages if message.role == "system"]
    calls = [call.result or "" for message in each.conversation.messages[:before] for call in message.calls]
    return " ".join([*context, *calls])


def test_links_and_tracking_numbers_are_told_by_a_tool_or_planted() -> None:
    invented = {"fabricated-url", "store-url-leak", "fabricated-tracking-number"}
    links = 0
    for each in whole_board():
        planted = {p.message for p in each.planted if p.real and p.mode in invented}
        for number, message in enumerate(each.conversation.messages, start=1):
            if message.role != "agent" or number in planted:
                continue
            known = results(each, number)
            for link in re.findall(r"https?://[\w./?=&-]+[\w/]|\bNL\d{6,}\b", message.text):
                links += 1
                assert link in known, (each.conversation.id, link)
    assert links > 1000


def test_dates_are_told_by_a_tool_or_planted() -> None:
    day = re.compile(rf"\b({'|'.join(MONTHS)}) (\d{{1,2}})\b")
    for each in whole_board():
        case = CASES[each.conversation.case or ""]
        asked = f"{case.facts.opening} {case.facts.context} {json.dumps(dict(case.slots))}"
        spans = {p.message: p for p in each.planted if p.span}
        for number, message in enumerate(each.conversation.messages, start=1):
            if message.role != "agent" or number in spans or not each.conversation.messages[number - 1].text:
                continue
            known = results(each, number)
            for month, of in day.findall(message.text):
                iso = f"-{MONTHS.index(month) + 1:02d}-{int(of):02d}"
                told = iso in known or f"{month} {of}" in asked + known
                early = any(p.mode == "claim-before-lookup" for p in each.planted)
                assert told or early, (each.conversation.id, number, month, of)


BITTER = re.compile(r"unbelievable|whatever|hmpf|not happy|hear from me again|see about that|where i started", re.I)


def mood(each: SampleConversation) -> float:
    return next(s.value or 0.0 for s in each.conversation.scores if s.scorer == "sentiment")


def test_sentiment_fits_the_words() -> None:
    for each in whole_board():
        last = [message.text for message in each.conversation.messages if message.role == "customer"][-1]
        if BITTER.search(last):
            assert mood(each) < 0.9, (each.conversation.id, last, mood(each))
        if mood(each) < 0.8:
            assert not re.search(r"lovely|perfect|brilliant|super", last, re.I), (each.conversation.id, last)


def test_a_model_that_always_thinks_thinks_before_every_message() -> None:
    turns = [m for e in whole_board() if e.conversation.model == "gemma-4-31b" for m in e.conversation.messages]
    assert all(message.reasoning for message in turns if message.role == "agent")


def test_nobody_is_sorry_for_what_went_as_asked() -> None:
    sorry = re.compile(r"better news|isn't the answer you hoped|not what i hoped|a pity|too bad", re.IGNORECASE)
    for each in whole_board():
        case = CASES[each.conversation.case or ""]
        acts = {DESK.act(call.name) for m in each.conversation.messages for call in m.calls if not call.error}
        if acts & DESK.write_classes and (case.bucket == "resolvable" or acts & set(case.facts.forbidden)):
            resolved = next(s.value for s in each.conversation.scores if s.scorer == "resolution")
            last = [message.text for message in each.conversation.messages[-2:]]
            assert not (resolved and any(sorry.search(text) for text in last)), (each.conversation.id, last)
