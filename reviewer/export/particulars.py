"""Particulars: what of a text tells who the customer is. Pure.

Owns the heuristic and its limits. Known are the values that calls, results and the case's order hold under the names of
such fields (names, identifiers, mail, telephone, address), the words of those names, and what a customer says after
“my name is”; of a shape of their own are mail addresses, telephone numbers, streets and identifiers like `mia_li_3668`.
What nobody looked up and has no such shape (a nickname, a town, a name in the middle of a sentence) is not found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from reviewer.model import Conversation

PERSON = "[customer]"
_DEEPEST = 12
_OF_PERSON = re.compile(r"(?i)customer|user|recipient|passenger|guest|contact|address|billing|shipping_to")
_NAMED = r"(?:(?:first|last|full|sur|family|given|customer|user|recipient|passenger)_?name|customer|recipient)"
_PARTICULAR = re.compile(
    rf"(?i)(?:^|_)(?:{_NAMED}|user_?id|customer_?id|e?mail(?:_address)?|(?:tele)?phone(?:_?(?:number|no))?"
    r"|mobile(?:_?(?:number|no))?|street|address(?:_?line)?_?\d?|line_?\d|zip(?:_?code)?|post_?code|postal_code|city"
    r"|dob|birth(?:(?!_birth)\w)*+|last_four)$"
)
_NAME = re.compile(r"(?i)(?:^|_)name$")
_HUMP = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
"""Where `zipCode` has no sign between its words."""
_CAPITAL = r"[A-Z][\w'’-]+"
_INTRODUCED = re.compile(
    rf"(?i:\bmy (?:full |last |first )?name(?: is|'s|:)) *({_CAPITAL}(?: {_CAPITAL}){{0,2}})"
    rf"|(?:\b[Tt]his is|\bI am|\bI['’]m) ({_CAPITAL}(?: {_CAPITAL}){{1,2}})"
    r"|我(?:叫|是)([\u3400-\u9fff]{2,4})(?![\u3400-\u9fff])"
)
_STREETS = "Street|St|Avenue|Ave|Road|Rd|Close|Lane|Ln|Drive|Dr|Court|Ct|Way|Boulevard|Blvd|Place|Pl|Square|Crescent"
_DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_LOCAL = re.compile(r"[\w.+-]")
"""A sign of what stands before the `@` of an address."""
_SHAPES = re.compile(
    r"(?P<phone>(?<![\w#/.-])(?<!\d )(?:\+\d[\d ().-]{6,}\d|\(\d{2,4}\)[ .-]?\d[\d .-]{4,}\d"
    r"|\d{3}(?P<gap>[ .-])\d{3}(?P=gap)\d{4}|0\d{2,4} \d[\d ]{4,}\d)(?![\w-]))"
    r"|(?P<street>\b\d{1,5}[a-z]?(?: [NSEW]{1,2})?"
    rf"(?: (?:{_CAPITAL}|\d{{1,3}}(?:st|nd|rd|th))){{1,3}} (?:{_STREETS})\b)"
    r"|(?P<identifier>(?<!\w)[a-z]+_[a-z]+_\d{3,}(?!\w))"
)
_TOO_SHORT = 2
_LONGEST, _SHORT_PIECE = 200, 3
_HEAD = 2
"""So many signs lead to the particulars that begin with them; none is shorter."""
_PIECE = re.compile(rf"(?s)([^\W_]{{{_LONGEST}}})[^\W_]*|(.{{1,{_LONGEST}}})(?![^\W_])")
_LETTERS = re.compile(r"[^\W_]+")
_ALIKE = {0x130: "i", 0x131: "i", 0x17F: "s"}
"""Letters that are one with another in small letters, or would become two."""
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
_FIRST = re.compile(rf"(?<![^\W_])\S|{_UNSPACED.pattern}")
"""Where a particular may begin: not within a word, where words have blanks between them."""


def of_conversation(conversation: Conversation) -> set[str]:
    """The words of a conversation that tell who its customer is."""
    particulars: set[str] = set()
    for value in _values(conversation):
        particulars.update(_in_value(value, "", 0))
    for message in conversation.messages:
        if message.role == "customer":
            particulars.update(word for name in introduced(message.text) for word in _words(name))
        for text in (message.text, *(call.arguments or "" for call in message.calls)):
            particulars.update(
                part for start, end, kind in shapes(text) if kind == "identifier" for part in _parts(text[start:end])
            )
    return {each for each in particulars if len(each) >= _TOO_SHORT}


def is_particular(key: str, of_person: bool) -> bool:
    """True if a field of that name, within what is told of a person or elsewhere, says who somebody is."""
    words = _HUMP.sub("_", key)
    return bool(_PARTICULAR.search(words) or (of_person and _NAME.search(words)))


def tells_of_person(key: str) -> bool:
    """True if the fields below one of that name are those of a person."""
    return bool(_OF_PERSON.search(key))


def introduced(text: str) -> Iterator[str]:
    """The names under which somebody introduces themselves in a text."""
    return (each[each.lastindex or 0] for each in _INTRODUCED.finditer(text))


class KnownParticulars:
    """Particulars to be found again, each by itself and the longest first, in a time that grows with the text alone."""

    def __init__(self, words: Iterable[str], common: Collection[str] = ()) -> None:
        """Those that are `common` words too are known only as they are written."""
        self._exact: set[str] = set()
        self._in_any_case: set[str] = set()
        lengths: dict[str, set[int]] = {}
        for word in (piece for each in words for piece in _pieces(each)):
            exact = len(word) <= _TOO_SHORT or word.lower() in _COMMON or word.lower() in common
            (self._exact if exact else self._in_any_case).add(word if exact else folded_text(word))
            lengths.setdefault(folded_text(word[:_HEAD]), set()).add(len(word))
        self._lengths = {head: sorted(each, reverse=True) for head, each in lengths.items()}
        """How long the particulars are that begin so."""

    def hidden_in(self, text: str) -> str:
        """The text without them."""
        return _replaced(text, self.spans(text)) if self._lengths else text

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where they stand in the text, in order and apart."""
        folded, done = folded_text(text), 0
        for first in _FIRST.finditer(text):
            at = first.start()
            if at >= done and (end := self._end(text, folded, at)):
                yield at, end
                done = end

    def _end(self, text: str, folded: str, at: int) -> int:
        """Where the longest particular ends that stands here; 0 if none does."""
        for length in self._lengths.get(folded[at : at + _HEAD], ()):
            end = at + length
            if text[at:end] in self._exact or folded[at:end] in self._in_any_case:
                follows = _LETTERS.match(text, end) if length == _LONGEST else None
                if follows:  # it is known by its beginning
                    return follows.end()
                if end >= len(text) or not text[end].isalnum() or _UNSPACED.match(text[end - 1]):
                    return end
        return 0


