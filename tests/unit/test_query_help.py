"""The page about the query language, and the caret below a query that went wrong."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from reviewer.cli.help import pointed
from reviewer.findings.questions import asked
from reviewer.findings.scans import scan, usual
from reviewer.marks import queues
from reviewer.marks.folder import SUPPORT
from reviewer.marks.review import Session
from reviewer.transcripts.query import documentation, parse
from reviewer.transcripts.query.fields import FIELDS, Field
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.reader import Reader

PAGE = Path(__file__).parents[2] / "docs" / "query.md"


def test_golden_page_is_what_the_program_prints() -> None:
    if os.environ.get("REVIEWER_GOLDEN") == "write":
        PAGE.write_text(documentation.text(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == documentation.text()


@pytest.mark.parametrize("field", FIELDS.values(), ids=lambda field: field.name)
def test_every_example_parses_to_its_field(field: Field) -> None:
    for example in field.examples:
        assert field.name in [term.field for term in parse(example).terms]
        assert example in documentation.text()


def shown_queries() -> list[str]:
    """The queries at the top of the page, those beside the fields, and those given to commands."""
    page = documentation.text()
    top = page[: page.index("## Together")].splitlines()
    first = [line.split("  ")[2].strip() for line in top if line.startswith("    ")]
    commands = [line.split("'")[1] for line in page.splitlines() if line.startswith("    reviewer ")]
    assert len(first) == 6
    assert len(commands) == 2
    return [*first, *commands, *(example for field in FIELDS.values() for example in field.examples)]


def test_every_query_that_is_shown_finds_something_in_the_sample_or_is_said_not_to(
    sample_store: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(sample_store, tmp_path))
    with Reader(path) as reader:
        _mark(reader, tmp_path / "annotations")
        scan(path, reader.ids(parse("model:kimi-k2.6 run:1").selection), usual())
        for text in shown_queries():
            question = asked(parse(text), lambda: Session(tmp_path / "annotations", "ana", path.name))
            count = reader.count(question.selection(reader))
            assert bool(count) != (text in documentation.NOT_IN_THE_SAMPLE), text


def _mark(reader: Reader, annotations: Path) -> None:
    """Say of a conversation all that the examples ask for."""
    session = Session(annotations, "ana", reader.path.name, SUPPORT)
    stored = reader.stored(reader.first_ids(limit=1)[0])
    for note in ("please ask the desk", "refund twice"):
        session.tag(stored, "phantom-action", Ref(stored.ref, 2), note=note, stance="debatable", exemplar=True)
    session.verdict(stored, "fail")
    session.reviewed(stored)
    queues.save(annotations, queues.Queue("week-23", (stored.ref,), "picked"))


@pytest.mark.parametrize(
    ("query", "position", "below"),
    [
        ("modle:x", 0, "m"),
        ("a modle:x", 2, "m"),
        ("已经 x:y", 3, "x"),
        ("\x1b[31m x:y", 6, "x"),
        ("y" * 500 + " x:1", 501, "x"),
    ],
)
def test_the_caret_stands_below_the_place(query: str, position: int, below: str) -> None:
    shown, caret = pointed(query, position)
    cells = "".join(c + ("\0" if "\u2e80" < c < "\ua000" else "") for c in shown)
    assert cells[len(caret) - 1] == below
    assert caret.strip() == "^"
    assert "\x1b" not in shown
