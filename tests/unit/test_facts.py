"""What is known of a conversation opens with a key, however long it is."""

from __future__ import annotations

import pytest

from reviewer.app.shared.facts import facts
from reviewer.transcripts.model import Case, Conversation, Message, Score, Stored
from tests.builders import DESK


def sheet(text: str, entries: int = 1) -> str:
    """The facts of a conversation about which everything is this text."""
    case = Case("long", persona=text, goal=text, context=text, order={f"{n}": text for n in range(entries)})
    scores = tuple(Score("tone", None, f"judge {n}", text, text) for n in range(entries))
    meta = {f"m{n}": text for n in range(entries)}
    talk = Conversation("kimi", (Message("customer", "Hi."),), case="long", scores=scores, meta=meta, error=text)
    return facts(Stored(1, "kimi/long/1", "d", talk, "x.jsonl", False), case, DESK, 80).plain


def test_what_is_long_is_laid_out_as_far_as_one_reads_in_a_sheet() -> None:
    told = sheet("All is well. " * 100_000)
    assert len(told) < 80_000
    assert "(1,296,000 more characters: reviewer show --json)" in " ".join(told.split())
    assert len(sheet("a. " * 2_000_000)) < 80_000


@pytest.mark.parametrize("entries", [1_000, 100_000])
def test_of_many_facts_the_first_are_laid_out(entries: int) -> None:
    told = sheet("Fine.", entries)
    assert len(told) < 120_000
    assert told.endswith("… and more: reviewer show --json")


def test_what_is_short_is_whole() -> None:
    assert "more" not in sheet("All is well.")
