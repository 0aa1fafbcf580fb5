"""What a query is made of: values, terms, the groups they stand in, and the selection that the store answers.

Owns the frozen dataclasses, how each is written back as text, and matching a value in Python for those who keep their
facts outside SQLite. Knows neither the parser nor SQL.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from reviewer.basics.values import dataclass
from reviewer.transcripts.model import ROLES
from reviewer.transcripts.refs import Part

ValueKind = Literal["is", "exactly", "glob", "none", "<", "<=", ">", ">=", ".."]
TextKind = Literal["word", "prefix", "phrase"]

NEWEST_PROMPT = (
    "NOT EXISTS (SELECT 1 FROM scores later WHERE later.conversation_id = scores.conversation_id"
    " AND later.scorer = scores.scorer AND later.judge IS scores.judge AND later.prompt IS NOT scores.prompt"
    " AND later.id > scores.id)"
)
"""A judge's score, where it was asked again with another prompt the last one."""
OWN_JUDGE = "(judge IS NULL OR judge = ifnull((SELECT judge FROM runs WHERE id = conversations.run_id), scores.judge))"
"""That a score of a conversation was given by the judge of its run, where that is known."""

PARTS: tuple[Part, ...] = ("text", "reasoning", "arguments", "result")
JUDGE = "judge"
PLACES = (*PARTS, JUDGE)
"""Where words can be looked for; what judges noted only where that is asked for."""
WRITERS = (*ROLES, "tool")
"""Who wrote a text: a role, or the tool whose result it is."""

OF_FINDINGS = ("finding", "certain", "read")
"""The fields that are answered from the findings beside the store, and from what the journals say of them."""
OF_REVIEWS = ("tag", "by", "verdict", "reviewed", "stance", "exemplar", "queue", "note", *OF_FINDINGS)
"""The fields that are answered from the journals."""


def quoted(text: str) -> str:
    """Quote a text for a query: quotes inside are doubled, all else is literal."""
    return '"' + text.replace('"', '""') + '"'


def bare_key(key: str) -> str:
    """A key as it is written after a dot, in quotes if necessary."""
    return key if re.fullmatch(r'[^\s:"@]+', key) else quoted(key)


_BLANKS = str.maketrans("-_", "  ")


def alike(text: str) -> str:
    """What two names share that a query takes for the same: blank, hyphen and underscore are one, case is ignored.

    Case as SQLite's NOCASE and LIKE ignore it: of ASCII letters only.
    """
    lower = text.lower() if text.isascii() else "".join(c.lower() if c.isascii() else c for c in text)
    return lower.translate(_BLANKS)


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
            return re.fullmatch(_globbed(alike(self.text)), alike(name), re.DOTALL) is not None
        return self.kind == "is" and alike(name) == alike(self.text)


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

    @property
    def of_reviews(self) -> bool:
        """True if it is answered from the journals."""
        return self.field in OF_REVIEWS

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


Truth = bool | None
"""None where nobody can say."""


