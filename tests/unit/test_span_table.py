"""A table of field names finds what a span has, in whichever of its places a source put it."""

from __future__ import annotations

from typing import Any

import pytest

from reviewer.imports.formats.parts.span_table import SpanTable, value_in

TABLE = SpanTable(
    id=("id", "context.id"),
    parent=("parent",),
    trace=("trace", "context.trace"),
    start=("start",),
    end=("end",),
    kind=("attributes.span.kind",),
    kinds={"llm": "llm", "tool": "tool"},
    input=("attributes.input.value",),
    output=("attributes.output.value",),
    model=("attributes.model",),
)


@pytest.mark.parametrize(
    ("row", "value"),
    [
        ({"a.b": 1, "a": {"b": 2}}, 1),
        ({"a": {"b": 2}}, 2),
        ({"a": {"b": ""}, "c": 3}, 3),
        ({"a": {"b": 0}, "c": 3}, 0),
        ({"a": "text", "c": ""}, ""),
        ({}, None),
    ],
)
def test_the_first_value_that_is_not_empty_counts(row: dict[str, Any], value: Any) -> None:
    assert value_in(row, ("a.b", "c")) == value


def test_a_span_of_a_tool_holds_its_call_and_a_failure() -> None:
    attributes = {"span.kind": "TOOL", "input.value": {"id": 7}, "output.value": ""}
    row = {"context": {"id": 5, "trace": "t"}, "name": "get_order", "start": 1_700_000_000, "attributes": attributes}
    span = TABLE.span(row, "timed out")
    assert (span.id, span.trace, span.parent, span.kind, span.error) == ("5", "t", None, "tool", "timed out")
    assert span.tool is not None
    assert (span.tool.name, span.tool.arguments, span.tool.result) == ("get_order", '{"id":7}', "")
    assert (span.tool.error, span.tool.at) == ("timed out", "2023-11-14T22:13:20.000+00:00")


def test_an_unknown_kind_is_none_and_a_missing_start_is_empty() -> None:
    span = TABLE.span({"id": "s", "attributes": {"span.kind": "chain", "model": "m"}})
    assert (span.kind, span.start, span.end, span.model, span.tool) == ("", "", None, "m", None)
