"""Records of one conversation come together, whether their file was small enough for memory or not."""

from __future__ import annotations

import pytest

from reviewer.ingest.formats.parts.record_groups import RecordGroups


@pytest.mark.parametrize("size", [0, 1 << 30], ids=["in memory", "in a file"])
@pytest.mark.parametrize("joined", [False, True])
def test_groups_come_by_their_first_record_and_what_was_joined_is_one(size: int, joined: bool) -> None:
    with RecordGroups(size) as groups:
        if joined:
            groups.join("c", "a")
            groups.join("a", "whole")
        for number, key in enumerate("abcab"):
            assert groups.put(key, {"n": number})
        found = [(key, [each["n"] for each in values]) for key, values in groups.groups()]
    assert found == ([("whole", [0, 3, 2]), ("b", [1, 4])] if joined else [("a", [0, 3]), ("b", [1, 4]), ("c", [2])])


def test_keys_joined_in_a_circle_come_to_an_end() -> None:
    with RecordGroups(0) as groups:
        groups.join("a", "b")
        groups.join("b", "a")
        groups.put("a", 1)
        assert [values for _, values in groups.groups()] == [[1]]
