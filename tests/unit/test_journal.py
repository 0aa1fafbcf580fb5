"""Journals: appended and synced, read on, and whatever is wrong with a line said without losing another."""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path
from types import FrameType

import pytest

from reviewer.basics.errors import JournalError
from reviewer.marks import journal, ulid
from reviewer.marks.book import Book
from reviewer.marks.events import Event, encode

REF = "kimi/used-item-1/1"


def making(do: str = "verdict", by: str = "ann", **fields: object) -> journal.Making:
    return lambda identifier: Event(identifier, "2026-06-29T12:00:00Z", by, do, REF, "", fields or {"verdict": "pass"})


def line(identifier: str = "01", do: str = "verdict", **fields: object) -> bytes:
    return encode(Event(identifier, "2026-06-29T12:00:00Z", "ann", do, REF, "", fields))


def kinds(book: Book) -> list[str]:
    return [trouble.kind for trouble in book.troubles()]


def test_an_event_is_one_line_of_utf8(tmp_path: Path) -> None:
    written = Book(tmp_path / "annotations").append(
        "Ann Lee", [making(by="Ann Lee", verdict="pass", note="schön\n\ud800")]
    )
    text = (tmp_path / "annotations" / "ann-lee.jsonl").read_text("utf-8")
    assert text.count("\n") == 1
    assert json.loads(text)["note"] == "schön\n\ud800"
    assert json.loads(text)["id"] == written[0].id


def test_a_line_is_on_the_disk_before_it_counts_and_so_is_a_new_file(tmp_path: Path) -> None:
    called: list[str] = []

    def note(_: FrameType, event: str, argument: object) -> None:
        if event == "c_call" and argument in (os.write, os.fsync):
            called.append(argument.__name__)

    def written(book: Book) -> list[str]:
        called.clear()
        sys.setprofile(note)
        try:
            book.append("ann", [making()])
        finally:
            sys.setprofile(None)
        return [*called]

    book = Book(tmp_path / "annotations")
    assert written(book) == ["write", "fsync", "fsync"]  # the file, and the folder that now holds it
    assert written(book) == ["write", "fsync"]


def test_identifiers_go_on_beyond_the_last_in_the_file(tmp_path: Path) -> None:
    future = ulid.after(None, 1 << 47, 7)
    (tmp_path / "ann.jsonl").write_bytes(line(future) + line("zzz"))
    book = Book(tmp_path)
    first, second = book.append("ann", [making(), making()])
    assert future < first.id < second.id


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "..", "", "a/b\\c", "con\x00", "李雷", "É" * 300])
def test_a_name_never_leaves_the_folder(name: str, tmp_path: Path) -> None:
    path = journal.journal_of(tmp_path, name)
    assert path.parent == tmp_path
    Book(tmp_path).append(name, [making(by=name)])
    assert path.read_bytes()


@pytest.mark.parametrize(("name", "file"), [("CON", "reviewer-con"), ("com1", "reviewer-com1"), ("🙂", "reviewer")])
def test_a_name_that_no_file_may_have_gets_another(name: str, file: str, tmp_path: Path) -> None:
    assert journal.journal_of(tmp_path, name).name == f"{file}.jsonl"


def test_journals_that_differ_only_in_case_are_both_read_and_said(tmp_path: Path) -> None:
    Book(tmp_path).append("ann", [making()])
    (tmp_path / "Ann.jsonl").write_bytes(line("02"))
    book = Book(tmp_path)
    assert len(book.ledger.events(REF)) == 2
    (trouble,) = book.troubles()
    assert str(trouble).startswith("ann.jsonl: its name differs from Ann.jsonl only in case")


def test_a_folder_that_went_away_is_not_begun_anew(tmp_path: Path) -> None:
    folder = tmp_path / "annotations"
    book = Book(folder)
    assert not book.gone
    book.append("ann", [making()])
    folder.rename(tmp_path / "away")
    assert book.stale()
    with pytest.raises(JournalError, match="no longer there"):
        book.append("ann", [making()])
    assert not folder.exists()
    (tmp_path / "away").rename(folder)
    book.append("ann", [making()])
    assert len(book.ledger.events(REF)) == 2
    assert not book.stale()


