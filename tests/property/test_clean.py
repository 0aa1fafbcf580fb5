"""The laws of cleaning, whatever the text."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from reviewer.basics.clean import MARKS, cleaned, printable, printable_line

CONTROLS = "\x00\x07\x1b\t\r\n\x7f\x85\x9b"
HIDDEN = "\xad\u061c\u200b\u200c\u200d\u200e\u202e\u2028\u2066\ufe0f\ufeff\ud800\U000e0041\U0010ffff"
JOINABLE = "ab 1#é中❤✈👩👨🏽🇩🇪\u20e3\u0301\u0488مشක්"
LEFT_OUT = "\u200d\ufe0e\ufe0f🏻🏼🏽🏾🏿"
texts = st.text(st.one_of(st.sampled_from(CONTROLS + HIDDEN + JOINABLE), st.characters(codec=None)), max_size=60)

_FORBIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff"
    "\ufffe\uffff\U000e0000-\U000e0fff]"
)


@given(texts)
@example("👩\u200d" * 9 + "👩")
@example("e" + "\u0301" * 30)
@example("1\ufe0f\u20e3\ufe0f")
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    once = printable(text)
    assert printable(once) == once
    assert cleaned(once).runs == ()


@given(texts)
def test_nothing_that_steers_a_terminal_is_left(text: str) -> None:
    shown = printable(text)
    assert not _FORBIDDEN.search(shown)
    assert "\n" not in printable_line(text)
    assert not re.search(f"[\u0300-\u034e\u0350-\u036f]{{{MARKS + 1}}}", shown)


@given(texts)
def test_both_maps_never_turn_back_and_ends_meet_ends(text: str) -> None:
    shown = cleaned(text)
    there = [shown.stored(i) for i in range(len(shown.text) + 1)]
    back = [shown.printed(j) for j in range(len(text) + 1)]
    assert there == sorted(there)
    assert back == sorted(back)
    assert (there[0], back[0]) == (0, 0)
    assert (there[-1], back[-1]) == (len(text), len(shown.text))


@given(texts)
def test_what_was_left_alone_is_found_by_its_very_words(text: str) -> None:
    shown = cleaned(text)
    done = 0
    for run in (*shown.runs, None):
        start, end = done, run.printed if run else len(shown.text)
        first, last = shown.stored_span(start, end)
        assert text[first:last] == shown.text[start:end]
        for offset in range(start, end):
            assert shown.printed(shown.stored(offset)) == offset
        done = run.printed_end if run else end


@given(texts)
def test_every_replacement_leads_to_what_it_replaced(text: str) -> None:
    shown = cleaned(text)
    for run in shown.runs:
        if not run.printed_unit:
            assert set(text[run.stored : run.stored_end]) <= set(LEFT_OUT)
            continue
        for unit in range(run.times):
            at, stored = run.printed + unit * run.printed_unit, run.stored + unit * run.stored_unit
            if run.stored_unit == 1:
                assert shown.text[at : at + run.printed_unit] == printable(text[stored])
            assert shown.stored_span(at, at + run.printed_unit) == (stored, stored + run.stored_unit)
            assert (shown.printed(stored), shown.printed(stored + run.stored_unit)) == (at, at + run.printed_unit)
            assert {shown.stored(i) for i in range(at, at + run.printed_unit)} == {stored}


@given(texts)
@example("✈\ufe0f 1\ufe0f\u20e3 👩🏽\u200d🔧 🇩🇪🇨 🏽 ක්\u200dර")
def test_every_terminal_counts_the_cells_of_a_line_alike(text: str) -> None:
    """Some go by the character, others by what it is joined to: what is printed must not depend on that."""
    shown = "".join(each for each in printable_line(text) if unicodedata.category(each) not in ("Cn", "Co", "Mc", "Lo"))
    assert cell_len(shown) == sum(map(_cells, shown))


def _cells(character: str) -> int:
    """The cells of one character by itself, as `wcwidth` counts them."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
