"""The laws of layout, whatever the message and the width."""

from __future__ import annotations

import json
import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from reviewer.app.layout import STYLES, CallClass, CallLayout, Line, MessageLayout, Piece, View, text_of, width_of
from reviewer.app.layout.case_lines import CaseLayout
from reviewer.basics.clean import printable
from reviewer.transcripts.model import Case, Conversation, Message, Score, ToolCall

BLANK = " \t\r\n\u200d\ufe0e\ufe0f🏻🏼🏽🏾🏿"
"""What need not be printed: blanks at the ends of lines, and what only joins emoji or gives them a tone."""
MARKS = "*_`#"
"""What Markdown marks emphasis and headings with: not printed but in raw text."""
PLAIN = ["the", "order", "#1130", "**shipped**", "on", "`Monday`", "–", "naïve_name", "-", "*", "**", "# Of", "_so_"]
ODD = ["中文的句子，", "👩\u200d🔧", "👍🏽", "🇩🇪", "e\u0301", "1\ufe0f\u20e3", "```\n\n\r\n\t\x1b\u202e\x00⟨"]
WORDS = PLAIN + ODD
texts = st.one_of(
    st.lists(st.sampled_from([*WORDS, " ", "  ", "\n", "\n- ", "\n\n    "]), max_size=40).map("".join),
    st.lists(st.sampled_from([*WORDS, "\n"]), max_size=40).map(" ".join),
    st.text(max_size=60),
)
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), texts)
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=12)
objects = st.dictionaries(texts, values, min_size=1, max_size=5)
raws = st.one_of(
    st.builds(json.dumps, objects, ensure_ascii=st.booleans(), indent=st.sampled_from([None, 2])),
    objects.map(repr),
    texts,
)
calls = st.builds(ToolCall, texts, raws | st.none(), raws | st.none(), st.none() | texts)
views = st.builds(
    View,
    st.integers(1, 100),
    tools=st.sampled_from(["inline", "beside"]),
    reasoning=st.booleans(),
    raw=st.booleans(),
    json=st.booleans(),
    calls_open=st.booleans(),
    plain=st.booleans(),
    opens=st.just("enter"),
    toggled=st.frozensets(st.sampled_from(["text", "reasoning", "1", "1.result", "1.json"])),
)
messages = st.builds(
    Message,
    st.sampled_from(["customer", "agent", "system", "other"]),
    texts | raws,
    texts,
    st.lists(calls, max_size=2).map(tuple),
)


def _all(layout: MessageLayout | CallLayout) -> list[Line]:
    lines = layout.lines(0, 10**9)
    assert layout.exact
    assert layout.height == len(lines)
    return lines


@given(messages, views)
@example(Message("agent", "中文 👩\u200d🔧"), View(1))
@example(
    Message("agent", calls=(ToolCall("", result='{"a": "\\ud83c\\udc00\\u200d\\ud83c\\udc00"}'),)),
    View(1, tools="inline"),
)
def test_every_line_fits_and_steers_no_terminal(message: Message, view: View) -> None:
    for line in _all(MessageLayout(message, 7, view, [Piece("badge", "tag")])):
        assert width_of(line) <= view.width
        assert printable(text_of(line)) == text_of(line)
        assert "\n" not in text_of(line)
        assert {piece.style for piece in line} <= STYLES | {"tag"}


@given(texts, st.integers(1, 60), st.booleans())
def test_nothing_but_blanks_between_lines_is_lost(text: str, width: int, raw: bool) -> None:
    layout = MessageLayout(Message("agent", text), 1, View(width, raw=raw, toggled=frozenset({"text"})))
    unprinted = BLANK if raw else BLANK + MARKS
    done = 0
    for line in _all(layout):
        for piece in line:
            if piece.source is None or piece.source.start < done:
                # Parts of one replacement share its source.
                assert piece.source is None or (piece.unit == 0 and piece.source.end == done)
                continue
            assert text[done : piece.source.start].strip(unprinted) == ""
            stored = text[piece.source.start : piece.source.end]
            assert piece.text == stored or printable(stored) == piece.text or piece.unit == 0
            done = piece.source.end
    assert text[done:].strip(unprinted) == ""


@given(st.lists(st.sampled_from([*PLAIN, *ODD, "\n", " "]), min_size=60, max_size=300), st.integers(16, 60))
def test_a_fold_says_exactly_what_it_hides(parts: list[str], width: int) -> None:
    text = "\n".join(parts)
    laid = MessageLayout(Message("agent", text), 1, View(width))
    lines = _all(laid)
    said = "".join(piece.text + " " for line in lines for piece in line if piece.fold)
    shown = max((p.source.end for line in lines for p in line if p.source), default=0)
    found = re.search(r"([\d,]+) (?:more )?characters", said)
    assert found is not None
    hidden = text[len(text) - int(found[1].replace(",", "")) :]
    assert text[shown : len(text) - len(hidden)].strip(BLANK + MARKS) == ""
    assert laid.line_of("text", None, len(text) - len(hidden)) is None