def test_a_link_is_neither_read_nor_written_through(tmp_path: Path) -> None:
    there = tmp_path / "elsewhere"
    there.write_bytes(line("01"))
    folder = tmp_path / "annotations"
    folder.mkdir()
    (folder / "ann.jsonl").symlink_to(there)
    book = Book(folder)
    assert len(book.ledger.events(REF)) == 0
    assert [str(each) for each in book.troubles()] == [
        "ann.jsonl: it is a link, and was not read; put there what it leads to."
    ]
    with pytest.raises(JournalError, match="it is a link"):
        book.append("ann", [making()])
    assert there.read_bytes() == line("01")


def test_two_names_with_one_slug_have_two_journals(tmp_path: Path) -> None:
    for name in ("ann-lee", "Ann Lee", "ann lee", "Ann Lee"):
        Book(tmp_path).append(name, [making(by=name)])
    assert [path.name for path in journal.journals(tmp_path)] == ["ann-lee-2.jsonl", "ann-lee-3.jsonl", "ann-lee.jsonl"]
    assert len(Book(tmp_path).ledger.events(REF)) == 4


def test_a_torn_last_line_loses_itself_alone_and_the_next_starts_on_its_own(tmp_path: Path) -> None:
    path = tmp_path / "ann.jsonl"
    path.write_bytes(line("01") + line("02")[:-20])
    book = Book(tmp_path)
    assert kinds(book) == ["torn"]
    book.append("ann", [making()])
    assert kinds(book) == ["torn"]
    again = Book(tmp_path)
    assert kinds(again) == ["torn"]
    assert len(again.ledger.events(REF)) == 2
    assert again.troubles()[0].line == 2


def test_a_last_line_that_lacks_only_its_end_counts(tmp_path: Path) -> None:
    path = tmp_path / "ann.jsonl"
    path.write_bytes(line("01").rstrip(b"\n"))
    book, other = Book(tmp_path), Book(tmp_path)
    assert len(book.ledger.events(REF)) == 1
    book.append("ann", [making()])
    other.refresh()
    path.write_bytes(path.read_bytes() + b"garbage\n")
    for each in (book, other):
        each.refresh()
        assert [(trouble.kind, trouble.line) for trouble in each.troubles()] == [("torn", 3)]
        assert len(each.ledger.events(REF)) == 2


@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        (b"garbage\n", "torn"),
        (b"\xff\xfe\x00\n", "torn"),
        (b"[1]\n", "damaged"),
        (b"{}\n", "damaged"),
        (b'{"id": 3}\n', "damaged"),
        (line("05", "edit"), "damaged"),
        (line("05", "tag", pieces=3), "damaged"),
        (line("05", "tag", evidence=[3]), "damaged"),
        (line("05", "tag", note=3), "damaged"),
        (line("05", "accept", finding={"mode": "eta", "evidence": [3]}), "damaged"),
        (line("05", "accept", finding={"mode": 3}), "damaged"),
        (line("05", "undo", undoes="all"), "damaged"),
        (line("05", "accept", finding={}), "damaged"),
        (b"[" * 100_000 + b"\n", "torn"),
    ],
)
def test_garbage_in_the_middle_is_said_with_its_line(bad: bytes, kind: str, tmp_path: Path) -> None:
    (tmp_path / "ann.jsonl").write_bytes(line("01") + bad + line("09"))
    book = Book(tmp_path)
    assert [(trouble.kind, trouble.line) for trouble in book.troubles()] == [(kind, 2)]
    assert [event.id for event in book.ledger.events(REF)] == ["01", "09"]
    assert str(book.troubles()[0]).startswith("ann.jsonl, line 2: ")


@pytest.mark.parametrize(
    "fields",
    [{"pieces": [{"ref": "nonsense"}]}, {"evidence": ["sometime"]}, {"pieces": ["x"]}, {"pieces": [{"ref": 3}]}],
)
def test_a_tag_that_cannot_be_read_is_no_tag_and_is_said(fields: dict[str, object], tmp_path: Path) -> None:
    (tmp_path / "ann.jsonl").write_bytes(line("01", "tag", **fields) + line("09", verdict="pass"))
    state = Book(tmp_path).ledger.state(REF)
    assert (state.tags, state.verdicts) == ((), {"ann": "pass"})
    assert [event.id for event, _ in state.strays] == ["01"]


