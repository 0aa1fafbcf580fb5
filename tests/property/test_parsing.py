"""The quick parser reads what Python's own reads, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.basics.errors import SourceError
from reviewer.imports.source import parsed

LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)
SCRAPS = st.lists(
    st.sampled_from([*'{}[]",:-+.0123456789eE \n\ttruefalsnNaIity', r"\ud83d\ude00", r"\u0041", "é", "\0"])
)
"""Characters that JSON is made of, put together as nobody should."""


def same(one: Any, other: Any) -> bool:
    """Equal in kind and value, NaN included."""
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return repr(one) == repr(other)
    return type(one) is type(other) and bool(one == other)


@given(VALUES, st.booleans())
def test_every_value_is_read_as_it_was_written(value: Any, escaped: bool) -> None:
    text = json.dumps(value, ensure_ascii=escaped)
    assert same(parsed(text.encode(), "log"), json.loads(text))


@given(SCRAPS)
def test_what_is_no_json_is_refused_and_nothing_else(scraps: list[str]) -> None:
    text = "".join(scraps)
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(SourceError):
            parsed(text.encode(), "log")
    else:
        assert same(parsed(text.encode(), "log"), expected)