@dataclass(frozen=True, slots=True)
class TermGroup:
    """Terms side by side: all of them must hold."""

    terms: tuple[Term, ...] = ()
    """The field terms, in the order written."""
    texts: tuple[TextTerm, ...] = ()
    choices: tuple[Alternatives, ...] = ()

    def __str__(self) -> str:
        if self.is_choice:
            return " or ".join(map(str, self.choices[0].groups))
        return " ".join(map(str, (*self.terms, *self.texts, *self.choices)))

    @property
    def is_choice(self) -> bool:
        """True if it is nothing but alternatives: `a or b`."""
        return not self.terms and not self.texts and len(self.choices) == 1 and not self.choices[0].negated

    def parts(self) -> Iterator[TermGroup]:
        """Each of what stands side by side, by itself."""
        yield from (TermGroup(terms=(each,)) for each in self.terms)
        yield from (TermGroup(texts=(each,)) for each in self.texts)
        yield from (TermGroup(choices=(each,)) for each in self.choices)

    def walk(self, negated: bool = False) -> Iterator[tuple[Term | TextTerm, bool]]:
        """Every term, however deep, and whether it is what is not wanted."""
        yield from ((term, term.negated != negated) for term in self.terms)
        yield from ((text, text.negated != negated) for text in self.texts)
        for choice in self.choices:
            for group in choice.groups:
                yield from group.walk(negated != choice.negated)

    def weighed(self, own: Callable[[TermGroup], Truth]) -> Truth:
        """True if the group holds, by what `own` says of the terms of each group without its choices."""
        said = [own(self), *(choice.weighed(own) for choice in self.choices)]
        return False if False in said else None if None in said else True


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Alternatives: one of the groups must hold; or, negated, none of them may."""

    groups: tuple[TermGroup, ...]
    negated: bool = False

    def __str__(self) -> str:
        return f"{'-' * self.negated}({' or '.join(map(str, self.groups))})"

    def weighed(self, own: Callable[[TermGroup], Truth]) -> Truth:
        """True if the alternatives hold; see `TermGroup.weighed`."""
        said = [group.weighed(own) for group in self.groups]
        if True in said:
            return not self.negated
        return None if None in said else self.negated


class Selection(NamedTuple):
    """The part of a query that the store can answer.

    `where` is a condition over the table `conversations`, empty for all; `parameters` are its values in order; `texts`
    are words that `reviewer.transcripts.store.text_search` turns into a condition, by index where there is one; and of
    each of the `choices` one must hold.
    """

    where: str = ""
    parameters: tuple[str | int | float, ...] = ()
    texts: tuple[TextTerm, ...] = ()
    scope: Scope = Scope()
    choices: tuple[SelectionChoice, ...] = ()

    def words(self, negated: bool = False) -> Iterator[tuple[TextTerm, Scope]]:
        """The words that are wanted, however deep, each with whose and where; `negated` asks for the others."""
        yield from ((term, self.scope) for term in self.texts if term.negated == negated)
        for choice in self.choices:
            for each in choice.selections:
                yield from each.words(negated != choice.negated)


class SelectionChoice(NamedTuple):
    """Alternatives of which one must hold; or, negated, none may."""

    selections: tuple[Selection, ...]
    negated: bool = False


EVERYTHING = Selection()


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query."""

    group: TermGroup = TermGroup()
    """Its terms, as they stand together."""
    selection: Selection = dataclasses.field(default=EVERYTHING, compare=False)
    """What the store answers: fields of conversations, and words; terms about reviews are left out."""
    text: str = dataclasses.field(default="", compare=False)
    """As it was typed."""

    def __str__(self) -> str:
        return str(self.group)

    @property
    def terms(self) -> tuple[Term, ...]:
        """Every field term, however deep."""
        return tuple(term for term, _ in self.group.walk() if isinstance(term, Term))

    @property
    def texts(self) -> tuple[TextTerm, ...]:
        """The words and phrases, however deep, negated ones included."""
        return tuple(term for term, _ in self.group.walk() if isinstance(term, TextTerm))

    @property
    def ledger(self) -> tuple[Term, ...]:
        """The terms about reviews, however deep, answered from the journals as references."""
        return tuple(term for term in self.terms if term.of_reviews)

    @property
    def wanted(self) -> tuple[Term, ...]:
        """The field terms that are asked for, without those that must not hold."""
        return tuple(term for term, negated in self.group.walk() if isinstance(term, Term) and not negated)

    @property
    def queue(self) -> str:
        """The named queue that it asks for and for nothing else; empty when it asks for more, or for less."""
        terms = self.group.terms
        if len(terms) != 1 or self.group.texts or self.group.choices or terms[0].field != "queue" or terms[0].negated:
            return ""
        value, *others = terms[0].values
        return value.text if not others and value.kind in ("is", "exactly") else ""


def of_queue(name: str) -> Query:
    """The query that asks for a named queue."""
    term = Term("queue", (Value("is", name),))
    return Query(TermGroup((term,)), text=str(term))


def _globbed(text: str) -> str:
    """The expression of a text with stars. What stands between two is taken where it comes first, and never again."""
    first, *others = map(re.escape, text.split("*"))
    if not others:
        return first
    return f"{first}{''.join(f'(?>.*?{each})' for each in others[:-1])}.*{others[-1]}"
