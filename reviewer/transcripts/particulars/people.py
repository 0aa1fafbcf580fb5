"""The names of people in what is said: how they introduce themselves, sign, are greeted and addressed. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import NamedTuple

from reviewer.transcripts.particulars.name_words import (
    ENDINGS,
    ENDS,
    FULL_NAME,
    HELLO,
    I_AM,
    NAME,
    NO_NAMES,
    RELATIVES,
    SELF_NAMED,
    THANKS,
    TITLES,
    UNNAMED,
    is_particle,
)

_CALLED = re.compile(
    rf"(?i:(?<!\w)(?:{SELF_NAMED})) {{0,2}}(?:(?P<name>{NAME})"
    r"|(?P<small>[a-zà-ÿ'’-]{2,30}(?: [a-zà-ÿ'’-]{1,30}){0,3})(?![\w'’-]))"
    r"|我(?:叫|是)(?P<other>[\u3400-\u9fff]{2,4})(?![\u3400-\u9fff])"
)
_I_AM = re.compile(rf"(?<!\w)(?:{I_AM}) (?P<name>{FULL_NAME})")
_NOT_CALLED = frozenset((
    "wrong", "right", "correct", "incorrect", "misspelled", "misspelt", "spelled", "spelt", "irrelevant", "missing",
    "different", "no", "also", "still", "listed", "written", "falsch", "richtig", "nicht", "mal", "pas", "incorrecto",
    "sbagliato", "fout", "verkeerd", "niet",
))  # fmt: skip
"""What a name may be, so that it is none."""
_TITLED = re.compile(rf"(?<!\w)(?:{TITLES})\.? (?:(?:{TITLES})\.? )?(?P<name>{NAME})")
_GREETED = re.compile(rf"(?<!\w)(?:(?P<hello>{HELLO})|{THANKS}),? (?P<name>{NAME})(?= ?[,!.:\n]|$)")
_SIGNED = re.compile(rf"(?i:(?<!\w)(?:{ENDINGS})[,.!]?)\s{{1,4}}(?:[-–—] ?)?(?P<name>{NAME})\s{{0,4}}(?:\n|$)")
_RELATED = re.compile(rf"(?<!\w)(?:{RELATIVES}),? (?P<name>{NAME})")
_PERSON = re.compile(r"[^\W\d_][\w.'’-]{0,30}(?: [^\W\d_][\w.'’-]{0,30}){0,3}")


class KnownNames(NamedTuple):
    """What is known of names beforehand."""

    is_name: Callable[[str], bool] = lambda _: False
    """True for a first name or surname, however it is written."""
    is_first_name: Callable[[str], bool] = lambda _: False
    """True for what is written like a first name and is hardly anything else."""


NONE_KNOWN = KnownNames()


def introduced(text: str) -> Iterator[str]:
    """The names under which somebody introduces themselves: “My name is ...”, “Ich heiße ...”, “Soy Ana Ruiz”."""
    for match in _CALLED.finditer(text):
        if match["small"]:
            words = list(takewhile(lambda word: word.lower() not in ENDS, match["small"].split()))
            if words and words[0] not in _NOT_CALLED:
                yield " ".join(words).title()
        else:
            yield from _named(match["name"] or match["other"])
    for match in _I_AM.finditer(text):
        yield from _named(match["name"])


def addressed(text: str, known: KnownNames) -> Iterator[str]:
    """The names by which somebody is addressed or spoken of: with a title, in a greeting, as a relative."""
    for match in _TITLED.finditer(text):
        yield from _named(match["name"])
    for match in _RELATED.finditer(text):
        yield from _named(match["name"].split()[0])
    for match in _GREETED.finditer(text):
        if match["hello"] or known.is_first_name(match["name"].split()[0]):
            yield from _named(match["name"])


def signed(text: str, by_customer: bool, known: KnownNames) -> Iterator[str]:
    """The names with which a text is signed: at its end, or where they are known as names."""
    for match in _SIGNED.finditer(text):
        at_the_end = by_customer and not text[match.end() :].strip()
        if at_the_end or known.is_name(match["name"].split()[0]):
            yield from _named(match["name"])


def person(name: str) -> Iterator[str]:
    """The name of a person, where it looks like one: it begins with a capital, and says no role."""
    told = name.strip()
    plain = [word for word in told.split() if word.islower() and not is_particle(word)]
    if _PERSON.fullmatch(told) and not plain and told.lower() not in UNNAMED:
        yield told


def _named(name: str) -> Iterator[str]:
    if name.split()[0] not in NO_NAMES:
        yield name
