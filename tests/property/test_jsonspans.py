"""The laws of walking JSON texts: the fields are those that parsing finds, and each stands where it is said to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from reviewer.basics.jsonspans import decoded, leaves, locate, pointer_at, string_slices

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()
)
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)
containers = st.lists(values) | st.dictionaries(st.text(), values)


def _flat(value: object, pointer: str = "") -> Iterator[tuple[str, object]]:
    inner: list[tuple[str, object]] = []
    if isinstance(value, dict):
        inner = [(str(name).replace("~", "~0").replace("/", "~1"), each) for name, each in value.items()]
    elif isinstance(value, list):
        inner = [(str(index), each) for index, each in enumerate(value)]
    for name, each in inner:
        yield from _flat(each, f"{pointer}/{name}")
    if not inner:
        yield pointer, value


@given(containers, st.booleans(), st.sampled_from([None, 1]))
def test_fields_are_those_of_the_parsed_value(value: object, escaped: bool, indent: int | None) -> None:
    raw = json.dumps(value, ensure_ascii=escaped, indent=indent)
    found = [(leaf.pointer, json.loads(raw[leaf.start : leaf.end])) for leaf in leaves(raw) or ()]
    assert found == list(_flat(value))


@given(containers)
def test_what_python_prints_is_read_like_json(value: object) -> None:
    found = leaves(repr(value))
    assert found is not None
    assert [leaf.pointer for leaf in found] == [pointer for pointer, _ in _flat(value)]


@given(containers)
def test_pointers_and_places_lead_to_each_other(value: object) -> None:
    raw = json.dumps(value)
    for leaf in leaves(raw) or ():
        if leaf.pointer:
            assert locate(raw, leaf.pointer) == (leaf.start, leaf.end)
            assert pointer_at(raw, leaf.start) == leaf.pointer
            assert pointer_at(raw, leaf.end - 1) == leaf.pointer


@given(st.text(), st.booleans(), st.integers(32, 60))
def test_a_string_is_decoded_in_stretches_as_in_one(text: str, escaped: bool, size: int) -> None:
    raw = json.dumps(text * 20, ensure_ascii=escaped)
    stretches = list(string_slices(raw, 1, len(raw) - 1, size))
    assert "".join(decoded(raw, start, end).text for start, end in stretches) == text * 20
    assert all(end == start for (_, end), (start, _) in pairwise(stretches))


@given(st.text(alphabet="{}[]()\"'\\:,ntu0 1.e-\n\x00é", max_size=40))
def test_no_text_raises(text: str) -> None:
    for leaf in leaves(text) or ():
        assert 0 <= leaf.start < leaf.end <= len(text)
    locate(text, "/0")
    pointer_at(text, 3)
