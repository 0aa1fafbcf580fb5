"""The particulars of a conversation replaced wherever they stand: in texts, in JSON, in keys that hold a number.

Owns in which forms a particular is looked for (a name and each of its words, a number with and without its `#`, a day
as people write it) and how one text, JSON or not, comes out changed and otherwise as it was.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from reviewer.benchmark.cuts.stand_ins import StandIns, is_handle, written_dates
from reviewer.transcripts.model import Message, Stored, ToolCall
from reviewer.transcripts.particulars import json_text
from reviewer.transcripts.particulars.conversation import Particular, every_text, of_text
from reviewer.transcripts.particulars.known import KnownParticulars, folded_text
from reviewer.transcripts.particulars.name_words import is_particle
from reviewer.transcripts.particulars.personal_fields import Kind, fields, kind_of

_DEEPEST = 3
_WORDS = re.compile(r"[^\W_]+")
_NAMES = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LOWER = re.compile(r"(?<![\w@.-])[a-z]{3,30}(?![\w@-])(?!\.\w)")
_DAYS, _DIGITS = re.compile(r"\d{4}-\d\d-\d\d"), re.compile(r"\d{5,}")
_ENDING_ZIP = re.compile(r"(?:[A-Z]{2} )?(\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d)")
_HOUSE = re.compile(r"(?<!\w)\d{1,6}[A-Za-z]?\b")
_CODE = re.compile(r"[A-Z]{2,4}")
_KEY = re.compile(r"[\d@ ]")
_CLOSE = 40
"""Characters between the parts of an address at most."""
_SUM_BEFORE, _SUM_AFTER = re.compile(r"[$€£¥]\s?$|\d[.,]$"), re.compile(r"[.,]\d|\s?[$€£¥%]")
_ENDS = re.compile(r"[.!?”\"]\s")
"""Where a sentence ends, and with it an address."""
_GONE = "[removed]"
"""What stands for a particular that is longer than any stand-in."""


class Pair(NamedTuple):
    """A particular in the form in which it stands somewhere, and its stand-in."""

    kind: Kind
    text: str
    stand_in: str


class ChangedPiece(NamedTuple):
    """A stretch of a text before and after; equal where nothing was replaced."""

    before: str
    after: str


class ChangedText(NamedTuple):
    """A text of the case, in pieces."""

    place: str
    """As in a reference: `#4`, `#4.2.result`; `goal` for what is no part of the transcript."""
    pieces: tuple[ChangedPiece, ...]

    @property
    def after(self) -> str:
        """The text as it is written."""
        return _after(self.pieces)


class Disguise:
    """The particulars of one conversation and what stands in their place."""

    def __init__(
        self, stored: Stored, known: Iterable[Particular], keep: Collection[str] = (), also: Iterable[str] = ()
    ) -> None:
        """`keep` stays as it is; `also` is replaced wherever it stands, told of somebody or not."""
        kept = {folded_text(each.strip()) for each in keep}
        self._wanted = {folded_text(each.strip()) for each in also}
        self._codes = _codes_of(stored)
        real, common = _words_of(stored)
        make = StandIns(stored.digest, real)
        self._pairs: dict[str, Pair] = {}
        for each in (*known, *map(of_text, also)):
            for pair in _forms(each, make):
                if folded_text(pair.text) not in kept and folded_text(pair.text) != folded_text(pair.stand_in):
                    self._pairs.setdefault(folded_text(pair.text), pair)
        self._known = KnownParticulars((pair.text for pair in self._pairs.values()), common)
        self.times: Counter[Pair] = Counter()
        """How often each was replaced."""
        self.changes: list[ChangedText] = []
        """Every text that went through, in order."""
        self.towns: list[tuple[str, str]] = []
        """Towns of addresses that were left where no address stands, and the place of each."""
        self._passed: list[str] = []

    @cached_property
    def stand_ins(self) -> frozenset[str]:
        """Once all is replaced, the words of everything that stands where something else stood, in small letters."""
        return frozenset(word for pair in self.times for word in map(folded_text, _WORDS.findall(pair.stand_in)))

    def text(self, text: str, place: str) -> str:
        """The text with every particular replaced: a town where it is part of an address."""
        return self._put_down(place, self._pieces(text))

    def raw(self, text: str, place: str) -> str:
        """What a call was given or answered: where it is JSON, the texts in it, and else as it was."""
        return self._put_down(place, self._pieces_of_json(text, 0))

    def message(self, message: Message, place: str) -> Message:
        """A message as a case holds it: who spoke, the words, the calls."""
        text = self.text(message.text, place)
        calls = tuple(self.call(call, f"{place}.{at}") for at, call in enumerate(message.calls, start=1))
        return Message(message.role, text, calls=calls)

    def call(self, call: ToolCall, place: str) -> ToolCall:
        """A call and its result."""
        arguments = self.raw(call.arguments, f"{place}.arguments") if call.arguments is not None else None
        result = self.raw(call.result, f"{place}.result") if call.result is not None else None
        error = self.raw(call.error, f"{place}.error") if call.error is not None else None
        return ToolCall(call.name, arguments, result, error)

    def _put_down(self, place: str, pieces: list[ChangedPiece]) -> str:
        self.changes.append(ChangedText(place, tuple(pieces)))
        self.towns += ((town, place) for town in self._passed)
        self._passed = []
        return self.changes[-1].after

    def _pieces(self, text: str, is_address: bool = False) -> list[ChangedPiece]:
        spans = [(start, end, self._pair(text[start:end])) for start, end in self._known.spans(text)]
        near = _near(text, [(start, end) for start, end, pair in spans if pair.kind in ("address", "zip")])
        pieces: list[ChangedPiece] = []
        done = 0
        for start, end, pair in spans:
            written = text[start:end]
            if _is_sum(text, start, end) or (written in self._codes and "name" in pair.kind):
                continue
            if pair.kind == "city" and not (is_address or folded_text(written) in self._wanted or near(start, end)):
                self._passed.append(written)
                continue
            pieces += (_same(text[done:start]), ChangedPiece(written, self._stand_in(pair, written)))
            done = end
        return [*pieces, _same(text[done:])]

    def _pieces_of_json(self, text: str, depth: int) -> list[ChangedPiece]:
        if depth > _DEEPEST or not json_text.is_json(text):
            return self._pieces(text)
        pieces: list[ChangedPiece] = []
        done = 0
        for start, end, changed in json_text.changes(text, self._key, partial(self._value, depth)):
            pieces += (_same(text[done:start]), ChangedPiece(text[start:end], changed))
            done = end
        return [*pieces, _same(text[done:])]

    def _key(self, written: str) -> str:
        """A key, changed only where it may be more than the name of a field: `credit_card_4421486`."""
        if not json_text.is_text(written) or not _KEY.search(written):
            return written
        return json_text.quoted_as(_after(self._pieces(json_text.inside(written))), written)

    def _value(self, depth: int, written: str, _: json_text.Names, kind: Kind | None) -> str:
        """A word in quotes, or a number where it tells of somebody; a price stays."""
        if not json_text.is_text(written):
            return _after(self._pieces(written)) if kind else written
        inside = json_text.inside(written)
        is_address = kind in ("address", "city")
        changed = _after(self._pieces(inside, True) if is_address else self._pieces_of_json(inside, depth + 1))
        return written if changed == inside else json_text.quoted_as(changed, written)

    def _pair(self, written: str) -> Pair:
        """What is replaced there; of what is known by its beginning alone all is taken away."""
        return self._pairs.get(folded_text(written)) or Pair("name", written, _GONE)

    def _stand_in(self, pair: Pair, written: str) -> str:
        self.times[pair] += 1
        if written.isupper() and len(written) > 1:
            return pair.stand_in.upper()
        return pair.stand_in.lower() if written.islower() else pair.stand_in


def _is_sum(text: str, start: int, end: int) -> bool:
    """True for digits that belong to a sum or a decimal: `$2478.50` is no card that ends in 2478."""
    if not text[start:end].isdigit():
        return False
    before, after = text[max(start - 2, 0) : start], text[end : end + 2]
    return bool(_SUM_BEFORE.search(before) or _SUM_AFTER.match(after))


def _same(text: str) -> ChangedPiece:
    return ChangedPiece(text, text)


def _after(pieces: Iterable[ChangedPiece]) -> str:
    return "".join(piece.after for piece in pieces)


def _near(text: str, spans: Sequence[tuple[int, int]]) -> Callable[[int, int], bool]:
    """Tells if a span stands close to one of these, in one sentence; they are in order and apart."""
    starts = [start for start, _ in spans]

    def near(start: int, end: int) -> bool:
        at = bisect_left(starts, start)
        gaps = [(spans[at - 1][1], start)] if at else []
        gaps += [(end, spans[at][0])] if at < len(spans) else []
        return any(after - before <= _CLOSE and not _ENDS.search(text, before, after) for before, after in gaps)

    return near


def _words_of(stored: Stored) -> tuple[set[str], set[str]]:
    """Every word that the conversation holds, in small letters; and those that others than the customer write so."""
    words: set[str] = set()
    for text in every_text(stored):
        words.update(folded_text(word) for word in _WORDS.findall(text))
        words.update(_DAYS.findall(text))
    common: set[str] = set()
    for message in stored.conversation.messages:
        if message.role in ("agent", "system"):
            common.update(_LOWER.findall(message.text))
    return words, common


def _codes_of(stored: Stored) -> set[str]:
    """Capitals that stand as a value which tells of nobody: MIA is an airport, whoever is called Mia."""
    told: set[str] = set()
    for text in every_text(stored):
        told.update(value for names, value in fields(text) if _CODE.fullmatch(value) and kind_of(names, value) is None)
    return told


def _forms(each: Particular, make: StandIns) -> Iterator[Pair]:
    """The forms in which a particular may stand somewhere, itself first."""
    kind, text = each
    if kind == "address":
        yield from _of_address(text, make)
        return
    stand_in = make.of(kind, text)
    yield Pair(kind, text, stand_in)
    if kind in ("name", "surname"):
        yield from _of_name(text, make, first=kind == "name")
    elif kind == "mail":
        local = text.partition("@")[0]
        if len(local) > 5:
            yield Pair(kind, local, stand_in.partition("@")[0])
    elif kind == "birth":
        yield from (Pair(kind, *dates) for dates in zip(written_dates(text), written_dates(stand_in), strict=False))
    elif kind in ("number", "account"):
        yield from _of_number(text, stand_in, make)


def _of_name(text: str, make: StandIns, first: bool) -> Iterator[Pair]:
    """Each word of a name, and the word spelt out."""
    words = [word for word in _NAMES.findall(text) if not is_particle(word)]
    for at, word in enumerate(words):
        stand_in = make.of("name", word) if "'" in word or "’" in word else make.word(word, first and at == 0)
        yield Pair("name", word, stand_in)
        plain, new = ("".join(sign for sign in text if sign.isalpha()) for text in (word, stand_in))
        yield Pair("name", plain, new)
        if len(plain) > 2:
            yield from (Pair("name", sign.join(plain), sign.join(new)) for sign in ("-", " ", "."))


def _of_number(text: str, stand_in: str, make: StandIns) -> Iterator[Pair]:
    if text.startswith("#"):
        yield Pair("number", text[1:], stand_in[1:])
    if is_handle(text):
        words = [word for word in _NAMES.findall(text.replace("_", " ")) if len(word) > 1 and not is_particle(word)]
        words = [word for word in words if "_" in text or len(word) > 3]
        yield from (Pair("name", word.capitalize(), make.word(word, at == 0)) for at, word in enumerate(words))
        return
    digits = _DIGITS.findall(text)
    if digits and digits[0] != text:
        yield from (Pair("number", *each) for each in zip(digits, _DIGITS.findall(stand_in), strict=False))


def _of_address(text: str, make: StandIns) -> Iterator[Pair]:
    """An address, piece by piece: streets with and without the house's number, towns, codes."""
    pieces = [piece.strip() for piece in re.split(r"[,;\n]", text) if piece.strip()]
    for at, piece in enumerate(pieces):
        if code := _ENDING_ZIP.fullmatch(piece):
            yield Pair("zip", code[1], make.of("zip", code[1]))
        elif any(sign.isdigit() for sign in piece):
            yield Pair("address", piece, make.of("address", piece))
            street = _HOUSE.sub("", piece, count=1).strip(" #.-")
            if len(street) > 4 and not any(sign.isdigit() for sign in street):
                yield Pair("address", street, make.of("address", street))
        elif " " in piece and at == 0:
            yield Pair("address", piece, make.of("address", piece))
        elif at and len(piece) > 3 and not piece.isupper():
            yield Pair("city", piece, make.of("city", piece))
