"""What came of a conversation: the acts that succeeded, those that were only attempted, how it ended. Pure.

Owns what counts as an act (a write or a handover by the agent, as the desk classes its tools), which acts succeeded,
when two conversations have the same outcome, and the first act in which they differ. Only the agent's own calls count:
a colleague's acts after a handover are not the model's, and a result without a call is no act. A forbidden act counts
by intent, whether it succeeded or not. Where the desk demands confirmation, a write before the agent had said anything
differs from one that may have been asked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any, NamedTuple

from reviewer.transcripts import desk
from reviewer.transcripts.desk import Desk
from reviewer.transcripts.desk.call_results import arguments_of, failed, parsed
from reviewer.transcripts.model import Conversation, Message, QueueRow, Stored, ToolCall

HANDOVER = "handover"
_BROKEN = ("error", "cut")
_FREE_TEXT = frozenset(
    ("reason", "reasons", "note", "notes", "comment", "comments", "message", "summary", "explanation", "justification")
)
"""Arguments that hold free text, by the last word of their name: two runs never word these alike."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_LETTERS = 26
_KEPT_ACT = re.compile(r"(!?)(?<![a-z0-9-])([a-z][a-z0-9-]*+)=([0-9a-f]*+)(~?)")


class Act(NamedTuple):
    """A write or a handover, with its message and call if these are known."""

    what: str
    """The write class, or `handover`."""
    forbidden: bool = False
    failed: bool = False
    """Whether the tool refused or failed: then the act was only attempted."""
    order: str = ""
    """The order it was about, as the call names it."""
    message: int = 0
    call: int = 0
    silent: bool = False
    """Whether the desk demands confirmation for it, and the agent had said nothing to the customer before."""
    key: str = ""
    """A digest of the arguments that matter: equal for two acts with equal arguments; empty for a handover."""


class Outcome(NamedTuple):
    """The outcome of one conversation: the agent's acts, and which of them the case forbids."""

    acts: tuple[Act, ...] = ()
    ended_by: str | None = None
    error: str | None = None
    errors: int = 0
    """Calls that failed, reads included."""
    messages: int = 0

    @property
    def writes(self) -> tuple[str, ...]:
        """The classes of the writes that succeeded, in the order of their first act."""
        return tuple(dict.fromkeys(act.what for act in self.acts if act.what != HANDOVER and not act.failed))

    @property
    def attempted(self) -> tuple[str, ...]:
        """The classes of acts that were attempted, never with success, in the order of the first attempt."""
        done = {act.what for act in self.acts if not act.failed}
        return tuple(dict.fromkeys(act.what for act in self.acts if act.what not in done))

    @property
    def handover(self) -> bool:
        """True if the agent handed over to a person."""
        return any(act.what == HANDOVER and not act.failed for act in self.acts)

    @property
    def forbidden(self) -> tuple[str, ...]:
        """The classes of the acts that the case forbids, succeeded or attempted."""
        return tuple(dict.fromkeys(act.what for act in self.acts if act.forbidden))

    @property
    def silent(self) -> bool:
        """True if the agent wrote without having said a word before, though the desk demands confirmation."""
        return any(act.silent for act in self.acts)

    @property
    def broken(self) -> bool:
        """True if it broke off with an error or never began."""
        return not self.messages or self.error is not None or self.ended_by in _BROKEN

    @property
    def counted(self) -> tuple[Act, ...]:
        """The acts by which outcomes are compared: those that succeeded, and forbidden ones whatever came of them."""
        return tuple(act for act in self.acts if act.forbidden or not act.failed)

    @property
    def done(self) -> tuple[tuple[str, str], ...]:
        """The writes that succeeded, in order, each with the digest of the arguments that matter."""
        return tuple((act.what, act.key) for act in self.acts if act.what != HANDOVER and not act.failed)

    @property
    def same(self) -> tuple[bool, tuple[tuple[str, str], ...], frozenset[str]]:
        """A key that is equal for equal outcomes: handed over or not, successful writes in order, forbidden acts."""
        return self.handover, self.done, frozenset(self.forbidden)

    @property
    def manner(self) -> tuple[bool, tuple[tuple[str, str], ...], frozenset[str], bool]:
        """A key that is equal for equal outcomes that came about alike: asked before the writes, or not."""
        return *self.same, self.silent


