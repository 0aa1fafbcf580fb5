"""The evidence a mode usually wants: candidates in one conversation, the likeliest first. Pure.

A codebook names a usual proof by one of the words in `PROOFS`; the app lights the first candidate up, and asks again
for the next. A candidate is a place, or the absence of a call; what does not exist here is no candidate. Calls about
the order in question come before others: the order that the claim names, else that of its case, else any.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from reviewer.basics.errors import RefError
from reviewer.marks.anchors import words
from reviewer.transcripts import desk
from reviewer.transcripts.desk.call_results import failed
from reviewer.transcripts.desk.outcome import order_of
from reviewer.transcripts.model import Stored, ToolCall
from reviewer.transcripts.refs import Absence, Ref, absence_text

Proof = Ref | Absence
_TELLING = (
    "status",
    "fulfil",
    "deliver",
    "ship",
    "track",
    "carrier",
    "eta",
    "date",
    "price",
    "total",
    "address",
    "refund",
)
_FIELDS = 8
_NAME = re.compile(r"[\w-]+")


def candidates(stored: Stored, proof: str, claim: Ref) -> list[Proof]:
    """The places that are such a proof for a claim, the likeliest first."""
    find = PROOFS.get(proof)
    return list(find(stored, claim)) if find else []


def name(stored: Stored, proof: Proof) -> str:
    """Return the name that a journal has for this piece of evidence."""
    if isinstance(proof, Absence):
        return absence_text(proof)
    return f"{stored.ref}{proof.place}"


def _last(stored: Stored, claim: Ref) -> int:
    """The message of the claim; the last one when the claim is the conversation."""
    return claim.message or len(stored.conversation.messages)


def _calls(stored: Stored, until: int, kinds: tuple[str, ...]) -> Iterator[tuple[Ref, ToolCall]]:
    """Calls of these kinds at or before a message, the latest first."""
    meaning = desk.kept(stored.desk)
    for number in range(until, 0, -1):
        calls = stored.conversation.messages[number - 1].calls
        for index in range(len(calls), 0, -1):
            if meaning.kind(calls[index - 1].name) in kinds:
                yield Ref(stored.ref, number, index), calls[index - 1]


def _about_first(stored: Stored, claim: Ref, calls: Iterator[tuple[Ref, ToolCall]]) -> list[tuple[Ref, ToolCall]]:
    """The same calls, those about the order in question before the others."""
    meaning = desk.kept(stored.desk)
    about = [(order_of(call, meaning), ref, call) for ref, call in calls]
    wanted = _in_question(stored, claim, {order for order, _, _ in about if order})
    about.sort(key=lambda each: each[0] not in wanted)
    return [(ref, call) for _, ref, call in about]


def _in_question(stored: Stored, claim: Ref, orders: set[str]) -> set[str]:
    """Those of the orders that the claim's words name, else its message, else the case; all where nothing names one."""
    facts = stored.conversation.facts
    places = [claim, Ref(stored.ref, claim.message, claim.call)] if claim.message else []
    named = [set(_NAME.findall(_text(stored, place))) for place in places]
    named.append({str(value).strip().lstrip("#") for value in (facts.order or {}).values()} if facts else set())
    return next((both for each in named if (both := orders & each)), orders)


def _text(stored: Stored, place: Ref) -> str:
    """The text at a place; empty where the claim's words have gone."""
    try:
        return words(stored, place)
    except RefError:
        return ""


def _lookups(stored: Stored, claim: Ref) -> Iterator[Proof]:
    for ref, call in _about_first(stored, claim, _calls(stored, _last(stored, claim), ("read", "?"))):
        if call.result is None:
            continue
        result = stored_result(ref)
        pointers = sorted(_pointers(call.result), key=lambda pair: (pair[1], pair[0].count("/")))
        yield from (result.field(pointer) for pointer, _ in pointers[:_FIELDS])
        yield result


def stored_result(ref: Ref) -> Ref:
    """The result of a call."""
    return Ref(ref.conversation, ref.message, ref.call, "result")


