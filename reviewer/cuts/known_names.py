"""Which words are first names or surnames that many people have, by Faker's lists."""

from __future__ import annotations

from functools import cache

from faker.providers.person.en_US import Provider

_COMMON = frozenset((
    "April", "August", "June", "May", "Summer", "Autumn", "Christian", "Mark", "Will", "Grace", "Hope", "Faith", "Joy",
    "Rose", "Art", "Bill", "Chase", "Frank", "Grant", "Jack", "Jean", "Ray", "Rich", "Dawn", "Eve", "Melody", "Destiny",
    "Austin", "Madison", "Charlotte", "Jackson", "Houston", "Dallas", "Sydney", "Paris", "Florence", "Carolina",
    "Virginia", "Georgia", "Brooklyn", "Savannah", "Phoenix", "Chelsea", "Denver", "Trinity", "Angel", "Crystal",
    "Amber", "Ruby", "Misty", "Stormy", "Sandy", "Miles", "Drew", "Dale", "Lane", "Cody", "Price", "Chance", "Max",
    "Francisco", "Wayne", "Don",
))  # fmt: skip
"""First names that are words, months or parts of towns as well."""


_PARTICLES = frozenset((
    "al", "bin", "da", "das", "de", "del", "della", "den", "der", "di", "do", "dos", "dr", "du", "e", "el", "ibn", "jr",
    "la", "le", "miss", "mr", "mrs", "ms", "of", "prof", "sr", "st", "the", "van", "von", "y", "and",
))  # fmt: skip
"""Words of names that tell nobody, and that are words of many a language."""


def is_first_name(word: str) -> bool:
    """True for what is written like a first name and is hardly anything else."""
    return word in _first_names() and word not in _COMMON


def is_name(word: str) -> bool:
    """True for a first name or surname, however it is written."""
    return word.capitalize() in _first_names() or word.capitalize() in _surnames()


def is_particle(word: str) -> bool:
    """True for a word of a name that tells nobody: an initial, a title, “van”, “de”."""
    return len(word) < 2 or word.lower() in _PARTICLES


@cache
def _first_names() -> frozenset[str]:
    return frozenset(Provider.first_names)


@cache
def _surnames() -> frozenset[str]:
    return frozenset(Provider.last_names)
