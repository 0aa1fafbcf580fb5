"""The projection: the same as reading the journals, quicker; and thrown away on any doubt."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection
from contextlib import closing
from pathlib import Path

import pytest

from reviewer.basics.errors import StoreError
from reviewer.marks import past
from reviewer.marks.book import Book
from reviewer.marks.events import Event, encode
from reviewer.marks.folder import SUPPORT
from reviewer.marks.review import Session
from reviewer.marks.review.pen import Pen
from reviewer.marks.review.recall import opened
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.neighbours import neighbour
from reviewer.transcripts.store.projection import Projection
from tests import builders

RUNS = [builders.stored(run=number) for number in range(1, 6)]
MODE = "invented-delivery-date"


def marked(folder: Path) -> None:
    """Two reviewers' marks on five conversations."""
    for by in ("ann", "bob"):
        session = Session(folder, by, "runs.db", SUPPORT)
        for stored in RUNS:
            tag = session.tag(stored, MODE, Ref(stored.ref, 2, span=(63, 82)), note=f"by {by}").tag
            assert tag is not None
            session.attach(stored, tag, Ref(stored.ref, 2, 1, "result"))
            session.edit(tag, stance="clear", exemplar=by == "bob")
        session.verdict(RUNS[0], "fail")
        session.reviewed(RUNS[3], queue="q", seen=2, of=4)
        session.reviewed(RUNS[1], queue="q")
        session.undo()
        session.tag("kimi/used-item-1", "flips-across-runs")


def indexed(tmp_path: Path) -> Book:
    return Book(tmp_path / "annotations", Projection(tmp_path / "cache.db"), settled_from=0)


def same(book: Book, plain: Book) -> None:
    ledger = plain.ledger
    assert sorted(book.ledger.conversations()) == sorted(ledger.conversations())
    for ref in ledger.conversations():
        assert book.ledger.state(ref) == ledger.state(ref)
        brief, state = book.ledger.brief(ref), ledger.state(ref)
        assert [(tag.by, tag.code, tag.note, tag.stance, tag.exemplar, bool(tag.digest)) for tag in brief.tags] == [
            (tag.by, tag.code, tag.note, tag.stance, tag.exemplar, bool(tag.digest)) for tag in state.tags
        ]
        assert (brief.verdicts, brief.reviewed) == (state.verdicts, state.reviewed)
    assert dict(book.ledger.briefs()) == {ref: book.ledger.brief(ref) for ref in ledger.conversations()}
    assert dict(ledger.briefs()) == {ref: ledger.state(ref) for ref in ledger.conversations()}
    counted = {by: counts for by, counts in book.counts().items() if any(counts)}
    assert counted == {by: counts for by, counts in plain.counts().items() if any(counts)}
    for by in ("ann", "bob"):
        assert list(book.ledger.latest_first(by)) == list(ledger.latest_first(by))
        for held in (everything, nothing):
            assert book.reviewed(by, held) == plain.reviewed(by, held)


def everything(refs: Collection[str]) -> Collection[str]:
    """A store that holds whatever was marked."""
    return refs


def nothing(_: Collection[str]) -> Collection[str]:
    """A store that holds other conversations."""
    return ()


def test_what_was_read_is_counted_of_one_store_and_what_it_holds_is_asked_once(tmp_path: Path) -> None:
    marked(tmp_path / "annotations")
    session = Session(tmp_path / "annotations", "ann", "runs.db", SUPPORT)
    asked: list[list[str]] = []

    def held(refs: Collection[str]) -> Collection[str]:
        asked.append(sorted(refs))
        return [ref for ref in refs if ref not in (RUNS[0].ref, RUNS[1].ref)]

    for book in (Book(session.folder), indexed(tmp_path)):
        asked.clear()
        session.book = book
        session.pen = Pen(book, "ann", "runs.db")
        session.held = held
        counts = [session.counts().reviewed.reviewed]
        for stored in (RUNS[0], RUNS[2], RUNS[2]):
            session.reviewed(stored)
            counts.append(session.counts().reviewed.reviewed)
        for _ in range(3):
            session.undo()
            counts.append(session.counts().reviewed.reviewed)
        assert counts == [1, 1, 2, 2, 2, 1, 1]
        assert asked == [[RUNS[3].ref], [RUNS[0].ref], [RUNS[2].ref]]


def test_it_comes_to_the_same_as_reading_the_journals(tmp_path: Path) -> None:
    folder = tmp_path / "annotations"
    marked(folder)
    for book in (indexed(tmp_path), indexed(tmp_path)):
        same(book, Book(folder))
        assert book.ledger.take_changed() == set()


