"""The tag card: what it says of a tag, by value, in as many lines as there is room for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.app.marking.tag_card import TagCard
from reviewer.marks.folder import SUPPORT
from reviewer.marks.review import Session
from reviewer.transcripts.model import Stored
from reviewer.transcripts.refs import Absence, Ref
from tests import builders, hostile
from tests.builders import agent, call, customer

STORED = builders.stored()
MODE = "invented-delivery-date"
RESULT = Ref(STORED.ref, 2, 1, "result")
SPOKEN = Ref(STORED.ref, 2, span=(50, 83))


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path / "annotations", "maria", "runs.db", SUPPORT)


def card(session: Session, stored: Stored = STORED, rows: int = 12, width: int = 80, *, plain: bool = False) -> str:
    """The card of the latest tag."""
    mark = max(session.marks(stored), key=lambda mark: mark.tag.id)
    printed = TagCard(mark, "Invented delivery date", stored, plain, 2, 3).lines(width, rows)
    return "\n".join("".join(text for text, _ in line).rstrip() for line in printed)


def test_a_tag_is_shown_as_people_say_it(session: Session) -> None:
    session.tag(
        STORED, MODE, Ref(STORED.ref, 1, span=(0, 26)), SPOKEN, note="ask\nthe desk", clause="out of nowhere",
        stance="clear", cause="believed the claim", exemplar=True,
        evidence=[RESULT.field("/status"), Ref(STORED.ref, 3), Ref(STORED.ref, 2, 2), Absence("confirmation", 2)],
    )  # fmt: skip
    assert card(session) == (
        "── Invented delivery date  maria · exemplar ────────────────────────── 2 of 3 ──\n"
        ' words     👤 #1 "Please cancel order #1130,"\n'
        '           🤖 #2 "It should be delivered yesterday."\n'
        " evidence  get_order #2.1 · status: in transit\n"
        '           customer #3 · "Wait, it was shipped already?"\n'
        "           cancel_order #2.2 · called\n"
        "           no confirmation before #2\n"
        " stance    clear · cause: believed the claim\n"
        " clause    out of nowhere\n"
        " note      ask\n"
        "           the desk"
    )


def test_what_has_no_room_is_named(session: Session) -> None:
    session.tag(STORED, MODE, SPOKEN, note="ask the desk", clause="out of nowhere", evidence=[RESULT.field("/status")])
    assert card(session, rows=4).splitlines()[1:] == [
        ' words     🤖 #2 "It should be delivered yesterday."',
        " evidence  get_order #2.1 · status: in transit",
        " 2 more    clause, note",
    ]
    assert card(session, rows=5).splitlines()[-1] == " note      ask the desk"


def test_a_long_text_takes_what_lines_there_are_and_then_is_cut(session: Session) -> None:
    long = builders.stored(customer("Hi."), agent("word " * 400))
    session.tag(long, MODE, Ref(long.ref, 2, span=(0, 1_900)), note="note " * 100)
    assert [len(card(session, long, rows).splitlines()) for rows in (3, 4, 6, 12)] == [3, 3, 5, 9]
    assert card(session, long, 12).splitlines()[4].endswith("…")
    assert max(map(len, card(session, long, 12).splitlines())) <= 80
    assert card(session, long, 12, plain=True).isascii()


def test_words_that_drifted_are_those_that_were_marked(session: Session) -> None:
    session.tag(STORED, MODE, SPOKEN, evidence=[RESULT.field("/status")])
    later = builders.stored(STORED.conversation.messages[0], agent("Soon."))
    assert card(session, later).splitlines() == [
        "── Invented delivery date  maria · drifted ─────────────────────────── 2 of 3 ──",
        ' words     #2:50-83 "It should be delivered yesterday."',
        " evidence  in transit (kimi/used-item-1/1#2.1.result/status)",
    ]


def test_a_whole_message_is_not_said_again(session: Session) -> None:
    session.tag(STORED, MODE, Ref(STORED.ref, 2))
    assert card(session).splitlines()[1:] == [" words     🤖 #2 the whole message"]


def test_a_conversation_and_a_case_are_meant_as_a_whole(session: Session) -> None:
    session.tag(STORED, MODE)
    assert " words     the whole conversation" in card(session)
    session.tag("kimi/used-item-1", MODE)
    assert " words     the case across its runs" in card(session)


def test_nothing_hostile_reaches_the_card(session: Session) -> None:
    evil = hostile.told(hostile.EVIL)
    stored = builders.stored(customer(evil), agent(evil, call(evil, '{"a":1}', evil), reasoning=evil))
    refs = [
        Ref(stored.ref, 1),
        Ref(stored.ref, 2, part="reasoning"),
        Ref(stored.ref, 2, 1),
        Ref(stored.ref, 2, 1, "result"),
    ]
    session.tag(stored, MODE, *refs, evidence=refs, note=evil, clause=evil, cause=evil)
    for plain in (False, True):
        said = card(session, stored, 40, plain=plain)
        assert not any(ord(sign) < 32 or 127 <= ord(sign) < 160 for sign in said if sign != "\n")
        assert not {"\u202e", "\u2066", "\u200b"} & set(said)


@pytest.mark.parametrize("raw", ["{'status': 'sent'}", '{"status":"sent"}'])
def test_words_picked_within_a_result_are_said_with_their_field(raw: str, session: Session) -> None:
    stored = builders.stored(customer("Hi"), agent("Sent.", call("look", "{}", raw)))
    at = raw.index("sent")
    for span in ((at - 1, at + 5), (at, at + 3)):
        session.tag(stored, MODE, Ref(stored.ref, 2), evidence=[replace(Ref(stored.ref, 2, 1, "result"), span=span)])
    assert " evidence  look #2.1 · status: sen" in card(session, stored)
