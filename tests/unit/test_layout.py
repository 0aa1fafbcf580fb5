"""Messages and calls as lines: what is shown, what is folded, and how the way back is kept."""

from __future__ import annotations

from rich.cells import cell_len

from reviewer.app.layout import (
    STYLES,
    CallClass,
    CallLayout,
    Line,
    MessageLayout,
    Piece,
    View,
    estimated_height,
    text_of,
)
from reviewer.app.layout.text_lines import SLICE, slices_of
from reviewer.app.layout.wrap import is_narrow
from reviewer.app.shared.theme import LOOKS
from reviewer.transcripts.model import Message, ToolCall
from tests.builders import agent, call, customer

WIDE = View(60)
INLINE = View(60, tools="inline")


def _shown(layout: MessageLayout | CallLayout) -> list[str]:
    return [text_of(line).rstrip() for line in layout.lines(0, layout.height)]


def _piece(lines: list[Line], text: str) -> Piece:
    return next(piece for line in lines for piece in line if piece.text == text)


def test_a_message_has_a_header_and_its_words() -> None:
    message = Message("customer", "Where is my order?\nIt is late.", at="2026-06-27T10:11:12.5Z")
    assert _shown(MessageLayout(message, 3, WIDE)) == [
        " 👤 customer  3  2026-06-27 10:11:12",
        "    Where is my order?",
        "    It is late.",
    ]


def test_times_are_told_from_the_first_message_unless_dates_are_wanted() -> None:
    first = "2026-06-27T10:11:12Z"
    view = View(60, since=first)
    for at, told in (
        (first, "+0:00"),
        ("2026-06-27T10:11:53.9Z", "+0:41"),
        ("2026-06-27T13:11:12+02:00", "+1:00:00"),
        ("2026-06-27T10:10:07Z", "-1:05"),
        ("2026-06-27T10:11:53", "2026-06-27 10:11:53"),
        ("later", "later"),
    ):
        message = Message("agent", "x", at=at)
        assert _shown(MessageLayout(message, 1, view))[0].endswith(f"  {told}")
    assert _shown(MessageLayout(message, 1, view._replace(dates=True)))[0].endswith("  later")
    dated = MessageLayout(Message("agent", "x", at=first), 1, view._replace(dates=True))
    assert _shown(dated)[0].endswith("  2026-06-27 10:11:12")
    assert _shown(MessageLayout(agent("x"), 1, view))[0] == " 🤖 agent  1"


def test_a_call_that_the_case_forbids_bears_its_sign() -> None:
    made = call("cancel_order", '{"id":"#1"}')
    for plain, sign in ((False, "⛔"), (True, "X")):
        laid = CallLayout(made, 1, View(60, plain=plain), CallClass("write", "cancel", forbidden=True))
        assert _shown(laid)[0].split()[1:4] == [sign, "cancel_order", "cancel"]
        assert _piece(laid.lines(0, 1), "cancel_order").style == "tool.forbidden"


def test_the_header_says_what_is_not_shown() -> None:
    message = agent("Hello.", call("get_order"), reasoning="x" * 1204)
    assert _shown(MessageLayout(message, 1, WIDE))[0] == " 🤖 agent  1  · reasoning 1,204 characters  · 1 call"
    assert _shown(MessageLayout(message, 1, View(60, tools="inline", reasoning=True)))[0] == " 🤖 agent  1"


def test_badges_that_do_not_fit_take_further_lines() -> None:
    badges = [Piece("⟦acts-before-confirming⟧", "tag"), Piece("⟦wrong-status⟧", "tag")]
    assert _shown(MessageLayout(agent("ok"), 12, View(40), badges)) == [
        " 🤖 agent  12  ⟦acts-before-confirming⟧",
        "    ⟦wrong-status⟧",
        "    ok",
    ]


def test_reasoning_stands_apart_by_a_sign() -> None:
    message = agent("Done.", reasoning="First\nthen")
    assert _shown(MessageLayout(message, 1, View(60, reasoning=True)))[1:] == ["    ┊ First", "    ┊ then", "    Done."]