def test_what_is_written_meanwhile_and_later_joins_it(tmp_path: Path) -> None:
    folder = tmp_path / "annotations"
    marked(folder)
    book = indexed(tmp_path)
    session = Session(folder, "ann", "runs.db", SUPPORT)
    session.verdict(RUNS[0], "pass")
    session.undo()
    session.undo()
    session.tag(RUNS[4], "warm")
    assert book.refresh() == {RUNS[0].ref, RUNS[4].ref, "kimi/used-item-1"}
    same(book, Book(folder))
    again = indexed(tmp_path)
    assert again.ledger.take_changed() == set()
    same(again, Book(folder))


def _removed(folder: Path) -> None:
    (folder / "bob.jsonl").unlink()


def _replaced(folder: Path) -> None:
    lines = (folder / "bob.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "new").write_bytes(b"".join(lines[1:] + lines[:1]))
    (folder / "new").replace(folder / "bob.jsonl")


def _shortened(folder: Path) -> None:
    (folder / "bob.jsonl").write_bytes((folder / "bob.jsonl").read_bytes()[:-10])


def _edited(folder: Path) -> None:
    path = folder / "bob.jsonl"
    path.write_bytes(path.read_bytes().replace(b"flips-across-runs", b"held-line") + b"\n" * 20)


@pytest.mark.parametrize("change", [_removed, _replaced, _shortened, _edited])
def test_a_journal_that_is_not_what_it_was_is_read_anew(change: Callable[[Path], None], tmp_path: Path) -> None:
    folder = tmp_path / "annotations"
    marked(folder)
    running = indexed(tmp_path)
    change(folder)
    running.refresh()
    same(indexed(tmp_path), Book(folder))
    if change is not _edited:  # an edit that only makes the file longer is seen when it is opened again
        same(running, Book(folder))


@pytest.mark.parametrize("content", [b"garbage" * 1000, b"", b"SQLite format 3\0" + b"\0" * 500])
def test_a_damaged_cache_is_made_anew(content: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "annotations"
    marked(folder)
    (tmp_path / "cache.db").write_bytes(content)
    same(indexed(tmp_path), Book(folder))


def test_a_place_that_takes_no_cache_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(StoreError, match="only a cache"):
        Projection(tmp_path / "file" / "cache.db")


def test_troubles_are_remembered(tmp_path: Path) -> None:
    folder = tmp_path / "annotations"
    marked(folder)
    with (folder / "ann.jsonl").open("ab") as file:
        file.write(b"garbage\n")
    indexed(tmp_path)
    assert [str(each) for each in indexed(tmp_path).troubles()] == [str(each) for each in Book(folder).troubles()]


def test_small_journals_need_none_and_big_ones_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "annotations"
    marked(folder)
    assert opened(folder).past is None
    assert not neighbour(folder, "journals").exists()
    event = Event("01", "2026", "eve", "verdict", RUNS[0].ref, "", {"verdict": "pass", "why": "x" * 100_000})
    (folder / "eve.jsonl").write_bytes(b"".join(encode(event).replace(b'"01"', b'"%02d"' % n) for n in range(12)))
    book = opened(folder)
    assert book.past is not None
    assert neighbour(folder, "journals").exists()
    same(book, Book(folder))
    with closing(sqlite3.connect(neighbour(folder, "journals"))) as cache:
        cache.execute("DELETE FROM facts")
        cache.execute("CREATE TRIGGER full BEFORE INSERT ON about BEGIN SELECT RAISE(FAIL, 'the disk is full'); END")
        cache.commit()
    assert opened(folder).past is None
    (tmp_path / "cache" / "reviewer" / "journals").rename(tmp_path / "moved")
    (tmp_path / "cache" / "reviewer" / "journals").write_text("in the way", "utf-8")
    assert opened(folder).past is None


def test_everything_can_be_undone_across_a_restart_however_much_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past, "_RECENT", 3)
    folder = tmp_path / "annotations"
    marked(folder)
    book = indexed(tmp_path)
    same(book, Book(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    heavy = Event("01", "2026", "eve", "verdict", RUNS[0].ref, "", {"verdict": "pass", "why": "x" * 1_200_000})
    (folder / "eve.jsonl").write_bytes(encode(heavy))
    session = Session(folder, "ann", "runs.db", SUPPORT)
    assert session.book.past is not None
    while session.undo().words != "Nothing to undo.":
        pass
    for stored in RUNS:
        state = Book(folder).ledger.state(stored.ref)
        assert {tag.by for tag in state.tags} == {"bob"}
        assert "ann" not in {**state.verdicts, **state.reviewed}
