"""The particulars of one conversation, each with its kind: whose name, mail, telephone, address or number it is. Pure.

What tells is what calls and results hold under the names of such fields, however deep, and what the desk says names
an order; then shapes in any text (mail, telephone, street, identifiers, numbers behind `#` or behind words such as
“order”), lines such as `Name: ...`, names under which somebody introduces themselves or writes. A field that ends like
an identifier counts as one unless it is of the catalogue (products, flights): better one too many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, Literal, NamedTuple

from reviewer import desk
from reviewer.cuts.known_names import is_first_name, is_name, is_particle
from reviewer.desk import outcome
from reviewer.export import particulars
from reviewer.model import Stored
from reviewer.text import jsonspans, plainjson

Kind = Literal["name", "surname", "mail", "phone", "address", "city", "zip", "birth", "number"]
_DEEPEST = 3
"""How often JSON stands in a text within JSON."""
_LONGEST = 300
"""A longer value of a field is a text, and no particular."""
_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("surname", re.compile(r"(?:last|sur|family)_?name")),
    ("mail", re.compile(r"mail")),
    ("phone", re.compile(r"phone|mobile")),
    ("birth", re.compile(r"dob|birth")),
    ("zip", re.compile(r"zip|post")),
    ("city", re.compile(r"city")),
    ("address", re.compile(r"street|address|line")),
    ("number", re.compile(r"id$|last_four")),
)
_NUMBERED = re.compile(
    r"(?:^|_)(?:id|ids|uuid|number|numbers|no|num|code|ref|reference|orders?|reservations?"
    r"|bookings?|tickets?|pnr|locator|confirmation|tracking|passport|ssn|iban|account|imei|last_four|card)$"
)
_CATALOGUE = frozenset((
    "product", "products", "item", "items", "variant", "variants", "sku", "flight", "flights", "plan", "category",
    "model", "part", "policy", "promo", "discount", "coupon", "currency", "country", "state", "language", "status",
    "error", "zone", "airport", "page", "tax", "colour", "color", "size", "type", "version", "exit", "http", "response",
))  # fmt: skip
_HUMP = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
_IDENTIFIER = re.compile(r"#?[A-Za-z\d][\w.:/+-]{2,79}")
_MONEY = re.compile(r"\d+\.\d{1,2}|\d{4}-\d\d-\d\d\S*")
_LABELLED = re.compile(r"(?m)^[ \t>*•-]{0,8}([A-Za-z][A-Za-z _]{1,30}?)\*{0,2}:\*{0,2}[ \t]{0,4}(\S[^\n]{0,120})$")
_NAMED = (
    r"(?:order|reservation|booking|confirmation|tracking|invoice|ticket|case|account|passport|member|membership|claim)"
)
_NUMBERS = re.compile(
    r"(?P<hash>#[A-Za-z]{0,3}-?\d{3,20}(?![\w-]))"
    r"|(?P<plain>(?<![A-Za-z0-9_])[a-z]{2,20}(?:_[a-z]{2,20}){0,3}_\d{3,20}(?!\w))"
    r"|(?P<ssn>(?<![\w.-])\d{3}-\d\d-\d{4}(?![\w-]))"
    r"|(?P<card>(?<![\w.#-])\d{4}(?:[ -]?\d{4}){2}[ -]?\d{1,7}(?![\w-]))"
    r"|(?P<iban>(?<!\w)[A-Z]{2}\d\d(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?(?!\w))"
    r"|(?P<ip>(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]))"
)
_TOLD = re.compile(
    rf"(?i)(?<!\w){_NAMED}(?: (?:id|number|no\.?|code|ref(?:erence)?))?(?: is|:)? {{0,2}}[#\"'(]?"
    r"([A-Z\d][A-Z\d-]{3,24})(?!\w)"
)
_ENDING = re.compile(r"(?i)(?<!\w)end(?:ing|s)(?: in| with)? {0,2}(\d{4})(?![\w.,]\d|\w)")
_ZIP = re.compile(r"(?i)(?<!\w)(?:zip|post(?:al)?)(?: ?code)?(?: is|:)? {0,2}([A-Z\d]{3,5}(?:[ -][A-Z\d]{3,4})?)(?!\w)")
_YOU = re.compile(r"(?:[Yy]ou are|[Yy]our name is) ([A-Z][\w'’-]{1,30}(?: [A-Z][\w'’-]{1,30}){1,2})")
_PERSON = re.compile(r"[^\W\d_][\w.'’-]{0,30}(?: [^\W\d_][\w.'’-]{0,30}){0,3}")
_CAP = r"(?!I['’])[A-Z][\w'’-]{1,30}"
_TOWN_AND_CODE = re.compile(
    rf"(?<!\w)(?P<town>{_CAP}(?: {_CAP}){{0,2}}),? (?:[A-Z]{{2}},? (?P<us>\d{{5}}(?:-\d{{4}})?)"
    r"|(?:[A-Z]{2},? )?(?P<other>[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d))(?![\w-])"
)
_TITLED = re.compile(rf"(?<!\w)(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herr|Frau|Mme|Monsieur)\.? ({_CAP}(?: {_CAP}){{0,2}})")
_GREETED = re.compile(
    r"(?<!\w)(?:(?P<hello>Hi|Hello|Hey|Dear|Good (?:morning|afternoon|evening))"
    rf"|[Tt]hanks|[Tt]hank you|[Ss]orry|[Ww]elcome(?: back)?),? (?P<name>{_CAP}(?: {_CAP}){{0,2}})(?=[,!.\n]|$)"
)
_SIGNED = re.compile(
    r"(?i:(?<!\w)(?:regards|thanks|thank you|cheers|sincerely|greetings|wishes|best|yours)[,.!]?)\s{1,4}"
    rf"(?:[-–—] ?)?({_CAP}(?: {_CAP}){{0,2}})\s{{0,4}}(?:\n|$)"
)
_CALLED = re.compile(
    r"(?i:(?<!\w)(?:my (?:full |first |last )?name(?: is|['’]s|:)|i am called)) "
    r"([a-z'’-]{1,30}(?: [a-z'’-]{1,30}){0,2})(?![a-z'’-])"
)
_RELATED = re.compile(
    r"(?<!\w)(?:wife|husband|son|daughter|brother|sister|mother|father|mom|mum|dad|friend|partner|colleague|boss"
    rf"|neighbou?r|girlfriend|boyfriend|fianc[eé]e?),? ({_CAP})"
)
_ENDS = frozenset((
    "and", "but", "i", "is", "my", "on", "the", "in", "from", "with", "zip", "email", "a", "not", "it", "for", "at",
))  # fmt: skip
_NOBODY = frozenset((
    "There", "All", "Everyone", "Team", "Sir", "Madam", "Folks", "Again", "Support", "Customer", "You", "Agent",
    "Doctor", "Nurse", "Officer",
))  # fmt: skip
_PEOPLE = re.compile(
    r"(?:^|_)(?:passengers?|guests?|travell?ers?|recipients?|contacts?|customers?|members?|spouse|partner|owner|holder"
    r"|cardholder|sender|author|assignee|attendees?|patient|tenant|driver)$"
)
_LOGINS = re.compile(r"(?:^|_)(?:login|handle|nick|screen)$")
_TOWNS = re.compile(r"(?:^|_)(?:town|locality|municipality|suburb|village)$")
_PLAIN_PLACES = frozenset(
    ("usa", "us", "united states", "canada", "uk", "united kingdom", "germany", "france", "spain")
)
_UNNAMED = frozenset((
    "agent", "assistant", "user", "customer", "system", "tool", "bot", "ai", "human", "model", "none", "n/a", "na",
    "null", "unknown", "anonymous", "yes", "no", "true", "false",
))  # fmt: skip


class Particular(NamedTuple):
    """Words that tell who somebody is."""

    kind: Kind
    text: str


def of_stored(stored: Stored) -> tuple[Particular, ...]:
    """Every particular of a conversation and of what is known of its case, each once, names before what holds them."""
    every = (_cleaned(each) for each in (*_in_fields(stored), *_in_texts(stored)))
    told = dict.fromkeys(each for each in every if each is not None)
    return tuple(sorted(told, key=lambda each: ("name", "surname").index(each.kind) if "name" in each.kind else 2))


def of_text(text: str) -> Particular:
    """What somebody names as personal, with the kind that it looks like."""
    kind: Kind = "name"
    shape = next((kind for start, end, kind in particulars.shapes(text) if (start, end) == (0, len(text))), "")
    if shape in ("mail", "phone"):
        kind = "mail" if shape == "mail" else "phone"
    elif any(sign.isdigit() for sign in text):
        kind = "address" if " " in text and any(sign.isalpha() for sign in text) else "number"
    return Particular(kind, text)


def fields(text: str, depth: int = 0) -> Iterator[tuple[tuple[str, ...], str]]:
    """The fields of a JSON text, also of JSON within its texts: the names that lead to each, and its value."""
    for leaf in jsonspans.leaves(text) or ():
        names = tuple(name for name in (leaf.pointer or "").split("/") if name)
        if leaf.kind == "number":
            yield names, text[leaf.start : leaf.end]
        elif leaf.kind == "string":
            value = jsonspans.decoded(text, leaf.start + 1, leaf.end - 1).text
            yield names, value
            if depth < _DEEPEST:
                yield from ((names + inner, each) for inner, each in fields(value, depth + 1))


def kind_of(names: tuple[str, ...], value: str) -> Kind | None:
    """The kind of what stands under these names; None where that says nothing of anybody."""
    told = [name for name in names if not name.isdigit()]
    if not told or len(value) > _LONGEST:
        return None
    key = _HUMP.sub("_", told[-1]).lower().replace(" ", "_").replace("-", "_")
    if particulars.is_particular(key, any(map(particulars.tells_of_person, told[:-1]))):
        return next((kind for kind, pattern in _KINDS if pattern.search(key)), "name")
    if _PEOPLE.search(key) and " " in value and _PERSON.fullmatch(value) and value[0].isupper():
        return "name"
    if _TOWNS.search(key):
        return "city"
    if _LOGINS.search(key) and _IDENTIFIER.fullmatch(value):
        return "number"
    around = told[-2:-1] if key in ("id", "ids", "code", "number", "no", "ref", "reference") else []
    words = {word for name in (key, *around) for word in re.split(r"[^a-z]", name.lower())}
    if _NUMBERED.search(key) and not words & _CATALOGUE and _is_identifier(value):
        return "number"
    return None


def kinds_of(told: Sequence[tuple[tuple[str, ...], str]]) -> Iterator[Kind | None]:
    """The kinds of the fields of one text: a town only beside a street or a code, or within what is a person's."""
    every = [kind_of(names, value) for names, value in told]
    addresses = {names[:-1] for (names, _), kind in zip(told, every, strict=True) if kind in ("address", "zip")}
    for (names, _), kind in zip(told, every, strict=True):
        alone = kind == "city" and names[:-1] not in addresses and not any(map(particulars.tells_of_person, names[:-1]))
        yield None if alone else kind


