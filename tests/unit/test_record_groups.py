"""Records of one conversation come together, whether their file was small enough for memory or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.imports import parsed_size
from reviewer.imports.formats.parts.record_groups import RecordGroups
from reviewer.imports.source import Source


def source_of(folder: Path, size: int = 0, weighed: int = 0) -> Source:
    with (folder / "log.jsonl").open("wb") as file:
        file.truncate(size)
    return Source(folder / "log.jsonl", "log.jsonl", weighed=weighed)


@pytest.mark.parametrize(
    ("size", "weighed"), [(0, 0), (1 << 30, 0), (0, 1 << 30)], ids=["in memory", "in a file", "large once parsed"]
)
@pytest.mark.parametrize("joined", [False, True])
def test_groups_come_by_their_first_record_and_what_was_joined_is_one(
    tmp_path: Path, size: int, weighed: int, joined: bool
) -> None:
    with RecordGroups(source_of(tmp_path, size, weighed)) as groups:
        if joined:
            groups.join("c", "a")
            groups.join("a", "whole")
        for number, key in enumerate("abcab"):
            assert groups.put(key, {"n": number})
        found = [(key, [each["n"] for each in values]) for key, values in groups.groups()]
    assert found == ([("whole", [0, 3, 2]), ("b", [1, 4])] if joined else [("a", [0, 3]), ("b", [1, 4]), ("c", [2])])


def test_what_grows_while_it_is_read_goes_to_a_file(tmp_path: Path) -> None:
    source = source_of(tmp_path)
    with RecordGroups(source) as groups:
        for number, key in enumerate("abab"):
            source.weighed += parsed_size.LOOKED_AT // 2
            assert groups.put(key, {"n": number})
            assert (groups._held is None) == (number > 1)
        assert [(key, [each["n"] for each in values]) for key, values in groups.groups()] == [
            ("a", [0, 2]),
            ("b", [1, 3]),
        ]


def test_keys_joined_in_a_circle_come_to_an_end(tmp_path: Path) -> None:
    with RecordGroups(source_of(tmp_path)) as groups:
        groups.join("a", "b")
        groups.join("b", "a")
        groups.put("a", 1)
        assert [values for _, values in groups.groups()] == [[1]]
