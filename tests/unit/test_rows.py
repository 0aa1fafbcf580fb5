"""The head of the reading room at every width: where the texts come from is never given up for anything else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reviewer.app.shared.line_widgets import spread, width_of
from reviewer.app.shared.rows import HeaderFacts, header, hints
from reviewer.marks.read_extent import ReadCounts

FULL = HeaderFacts(
    "northline-of-all-the-world-and-then-some.db", "SYNTHETIC", "queue:week-23 -reviewed:yes", 10_691, 10_692,
    ReadCounts(8_000), "Maria Magdalena", (ReadCounts(9, 2, 1), 60), "+1,234 new · ^l", "others hidden until R",
)  # fmt: skip


def shown(standing: HeaderFacts, width: int) -> str:
    """The head as it is painted."""
    bits = spread(*header(standing, width), width)
    assert width_of(bits) <= width
    return "".join(text for text, _ in bits)


@pytest.mark.parametrize("mark", ["SYNTHETIC", "simulated customer"])
@pytest.mark.parametrize("width", [60, 80, 100, 120, 140, 200])
def test_where_texts_come_from_and_the_place_are_always_said(width: int, mark: str) -> None:
    text = shown(replace(FULL, mark=mark), width)
    assert mark in text
    assert "10,692 of 10,692" in text


def test_what_gives_way_first_is_who_reviews() -> None:
    assert "Maria" not in shown(FULL, 120)
    assert "others hidden until R" in shown(FULL, 120)
    everything = shown(FULL, 240)
    reviewed = "12 of 60 reviewed (9 to the end, 2 in part, 1 unknown how far)"
    assert all(each in everything for each in ("Maria Magdalena", reviewed, "+1,234 new", FULL.query))


def test_at_80_columns_a_drawn_queue_says_what_it_is_and_what_is_hidden() -> None:
    text = shown(
        HeaderFacts(
            "board.db", "SYNTHETIC", "queue:week", 0, 60, ReadCounts(), "maria", (ReadCounts(), 60), "",
            "others hidden until R",
        ),
        80,
    )  # fmt: skip
    assert text.startswith(" board.db · SYNTHETIC · queue:week")
    assert text.endswith("1 of 60 · others hidden until R ")


def test_a_hint_that_does_not_fit_is_left_out_whole() -> None:
    for width in range(20, 200):
        left, right = hints("transcript", width)
        assert sum(len(text) for text, _ in [*left, *right]) <= width
