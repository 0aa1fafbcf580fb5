"""Which words are first names or surnames that many people have, by Faker's lists."""

from __future__ import annotations

from functools import cache

from faker.providers.person.en_US import Provider

from reviewer.transcripts.particulars.people import KnownNames

_COMMON = frozenset((
    "April", "August", "June", "May", "Summer", "Autumn", "Christian", "Mark", "Will", "Grace", "Hope", "Faith", "Joy",
    "Rose", "Art", "Bill", "Chase", "Frank", "Grant", "Jack", "Jean", "Ray", "Rich", "Dawn", "Eve", "Melody", "Destiny",
    "Austin", "Madison", "Charlotte", "Jackson", "Houston", "Dallas", "Sydney", "Paris", "Florence", "Carolina",
    "Virginia", "Georgia", "Brooklyn", "Savannah", "Phoenix", "Chelsea", "Denver", "Trinity", "Angel", "Crystal",
    "Amber", "Ruby", "Misty", "Stormy", "Sandy", "Miles", "Drew", "Dale", "Lane", "Cody", "Price", "Chance", "Max",
    "Francisco", "Wayne", "Don",
))  # fmt: skip
"""First names that are words, months or parts of towns as well."""


def is_first_name(word: str) -> bool:
    """True for what is written like a first name and is hardly anything else."""
    return word in _first_names() and word not in _COMMON


def is_name(word: str) -> bool:
    """True for a first name or surname, however it is written."""
    return word.capitalize() in _first_names() or word.capitalize() in _surnames()


@cache
def _first_names() -> frozenset[str]:
    return frozenset(Provider.first_names)


@cache
def _surnames() -> frozenset[str]:
    return frozenset(Provider.last_names)


KNOWN = KnownNames(is_name, is_first_name)
