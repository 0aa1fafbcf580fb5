"""What is shown of others' work: in a drawn queue nothing before one's own review, whatever they said."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.marks import queues
from reviewer.marks.review import Session
from reviewer.transcripts.query import parse
from reviewer.transcripts.refs import Ref
from tests import builders

STORED = builders.stored()


@pytest.fixture
def mine(tmp_path: Path) -> Session:
    """A session that reads a drawn queue, in which a colleague and oneself have each tagged and judged."""
    folder = tmp_path / "annotations"
    for by, verdict in (("jo", "fail"), ("ann", "pass")):
        session = Session(folder, by, "runs.db")
        session.tag(STORED, session.codebook.active()[0].code, Ref(STORED.ref, 2))
        session.verdict(STORED, verdict)
    Session(folder, "jo", "runs.db").reviewed(STORED)
    queues.save(folder, queues.Queue("week", (STORED.ref,), "drawn"))
    session = Session(folder, "ann", "runs.db")
    session.sight.read(parse("queue:week"))
    return session


def said(session: Session) -> tuple[set[str], dict[str, str], set[str]]:
    """Whose tags, which verdicts and whose reviews are shown."""
    shown = session.shown(STORED.ref)
    return {tag.by for tag in shown.tags}, dict(shown.verdicts), set(shown.reviewed)


def test_nothing_that_others_said_is_shown_before_ones_own_review(mine: Session) -> None:
    assert said(mine) == ({"ann"}, {"ann": "pass"}, set())
    assert {mark.tag.by for mark in mine.marks(STORED)} == {"ann"}
    mine.reviewed(STORED)
    assert said(mine) == ({"ann", "jo"}, {"ann": "pass", "jo": "fail"}, {"ann", "jo"})
    assert {mark.tag.by for mark in mine.marks(STORED)} == {"ann", "jo"}


def test_others_off_hides_it_after_the_review_too(mine: Session) -> None:
    mine.reviewed(STORED)
    mine.sight.others = False
    assert said(mine) == ({"ann"}, {"ann": "pass"}, {"ann"})


def test_a_review_says_in_which_queue_and_what_was_shown(mine: Session) -> None:
    folder = mine.folder
    queues.save(folder, queues.Queue("Own pick", (STORED.ref,), "picked"))
    shown = {}
    for query in ("queue:week", "queue:*", "queue:own*", "tag:*"):
        mine.sight.read(parse(query))
        shown[query] = mine.sight.how(mine.state(STORED.ref))
    assert shown == {
        "queue:week": {"queue": "week", "suggestions": False, "others": False},
        "queue:*": {"queue": "week", "suggestions": False, "others": False},  # the one that gives rates counts
        "queue:own*": {"queue": "Own pick", "suggestions": False, "others": True},
        "tag:*": {"suggestions": False, "others": True},
    }


def test_out_of_the_queue_all_of_it_is_shown(mine: Session) -> None:
    mine.sight.read(parse("-queue:week"))
    assert said(mine) == ({"ann", "jo"}, {"ann": "pass", "jo": "fail"}, {"jo"})


def test_what_judges_said_is_hidden_until_ones_own_review_and_not_by_a_wish(mine: Session) -> None:
    assert not mine.sight.shows_judges(mine.state(STORED.ref))
    mine.reviewed(STORED)
    mine.sight.others = False
    assert mine.sight.shows_judges(mine.state(STORED.ref))
    mine.sight.read(parse("-queue:week"))
    assert mine.sight.shows_judges(mine.state("kimi/another/1"))
