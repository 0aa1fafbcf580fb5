"""Journals after merges, editors, other clocks and lost power: no whole event is lost, and the app opens."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from reviewer.marks import ulid
from reviewer.marks.book import Book
from reviewer.marks.events import Event, encode
from reviewer.marks.review import Session
from reviewer.marks.review.checks import check
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.reader import Reader
from tests import builders
from tests.siege import round_of, rounds
from tests.ui.room import room

JOURNALS, OPENED = rounds(600), rounds(20)
REF = "kimi/used-item-1/1"
OTHERS = (b'{"level":"info","msg":"started"}\n', b"2026-06-29 12:00:00 INFO started\n", b"\xff\xfe\x00\n", b"[1, 2]\n")


def own_lines(chance: random.Random) -> list[bytes]:
    """A reviewer's lines; the clock may have been set back between two of them."""
    digest, lines, clock = builders.stored().digest, [], 1_700_000_000_000
    for number in range(chance.randint(3, 30)):
        clock += chance.choice((1, 1_000, 1_000, -86_400_000))
        identifier = ulid.encode(clock << 80 | chance.getrandbits(80))
        fields = {
            "code": "phantom-action",
            "pieces": [{"ref": f"{REF}#2", "digest": digest}],
            "note": f"note {number} {{",
        }
        at = f"2026-06-{chance.randint(1, 30):02}T12:00:00Z"
        lines.append(encode(Event(identifier, at, "maria", "tag", f"{REF}#2", digest, fields)))
    return lines


def spoilt(chance: random.Random, lines: list[bytes]) -> tuple[bytes, set[int]]:
    """The journal with a few things wrong with it, and which lines then are no events of ours."""
    held = list(lines)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(held) + 1)
        match chance.randrange(9):
            case 0:  # a merge that nobody finished
                held[at:at] = [b"<<<<<<< HEAD\n", *chance.sample(lines, 1), b"=======\n", b">>>>>>> theirs\n"]
            case 1:
                held = [line.replace(b"\n", b"\r\n") for line in held]
            case 2:
                held[at:at] = [b"\xef\xbb\xbf" + chance.choice(lines)]
            case 3:
                held[at:at] = chance.choices(lines, k=2)
            case 4:
                held[at:at] = [chance.choice(OTHERS)]
            case 5:
                held[at:at] = [b"\0" * chance.choice((1, 4096)) + chance.choice((b"\n", chance.choice(lines)))]
            case 6:  # half a line, and a whole one behind it
                half = chance.choice(lines)
                held[at:at] = [half[: chance.randint(1, len(half) - 3)] + chance.choice((b"\n", chance.choice(lines)))]
            case 7:
                chance.shuffle(held)
            case _:
                held[at:at] = [b"\n", b" \r\n"]
    data = b"".join(held)
    return data, {number for number, line in enumerate(data.split(b"\n"), 1) if not _is_event(line)}


def _is_event(line: bytes) -> bool:
    """True for what says nothing, or is one whole event."""
    text = line.removeprefix(b"\xef\xbb\xbf").strip(b"\0 \r")
    try:
        return not text or "do" in json.loads(text)
    except ValueError:
        return False


def bad(book: Book) -> set[int]:
    """The lines that are said to be none."""
    return {trouble.line for trouble in book.troubles() if trouble.kind in ("torn", "damaged")}


@pytest.mark.parametrize("first", range(0, JOURNALS, 100))
def test_no_whole_event_is_lost(first: int, tmp_path: Path) -> None:
    path = builders.store(tmp_path)
    for number in range(first, min(first + 100, JOURNALS)):
        with round_of("journals", number) as chance:
            folder = tmp_path / str(number)
            folder.mkdir()
            lines = own_lines(chance)
            data, wrong = spoilt(chance, lines)
            ends = chance.choice((b"", b"", b'{"id":"01', b"\0" * 512))
            (folder / "maria.jsonl").write_bytes(data + ends)
            book = Book(folder)
            with Reader(path) as reader:
                said = {
                    item.words.partition(":")[0]
                    for item in check(book, reader, None).items
                    if item.kind in ("torn", "damaged")
                }
            assert said == {f"maria.jsonl, line {line}" for line in bad(book)}
            assert {event.id for event in book.ledger.events(REF)} == {json.loads(line)["id"] for line in lines}
            assert wrong <= bad(book) <= {*wrong, data.count(b"\n") + 1}
            session = Session(folder, "maria", path.name)
            tag = session.tag(builders.stored(), "phantom-action", Ref(REF, 2)).tag
            assert tag is not None
            again = Book(folder).ledger.events(REF)
            assert len(again) == len(lines) + 1
            assert tag.id in {event.id for event in again}


async def test_the_app_opens_and_goes_on(tmp_path: Path) -> None:
    for number in range(OPENED):
        with round_of("opened journals", number) as chance:
            (tmp_path / str(number)).mkdir()
            path = builders.store(tmp_path / str(number))
            folder = path.parent / "annotations"
            folder.mkdir()
            lines = own_lines(chance)
            data, _ = spoilt(chance, lines)
            (folder / "maria.jsonl").write_bytes(data)
            async with room(path) as here:
                await here.press("j", "1", "c", *"why", "enter", "u", "u")
                assert len(here.screen.marking.session.state(REF).tags) == len(lines)
                assert (folder / "maria.jsonl").read_bytes().startswith(data)
