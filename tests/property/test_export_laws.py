"""Laws of exports: what goes out comes in again the same; what is imported again keeps its tags or says why not."""

from __future__ import annotations

import csv
import io
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from reviewer.figures.export import jsonl, table
from reviewer.figures.export.collection import ExcerptCollection
from reviewer.marks.anchors import anchor
from reviewer.marks.events import Event, encode
from reviewer.marks.folder import SUPPORT
from reviewer.marks.ledger import Ledger
from reviewer.marks.review import Session
from reviewer.marks.review.tag_import import bring_in
from reviewer.marks.shapes import tag_fields
from reviewer.transcripts.conversation_json import as_object
from reviewer.transcripts.digests import conversation_digest
from reviewer.transcripts.model import Anchor, Message, Stored, Tag
from reviewer.transcripts.refs import Absence, Ref
from reviewer.transcripts.store.reader import Reader
from tests import builders, hostile
from tests.builders import agent, conversation, customer
from tests.forked import run
from tests.property.test_annotation_laws import _edited, _text

CODES = ("invented-delivery-date", "warm", "held-line", "")
WORDS = some.sampled_from(
    [
        "",
        "n",
        "多谢 🧳",
        hostile.told(hostile.EVIL),
        "=1+1\n\"two\", 'x'",
        "a\u2028b\x85c",
        "'=1",
        "a;b\t\r\n\0",
        'a;=1+1;\t@x; "-2";\n+3;\'=4\n=5;',
    ]
)


@dataclass(frozen=True)
class Opened:
    """A store, and what stands in it."""

    reader: Reader
    stored: tuple[Stored, ...]

    def get(self, ref: str) -> Stored | None:
        return next((each for each in self.stored if each.ref == ref), None)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    made = conversation(), conversation(run=2), hostile.conversation()
    with Reader(builders.store(tmp_path_factory.mktemp("store"), *made)) as reader:
        yield Opened(reader, tuple(reader.stored(rowid) for rowid in reader.ids()))


def places(stored: Stored, chance: random.Random) -> Ref:
    """Anything that can be marked: words of a message, a reasoning, a result; a field, a call, a message, all of it."""
    number = chance.randint(1, len(stored.conversation.messages))
    message = stored.conversation.messages[number - 1]
    found = [Ref(stored.ref), Ref(stored.ref, number)]
    parts = [(Ref(stored.ref, number), message.text), (Ref(stored.ref, number, part="reasoning"), message.reasoning)]
    for at, call in enumerate(message.calls, start=1):
        found.append(Ref(stored.ref, number, at))
        parts.append((Ref(stored.ref, number, at, "result"), call.result or ""))
    for ref, text in parts:
        if text:
            start = chance.randrange(len(text))
            found.append(replace(ref, span=(start, chance.randint(start + 1, min(len(text), start + 500)))))
    return chance.choice(found)


