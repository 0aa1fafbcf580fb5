"""A small desk, and short talks at it: what reads are tried on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from reviewer.findings import reads
from reviewer.findings.reads import BY_NAME, Readout
from reviewer.findings.reads.dossier import Suggestion
from reviewer.transcripts.model import Case, Message, Stored
from tests import builders
from tests.builders import agent, call, customer

DESK = """
name = "shop"
confirm = true
clock = "2026-06-29"
private_hosts = ["admin.shop.example"]
policy = '''Refunds take 5-7 business days. Returns within 100 days of delivery. Track at https://track.shop.example.'''
[tools]
get_order = { class = "read", order = "order_id" }
cancel_order = { class = "cancel", order = "order_id" }
send_replacement = { class = "replace", order = "order_id" }
set_address = { class = "edit-address", order = "order_id" }
hand_over = { class = "handover" }
"""
MOVING = {
    "order_id": "#1130", "placed": "2026-06-19", "shipped": "2026-06-22", "delivered": None, "status": "in transit",
    "tracking_url": "https://track.shop.example/NL434999291", "tracking_number": "NL434999291",
}  # fmt: skip
THERE = {**MOVING, "status": "delivered", "delivered": "2026-06-25"}
PAID = {"order_id": "#1130", "financial_status": "paid", "fulfillment_status": "fulfilled"}
ASK = customer("Where is #1130?")
YES = customer("Yes, please go ahead.")


def look(result: Mapping[str, object] = MOVING) -> Message:
    return agent("", call("get_order", '{"order_id":"#1130"}', json.dumps(result)))


def write(
    name: str = "cancel_order", result: str = '{"ok":true}', error: str | None = None, **arguments: str
) -> Message:
    return agent("", call(name, json.dumps({"order_id": "#1130", **arguments}), result, error))


def told(*messages: Message, case: Case | None = None, desk: str = DESK, ended_by: str | None = None) -> Stored:
    made = builders.stored(*messages)
    it = replace(made.conversation, facts=case, ended_by=ended_by)
    return replace(made, desk=desk, conversation=it)


def readout(name: str, stored: Stored) -> Readout:
    out = reads.read_over(stored, [BY_NAME[name]])
    assert not out.faults
    return out


def only(name: str, stored: Stored) -> Suggestion:
    ((_, suggestion),) = readout(name, stored).suggestions
    return suggestion


def words(stored: Stored, suggestion: Suggestion) -> str:
    ref = suggestion.claim
    assert ref.message is not None
    assert ref.span is not None
    return stored.conversation.messages[ref.message - 1].text[slice(*ref.span)]


HAND = agent("I've passed this to a colleague, who will write to you.", call("hand_over", "{}"))
TRAP = Case("used-item-1", bucket="adversarial", forbidden=("replace", "cancel"))
REROUTE = Case("r-1", bucket="must-escalate", family="fraud reroute", forbidden=("edit-address",))
