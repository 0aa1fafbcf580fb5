"""References: the one-line names of conversations, messages, calls, fields and spans.

    MODEL/CASE/RUN          a conversation            kimi-k2.7-code/cancel-before-ship-3/2
    MODEL/CASE              a case across its runs
    MODEL/ID                a conversation without case and run
    ...#4                   its fourth message        ...#4:10-44            characters of its text
    ...#4.reasoning:10-44   characters of its reasoning
    ...#4.2                 the second call of it     ...#4.2.result/status  a field, by JSON pointer
    ...#4.2.result:10-44    characters of the raw result; likewise `arguments`
    ...#judge.SCORER        what a judge noted on a score, or words of it; SCORER@JUDGE where the judge has a name
    no CLASS before #4      the stated absence of a call

Positions count from 1, characters are code points from 0 with the end left out. Pure text; whether something stands at
a reference is the store's to say.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal, NamedTuple, cast
from urllib.parse import unquote

from reviewer.basics.errors import RefError
from reviewer.basics.values import dataclass

# A pointer may hold anything, so it takes all that follows; a span stands alone at the end.
_PLACE = re.compile(
    r"(?P<message>[1-9]\d*)(?:\.(?P<call>[1-9]\d*))?(?:\.(?P<part>reasoning|arguments|result))?"
    r"(?:(?P<pointer>/.*)|:(?P<start>\d+)-(?P<end>\d+))?",
    re.DOTALL,
)
_JUDGED = re.compile(
    r"judge\.(?P<scorer>[^@:#\s]*)(?:@(?P<judge>[^@:#\s]*))?(?::(?P<start>\d+)-(?P<end>\d+))?", re.DOTALL
)
_ABSENCE = re.compile(r"no (?P<what>\S+) before #(?P<before>[1-9]\d*)")
_HINT = (
    "A place looks like #4, #4:10-44, #4.reasoning:0-9, #4.2, #4.2.result/status, #4.2.result:10-44 or #judge.SCORER."
)


Part = Literal["text", "reasoning", "arguments", "result"]


@dataclass(frozen=True, slots=True)
class Absence:
    """Evidence that something did not happen: no call of a class before a message."""

    what: str
    before: int


class NoteName(NamedTuple):
    """The name of a judge's note: which score it is about, and whose it is where that is said."""

    scorer: str
    judge: str = ""

    def __str__(self) -> str:
        by = f"@{_escaped(self.judge, '@:')}" if self.judge else ""
        return f"judge.{_escaped(self.scorer, '@:')}{by}"


@dataclass(frozen=True, slots=True)
class Ref:
    """A parsed reference: a conversation (or case) and, maybe, a place in it."""

    conversation: str
    message: int | None = None
    """From 1; 0 for what stands before all messages, a judge's note."""
    call: int | None = None
    part: Part = "text"
    pointer: str | None = None
    span: tuple[int, int] | None = None
    judge: NoteName | None = None

    def __str__(self) -> str:
        return self.conversation + self.place

    @property
    def place(self) -> str:
        """The part from `#` on; empty for a whole conversation."""
        if self.message is None:
            return ""
        call = f".{self.call}" if self.call is not None else ""
        part = f".{self.part}" if self.part != "text" else ""
        end = self.pointer if self.pointer is not None else f":{self.span[0]}-{self.span[1]}" if self.span else ""
        if self.judge is not None:
            return f"#{self.judge}{end}"
        return f"#{self.message}{call}{part}{end}"

    def at(
        self, message: int | None, call: int | None = None, part: Part = "text", span: tuple[int, int] | None = None
    ) -> Ref:
        """Another place in the same conversation."""
        return Ref(self.conversation, message, call, part, None, span)

    def field(self, pointer: str) -> Ref:
        """A field of this call's result or arguments."""
        return replace(self, pointer=pointer, span=None)


def judge_ref(conversation: str, note: NoteName, span: tuple[int, int] | None = None) -> Ref:
    """The reference of a judge's note, or of words of it."""
    return Ref(conversation, 0, span=span, judge=note)


def parse(text: str) -> Ref:
    """Read a reference; a sentence says what is wrong with one that does not parse."""
    conversation, mark, place = text.strip().partition("#")
    if not conversation or "/" not in conversation:
        raise RefError(f"“{text}” is not a reference.", "It looks like MODEL/CASE/RUN or MODEL/CASE/RUN#4.")
    return parse_place(place, conversation) if mark else Ref(conversation)


def parse_place(place: str, conversation: str) -> Ref:
    """Read what stands behind the `#`, for a conversation already known."""
    judged = _JUDGED.fullmatch(place)
    if judged is not None:
        note = NoteName(unquote(judged["scorer"]), unquote(judged["judge"] or ""))
        return judge_ref(conversation, note, _span(judged, place))
    match = _PLACE.fullmatch(place)
    if match is None:
        raise RefError(f"“#{place}” is not a place in a conversation.", _HINT)
    call, pointer = match["call"], match["pointer"]
    part = match["part"] or "text"
    of_call = part in ("arguments", "result")
    whole_call = call is not None and part == "text"
    if of_call != (call is not None) and not whole_call:
        raise RefError(f"“#{place}” is not a place in a conversation.", _HINT)
    if (pointer is not None and not of_call) or (whole_call and match["start"] is not None):
        raise RefError(f"“#{place}” is not a place in a conversation.", _HINT)
    return Ref(
        conversation,
        int(match["message"]),
        int(call) if call is not None else None,
        cast("Part", part),
        pointer,
        _span(match, place),
    )


def _span(match: re.Match[str], place: str) -> tuple[int, int] | None:
    if match["start"] is None:
        return None
    span = (int(match["start"]), int(match["end"]))
    if span[0] > span[1]:
        raise RefError(f"“#{place}” ends before it starts.", _HINT)
    return span


def parse_absence(text: str) -> Absence | None:
    """Read `no CLASS before #4`; None when the text is something else."""
    match = _ABSENCE.fullmatch(text.strip())
    return Absence(match["what"], int(match["before"])) if match else None


def absence_text(absence: Absence) -> str:
    """`no CLASS before #4`."""
    return f"no {absence.what} before #{absence.before}"


def _escaped(text: str, also: str) -> str:
    unsafe = re.compile(rf"[%#\s\x00-\x1f\x7f{also}]")
    return unsafe.sub(lambda m: "".join(f"%{byte:02X}" for byte in m[0].encode()), text)


def conversation_ref(model: str, case: str | None, run: int | None, key: str | None = None) -> str:
    """The reference of a conversation from what names it."""
    parts = [_escaped(model, "") or "unknown"]
    if case is not None:
        parts.append(_escaped(case, "/"))
        if run is not None:
            parts.append(str(run))
    else:
        parts.append(_escaped(key or "", "/"))
    return "/".join(parts)


def canonical(conversation: str) -> str:
    """A reference as this program writes it, from one in which more or less is percent-encoded."""
    return "/".join(_escaped(unquote(part), "/") for part in conversation.strip().split("/"))


def case_ref(model: str, case: str) -> str:
    """The reference of a case across a model's runs."""
    return conversation_ref(model, case, None)
