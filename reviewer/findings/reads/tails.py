"""Reads about how conversations run out: farewells without end, replies without a word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from reviewer.basics.sentences import sentences
from reviewer.findings.reads.dossier import Dossier, Suggestion
from reviewer.findings.reads.steps import Turn
from reviewer.findings.reads.typed_values import facts

_LOOP = 3
_LONGEST = 320
"""Characters of the longest message that may be a farewell and nothing else."""
_CLOSING = re.compile(
    r"\b(?:you['’]?re (?:very |most |so |always )*welcome|(?:my |a |our )?pleasure|any ?time|take care|good"
    r" ?bye|bye|farewell|(?:have|enjoy|wish(?:ing)? you) (?:a|an|the rest|your)"
    r"|thank(?:s| you)|no problem|glad|happy to (?:help|assist|have)|all the best|best (?:wishes|regards)"
    r"|likewise|and you|you too|same to you|welcome|cheers|enjoy|safe travels|great day|see you"
    r"|feel free|don['’]t hesitate|reach out|let (?:me|us) know|(?:I['’]m|we['’]re|I am|we are|always)"
    r" (?:always )?here|if you (?:ever )?(?:need|have)|anything else|of course|sure|just write|hear you|I"
    r" understand|here to help|hope (?:you|the|it|your)|(?:fingers|thumbs) crossed|safe (?:flight|trip)"
    r"|appreciate|what I['’]m here for"
    r"|(?:colleagues?|team) (?:has|have|takes?|knows?)|with my colleague"
    r"|(?:say|give|tell) [^.!?]{0,30}(?:thanks|regards)"
    r"|de nada|un placer|gracias|buen (?:día|viaje)|je vous en prie|avec plaisir|merci|bonne journée|au"
    r" revoir|gern(?:e)? geschehen|sehr gern|danke|alles gute|schönen tag|prego|figurati|grazie|buona"
    r" giornata|di niente"
    r"|imagina|obrigad[oa]|bom dia|ótimo dia|estamos aqui)\b|不客气|不用谢|再见|谢谢|祝您|随时联系",
    re.IGNORECASE,
)
_FAREWELL = re.compile(
    r"\b(?:welcome|pleasure|any ?time(?! (?:I|you|we|it|that)\b)|take care|bye|good ?bye|farewell|great day|good day"
    r"|(?:wonderful|lovely|nice|fantastic|good|great|pleasant|amazing)"
    r" (?:day|one|evening|weekend|trip|rest|time|flight|night)"
    r"|thank(?:s| you)|no problem|glad"
    r"|all the best|likewise|and you|you too|same to you|cheers|enjoy|safe (?:travels|flight|trip)|appreciate"
    r"|what I['’]m here for|de nada|un placer|gracias"
    r"|merci|bonne journée|gern|danke|alles gute|prego|grazie|imagina|obrigad[oa])\b|^\W*happy to help\W*$"
    r"|不客气|不用谢|再见|谢谢|祝您",
    re.IGNORECASE,
)
_UNSEEN = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp", "Mn", "Me"})
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that are drawn as nothing."""
_WORD = re.compile(r"\w")
_LONGEST_YES = 40
_MATTER = re.compile(r"[?？\d#@]|\b(?:no|not|but|wait,|why|how|what|when|where)\b", re.IGNORECASE)
_ASKS = re.compile(r"\?\s*$")


def goodbye_loop(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire where the last three or more messages of the agent are farewells and nothing else; the reason counts them.

    An opportunity is a conversation with an agent's farewell at its end. A message with a call, a new fact or a
    question that is not "anything else?" ends the loop; a number or a link that stood there before is nothing new. A
    loop begins with the answer to a customer who wants no more. Known to confuse: a farewell in a language it has no
    words for counts as none.
    """
    tail: list[Turn] = []
    for turn in reversed(it.turns):
        if turn.message.role != "agent":
            continue
        if turn.message.calls or not _closes(it, turn):
            if len(tail) >= _LOOP and _answers_farewell(it, turn):
                tail.append(turn)
            break
        tail.append(turn)
    if not tail:
        return
    if len(tail) < _LOOP:
        yield None
        return
    first, others = tail[-1], tail[-2::-1]
    reason = f"the last {len(tail)} messages of the agent only say goodbye"
    yield Suggestion(it.at(first.number), tuple(it.at(turn.number) for turn in others), reason, False)


def empty_reply(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire on a message of the agent without a visible character and without a call.

    An opportunity is a message of the agent. Abstain on the last message of a conversation that broke off.
    """
    for turn in it.turns:
        if turn.message.role != "agent":
            continue
        if turn.message.calls or _visible(turn.text):
            yield None
        elif not (turn.number == len(it.turns) and it.outcome.broken):
            before = (it.at(turn.number - 1),) if turn.number > 1 else (it.whole(),)
            yield Suggestion(it.at(turn.number), before, "the message has no visible character and no call", True)


def _visible(text: str) -> bool:
    """True if something can be seen: any character but blanks, controls and marks that only join or hide others.

    A character that this Python's tables do not know yet, a new emoji, can be seen as well.
    """
    return any(unicodedata.category(each) not in _UNSEEN and each not in _BLANK for each in text)


def _closes(it: Dossier, turn: Turn) -> bool:
    """True if a message is a farewell in all its sentences."""
    text = turn.text
    if not text.strip() or len(text) > _LONGEST or not _FAREWELL.search(text):
        return False
    for start, end in sentences(text):
        sentence = text[start:end]
        if not _WORD.search(sentence):
            continue  # a smiley, a line of stars
        values = [fact.value for fact in facts(sentence, "url", "order", "tracking number")]
        if not _CLOSING.search(sentence) and len(sentence) > 30:
            return False
        if not all(it.stood_before(value, turn.number) for value in values):
            return False
        if _ASKS.search(sentence) and "else" not in sentence.lower():
            return False
    return True


def _answers_farewell(it: Dossier, turn: Turn) -> bool:
    """True if a message without a call or a question answers a customer who wants no more, and says nothing new."""
    before = it.turns[turn.number - 2] if turn.number > 1 else turn
    if turn.message.calls or before.message.role != "customer" or not (_closes(it, before) or _short_yes(before.text)):
        return False
    text = turn.text.strip()
    values = (fact.value for fact in facts(text, "url", "order", "tracking number"))
    said = 0 < len(text) <= _LONGEST and "?" not in text
    return said and all(it.stood_before(value, turn.number) for value in values)


def _short_yes(text: str) -> bool:
    """True if a customer's message is a few words that ask and tell nothing: `Fine, I'll wait.`"""
    return 0 < len(text.strip()) <= _LONGEST_YES and not _MATTER.search(text)
