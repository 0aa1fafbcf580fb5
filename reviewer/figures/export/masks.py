"""Masks for excerpts: in them models have aliases, and customers no names.

Owns what is changed in an excerpt, references and names of files included, and that quotes still point at their words.
A model's alias stands for its label however it is written, for the name of its family and its maker; what a customer's
particulars are is the business of `reviewer.figures.export.customers`. Which tags there are is not its business.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from urllib.parse import quote, unquote

from reviewer.figures.export.customers import HiddenCustomers
from reviewer.figures.export.excerpts import Excerpt, ExcerptPiece, Proof
from reviewer.marks.anchors import message_at, part_text
from reviewer.transcripts.model import Anchor, Citation, Message, Score, Stored, Tag, ToolCall
from reviewer.transcripts.refs import NoteName, Ref, case_ref, parse, parse_absence

_FAMILIES = {
    "claude": ("anthropic",), "deepseek": (), "doubao": ("bytedance",), "ernie": ("baidu",), "gemini": (), "gemma": (),
    "glm": ("zhipu", "z.ai"), "gpt": ("chatgpt", "openai"), "grok": ("xai",), "hunyuan": ("tencent",),
    "kimi": ("moonshot", "moonshot ai"), "llama": (), "minimax": (), "mistral": (), "mixtral": (), "nemotron": (),
    "qwen": ("alibaba", "tongyi", "通义千问"),
}  # fmt: skip
"""A family by the word in its labels, and what its models call themselves or their makers."""
_ANY = "[model]"
"""What may be any of several models."""

_HASHED = re.compile(r"~[0-9a-f]{10}(?![0-9a-f])")
"""The hash with which an import shortens a long name."""

Change = Callable[[str], str]


class Mask:
    """The aliases and particulars that an export hides."""

    def __init__(self, models: Iterable[str], hide_models: bool = False, hide_customers: bool = False) -> None:
        self._aliases = {name: f"model-{_letters(at)}" for at, name in enumerate(sorted(models))} if hide_models else {}
        self._hide_customers = hide_customers
        self._last: tuple[list[str], Change, Stored | None] | None = None
        called = [*_kin(self._aliases), *self._aliases.items()]
        # A name without a letter or a digit (`...`) would be found between any two signs.
        self._written = {plain: alias for name, alias in called if (plain := _plain(name))}
        self._models = _any_of(sorted(self._written, key=len, reverse=True))

    @property
    def hides(self) -> bool:
        """True if anything is hidden at all."""
        return bool(self._aliases) or self._hide_customers

    def apply(self, excerpt: Excerpt) -> Excerpt:
        """The excerpt with everything hidden that is to be hidden."""
        if not self.hides:
            return excerpt
        change, stored = self._changed(excerpt)
        return replace(
            excerpt,
            tag=self._tag(excerpt.tag, change),
            stored=stored,
            pieces=tuple(self._piece(piece, change, excerpt.stored) for piece in excerpt.pieces),
            proofs=tuple(self._proof(proof, change) for proof in excerpt.proofs),
        )

    def conversation(self, stored: Stored) -> Stored:
        """A conversation of which nothing is excerpted, with everything hidden that is to be hidden."""
        return self._stored(stored, self._changing([stored])) if self.hides else stored

    def _changed(self, excerpt: Excerpt) -> tuple[Change, Stored | None]:
        """Return the changes to an excerpt and its changed conversation, kept as its tags come one after another."""
        read = [excerpt.stored, *(proof.stored for proof in excerpt.proofs)]
        about = [each.ref if each else "" for each in read]
        if self._last is None or self._last[0] != about:
            change = self._changing(read)
            self._last = about, change, self._stored(excerpt.stored, change) if excerpt.stored else None
        return self._last[1:]

    def text(self, text: str) -> str:
        """A text of no conversation (the name of a file or a queue), with models under their aliases."""
        return self._models.sub(lambda match: self._written[_plain(match[0])], text) if self._aliases else text

    def query(self, text: str) -> str:
        """A query with models under their aliases; where customers are hidden none of it, since it may name one."""
        return "[masked]" if self._hide_customers and text else self.text(text)

    def ref(self, text: str, change: Change | None = None) -> str:
        """A reference under the model's alias, its case changed like any text."""
        if not self.hides:
            return text
        whole, hash_sign, place = text.partition("#")
        known = next((name for name in self._aliases if whole.startswith(case_ref(name, ""))), None)
        head = case_ref(known, "") if known else ""
        named = _HASHED.sub("~", unquote(whole[len(head) :]))
        change = change or self._changing([])
        changed = change(named)
        rest = quote(changed, safe="/[]:~") if changed != unquote(whole[len(head) :]) else whole[len(head) :]
        place, slash, pointer = place.partition("/")
        return f"{f'{self._aliases[known]}/' if known else ''}{rest}{hash_sign}{place}{slash}{change(pointer)}"

    def _ref(self, ref: Ref, change: Change) -> Ref:
        note = ref.judge
        if note is not None:
            note = NoteName(change(note.scorer), self._aliases.get(note.judge, note.judge))
        pointer = change(ref.pointer) if ref.pointer is not None else None
        return replace(ref, conversation=self.ref(ref.conversation, change), pointer=pointer, judge=note)

    def _changing(self, conversations: Iterable[Stored | None]) -> Change:
        if not self._hide_customers:
            return self.text
        customers = HiddenCustomers(filter(None, conversations))
        return lambda text: customers.hidden_in(self.text(text))

    def _tag(self, tag: Tag, change: Change) -> Tag:
        """The tag without digests: a digest of the stored text lets anybody test a guess at what is hidden."""
        pieces = tuple(Anchor(self._ref(each.ref, change), "", quote=change(each.quote)) for each in tag.pieces)
        note, clause, cause = map(change, (tag.note, tag.clause, tag.cause))
        ref = self._ref(tag.ref, change)
        return replace(
            tag, ref=ref, digest="", pieces=pieces, evidence=(), extra=None, note=note, clause=clause, cause=cause
        )

    def _proof(self, proof: Proof, change: Change) -> Proof:
        conversation = proof.ref.partition("#")[0]
        hidden = self.ref(conversation, change)
        said, where = (change(text.replace(conversation, hidden)) for text in (proof.said, proof.where))
        ref = proof.ref if parse_absence(proof.ref) else str(self._ref(parse(proof.ref), change))
        return Proof(ref, change(proof.quote), said, where)

    def _piece(self, piece: ExcerptPiece, change: Change, stored: Stored | None) -> ExcerptPiece:
        ref = self._ref(piece.ref, change)
        if stored is not None and piece.ref.span is not None:
            text = part_text(message_at(stored, piece.ref), piece.ref)
            near = len(change(text[: piece.ref.span[0]]))
            ref = replace(ref, span=_span(change(text), change(piece.quote), near))
        cited = tuple(
            Citation(change(each.passage), change(each.title), change(each.source)) for each in piece.citations
        )
        before, after = change(piece.before), change(piece.after)
        return ExcerptPiece(ref, change(piece.quote), piece.role, before, after, piece.tool, cited)

    def _stored(self, stored: Stored, change: Change) -> Stored:
        conversation = stored.conversation
        facts = conversation.facts
        masked = replace(
            conversation,
            model=self._aliases.get(conversation.model, conversation.model),
            case=change(conversation.case) if conversation.case else None,
            id=None,
            messages=tuple(_message(each, change) for each in conversation.messages),
            scores=tuple(self._score(score, change) for score in conversation.scores),
            facts=replace(facts, order=None, persona=None, goal=None, opening=None) if facts else None,
            error=change(conversation.error) if conversation.error else None,
            meta=None,
            extra=None,
        )
        return replace(stored, ref=self.ref(stored.ref, change), digest="", conversation=masked, source="")

    def _score(self, score: Score, change: Change) -> Score:
        judge = self._aliases.get(score.judge, score.judge) if score.judge else None
        return replace(score, judge=judge, scorer=change(score.scorer), note=change(score.note) if score.note else None)


