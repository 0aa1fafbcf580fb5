"""Reads about promises of time: when money is back."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewer.basics.sentences import Span
from reviewer.findings.reads.dates import Length, lengths
from reviewer.findings.reads.dossier import Dossier, Evidence, Suggestion
from reviewer.findings.reads.moods import mood
from reviewer.findings.reads.steps import Turn
from reviewer.transcripts.refs import Absence

_REFUND = re.compile(
    r"\brefund(?:s|ed|ing)?\b|\breimburse\w*|\b(?:money|amount|funds|payment|credit) (?:back|returned|will be"
    r" (?:back|returned|credited))|\bsee the money\b"
    r"|\bcredited (?:back|to)\b|\bback (?:on|to|in) your (?:card|account|original|bank|payment)|\breembols\w+"
    r"|\b(?:holds?|second entry|charge|authori[sz]ation)\b[^.!?\n]{0,20}?\b(?:drops? off|falls? off|disappears?|is gone"
    r"|is (?:released|lifted)|expires?)\b|\bbank releases\b"
    r"|\bremboursement|\brembours\w+|\berstatt\w+|\brückerstatt\w+|\brimbors\w+|退款",
    re.IGNORECASE,
)
_HINTS = (
    "refund",
    "reimburs",
    "back",
    "money",
    "credit",
    "return",
    "hold",
    "entry",
    "charge",
    "authori",
    "release",
    "reembols",
    "rembours",
    "erstatt",
    "rimbors",
    "退款",
)
_REFUSED = re.compile(
    r"\b(?:can['’]t|cannot|can not|don['’]t have|no such|not able|unable|couldn['’]t|depends on|not sure)\b",
    re.IGNORECASE,
)
_PROMISED = re.compile(
    r"(?:\b(?:within|in|takes?|taking|take|usually|typically|normally|generally|about|around|approximately"
    r"|roughly|up to|allow|expect(?:ed)?|next|of|en|dans|sous|innerhalb|in|tra|entro|em|dentro de|de)|~|\("
    r"|:)[\s*]*$",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"^[\s*)]*(?:for|to (?:appear|show|process|reflect|reach|post|complete|be|clear|arrive|get|receive)|from"
    r" (?:now|today|the)|after (?:we|the return|processing))\b",
    re.IGNORECASE,
)
_WINDOW = re.compile(
    r"\b(?:request(?:ed)? (?:a refund |it |one |them )?within|eligible|qualif\w{1,5}|apply within|valid for"
    r"|guarantee|window|within \d+ days of|days (?:of|after|from|since) (?:the )?(?:delivery|purchase|booking"
    r"|receipt)|hours? (?:of|after|from|since|window)|ago|away"
    r"|no (?:full |partial )?refund)\b",
    re.IGNORECASE,
)

_REACH = 120
"""Characters before a length of time within which words may take it back."""


def invented_refund_timeline(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire where a sentence about a refund gives a length of time that nothing the agent was told or shown holds.

    An opportunity is a sentence about a refund with a length of time, said of what will come. Abstain where no policy
    and no prompt is known, on denials, questions, quotations and what banks often say, and on windows in which
    something may be sent back. The same numbers in other words, or fewer of them, are no invention.
    """
    if not it.known.policy:
        return
    for turn, spans in it.sentences:
        if not any(hint in it.lowered[turn.number] for hint in _HINTS):
            continue
        for span in spans:
            for length in _promised(turn, span):
                known = it.known.allows(length, turn.number)
                yield None if known else _invented(it, turn, length)


def _promised(turn: Turn, span: Span) -> Iterator[Length]:
    text = turn.text
    if not _REFUND.search(text, *span) or _WINDOW.search(text, *span):
        return
    for length in lengths(text, *span):
        how = mood(text, span, length.start, length.end)
        clause = text[max(span[0], length.start - _REACH) : length.start]
        promised = _PROMISED.search(clause[-30:]) or _NAMED.match(text[length.end : length.end + 30])
        if promised and how in ("asserted", "future", "conditional") and not _REFUSED.search(clause):
            yield length


def _invented(it: Dossier, turn: Turn, length: Length) -> Suggestion:
    words = " ".join(turn.text[length.start : length.end].split())
    told = [n.number for n in it.turns if n.message.role == "system"][:1]
    evidence: tuple[Evidence, ...] = tuple(it.at(n) for n in told) or (Absence("source", turn.number),)
    reason = f"promises a refund in “{words}”; no policy, prompt or result names that time"
    return Suggestion(it.at(turn.number, span=(length.start, length.end)), evidence, reason, False)