def of_row(row: QueueRow) -> Outcome:
    """The outcome as far as a row of the queue shows it: all acts, but not their places or orders."""
    return Outcome(tuple(_read_acts(row.acts, row.forbidden)), row.ended_by, row.error, row.errors, row.messages)


def of_stored(stored: Stored) -> Outcome:
    """The outcome of a whole conversation."""
    conversation, known = stored.conversation, desk.kept(stored.desk)
    forbidden = conversation.facts.forbidden if conversation.facts else ()
    agents = [
        (number, index, call)
        for number, message in enumerate(conversation.messages, start=1)
        for index, call in enumerate(message.calls, start=1)
        if message.role == "agent" and not call.orphan
    ]
    first = next((number for number, each in enumerate(conversation.messages, start=1) if speaks(each)), None)
    acts = tuple(
        act_of(call, known, forbidden, number, index, spoken=first is not None and first < number)
        for number, index, call in agents
        if known.act(call.name) is not None
    )
    calls = (call for message in conversation.messages for call in message.calls if not call.orphan)
    errors = sum(failed(call, known.refusals) for call in calls)
    return Outcome(acts, conversation.ended_by, conversation.error, errors, len(conversation.messages))


def act_of(
    call: ToolCall, known: Desk, forbidden: Sequence[str] = (), message: int = 0, index: int = 0, *, spoken: bool
) -> Act:
    """The act that a call of a classed tool is; `spoken` tells whether the agent had said anything before."""
    what = known.act(call.name) or ""
    return Act(
        what,
        what in forbidden,
        failed(call, known.refusals),
        order_of(call, known),
        message,
        index,
        bool(known.confirm) and what != HANDOVER and not spoken,
        "" if what == HANDOVER else argument_digest(call, known),
    )


def kept_acts(acts: Iterable[Act]) -> str:
    """Acts as a store keeps them, in order: ` cancel=1a2b !refund=3c4d~ `; `!` for attempted, `~` for silent ones."""
    tokens = (f"{'!' * act.failed}{act.what}={act.key}{'~' * act.silent} " for act in acts)
    return " " + "".join(tokens)


def kept_outcome(acts: Sequence[Act]) -> str:
    """What two conversations must share to have the same outcome, but for forbidden acts, as a store keeps it."""
    outcome = Outcome(tuple(acts))
    return kept_acts([*(Act(what, key=key) for what, key in outcome.done), *[Act(HANDOVER)] * outcome.handover])


def _read_acts(kept: str, forbidden: Sequence[str]) -> Iterator[Act]:
    for attempted, what, key, silent in _KEPT_ACT.findall(kept):
        yield Act(what, what in forbidden, bool(attempted), silent=bool(silent), key=key)


def argument_digest(call: ToolCall, known: Desk) -> str:
    """Twelve hexadecimal digits that are equal for two calls whose arguments that matter are equal.

    These are the arguments that the desk lists in `compare`, else all but free text. Empty ones count as absent, `1`
    and `"1"` as equal, `#1130` and `1130` too. Lists of equal length are compared as rows, in any order of the rows.
    """
    import hashlib  # the app starts without it

    text = (call.arguments or "").strip()
    if (given := arguments_of(call)) is not None:
        with suppress(RecursionError):  # nested deeper than Python goes: then the text is compared as it is
            text = _comparable(given, known.compared(call.name))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _comparable(given: Any, names: Sequence[str] | None) -> str:
    if names is None:
        names = [name for name in given if "".join(_WORD.findall(name)[-1:]).lower() not in _FREE_TEXT]
    values = {name: _plain(given[name]) for name in names if name in given}
    columns = {name: value for name, value in values.items() if isinstance(value, list) and len(value) > 1}
    if len({len(value) for value in columns.values()}) == 1:
        rows = sorted(zip(*columns.values(), strict=True), key=json.dumps)
        values |= {name: list(column) for name, column in zip(columns, zip(*rows, strict=True), strict=True)}
    return json.dumps({name: value for name, value in values.items() if value not in ("", [], {})}, sort_keys=True)


