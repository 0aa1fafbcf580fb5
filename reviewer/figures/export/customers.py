"""Customers' particulars hidden in the texts of an export, by the rules by which cases are cut.

Hidden are names, mail, telephones, addresses, days of birth, and numbers of a customer's own (users, cards, accounts);
numbers of orders, bookings and parcels stay. What nobody looked up or introduced and has no shape of its own (a
nickname, a town, a name in the middle of a sentence) is not found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from reviewer.transcripts.model import Stored
from reviewer.transcripts.particulars import json_text
from reviewer.transcripts.particulars.conversation import Particular, of_field, of_stored
from reviewer.transcripts.particulars.known import KnownParticulars
from reviewer.transcripts.particulars.name_words import is_particle
from reviewer.transcripts.particulars.people import NONE_KNOWN
from reviewer.transcripts.particulars.personal_fields import Kind
from reviewer.transcripts.particulars.personal_shapes import shapes

PERSON = "[customer]"
_TOO_SHORT = 2
_DEEPEST = 12
_ESCAPE = re.compile(r"\\[nrt]")
_THINGS = frozenset(
    ("account", "card", "certificate", "credit", "debit", "gift", "item", "order", "payment", "product")
)
"""Words of identifiers that name no person: `credit_card_4421486`."""


class HiddenCustomers:
    """What is known of the customers of some conversations, to be hidden in any text."""

    def __init__(self, conversations: Iterable[Stored]) -> None:
        words: set[str] = set()
        for stored in conversations:
            for each in of_stored(stored):
                if each.kind != "number":
                    words.update(word for word in _forms(each) if len(word) >= _TOO_SHORT)
        # In a piece of JSON a name may stand with its escapes, in JSON within JSON with escaped escapes.
        escaped = {json.dumps(word)[1:-1] for word in words if not word.isascii()}
        twice = {json.dumps(word)[1:-1] for word in escaped}
        self._known = KnownParticulars(words | escaped | twice)

    def hidden_in(self, text: str) -> str:
        """The text with what is known and what looks like a particular hidden; JSON stays JSON."""
        return self._hidden(text, 0)

    def _hidden(self, text: str, depth: int) -> str:
        if depth > _DEEPEST or not json_text.is_json(text):
            return self._hidden_in_words(text)

        def key(written: str) -> str:
            if not json_text.is_text(written):
                return written
            inside = json_text.inside(written)
            return (
                written
                if (changed := self._hidden_in_words(inside)) == inside
                else json_text.quoted_as(changed, written)
            )

        def value(written: str, names: json_text.Names, kind: Kind | None) -> str:
            is_text = json_text.is_text(written)
            inside = json_text.inside(written) if is_text else written
            if kind != "number" and of_field(names, inside, kind, NONE_KNOWN):
                changed = PERSON
            else:
                changed = self._hidden(inside, depth + 1) if is_text else inside
            if changed == inside:
                return written
            return json_text.quoted_as(changed, written if is_text else '""')

        parts: list[str] = []
        done = 0
        for start, end, new in json_text.changes(text, key, value):
            parts += (text[done:start], new)
            done = end
        return "".join((*parts, text[done:]))

    def _hidden_in_words(self, text: str) -> str:
        # Shapes first: what is left of an address of mail without the name in it would have none.
        text = _replaced(text, ((start, end) for start, end, _ in shapes(_readable(text))))
        return _replaced(text, self._known.spans(_readable(text)))


def _readable(text: str) -> str:
    """The text with blanks for the escapes of line ends, as long as it was: a name may stand right behind them."""
    return _ESCAPE.sub("  ", text) if "\\" in text else text


def _replaced(text: str, spans: Iterable[tuple[int, int]]) -> str:
    parts: list[str] = []
    done = 0
    for start, end in spans:
        parts += (text[done:start], PERSON)
        done = end
    return "".join((*parts, text[done:]))


def _forms(each: Particular) -> Iterator[str]:
    """A particular, and the parts of it by which it may stand somewhere."""
    kind, text = each
    yield text
    if kind in ("name", "surname"):
        yield from (word for word in text.split() if not is_particle(word))
    elif kind == "account":
        names = [part for part in text.split("_") if part.isalpha() and len(part) >= _TOO_SHORT]
        if "_" in text and len(names) > 1 and _THINGS.isdisjoint(names):
            yield " ".join(names)
            yield from (name.capitalize() for name in names)
    elif kind == "address":
        yield from (part.strip() for part in re.split(r"[,;\n]", text) if len(part.strip()) > 3)
