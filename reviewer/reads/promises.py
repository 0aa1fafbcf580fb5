"""Reads about what is promised or vouched for without a source: days of arrival, an address on file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewer.reads.dates import Day, Length, days, lengths
from reviewer.reads.dossier import Dossier, Evidence, Suggestion
from reviewer.reads.moods import denied, mood
from reviewer.reads.steps import Turn
from reviewer.refs import Absence
from reviewer.text.sentences import Span

_REACH = 70
"""Characters within which a day and the word for what comes then stand together."""
_COMES = re.compile(
    r"\b(?:arrives?|(?:be )?delivered|at your door|with you|have it|get it|reach(?:es)? you|ships?|shipped|leaves?"
    r"|receive (?:it|your|the (?:order|parcel|package|item|replacement))|dispatch(?:ed)?|hear (?:from|back)"
    r"|(?:their|a) (?:message|reply|answer)|gets? back to you"
    r"|(?:write|writes|respond|responds|contact|contacts|reply|replies) (?:to )?you)\b",
    re.IGNORECASE,
)
_HINTS = (
    *("arriv", "deliver", "at your door", "with you", "have it", "get it", "reach", "ship", "leave", "receive"),
    *("dispatch", "hear ", "back to you", "write", "respond", "contact", "repl", "message", "answer"),
)

_WHEN = re.compile(r"\d|day|week|hour|month|today|tomorrow|yesterday", re.IGNORECASE)
_AFTER = re.compile(
    r"\b(?:by|within|in|before|until|on|at the latest|next|back to you|in touch)\b[^.!?\n]{0,12}$", re.IGNORECASE
)
_WILL = re.compile(r"\b(?:will|should|expect|going to|(?:gets?|writes?) (?:back )?to you)\b|['’]ll\b", re.IGNORECASE)
_UNSURE = re.compile(
    r"\b(?:can(?:no|['’])t|cannot|whether|don['’]t know|not sure|no promise|even if|guarantee|refund|return|processing"
    r"|if|once|as soon as|flights?|available)\b",
    re.IGNORECASE,
)
_ON_FILE = re.compile(
    r"(?<!mail )\b(?:(?:the |your )?(?:verified |current |correct )?(?:shipping |delivery )?(?<!mail )address"
    r" (?:that )?(?:we have |you have )?(?:on (?:file|record|your account)|we have)|verified address)\b",
    re.IGNORECASE,
)
_SENT_THERE = re.compile(r"\b(?:please|could you|can you) (?:check|confirm|verify|update|provide)\b", re.IGNORECASE)
_ADDRESS_FIELD = re.compile(r"address|street|city|zip|postal", re.IGNORECASE)


def invented_eta(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire where the agent promises by when something comes, and nothing it was told or shown names that day or time.

    An opportunity is such a sentence, said of what will come. Abstain without a policy or prompt, on denials, doubts,
    conditions and questions, on flights, and on refunds and returns, which are other reads'. Known to confuse: what a
    customer wants by a day and the agent only repeats.
    """
    if not it.known.policy:
        return
    for turn, spans in it.sentences:
        if not any(hint in it.lowered[turn.number] for hint in _HINTS):
            continue
        for span in spans:
            for when in _promised(it, turn, span):
                if _known(it, turn, when):
                    yield None
                    continue
                words = " ".join(turn.text[when.start : when.end].split())
                place = it.at(turn.number, span=(when.start, when.end))
                yield Suggestion(
                    place, _looked(it, turn), f"promises “{words}”; nothing told or returned names it", False
                )


def unverified_address_on_file(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire where the agent vouches for an address on file, and no result so far carried one.

    An opportunity is such a sentence, said as a fact. Abstain on denials, questions and requests to check it elsewhere.
    """
    for turn, spans in it.sentences:
        if "address" not in it.lowered[turn.number]:
            continue
        for span in spans:
            match = _ON_FILE.search(turn.text, *span)
            if match is None or not _vouched(turn.text, span, match.span()):
                continue
            if it.known.shows(_ADDRESS_FIELD, turn.number):
                yield None
            else:
                words = " ".join(match[0].split())
                reason = f"speaks of “{words}”, and no result so far holds an address"
                yield Suggestion(it.at(turn.number, span=match.span()), _looked(it, turn), reason, False)


def _vouched(text: str, span: Span, words: Span) -> bool:
    start, end = max(span[0], words[0] - 2 * _REACH), min(span[1], words[1] + 2 * _REACH)
    if denied(text[start:end]) or _SENT_THERE.search(text, start, end):
        return False
    return mood(text, span, *words) in ("asserted", "future")


def _promised(it: Dossier, turn: Turn, span: Span) -> Iterator[Day | Length]:
    """The days and lengths of time in a sentence that says by when something comes."""
    text = turn.text
    if not _WHEN.search(text, *span) or not _COMES.search(text, *span):
        return
    whens: list[Day | Length] = [*lengths(text, *span), *days(text, *span, it.today_at(turn))]
    for when in whens:
        near = max(span[0], when.start - _REACH), min(span[1], when.end + _REACH)
        if not _COMES.search(text, *near) or _UNSURE.search(text, *near) or _past(text, when):
            continue
        if _AFTER.search(text[max(span[0], when.start - 30) : when.start]) and _meant(text, span, when):
            yield when


def _meant(text: str, span: Span, when: Day | Length) -> bool:
    near = text[max(span[0], when.start - _REACH) : when.start]
    will = _WILL.search(near)
    return will is not None and mood(text, span, when.start, when.end) in ("asserted", "future", "conditional")


def _past(text: str, when: Day | Length) -> bool:
    return text[when.end : when.end + 5].strip().startswith("ago")


def _known(it: Dossier, turn: Turn, when: Day | Length) -> bool:
    if isinstance(when, Length):
        return it.known.allows(when, turn.number)
    shown = it.known.parcels
    return any(shown.day(how, when, turn.number) for how in ("delivery", "order", "other")) or any(
        when.same(other) for other in it.known.policy_days
    )


def _looked(it: Dossier, turn: Turn) -> tuple[Evidence, ...]:
    """The last result before a message: where the value would stand."""
    last = it.known.last_result(turn.number)
    return (it.at(last.message, last.position, "result"),) if last else (Absence("read", turn.number),)
