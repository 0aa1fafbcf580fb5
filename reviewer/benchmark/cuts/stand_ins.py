"""What stands where a particular stood: of the same shape, the same for the same, nothing that the conversation holds.

Names, streets and towns are Faker's; digits and letters of numbers are other digits and letters. All of it follows from
a seed that no case file holds, so that nobody can try out which original a stand-in may have had.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterator
from itertools import count

from faker import Faker

from reviewer.transcripts.particulars.known import folded_text
from reviewer.transcripts.particulars.name_words import is_particle
from reviewer.transcripts.particulars.personal_fields import Kind

_LETTERS = re.compile(r"[^\W\d_]+")
_WORDS = re.compile(r"[^\W_]+")
_SIGN = re.compile(r"[A-Za-z0-9]")
_DIGITS = re.compile(r"\d+")
_COUNTRY = re.compile(r"\s*\+(\d{1,3}(?=\D)|\d\d)")
_IP = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_HANDLE = re.compile(r"[^\W\d_]{2,30}(?:[._][^\W\d_]{1,30}){0,3}[._]?\d{0,12}")
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_SCRIPTS = (
    (re.compile(r"[\u3040-\u30ff]"), "ja_JP"),
    (re.compile(r"[\uac00-\ud7af]"), "ko_KR"),
    (re.compile(r"[\u3400-\u9fff]"), "zh_CN"),
    (re.compile(r"[\u0400-\u04ff]"), "ru_RU"),
)
_UNITS = frozenset(("apartment", "apt", "box", "floor", "flat", "po", "suite", "ste", "unit", "house", "no"))
_THINGS = frozenset((
    "account", "bank", "card", "certificate", "credit", "debit", "gift", "invoice", "order", "payment", "paypal", "res",
    "ticket", "user", "customer", "booking", "reservation", "apple", "google", "pay", "id", "cust", "ord", "txn",
))  # fmt: skip
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December")  # fmt: skip
_TRIES = 25
_CODE = 4
"""Digits in a row before which letters of a number are a prefix, as in W2378156."""


class StandIns:
    """Stand-ins for the particulars of one conversation."""

    def __init__(self, seed: str, real: Collection[str]) -> None:
        self._seed, self._real = seed, real
        """What the conversation holds, as folded words, and its days."""
        self._made: dict[str, str] = {}
        self._used: set[str] = set()
        self._fakers: dict[str, Faker] = {}

    def of(self, kind: Kind, text: str) -> str:
        """What stands where this stood."""
        make: dict[Kind, Callable[[str], str]] = {
            "name": self._name, "surname": self._surname, "mail": self._mail, "phone": self._phone,
            "address": self._address, "city": self._city, "zip": self._code, "birth": self._birth,
            "number": self._number, "account": self._number,
        }  # fmt: skip
        return make[kind](text)

    def word(self, word: str, first: bool = False) -> str:
        """The name that stands for one word of a name, however it is written."""
        faker = self._faker(word)
        make = faker.first_name if first else faker.last_name
        return self._new(f"name {folded_text(word)}", lambda: re.sub(r"\W", "", str(make())))

    def _name(self, text: str) -> str:
        if self._locale(text) in ("zh_CN", "ja_JP", "ko_KR"):
            return self.word(text)
        words = iter(count())
        return _LETTERS.sub(
            lambda match: match[0] if is_particle(match[0]) else self.word(match[0], next(words) == 0), text
        )

    def _surname(self, text: str) -> str:
        return _LETTERS.sub(lambda match: match[0] if is_particle(match[0]) else self.word(match[0]), text)

    def _mail(self, text: str) -> str:
        local = text.partition("@")[0]
        return f"{self._handle(local).lower()}@example.com"

    def _handle(self, text: str) -> str:
        """A name as one writes it in an address of mail or as a user's identifier."""
        return _LETTERS.sub(lambda match: self.word(match[0]).lower(), self._with_digits(text))

    def _phone(self, text: str) -> str:
        """Of a number as in North America one that nobody has; of others another one."""
        digits = "".join(_DIGITS.findall(text))
        new = list(self._digits(digits))
        if len(digits) == 10 or (len(digits) == 11 and digits[0] == "1"):
            new[-7:-2] = "55501"
        if country := _COUNTRY.match(text):
            new[: len(country[1])] = country[1]
        signs = iter(new)
        return re.sub(r"\d", lambda _: next(signs), text)

    def _address(self, text: str) -> str:
        """House numbers and the names of streets change; the words before a flat's number stay."""
        if all(word.lower() in _UNITS or len(word) < 2 or word[0].isdigit() for word in _WORDS.findall(text)):
            return self._with_digits(text)
        number = re.match(r"\W*(\d+\w?)\b", text)
        name = folded_text(text[number.end() :] if number else text).strip()
        street = self._new(f"street {name}", self._faker("").street_name)
        return f"{self._with_digits(text[: number.end()])} {street}" if number else street

    def _city(self, text: str) -> str:
        return self._new(f"city {folded_text(text)}", self._faker(text).city)

    def _birth(self, text: str) -> str:
        """Another day of the same year."""
        date = _DATE.fullmatch(text)
        if not date:
            return _DIGITS.sub(lambda match: self._day(match[0], text) if len(match[0]) < 3 else match[0], text)
        numbers = (self._number_of(f"{text}\n{attempt}") for attempt in range(_TRIES))
        days = [f"{date[1]}-{number % 12 + 1:02}-{number // 12 % 28 + 1:02}" for number in numbers]
        return next((day for day in days if day not in self._real), days[0])

    def _day(self, digits: str, date: str) -> str:
        """Another number that is a day as well as a month."""
        number = self._number_of(f"{date}\n{digits}") % 11 + 1
        return f"{number + (number >= int(digits)):0{len(digits)}}"

    def _number(self, text: str) -> str:
        """Another number of the same shape; the names in an identifier become those that stand for them."""
        if "@" in text:
            return self._mail(text)
        if is_handle(text):
            return self._handle(text)
        if _IP.fullmatch(text):  # of those that nobody has
            return f"198.51.100.{self._number_of(text) % 254 + 1}"
        if "-" in text and not _is_hex(text):
            return "-".join(self._part(part) for part in text.split("-"))
        return self._part(text)

    def _part(self, text: str) -> str:
        """A number without a dash: letters before many digits are a prefix where they are few, or name a thing."""
        if text.lower() in _THINGS:
            return text
        if max(map(len, _DIGITS.findall(text)), default=0) < _CODE:
            return self._code(text)
        return _LETTERS.sub(
            lambda match: match[0] if len(match[0]) < _CODE or match[0].lower() in _THINGS else self.word(match[0]),
            self._with_digits(text),
        )

    def _code(self, text: str) -> str:
        """Other digits and other letters; of a number in sixteens other sixteens."""
        plain = folded_text("".join(_SIGN.findall(text)))
        if plain.isdigit():
            return self._with_digits(text)
        letters = "abcdef" if _is_hex(plain) else "abcdefghjkmnpqrstuvwxyz"

        def made(attempt: int) -> str:
            values = self._values(plain, attempt)
            return "".join(
                str(next(values) % 10) if sign.isdigit() else letters[next(values) % len(letters)] for sign in plain
            )

        tries = [made(attempt) for attempt in range(_TRIES)]
        signs = iter(next((each for each in tries if each != plain and each not in self._real), tries[0]))
        return _SIGN.sub(lambda match: next(signs).upper() if match[0].isupper() else next(signs), text)

    def _with_digits(self, text: str) -> str:
        return _DIGITS.sub(lambda match: self._digits(match[0]), text)

    def _digits(self, digits: str) -> str:
        """As many other digits, the same for the same; the first is no nought unless it was one."""
        for attempt in range(_TRIES):
            values = self._values(digits, attempt)
            new = "".join(
                str(1 + next(values) % 9 if at == 0 and each != "0" else next(values) % 10)
                for at, each in enumerate(digits)
            )
            if new != digits and (new not in self._real or len(digits) < 3):
                break
        return new

    def _new(self, key: str, make: Callable[[], str]) -> str:
        """The first of Faker's that neither stands in the conversation nor for something else; always the same."""
        if key not in self._made:
            self._made[key] = next(self._unused(key, make))
            self._used.add(folded_text(self._made[key]))
        return self._made[key]

    def _unused(self, key: str, make: Callable[[], str]) -> Iterator[str]:
        for attempt in range(_TRIES):
            for faker in self._fakers.values():
                faker.seed_instance(self._number_of(f"{key}\n{attempt}"))
            made = str(make())
            if folded_text(made) not in self._used and not any(
                folded_text(word) in self._real for word in _WORDS.findall(made)
            ):
                yield made
        for attempt in count():  # a name that nobody has
            values = self._values(key, attempt)
            made = "".join(
                "bdfgklmnprstvz"[next(values) % 14] + "aeiou"[next(values) % 5] for _ in range(5)
            ).capitalize()
            if folded_text(made) not in self._used and folded_text(made) not in self._real:
                yield made

    def _faker(self, text: str) -> Faker:
        locale = self._locale(text)
        if locale not in self._fakers:
            self._fakers[locale] = Faker(locale, use_weighting=False)
        return self._fakers[locale]

    def _locale(self, text: str) -> str:
        return next((locale for script, locale in _SCRIPTS if script.search(text)), "en_US")

    def _number_of(self, key: str) -> int:
        return int.from_bytes(hashlib.sha256(f"{self._seed}\n{key}".encode("utf-8", "surrogatepass")).digest()[:8])

    def _values(self, key: str, attempt: int) -> Iterator[int]:
        """Numbers without an end that follow from the seed and a text."""
        for block in count():
            told = f"{self._seed}\n{key}\n{attempt}\n{block}".encode("utf-8", "surrogatepass")
            yield from hashlib.sha256(told).digest()


