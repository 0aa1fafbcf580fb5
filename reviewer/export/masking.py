"""Masking: excerpts in which models have aliases, and customers no names.

Owns what counts as a model's name and as a customer's particulars. Models are told apart by their alias everywhere,
references included; customers' particulars are what tool results and the case's order hold of them, addresses of mail
and telephone numbers wherever they stand. Texts only; which tags there are is not its business.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from reviewer.annotations.anchors import message_at, part_text
from reviewer.export.excerpts import Excerpt, Piece, Proof
from reviewer.model import Conversation, Message, Score, Stored, Tag, ToolCall
from reviewer.refs import case_ref, parse

PERSON = "[customer]"
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?<![\w#-])\+?\d[\d ().-]{7,}\d(?![\w-])")
_OF_PERSON = re.compile(r"(?i)customer|user|recipient|passenger|guest|contact|address|billing|shipping_to")
_PARTICULAR = re.compile(
    r"(?i)(?:^|_)(?:(?:first|last|full|sur|family|given|customer|user|recipient)_?name|user_?id|e?mail|phone|mobile|"
    r"street|address\d?|line\d|zip|post_?code|postal_code|city|dob|birth\w*)$"
)
_NAME = re.compile(r"(?i)(?:^|_)name$")
_SHORTEST = 2
_SHORT = 3
"""Up to here the case must match too, or the name An would take every “an” with it."""

Change = Callable[[str], str]


class Mask:
    """What is hidden in an export."""

    def __init__(self, models: Iterable[str], hide_models: bool = False, hide_customers: bool = False) -> None:
        self._aliases = {name: f"model-{_letters(at)}" for at, name in enumerate(sorted(models))} if hide_models else {}
        self._hide_customers = hide_customers
        self._models = _pattern(self._aliases)

    def apply(self, excerpt: Excerpt) -> Excerpt:
        """The excerpt with everything hidden that is to be hidden."""
        if not self._aliases and not self._hide_customers:
            return excerpt
        change = self._changing(excerpt.stored)
        return replace(
            excerpt,
            tag=self._tag(excerpt.tag, change),
            stored=self._stored(excerpt.stored, change) if excerpt.stored else None,
            pieces=tuple(self._piece(piece, change, excerpt.stored) for piece in excerpt.pieces),
            proofs=tuple(Proof(self.ref(p.ref), change(p.quote), change(p.said)) for p in excerpt.proofs),
        )

    def text(self, text: str) -> str:
        """A text of nobody's in particular (a file's name), with models under their aliases."""
        return self._models.sub(lambda found: self._alias(found[0]), text) if self._aliases else text

    def ref(self, text: str) -> str:
        """A reference under the model's alias."""
        for name, alias in self._aliases.items():
            prefix = case_ref(name, "")
            if text.startswith(prefix):
                return f"{alias}/{text[len(prefix) :]}"
        return text

    def _changing(self, stored: Stored | None) -> Change:
        known = set(_particulars(stored.conversation)) if self._hide_customers and stored else set()
        people = _pattern(known)

        def change(text: str) -> str:
            text = self.text(text)
            if self._hide_customers:
                text = _PHONE.sub(PERSON, _MAIL.sub(PERSON, people.sub(PERSON, text)))
            return text

        return change

    def _alias(self, found: str) -> str:
        return next(alias for name, alias in self._aliases.items() if name.lower() == found.lower())

    def _tag(self, tag: Tag, change: Change) -> Tag:
        pieces = tuple(
            replace(each, ref=self.ref(each.ref), quote=change(each.quote), before="", after="") for each in tag.pieces
        )
        note, clause = change(tag.note), change(tag.clause)
        return replace(tag, ref=self.ref(tag.ref), pieces=pieces, evidence=(), note=note, clause=clause)

    def _piece(self, piece: Piece, change: Change, stored: Stored | None) -> Piece:
        ref = parse(self.ref(str(piece.ref)))
        if stored is not None and ref.span is not None:
            text = part_text(message_at(stored, ref), ref)
            ref = replace(ref, span=_span(change(text), change(piece.quote), len(change(text[: ref.span[0]]))))
        return Piece(
            ref, change(piece.quote), piece.role, change(piece.before), change(piece.after), change(piece.tool)
        )

    def _stored(self, stored: Stored, change: Change) -> Stored:
        conversation = stored.conversation
        facts = conversation.facts
        masked = replace(
            conversation,
            model=self._aliases.get(conversation.model, conversation.model),
            messages=tuple(_message(each, change) for each in conversation.messages),
            scores=tuple(self._score(score, change) for score in conversation.scores),
            facts=replace(facts, order=None, persona=None, goal=None, opening=None) if facts else None,
            meta=None,
            extra=None,
        )
        return replace(stored, ref=self.ref(stored.ref), conversation=masked, source="")

    def _score(self, score: Score, change: Change) -> Score:
        judge = self._aliases.get(score.judge, score.judge) if score.judge else None
        return replace(score, judge=judge, note=change(score.note) if score.note else None)


def _span(text: str, quote: str, near: int) -> tuple[int, int] | None:
    """Where the changed quote stands in the changed text; None (the whole item) when the change ran across its ends."""
    start = near if text.startswith(quote, near) else text.find(quote)
    return (start, start + len(quote)) if start >= 0 else None


def _message(message: Message, change: Change) -> Message:
    def part(text: str | None) -> str | None:
        return change(text) if text is not None else None

    calls = tuple(
        ToolCall(call.name, part(call.arguments), part(call.result), part(call.error), orphan=call.orphan)
        for call in message.calls
    )
    return Message(message.role, change(message.text), change(message.reasoning), calls, message.source_role)


def _particulars(conversation: Conversation) -> Iterator[str]:
    """What tool results and the case's order say of the customer."""
    order = conversation.facts.order if conversation.facts else None
    values: list[Any] = [order] if order else []
    for message in conversation.messages:
        for call in message.calls:
            for raw in (call.arguments, call.result):
                try:
                    values.append(json.loads(raw or "null"))
                except (ValueError, RecursionError):
                    continue  # text: what it holds of a person is found by its shape alone
    for value in values:
        yield from _found(value, "", 0)


def _found(value: Any, key: str, depth: int, of_person: bool = False) -> Iterator[str]:
    if depth > 12:
        return
    if isinstance(value, dict):
        inside = of_person or bool(_OF_PERSON.search(key))
        for name, inner in value.items():
            yield from _found(inner, str(name), depth + 1, inside)
    elif isinstance(value, list):
        for inner in value:
            yield from _found(inner, key, depth + 1, of_person)
    elif isinstance(value, str) and (_PARTICULAR.search(key) or (of_person and _NAME.search(key))):
        if len(value.strip()) >= _SHORTEST:
            yield value.strip()
        if "name" in key.lower():
            yield from (word for word in value.split() if len(word) >= _SHORTEST)


def _pattern(words: Iterable[str]) -> re.Pattern[str]:
    """Any of the words by itself, the longest first; nothing at all when there are none."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    written = [re.escape(word) if len(word) <= _SHORT else f"(?i:{re.escape(word)})" for word in ordered]
    return re.compile(rf"(?<!\w)(?:{'|'.join(written)})(?!\w)" if written else "(?!)")


def _letters(number: int) -> str:
    """A to Z, then AA ..."""
    letters = ""
    while True:
        letters = chr(ord("A") + number % 26) + letters
        number = number // 26 - 1
        if number < 0:
            return letters


NOTHING_HIDDEN = Mask(())