@given(objects, st.booleans(), st.integers(1, 80), st.booleans())
def test_every_character_of_a_field_leads_to_the_raw_text(
    value: object, escaped: bool, width: int, as_json: bool
) -> None:
    raw = json.dumps(value, ensure_ascii=escaped)
    layout = CallLayout(
        ToolCall("t", None, raw), 1, View(width, json=as_json, toggled=frozenset({"1.result"})), CallClass()
    )
    for line in _all(layout):
        for piece in line:
            if piece.source is None or not piece.unit:
                continue
            assert piece.source.part == "result"
            for at, character in enumerate(piece.text):
                start, end = piece.stored(at) or (0, 0)
                stored = _unescaped(raw[start:end])
                assert character in (stored, printable(stored))
                assert piece.shown(start, end) == (at, at + 1)


def _unescaped(raw: str) -> str:
    return str(json.loads(f'"{raw}"')) if len(raw) > 1 else raw


@given(objects, st.booleans(), st.integers(24, 80))
def test_a_field_shows_the_value_its_pointer_leads_to(value: object, escaped: bool, width: int) -> None:
    raw = json.dumps(value, ensure_ascii=escaped)
    shown: dict[str, str] = {}
    for line in _all(
        CallLayout(ToolCall("t", None, raw), 1, View(width, toggled=frozenset({"1.result"})), CallClass())
    ):
        for piece in line:
            if piece.source and piece.source.pointer is not None and piece.style not in ("field.key", "field.group"):
                shown[piece.source.pointer] = shown.get(piece.source.pointer, "") + piece.text
    for pointer, text in shown.items():
        stored = printable(_resolved(value, pointer))
        assert re.sub(r"\s", "", text) == re.sub(r"\s", "", stored) or text == '""'


def _resolved(value: object, pointer: str) -> str:
    for name in pointer.split("/")[1:]:
        if isinstance(value, dict):
            value = value[name.replace("~1", "/").replace("~0", "~")]
        elif isinstance(value, list):
            value = value[int(name)]
    return value if isinstance(value, str) else json.dumps(value)


@given(messages, views, st.integers(0, 60), st.integers(0, 30))
def test_a_window_shows_what_the_whole_shows(message: Message, view: View, first: int, count: int) -> None:
    whole = _all(MessageLayout(message, 1, view))
    assert MessageLayout(message, 1, view).lines(first, first + count) == whole[first : first + count]


@given(messages, views)
def test_a_stored_character_is_found_on_the_line_that_shows_it(message: Message, view: View) -> None:
    layout = MessageLayout(message, 1, view)
    lines = _all(layout)
    for number, line in enumerate(lines):
        for piece in line:
            if piece.source is not None and piece.source.end > piece.source.start:
                found = layout.line_of(piece.source.part, piece.source.call, piece.source.end - 1)
                assert found is not None
                assert found == number or (piece.unit == 0 and found < number)


@settings(max_examples=20)
@given(texts, st.integers(8, 90))
def test_a_long_text_read_from_the_end_is_the_same(part: str, width: int) -> None:
    text = (part * (20_000 // max(1, len(part)))) + "word " * 2000
    view = View(width, toggled=frozenset({"text"}))
    down, up = MessageLayout(Message("agent", text), 1, view), MessageLayout(Message("agent", text), 1, view)
    whole = _all(down)
    up.lines(up.height - 10, up.height)
    up.line_of("text", None, len(text) // 2)
    assert _all(up) == whole
    assert not re.search("[\x00-\x1f]", "".join(map(text_of, whole)))


cases = st.builds(Case, texts, bucket=st.none() | texts, forbidden=st.lists(texts, max_size=2).map(tuple), goal=texts,
                  order=st.none() | objects, expected=st.lists(texts, max_size=2).map(tuple))  # fmt: skip
scores = st.builds(Score, texts, st.none() | st.floats(allow_nan=False), st.none() | texts, st.none() | texts)


@given(cases, st.lists(scores, max_size=4).map(tuple), views, st.booleans(), st.booleans())
def test_what_is_known_of_a_case_fits_and_its_notes_lead_back(
    case: Case, given_scores: tuple[Score, ...], view: View, opened: bool, judges: bool
) -> None:
    conversation = Conversation("kimi", (), facts=case, scores=given_scores)
    view = view._replace(toggled=frozenset({"case"} if opened else ()))
    laid = CaseLayout(conversation, view, judges, [Piece("⟦x⟧", "tag")])
    lines = laid.lines(0, 10**9)
    assert (len(lines), laid.exact) == (laid.height, True)
    notes = conversation.judged
    for line in lines:
        assert width_of(line) <= view.width
        assert printable(text_of(line)) == text_of(line)
        assert {piece.style for piece in line} <= STYLES | {"tag"}
        for piece in line:
            if piece.source is not None and piece.unit == 1:
                stored = notes[(piece.source.call or 0) - 1].text[piece.source.start : piece.source.end]
                assert piece.text in (stored, printable(stored))
    assert {piece.source.call for line in lines for piece in line if piece.source} <= set(range(1, len(notes) + 1))
    for number, note in enumerate(notes, start=1):
        shown = laid.call_lines(number)
        assert (shown is not None) == (opened and judges)
        if shown is not None and note.text.strip():
            assert laid.line_of("text", number, 0) is not None
