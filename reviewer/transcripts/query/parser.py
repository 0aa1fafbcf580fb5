"""The parser of queries: text to terms, or a sentence that says where it went wrong and what would do.

Owns the grammar. Raises nothing but `QueryError`.

    query   = group { or group }                                           one of them must hold
    group   = { [-] ( "(" query ")" | field : value { , value } | word | "phrase" ) }   blanks between, all must hold
    value   = name, glob with *, none, "exact name", 3, >3, 1..3, 2026-06-01

Within parentheses a word or value ends before the one that closes them; outside of any, a word may hold what it likes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from reviewer.basics.errors import QueryError
from reviewer.transcripts.query.conditions import selection
from reviewer.transcripts.query.fields import FIELDS, Field
from reviewer.transcripts.query.selection import (
    Alternatives,
    Query,
    Term,
    TermGroup,
    TextTerm,
    Value,
    ValueKind,
    quoted,
)

LONGEST = 10_000
MOST = 100
"""How many values and words one query may hold: SQLite nests conditions no deeper than that comfortably."""
DEEPEST = 8
"""How deep parentheses may stand: SQLite's own parser has room for a hundred open ends, and a level takes several."""

_BLANK = re.compile(r"\s*")
_FIELD = re.compile(r"([A-Za-z][A-Za-z0-9_-]*)(\.|:)")
_KEYED = re.compile(r'[^\s:"]+:')
_KEY = re.compile(r'[^\s:"@]+')
_WORD = re.compile(r"\S+")
_BARE_VALUE = re.compile(r'[^\s,"]+')
_NUMBER = r"-?\d+(?:\.\d+)?"
_DATE = (
    r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])"
    r"(?:T(?:[01]\d|2[0-3])(?::[0-5]\d(?::[0-5]\d)?)?)?)?)?"
)
_COMPARED = {"number": _NUMBER, "date": _DATE, "either": rf"{_DATE}|{_NUMBER}"}
_KEY_NAMES = re.compile(r"NAME(@JUDGE)?:$|KEY:$")
_OR = re.compile(r"or(?=[\s)]|$)", re.IGNORECASE)


def parse(text: str) -> Query:
    """Read a query; an empty one means every conversation."""
    return _Parser(text).query()


@dataclass
class _OpenGroup:
    """What was read of a group so far."""

    terms: list[Term] = field(default_factory=list)
    texts: list[TextTerm] = field(default_factory=list)
    choices: list[Alternatives] = field(default_factory=list)

    def group(self) -> TermGroup:
        return TermGroup(tuple(self.terms), tuple(self.texts), tuple(self.choices))