def _is_identifier(value: str) -> bool:
    digits = sum(sign.isdigit() for sign in value)
    if not _IDENTIFIER.fullmatch(value) or _MONEY.fullmatch(value):
        return False
    return digits >= 3 or (value.isupper() and len(value) >= 5)


def _in_fields(stored: Stored) -> Iterator[Particular]:
    it, known = stored.conversation, desk.kept(stored.desk)
    calls = [call for message in it.messages for call in message.calls]
    for call in calls:
        order = outcome.order_of(call, known)
        if len(order) > 2:
            yield Particular("number", order)
    about: list[Mapping[str, Any] | None] = [it.meta, it.extra]
    about += [it.facts.order, it.facts.extra] if it.facts else []
    texts = [text for call in calls for text in (call.arguments, call.result, call.error) if text]
    for text in (*texts, *(plainjson.dumped(each) for each in about if each)):
        told = list(fields(text))
        for (names, value), kind in zip(told, kinds_of(told), strict=True):
            sort = kind == "name" and value.islower() and "name" not in names[-1].lower()
            if kind and (not sort or is_name(value)):  # a customer may be a `new` one
                yield Particular(kind, value)


def _in_texts(stored: Stored) -> Iterator[Particular]:
    it = stored.conversation
    for message in it.messages:
        if message.name and (message.role in ("customer", "colleague") or is_name(message.name.partition(" ")[0])):
            yield from _person(message.name)
        if message.role == "customer":
            yield from (Particular("name", name) for name in particulars.introduced(message.text))
            yield from (Particular("name", name) for name in _lower_names(message.text))
        if message.role != "system":
            yield from (Particular("name", name) for name in _addressed(message.text))
            for match in _SIGNED.finditer(message.text):
                at_the_end = message.role == "customer" and match.end() == len(message.text)
                if at_the_end or is_name(match[1].split()[0]):
                    yield Particular("name", match[1])
    facts = it.facts
    told = [facts.persona, facts.goal, facts.opening, facts.context, facts.lure] if facts else []
    for text in filter(None, told):
        yield from (Particular("name", match[1]) for match in _YOU.finditer(text))
    for text in every_text(stored):
        yield from _in_text(text)


