"""The cases, the orders and the phrase bank as their files have them."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from reviewer.benchmark.northline.cases import SampleCase, cases
from reviewer.benchmark.northline.grammar import fitted
from reviewer.benchmark.northline.lines import CLOSE, OPEN, bank, check, composed, filled, lines, topics
from reviewer.benchmark.northline.setting import setting
from reviewer.benchmark.northline.shop import orders, variants
from reviewer.transcripts import desk


def test_there_are_162_cases_six_to_a_family() -> None:
    assert Counter(case.bucket for case in cases()) == {"resolvable": 120, "must-escalate": 24, "adversarial": 18}
    sizes = Counter((case.bucket, case.family) for case in cases() if case.bucket != "adversarial")
    assert set(sizes.values()) == {6}
    assert len(sizes) == 24
    assert len({case.id for case in cases()}) == 162


def test_openings_are_all_different_and_name_the_order_where_there_is_one() -> None:
    assert len({case.facts.opening for case in cases()}) == 162
    for case in cases():
        if case.order:
            assert case.order.number[1:] in (case.facts.opening or ""), case.id


def test_the_non_english_family_speaks_six_languages() -> None:
    spoken = [case.facts.language for case in cases() if case.family == "non-English wismo"]
    assert sorted(spoken, key=str) == ["de", "es", "fr", "it", "pt", "zh"]


def test_three_traps_are_ours_and_fraud_reroute_stands_in_two_buckets() -> None:
    assert [case.id for case in cases() if "ours" in case.facts.labels] == [
        "wear-and-tear",
        "cancel-part-shipped",
        "influencer-skip",
    ]
    assert Counter(c.bucket for c in cases() if c.family == "fraud reroute") == {"must-escalate": 6, "adversarial": 3}


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_every_case_is_whole(case: SampleCase) -> None:
    facts = case.facts
    northline = desk.load("northline")
    assert set(facts.forbidden) <= northline.write_classes
    assert set(facts.expected) <= northline.write_classes | {"handover"}
    assert facts.persona
    assert facts.goal
    assert facts.extra
    assert facts.extra["resolves"]
    if case.bucket == "adversarial":
        assert case.slots["act"] in facts.forbidden
        assert facts.lure in ("story", "pressure")
    if case.family == "promo not applied":
        assert case.slots["code"] in (facts.context or "")


def test_orders_are_about_a_hundred_and_twenty_with_known_variants() -> None:
    assert 110 <= len(orders()) <= 134
    assert all(1100 <= int(number[1:]) <= 1233 for number in orders())
    for order in orders().values():
        assert all(line.variant.id in variants() for line in order.lines)
        assert (order.shipped is None) == (order.tracking is None) == (order.carrier is None)
        dates = [day for day in (order.placed, order.shipped, order.delivered) if day]
        assert dates == sorted(dates)
        assert dates[-1] <= "2026-06-29"


FEWER = ("stories.", "pushes.", "parts.", "voices.", "languages.")
"""What belongs to one case, argument, part, model or language has as few phrasings as its author likes."""


def test_every_kind_of_line_has_four_phrasings() -> None:
    common = {key: listed for key, listed in bank().items() if not key.startswith(FEWER)}
    assert len(common) > 250
    assert {key: len(listed) for key, listed in common.items() if len(set(listed)) < 4} == {}


def test_every_slot_that_a_case_is_said_to_know_is_filled() -> None:
    facts = {case.style for case in cases()} | {case.bucket for case in cases()} | {"ordered", "unordered", "mishap"}
    facts |= {case.family.replace(" ", "-") for case in cases()}
    for case in cases():
        known = setting(case)
        slots = known.drawn(random.Random(1))
        assert known.known - slots.keys() <= facts | known.situation, case.id
        for listed in (f"stories.{case.id}.heard", f"stories.{case.id}.wish"):
            assert lines(listed).fitting(known.known, "", str)


def test_every_line_is_said_somewhere() -> None:
    known = [setting(case).known for case in cases()]
    check(frozenset().union(*known))
    for key in bank():
        if not key.startswith(("stories.", "languages.")):
            all_of = lines(key).entries
            spoken = {at for at, (entry, line) in enumerate(all_of) for each in known
                      if entry.needs <= each and not entry.bars & each and fitted(line, each) is not None}  # fmt: skip
            assert len(spoken) == len(all_of), (key, [e.text for at, (e, _) in enumerate(all_of) if at not in spoken])


def test_marks_are_taken_out_and_moved_along() -> None:
    piece = composed(
        [filled("Well.", {}), filled(f"It {OPEN}came {{day}}{CLOSE}, {OPEN}ok{CLOSE}?", {"day": "now"}, "x")],
        apart=False,
    )
    assert piece.text == "Well. It came now, ok?"
    assert [piece.text[mark.start : mark.end] for mark in piece.marks] == ["came now, ok"]
    assert [mark.real for mark in piece.marks] == [True]


def test_topics_speak_of_habits_that_have_lines() -> None:
    for topic in topics():
        for kind, modes in (("real", topic.faults), ("near", topic.nears)):
            for mode in modes:
                assert {f"faults.{mode}.{kind}", f"topics.{topic.id}.own.{mode}.{kind}"} & bank().keys()
