"""Reads about what is promised or vouched for without a source: days of arrival, an address on file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reviewer.basics.sentences import Span
from reviewer.findings.reads.dates import Day, Length, days, lengths
from reviewer.findings.reads.dossier import Dossier, Evidence, Suggestion
from reviewer.findings.reads.moods import denied, mood
from reviewer.findings.reads.steps import Turn
from reviewer.transcripts.refs import Absence

_REACH = 70
"""Characters within which a day and the word for what comes then stand together."""
_COMES = re.compile(
    r"\b(?:arrives?|(?:be )?delivered|at your door|with you|have it|get it|reach(?:es)? you|ships?|shipped|leaves?"
    r"|receive (?:it|your|the (?:order|parcel|package|item|replacement))|dispatch(?:ed)?|hear (?:from|back)|(?:their"
    r"|a) (?:message|reply|answer)|gets? back to you|(?:write|writes|respond|responds|contact|contacts|reply"
    r"|replies) (?:to )?you)\b",
    re.IGNORECASE,
)
_COMES_ELSEWHERE = re.compile(
    r"\b(?:lleg(?:a|ará)|recib(?:es|irás|irá)|lo tendrás|lo tienes|tu (?:casa|puerta)|calcula|arriver(?:a|ez)|recevrez"
    r"|l['’]aurez|sera livrée?|comptez|votre porte|kommt|haben sie (?:sie|es|ihn)|sie haben (?:sie|es|ihn) (?=in\b"
    r"|bis\b|vor\b|am\b|morgen)|erhalten sie|bei ihnen|rechnen sie|(?:wird|werden)[^.!?\n]{0,30}zugestellt|arriv(?:a"
    r"|erà)|ricev(?:i|erai)|ce l['’]hai|conta|da te|cheg(?:a|ará)|receb(?:e|erá)|estará aí|conte|sua porta)\b"
    r"|会?收到|送到|送达|会到",
    re.IGNORECASE,
)
"""How it is said in other languages that something comes: the verb itself promises it."""
_ENGLISH = re.compile(r"\b(?:the|you|your|it will|is)\b", re.IGNORECASE)
_DENIED_ELSEWHERE = re.compile(
    r"\b(?:no (?:puedo|lo sé)|prefiero|je ne|ne (?:peux|voudrais)|nicht|non (?:posso|lo so)|preferisco|não|prefiro|si"
    r"|se|ob|wenn|falls|reembols\w*|rembours\w*|erstatt\w*|rückerstatt\w*|rimbors\w*|devol\w*|retour\w*|reso)\b|不|没有"
    r"|如果|退款",
    re.IGNORECASE,
)
_DEADLINE = re.compile(
    r"\b(?:tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|the (?:end of the week|weekend)|next week|fin de semana"
    r"|demain|week-end|morgen|wochenende|domani|fine settimana|amanhã|fim de semana)\b"
    r"|(?<!la )(?<!por )(?<!\w)mañana\b|明天|周末|(?:两三|[一二两三四五六七])天",
    re.IGNORECASE,
)
"""A day that no calendar names: a day of the week, tomorrow, the weekend."""
_ANSWERED = re.compile(
    r"\b(?:hears?|message|reply|replies|answers?|back to you|writes?|respon\w{1,5}|contacts?)\b", re.IGNORECASE
)
"""What a person does, and no parcel: a length of time that a policy names for parcels is not for this."""
_HINTS = (
    *("arriv", "deliver", "at your door", "with you", "have it", "get it", "reach", "ship", "leave", "receive"),
    *("dispatch", "hear ", "back to you", "write", "respond", "contact", "repl", "message", "answer"),
)

_WHEN = re.compile(
    r"\d|day|week|hour|month|tomorrow|mañana|semana|demain|morgen|wochenende|domani|settimana|amanhã|天|周末",
    re.IGNORECASE,
)
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
_SENT_THERE = re.compile(
    r"\b(?:please|could you|can you) (?:check|confirm|verify|update|provide)\b"
    r"|\bshow (?:it|this|that) to you\b|\b(?:to|so you can) confirm\b",
    re.IGNORECASE,
)
_ADDRESS_FIELD = re.compile(r"address|street|city|zip|postal", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Deadline:
    """A day that no calendar names, in a text."""

    start: int
    end: int


When = Day | Length | Deadline


def invented_eta(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire where the agent promises by when something comes, and nothing it was told or shown names that day or time.

    An opportunity is such a sentence, said of what will come. Abstain without a policy or prompt, on denials, doubts,
    conditions and questions, on flights, on refunds and returns, which are other reads', and on a length of time or a
    day of the week where a result gives a day of delivery from which it may be counted. Known to confuse: what a
    customer wants by a day and the agent only repeats.
    """
    if not it.known.policy:
        return
    for turn, spans in it.sentences:
        if not _may_promise(turn.text, it.lowered[turn.number]):
            continue
        for span in spans:
            for when in _promised(it, turn, span):
                if _known(it, turn, span, when):
                    yield None
                    continue
                if not isinstance(when, Day) and _day_to_come(it, turn):
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


