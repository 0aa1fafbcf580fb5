"""Fields of JSON texts and of what only looks like JSON."""

from __future__ import annotations

import sys
from types import FrameType

import pytest

from reviewer.basics.jsonspans import decoded, leaves, locate, pointer_at


def _fields(text: str) -> list[tuple[str | None, str]] | None:
    found = leaves(text)
    return None if found is None else [(leaf.pointer, text[leaf.start : leaf.end]) for leaf in found]


def test_fields_have_pointers_and_stand_as_written() -> None:
    assert _fields('{"a": 1.50, "b/c": {"~": [true, "x\\n"]}, "e": {}}') == [
        ("/a", "1.50"),
        ("/b~1c/~0/0", "true"),
        ("/b~1c/~0/1", '"x\\n"'),
        ("/e", "{}"),
    ]


def test_python_dictionaries_are_read_too() -> None:
    assert _fields("{'name': \"O'Neil\", 'ok': True, 'lines': (1, None,), 5: 'it\\'s'}") == [
        ("/name", '"O\'Neil"'),
        ("/ok", "True"),
        ("/lines/0", "1"),
        ("/lines/1", "None"),
        ("/5", "'it\\'s'"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain words",
        "42",
        '"a"',
        "(see below)",
        "{'a': }",
        "[1, 2",
        "{1, 2}",
        '{"a" 1}',
        "[1}",
        "[,]",
        "{'a'}",
        "[1] 2",
    ],
)
def test_what_is_no_object_or_list_is_none(text: str) -> None:
    assert leaves(text) is None
    assert locate(text, "/a") is None
    assert pointer_at(text, 0) is None


def test_depth_beyond_reading_is_one_field_and_beyond_reason_is_text() -> None:
    deep = "[" * 100 + "1" + "]" * 100
    assert [(leaf.kind, len(leaf.pointer or "")) for leaf in leaves(deep) or ()] == [("deep", 64)]
    assert leaves("[" * 200_000 + "]" * 200_000) is None
    assert leaves('{"a":' * 50_000) is None


def test_a_key_too_long_to_repeat_gives_no_pointer() -> None:
    found = list(leaves('{"' + "k" * 5_000 + '": [1, 2], "b": 3}') or ())
    assert [leaf.pointer for leaf in found] == [None, None, "/b"]


def test_a_number_longer_than_python_reads_is_a_field() -> None:
    assert _fields("[" + "1" * 5_000 + "]") == [("/0", "1" * 5_000)]


def test_containers_are_located_and_places_named() -> None:
    text = '{"a": {"b": [1, 2]}, "c": 3}'
    span = locate(text, "/a/b")
    assert span is not None
    assert text[slice(*span)] == "[1, 2]"
    assert pointer_at(text, text.index('"c"')) == "/c"
    assert pointer_at(text, 0) is None
    assert locate(text, "/a/x") is None


def test_escapes_are_decoded_with_the_way_back() -> None:
    raw = r"say \"hi\"\u00e9\u00e9 \ud83d\ude00\\n"
    text = decoded(raw, 0, len(raw))
    assert text.text == 'say "hi"éé 😀\\n'
    at = text.text.index("é")
    assert [raw[slice(*text.stored_span(i, i + 1))] for i in (4, at, at + 1, at + 3)] == [
        r"\"",
        r"\u00e9",
        r"\u00e9",
        r"\ud83d\ude00",
    ]


def test_a_long_text_is_checked_once() -> None:
    text, other = json_of(3_000), json_of(3_001)
    called: list[str] = []

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called.append(frame.f_code.co_name)

    sys.setprofile(watch)
    try:
        assert leaves(text) is not None
        first = called.count("raw_decode")
        assert leaves(text) is not None
        again = called.count("raw_decode")
        assert leaves(other) is not None
        third = called.count("raw_decode")
    finally:
        sys.setprofile(None)
    assert (first, again, third) == (1, 1, 2)


def json_of(count: int) -> str:
    return "[" + "1," * count + "0]"