def _plain(value: Any) -> Any:
    """A value in the one form in which values are compared."""
    if isinstance(value, str) and value[:1] in ("[", "{"):
        inner = parsed(value)
        value = inner if isinstance(inner, list | dict) else value
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip().lstrip("#")


def speaks(message: Message) -> bool:
    """True if the agent says something in it, be it only a word."""
    return message.role == "agent" and message.text != "" and not message.text.isspace()


def flips(outcomes: Iterable[Outcome]) -> bool:
    """True if these outcomes differ; conversations that broke off or never began do not count."""
    return len({outcome.same for outcome in _whole(outcomes)}) > 1


def alike(outcomes: Iterable[Outcome]) -> bool:
    """True if these outcomes are the same and came about in one manner: where one run asked first, all did."""
    return len({outcome.manner for outcome in _whole(outcomes)}) < 2


def _whole(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    return (outcome for outcome in outcomes if not outcome.broken or outcome.acts)


def described(outcomes: Sequence[Outcome]) -> list[str]:
    """The acts of each outcome in words, so that those of different outcomes read differently.

    An act that was done with different arguments gets a letter for each: `cancel A`, `cancel B`.
    """
    letters: dict[str, dict[str, str]] = {}
    for end in outcomes:
        for what, key in end.done:
            known = letters.setdefault(what, {})
            known.setdefault(key, chr(ord("A") + len(known)) if len(known) < _LETTERS else f"Z{len(known)}")
    return [_described(end, letters) for end in outcomes]


def _described(end: Outcome, letters: Mapping[str, Mapping[str, str]]) -> str:
    words = []
    for (what, key), group in groupby(end.done):
        letter = f" {letters[what][key]}" if len(letters[what]) > 1 else ""
        words.append((what, f"{what}{letter}{f' ×{times}' if (times := len(list(group))) > 1 else ''}"))
    words += [(HANDOVER, HANDOVER)] * end.handover + [(what, f"attempted {what}") for what in end.attempted]
    return ", ".join(f"{text} (forbidden)" if what in end.forbidden else text for what, text in words)


def parting(outcomes: Sequence[Outcome]) -> int | None:
    """The index of the first counted act in which these differ; None if all did the same in the same order."""
    for index in range(max((len(outcome.counted) for outcome in outcomes), default=0)):
        here = [outcome.counted[index] if index < len(outcome.counted) else None for outcome in outcomes]
        if len({act and (act.what, act.silent, act.failed, act.key) for act in here}) > 1:
            return index
    return None


def place_of(conversation: Conversation, outcome: Outcome, act: int, turns: int) -> tuple[int, int | None]:
    """The message and call of a counted act; for a missing one, the agent's message so many turns after that before."""
    acts = outcome.counted
    if act < len(acts):
        return acts[act].message, acts[act].call
    before = acts[act - 1].message if 0 < act <= len(acts) else 0
    speaks = _agents(conversation, before, len(conversation.messages))
    if not speaks:
        return len(conversation.messages), None
    return speaks[min(max(turns, 1), len(speaks)) - 1], None


def turns_to(conversation: Conversation, outcome: Outcome, act: int) -> int:
    """The number of the agent's messages from the act before up to and including this one."""
    before = outcome.counted[act - 1].message if act else 0
    return len(_agents(conversation, before, outcome.counted[act].message))


def _agents(conversation: Conversation, after: int, until: int) -> list[int]:
    """The numbers of the agent's messages after one message and up to another."""
    return [number for number in range(after + 1, until + 1) if conversation.messages[number - 1].role == "agent"]


def order_of(call: ToolCall, known: Desk) -> str:
    """Return the order that a call is about, without its `#`; empty where the desk names no argument for it."""
    argument = known.order_argument(call.name)
    given = arguments_of(call) if argument is not None else None
    value = given.get(argument) if given is not None and argument is not None else None
    return str(value).strip().lstrip("#") if isinstance(value, str | int) else ""