def without_shapes(text: str) -> str:
    """The text without what looks like mail, telephone, street or identifier."""
    return _replaced(text, ((start, end) for start, end, _ in shapes(text)))


def shapes(text: str) -> Iterator[tuple[int, int, str]]:
    """What looks like mail, telephone, street or identifier, in order and apart: where it stands, and which it is."""
    done, mail, other = 0, _mail(text, 0), _SHAPES.search(text)
    while mail or other:
        if mail and (other is None or mail[0] <= other.start()):
            yield *mail, "mail"
            done = mail[1]
        elif other:
            yield *other.span(), other.lastgroup or ""
            done = other.end()
        if mail and mail[0] < done:
            mail = _mail(text, done)
        if other and other.start() < done:
            other = _SHAPES.search(text, done)


def _mail(text: str, at: int) -> tuple[int, int] | None:
    """Where the next address of mail stands. One looks for its `@`: what may precede that is most of any text."""
    while (sign := text.find("@", at)) >= 0:
        start = sign
        while start > at and _LOCAL.match(text, start - 1):
            start -= 1
        domain = _DOMAIN.match(text, sign + 1)
        if start < sign and domain:
            return start, domain.end()
        at = sign + 1
    return None


def _replaced(text: str, spans: Iterable[tuple[int, int]]) -> str:
    parts: list[str] = []
    done = 0
    for start, end in spans:
        parts += (text[done:start], PERSON)
        done = end
    return "".join((*parts, text[done:]))


def folded_text(text: str) -> str:
    """The text in small letters, as long as it was: equal for what counts as written alike."""
    return text.translate(_ALIKE).lower()


def _pieces(word: str) -> Iterator[str]:
    """A particular; of one that is longer than any, its pieces, and of letters without an end the first."""
    if len(word) <= _LONGEST:
        yield word
        return
    for piece in _PIECE.finditer(word):
        if len(stripped := piece[piece.lastindex or 0].strip()) > _SHORT_PIECE:
            yield stripped


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
        inside = of_person or tells_of_person(key)
        for name, inner in value.items():
            yield from _in_value(inner, str(name), depth + 1, inside)
    elif isinstance(value, list):
        for inner in value:
            yield from _in_value(inner, key, depth + 1, of_person)
    elif isinstance(value, str) and is_particular(key, of_person):
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
