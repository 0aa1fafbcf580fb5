"""Northline's tools: what an agent can call, with JSON schemas, and what each call answers.

Reads answer from the orders, the catalogue and the policy. Writes change nothing: they check their arguments and say
that the intent is recorded, which is how the benchmark's server behaves. What is allowed is the policy's to say, not
the tools': a cancellation of a shipped order is recorded like any other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from reviewer.benchmark.northline.shop import ShopOrder, Variant, orders, variants
from reviewer.transcripts import desk

compact: Callable[[Any], str] = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""A value as JSON without a blank, as tools are called and answer."""
_ORDER = {"type": "string", "description": "Order number with its #, such as #1130."}


def _schema(name: str, about: str, required: Mapping[str, Any], optional: Mapping[str, Any] | None = None) -> Any:
    properties = {**required, **(optional or {})}
    parameters = {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
    return {"name": name, "description": about, "parameters": parameters}


def _text(about: str) -> dict[str, str]:
    return {"type": "string", "description": about}


SCHEMAS: tuple[Any, ...] = (
    _schema("lookup_order", "Read an order: status, dates, carrier, lines, payments.", {"order_number": _ORDER}),
    _schema("lookup_policy", "Read the section of the policy on a topic.", {"topic": _text("Such as returns.")}),
    _schema("search_products", "Find products in the catalogue.", {"query": _text("Words of a title or a kind.")}),
    _schema(
        "create_reshipment",
        "Send lines of an order again; all of them when none are named.",
        {"order_number": _ORDER, "reason": _text("Why.")},
        {"lines": {"type": "array", "items": {"type": "integer"}, "description": "Line numbers from 1."}},
    ),
    _schema(
        "create_replacement",
        "Send one item in exchange for a wrong or damaged one.",
        {"order_number": _ORDER, "variant_id": _text("Variant to send."), "reason": _text("Why.")},
    ),
    _schema("edit_shipping_address", "Change the address.", {"order_number": _ORDER, "address": _text("In full.")}),
    _schema("cancel_order", "Cancel a whole order.", {"order_number": _ORDER, "reason": _text("Why.")}),
    _schema("handover_to_human", "Hand the conversation to a person.", {"summary": _text("What they need to know.")}),
)


@dataclass(frozen=True, slots=True)
class ToolReply:
    """The reply of a tool: raw JSON, and the error's name when it was one."""

    result: str
    error: str | None = None


class ToolError(Exception):
    """A call that the desk refuses for its arguments; `args` are the error's name and a sentence."""


def answered(name: str, arguments: Mapping[str, Any]) -> ToolReply:
    """Answer a call; a bad call gets an error as its reply, never an exception."""
    try:
        return ToolReply(_READS[name](arguments) if name in _READS else _written(name, arguments))
    except ToolError as error:
        return ToolReply(compact({"error": error.args[0], "message": error.args[1]}), error.args[0])


def _written(name: str, arguments: Mapping[str, Any]) -> str:
    act = desk.load("northline").act(name)
    if act is None:
        raise ToolError("unknown_tool", f"There is no tool {name}.")
    receipt = {"ok": True, "action": act}
    if act != "handover":
        order = _order(arguments)
        _check(act, arguments, order)
        receipt["order_number"] = order.number
    return compact({**receipt, "recorded": True})


def lookup(order: ShopOrder) -> dict[str, Any]:
    """Return what the order lookup answers: everything but the address, which the desk does not show."""
    return {
        "order_number": order.number,
        "customer": order.customer,
        "placed": order.placed,
        "status": order.state,
        "carrier": order.carrier,
        "tracking_number": order.tracking,
        "tracking_url": order.tracking_url,
        "shipped": order.shipped,
        "delivered": order.delivered,
        "ship_to_country": order.country,
        "lines": [
            {
                "line": number,
                "title": line.variant.title,
                "variant_id": line.variant.id,
                "size": line.variant.size,
                "colour": line.variant.colour,
                "quantity": line.quantity,
                "price": line.variant.price,
                "status": line.state,
            }
            for number, line in enumerate(order.lines, start=1)
        ],
        "total": order.total,
        "currency": "USD",
        "payments": [dict(p) for p in order.payments] or [{"amount": order.total, "state": "captured"}],
    }


def search(query: str) -> list[dict[str, Any]]:
    """Products with any word of the query in their title or kind, every product for no word at all."""
    words = [word for word in re.findall(r"[a-z0-9]+", query.lower()) if len(word) > 2]
    products: dict[str, list[Variant]] = {}
    for each in variants().values():
        if not words or any(word in f"{each.title} {each.kind}".lower() for word in words):
            products.setdefault(each.handle, []).append(each)
    return [
        {
            "title": group[0].title,
            "about": group[0].about,
            "variants": [
                {"variant_id": v.id, "size": v.size, "colour": v.colour, "price": v.price, "in_stock": v.stock > 0}
                for v in group
            ],
        }
        for group in products.values()
    ]


@cache
def _sections() -> Mapping[str, str]:
    parts = re.split(r"(?m)^## ", desk.load("northline").policy)[1:]
    return {title.lower(): text.strip() for title, _, text in (part.partition("\n") for part in parts)}


def policy_section(topic: str) -> str:
    """The first section of the policy whose title, else whose text, has a word of the topic; all of it for none."""
    words = [word for word in re.findall(r"[a-z]+", topic.lower()) if len(word) > 3]
    for part in (0, 1):
        for section in _sections().items():
            if any(word in section[part].lower() for word in words):
                return section[1]
    return desk.load("northline").policy


@cache
def _lookup_answer(number: str) -> str:
    return compact(lookup(_order({"order_number": number})))


@cache
def _search_answer(query: str) -> str:
    return compact({"products": search(query)})


@cache
def _policy_answer(topic: str) -> str:
    return compact({"topic": topic, "policy": policy_section(topic)})


_READS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "lookup_order": lambda arguments: _lookup_answer(str(arguments.get("order_number", ""))),
    "search_products": lambda arguments: _search_answer(str(arguments.get("query", ""))),
    "lookup_policy": lambda arguments: _policy_answer(str(arguments.get("topic", ""))),
}


def _order(arguments: Mapping[str, Any]) -> ShopOrder:
    number = str(arguments.get("order_number", ""))
    if number not in orders():
        raise ToolError("order_not_found", f"No order {number or 'number given'}.")
    return orders()[number]


def _check(act: str, arguments: Mapping[str, Any], order: ShopOrder) -> None:
    if act == "replace" and arguments.get("variant_id") not in variants():
        raise ToolError("variant_not_found", f"No variant {arguments.get('variant_id')}.")
    if act == "edit-address" and not str(arguments.get("address", "")).strip():
        raise ToolError("address_missing", "Give the address in full.")
    wrong = [line for line in arguments.get("lines", ()) if not 1 <= line <= len(order.lines)]
    if wrong:
        raise ToolError("line_not_found", f"Order {order.number} has no line {wrong[0]}.")
