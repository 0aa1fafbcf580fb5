"""How a line is shared out between queue, text and tool layer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.app.reading.widths import NARROW, RULE, Widths, shared_out


@pytest.mark.parametrize(
    ("total", "beside", "calls", "shared"),
    [
        (80, False, False, Widths(None, 80, 0)),
        (100, False, False, Widths(34, 66, 0)),
        (120, True, True, Widths(40, 45, 35)),
        (120, True, False, Widths(40, 79, RULE)),
        (140, True, False, Widths(47, 92, RULE)),
        (160, True, False, Widths(54, 105, RULE)),
        (200, True, False, Widths(64, 106, 30)),
        (240, True, True, Widths(64, 106, 70)),
    ],
)
def test_the_text_gets_what_the_others_do_not_need(total: int, beside: bool, calls: bool, shared: Widths) -> None:
    assert shared_out(total, 64, beside=beside, calls=calls) == shared


def test_a_queue_that_needs_little_leaves_the_rest_to_the_text() -> None:
    assert shared_out(140, 36, beside=True, calls=False) == Widths(36, 103, RULE)
    assert shared_out(140, 5, beside=True, calls=False).queue == 32


@given(st.integers(40, 400), st.integers(0, 300), st.booleans())
def test_every_cell_is_used_and_no_pane_without_calls_takes_any_from_the_text(
    total: int, wanted: int, calls: bool
) -> None:
    shared, hidden = (shared_out(total, wanted, beside=each, calls=calls) for each in (True, False))
    assert (shared.queue or 0) + shared.text + shared.calls == total
    assert (shared.queue is None) == (total < NARROW)
    assert shared.queue == hidden.queue
    if not calls:
        assert shared.text >= min(hidden.text - RULE, 100)