def _lower_names(text: str) -> Iterator[str]:
    """The names of those who write themselves in small letters: “my name is noor haddad and ...”."""
    for match in _CALLED.finditer(text):
        words = list(takewhile(lambda word: word not in _ENDS, match[1].split()))
        if words:
            yield " ".join(words).title()


def _addressed(text: str) -> Iterator[str]:
    """The names by which somebody is addressed: with a title, in a greeting, thanked where it is a usual name."""
    yield from (match[1] for match in _TITLED.finditer(text))
    yield from (match[1] for match in _RELATED.finditer(text) if _NOBODY.isdisjoint((match[1],)))
    for match in _GREETED.finditer(text):
        words = match["name"].split()
        if _NOBODY.isdisjoint(words) if match["hello"] else is_first_name(words[0]):
            yield match["name"]


def every_text(stored: Stored) -> Iterator[str]:
    """What the conversation and its case say: messages, arguments, results, errors, the customer's story."""
    facts = stored.conversation.facts
    if facts:
        yield from filter(None, (facts.persona, facts.goal, facts.opening, facts.context, facts.lure))
    for message in stored.conversation.messages:
        yield message.text
        for call in message.calls:
            yield from (text for text in (call.arguments, call.result, call.error) if text)


def _in_text(text: str) -> Iterator[Particular]:
    for start, end, shape in particulars.shapes(text):
        kind: Kind = "mail" if shape == "mail" else "phone" if shape == "phone" else "number"
        yield Particular("address" if shape == "street" else kind, text[start:end])
    for match in _NUMBERS.finditer(text):
        if match.lastgroup != "card" or _is_card(match[0]):
            yield Particular("number", match[0])
    yield from (Particular("number", match[1]) for match in _TOLD.finditer(text) if _is_told(match[1]))
    yield from (Particular("number", match[1]) for match in _ENDING.finditer(text))
    yield from (Particular("zip", match[1]) for match in _ZIP.finditer(text) if any(map(str.isdigit, match[1])))
    for match in _TOWN_AND_CODE.finditer(text):
        yield Particular("city", match["town"])
        yield Particular("zip", match["us"] or match["other"])
    for match in _LABELLED.finditer(text):
        value = match[2].strip(" *`\"'.,")
        if kind_told := kind_of((match[1].strip(),), value):
            if kind_told in ("name", "surname"):
                yield from _person(value)
            elif kind_told in ("address", "city"):
                yield Particular(kind_told, value)
            elif _is_identifier(first := value.split()[0].strip("*`\"'.,;") or " ") or kind_told == "birth":
                yield Particular(kind_told, first)