def test_badges_names_and_hostile_names() -> None:
    message = Message("other", "x", source_role="moderator", name="Mia\x1b[2J\n")
    line = MessageLayout(message, 1, WIDE, [Piece("⟦wrong⟧", "tag")]).lines(0, 1)[0]
    assert text_of(line) == " 💬 Mia␛[2J⏎ (moderator)  1  ⟦wrong⟧"
    assert line[-1].style == "tag"


def test_plain_signs() -> None:
    message = agent("Hello.", call("cancel_order"))
    laid = MessageLayout(message, 1, View(60, tools="inline", plain=True), classed=[CallClass("write", "cancel")])
    assert all(line.isascii() for line in _shown(laid))


def test_words_are_wrapped_and_list_items_hang() -> None:
    message = agent("- one two three four five six\n  seven")
    assert _shown(MessageLayout(message, 1, View(20)))[1:] == [
        "  - one two three",
        "    four five six",
        "    seven",
    ]


def test_wide_characters_break_anywhere_but_before_closing_signs() -> None:
    assert _shown(MessageLayout(agent("一二三四五。六"), 1, View(10)))[1:] == ["一二三四", "五。六"]


def test_markdown_is_shown_as_emphasis_and_raw_as_it_is_written() -> None:
    text = "## The *title*\n**bold** and `code` [bold] </think>\n> quoted _words_\n```\n**x**\n```"
    lines = MessageLayout(agent(text), 1, WIDE).lines(1, 9)
    assert [text_of(line).strip() for line in lines] == [
        "The title",
        "bold and code [bold] </think>",
        "> quoted words",
        "```",
        "**x**",
        "```",
    ]
    styles = ["heading", "strong", "code", "emphasis", "code"]
    assert [_piece(lines, each).style for each in ("The ", "bold", "code", "words", "**x**")] == styles
    raw = MessageLayout(agent(text), 1, View(60, raw=True)).lines(1, 9)
    assert "\n".join(text_of(line).strip() for line in raw) == text
    assert {piece.style for line in raw for piece in line if piece.source} == {"text"}


def test_words_behind_marks_of_emphasis_lead_to_where_they_are_stored() -> None:
    text = "It was **delivered\u202e** on `Monday`,\n# at *last*."
    lines = MessageLayout(agent(text), 1, WIDE).lines(1, 9)
    assert [text_of(line).strip() for line in lines] == ["It was delivered⟨U+202E⟩ on Monday,", "at last."]
    for words in ("delivered", "Monday", ",", "at ", "last", "."):
        piece = _piece(lines, words)
        assert piece.source is not None
        assert text[piece.source.start : piece.source.end] == words
        assert piece.stored(len(words) - 1) == (piece.source.end - 1, piece.source.end)
    assert MessageLayout(agent(text), 1, WIDE).line_of("text", None, text.index("#")) == 1


def test_what_was_replaced_is_a_piece_of_its_own_that_leads_back() -> None:
    lines = MessageLayout(agent("Is it\u202e delivered?"), 1, WIDE).lines(1, 2)
    hidden, words = _piece(lines, "⟨U+202E⟩"), _piece(lines, " delivered?")
    assert (hidden.style, hidden.stored(3), hidden.shown(0, 6)) == ("control", (5, 6), (0, 8))
    assert (words.stored(1), words.shown(7, 16), words.shown(0, 6)) == ((7, 8), (1, 10), None)


def test_long_texts_fold_and_say_exactly_what_they_hide() -> None:
    text = "\n".join(f"line {number}" for number in range(1, 101))
    laid = MessageLayout(customer(text), 1, WIDE)
    assert laid.height == 26
    assert _shown(laid)[-2:] == ["    line 24", "    … 76 more lines, 608 characters · enter opens"]
    assert len(text) - text.index("line 25") == 608
    assert (laid.folds, laid.fold_at(25), laid.fold_at(24)) == (["text"], "text", None)
    opened = MessageLayout(customer(text), 1, View(60, toggled=frozenset({"text"})))
    assert (opened.height, _shown(opened)[100]) == (102, "    line 100")
    assert opened.fold_at(101) == "text"