def test_a_byte_order_mark_crlf_and_blank_lines_are_no_trouble(tmp_path: Path) -> None:
    text = line("01") + b"\n" + line("02")
    (tmp_path / "ann.jsonl").write_bytes(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
    book = Book(tmp_path)
    assert kinds(book) == []
    assert len(book.ledger.events(REF)) == 2


def test_files_put_together_and_noughts_of_a_disk_without_power_are_no_trouble(tmp_path: Path) -> None:
    noughts = b"\0" * 4096
    (tmp_path / "ann.jsonl").write_bytes(
        line("01") + b"\xef\xbb\xbf" + line("02") + noughts + line("03") + noughts + b"\n"
    )
    book = Book(tmp_path)
    assert kinds(book) == []
    assert [event.id for event in book.ledger.events(REF)] == ["01", "02", "03"]


def test_a_whole_event_behind_half_a_line_counts_and_the_line_is_said(tmp_path: Path) -> None:
    glued = line("02")[:-20] + line("03").rstrip(b"\n") + b" INFO " + line("04")
    (tmp_path / "ann.jsonl").write_bytes(line("01") + glued + b"<<<<<<< HEAD\n" + line("05"))
    book = Book(tmp_path)
    assert [(trouble.kind, trouble.line) for trouble in book.troubles()] == [("torn", 2), ("torn", 3)]
    assert str(book.troubles()[0]).endswith("line 2: it is not a whole line of JSON; 2 whole in it count.")
    assert [event.id for event in book.ledger.events(REF)] == ["01", "03", "04", "05"]


def test_the_same_line_twice_and_two_events_of_one_identifier_are_told_apart(tmp_path: Path) -> None:
    one, other = line("01", verdict="pass"), line("01", verdict="fail")
    (tmp_path / "ann.jsonl").write_bytes(one + one)
    (tmp_path / "bob.jsonl").write_bytes(other)
    book = Book(tmp_path)
    assert kinds(book) == ["repeated", "clash"]
    assert book.ledger.state(REF).verdicts == {"ann": "fail"}


def test_an_unknown_doing_is_kept_and_said(tmp_path: Path) -> None:
    (tmp_path / "ann.jsonl").write_bytes(line("01", "adjudicate", outcome="both"))
    book = Book(tmp_path)
    assert [event.do for event in book.unknown()] == ["adjudicate"]
    assert kinds(book) == []


def test_other_windows_lines_come_in_with_refresh(tmp_path: Path) -> None:
    mine, theirs = Book(tmp_path), Book(tmp_path)
    mine.append("ann", [making()])
    theirs.append("ann", [making()])
    theirs.append("bob", [making(by="bob")])
    assert mine.refresh() == {REF}
    assert mine.refresh() == set()
    assert len(mine.ledger.events(REF)) == len(theirs.ledger.events(REF)) == 3
    assert kinds(mine) == kinds(theirs) == []


def test_a_journal_that_was_replaced_or_removed_is_read_anew(tmp_path: Path) -> None:
    book = Book(tmp_path)
    book.append("ann", [making(), making()])
    merged = tmp_path / "merged"
    merged.write_bytes(line("01") + (tmp_path / "ann.jsonl").read_bytes())
    os.replace(merged, tmp_path / "ann.jsonl")  # noqa: PTH105 - what git does
    assert book.refresh() == {REF}
    assert len(book.ledger.events(REF)) == 3
    (tmp_path / "ann.jsonl").unlink()
    assert book.refresh() == {REF}
    assert book.ledger.events(REF) == []
    book.append("ann", [making()])
    assert len(Book(tmp_path).ledger.events(REF)) == 1


def test_a_journal_that_cannot_be_written_changes_nothing_and_is_said(tmp_path: Path) -> None:
    book = Book(tmp_path / "annotations")
    (tmp_path / "annotations").write_text("a file where the folder should be", "utf-8")
    with pytest.raises(JournalError, match="cannot be"):
        book.append("ann", [making()])
    assert book.ledger.events(REF) == []


def test_a_full_disk_leaves_no_half_line(tmp_path: Path) -> None:
    book = Book(tmp_path)
    book.append("ann", [making()])
    path = tmp_path / "ann.jsonl"
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 10, hard))
    try:
        with pytest.raises(JournalError, match="cannot be written: File too large"):
            book.append("ann", [making()])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == before
    book.append("ann", [making()])
    assert len(Book(tmp_path).ledger.events(REF)) == len(book.ledger.events(REF)) == 2
