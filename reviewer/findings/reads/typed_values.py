"""Typed values in a text or in the fields of a result: orders, parcels, identifiers, money, links, addresses, states.

Owns what each kind looks like and how two spellings of one value are made equal. Scanners are linear; a result is read
as JSON once, each field with its pointer, JSON within JSON too. Days and lengths of time are
`reviewer.findings.reads.dates`'. Pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

Kind = Literal["url", "e-mail", "address", "money", "tracking number", "order", "identifier", "carrier", "status"]

_DEEPEST = 32
_URL = re.compile(
    r"https?://[^\s<>\"'`{}|\\^\[\]，。）]+"
    r"|(?<![\w@.-])(?:[a-z0-9-]{1,63}\.){1,4}(?:com|org|net|io|example|shop|store|co|app"
    r"|dev)\b(?:/[^\s<>\"'`{}|\\^\[\]，。）]*)?",
    re.IGNORECASE,
)
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_SUM = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d{2})?|\d{1,9}(?:[.,]\d{2}(?!\d)|\.\d)?)"
_MONEY = re.compile(
    rf"[$€£]\s?{_SUM}|(?<![\w.,$€£#-]){_SUM}\s?(?:€|£|(?:US )?dollars?\b|USD\b|EUR\b|euros?\b|GBP\b|pounds\b)",
    re.IGNORECASE,
)
_TRACKING = re.compile(
    r"(?<![\w#])(?:1Z[0-9A-Z]{16}|(?!(?:ID|NO|NR|REF|SKU|UPC)\b)[A-Z]{2,4}[- ]?\d{8,12}(?:[A-Z]{2})?|NL-\d{4}-[A-Z]{2}"
    r"|\d{4}(?: \d{4,5}){3,5}(?: \d{2})?|\d{12,22})(?!\w)"
)
_ORDER = re.compile(r"#[A-Z]{0,3}\d{3,12}\b|(?<!\w)W\d{7}\b")
_IDENTIFIER = re.compile(
    r"(?<![\w@.,$€£#+/-])(?:\d{6,22}|(?=[A-Z-]{0,24}\d)(?=[\d-]{0,24}[A-Z])[A-Z0-9]{2,12}(?:-[A-Z0-9]{1,12}){0,3}"
    r"|[a-z]{1,24}(?:_[a-z0-9]{1,24}){0,3}_\d{3,12})(?![\w@]|[.,/-]\w)"
)
"""Numbers and codes of variants, items, bookings, flights, accounts, cards."""
_LEAST: dict[Kind, int] = {"identifier": 5}
"""Characters that one has at least."""
_STREETS = (
    "street|st|avenue|ave|road|rd|drive|dr|lane|ln|boulevard|blvd|way|court|ct|place|pl|terrace|square|sq|parkway|pkwy"
    "|circle|highway|hwy|close|crescent"
)
_HOUSE = rf"(?<![\w.,$€£#-])\d{{1,5}}[a-z]?,?\s(?:WORD\s){{1,4}}(?i:{_STREETS})\b"
_ADDRESS = re.compile(
    _HOUSE.replace("WORD", r"[A-ZÀ-Þ][\w.'’-]{0,20}")
    + r"|\b[A-ZÀ-Þ][\w-]{0,20}(?:straße|strasse|gasse|platz|weg) \d{1,4}[a-z]?\b"
    r"|\b(?:Calle|Avenida|Rue|Via|Viale|Rua) (?:[\w.'’-]{1,20} ){0,3}[\w.'’-]{1,20},? \d{1,5}\b"
    r"|\b[A-Z]{2},? \d{5}(?:-\d{4})?(?![\w-])|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b"
)
HOUSE_AS_TYPED = re.compile(_HOUSE.replace("WORD", r"[^\W\d_][\w.'’-]{0,20}"), re.IGNORECASE)
"""A house in small letters, as customers type it; in prose it would see addresses where there are none."""
CARRIERS = ("UPS", "USPS", "FedEx", "DHL", "Royal Mail", "Canada Post", "DPD", "Hermes", "Evri")
_CARRIER = re.compile(rf"\b(?:{'|'.join(CARRIERS)})\b")
_STATUS = re.compile(
    r"\b(?:in[ _-]transit|out[ _]for[ _]delivery|unfulfilled|partially[ _](?:shipped|fulfilled)|shipped|delivered"
    r"|pending|processed|cancell?ed|returned|refunded)\b",
    re.IGNORECASE,
)
_SCANNERS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("url", _URL),
    ("e-mail", _MAIL),
    ("address", _ADDRESS),
    ("money", _MONEY),
    ("tracking number", _TRACKING),
    ("order", _ORDER),
    ("identifier", _IDENTIFIER),
    ("carrier", _CARRIER),
    ("status", _STATUS),
)
_DIGIT = re.compile(r"\d")
_SIGN: dict[Kind, str] = {"url": ".", "e-mail": "@"}
_WITHOUT_DIGITS = ("url", "e-mail", "carrier", "status")
"""Kinds of which some have no digit; the others are looked for only where one stands."""
_SHORT = dict(
    each.split()
    for each in (
        *("street st", "avenue ave", "road rd", "drive dr", "lane ln", "boulevard blvd"),
        *("court ct", "place pl", "square sq", "parkway pkwy", "highway hwy"),
    )
)
_NOT_OF_SUM = re.compile(r"[^\d.,]+")
_DECIMAL_COMMA = re.compile(r"^\d+,\d\d$")
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
    figures = _DIGIT.search(text) is not None
    for kind, scanner in _SCANNERS:
        if kinds and kind not in kinds:
            continue
        if not (figures or kind in _WITHOUT_DIGITS) or _SIGN.get(kind, "") not in text:
            continue  # it saves the search in most texts
        for match in scanner.finditer(text):
            start, end = match.span()
            if kind == "url":
                end = start + len(match[0].rstrip(_TRAILING))
            if end - start >= _LEAST.get(kind, 1) and not (kind == "url" and _within_mail(text, start, end)):
                yield Fact(kind, normal(kind, text[start:end]), start, end)


def normal(kind: Kind, text: str) -> str:
    """One spelling for all spellings of a value."""
    if kind == "url":
        plain = text.lower().removeprefix("https://").removeprefix("http://").removeprefix("www.")
        return plain.rstrip("/" + _TRAILING)
    if kind in ("order", "tracking number", "identifier"):
        return number(text)
    if kind == "money":
        return amount(text)
    if kind == "address":
        *words, last = text.lower().replace(",", " ").split()
        return " ".join((*words, _SHORT.get(last.rstrip("."), last.rstrip("."))))
    return " ".join(text.lower().replace("_", " ").split()).replace("canceled", "cancelled")


def amount(text: str) -> str:
    """A sum of money as figures with two decimals, whatever its currency is and wherever that stands."""
    figures = _NOT_OF_SUM.sub("", text)
    if _DECIMAL_COMMA.search(figures):
        figures = figures.replace(",", ".")
    return f"{float(figures.replace(',', '') or 0):.2f}"


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