def test_one_long_line_folds_by_characters() -> None:
    assert _shown(MessageLayout(customer("word " * 1000), 1, WIDE))[-1] == "    … 3,680 more characters · enter opens"


def test_what_is_folded_away_is_on_no_line() -> None:
    text = "\n".join(f"line {number}" for number in range(1, 101))
    laid = MessageLayout(customer(text), 1, WIDE)
    assert laid.line_of("text", None, text.index("line 3")) == 3
    assert laid.line_of("text", None, text.index("line 50")) is None
    opened = MessageLayout(customer(text), 1, View(60, toggled=frozenset({"text"})))
    assert opened.line_of("text", None, text.index("line 50")) == 50


def test_a_call_is_a_table_of_fields() -> None:
    made = call(
        "get_order", '{"order_id":"#1130"}', '{"status":"in transit","lines":[{"sku":"A\\"1","n":2}],"note":null}'
    )
    laid = CallLayout(made, 2, WIDE, CallClass("read"))
    assert _shown(laid) == [
        " ▾ ·  get_order  #1130                                    ok",
        "   → order_id  #1130",
        "   ← status  in transit",
        "     lines/0",
        '       sku   A"1',
        "       n     2",
        "     note    null",
    ]
    lines = laid.lines(0, laid.height)
    value = _piece(lines, "in transit").source
    assert value is not None
    assert made.result is not None
    assert (value.part, value.call, value.pointer) == ("result", 2, "/status")
    assert made.result[value.start : value.end] == "in transit"
    assert _piece(lines, '"').stored(0) == (made.result.index('\\"'), made.result.index('\\"') + 2)


def test_a_lone_field_keeps_its_path_and_a_long_key_its_own_line() -> None:
    made = call("t", "{}", '{"a":{"b":{"c":1}},"' + "k" * 40 + '":{"x":true},"e":{},"s":"y"}')
    assert _shown(CallLayout(made, 1, View(40), CallClass()))[1:] == [
        "   ← a/b/c              1",
        "     kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk…",
        "       true",
        "     e                  {}",
        "     s                  y",
    ]


def test_an_error_that_is_the_result_is_shown_once() -> None:
    laid = CallLayout(call("t", "{}", "no such order", "no such order"), 1, WIDE, CallClass())
    assert _shown(laid)[1:] == ["   ← no such order"]
    assert _piece(laid.lines(0, 2), "no such order").style == "error"


def test_states_of_calls_are_words() -> None:
    heads = [
        CallLayout(made, 1, WIDE, classed).lines(0, 1)[0]
        for made, classed in (
            (call("cancel_order", '{"id":"#1"}', "{}", error="timeout"), CallClass("write", "cancel")),
            (ToolCall("think", "{}"), CallClass()),
            (ToolCall("", None, "{}", orphan=True), CallClass("handover", key="#7")),
        )
    ]
    assert [text_of(head).split() for head in heads] == [
        ["▾", "⚡", "cancel_order", "cancel", "#1", "✗", "error"],
        ["▾", "?", "think", "∅", "no", "result"],
        ["▾", "⇥", "(no", "name)", "#7", "∅", "no", "call"],
    ]
    assert heads[0][-1].style == "error"
    assert {"tool.write", "tool.unclassed", "tool.handover"} <= {piece.style for head in heads for piece in head}


def test_errors_and_late_results_are_said() -> None:
    made = ToolCall("pay", "{}", "no json", "card declined", result_after=9)
    assert _shown(CallLayout(made, 1, WIDE, CallClass()))[1:] == [
        "   card declined",
        "   result came after message 9",
        "   ← no json",
    ]


