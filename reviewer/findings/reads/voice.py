"""Reads about how a reply sounds: notes to oneself left in it, another language than the customer's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewer.basics.sentences import Span
from reviewer.findings.reads.dossier import Dossier, Suggestion
from reviewer.findings.reads.excerpt_words import short
from reviewer.findings.reads.spoken_languages import language_of, surely_english
from reviewer.findings.reads.steps import Turn

_NOTES = re.compile(
    r"\b(?<!of )(?:the (?:customer|user)|user) (?:is|was|has|wants?|seems?|says|said|asks?|asked|wrote|needs?|would"
    r"|claims?|might|provided|confirmed|mentions?|didn['’]t|hasn['’]t)\b|\b(?:respond|reply|answer|say|explain"
    r"|apologi[sz]e|talk) to the (?:customer|user)\b|\b(?:tell|ask|inform|remind|greet|thank) the (?:customer|user)\b"
    r"|\b(?:per|according to|as per) my (?:system prompt|instructions?|guidelines|script)\b|\b(?:the|my) (?:SOP"
    r"|system prompt)\b|\bpolicy section\b|\bkeep the tone\b|\bno handover needed\b|\bas an AI (?:agent|assistant"
    r"|model), I (?:should|must)\b",
    re.IGNORECASE,
)
"""How an agent notes something for itself, of the customer in the third person."""
_SOMEBODY = re.compile(
    r"\b(?:tell|inform|answer) the customer\b|\b(?:the )?customer (?:information|request|placed|wants|has|is asking)\b",
    re.IGNORECASE,
)
"""How a task speaks of a customer who is somebody else than its writer."""
_HINTS = ("customer", "user", "sop", "instruction", "guideline", "script", "prompt", "policy section", "tone", "an ai ")
_TOOL = re.compile(r"(?<![\w./@-])[a-z]{2,20}(?:_[a-z]{1,20}){1,6}(?![\w./@-])")
_FORMAT = re.compile(
    r"^[ \t]*(?:thought|action|observation)[ \t]*:|\{\s{0,40}\"(?:name|action|arguments)\""
    r"|\A\s*(?:```\w*\s*)?[\[{]\s*[\"{]"
    r"|<(?:\w{1,12}:)?(?:function_calls?|invoke|tool_call|tool_use)\b",
    re.IGNORECASE | re.MULTILINE,
)
"""A message in which a harness writes its calls as text, or that is JSON as a whole."""
_ABOUT_OTHERS = re.compile(
    r"\b(?:another|other|each|every|any|a|an|authori[sz]ed) (?:customer|user)\b|\b(?:user|customer) (?:profile|id"
    r"|account|name)\b|^\W*(?:\w+ )?summary\b|\bif the (?:customer|user)\b",
    re.IGNORECASE,
)
_LEAST_LETTERS = 30
_SHARED = 8
"""Words that a sentence shares with the thoughts behind it, from which on it is theirs."""


def leaked_reasoning(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire on a sentence for the customer that is a note: the customer in the third person, procedures, names of tools.

    An opportunity is a message with visible text. One finding a message; what a sentence shares with the thoughts
    behind it, word for word, is evidence. Abstain on a sentence of the prompt, on marked thinking, which is
    `leaked-think-tag`, where a harness writes its calls as text, on rules about customers in general, and where who
    writes speaks of a customer himself, so that the reply is for somebody else. Known to confuse: a summary for a
    colleague.
    """
    tools = {each.call.name for each in it.calls} | set(it.desk.tools)
    spoken = {turn.number: spans for turn, spans in it.sentences}
    if any(turn.message.role == "customer" and _SOMEBODY.search(turn.text[:_SEARCHED]) for turn in it.turns):
        return
    for turn in it.agents:
        if not ("_" in turn.text or any(hint in it.lowered[turn.number] for hint in _HINTS)):
            yield None
            continue
        if _FORMAT.search(turn.text[:_SEARCHED]):
            continue
        notes = _noted(turn, spoken.get(turn.number, ()), tools)
        noted = next((each for each in notes if each[1].strip("-*• .").lower() not in it.known.policy.lower()), None)
        if noted is None:
            yield None
            continue
        span, words, tool = noted
        copied = _copied(turn, span)
        evidence = (it.at(turn.number, None, "reasoning") if copied else it.at(turn.number),)
        same = ", word for word from its thoughts" if copied else ""
        told = f"names the tool {tool} to the customer" if tool else f"leaves a note in the reply: “{short(words)}”"
        yield Suggestion(it.at(turn.number, span=span), evidence, f"{told}{same}", False)


def broken_multilingual(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire on a reply in another language than all that the customer has written so far.

    An opportunity is a reply whose language can be told, to a customer whose language can. Abstain on short messages,
    on texts that mix languages, and where the customer has written the reply's language, too. It knows English,
    Spanish, French, German, Italian, Portuguese, and some languages by their script. Known to confuse: a customer who
    asked for it.
    """
    spoken: list[str] = []
    told: set[str] = set()
    theirs: str | None = None
    for turn in it.turns:
        if turn.message.role == "customer":
            language = _heard(turn)
            if language is not None and language not in spoken:
                spoken.append(language)
            theirs = turn.text if turn.text.strip() else theirs
        elif turn.message.role == "agent" and len(spoken) == 1 and len(turn.text) >= _LEAST_LETTERS:
            own = _heard(turn)
            if own is None:
                continue
            if own in spoken or _ASKED.search(theirs or ""):
                yield None
            elif turn.text not in told:
                told.add(turn.text)  # said again, it is the same finding
                reason = f"answers in {own}; the customer writes {spoken[0]}"
                yield Suggestion(it.at(turn.number), it.asked_before(turn.number), reason, False)


def _heard(turn: Turn) -> str | None:
    return "English" if surely_english(turn.text) else language_of(turn.text)


_ASKED = re.compile(
    r"\b(?:english|inglés|ingles|anglais|englisch|inglese|inglês|translat\w+)\b|英语|英文", re.IGNORECASE
)
_SEARCHED = 20_000


def _noted(turn: Turn, spans: tuple[Span, ...], tools: set[str]) -> Iterator[tuple[Span, str, str]]:
    """The sentences of a message that are notes, with their words and the tool that they name."""
    tells = "_" in turn.text and any(each[0] in tools for each in _TOOL.finditer(turn.text))
    if not tells and not _NOTES.search(turn.text):
        return
    for span in spans:
        match = _NOTES.search(turn.text, *span)
        if match is not None and not _ABOUT_OTHERS.search(turn.text[slice(*span)]):
            yield span, turn.text[slice(*span)], ""
            continue
        named = next((each for each in _TOOL.finditer(turn.text, *span) if each[0] in tools), None)
        if named is not None:
            yield span, turn.text[slice(*span)], named[0]


def _copied(turn: Turn, span: Span) -> bool:
    """True if a sentence shares eight words in a row with the thoughts behind its message."""
    thoughts = " ".join(turn.message.reasoning[:_SEARCHED].lower().split())
    words = turn.text[slice(*span)][:_SEARCHED].lower().split()
    if len(words) < _SHARED or not thoughts:
        return False
    runs = (" ".join(words[at : at + _SHARED]) for at in range(min(len(words) - _SHARED + 1, 40)))
    return any(run in thoughts for run in runs)
