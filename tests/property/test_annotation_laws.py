"""Laws of journals and anchors: what no interleaving, cut, undo or re-import may break."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as some

from reviewer.basics.errors import JournalError
from reviewer.marks.anchors import anchor, place, words
from reviewer.marks.events import DOINGS, Event, decode, encode
from reviewer.marks.ledger import Ledger, fold
from reviewer.transcripts.model import Message, Stored
from reviewer.transcripts.refs import Ref, parse
from tests import builders
from tests.builders import agent, customer

REF = "kimi/used-item-1/1"
PROOFS = [[], ["no cancel before #3"], [{"ref": f"{REF}#1:0-2", "digest": "d", "quote": "ab"}]]
WORDS = some.text(max_size=6)


@some.composite
def journals(draw: some.DrawFn) -> list[Event]:
    """Events of three reviewers about a few tags of two conversations, some of them about nothing."""
    numbers = draw(some.lists(some.integers(0, 40), unique=True, min_size=1, max_size=25))
    made = []
    for number in numbers:
        do = draw(some.sampled_from([*DOINGS, "adjudicate"]))
        named = f"{draw(some.integers(0, 40)):03}"
        ref = draw(some.sampled_from([REF, f"{REF}#1:0-2", "kimi/used-item-1/2"]))
        shapes: dict[str, dict[str, Any]] = {
            "tag": {"code": draw(some.sampled_from(["a", "b", ""])), "evidence": draw(some.sampled_from(PROOFS))},
            "edit": {"tag": named, "note": draw(WORDS), "exemplar": draw(some.booleans())},
            "attach": {"tag": named, "evidence": draw(some.sampled_from(PROOFS)), "instead": [f"{REF}#1:0-2"]},
            "detach": {"tag": named, "evidence": [f"{REF}#1:0-2"]},
            "untag": {"tag": named},
            "verdict": {"verdict": draw(some.sampled_from(["pass", "fail", ""]))},
            "reviewed": {"reviewed": draw(some.booleans())},
            "accept": {"finding": {"mode": "a", "claim": {"ref": REF}}},
            "reject": {"finding": {"mode": "a", "claim": {"ref": REF}}},
            "undo": {"undoes": [named]},
            "redo": {"redoes": [named]},
            "bring": {"brings": [named]},
            "codebook": {"was": "a", "now": "b"},
        }
        fields = shapes.get(do, {"what": draw(WORDS)})
        by = draw(some.sampled_from(["ann", "bob", "eve"]))
        made.append(Event(f"{number:03}", "2026-06-29", by, do, ref, "d", fields))
    return made


@given(journals(), some.randoms(use_true_random=False))
def test_the_fold_does_not_depend_on_how_reviewers_interleave(events: list[Event], chance: random.Random) -> None:
    mixed = [*events, *chance.choices(events, k=3)]
    chance.shuffle(mixed)
    one, other = Ledger(events), Ledger()
    for event in mixed:
        other.apply(event)
        other.state(REF)  # folding in between changes nothing
    for ref in (REF, "kimi/used-item-1/2"):
        assert one.state(ref) == other.state(ref) == fold(one.events(ref))


@given(journals())
def test_undo_after_any_act_restores_and_redo_brings_it_back(events: list[Event]) -> None:
    ordered = sorted(
        (event for event in events if event.do not in ("undo", "redo", "bring")), key=lambda event: event.id
    )
    for at, act in enumerate(ordered):
        before = Ledger(ordered[:at])
        undo = Event("900", "2026-06-29", act.by, "undo", act.ref, "", {"undoes": [act.id]})
        redo = Event("901", "2026-06-29", act.by, "redo", act.ref, "", {"redoes": [act.id]})
        after = Ledger(ordered[: at + 1])
        done = _said(after)
        after.apply(undo)
        assert _said(after) == _said(before)
        after.apply(redo)
        assert _said(after) == done


def _said(ledger: Ledger) -> list[object]:
    states = [ledger.state(ref) for ref in (REF, "kimi/used-item-1/2")]
    return [(state.tags, state.verdicts, state.reviewed, state.rejected) for state in states]


@given(journals(), some.data())
def test_any_truncation_loses_at_most_the_last_line(events: list[Event], data: some.DataObject) -> None:
    lines = [encode(event) for event in events]
    kept = b"".join(lines)[: data.draw(some.integers(0, sum(map(len, lines))))]
    whole = kept.count(b"\n")
    read = []
    for line in kept.splitlines():
        try:
            read.append(decode(line))
        except JournalError:
            assert line == kept.splitlines()[-1]
    assert read[:whole] == events[:whole]
    assert len(read) - whole in (0, 1)


@given(journals())
def test_a_line_reads_back_as_the_event_it_was(events: list[Event]) -> None:
    assert [decode(encode(event)) for event in events] == events


VOCABULARY = [
    "order",
    "cancelled",
    "delivered",
    "yesterday",
    "zurück",
    "已经取消",
    "</think>",
    "🧳",
    "the",
    "a\u0301",
    "\n",
    "#1130",
]


def _text(chance: random.Random, size: int = 40) -> str:
    return " ".join(chance.choices(VOCABULARY, k=chance.randint(5, size)))


def _edited(chance: random.Random, messages: tuple[Message, ...], spared: int) -> tuple[Message, ...]:
    """The same conversation with other messages changed, some appended."""
    changed = [
        m if n == spared or chance.random() < 0.5 else replace(m, text=_text(chance)) for n, m in enumerate(messages)
    ]
    return (*changed, *(agent(_text(chance)) for _ in range(chance.randint(0, 2))))


def _spans(chance: random.Random, wanted: int) -> list[tuple[Stored, Ref]]:
    found = []
    for number in range(wanted):
        messages = [customer(_text(chance)) if n % 2 else agent(_text(chance)) for n in range(chance.randint(1, 6))]
        stored = builders.stored(*messages, run=number + 1)
        at = chance.randrange(len(messages))
        start = chance.randrange(len(messages[at].text))
        span = (start, chance.randint(start + 1, len(messages[at].text)))
        found.append((stored, Ref(stored.ref, at + 1, span=span)))
    return found


def test_a_thousand_spans_survive_edits_elsewhere_and_drift_with_their_own_words() -> None:
    chance = random.Random(20260629)
    for stored, ref in _spans(chance, 1_000):
        made, messages, at = anchor(stored, ref), stored.conversation.messages, (ref.message or 1) - 1
        run = stored.conversation.run
        spared = builders.stored(*_edited(chance, messages, at), run=run)
        assert place(made, spared).state == "exact"
        assert words(spared, ref) == made.quote

        prefix = "Well… "
        longer = [replace(m, text=prefix + m.text) if n == at else m for n, m in enumerate(messages)]
        moved = place(made, builders.stored(*longer, run=run))
        assert moved.state == ("moved" if (prefix + messages[at].text).count(made.quote) == 1 else "drifted")

        own = [replace(m, text=m.text.replace(made.quote, "§")) if n == at else m for n, m in enumerate(messages)]
        assert place(made, builders.stored(*own, run=run)).state == "drifted"

        other = builders.stored(customer("§ " + _text(chance)), *messages[1:], run=run + 1 if run else 1)
        assert place(made, other).state == "elsewhere"
        under = builders.stored(
            customer("§"), agent("§"), customer("§"), agent("§"), customer("§"), agent("§"), run=run
        )
        assert place(made, under).state == ("drifted" if at == 0 else "elsewhere")


@settings(max_examples=25)
@given(some.integers(1, 9), some.integers(1, 9))
def test_a_reference_in_an_anchor_reads_back(message: int, call: int) -> None:
    ref = Ref(REF, message, call, "result", "/a b/c~1d")
    assert parse(str(ref)) == ref
