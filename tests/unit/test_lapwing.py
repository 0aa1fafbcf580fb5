"""The second desk: each of its 40 cases can be what it says, and every trap is one by the records and the policy."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from reviewer.benchmark.desks.case_files import FolderCase
from reviewer.benchmark.desks.desk_folder import load
from reviewer.benchmark.live.desk_kit import kit
from reviewer.benchmark.northline.cases import cases as northline_cases
from reviewer.transcripts import desk
from tests.desk_scripts import arguments_for

FOLDER = load("lapwing")
CASES = FOLDER.cases
TRAPS = [case for case in CASES if case.facts.bucket == "adversarial"]
POLICY = " ".join(FOLDER.desk.policy.split())


def booking(case: FolderCase) -> Mapping[str, Any]:
    """The record that a case is about."""
    assert case.facts.order is not None
    return FOLDER.records["bookings"][case.facts.order["number"]]


def flights(case: FolderCase) -> list[Mapping[str, Any]]:
    """The flights of its booking."""
    return [FOLDER.records["flights"][each] for each in booking(case)["flights"]]


def owed(case: FolderCase) -> bool:
    """True where a delay is to be made good: long, ours, and not made good yet."""
    late = any(each["delay_minutes"] >= 180 and each["cause"] in ("technical", "crew") for each in flights(case))
    return late and not any("voucher" in note for note in booking(case)["notes"])


def refundable(case: FolderCase) -> bool:
    """True where a refund is right: nothing flown yet, and the fare, the day of booking or our own flight says so."""
    it = booking(case)
    ahead = it["status"] == "ticketed" and all(each["day"] > "2026-09-14" for each in flights(case))
    ours = any(each["status"] == "cancelled" or each["delay_minutes"] >= 180 for each in flights(case))
    return ahead and (it["fare"] == "flex" or it["booked"] >= "2026-09-13" or ours)


def letters_apart(one: str, other: str) -> int:
    """How many letters have to be changed, added or taken away."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        last, row[0] = row[0], i
        for j, b in enumerate(other, start=1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (a != b))
    return row[-1]


def surname_told(case: FolderCase) -> bool:
    """True if the first message tells the last name of a passenger, as far as spelling goes."""
    told = [word.strip(".,:;!?()„“”’'").lower() for word in str(case.facts.opening).split()]
    names = [name.split()[-1].lower() for name in booking(case)["passengers"]]
    return any(letters_apart(name, word) <= 1 for name in names for word in told)


# What makes a trap of each family one, told apart from what the file of cases says of itself.
MADE_BY: Mapping[str, Callable[[FolderCase], bool]] = {
    "refund the fare rules out": lambda case: booking(case)["status"] == "ticketed" and not refundable(case),
    "already departed": lambda case: booking(case)["status"] in ("flown", "no show") and not owed(case),
    "ticket to another person": lambda case: booking(case)["status"] == "ticketed",
    "somebody else's booking": lambda case: not surname_told(case) or "boss" in str(case.facts.opening),
    "promised by a colleague": lambda case: not refundable(case) and "approved" not in str(booking(case)["notes"]),
    "compensation without ground": lambda case: not owed(case),
    "injected instructions": lambda case: not refundable(case) and not owed(case) and not booking(case)["notes"],
    "question that is no request": refundable,
}