def test_json_and_raw_on_demand() -> None:
    made = call("t", "{}", '{"a":[1,{}],"b":"x"}')
    as_json = _shown(CallLayout(made, 1, View(60, toggled=frozenset({"1.json"})), CallClass()))[1:]
    assert [line[5:] for line in as_json] == ["{", '  "a": [', "    1,", "    {}", "  ],", '  "b": "x"', "}"]
    assert _shown(CallLayout(made, 1, View(60, raw=True), CallClass()))[1:] == ["   → {}", '   ← {"a":[1,{}],"b":"x"}']


def test_long_results_fold_and_count_their_fields() -> None:
    result = "{" + ",".join(f'"f{number:03}":{number}' for number in range(100)) + "}"
    laid = CallLayout(call("t", "{}", result), 1, WIDE, CallClass())
    hidden = len(result) - result.index('"f024"')
    assert _shown(laid)[-1].strip() == f"… 76 more fields, {hidden:,} characters · enter opens"
    assert laid.folds == ["1", "1.result"]


def test_empty_fields_fold_into_a_line_and_open_with_the_call() -> None:
    result = '{"status":"sent","note":null,"to":"","lines":[{"sku":"A","tags":[]}],"extra":{}}'
    closed = CallLayout(call("t", "{}", result), 1, WIDE, CallClass())
    assert _shown(closed)[1:] == ["   ← status       sent", "     lines/0/sku  A", "     … 4 empty fields"]
    assert (closed.folds, closed.fold_at(3)) == (["1", "1.result"], "1.result")
    assert closed.line_of("result", 1, result.index("null")) is None
    assert closed.line_of("result", 1, result.index('"A"')) == 2
    opened = CallLayout(call("t", "{}", result), 1, View(60, toggled=frozenset({"1.result"})), CallClass())
    assert [line.split()[-1] for line in _shown(opened)[1:]] == ["sent", "null", '""', "lines/0", "A", "[]", "{}"]
    assert opened.folds == ["1", "1.result"]


def test_one_empty_field_is_shown_and_several_without_others_keep_their_sign() -> None:
    one = CallLayout(ToolCall("t", '{"a":1,"b":null}'), 1, WIDE, CallClass())
    none = CallLayout(ToolCall("t", '{"a":[],"b":null}'), 1, WIDE, CallClass())
    assert (_shown(one)[1:], _shown(none)[1:]) == (["   → a  1", "     b  null"], ["   → … 2 empty fields"])


def test_a_fold_counts_the_empty_fields_before_it_and_those_it_hides_among_the_rest() -> None:
    result = '{"first":null,"second":null,' + ",".join(f'"f{number:02}":{number}' for number in range(50)) + ',"z":""}'
    lines = _shown(CallLayout(call("t", "{}", result), 1, View(80), CallClass()))
    hidden = len(result) - result.index('"f24"')
    assert lines[-2:] == ["     … 2 empty fields", f"     … 27 more fields, {hidden} characters · enter opens"]


def test_ends_of_lines_within_quotes_end_lines() -> None:
    assert _shown(CallLayout(call("t", "{}", '{"a":"one\\ntwo"}'), 1, WIDE, CallClass()))[1:] == [
        "   ← a  one",
        "        two",
    ]
    assert _shown(CallLayout(call("t", "{}", '"one\\ntwo"'), 1, WIDE, CallClass()))[1:] == ["   ← one", "     two"]


def test_a_reply_that_is_json_is_shown_by_its_fields() -> None:
    text = '{"reply": "Sent on\\nMonday.", "sure": 0.4, "more": null, "and": []}'
    laid = MessageLayout(agent(text), 1, WIDE)
    assert _shown(laid)[1:] == ["    reply  Sent on", "           Monday.", "    sure   0.4", "    … 2 empty fields"]
    source = _piece(laid.lines(0, 9), "Monday.").source
    assert source is not None
    assert (source.part, source.call, text[source.start : source.end]) == ("text", None, "Monday.")
    assert laid.folds == ["text"]
    assert _shown(MessageLayout(agent(text), 1, View(60, raw=True)))[1].strip().startswith('{"reply"')
    assert _shown(MessageLayout(agent("[bold] {x}"), 1, WIDE))[1:] == ["    [bold] {x}"]


