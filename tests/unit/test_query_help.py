"""The page about the query language, and the caret below a query that went wrong."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reviewer.cli.help import pointed
from reviewer.query import documentation, parse
from reviewer.query.fields import FIELDS, Field

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


def test_every_query_shown_with_a_command_parses() -> None:
    shown = [line for line in documentation.text().splitlines() if line.startswith("    reviewer ")]
    assert len(shown) == 2
    for line in shown:
        assert parse(line.split("'")[1]).terms


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
