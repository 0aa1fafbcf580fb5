"""A query that finds nothing says which of its names the store does not have."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.model import Score
from reviewer.query import parse
from reviewer.query.absence import unknown
from reviewer.store.reader import Reader
from tests.builders import conversation, customer, store
from tests.unit.test_cli import run

CALLED = "No tool here is “cancl*”. Did you mean cancel_order?"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("model:kimmi", ["No model here is “kimmi”. Did you mean kimi?"]),
        ("tool:cancl*", [CALLED]),
        ("tool:cancl* model:KIMI", [CALLED]),
        ("case:zzz,used-item-1", ["No case here is “zzz”; known: b, used-item-1."]),
        ("bucket:adversarial", ["No bucket here is “adversarial”."]),
        ("-model:zzz", []),
        ("model:none suite:none", []),
        ("score.TONE:>5", []),
        ("score.tune:>5", ["No scorer here is “tune”. Did you mean tone?"]),
        ('model:"kimi" case:used* messages:>99 ended:cut "words"', []),
    ],
)
def test_names_that_stand_nowhere(tmp_path: Path, query: str, said: list[str]) -> None:
    judged = replace(conversation(), scores=(Score("tone", 1.0),))
    path = store(tmp_path, judged, conversation(customer("Hi."), case="b"))
    with Reader(path) as reader:
        assert unknown(parse(query), reader.vocabulary, reader.orders.scorers) == said


def test_list_and_search_say_so_beside_their_output(tmp_path: Path) -> None:
    path = store(tmp_path)
    for command, words, said in (("list", [], "No conversation matches."), ("search", ["refund"], "Nothing found.")):
        ended = run(command, path, "model:kimmi", *words)
        assert (ended.returncode, ended.stdout) == (0, "")
        assert ended.stderr.splitlines() == [said, "No model here is “kimmi”. Did you mean kimi?"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("messages:>99 model:kimi", "messages:>99 finds nothing by itself."),
        ("messages:>99 calls:>9 refund*", "messages:>99 and calls:>9 find nothing by themselves."),
        ("case:b cancelled", "Without case:b or without cancelled something does."),
        ("-(case:b) role:agent -cancelled", "Without -cancelled or without -(case:b) something does."),
        ("case:b case:used-item-1 cancelled", "Without case:b something does."),
        ("case:b or messages:>99", None),
    ],
)
def test_what_excludes_all_the_rest_is_said(tmp_path: Path, query: str, said: str | None) -> None:
    path = store(tmp_path, conversation(), conversation(customer("A refund."), case="b"))
    ended = run("list", path, *query.split())
    assert ended.stderr.splitlines() == (["No conversation matches.", said] if said else [])
