"""What looks personal and was not replaced because no rule is sure: for a person to look at before it is written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from reviewer.benchmark.cuts.disguise import Disguise
from reviewer.benchmark.cuts.known_names import is_first_name
from reviewer.transcripts.model import Stored
from reviewer.transcripts.particulars.known import folded_text
from reviewer.transcripts.particulars.personal_fields import fields, kind_of

_WORDS = re.compile(r"[^\W_]+")
_SIGNS = re.compile(
    r"(?P<digits>(?<![\w.,$€£:#/-])\d(?:[ -]?\d){4,18}(?![\w:%]|[.,/]\d|-\w))"
    r"|(?P<code>(?<![\w/.-])(?=[A-Z]{0,7}\d)[A-Z\d]{5,12}(?![\w/-]))"
    r"|(?P<link>https?://[^\s\"'<>)\]]{4,200})"
    r"|(?P<spoken>(?<![\w.])[\w.]{2,40} (?:at|\(at\)|\[at\]) [\w.]{2,40} (?:dot|\(dot\)|\[dot\]) [a-z]{2,6}(?!\w))"
    r"|(?P<name>(?<![\w@.#/-])[A-Z][a-z]{2,20}(?![\w@/-]))"
)
_DATES = re.compile(r"(?:19|20)\d\d[ -]\d\d[ -]\d\d")
_WHY = {
    "digits": "a long number",
    "code": "letters and digits, as in a booking",
    "link": "a link",
    "spoken": "mail in words",
    "name": "a first name, as it seems",
}
_SHORT = 5
"""Letters from which on a name is looked for within other words."""
_MOST = 200


class Leftover(NamedTuple):
    """Words that somebody should look at."""

    text: str
    why: str
    places: tuple[str, ...]


def leftovers(stored: Stored, done: Disguise) -> list[Leftover]:
    """What is left in all that was changed, each with the places where it stands, the most frequent first."""
    public = _public(stored)
    places: dict[tuple[str, str], Counter[str]] = {}
    inside, stand_ins = _within(done), done.stand_ins
    for change in done.changes:
        text = change.after
        for words, why in (*_told(text, public, stand_ins), *((each, _INSIDE) for each in inside(text))):
            places.setdefault((words, why), Counter())[change.place] += 1
    for town, place in done.towns:
        places.setdefault((town, _TOWN), Counter())[place] += 1
    order = sorted(places.items(), key=lambda each: (-sum(each[1].values()), each[0]))
    return [Leftover(words, why, tuple(told)) for (words, why), told in order]


_INSIDE = "a name within a word"
_TOWN = "a town of an address, left where it is only a place"


def _told(text: str, public: frozenset[str], stand_ins: frozenset[str]) -> Iterator[tuple[str, str]]:
    for match in _SIGNS.finditer(text):
        words, sign = match[0], match.lastgroup or ""
        if folded_text(words) in public or folded_text(words) in stand_ins or _DATES.fullmatch(words):
            continue
        if sign == "code" and (words.isalpha() or words.isdigit()):
            continue
        if sign == "name" and not is_first_name(words):
            continue
        if set(map(folded_text, _WORDS.findall(words))) <= stand_ins:
            continue
        yield words, _WHY[sign]


def _public(stored: Stored) -> frozenset[str]:
    """The values of fields that say nothing of anybody: products, flights, prices."""
    texts = (
        text
        for message in stored.conversation.messages
        for call in message.calls
        for text in (call.arguments, call.result)
        if text
    )
    return frozenset(
        folded_text(each)
        for text in texts
        for names, value in fields(text)
        if len(value) <= 40 and kind_of(names, value) is None
        for each in (value, *_WORDS.findall(value))
    )


def _within(done: Disguise) -> Callable[[str], list[str]]:
    """Finds names that were replaced and stand within other words too."""
    names = sorted(
        {pair.text for pair in done.times if "name" in pair.kind and len(pair.text) >= _SHORT and pair.text.isalpha()}
    )
    pattern = re.compile("|".join(map(re.escape, names[:_MOST])) or r"(?!)", re.IGNORECASE)
    return lambda text: [match[0] for match in pattern.finditer(text)]
