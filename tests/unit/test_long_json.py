"""Long JSON texts: laid out from anywhere, without laying out what stands before."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.app.layout.json_fields import STRETCH, field_rows
from reviewer.app.layout.slices import SlicedBlock
from reviewer.app.layout.text_lines import Frame, StoredText
from reviewer.basics.jsonspans import LONGEST_PYTHON, leaves, leaves_behind

ORDERS = json.dumps({"orders": [{"id": number, "lines": [{"sku": "A1", "price": 3.5}]} for number in range(2_500)]})
PLACE, FRAME = StoredText("result", 1), Frame(60, (), (), False)


def field_flow(text: str) -> SlicedBlock | None:
    rows = field_rows(text, PLACE, FRAME)
    return rows and rows.flow


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
)


@given(values, st.sampled_from([None, 1]), st.data())
def test_fields_from_an_offset_on_are_those_of_the_whole(value: Any, indent: int | None, data: st.DataObject) -> None:
    text = json.dumps([value, value], indent=indent)
    offset = data.draw(st.integers(0, len(text)))
    whole = leaves(text)
    assert whole is not None
    assert list(leaves_behind(text, offset)) == [leaf for leaf in whole if leaf.begins >= offset]


def test_the_end_of_a_long_text_is_shown_without_laying_out_the_rest() -> None:
    flow = field_flow(ORDERS)
    assert flow is not None
    assert len(ORDERS) > LONGEST_PYTHON > 4 * STRETCH
    height = 0
    while height != flow.height:  # laying out the last lines corrects it
        height = flow.height
        last = flow.lines(height - 1, height)
    assert "3.5" in "".join(piece.text for piece in last[0])
    laid = [len(lines) for lines in flow._laid if lines is not None]
    assert sum(laid) < flow.height / 4


@pytest.mark.parametrize("offset", [0, 1, 5_000, STRETCH - 1, STRETCH, STRETCH + 1, 100_003, len(ORDERS) - 3])
def test_a_stored_character_is_found_from_both_ends(offset: int) -> None:
    straight, jumping = field_flow(ORDERS), field_flow(ORDERS)
    assert straight is not None
    assert jumping is not None
    straight.lines(0, 10**9)
    assert straight.exact
    jumping.lines(jumping.height - 1, jumping.height)
    found = []
    for flow in (straight, jumping):
        at = flow.line_of("result", 1, offset)
        assert at is not None
        found.append(flow.lines(at, at + 1))
    assert found[0] == found[1]


def test_every_field_of_a_long_text_has_its_line() -> None:
    flow, whole = field_flow(ORDERS), leaves(ORDERS)
    assert flow is not None
    assert whole is not None
    spans = [piece.source for line in flow.lines(0, 10**9) for piece in line if piece.source]
    shown = {(span.start, span.end) for span in spans}
    assert all(
        (leaf.start + quoted, leaf.end - quoted) in shown for leaf in whole for quoted in [leaf.kind == "string"]
    )


def test_a_character_in_a_value_that_spans_stretches_is_found() -> None:
    text = json.dumps({"a": 1, "note": "word " * 30_000, "z": 2})
    flow = field_flow(text)
    assert flow is not None
    at = flow.line_of("result", 1, 100_000)
    assert at is not None
    spans = [piece.source for piece in flow.lines(at, at + 1)[0] if piece.source]
    assert any(span.start <= 100_000 < span.end for span in spans)
