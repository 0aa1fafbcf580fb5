"""What may stand at the cursor of a query that is being typed: fields, keys, values.

Pure but for the vocabulary that it is given; used by the shell and by the app's filter line alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from reviewer.basics.errors import QueryError
from reviewer.transcripts.query.fields import FIELDS, Field
from reviewer.transcripts.query.selection import bare_key, quoted

LIMIT = 50
_TERM = re.compile(r'\s*((?:"(?:[^"]|"")*(?:"|$)|[^\s"])*)')
_VALUED = re.compile(r'([A-Za-z][\w-]*)(?:\.(?:"(?:[^"]|"")*"|[^\s:"@]+)(?:@(?:"(?:[^"]|"")*"|[^\s:"]+))?)?:')
_LAST_VALUE = re.compile(r'(?:^|,)((?:"(?:[^"]|"")*(?:"|$)|[^",])*)$')
_PLAIN = re.compile(r'[^\s,"*]+')
_CHOICES = {
    "wrote": {"yes": "any kind of write", "no": "no write at all"},
    "handover": {"yes": "it handed over to a person", "no": "it did not"},
    "forbidden": {"yes": "anything the case forbids", "no": "nothing of that"},
    "flips": {
        "acts": "runs differ in what the agent did",
        "score": "one run passed, another did not",
        "yes": "runs differ in acts or score",
        "no": "runs differ in neither",
    },
    "error": {"yes": "a call failed, or it broke off", "no": "neither"},
    "finding": {"yes": "anything that reads suggest", "no": "they went through it and suggest nothing"},
    "certain": {"yes": "decided by what is stored alone", "no": "words had to be matched"},
    "reviewed": {"yes": "somebody reviewed it", "no": "nobody did", "end": "each message was on a screen",
                 "part": "not each message was", "unknown": "its reviews do not say how many were"},
    "in": {"text": "what was said", "reasoning": "what was thought", "arguments": "what tools were asked",
           "result": "what tools answered"},
}  # fmt: skip
"""What the choices of a field mean."""


class KnownWords(Protocol):
    """The values and keys that completion may offer."""

    def values(self, field: str, prefix: str = "", limit: int = 50) -> list[str]:
        """Values of a field that begin with the prefix."""

    def keys(self, field: str, prefix: str = "", limit: int = 50) -> list[str]:
        """Keys of a field that begin with the prefix."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A completion: the text to put between `start` and the cursor, or another end."""

    start: int
    text: str
    meaning: str = ""
    end: int | None = None


def complete(text: str, cursor: int, vocabulary: KnownWords) -> list[Completion]:
    """The completions at the cursor; none inside a phrase or after a complete word."""
    start, term = _term_before(text[:cursor])
    bare = term.lstrip("-(")
    start, term = start + len(term) - len(bare), bare
    if term.startswith('"'):
        return []
    valued = _VALUED.match(term)
    if valued:
        field = FIELDS.get(valued[1].lower())
        return list(_values(field, term[valued.end() :], start + valued.end(), vocabulary)) if field else []
    name, dot, key = term.partition(".")
    field = FIELDS.get(name.lower())
    if dot and field and field.keyed:
        return list(_keys(field, key, start, vocabulary))
    return [] if dot else list(_fields(name, start))


def corrections(wrong: QueryError) -> list[Completion]:
    """What may stand in the place of what does not parse, with its meaning."""
    offered: list[Completion] = []
    for start, end, text in wrong.instead:
        name, _, value = text.partition(":")
        field = FIELDS.get(name.partition(".")[0])
        meaning = "" if field is None else _CHOICES.get(field.name, {}).get(value, field.meaning)
        offered.append(Completion(start, text, meaning, end))
    return offered


def _term_before(text: str) -> tuple[int, str]:
    start, term, at = len(text), "", 0
    while at < len(text) and (match := _TERM.match(text, at)):
        start, term = match.start(1), match[1]
        at = match.end()
    return start, term


def _fields(prefix: str, start: int) -> Iterator[Completion]:
    for field in FIELDS.values():
        if field.name.startswith(prefix.lower()):
            yield Completion(start, f"{field.name}{'.' if field.keyed else ':'}", field.meaning)


def _keys(field: Field, prefix: str, start: int, vocabulary: KnownWords) -> Iterator[Completion]:
    for key in vocabulary.keys(field.name, prefix.removeprefix('"'), LIMIT):
        yield Completion(start, f"{field.name}.{bare_key(key)}:")


def _values(field: Field, typed: str, start: int, vocabulary: KnownWords) -> Iterator[Completion]:
    last = _LAST_VALUE.search(typed)
    if last is None:
        return
    prefix = last[1].removeprefix('"').replace('""', '"')
    known: Iterable[str] = (choice for choice in field.choices if choice.startswith(prefix.lower()))
    offered = dict.fromkeys(known)
    if field.kind != "choice":
        offered |= dict.fromkeys(vocabulary.values(field.name, prefix, LIMIT))
    for value in list(offered)[:LIMIT]:
        plain = _PLAIN.fullmatch(value) and value.lower() != "none"  # bare, it would mean that nothing is known
        meaning = _CHOICES.get(field.name, {}).get(value, "")
        yield Completion(start + last.start(1), value if plain else quoted(value), meaning)
