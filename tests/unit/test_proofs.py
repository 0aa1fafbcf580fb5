"""The usual proofs: which places of a conversation are candidates for each, the likeliest first."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from reviewer.marks.review.proofs import PROOFS, candidates, name
from reviewer.transcripts.desk import parse
from reviewer.transcripts.model import Case
from reviewer.transcripts.refs import Absence, Ref
from tests import builders
from tests.builders import agent, call, customer

RESULT = {"ok": True, "lines": [{"a/b~c": "x", "eta": "Monday"}, {"Status": "sent"}], "none": None, "empty": ""}
STORED = builders.stored(
    customer("Where is it?"),
    agent("Let me see.", call("get_order", "{}", json.dumps(RESULT)), reasoning="look first"),
    customer("And cancel it."),
    agent("I cancel it and hand you over.", call("cancel_order", "{}", "{}"), call("hand_over", "{}", None, "busy")),
    agent("Done.", call("what_is_this", "{}", "no", "broken"), reasoning="that was it"),
    agent("And again.", call("cancel_order", "{}", "{}"), call("get_order", "{}", None)),
)
LOOKUP = ["#5.1.result", "#2.1.result/lines/1/Status", "#2.1.result/lines/0/eta", "#2.1.result/ok",
          "#2.1.result/lines/0/a~1b~0c", "#2.1.result"]  # fmt: skip


def offered(proof: str, claim: int | None) -> list[str]:
    return [name(STORED, each).removeprefix(STORED.ref) for each in candidates(STORED, proof, Ref(STORED.ref, claim))]


@pytest.mark.parametrize(
    ("proof", "claim", "places"),
    [
        ("latest lookup", 2, LOOKUP[1:]),
        ("latest lookup", None, LOOKUP),
        ("latest lookup", 1, []),
        ("the write", 4, ["#4.1", "#6.1"]),
        ("the write", 1, ["#4.1", "#6.1"]),
        ("the write", None, ["#6.1", "#4.1"]),
        ("the handover", 1, ["#4.2"]),
        ("failed call", 4, ["#4.2"]),
        ("failed call", None, ["#5.1.result", "#4.2"]),
        ("no handover", 2, []),
        ("no lookup", 2, ["no read before #2"]),
        ("no lookup", 3, []),
        ("no lookup", None, []),
        ("no such call", 2, ["no cancel before #3", "no handover before #3"]),
        ("no such call", 4, []),
        ("no confirmation", 5, ["no confirmation before #4", "no confirmation before #6"]),
        ("customer's words", 4, ["#3", "#1"]),
        ("customer's words", 3, ["#1"]),
        ("earlier reply", 5, ["#4", "#2"]),
        ("earlier reply", None, ["#6", "#5", "#4", "#2"]),
        ("the instructions", None, []),
        ("the reasoning", 5, ["#5.reasoning", "#2.reasoning"]),
        ("the reasoning", None, ["#5.reasoning", "#2.reasoning"]),
        ("the reasoning", 4, ["#2.reasoning"]),
        ("nothing of the kind", 4, []),
    ],
)
def test_what_is_offered_for_a_claim(proof: str, claim: int | None, places: list[str]) -> None:
    assert offered(proof, claim) == places
    assert proof in PROOFS or not places


WRITES = """
name = "many"
[tools]
cancel_order = { class = "cancel" }
edit_address = { class = "edit-address" }
refund = { class = "refund" }
"""


def test_the_acts_that_a_claim_speaks_of_come_first_and_a_message_is_named_once() -> None:
    assert parse(WRITES, "many").write_classes == {"cancel", "edit-address", "refund"}
    talk = builders.stored(
        customer("Hi."), agent("I refunded it and edited the address.", call("cancel_order"), call("cancel_order"))
    )
    stored = replace(talk, desk=WRITES)
    claim = Ref(stored.ref, 2)
    for message, acts in ((2, "edit-address refund handover"), (1, "cancel edit-address refund handover")):
        missing = candidates(stored, "no such call", replace(claim, message=message))
        assert missing == [Absence(act, message + 1) for act in acts.split()]
    assert candidates(stored, "no confirmation", claim) == [Absence("confirmation", 2)]


ORDERED = """
name = "orders"
[tools]
look = { class = "read", order = "order" }
policy = { class = "read" }
cancel = { class = "cancel", order = "order" }
"""


@pytest.mark.parametrize(
    ("said", "of_case", "first"),
    [
        ("It was delivered.", "#2", "#2.2"),
        ("It was delivered.", None, "#2.3"),
        ("It was delivered.", "#77", "#2.3"),
        ("#1 was delivered.", "#2", "#2.1"),
        ("Order 3 was delivered.", None, "#2.3"),
        ("Order 33 was delivered.", "#2", "#2.2"),
    ],
)
def test_calls_about_the_order_in_question_come_before_a_policy_lookup(
    said: str, of_case: str | None, first: str
) -> None:
    looks = [call("look", json.dumps({"order": f"#{number}"}), '{"status":"sent"}') for number in (1, 2, 3)]
    policy = call("policy", '{"topic":"returns"}', '{"policy":"100 days"}')
    talk = builders.stored(
        customer("Where is it?"), agent("Let me see.", *looks), agent("Policy.", policy), agent(said)
    )
    facts = Case("case", order={"number": of_case} if of_case else None)
    stored = replace(talk, desk=ORDERED, conversation=replace(talk.conversation, facts=facts))
    got = [each.place for each in candidates(stored, "latest lookup", Ref(stored.ref, 4)) if isinstance(each, Ref)]
    assert got[0] == f"{first}.result/status"
    assert "#3.1.result/policy" in got
    wrote = agent("Done.", *(call("cancel", json.dumps({"order": number})) for number in (2, 1)))
    written = replace(stored, conversation=replace(stored.conversation, messages=(*talk.conversation.messages, wrote)))
    assert name(written, candidates(written, "the write", Ref(stored.ref, 4))[0]).endswith(
        "#5.2" if first == "#2.1" else "#5.1"
    )