def _pointers(raw: str) -> list[tuple[str, int]]:
    """The fields of a result that hold one value, with how far from telling each is."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return []
    fields: list[tuple[str, int]] = []
    _walk(value, "", fields, 0)
    return fields


def _walk(value: Any, pointer: str, fields: list[tuple[str, int]], depth: int) -> None:
    if depth > _FIELDS:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            _walk(inner, f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}", fields, depth + 1)
    elif isinstance(value, list):
        for index, inner in enumerate(value[:_FIELDS]):
            _walk(inner, f"{pointer}/{index}", fields, depth + 1)
    elif pointer and value not in (None, ""):
        last = pointer.rpartition("/")[2].lower()
        fields.append((pointer, next((rank for rank, word in enumerate(_TELLING) if word in last), len(_TELLING))))


def _writes(stored: Stored, claim: Ref) -> Iterator[Proof]:
    last = _last(stored, claim)
    before = list(_calls(stored, last, ("write",)))
    every = list(_calls(stored, len(stored.conversation.messages), ("write",)))
    after = [(ref, call) for ref, call in reversed(every) if (ref.message or 0) > last]
    yield from (ref for ref, _ in _about_first(stored, claim, iter([*before, *after])))


def _handovers(stored: Stored, claim: Ref) -> Iterator[Proof]:  # noqa: ARG001 - all proofs are asked alike
    yield from (ref for ref, _ in _calls(stored, len(stored.conversation.messages), ("handover",)))


def _failures(stored: Stored, claim: Ref) -> Iterator[Proof]:
    every = _calls(stored, _last(stored, claim), ("read", "write", "handover", "?"))
    for ref, call in _about_first(stored, claim, every):
        if failed(call, desk.kept(stored.desk).refusals):
            yield stored_result(ref) if call.result is not None else ref


def _no_handover(stored: Stored, claim: Ref) -> Iterator[Proof]:
    if not any(True for _ in _handovers(stored, claim)):
        yield Absence("handover", len(stored.conversation.messages) + 1)


def _no_lookup(stored: Stored, claim: Ref) -> Iterator[Proof]:
    if not any(True for _ in _calls(stored, _last(stored, claim) - 1, ("read",))):
        yield Absence("read", _last(stored, claim))


def _no_such_call(stored: Stored, claim: Ref) -> Iterator[Proof]:
    """Classes of act that did not happen up to the claim, those it speaks of first."""
    meaning = desk.kept(stored.desk)
    until = _last(stored, claim)
    done = {meaning.act(call.name) for _, call in _calls(stored, until, ("write", "handover"))}
    said = stored.conversation.messages[until - 1].text.lower() if until else ""
    missing = sorted(meaning.write_classes - done, key=lambda act: (act.partition("-")[0][:5] not in said, act))
    yield from (Absence(act, until + 1) for act in missing)
    if "handover" not in done:
        yield Absence("handover", until + 1)


def _no_confirmation(stored: Stored, claim: Ref) -> Iterator[Proof]:
    """Stated of the write that the claim is about: nobody said yes before it."""
    seen: set[int] = set()
    for proof in _writes(stored, claim):
        if isinstance(proof, Ref) and proof.message is not None and proof.message not in seen:
            seen.add(proof.message)
            yield Absence("confirmation", proof.message)


def _said_by(role: str) -> Callable[[Stored, Ref], Iterator[Proof]]:
    def said(stored: Stored, claim: Ref) -> Iterator[Proof]:
        for number in range(_last(stored, claim), 0, -1):
            message = stored.conversation.messages[number - 1]
            if message.role == role and number != claim.message and message.text.strip():
                yield Ref(stored.ref, number)

    return said


def _reasoning(stored: Stored, claim: Ref) -> Iterator[Proof]:
    for number in range(_last(stored, claim), 0, -1):
        if stored.conversation.messages[number - 1].reasoning.strip():
            yield Ref(stored.ref, number, part="reasoning")


PROOFS: dict[str, Callable[[Stored, Ref], Iterator[Proof]]] = {
    "latest lookup": _lookups,
    "the write": _writes,
    "the handover": _handovers,
    "failed call": _failures,
    "no handover": _no_handover,
    "no lookup": _no_lookup,
    "no such call": _no_such_call,
    "no confirmation": _no_confirmation,
    "customer's words": _said_by("customer"),
    "earlier reply": _said_by("agent"),
    "the instructions": _said_by("system"),
    "the reasoning": _reasoning,
}
