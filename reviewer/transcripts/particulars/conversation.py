"""The personal data in one conversation, each value with its kind: name, mail, telephone, address or number. Pure.

The rules look in four places:

- fields of calls and results that have the name of such data, at any depth, and fields that the desk calls an order;
- shapes in any text: mail, telephone, street, card, numbers after `#` or after words such as “order”;
- lines such as `Name: ...`;
- names with which somebody introduces themselves or signs.

A field whose name ends like an identifier counts as one, unless it belongs to the catalogue (products, flights): the
rules rather hide a value too many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from reviewer.basics import plainjson
from reviewer.transcripts import desk
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.model import Stored
from reviewer.transcripts.particulars import people
from reviewer.transcripts.particulars.name_words import CAPITAL, UNNAMED
from reviewer.transcripts.particulars.people import NONE_KNOWN, KnownNames
from reviewer.transcripts.particulars.personal_fields import Kind, fields, is_identifier, kind_of, kinds_of, says_name
from reviewer.transcripts.particulars.personal_shapes import shapes

_LABELLED = re.compile(
    r"(?m)^[ \t>*•-]{0,8}([^\W\d_][^\W\d]{0,30}(?:[ -][^\W\d]{1,20}){0,3})\*{0,2} ?:\*{0,2}"
    r"[ \t]{0,4}(\S[^\n]{0,120})$"
)
_NAMED = (
    r"(?:order|reservation|booking|confirmation|tracking|invoice|ticket|case|account|passport|member|membership|claim)"
)
_NUMBERS = re.compile(
    r"(?P<hash>#[A-Za-z]{0,3}-?\d{3,20}(?![\w-]))"
    r"|(?P<plain>(?<![A-Za-z0-9_])[a-z]{2,20}(?:_[a-z]{2,20}){0,3}_\d{3,20}(?!\w))"
)
_TOLD = re.compile(
    rf"(?i)(?<!\w){_NAMED}(?: (?:id|number|no\.?|code|ref(?:erence)?))?(?: is|:)? {{0,2}}[#\"'(]?"
    r"([A-Z\d][A-Z\d-]{3,24})(?!\w)"
)
_ENDING = re.compile(r"(?i)(?<!\w)end(?:ing|s)(?: in| with)? {0,2}(\d{4})(?![\w.,]\d|\w)")
_ZIP = re.compile(r"(?i)(?<!\w)(?:zip|post(?:al)?)(?: ?code)?(?: is|:)? {0,2}([A-Z\d]{3,5}(?:[ -][A-Z\d]{3,4})?)(?!\w)")
_YOU = re.compile(r"(?:[Yy]ou are|[Yy]our name is) ([A-Z][\w'’-]{1,30}(?: [A-Z][\w'’-]{1,30}){1,2})")
_TOWN_AND_CODE = re.compile(
    rf"(?<!\w)(?P<town>{CAPITAL}(?: {CAPITAL}){{0,2}}),? (?:[A-Z]{{2}},? (?P<us>\d{{5}}(?:-\d{{4}})?)"
    r"|(?:[A-Z]{2},? )?(?P<other>[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d))(?![\w-])"
)
_PLAIN_PLACES = frozenset(
    ("usa", "us", "united states", "canada", "uk", "united kingdom", "germany", "france", "spain")
)
_KINDS: dict[str, Kind] = {"mail": "mail", "phone": "phone", "street": "address"}
"""The kinds of shapes; any other shape is an account."""


class Particular(NamedTuple):
    """Words that tell who somebody is."""

    kind: Kind
    text: str


def of_stored(stored: Stored, known: KnownNames = NONE_KNOWN) -> tuple[Particular, ...]:
    """Every particular of a conversation and of what is known of its case, each once, names before what holds them."""
    every = (_cleaned(each) for each in (*_in_fields(stored, known), *_in_texts(stored, known)))
    told = dict.fromkeys(each for each in every if each is not None)
    return tuple(sorted(told, key=lambda each: ("name", "surname").index(each.kind) if "name" in each.kind else 2))


def of_text(text: str) -> Particular:
    """What somebody names as personal, with the kind that it looks like."""
    kind: Kind = "name"
    shape = next((kind for start, end, kind in shapes(text) if (start, end) == (0, len(text))), "")
    if shape in ("mail", "phone"):
        kind = _KINDS[shape]
    elif any(sign.isdigit() for sign in text):
        kind = "address" if " " in text and any(sign.isalpha() for sign in text) else "number"
    return Particular(kind, text)


def of_field(names: tuple[str, ...], value: str, kind: Kind | None, known: KnownNames) -> Particular | None:
    """What a field of this kind says of somebody; None where it says nothing, such as a customer that is `new`."""
    if kind is None or (kind == "name" and value.islower() and not says_name(names) and not known.is_name(value)):
        return None
    return _cleaned(Particular(kind, value))


def every_text(stored: Stored) -> Iterator[str]:
    """What the conversation and its case say: messages, arguments, results, errors, the customer's story."""
    facts = stored.conversation.facts
    if facts:
        yield from filter(None, (facts.persona, facts.goal, facts.opening, facts.context, facts.lure))
    for message in stored.conversation.messages:
        yield message.text
        for call in message.calls:
            yield from (text for text in (call.arguments, call.result, call.error) if text)