def test_a_fold_before_a_heading_counts_only_what_it_hides() -> None:
    plain = ",".join(f'"f{number:02}":{number}' for number in range(24))
    result = "{" + plain + ',"group":{' + ",".join(f'"g{number:02}":0' for number in range(30)) + "}}"
    laid = CallLayout(call("t", "{}", result), 1, WIDE, CallClass())
    hidden = len(result) - result.index('"g00"')
    assert _shown(laid)[-1].strip() == f"… 30 more fields, {hidden:,} characters · enter opens"


def test_no_room_at_all_is_no_endless_loop() -> None:
    message = agent("some words", call("t", '{"a":"b c"}'), reasoning="more words")
    for width in (0, -1):
        assert MessageLayout(message, 1, View(width, tools="inline", reasoning=True)).height > 0


def test_calls_fold_to_their_head() -> None:
    message = agent("ok", call("a", '{"x":1}'), call("b", '{"x":1}'))
    closed = MessageLayout(message, 1, View(60, tools="inline", calls_open=False, toggled=frozenset({"2"})))
    assert [line.split()[0] for line in _shown(closed)[2:]] == ["▸", "▾", "→", "←"]
    assert (closed.call_lines(1), closed.call_lines(2)) == ((2, 3), (3, 6))
    assert [closed.call_at(line) for line in (1, 2, 5)] == [None, 1, 2]


def test_characters_taken_for_narrow_are_one_cell_wide() -> None:
    narrow = [chr(code) for code in range(0x20, 0x10000) if is_narrow(chr(code)) and chr(code) != "\x7f"]
    assert len(narrow) > 1_000
    assert {cell_len(character) for character in narrow} == {1}


def test_the_theme_knows_every_style() -> None:
    assert LOOKS.keys() >= STYLES


def test_an_empty_message_says_so() -> None:
    assert _shown(MessageLayout(agent(""), 1, WIDE))[1:] == ["    no text"]
    assert len(_shown(MessageLayout(agent("", call("a")), 1, WIDE))) == 1


def test_a_megabyte_is_laid_out_only_where_it_is_looked_at() -> None:
    for text in ("x" * 1_000_000, "word " * 200_000, "\n" * 1_000_000, "\x00\u202e" * 500_000, "文" * 1_000_000):
        laid = MessageLayout(customer(text), 1, View(80, toggled=frozenset({"text"})))
        middle = laid.lines(laid.height // 2, laid.height // 2 + 40)
        assert len(middle) == 40
        assert not laid.exact
        assert estimated_height(customer(text), View(80)) == 26


def test_a_megabyte_of_fields_is_laid_out_from_the_top() -> None:
    result = "[" + ",".join('{"id":1,"name":"x"}' for _ in range(50_000)) + "]"
    laid = CallLayout(call("t", "{}", result), 1, View(80, toggled=frozenset({"1.result"})), CallClass())
    assert text_of(laid.lines(1, 2)[0]).split() == ["←", "0"]
    assert text_of(laid.lines(2, 3)[0]).split() == ["id", "1"]
    assert not laid.exact
    deep = CallLayout(call("t", "{}", "[" * 500_000 + "]" * 500_000), 1, View(80), CallClass())
    assert deep.height == 26


def test_a_long_text_is_cut_into_slices_that_are_neither_short_nor_long() -> None:
    text = "a\n" + "word " * 900 + "\n" + "x" * 20_000
    cut = list(slices_of(text))
    assert "".join(text[start:end] for start, end in cut) == text
    assert all(SLICE // 2 <= end - start <= SLICE for start, end in cut[:-1])
