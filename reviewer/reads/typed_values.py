"""Typed values in a text or in the fields of a result: orders, parcels, money, links, addresses, states, carriers.

Owns what each kind looks like and how two spellings of one value are made equal. Scanners are linear; a result is read
as JSON once, each field with its pointer, JSON within JSON too. Days and lengths of time are `reviewer.reads.dates`'.
Pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

Kind = Literal["url", "e-mail", "money", "tracking number", "order", "carrier", "status"]

_DEEPEST = 32
_URL = re.compile(
    r"https?://[^\s<>\"'`{}|\\^\[\]，。）]+"
    r"|(?<![\w@.-])(?:[a-z0-9-]{1,63}\.){1,4}(?:com|org|net|io|example|shop|store|co|app"
    r"|dev)\b(?:/[^\s<>\"'`{}|\\^\[\]，。）]*)?",
    re.IGNORECASE,
)
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_MONEY = re.compile(r"[$€£]\s?(?P<sum>\d{1,3}(?:,\d{3})+(?:\.\d{2})?|\d{1,9}(?:\.\d{2})?)")
_TRACKING = re.compile(
    r"(?<![\w#])(?:1Z[0-9A-Z]{16}|(?:[A-Z]{2,4}[- ]?)\d{8,12}(?:[A-Z]{2})?|NL-\d{4}-[A-Z]{2}|\d{4}(?:"
    r" \d{4,5}){3,5}(?: \d{2})?|\d{12,22})(?!\w)"
)
_ORDER = re.compile(r"#[A-Z]{0,3}\d{3,12}\b|(?<!\w)W\d{7}\b")
_CARRIER = re.compile(r"\b(?:UPS|USPS|FedEx|DHL|Royal Mail|Canada Post|DPD|Hermes|Evri)\b")
_STATUS = re.compile(
    r"\b(?:in transit|out for delivery|unfulfilled|partially (?:shipped|fulfilled)|shipped|delivered|pending|processed"
    r"|cancell?ed|returned|refunded)\b",
    re.IGNORECASE,
)
_SCANNERS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("url", _URL),
    ("e-mail", _MAIL),
    ("money", _MONEY),
    ("tracking number", _TRACKING),
    ("order", _ORDER),
    ("carrier", _CARRIER),
    ("status", _STATUS),
)
_NOT_OF_NUMBER = re.compile(r"[\s#-]+")
_TRAILING = ".,;:!?)*_"


class Fact(NamedTuple):
    """A value and where it stands."""

    kind: Kind
    value: str
    start: int
    end: int


class ResultField(NamedTuple):
    """A field of a result, and what it holds."""

    pointer: str
    name: str
    """Its last key that is a name, in small letters."""
    value: str


def facts(text: str, *kinds: Kind) -> Iterator[Fact]:
    """The typed values of a text, of these kinds or of all, kind by kind."""
    for kind, scanner in _SCANNERS:
        if kinds and kind not in kinds:
            continue
        for match in scanner.finditer(text):
            start, end = match.span()
            if kind == "url":
                end = start + len(match[0].rstrip(_TRAILING))
            if end > start and not (kind == "url" and _within_mail(text, start, end)):
                yield Fact(kind, normal(kind, text[start:end]), start, end)


def normal(kind: Kind, text: str) -> str:
    """One spelling for all spellings of a value."""
    if kind == "url":
        plain = text.lower().removeprefix("https://").removeprefix("http://").removeprefix("www.")
        return plain.rstrip("/" + _TRAILING)
    if kind in ("order", "tracking number"):
        return number(text)
    if kind == "money":
        return text.lstrip("$€£ ").replace(",", "").removesuffix(".00")
    return " ".join(text.lower().replace("_", " ").split()).replace("canceled", "cancelled")


def number(text: str) -> str:
    """An order's or a parcel's number without its signs: `#W 123` is `W123`."""
    return _NOT_OF_NUMBER.sub("", text).upper()


def result_fields(result: str) -> list[ResultField]:
    """The fields of a result that is JSON; none of another."""
    value = _parsed(result)
    if not isinstance(value, dict | list):
        return []
    fields: list[ResultField] = []
    _gather(value, "", "", 0, fields)
    return fields


def _parsed(text: str) -> Any:
    if not text[:64].lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return None


def _gather(value: Any, pointer: str, name: str, depth: int, fields: list[ResultField]) -> None:
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        for key, each in value.items():
            place = (
                f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}" if len(pointer) + len(key) < 2_000 else pointer
            )
            _gather(each, place, key.lower(), depth + 1, fields)
    elif isinstance(value, list):
        for index, each in enumerate(value):
            _gather(each, f"{pointer}/{index}", name, depth + 1, fields)
    elif isinstance(value, str):
        inner = _parsed(value)
        fields.append(ResultField(pointer, name, value))
        if isinstance(inner, dict | list):  # its own fields are all shown as this one, which has the pointer
            nested: list[ResultField] = []
            _gather(inner, "", name, depth + 1, nested)
            fields.extend(each._replace(pointer=pointer) for each in nested)
    elif value is not None:
        fields.append(ResultField(pointer, name, str(value)))


def _within_mail(text: str, start: int, end: int) -> bool:
    return "@" in text[max(0, start - 1) : start] or "@" in text[start:end].partition("/")[0]
