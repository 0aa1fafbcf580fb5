"""Values as Python writes them, out of texts that anybody wrote."""

from __future__ import annotations

import pytest

from reviewer.basics.python_literals import LONGEST, literal
from reviewer.imports.messages.prompts import asked


def test_values_are_read_and_everything_else_stays() -> None:
    assert literal("{'a': [1, None, True]}", 0) == {"a": [1, None, True]}
    for text in ("{'a': open}", "-" * 90_000, "[" * 90_000, "1+" * 40_000 + "1", "9" * 5_000, "\0", "{[]: 1}", ""):
        assert literal(text, "as it was") == "as it was"


@pytest.mark.parametrize("size", [LONGEST // 4, LONGEST])
def test_no_more_is_read_than_memory_bears(size: int) -> None:
    text = "[" + "1," * size + "]"
    assert literal(text, None) == ([1] * size if len(text) <= LONGEST else None)


def test_a_field_of_a_printed_object_that_is_too_long_stays_text() -> None:
    long = "[" + "1," * LONGEST + "]"
    (said,) = asked([f"role='user' content='Hi.' parts={long}"])
    assert said["parts"] == long


def test_a_role_that_is_no_word_is_nobodys() -> None:
    said = asked(["role={'a':1} content='Hi.'", {"role": ["x"], "content": "Hi."}])
    assert [each["role"] for each in said] == [{"a": 1}, ["x"]]