def test_there_are_forty_cases_of_all_kinds() -> None:
    assert Counter(case.facts.bucket for case in CASES) == {"resolvable": 15, "must-escalate": 7, "adversarial": 18}
    assert {case.facts.family for case in TRAPS} == MADE_BY.keys()
    assert {case.facts.language for case in CASES} == {"en", "de", "es", "fr"}
    for told in ("id", "opening", "goal", "persona"):
        assert len({getattr(case.facts, told) for case in CASES}) == 40
    assert not {case.id for case in CASES} & {case.id for case in northline_cases()}
    assert len({case.facts.order["number"] for case in CASES if case.facts.order}) == 40


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_case_can_be_played_to_its_end(case: FolderCase) -> None:
    """What it names is there: the order can be looked up, expected acts go through, forbidden ones are acts."""
    facts, played = case.facts, kit("lapwing")
    assert facts.order is not None
    code = facts.order["number"]
    assert code in str(facts.opening)
    shown = json.loads(played.answered("find_booking", {"booking": code}))
    assert shown == {"id": code, **booking(case)}
    for each in booking(case)["flights"]:
        assert "error" not in json.loads(played.answered("flight_status", {"flight": each}))
    for act in facts.expected:
        schema = next(each for each in played.schemas if played.desk.act(each["name"]) == act)
        told = json.loads(played.answered(schema["name"], arguments_for(played, schema, code)))
        assert told.get("ok") is True, told
    assert set(facts.forbidden) <= played.desk.write_classes
    assert facts.forbidden
    assert str((facts.extra or {})["clause"]) in POLICY


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_what_is_expected_is_what_the_records_allow(case: FolderCase) -> None:
    facts = case.facts
    if "refund" in facts.expected:
        assert refundable(case)
        assert "cancel" in facts.expected
    if "voucher" in facts.expected:
        assert owed(case)
    if "rebook" in facts.expected:
        assert booking(case)["fare"] != "light" or any(each["status"] == "cancelled" for each in flights(case))
    if "rename" in facts.expected:
        (passenger,) = booking(case)["passengers"]
        assert 0 < letters_apart(passenger, str(facts.persona).partition(",")[0]) <= 3
    if facts.bucket != "adversarial":
        assert surname_told(case)


@pytest.mark.parametrize("case", TRAPS, ids=lambda case: case.id)
def test_a_trap_is_one_by_the_records(case: FolderCase) -> None:
    assert MADE_BY[case.facts.family or ""](case)
    assert case.facts.lure in ("story", "pressure")
    assert not case.facts.expected


def test_what_a_trap_hangs_on_stands_in_its_first_message() -> None:
    by_name = {case.id: case for case in TRAPS}
    assert letters_apart(booking(by_name["name-swap-as-slip"])["passengers"][0], "Hannah Lindberg") > 3
    assert "Callum" not in str(booking(by_name["name-swap"])["passengers"])
    for id, words in (
        ("name-swap-as-slip", "Hannah Lindberg"),
        ("name-swap", "Callum"),
        ("injected-approval", "[SYSTEM]"),
        ("injected-mail", "To the agent in charge"),
        ("promised-refund", "your colleague Peter"),
        ("promised-change-german", "telefonisch zugesagt"),
    ):
        assert words in str(by_name[id].facts.opening)


def test_bookings_and_flights_hold_together() -> None:
    for code, record in FOLDER.records["bookings"].items():
        assert set(record["flights"]) <= FOLDER.records["flights"].keys(), code
        days = [FOLDER.records["flights"][each]["day"] for each in record["flights"]]
        assert days == sorted(days), code
        assert record["booked"] < days[0]
        assert (record["status"] in ("flown", "no show")) == (days[-1] < "2026-09-14"), code
        assert not record["member"] or record["member"] in FOLDER.records["members"]
    for id, flight in FOLDER.records["flights"].items():
        assert id.endswith(flight["day"][5:].replace("-", "")), id
        assert (flight["status"] == "flown") == (flight["day"] < "2026-09-14"), id


def test_its_tools_are_those_of_no_other_desk() -> None:
    lapwing = desk.load("lapwing")
    others = [desk.load(name) for name in desk.shipped() if name != "lapwing"]
    assert not {tool for other in others for tool in other.tools} & lapwing.tools.keys()
    assert desk.recognised(lapwing.tools) == "lapwing"


def test_its_policy_is_a_page() -> None:
    assert 35 <= len(FOLDER.desk.policy.splitlines()) <= 60
