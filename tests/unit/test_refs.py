"""References: every form reads back as it was written; what is none gets a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.basics.errors import RefError
from reviewer.transcripts import refs
from reviewer.transcripts.refs import Absence

FORMS = [
    "kimi-k2.7-code/cancel-before-ship-3/2",
    "openai/gpt-4o/airline-12/0",
    "kimi/case",
    "a/b/1#4",
    "a/b/1#4:10-44",
    "a/b/1#4.reasoning:1-2",
    "a/b/1#4.2",
    "a/b/1#4.2.result",
    "a/b/1#4.2.result/status",
    "a/b/1#4.2.result/a~1b/0",
    "a/b/1#4.2.arguments:10-44",
    "a/b/1#judge.resolution",
    "a/b/1#judge.resolution:0-12",
    "a/b/1#judge.tone@gpt-5:3-4",
    "a/b/1#judge.in%20full%3A%40%23",
]


@pytest.mark.parametrize("text", FORMS)
def test_each_form_reads_back(text: str) -> None:
    assert str(refs.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "a/b#",
        "a/b#0",
        "a/b#4.result",
        "a/b#4.2.reasoning",
        "a/b#4/x",
        "a/b#4.2:1-3",
        "a/b#4:5-2",
        "a/b#4.2/x",
        "a/b#judge",
        "a/b#judge.x/y:4",
        "a/b#judge.x:5-2",
    ],
)
def test_what_is_no_reference_says_so(text: str) -> None:
    with pytest.raises(RefError, match=r"not a reference|not a place|ends before"):
        refs.parse(text)


@given(st.text(min_size=1), st.text(min_size=1), st.none() | st.integers(0, 99))
def test_any_names_make_a_reference_that_parses(model: str, case: str, run: int | None) -> None:
    ref = refs.conversation_ref(model, case, run)
    assert refs.parse(ref).conversation == ref
    assert not any(each.isspace() for each in ref)
    if run is not None:
        assert ref.rsplit("/", 2)[2] == str(run)


@given(st.text(), st.text(), st.none() | st.tuples(st.integers(0, 9), st.integers(9, 99)))
def test_any_score_and_judge_make_a_reference_that_reads_back(
    scorer: str, judge: str, span: tuple[int, int] | None
) -> None:
    ref = refs.judge_ref("a/b/1", refs.NoteName(scorer, judge), span)
    assert refs.parse(str(ref)) == ref
    assert not any(each.isspace() for each in str(ref))


def test_an_absence_reads_back() -> None:
    absence = refs.parse_absence("no cancel before #4")
    assert absence == Absence("cancel", 4)
    assert refs.absence_text(absence) == "no cancel before #4"
    assert refs.parse_absence("nothing") is None