def _may_promise(text: str, lowered: str) -> bool:
    """True if a message may promise by when something comes: it saves the search in most."""
    if any(hint in lowered for hint in _HINTS) and _WHEN.search(text):
        return True
    first = _ENGLISH.search(text)
    english = first is not None and _ENGLISH.search(text, first.end()) is not None
    return not english and _COMES_ELSEWHERE.search(text) is not None


def _promised(it: Dossier, turn: Turn, span: Span) -> Iterator[When]:
    """The days and lengths of time in a sentence that says by when something comes."""
    text = turn.text
    if not _WHEN.search(text, *span):
        return
    here = _COMES.search(text, *span)
    elsewhere = None if _ENGLISH.search(text, *span) else _COMES_ELSEWHERE.search(text, *span)
    if not here and not elsewhere:
        return
    whens: list[When] = [*lengths(text, *span), *days(text, *span, it.today_at(turn)), *_deadlines(text, span)]
    for when in whens:
        near = max(span[0], when.start - _REACH), min(span[1], when.end + _REACH)
        if _past(text, when):
            continue
        if here and _COMES.search(text, *near) and not _UNSURE.search(text, *near):
            if _AFTER.search(text[max(span[0], when.start - 30) : when.start]) and _meant(text, span, when):
                yield when
        elif elsewhere and _meant_elsewhere(text, span, when, near):
            yield when


def _deadlines(text: str, span: Span) -> Iterator[Deadline]:
    return (Deadline(*match.span()) for match in _DEADLINE.finditer(text, *span))


def _meant(text: str, span: Span, when: When) -> bool:
    near = text[max(span[0], when.start - _REACH) : when.start]
    will = _WILL.search(near)
    return will is not None and mood(text, span, when.start, when.end) in ("asserted", "future", "conditional")


def _day_to_come(it: Dossier, turn: Turn) -> bool:
    """True if a result gives a day of delivery that may lie ahead: a length of time may be counted from it."""
    place, today = it.known.parcels.latest_day(turn.number), it.today_at(turn)
    if place is None or today is None:
        return place is not None
    return any(
        not day.year or (day.year, day.month, day.day) >= today.timetuple()[:3] for day in days(place.field.value)
    )


def _meant_elsewhere(text: str, span: Span, when: When, near: Span) -> bool:
    """True if a sentence in another language promises that something comes then."""
    promised = _COMES_ELSEWHERE.search(text, *near) is not None and not _DENIED_ELSEWHERE.search(text, *near)
    return promised and mood(text, span, when.start, when.end) != "question"


def _past(text: str, when: When) -> bool:
    return text[when.end : when.end + 5].strip().startswith("ago")


def _known(it: Dossier, turn: Turn, span: Span, when: When) -> bool:
    """True if a source names that day or time; the time in which a person answers must be named for that."""
    if isinstance(when, Length):
        about = _ANSWERED if _ANSWERED.search(turn.text, *span) else None
        return it.known.allows(when, turn.number, about)
    if isinstance(when, Deadline):
        return turn.text[when.start : when.end].lower() in it.known.told_by(turn.number).lower()
    shown = it.known.parcels
    return any(shown.day(how, when, turn.number) for how in ("delivery", "order", "other")) or any(
        when.same(other) for other in it.known.days_told(turn.number)
    )


def _looked(it: Dossier, turn: Turn) -> tuple[Evidence, ...]:
    """The last result before a message: where the value would stand."""
    last = it.known.last_result(turn.number)
    return (it.at(last.message, last.position, "result"),) if last else (Absence("read", turn.number),)