def _span(text: str, quote: str, near: int) -> tuple[int, int] | None:
    """Find the changed quote in the changed text; None (the whole item) when the change ran across its ends."""
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


def _kin(aliases: dict[str, str]) -> list[tuple[str, str]]:
    """List what models of a family call themselves, with the alias where only one model is of that family."""
    families = {name: [word for word in _FAMILIES if word in name.lower()] for name in aliases}
    counts = Counter(word for words in families.values() for word in words)
    return [
        (called, alias if counts[word] == 1 else _ANY)
        for name, alias in aliases.items()
        for word in families[name]
        for called in (word, *_FAMILIES[word])
    ]


def _plain(name: str) -> str:
    """A name however it is written: `GPT-4o`, `gpt 4o`."""
    return re.sub(r"[\W_]+", "", name).lower()


def _any_of(plain: list[str]) -> re.Pattern[str]:
    """Any of these names by itself, with anything between its characters that a label may have there."""
    spelled = "|".join(r"[-_ .:/+]?".join(map(re.escape, each)) for each in plain)
    return re.compile(rf"(?<![^\W_])(?:{spelled or '(?!)'})(?![^\W_])", re.IGNORECASE)


def _letters(number: int) -> str:
    """A to Z, then AA ..."""
    letters = ""
    while True:
        letters = chr(ord("A") + number % 26) + letters
        number = number // 26 - 1
        if number < 0:
            return letters


NOTHING_HIDDEN = Mask(())
