"""What a query is made of: values, terms, and the selection that the store answers.

Owns the frozen dataclasses, how each is written back as text, and matching a value in Python for those who keep their
facts outside SQLite. Knows neither the parser nor SQL.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from reviewer.model import ROLES
from reviewer.refs import Part

ValueKind = Literal["is", "exactly", "glob", "none", "<", "<=", ">", ">=", ".."]
TextKind = Literal["word", "prefix", "phrase"]

PARTS: tuple[Part, ...] = ("text", "reasoning", "arguments", "result")
JUDGE = "judge"
PLACES = (*PARTS, JUDGE)
"""Where words can be looked for; what judges noted only where that is asked for."""
WRITERS = (*ROLES, "tool")
"""Who wrote a text: a role, or the tool whose result it is."""


def quoted(text: str) -> str:
    """Quote a text for a query: quotes inside are doubled, all else is literal."""
    return '"' + text.replace('"', '""') + '"'


def bare_key(key: str) -> str:
    """A key as it is written after a dot, in quotes if necessary."""
    return key if re.fullmatch(r'[^\s:"@]+', key) else quoted(key)


def _lower(text: str) -> str:
    # As SQLite's NOCASE and LIKE do it: names differ in case of ASCII letters only.
    return "".join(c.lower() if c.isascii() else c for c in text) if not text.isascii() else text.lower()


class Value(NamedTuple):
    """One alternative behind a field: a name, a glob, a comparison, a range, or `none`."""

    kind: ValueKind
    text: str = ""
    high: str = ""
    """The upper end of a range."""

    def __str__(self) -> str:
        match self.kind:
            case "none":
                return "none"
            case "exactly":
                return quoted(self.text)
            case "..":
                return f"{self.text}..{self.high}"
            case "is" | "glob":
                return self.text
            case _:
                return self.kind + self.text

    def matches(self, name: str | None) -> bool:
        """True if a name (None for none) matches this value; for values that are no comparison."""
        if self.kind == "none" or not name:
            return self.kind == "none" and not name
        if self.kind == "exactly":
            return name == self.text
        if self.kind == "glob":
            pattern = ".*".join(map(re.escape, _lower(self.text).split("*")))
            return re.fullmatch(pattern, _lower(name), re.DOTALL) is not None
        return self.kind == "is" and _lower(name) == _lower(self.text)


@dataclass(frozen=True, slots=True)
class Term:
    """A field and its alternatives: `model:kimi*,gpt*`."""

    field: str
    values: tuple[Value, ...]
    key: str = ""
    """What stands behind the dot: the scorer, the key of `meta`."""
    judge: str = ""
    negated: bool = False
    column: int = dataclasses.field(default=1, compare=False)

    def __str__(self) -> str:
        key = f".{bare_key(self.key)}" if self.key else ""
        judge = f"@{bare_key(self.judge)}" if self.judge else ""
        return f"{'-' * self.negated}{self.field}{key}{judge}:{','.join(map(str, self.values))}"

    def matches(self, name: str | None) -> bool:
        """True if one name satisfies the term, ignoring its `-`, which the caller applies to all names together."""
        return any(value.matches(name) for value in self.values)


@dataclass(frozen=True, slots=True)
class TextTerm:
    """A word or phrase to search for in messages, reasoning, tool calls and results."""

    text: str
    kind: TextKind
    negated: bool = False
    column: int = dataclasses.field(default=1, compare=False)

    def __str__(self) -> str:
        body = quoted(self.text) if self.kind == "phrase" else self.text + "*" * (self.kind == "prefix")
        return "-" * self.negated + body


class Scope(NamedTuple):
    """The parts in which words are looked for: whose (`role:`) and which (`in:`)."""

    writers: tuple[str, ...] = WRITERS
    parts: tuple[str, ...] = PARTS


class Selection(NamedTuple):
    """The part of a query that the store can answer.

    `where` is a condition over the table `conversations`, empty for all; `parameters` are its values in order; `texts`
    are words that `reviewer.store.text_search` turns into a condition, by index where there is one.
    """

    where: str = ""
    parameters: tuple[str | int | float, ...] = ()
    texts: tuple[TextTerm, ...] = ()
    scope: Scope = Scope()


EVERYTHING = Selection()


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query: all of its terms must hold."""

    selection: Selection = EVERYTHING
    """What the store answers: fields of conversations, and words."""
    terms: tuple[Term, ...] = ()
    """Every field term, in the order written."""
    ledger: tuple[Term, ...] = ()
    """The terms about reviews, answered from the journals as references."""
    text: str = dataclasses.field(default="", compare=False)
    """As it was typed."""

    def __str__(self) -> str:
        return " ".join(map(str, (*self.terms, *self.selection.texts)))

    @property
    def texts(self) -> tuple[TextTerm, ...]:
        """The words and phrases, negated ones included."""
        return self.selection.texts

    @property
    def queue(self) -> str:
        """The named queue that it asks for and for nothing else; empty when it asks for more, or for less."""
        if len(self.terms) != 1 or self.texts or self.terms[0].field != "queue" or self.terms[0].negated:
            return ""
        value, *others = self.terms[0].values
        return value.text if not others and value.kind in ("is", "exactly") else ""


def of_queue(name: str) -> Query:
    """The query that asks for a named queue."""
    term = Term("queue", (Value("is", name),))
    return Query(terms=(term,), ledger=(term,), text=str(term))
