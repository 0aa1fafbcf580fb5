"""The desk's tools: reads answer from the orders, writes record the intent, bad calls answer with an error."""

from __future__ import annotations

import json

import pytest

from reviewer.benchmark.northline.desk_tools import SCHEMAS, answered, policy_section, search
from reviewer.benchmark.northline.shop import orders
from reviewer.transcripts import desk


def test_schemas_and_desk_file_name_the_same_tools() -> None:
    northline = desk.load("northline")
    assert {schema["name"] for schema in SCHEMAS} == set(northline.tools)
    for schema in SCHEMAS:
        order = northline.order_argument(schema["name"])
        assert order is None or order in schema["parameters"]["required"]


def test_a_lookup_says_what_the_order_file_says_and_no_address() -> None:
    said = json.loads(answered("lookup_order", {"order_number": "#1162"}).result)
    assert said["status"] == "partially shipped"
    assert [line["status"] for line in said["lines"]] == ["delivered", "unfulfilled", "delivered"]
    assert said["total"] == orders()["#1162"].total
    assert "address" not in json.dumps(said)


def test_an_unshipped_order_has_no_tracking() -> None:
    said = json.loads(answered("lookup_order", {"order_number": "#1130"}).result)
    assert (said["status"], said["tracking_number"], said["delivered"]) == ("unfulfilled", None, None)


def test_writes_change_nothing_and_say_that_the_intent_is_recorded() -> None:
    before = answered("lookup_order", {"order_number": "#1211"})
    answer = answered("cancel_order", {"order_number": "#1211", "reason": "no need"})
    assert answer.error is None
    assert json.loads(answer.result) == {"ok": True, "action": "cancel", "order_number": "#1211", "recorded": True}
    assert answered("lookup_order", {"order_number": "#1211"}) == before


@pytest.mark.parametrize(
    ("name", "arguments", "error"),
    [
        ("lookup_order", {"order_number": "#9"}, "order_not_found"),
        ("lookup_order", {}, "order_not_found"),
        ("cancel_order", {"order_number": "1130"}, "order_not_found"),
        ("create_replacement", {"order_number": "#1132", "variant_id": "MCI68_SLA"}, "variant_not_found"),
        ("create_reshipment", {"order_number": "#1132", "lines": [2]}, "line_not_found"),
        ("edit_shipping_address", {"order_number": "#1204", "address": " "}, "address_missing"),
        ("refund_order", {"order_number": "#1204"}, "unknown_tool"),
    ],
)
def test_a_bad_call_answers_with_an_error(name: str, arguments: dict[str, str], error: str) -> None:
    answer = answered(name, arguments)
    assert answer.error == error
    assert json.loads(answer.result)["error"] == error


def test_policy_sections_are_found_by_title_then_by_text() -> None:
    assert "100 days" in policy_section("returns")
    assert "photo" in policy_section("damaged goods")
    assert "gift wrap" in policy_section("expedited")
    assert policy_section("zzzz") == desk.load("northline").policy


def test_products_are_found_by_words_of_title_or_kind() -> None:
    assert [found["title"] for found in search("neck pillow")] == ["Nimbus Neck Pillow"]
    assert search("teapot") == []
    assert len(search("")) == 16