def _is_hex(text: str) -> bool:
    plain = text.replace("-", "").lower()
    return len(plain) > 7 and set(plain) <= set("0123456789abcdef")


def is_handle(text: str) -> bool:
    """True for an identifier that may hold somebody's name: `mia_li_3668`, `jsmith22`."""
    words = _LETTERS.findall(text.lower())
    return bool(_HANDLE.fullmatch(text)) and not text.isupper() and _THINGS.isdisjoint(words)


def written_dates(date: str) -> list[str]:
    """A day as people write it, always in the same order; nothing for what is no day."""
    told = _DATE.fullmatch(date)
    if not told or not 1 <= int(told[2]) <= 12:
        return []
    year, month, day = told[1], int(told[2]), int(told[3])
    name = _MONTHS[month - 1]
    suffix = "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    texts = [
        f"{name[:size]} {day}{end}{comma} {year}" for size in (9, 3) for end in ("", suffix) for comma in (",", "")
    ]
    texts += [f"{day}{end} {of}{name[:size]} {year}" for size in (9, 3) for end in ("", suffix) for of in ("", "of ")]
    return [
        *texts,
        f"{month}/{day}/{year}",
        f"{month:02}/{day:02}/{year}",
        f"{day:02}.{month:02}.{year}",
        f"{day}.{month}.{year}",
    ]
