"""Particulars: what of a text tells who the customer is. Pure.

Owns the heuristic and its limits. Known are the values that calls, results and the case's order hold under the names of
such fields (names, identifiers, mail, telephone, address), the words of those names, and what a customer says after
“my name is”; of a shape of their own are mail addresses, telephone numbers, streets and identifiers like `mia_li_3668`.
What nobody looked up and has no such shape (a nickname, a town, a name in the middle of a sentence) is not found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from reviewer.model import Conversation

PERSON = "[customer]"
_DEEPEST = 12
_OF_PERSON = re.compile(r"(?i)customer|user|recipient|passenger|guest|contact|address|billing|shipping_to")
_NAMED = r"(?:(?:first|last|full|sur|family|given|customer|user|recipient|passenger)_?name|customer|recipient)"
_PARTICULAR = re.compile(
    rf"(?i)(?:^|_)(?:{_NAMED}|user_?id|customer_?id|e?mail|phone|mobile|street|address(?:_?line)?_?\d?|line_?\d|zip|"
    r"post_?code|postal_code|city|dob|birth\w*|last_four)$"
)
_NAME = re.compile(r"(?i)(?:^|_)name$")
_CAPITAL = r"[A-Z][\w'’-]+"
_INTRODUCED = re.compile(
    rf"(?i:\bmy (?:full |last |first )?name(?: is|'s|:)) *({_CAPITAL}(?: {_CAPITAL}){{0,2}})"
    rf"|(?:\b[Tt]his is|\bI am|\bI['’]m) ({_CAPITAL}(?: {_CAPITAL}){{1,2}})"
    r"|我(?:叫|是)([\u3400-\u9fff]{2,4})(?![\u3400-\u9fff])"
)
_STREETS = "Street|St|Avenue|Ave|Road|Rd|Close|Lane|Ln|Drive|Dr|Court|Ct|Way|Boulevard|Blvd|Place|Pl|Square|Crescent"
_SHAPES = re.compile(
    r"(?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<phone>(?<![\w#/.-])(?<!\d )(?:\+\d[\d ().-]{6,}\d|\(\d{2,4}\)[ .-]?\d[\d .-]{4,}\d"
    r"|\d{3}(?P<gap>[ .-])\d{3}(?P=gap)\d{4}|0\d{2,4} \d[\d ]{4,}\d)(?![\w-]))"
    rf"|(?P<street>\b\d{{1,5}}[a-z]?(?: [NSEW])?(?: {_CAPITAL}){{1,3}} (?:{_STREETS})\b)"
    r"|(?P<identifier>(?<!\w)[a-z]+_[a-z]+_\d{3,}(?!\w))"
)
_TOO_SHORT = 2
_COMMON = frozenset((
    "an", "art", "bill", "black", "brown", "chase", "do", "drew", "faith", "grace", "green", "hope", "joy", "king",
    "li", "long", "love", "mark", "may", "my", "page", "pat", "price", "ray", "rich", "rob", "rose", "so", "sue", "van",
    "white", "will", "young",
))  # fmt: skip
"""Names that are words as well: hidden only as they are written in a name, or every “will” would go with Will."""
_THINGS = frozenset(
    ("account", "card", "certificate", "credit", "debit", "gift", "item", "order", "payment", "product")
)
"""Words of identifiers that name no person: `credit_card_4421486`."""
_UNSPACED = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def of_conversation(conversation: Conversation) -> set[str]:
    """Collect the particulars of a conversation's customer."""
    found: set[str] = set()
    for value in _values(conversation):
        found.update(_in_value(value, "", 0))
    for message in conversation.messages:
        if message.role == "customer":
            found.update(
                word for each in _INTRODUCED.finditer(message.text) for word in _words(each[each.lastindex or 0])
            )
        for text in (message.text, *(call.arguments or "" for call in message.calls)):
            found.update(part for each in _SHAPES.finditer(text) if each["identifier"] for part in _parts(each[0]))
    return {each for each in found if len(each) >= _TOO_SHORT}


def pattern(words: Iterable[str]) -> re.Pattern[str]:
    """Any of the words by itself, the longest first; nothing at all when there are none."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return re.compile("|".join(map(_alone, ordered)) if ordered else "(?!)")


def without_shapes(text: str) -> str:
    """The text without what looks like mail, telephone, street or identifier."""
    return _SHAPES.sub(PERSON, text)


def _alone(word: str) -> str:
    exact = len(word) <= _TOO_SHORT or word.lower() in _COMMON
    written = re.escape(word) if exact else f"(?i:{re.escape(word)})"
    before = "" if _UNSPACED.match(word[0]) else r"(?<![^\W_])"
    after = "" if _UNSPACED.match(word[-1]) else r"(?![^\W_])"
    return f"{before}{written}{after}"


def _values(conversation: Conversation) -> Iterator[Any]:
    """The case's order, and everything that calls and results hold as JSON."""
    if conversation.facts and conversation.facts.order:
        yield conversation.facts.order
    for message in conversation.messages:
        for call in message.calls:
            for raw in (call.arguments, call.result):
                try:
                    yield json.loads(raw or "null")
                except (ValueError, RecursionError):
                    continue  # text: what it holds of a person is found by its shape alone


def _in_value(value: Any, key: str, depth: int, of_person: bool = False) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        inside = of_person or bool(_OF_PERSON.search(key))
        for name, inner in value.items():
            yield from _in_value(inner, str(name), depth + 1, inside)
    elif isinstance(value, list):
        for inner in value:
            yield from _in_value(inner, key, depth + 1, of_person)
    elif isinstance(value, str) and (_PARTICULAR.search(key) or (of_person and _NAME.search(key))):
        yield from _of_text(value.strip(), key.lower())


def _of_text(text: str, key: str) -> Iterator[str]:
    yield text
    if "name" in key or key in ("customer", "recipient"):
        yield from _words(text)
    elif key.endswith("id"):
        yield from _parts(text)
    else:
        yield from (part.strip() for part in re.split(r"[,;\n]", text) if len(part.strip()) > 3)


def _words(name: str) -> Iterator[str]:
    yield name
    yield from name.split()


def _parts(identifier: str) -> Iterator[str]:
    """The names in an identifier like `mia_li_3668`, as they are written in a text."""
    yield identifier
    names = [part for part in identifier.split("_") if part.isalpha() and len(part) >= _TOO_SHORT]
    if len(names) > 1 and _THINGS.isdisjoint(names):
        yield " ".join(names)
        yield from (name.capitalize() for name in names)
