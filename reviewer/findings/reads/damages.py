"""Reads about proof of damage: asked for, given, waived, or never asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from reviewer.basics.sentences import Span, sentences
from reviewer.findings.reads.dossier import Dossier, Suggestion
from reviewer.findings.reads.excerpt_words import short
from reviewer.findings.reads.steps import AgentCall, Turn

_PROOF = re.compile(
    r"\b(?:photo\w{0,8}|pictures?|images?|pics?|snapshots?|screenshots?|phone snap|videos?|proof|evidence|foto\w{0,7}"
    r"|bild(?:er)?)\b"
    r"|照片|图片",
    re.IGNORECASE,
)
_DAMAGE = re.compile(
    r"\b(?:damag\w{0,3}|broke\w?|broken|crack\w{0,3}|smash\w{0,3}|torn|tear|rip(?:ped)?|dent\w{0,3}|bent"
    r"|scratch\w{0,3}|defect\w{0,4}|faulty|stain\w{0,3}|soak\w{0,3}|snapp?ed|leak\w{0,3}|split|shatter\w{0,3}|jam(?:s"
    r"|med|ming)?|wobbl\w{0,4}|come(?:s)? off|came off|open along|doesn['’]t (?:close|work|turn)|does not (?:close"
    r"|work|turn)|stopped working|frayed|loose|wear|hole|chipped|warped)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\?|\b(?:need|needs|please|require[sd]?|send|attach|share|upload|provide|show|unless|without|can you|could you"
    r"|skip)\b",
    re.IGNORECASE,
)
_SEE = re.compile(r"\bneed to see the (?:damage|defect|fault)\b", re.IGNORECASE)
_SHOWN = re.compile(r"\[(?:photo|image|picture|video|attach)|!\[", re.IGNORECASE)
_OFFERS = re.compile(r"\b(?:have|available|can (?:send|provide|show)|could send|happy to send)\b", re.IGNORECASE)
"""Proof that is there for whoever asks."""
_GIVES = re.compile(
    r"\b(?:attached|attaching|here (?:it is|you go|they are|is|are)|here['’]s|see above|sent (?:it|them|you)|uploaded"
    r"|picture above|took (?:a|some|the))\b|^\W*(?:here|done|sent)\W*$",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"\b(?:no|not|n['’]?t|can['’]?t|cannot|don['’]?t|won['’]?t|never|without|unable|haven['’]?t|broken|threw|thrown"
    r"|rather not|really have to|refuse)\b",
    re.IGNORECASE,
)
_MADE_GOOD = frozenset({"replace", "reship", "refund", "exchange"})
_REACH = 80


class Told(NamedTuple):
    """What was said of proof before a write: the message of each, if any."""

    damage: int | None = None
    asked: int | None = None
    given: bool = False
    denied: int | None = None


def approves_without_proof(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire on a write that makes a damage good, where nobody had asked for proof and none was offered.

    An opportunity is a replacement, a reshipment, a refund or an exchange after a customer spoke of damage, where the
    policy or the prompt wants proof of it. Abstain without such a rule. A call that failed counts. Known to confuse: a
    photo that a log does not show and nobody speaks of.
    """
    for each, told in _makes_good(it):
        if told.asked is None and not told.given and told.damage is not None:
            reason = f"{each.call.name} is called for a damage, and nobody had asked for proof"
            yield Suggestion(it.of_call(each), (it.at(told.damage),), reason, False)
        else:
            yield None


def asks_proof_then_waives(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire on a write that makes a damage good after proof was asked for and the customer said that there is none.

    An opportunity is that of approves-without-proof. Abstain without a rule that wants proof. An answer that neither
    gives proof nor says that there is none tells nothing: a log may not show what was attached.
    """
    for each, told in _makes_good(it):
        if told.asked is not None and told.denied is not None and not told.given:
            reason = f"asks for proof at #{told.asked}, gets none at #{told.denied}, and calls {each.call.name}"
            yield Suggestion(it.of_call(each), (it.at(told.asked), it.at(told.denied)), reason, False)
        else:
            yield None


def asks_proof(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire on the first sentence that asks for proof of a damage, where the policy or the prompt wants it.

    The good twin of asks-proof-then-waives and approves-without-proof. An opportunity is a conversation in which a
    customer speaks of damage before the agent's first answer.
    """
    if not _wants_proof(it.known.policy):
        return
    claimed = next((turn for turn in it.turns if turn.message.role == "customer" and _speaks_of_damage(it, turn)), None)
    if claimed is None:
        return
    for turn, spans in it.sentences:
        asked = _asks(turn, spans) if turn.number > claimed.number else None
        if asked is not None:
            reason = f"asks for proof: “{short(turn.text[slice(*asked)])}”"
            yield Suggestion(it.at(turn.number, span=asked), (it.at(claimed.number),), reason, False)
            return
    yield None


def _makes_good(it: Dossier) -> Iterator[tuple[AgentCall, Told]]:
    """The writes that make a damage good, with what was said of proof before."""
    if not any(each.act in _MADE_GOOD for each in it.writes) or not _wants_proof(it.known.policy):
        return
    spoken = {turn.number: spans for turn, spans in it.sentences}
    told, at = Told(), 0
    writes = [each for each in it.writes if each.act in _MADE_GOOD]
    for turn in it.turns:
        while at < len(writes) and writes[at].message == turn.number:
            if told.damage is not None:
                yield writes[at], told
            at += 1
        if turn.message.role == "customer":
            told = _heard(it, told, turn)
        elif turn.number in spoken and told.asked is None and _asks(turn, spoken[turn.number]) is not None:
            told = told._replace(asked=turn.number)


def _speaks_of_damage(it: Dossier, turn: Turn) -> bool:
    """True if a customer's message speaks of damage; any does in a case that is about it."""
    about = it.case is not None and it.case.family is not None and _DAMAGE.search(it.case.family)
    return bool(about or _DAMAGE.search(turn.text))


def _heard(it: Dossier, told: Told, turn: Turn) -> Told:
    """What is known after a customer's message."""
    text = turn.text
    if told.damage is None and _speaks_of_damage(it, turn):
        told = told._replace(damage=turn.number)
    match = _PROOF.search(text)
    near = text[max(0, match.start() - _REACH) : match.end() + _REACH] if match else ""
    if _SHOWN.search(text):
        return told._replace(given=True)
    if match:
        if told.asked is None and _OFFERS.search(near):
            return told
        return told._replace(denied=turn.number, given=False) if _NONE.search(near) else told._replace(given=True)
    if told.asked is None:
        return told
    if _GIVES.search(text) or not text.strip():
        return told._replace(given=True)
    return told._replace(denied=turn.number) if _NONE.search(text[: 2 * _REACH]) else told


def _asks(turn: Turn, spans: tuple[Span, ...]) -> Span | None:
    """The first sentence of a message that asks for proof."""
    for start, end in spans:
        sentence = turn.text[start:end]
        if (
            (_PROOF.search(sentence) and _ASKS.search(sentence)) or _SEE.search(sentence)
        ) and "exception" not in sentence:
            return start, end
    return None


@lru_cache(maxsize=16)
def _wants_proof(policy: str) -> bool:
    """True if a sentence of the policy wants proof of damage."""
    return any(_PROOF.search(policy, *span) and _DAMAGE.search(policy, *span) for span in sentences(policy))