class _Parser:
    """One pass over the text; `at` is where it stands."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.pieces = 0
        self.depth = 0
        """How many parentheses are open."""
        self.joined = False
        """Whether there were parentheses or an `or` before."""
        self.side = _OpenGroup()

    def query(self) -> Query:
        if len(self.text) > LONGEST:
            raise self._wrong(f"The query is longer than {LONGEST:,} characters.", "Say it with fewer words.", LONGEST)
        for position, character in enumerate(self.text):
            if "\ud800" <= character <= "\udfff":
                raise self._wrong("There is half a character.", "Type it again as UTF-8.", position)
        group = _joined(self._read_groups())
        self._check_places(group)
        return Query(group, selection(group), self.text.strip())

    def _read_groups(self) -> tuple[TermGroup, ...]:
        """Read what is parted by `or`, up to the end or the parenthesis that closes."""
        groups: list[TermGroup] = []
        around, self.side = self.side, _OpenGroup()
        joint: re.Match[str] | None = None
        while self._skip_blanks() and not (self.depth and self.text[self.at] == ")"):
            match = _OR.match(self.text, self.at)
            if match is None:
                self._read_term()
                continue
            self._must_stand("before", match)
            joint, self.joined, self.at = match, True, match.end()
            groups.append(self.side.group())
            self.side = _OpenGroup()
        if joint:
            self._must_stand("behind", joint)
        groups.append(self.side.group())
        self.side = around
        return tuple(inner for each in groups for inner in (each.choices[0].groups if each.is_choice else (each,)))

    def _must_stand(self, where: str, joint: re.Match[str]) -> None:
        """See that something stands on a side of an `or`."""
        if self.side.group() == TermGroup():
            hint = f'As in wrote:cancel or handover:yes; to find the word: "{joint[0]}"'
            raise self._wrong(f"Nothing stands {where} this “{joint[0]}”.", hint, joint.start())

    def _check_places(self, group: TermGroup) -> None:
        """See that where `in:` says where to look for words there are some."""
        narrowing = next((term for term in group.terms if term.field == "in"), None)
        if narrowing is not None and not any(isinstance(term, TextTerm) for term, _ in group.walk()):
            raise self._wrong(
                "in: says where to look for words, and there are none.",
                "Add one: in:reasoning policy",
                narrowing.column - 1,
            )
        for choice in group.choices:
            for each in choice.groups:
                self._check_places(each)

    def _read_term(self) -> None:
        start = self.at
        negated = self._take("-")
        if negated and (self.at == len(self.text) or self.text[self.at].isspace()):
            raise self._wrong(
                "A “-” stands alone.", 'Put it right before what is not wanted: -tool:cancel* or -"sorry".', start
            )
        if negated and self.text[self.at] == "-":
            raise self._wrong("One “-” is enough.", 'To find dashes themselves, quote them: "--"', start)
        match = _FIELD.match(self.text, self.at)
        if self.text[self.at] == "(":
            self._read_parentheses(negated, start)
        elif self.text[self.at] == '"':
            self._count(start)
            self.side.texts.append(TextTerm(self._read_quoted(), "phrase", negated, start + 1))
            self._end_of_term()
        elif match and self._means_field(match):
            self._read_field(match, negated, start)
        else:
            self._read_word(negated, start)

    def _read_parentheses(self, negated: bool, start: int) -> None:
        opened, around = self.at, self.depth
        self._count(start)
        if around == DEEPEST:
            hint = "A group in parentheses that stands alone in others needs none; or: queue:NAME"
            raise self._wrong(f"Parentheses stand more than {DEEPEST} deep.", hint, opened)
        self.at, self.depth, self.joined = opened + 1, around + 1, True
        literal = (_WORD.match(self.text, opened) or [""])[0].replace('"', "")
        if not self._skip_blanks() or self.text[self.at] == ")":
            word = quoted(literal)
            reason = "The parentheses hold nothing." if self.at < len(self.text) else "This parenthesis does not close."
            raise self._wrong(reason, f"As in (refund or return) model:kimi*; to find it itself: {word}", opened)
        groups = self._read_groups()
        if not self._take(")"):
            hint = f"Put a ) where it ends; to find it itself, quote the word: {quoted(literal)}"
            raise self._wrong("This parenthesis does not close.", hint, opened)
        inner = self.text[opened + 1 : self.at - 1]
        if len(groups) == 1 and len(groups[0].texts) == 1 and inner == groups[0].texts[0].text:
            hint = f'Write {inner}; to find the parentheses too: "({inner})"'
            raise self._wrong("One word needs no parentheses.", hint, opened)
        self.depth = around
        self._end_of_term()
        self.side.choices.append(Alternatives(groups, negated))

    def _reach(self, pattern: re.Pattern[str]) -> str:
        """What a pattern matches here, but within parentheses only up to the one that closes them."""
        match = pattern.match(self.text, self.at)
        text = match[0] if match else ""
        if self.depth:
            opened = 0
            for place, character in enumerate(text):
                opened += (character == "(") - (character == ")")
                if opened < 0:
                    return text[:place]
        return text

    def _read_word(self, negated: bool, start: int) -> None:
        word = self._reach(_WORD)
        if '"' in word:
            place = self.at + word.index('"')
            raise self._wrong(
                "A quote opens inside a word.", f"Put a blank before it, or quote the whole: {quoted(word)}", place
            )
        if word == "AND":
            hint = 'Terms side by side already mean “and”; to find the word: "AND"'
            raise self._wrong("AND is no word of this language.", hint, start)
        if self.joined and word.count(")") > word.count("("):
            hint = f"Take it out, or quote the word: {quoted(word)}"
            raise self._wrong("This parenthesis closes nothing.", hint, self.at + word.rindex(")"))
        self._count(start)
        self.at += len(word)
        bare = word.rstrip("*")
        if not bare:
            raise self._wrong("A star needs letters before it.", 'As in cancel*; to find the star itself: "*"', start)
        self.side.texts.append(TextTerm(bare, "prefix" if bare != word else "word", negated, start + 1))

    def _means_field(self, match: re.Match[str]) -> bool:
        field = FIELDS.get(match[1].lower())
        keyed = field is not None and field.keyed
        return match[2] == ":" or keyed or _KEYED.match(self.text, match.end()) is not None

    def _read_field(self, match: re.Match[str], negated: bool, start: int) -> None:
        field = FIELDS.get(match[1].lower())
        if field is None:
            raise self._unknown(match, start)
        self.at = match.end()
        key = judge = ""
        if match[2] == ".":
            if not field.keyed:
                raise self._wrong(f"{field.name}: takes no key.", f"As in {field.examples[0]}", match.end() - 1)
            key = self._read_key(field)
            if field.name == "score" and self._take("@"):
                judge = self._read_key(field)
            if not self._take(":"):
                raise self._wrong(f"{field.name}.{key} lacks a “:” and a value.", f"As in {field.examples[0]}")
        elif field.keyed:
            raise self._wrong(f"{field.name} needs a key.", f"As in {field.examples[0]}", match.end() - 1)
        values = [self._read_value(field)]
        while self._take(","):
            values.append(self._read_value(field))
        self._end_of_term()
        self.side.terms.append(Term(field.name, tuple(values), key, judge, negated, start + 1))

    def _read_key(self, field: Field) -> str:
        if self.text.startswith('"', self.at):
            return self._read_quoted()
        match = (re.compile(r'[^\s:"]+') if field.name == "meta" else _KEY).match(self.text, self.at)
        if match is None:
            raise self._wrong(f"{field.name}. needs a key behind the dot.", f"As in {field.examples[0]}")
        self.at = match.end()
        return match[0]

    def _read_value(self, field: Field) -> Value:
        start = self.at
        self._count(start)
        if self.text.startswith('"', start) and field.kind not in ("number", "date", "choice"):
            return Value("exactly", self._read_quoted())
        raw = self._reach(_BARE_VALUE)
        if not raw:
            raise self._wrong(f"A value is missing behind {field.usage}", f"As in {' or '.join(field.examples)}")
        self.at += len(raw)
        if field.kind == "choice":
            return self._choice(field, raw, start)
        if raw.lower() == "none":
            return Value("none")
        if field.kind == "name":
            return Value("glob" if "*" in raw else "is", re.sub(r"\*+", "*", raw))
        compared = _comparison(raw, _COMPARED[field.kind])
        if compared is not None:
            return compared
        if field.kind != "either":
            what = "a number" if field.kind == "number" else "a date such as 2026-06-01"
            raise self._wrong(
                f"{field.name}: takes {what}, not “{raw}”.", f"As in {' or '.join(field.examples)}", start
            )
        return Value("glob" if "*" in raw else "is", re.sub(r"\*+", "*", raw))

    def _choice(self, field: Field, raw: str, start: int) -> Value:
        if raw.lower() in field.choices:
            return Value("is", raw.lower())
        from reviewer.transcripts.query.meanings import choice_meant

        near = choice_meant(raw, field.choices)
        hint = f"Did you mean {field.name}:{near}?" if near else f"It takes {', '.join(field.choices)}."
        wrong = self._wrong(f"{field.name}: knows no “{raw}”.", hint, start)
        wrong.instead = ((start, self.at, near),) if near else ()
        raise wrong

    def _read_quoted(self) -> str:
        """Read the text between quotes, from the one at `at`; a doubled quote is one, all else is literal."""
        start, self.at = self.at, self.at + 1
        pieces: list[str] = []
        while (end := self.text.find('"', self.at)) >= 0:
            pieces.append(self.text[self.at : end])
            self.at = end + 1
            if not self._take('"'):
                body = "".join(pieces)
                if not body:
                    raise self._wrong(
                        "The quotes hold nothing.", 'Put the words between them: "delivered yesterday"', start
                    )
                return body
            pieces.append('"')
        raise self._wrong(
            "The quote that opens here does not close.", f"Close it: {quoted(self.text[start + 1 :])}", start
        )

    def _end_of_term(self) -> None:
        if self.at < len(self.text) and not self.text[self.at].isspace():
            if self.depth and self.text[self.at] == ")":
                return
            closed = self.text[self.at - 1] == ")"
            hint = "As in (refund or return) cancelled" if closed else 'A quote inside quotes is doubled: "5"" screen"'
            raise self._wrong(f"A blank is missing before “{self.text[self.at]}”.", hint)

    def _unknown(self, match: re.Match[str], start: int) -> QueryError:
        from reviewer.transcripts.query.meanings import fields_meant

        word = _WORD.match(self.text, self.at)
        near = fields_meant(match[1])
        first = f"Did you mean {' or '.join(near)}? " if near else ""
        literal = quoted(word[0].replace('"', "")) if word else ""
        wrong = self._wrong(
            f"There is no field “{match[1]}”.", f"{first}To find the text itself, quote it: {literal}", start
        )
        # A whole term takes the place of the whole word, a field that of what stands before the value.
        whole = self.at + len(self._reach(_WORD))
        wrong.instead = tuple(
            (self.at, match.end() if each.endswith(":") else whole, _KEY_NAMES.sub("", each)) for each in near
        )
        return wrong

    def _skip_blanks(self) -> bool:
        match = _BLANK.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.at < len(self.text)

    def _take(self, character: str) -> bool:
        taken = self.text.startswith(character, self.at)
        self.at += taken
        return taken

    def _count(self, start: int) -> None:
        self.pieces += 1
        if self.pieces > MOST:
            raise self._wrong(
                f"The query has more than {MOST} terms.", "Put the list into a queue and name it: queue:NAME", start
            )

    def _wrong(self, message: str, hint: str, position: int | None = None) -> QueryError:
        return QueryError(message, hint, self.text, self.at if position is None else position)


def _joined(groups: tuple[TermGroup, ...]) -> TermGroup:
    """The groups as one, of which one must hold."""
    return groups[0] if len(groups) == 1 else TermGroup(choices=(Alternatives(groups),))


def _comparison(raw: str, pattern: str) -> Value | None:
    kinds: tuple[ValueKind, ...] = ("<=", ">=", "<", ">")
    low, dots, high = raw.partition("..")
    if dots:
        both = re.fullmatch(pattern, low, re.ASCII) and re.fullmatch(pattern, high, re.ASCII)
        return Value("..", low, high) if both else None
    kind = next((each for each in kinds if raw.startswith(each)), None)
    text = raw.removeprefix(kind) if kind else raw.removeprefix("=")
    return Value(kind or "is", text) if re.fullmatch(pattern, text, re.ASCII) else None