def _is_told(code: str) -> bool:
    """True for what is a number behind a word such as “order”: digits, or capitals with one among them."""
    digits = sum(sign.isdigit() for sign in code)
    return digits >= 4 or (digits > 0 and code.isupper() and 5 <= len(code) <= 13)


def _is_card(text: str) -> bool:
    """True if the digits are those of a payment card, by their check digit."""
    digits = [int(sign) for sign in reversed(text) if sign.isdigit()]
    doubled = sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return 13 <= len(digits) <= 19 and (sum(digits[::2]) + doubled) % 10 == 0


def _person(name: str) -> Iterator[Particular]:
    """The name of a person, where it looks like one: it begins with a capital, and says no role."""
    told = name.strip()
    plain = [word for word in told.split() if word.islower() and not is_particle(word)]
    if _PERSON.fullmatch(told) and not plain and told.lower() not in _UNNAMED:
        yield Particular("name", told)


def _cleaned(each: Particular) -> Particular | None:
    """A particular without blanks around it; None for what would name nobody."""
    text = each.text.strip()
    if len(text) < 2 or text.lower() in _PLAIN_PLACES or text.lower() in _UNNAMED:
        return None
    if each.kind in ("number", "phone", "zip") and len(text.strip("#")) < 3:
        return None
    return Particular(each.kind, text)