def _in_fields(stored: Stored, known: KnownNames) -> Iterator[Particular | None]:
    it, tools = stored.conversation, desk.kept(stored.desk)
    calls = [call for message in it.messages for call in message.calls]
    for call in calls:
        order = outcome.order_of(call, tools)
        if len(order) > 2:
            yield Particular("number", order)
    about: list[Mapping[str, Any] | None] = [it.meta, it.extra]
    about += [it.facts.order, it.facts.extra] if it.facts else []
    texts = [text for call in calls for text in (call.arguments, call.result, call.error) if text]
    for text in (*texts, *(plainjson.dumped(each) for each in about if each)):
        told = list(fields(text))
        for (names, value), kind in zip(told, kinds_of(told), strict=True):
            yield of_field(names, value, kind, known)
            yield from _in_value(value) if any(sign in value for sign in " @") else ()


def _in_value(value: str) -> Iterator[Particular]:
    """What a text within JSON says, which is read without its escapes."""
    yield from (Particular("name", name) for name in people.introduced(value))
    yield from _in_text(value)


def _in_texts(stored: Stored, known: KnownNames) -> Iterator[Particular]:
    it = stored.conversation
    for message in it.messages:
        if message.name and (
            message.role in ("customer", "colleague") or known.is_name(message.name.partition(" ")[0])
        ):
            yield from (Particular("name", name) for name in people.person(message.name))
        names: list[str] = []
        if message.role == "customer":
            names += people.introduced(message.text)
        if message.role != "system":
            names += people.addressed(message.text, known)
            names += people.signed(message.text, message.role == "customer", known)
        yield from (Particular("name", name) for name in names)
    facts = it.facts
    told = [facts.persona, facts.goal, facts.opening, facts.context, facts.lure] if facts else []
    for text in filter(None, told):
        yield from (Particular("name", match[1]) for match in _YOU.finditer(text))
    for text in every_text(stored):
        yield from _in_text(text)


def _in_text(text: str) -> Iterator[Particular]:
    yield from (Particular(_KINDS.get(shape, "account"), text[start:end]) for start, end, shape in shapes(text))
    yield from (Particular("number", match[0]) for match in _NUMBERS.finditer(text))
    yield from (Particular("number", match[1]) for match in _TOLD.finditer(text) if _is_told(match[1]))
    yield from (Particular("account", match[1]) for match in _ENDING.finditer(text))
    yield from (Particular("zip", match[1]) for match in _ZIP.finditer(text) if any(map(str.isdigit, match[1])))
    for match in _TOWN_AND_CODE.finditer(text):
        yield Particular("city", match["town"])
        yield Particular("zip", match["us"] or match["other"])
    for match in _LABELLED.finditer(text):
        value = match[2].strip(" *`\"'.,")
        if value and (kind := kind_of((match[1].strip(),), value)):
            yield from _labelled(kind, value)


def _labelled(kind: Kind, value: str) -> Iterator[Particular]:
    """What a line such as `Name: ...` says."""
    first = value.split()[0].strip("*`\"'.,;") or " "
    if kind in ("name", "surname"):
        yield from (Particular("name", name) for name in people.person(value))
    elif kind == "city" or (kind == "address" and any(map(str.isdigit, value))):
        yield Particular(kind, value)
    elif kind not in ("address", "mail") and (is_identifier(first) or kind == "birth"):
        yield Particular(kind, first)


def _is_told(code: str) -> bool:
    """True for what is a number behind a word such as “order”: digits, or capitals with one among them."""
    digits = sum(sign.isdigit() for sign in code)
    return digits >= 4 or (digits > 0 and code.isupper() and 5 <= len(code) <= 13)


def _cleaned(each: Particular | None) -> Particular | None:
    """A particular without blanks around it; None for what would name nobody."""
    if each is None:
        return None
    text = each.text.strip()
    if len(text) < 2 or text.lower() in _PLAIN_PLACES or text.lower() in UNNAMED:
        return None
    if each.kind in ("number", "account", "phone", "zip") and len(text.strip("#")) < 3:
        return None
    return Particular(each.kind, text)
