"""Where a query meets the reviewers: words in their notes, and what completion knows of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.findings.known_values import ReviewVocabulary
from reviewer.findings.questions import asked
from reviewer.marks.folder import SUPPORT
from reviewer.marks.review import Session
from reviewer.marks.review.note_search import in_notes
from reviewer.transcripts.query import parse
from reviewer.transcripts.query.completion import complete
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.reader import Reader
from tests import builders
from tests.builders import conversation
from tests.forked import run
from tests.unit.test_cli import objects

NOTE = "Refund promised; ask the desk. Refund again?"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with two conversations; there is a note on the second message of one of them."""
    path = builders.store(tmp_path, conversation(model="kimi"), conversation(model="gpt"))
    session = Session(tmp_path / "annotations", "ana", path.name, SUPPORT)
    with Reader(path) as reader:
        stored = reader.stored(reader.find("kimi/used-item-1/1")[0])
    session.tag(stored, "invented-delivery-date", Ref(stored.ref, 2, span=(63, 82)), note=NOTE, stance="clear")
    return path


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("refund", True),
        ('"ask the desk"', True),
        ("refund desk", True),
        ("refund absent", False),
        ("refund -desk", False),
        ("refund model:kimi", True),
        ("refund model:gpt", False),
        ("refund role:agent", False),
        ("refund in:text", False),
    ],
)
def test_notes_are_searched_each_for_itself(path: Path, query: str, found: bool) -> None:
    session = Session(path.parent / "annotations", "ana", path.name)
    with Reader(path) as reader:
        hits = list(in_notes(reader, parse(query).selection, session.book.ledger))
    assert [(hit.ref, hit.message, hit.where) for hit in hits] == [("kimi/used-item-1/1#2:63-82", 2, "note")] * found
    for hit in hits:
        assert hit.snippet[hit.start : hit.end].lower() in query


def test_notes_about_what_is_not_in_the_store_are_left_out(path: Path, tmp_path: Path) -> None:
    other = builders.store(tmp_path, conversation(model="other"), name="other.db")
    session = Session(path.parent / "annotations", "ana", path.name)
    with Reader(other) as reader:
        assert not list(in_notes(reader, parse("refund").selection, session.book.ledger))


def test_the_command_finds_notes_behind_the_transcripts(path: Path) -> None:
    (hit,) = objects(run("search", path, "promised", "--json").stdout)
    assert (hit["where"], hit["ref"], hit["count"]) == ("note", "kimi/used-item-1/1#2:63-82", 1)
    assert "(note)  Refund promised" in run("search", path, "promised").stdout
    assert run("search", path, "promised", "tag:none").stdout == ""


def test_completion_knows_tags_and_reviewers_too(path: Path) -> None:
    session = Session(path.parent / "annotations", "ana", path.name)
    with Reader(path) as reader:
        known = ReviewVocabulary(reader, session)

        def offered(typed: str) -> list[str]:
            return [each.text for each in complete(typed, len(typed), known)]

        assert "invented-delivery-date" in offered("tag:inv")
        assert offered("by:") == ["ana"]
        assert offered("stance:C") == ["clear"]
        assert offered("verdict:f") == ["fail"]
        assert offered("queue:") == []
        assert offered("model:k") == ["kimi"]
        assert offered("score.") == []


def test_a_question_is_answered_from_the_marks_as_they_stood(path: Path) -> None:
    """A thread answers it while somebody goes on to tag: nothing that comes in meanwhile may be met half-way."""
    session = Session(path.parent / "annotations", "ana", path.name)
    with Reader(path) as reader:
        question, ranks = asked(parse("tag:invented-delivery-date"), lambda: session), session.ranks()
        walk = question.ledger.conversations()
        next(walk)
        other = reader.stored(reader.find("gpt/used-item-1/1")[0])
        session.tag(other, "invented-delivery-date", Ref(other.ref, 2))
        assert list(walk) == []
        assert reader.count(question.selection(reader)) == 1
        assert ranks.by("tags") == {"kimi/used-item-1/1": 1}
        assert ranks.by("unread") == {"kimi/used-item-1/1": 0}
        session.reviewed(other)
        assert session.ranks().by("unread") == {"kimi/used-item-1/1": 0, "gpt/used-item-1/1": 1}
        assert reader.count(asked(parse("tag:invented-delivery-date"), lambda: session).selection(reader)) == 2


def test_a_question_about_no_review_reads_no_journal(path: Path) -> None:
    def begin() -> Session:
        raise AssertionError("the journals were read")

    with Reader(path) as reader:
        assert reader.count(asked(parse("model:kimi"), begin).selection(reader)) == 1


@pytest.mark.parametrize("name", ["invented-delivery-date", "made-up-day"])
def test_a_mode_is_found_by_what_it_was_and_is_called(name: str, path: Path) -> None:
    session = Session(path.parent / "annotations", "ana", path.name)
    session.recode(lambda modes: modes.rename("invented-delivery-date", "Made-up day"))
    with Reader(path) as reader:
        assert reader.count(asked(parse(f"tag:{name}"), lambda: session).selection(reader)) == 1
        assert reader.count(asked(parse("tag:phantom-action"), lambda: session).selection(reader)) == 0
