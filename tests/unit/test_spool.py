"""Rows put in as they come are taken out group by group, in the order of the first of each."""

from __future__ import annotations

import pytest

from reviewer.transcripts.store.spool import Spool


@pytest.mark.parametrize("length", [1, 5_000], ids=["held in memory", "put into a file"])
def test_groups_come_by_their_first_row_and_keep_its_order(length: int) -> None:
    with Spool() as spool:
        for number in range(3_000):
            spool.put(f"c{(7 - number) % 3}", str(number).ljust(length))
        held = [(key, list(texts)) for key, texts in spool.groups()]
    assert [key for key, _ in held] == ["c1", "c0", "c2"]
    assert [list(map(int, texts[:2])) for _, texts in held] == [[0, 3], [1, 4], [2, 5]]
    assert sum(len(texts) for _, texts in held) == 3_000


def test_an_empty_spool_has_no_groups() -> None:
    with Spool() as spool:
        assert list(spool.groups()) == []


def test_texts_are_taken_out_once() -> None:
    with Spool() as spool:
        for n, key in enumerate("abab"):
            spool.put(key, f"{n}")
        assert spool.take("a") == ["0", "2"]
        assert (spool.take("a"), spool.take("c")) == ([], [])
        assert [(key, list(texts)) for key, texts in spool.groups()] == [("b", ["1", "3"])]
