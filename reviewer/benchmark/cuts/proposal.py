"""A case as it would be written, with all that a person needs to know to approve it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from reviewer.benchmark.cuts.case_text import case_text
from reviewer.benchmark.cuts.cut_points import calls_behind, expected_of
from reviewer.benchmark.cuts.disguise import ChangedText, Disguise, Pair
from reviewer.benchmark.cuts.known_names import KNOWN
from reviewer.benchmark.cuts.leftovers import Leftover, leftovers
from reviewer.benchmark.live.cut_cases import CutCase
from reviewer.benchmark.live.fork_point import PastPoint
from reviewer.transcripts import desk
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.digests import prefix_digest
from reviewer.transcripts.model import Case
from reviewer.transcripts.particulars.conversation import of_stored

_SLUG = re.compile(r"[^\w.@+-]+|^\.+")
_NAME = 80
_DIGITS = 8
_LONGEST = 300
"""What is longer is a text, and no particular."""
_MARKER = re.compile(r"(?<!#)#{2,5}[A-Z]{2,20}#{2,5}")
"""What a simulated customer writes when it is done."""
_YOU = re.compile(r"(?m)^[ \t]{0,9}(?:You are|Your name is)\b")
_AS_WANTED = "Who the text on what you want says you are."
_STYLE = "As in the messages that you have written so far."
_SYNTHETIC = "synthetic-past"
_WORDS = 2_000
"""Signs of the customer's own words that are told as what it wants."""


@dataclass(frozen=True)
class Proposal:
    """A case, the text of its file, and what was done to make it."""

    point: PastPoint
    case: CutCase
    text: str
    pairs: Sequence[tuple[Pair, int]]
    changes: Sequence[ChangedText]
    leftovers: Sequence[Leftover]

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{_SLUG.sub('-', self.case.id)[-_NAME:]}.toml"

    @property
    def to_fill_in(self) -> tuple[str, ...]:
        """What a person has to write before the case can be played."""
        told = {"persona": self.case.facts.persona, "goal": self.case.facts.goal}
        return tuple(name for name, text in told.items() if not text)


def proposed(point: PastPoint, keep: Collection[str] = (), also: Sequence[str] = ()) -> Proposal:
    """The case that goes on from a point; `keep` is left as it is, `also` is replaced though nothing tells it."""
    stored = point.stored
    known = (each for each in of_stored(stored, KNOWN) if len(each.text) <= _LONGEST)
    done = Disguise(stored, known, keep, also)
    facts = _facts(point, done)
    past = tuple(done.message(message, f"#{number}") for number, message in enumerate(point.past, start=1))
    later = tuple(each._replace(call=done.call(each.call, each.place)) for each in calls_behind(point))
    name = f"{facts.id}@{prefix_digest(past, None)[:_DIGITS]}"
    case = CutCase(
        replace(facts, id=name), None, _STYLE, {}, desk.kept(stored.desk).name, past, later, stored.conversation.clock
    )
    left = leftovers(stored, done)
    return Proposal(point, case, case_text(case), done.times.most_common(), done.changes, left)


def _facts(point: PastPoint, done: Disguise) -> Case:
    """What is known of the case, and what follows from what was done and said."""
    it, told = point.stored.conversation, point.stored.conversation.facts or Case("")
    expected = expected_of(point)
    must = expected == (outcome.HANDOVER,)
    order = next((order for order in _orders(point) if order), "")

    def changed(text: str | None, place: str) -> str | None:
        return done.text(text, place) if text else None

    opening = next((message.text for message in point.past if message.role == "customer"), "")
    return Case(
        id=done.text(it.case or "conversation", "id"),
        family=changed(told.family, "family") or "cut",
        bucket=told.bucket or ("must-escalate" if must else "resolvable"),
        forbidden=told.forbidden,
        expected=expected,
        lure=changed(told.lure, "lure"),
        labels=(*(done.text(label, "labels") for label in told.labels), *[_SYNTHETIC] * point.stored.synthetic),
        order={"number": done.text(order, "order")} if order else None,
        persona=changed(told.persona, "persona") or (_AS_WANTED if told.goal and _YOU.search(told.goal) else None),
        goal=changed(told.goal or _own_words(point), "goal"),
        language=told.language,
        opening=done.text(opening, "opening"),
        context=changed(told.context, "context"),
        extra={
            "resolves": done.text(str((told.extra or {}).get("resolves") or _resolves(point, expected)), "resolves")
        },
    )


def _orders(point: PastPoint) -> Iterator[str]:
    """The orders that calls name, those of what was done behind the cut first."""
    known = desk.kept(point.stored.desk)
    calls = [each.call for each in calls_behind(point) if each.is_act]
    calls += [call for message in point.past for call in message.calls]
    for call in calls:
        if order := outcome.order_of(call, known):
            hashed = f"#{order}" in (call.arguments or "")
            yield f"#{order}" if hashed else order


def _own_words(point: PastPoint) -> str:
    """What the customer wanted, in the words written before and after the cut."""
    spoken = [
        _MARKER.sub("", each.text).strip() for each in point.stored.conversation.messages if each.role == "customer"
    ]
    quoted = " ".join(f"“{text}”" for text in spoken if text)
    return f"What you want is what these messages of yours say: {quoted[:_WORDS]}" if quoted else ""


def _resolves(point: PastPoint, expected: Sequence[str]) -> str:
    """What settles the case, by what was done."""
    if expected == (outcome.HANDOVER,):
        return "Hands over to a person, as was done."
    if not expected:
        return "Settles it without a write and without a handover, as was done."
    acts = [each for each in calls_behind(point) if each.act in expected]
    said = "; ".join(f"{each.act} by {each.call.name}({(each.call.arguments or '')[:300]})" for each in acts)
    return f"Does what was done: {said}."