@settings(max_examples=40)
@given(
    acts=some.lists(
        some.tuples(some.sampled_from(CODES), WORDS, WORDS, some.sampled_from(["", "clear"]), WORDS, some.booleans()),
        min_size=1,
        max_size=4,
    ),
    chance=some.randoms(use_true_random=False),
    format=some.sampled_from(["jsonl", "csv", "semicolons", "utf-16"]),
)
def test_an_export_brought_in_again_gives_the_same_tags(
    acts: list[tuple[str, str, str, str, str, bool]],
    chance: random.Random,
    format: str,
    opened: Opened,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("tags")
    for by in ("Ann Lee", "../bob"):
        made = Session(folder / "out", by, "runs.db", SUPPORT)
        for code, note, clause, stance, cause, exemplar in acts:
            tag = _tagged(made, code, opened.stored, chance)
            made.edit(tag, note=note, clause=clause, stance=stance, cause=cause, exemplar=exemplar)
            if code and chance.random() < 0.3:
                made.edit(tag, code="phantom-action")
            if chance.random() < 0.2:
                made.untag(tag)
            elif chance.random() < 0.2:
                made.undo()
    made.modes.rename("warm", "Warmth")
    before = tags(made.book.ledger)
    gathering = ExcerptCollection(opened.reader, made.book.ledger, made.codebook)
    path = saved(folder / "tags", gathering, format)
    assert list(gathering.left_out()) == []
    for bringer in ("Ann Lee", "somebody else"):
        session = Session(folder / "in", bringer, "runs.db", SUPPORT)
        brought = bring_in(session, path, opened.get)
        assert brought.wrong == []
        assert (brought.new, brought.known) == ((len(before), 0) if bringer == "Ann Lee" else (0, len(before)))
        assert tags(session.book.ledger) == before
    brought = bring_in(made, path, opened.get)
    assert (brought.new, brought.known, brought.removed, brought.wrong) == (0, len(before), 0, [])
    assert tags(made.book.ledger) == before


def saved(path: Path, gathering: ExcerptCollection, format: str) -> Path:
    """The export as the program writes it, or as a spreadsheet saves it."""
    if format == "jsonl":
        path = path.with_suffix(".jsonl")
        path.write_text("".join(jsonl.lines(gathering)), "utf-8")
        return path
    path, text = path.with_suffix(".csv"), "".join(table.lines(gathering, notes=True))
    if format != "csv":
        rows, sheet = csv.reader(io.StringIO(text, newline="")), io.StringIO(newline="")
        csv.writer(sheet, delimiter=";" if format == "semicolons" else "\t").writerows(rows)
        text = sheet.getvalue()
    path.write_bytes(text.encode("utf-16" if format == "utf-16" else "utf-8-sig"))
    return path


def _tagged(session: Session, code: str, among: tuple[Stored, ...], chance: random.Random) -> Tag:
    """A tag of some pieces and proofs somewhere, or on a case across its runs."""
    stored, other = chance.choice(among), chance.choice(among)
    proofs: list[Absence | Anchor] = [Absence("handover", 3), anchor(other, places(other, chance))]
    refs = {str(ref): ref for ref in (places(stored, chance) for _ in range(chance.randint(1, 3)))}
    marked = [ref for ref in refs.values() if ref.message is not None]
    if chance.random() < 0.2:
        tag = session.tag("kimi/used-item-1", code, evidence=proofs[: chance.randint(0, 2)]).tag
    else:
        tag = session.tag(stored, code, *marked, evidence=proofs[: chance.randint(0, 2)]).tag
    assert tag is not None
    return tag


def tags(ledger: Ledger) -> list[Tag]:
    """Every tag, in the order of making."""
    return sorted((tag for ref in ledger.conversations() for tag in ledger.state(ref).tags), key=lambda tag: tag.id)


SPANS, EACH = 200, 5


def test_a_thousand_spans_meet_a_second_import(tmp_path: Path) -> None:
    chance = random.Random(20260629)
    made = [made_up(number, chance) for number in range(SPANS)]
    fates = [("exact", "drifted", "elsewhere")[number % 3] for number in range(SPANS)]
    write(tmp_path / "log.jsonl", [stored for stored, _ in made])
    assert run("import", "log.jsonl", "--into", "runs.db", cwd=tmp_path).returncode == 0
    journal(tmp_path / "annotations", [(stored, ref) for stored, refs in made for ref in refs])
    assert counted(tmp_path) == {"exact": SPANS * EACH}
    later = [fated(stored, fate, chance) for (stored, _), fate in zip(made, fates, strict=True)]
    write(tmp_path / "log.jsonl", later)
    said = run("import", "log.jsonl", "--into", "runs.db", "--replace", cwd=tmp_path)
    assert said.returncode == 0, said.stderr
    assert counted(tmp_path) == {fate: EACH * times for fate, times in Counter(fates).items()}
    printed = run("export", "runs.db", "--format", "jsonl", cwd=tmp_path).stdout.splitlines()
    assert len(printed) == EACH * fates.count("exact")
    words = {f"{stored.ref}": stored.conversation.messages[1].text for stored in later}
    assert all(found["quote"] in words[found["ref"].partition("#")[0]] for found in map(json.loads, printed))


def made_up(number: int, chance: random.Random) -> tuple[Stored, list[Ref]]:
    """A conversation of made-up words, and spans of its second message."""
    messages = [customer(_text(chance)), agent(_text(chance) + " §"), *(customer(_text(chance)) for _ in range(2))]
    stored = builders.stored(*messages, model=f"model-{number}")
    text = messages[1].text
    starts = [chance.randrange(len(text) - 1) for _ in range(EACH)]
    return stored, [Ref(stored.ref, 2, span=(start, chance.randint(start + 1, len(text) - 1))) for start in starts]


def fated(stored: Stored, fate: str, chance: random.Random) -> Stored:
    """The conversation with other messages changed, with its own words changed, or another in its place."""
    messages: tuple[Message, ...] = stored.conversation.messages
    if fate == "exact":
        messages = _edited(chance, messages, 1)
    elif fate == "drifted":
        messages = (messages[0], replace(messages[1], text="0" * 9), *messages[2:])
    else:
        messages = (customer("0"), replace(messages[1], text=f"{messages[1].text} 0"), *messages[2:])
    return replace(
        stored, digest=conversation_digest(messages), conversation=replace(stored.conversation, messages=messages)
    )


def write(path: Path, stored: list[Stored]) -> None:
    """Conversations as a file to import."""
    objects = (as_object(each) for each in stored)
    kept = (
        {name: value for name, value in each.items() if name not in ("ref", "digest", "source")} for each in objects
    )
    path.write_text("".join(json.dumps(each) + "\n" for each in kept), "utf-8")


def journal(folder: Path, marked: list[tuple[Stored, Ref]]) -> None:
    """A journal with a tag on each of these places, written at once."""
    folder.mkdir()
    lines = []
    for number, (stored, ref) in enumerate(marked):
        mark = anchor(stored, ref)
        tag = Tag(f"{number:026}", "2026-06-29T12:00:00Z", "ann", "warm", mark.ref, stored.digest, (mark,))
        lines.append(encode(Event(tag.id, tag.at, tag.by, "tag", str(tag.ref), tag.digest, tag_fields(tag))))
    (folder / "ann.jsonl").write_bytes(b"".join(lines))


def counted(tmp_path: Path) -> dict[str, int]:
    """How many anchors are in which state, as `check` says."""
    found: dict[str, int] = json.loads(run("check", "runs.db", "--json", cwd=tmp_path).stdout)["counts"]
    return {kind: count for kind, count in found.items() if count}
