"""One record of somebody else's suggestions -> a finding, its words anchored as a tag's are.

Owns what a record may say: a reference with a quote or a span (or a transcript by what others call it, with the
messages that are cited), a mode, why, by whom, how sure. A quote that does not stand in the message that is named, or
stands there several times, costs no suggestion: it is put on the whole message, and that is said. Without a message it
has no place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from reviewer.basics.errors import RefError, SourceError
from reviewer.findings.finding_store import FindingSource
from reviewer.findings.reads import packages
from reviewer.findings.scans import case_of
from reviewer.marks import anchors
from reviewer.marks.codebook import Codebook
from reviewer.marks.review.quotes import place_of
from reviewer.transcripts.model import Anchor, Evidence, Finding, Stored
from reviewer.transcripts.refs import Ref, case_ref, parse, parse_absence, parse_place
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.transcript_names import TranscriptName, TranscriptNames

_SURE = {"true": True, "yes": True, "certain": True, "false": False, "no": False, "likely": False, "": False}
_HIGHEST = 2**31
_KEPT = 64
Record = Mapping[str, Any]


class AbsentTranscriptError(RefError):
    """A transcript that the store does not have: no fault of the record."""


@dataclass(frozen=True, slots=True)
class BroughtFinding:
    """What a record says: of which source, about which conversation or case, and the finding, if it holds one."""

    source: FindingSource
    about: str
    finding: Finding | None
    remark: str = ""
    """A sentence about what is not as the record has it."""


class FindingRecords:
    """Reads records about the conversations of one store; `by` is whose they are where none says so."""

    def __init__(self, reader: Reader, codebook: Codebook, by: str = "") -> None:
        self._reader, self._codebook, self._by = reader, codebook, by
        self._stored = lru_cache(_KEPT)(reader.stored)

    @cached_property
    def _names(self) -> TranscriptNames:
        return TranscriptNames(self._reader.path)

    def read(self, record: Record) -> BroughtFinding:
        """The finding that a record holds; a sentence where it holds none that can be kept."""
        source = self._source(record)
        place = self._place(record)
        stored = self._at(place)
        about = stored.ref if stored is not None else place.conversation
        if record.get("value") is False:  # it was looked at, and nothing was found
            return BroughtFinding(source, about, None)
        mode, reason, certain = self._mode(record), _text(record, "reason"), _certain(record)
        if record.get("confidence") is not None:
            reason = f"{reason.strip()} (confidence {_short(str(record['confidence']))})".strip()
        if stored is None:
            marks, remark = [self._of_case(place, record)], ""
        else:
            places, remark = _places(stored, place, record)
            marks = [anchors.anchor(stored, each) for each in places]
        claim = marks[0]
        evidence = (*marks[1:], *self._evidence(record, place.conversation))
        reason = reason.strip() or f"{source.name} says so"
        finding = Finding(source.name, source.version, mode, claim.digest, claim, evidence, reason, certain)
        return BroughtFinding(source, about, finding, remark)

    # -- the parts of a record -----------------------------------------------------------------------------------------

    def _source(self, record: Record) -> FindingSource:
        name = (_text(record, "by") or self._by or _text(record, "read")).strip()
        if not name:
            raise SourceError("it does not say whose it is.", "Give it a `by`, or name the source with --by.")
        if name in packages.known():
            raise SourceError(f"“{name}” is a read of this program.", "Call the source otherwise: `by`, or --by.")
        version = record.get("version", 1) if _text(record, "read") in ("", name) else 1  # the read's own
        if type(version) is not int or not 0 <= version < _HIGHEST:
            raise SourceError("its version is not a whole number.", "As in 2, where that is the second.")
        return FindingSource(name, version)

    def _place(self, record: Record) -> Ref:
        """The place that it names: the conversation or case, maybe a message or words of it."""
        transcript, claim = record.get("transcript"), record.get("claim")
        if isinstance(transcript, Mapping):
            name = TranscriptName(**transcript)
            rowid = self._names.find(name)
            if rowid is None:
                raise AbsentTranscriptError(f"transcript {name.id or name.case} is not in the store.")
            return Ref(self._stored(rowid).ref)
        at = record.get("at")
        if isinstance(at, Mapping):
            told = self._named(**at)
        else:
            told = _text(claim, "ref") if isinstance(claim, Mapping) else ""
        place = parse(told or _text(record, "ref"))
        number = record.get("message")
        if number is not None and place.message is None:
            place = replace(place, message=number)
        span = record.get("span")
        if span is None:
            return place
        if not isinstance(span, list) or len(span) != 2 or not all(type(each) is int and each >= 0 for each in span):
            raise SourceError("its span is not two numbers.", "As in [10, 44], the end left out.")
        if place.message is None or place.span is not None or place.pointer is not None or span[0] >= span[1]:
            raise RefError(f"a span from {span[0]} to {span[1]} says nothing at {place}.", "Name the message: #4.")
        return replace(place, span=(span[0], span[1]))

    def _named(self, names: Sequence[str], file: str = "", line: object = None, words: str = "") -> str:
        """The reference of the conversation that others name, with the place where one is named."""
        for name in names:
            with suppress(RefError):
                if self._reader.find(parse(name).conversation):
                    return name
        rowids = (self._names.find(TranscriptName(id=name)) for name in names)
        rowid = next((each for each in rowids if each is not None), None) or self._names.at(file, line)
        if rowid is None:
            named = next(iter(names), "")
            raise AbsentTranscriptError(
                f"{named}{f', line {line}' if line and named == file else ''} is not in the store."
                if named
                else "it names no transcript."
            )
        stored = self._stored(rowid)
        with suppress(RefError):
            return str(place_of(stored, Ref(stored.ref), words))
        return stored.ref

    def _at(self, place: Ref) -> Stored | None:
        """The conversation there; None for a case across its runs."""
        rowids = self._reader.find(place.conversation)
        if not rowids:
            raise RefError(f"nothing stands at {place.conversation}.")
        stored = self._stored(rowids[0])
        return stored if stored.ref == place.conversation else None

    def _of_case(self, place: Ref, record: Record) -> Anchor:
        runs = [self._stored(rowid) for rowid in self._reader.find(place.conversation)]
        runs = [run for run in runs if run.conversation.run is not None]
        if place.message is not None or record.get("quote"):
            raise RefError(
                f"{place.conversation} is a case; its words stand in its runs.", "Name one: MODEL/CASE/RUN#4."
            )
        if len(runs) < 2:
            raise RefError(f"{place.conversation} has one run alone.", "Name it: MODEL/CASE/RUN.")
        return Anchor(Ref(case_ref(runs[0].conversation.model, runs[0].conversation.case or "")), case_of(runs))

    def _mode(self, record: Record) -> str:
        mode = _text(record, "mode").strip()
        if not mode:
            raise SourceError("it names no mode.", "As in: phantom-action.")
        others = record.get("modes")
        for name in (*(others if isinstance(others, list) else ()), mode):
            known = self._codebook.named(name) if name else None
            if known is not None:
                return known.code
        return mode

    def _evidence(self, record: Record, conversation: str) -> Iterator[Evidence]:
        told = record.get("evidence", [])
        if not isinstance(told, list):
            raise SourceError("its evidence is not a list.", 'As in: ["#4.2.result/status", "no cancel before #4"].')
        for each in told:
            text, quote = (_text(each, "ref"), _text(each, "quote")) if isinstance(each, Mapping) else (each, "")
            if not isinstance(text, str):
                raise SourceError("its evidence is not text.", "As in: #4.2.result/status.")
            absence = parse_absence(text)
            if absence is not None:
                yield absence
                continue
            place = parse_place(text[1:], conversation) if text.startswith("#") else parse(text)
            stored = self._at(place)
            if stored is None:
                raise RefError(f"{place} is a case, which proves nothing by itself.", "Name a run.")
            yield anchors.anchor(stored, _placed(stored, place, quote)[0])


def _places(stored: Stored, place: Ref, record: Record) -> tuple[list[Ref], str]:
    """The place of the claim, those of other messages that are cited, and what is not as the record has it."""
    cited = record.get("messages")
    if isinstance(cited, list):
        located = [_located(stored, **each) for each in cited]
        places = sorted((each[0] for each in located if len(each) == 1), key=lambda each: not _is_agents(stored, each))
        lost = record.get("lost", 0) + sum(not each for each in located)
        several = sum(len(each) > 1 for each in located)
        remarks = [
            f"{lost} of the messages that it cites are not those of {stored.ref}." if lost else "",
            f"{several} of the messages that it cites stand several times in {stored.ref}." if several else "",
        ]
        return places or [place], " ".join(filter(None, remarks))
    claim = record.get("claim")
    quote = _text(record, "quote") or (_text(claim, "quote") if isinstance(claim, Mapping) else "")
    at, remark = _placed(stored, place, quote)
    return [at], remark


def _is_agents(stored: Stored, place: Ref) -> bool:
    return place.call is None and anchors.message_at(stored, place).role == "agent"


def _placed(stored: Stored, place: Ref, quote: str) -> tuple[Ref, str]:
    """The words of a quote at or under a place; where they are not to be told there, the item, and a sentence."""
    if not quote:
        return place, ""
    if place.span is not None or place.pointer is not None:
        if anchors.words(stored, place) != quote:
            raise RefError(f"“{_short(quote)}” is not what stands at {place}.", "Leave one of the two out.")
        return place, ""
    try:
        return place_of(stored, place, quote), ""
    except RefError as error:
        if place.message is None:
            raise
        message = error.message.replace(quote, _short(quote))
        return place, f"{message[:-1]}; it is put on the whole of it."


def _located(stored: Stored, role: str, text: str, nth: int) -> list[Ref]:
    """The message that says this, or the result of a call: the nth of its kind, else each that does."""
    if role == "tool":
        places = [
            (Ref(stored.ref, number, index, "result"), call.result or call.error or "")
            for number, message in enumerate(stored.conversation.messages, start=1)
            for index, call in enumerate(message.calls, start=1)
        ]
    else:
        places = [
            (Ref(stored.ref, number), message.text)
            for number, message in enumerate(stored.conversation.messages, start=1)
            if message.role == role
        ]
    if 0 < nth <= len(places) and places[nth - 1][1] == text:
        return [places[nth - 1][0]]
    return [ref for ref, said in places if said == text]


def _certain(record: Record) -> bool:
    told = record.get("certain", False)
    sure = told if isinstance(told, bool) else _SURE.get(told.strip().lower()) if isinstance(told, str) else None
    if sure is None:
        raise SourceError("it is neither certain nor not.", "As in: true, or false.")
    return sure


def _text(record: Any, name: str) -> str:
    """A text of a record, empty where it has none; a sentence for what is no text or holds half a character."""
    value = record.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise SourceError(f"its {name} is not text.", "")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise SourceError(f"its {name} holds half a character.", "Write it again as UTF-8.")
    return value


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:60]}…"
