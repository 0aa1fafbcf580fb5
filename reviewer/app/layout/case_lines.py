"""What the benchmark and its judges say of a conversation, above its first message: one line, or all of it.

Owns which of it stands in the one line, and in which order. Judges' notes are text like any other: they can be
selected and quoted, each as the "call" of that number.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from reviewer.app.layout.pieces import Line, Piece, fitted, width_of
from reviewer.app.layout.slices import FixedBlock
from reviewer.app.layout.stack import Stack
from reviewer.app.layout.text_lines import Frame, StoredText, text_flow, words_flow
from reviewer.app.layout.view import View
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph, plainly
from reviewer.transcripts.model import Case, Conversation, Score
from reviewer.transcripts.refs import NoteName

FOLD = "case"
"""The key of its fold."""
_LONGEST = 400
"""Characters of one thing that are looked at for the one line."""
_SCORES = 3
_NAME = 14
_DEEPEST = 2
"""Values of an order that are nested deeper are shown as JSON."""


class CaseLayout(Stack):
    """Lays out case, goal, what is expected and forbidden, scores and judges' notes; its lines are made on demand."""

    def __init__(self, conversation: Conversation, view: View, judges: bool, badges: Sequence[Piece] = ()) -> None:
        super().__init__()
        self._view = view
        self._gutter = Piece(" " if view.width >= 16 else "", "gutter")
        self.folds.append(FOLD)
        opened = view.turned(FOLD, False)
        sign = Piece(f"{glyph('open' if opened else 'folded', view.plain)} ", "fold", None, 1, FOLD)
        bits = _named(conversation) if opened else _told(conversation, judges)
        pieces = (*_joined(bits, view.plain), *(Piece(f"  {badge.text}", badge.style) for badge in badges))
        head = fitted((self._gutter, sign, *pieces), view.width, glyph("more", view.plain))
        self.add(FixedBlock([head]))
        if opened:
            self._add_fields(conversation.facts)
            if judges:
                self._add_scores(conversation)

    def _add_fields(self, case: Case | None) -> None:
        for name, value in _fields(case) if case else ():
            style = "tool.forbidden" if name == "forbidden" else "value"
            self.add(words_flow(value, self._frame(name), style))

    def _add_scores(self, conversation: Conversation) -> None:
        notes = {note.name: (number, note.text) for number, note in enumerate(conversation.judged, start=1)}
        for name, value in _by_judge(conversation.scores):
            by = f"{value}{f' by {name.judge}' if name.judge else ''}"
            stack = Stack()
            stack.add(words_flow(by, self._frame(name.scorer), "value.number"))
            number, text = notes.get(name, (None, ""))
            if text:
                stack.add(text_flow(text, StoredText("text", number), self._frame(""), "text", markdown=False))
            self.add(stack, call=number)

    def _frame(self, name: str) -> Frame:
        """The room beside a name; below it where there is little."""
        view = self._view
        beside = _NAME + 2 if view.width >= 40 else 2 if view.width >= 16 else 0
        blank: Line = (self._gutter, Piece("  " + " " * beside if beside else "", "field.key"))
        label = plainly(printable_line(name[:_LONGEST]), view.plain)
        first = blank
        if label and beside > _NAME:
            told = fitted((Piece(label, "field.key"),), _NAME, glyph("more", view.plain))
            pad = Piece(" " * (beside - width_of(told)), "field.key")
            first = (self._gutter, Piece("  ", "field.key"), *told, pad)
        return Frame(max(1, view.width - width_of(blank)), first, blank, view.plain, view.opens)


def says_something(conversation: Conversation, judges: bool) -> bool:
    """True if there is anything to say besides the name of the case."""
    case = conversation.facts
    return bool((judges and conversation.scores) or (case and next(_fields(case), None)))


def _named(conversation: Conversation) -> Iterator[tuple[str, str]]:
    case = conversation.facts
    yield f"Case {case.id}" if case else "Scores", "heading"


def _told(conversation: Conversation, judges: bool) -> Iterator[tuple[str, str]]:
    """What stands in the one line, the most telling first."""
    case = conversation.facts or Case("")
    if case.bucket:
        yield case.bucket, "dim"
    if case.expected:
        yield f"expects {', '.join(each[:_LONGEST].partition('(')[0] for each in case.expected)}", "dim"
    if case.forbidden:
        yield f"forbids {', '.join(case.forbidden)}", "tool.forbidden"
    if judges and conversation.scores:
        yield ", ".join(_main(conversation.scores)), "dim"
    if goal := case.goal or case.lure or case.persona or "":
        yield " ".join(goal[:_LONGEST].split()), "dim"


def _main(scores: Sequence[Score]) -> Iterator[str]:
    """The first score of each scorer, without the parts that another one is made of."""
    first: dict[str, Score] = {}
    for score in scores:
        if score.scorer.rpartition(".")[0] not in first:
            first.setdefault(score.scorer, score)
    for score in list(first.values())[:_SCORES]:
        yield f"{score.scorer[:_LONGEST]} {_value(score)}"
    if len(first) > _SCORES:
        yield "…"


def _fields(case: Case) -> Iterator[tuple[str, str]]:
    several = {"forbidden": ", ".join(case.forbidden), "labels": ", ".join(case.labels)}
    named = {
        "suite": case.suite, "family": case.family, "bucket": case.bucket, "forbidden": several["forbidden"],
        "expected": "\n".join(case.expected), "lure": case.lure, "labels": several["labels"], "goal": case.goal,
        "persona": case.persona, "language": case.language, "context": case.context,
    }  # fmt: skip
    order = {f"order {key}": _text(value) for key, value in (case.order or {}).items()}
    yield from ((name, value) for name, value in {**named, **order}.items() if value)


def _text(value: object, depth: int = _DEEPEST) -> str:
    """A value as words: an element of a list a line, the fields of an object beside each other."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and depth == _DEEPEST:
        return "\n".join(_text(each, depth - 1) for each in value)
    if isinstance(value, dict) and depth:
        return ", ".join(f"{key} {_text(each, 0)}" for key, each in value.items())
    return json.dumps(value, ensure_ascii=False)


def _by_judge(scores: Sequence[Score]) -> Iterator[tuple[NoteName, str]]:
    """The values of each score by each judge, in order."""
    values: dict[NoteName, list[str]] = {}
    for score in scores:
        asked = f" (prompt {score.prompt})" if score.prompt else ""
        values.setdefault(NoteName(score.scorer, score.judge or ""), []).append(f"{_value(score)}{asked}")
    yield from ((name, ", ".join(given)) for name, given in values.items())


def _value(score: Score) -> str:
    return (score.raw or glyph("absent")) if score.value is None else f"{score.value:g}"


def _joined(bits: Iterator[tuple[str, str]], plain: bool) -> Iterator[Piece]:
    for number, (text, style) in enumerate(bits):
        if number:
            yield Piece(f" {glyph('dot', plain)} ", "dim")
        yield Piece(plainly(printable_line(text), plain), style)
