"""Records of one conversation come together, whether their file was small enough for memory or not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reviewer.imports import parsed_size
from reviewer.imports.formats.parts.record_groups import RecordGroups, grouped_conversations
from reviewer.imports.source import BadRecord, Extract, Remark, Source
from reviewer.transcripts.model import Conversation


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


def rows_of(position: str, record: Any) -> Iterator[BadRecord | tuple[str, Any]]:
    if "key" in record:
        yield record["key"], record
    else:
        yield BadRecord(position, "no key in it")


def conversation_of(key: str, rows: list[Any]) -> Extract | None:
    texts = [row["text"] for row in rows]
    return Extract(key, Conversation("", (), id=" ".join(texts))) if any(texts) else None


def log_of(folder: Path, *lines: str) -> Source:
    (folder / "log.jsonl").write_text("\n".join(lines))
    return Source(folder / "log.jsonl", "log.jsonl")


def test_groups_become_conversations_and_those_without_words_are_counted(tmp_path: Path) -> None:
    log = log_of(
        tmp_path,
        '{"key": "a", "text": "one"}',
        '{"key": "b", "text": ""}',
        '{"other": 1}',
        '{"key": "a", "text": "two"}',
        '{"key": "c", "text": "three", "into": "a"}',
    )

    def joins(key: str, row: Any) -> Iterator[tuple[str, str]]:
        if "into" in row:
            yield key, row["into"]

    bad, extract, remark = grouped_conversations(log, rows_of, conversation_of, "groups are silent", joins)
    assert bad == BadRecord("line 3", "no key in it")
    assert isinstance(extract, Extract)
    assert (extract.position, extract.conversation.id) == ("a", "one two three")
    assert remark == Remark("1 groups are silent")


@pytest.mark.parametrize(("by_row", "kept"), [(False, ['[{"key":"a"},{"key":"a","text":"x"}]']), (True, None)])
def test_a_group_of_unknown_shape_is_kept_and_the_others_are_read(
    tmp_path: Path, by_row: bool, kept: list[str] | None
) -> None:
    log = log_of(tmp_path, '{"key":"a"}', '{"key":"a","text":"x"}', '{"key":"b","text":"y"}')
    *bad, extract = grouped_conversations(log, rows_of, conversation_of, "silent", refused_by_row=by_row)
    assert isinstance(extract, Extract)
    assert extract.position == "b"
    assert [(item.position, item.reason) for item in bad if isinstance(item, BadRecord)] == [
        ("a", "not shaped as this format is (it has no “text”)")
    ] * len(bad)
    assert [item.raw for item in bad if isinstance(item, BadRecord)] == (
        kept or ['{"key":"a"}', '{"key":"a","text":"x"}']
    )
