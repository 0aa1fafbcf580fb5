"""What reaches the terminal instead of what was stored, and the way back."""

from __future__ import annotations

import random

import pytest
from rich.cells import get_character_cell_size

from reviewer.basics.clean import MARKS, cleaned, printable, printable_line


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("plain words, naïve “quotes” – 中文", "plain words, naïve “quotes” – 中文"),
        ("two\nlines", "two\nlines"),
        ("\x1b[31mred\x1b]0;title\x07", "␛[31mred␛]0;title␇"),
        ("nul\x00del\x7f", "nul␀del␡"),
        ("\x9b31m", "⟨U+009B⟩31m"),
        ("a\u202eb\u2069", "a⟨U+202E⟩b⟨U+2069⟩"),
        ("zero\u200bwidth\ufeff", "zero⟨U+200B⟩width⟨U+FEFF⟩"),
        ("line\u2028paragraph\u2029", "line⟨U+2028⟩paragraph⟨U+2029⟩"),
        ("tag\U000e0041", "tag⟨U+E0041⟩"),
        ("none\uffff\U0010ffff", "none⟨U+FFFF⟩⟨U+10FFFF⟩"),
        ("lone\ud83d", "lone⟨U+D83D⟩"),
        ("a\tb", "a    b"),
        ("dos\r\nmac\rend\r\r\n", "dos\nmac␍end␍\n"),
        ("soft\xadhyphen", "soft⟨U+00AD⟩hyphen"),
        ("[bold]</think>[/foo]", "[bold]</think>[/foo]"),
    ],
)
def test_what_is_shown(stored: str, shown: str) -> None:
    assert printable(stored) == shown
    assert cleaned(stored).text == shown


@pytest.mark.parametrize(
    ("stored", "on_screen"),
    [
        ("a ✈\ufe0f, a ❤\ufe0f, a 1\ufe0f\u20e3", "a ✈, a ❤, a 1\u20e3"),
        ("shrug 🤷\u200d♀\ufe0f, kiss 👩\u200d❤\ufe0f\u200d💋\u200d👨", "shrug 🤷♀, kiss 👩❤💋👨"),
        ("thumb 👍🏽, mechanic 👩🏽\u200d🔧", "thumb 👍, mechanic 👩🔧"),
        ("from 🇩🇪 to 🇨🇭", "from DE to CH"),
        ("Persian می\u200cخواهم, Sinhala ශ්\u200dරී", "Persian می\u200cخواهم, Sinhala ශ්රී"),
        ("decomposed e\u0301, Hebrew שָׁלוֹם", "decomposed e\u0301, Hebrew שָׁלוֹם"),
    ],
)
def test_what_joins_stays_in_files_and_is_left_out_on_screen(stored: str, on_screen: str) -> None:
    assert printable(stored, joined=True) == stored
    assert printable(stored) == on_screen


def test_a_sign_on_screen_leads_to_where_its_base_is_stored() -> None:
    shown = cleaned("a ✈\ufe0f b 👩🏽\u200d🔧")
    assert [shown.stored(at) for at in range(len(shown.text))] == [0, 1, 2, 4, 5, 6, 7, 10]
    assert [shown.stored_span(at, at + 1) for at in (2, 6, 7)] == [(2, 3), (7, 8), (10, 11)]
    assert [shown.printed(at) for at in (2, 3, 4, 7, 8, 9, 10)] == [2, 3, 3, 6, 7, 7, 7]


def test_a_tone_without_an_emoji_is_shown_by_its_number() -> None:
    assert printable("a🏽 👍🏽🏽") == "a⟨U+1F3FD⟩ 👍⟨U+1F3FD⟩"


def test_joiners_elsewhere_are_shown() -> None:
    assert printable("pass\u200dword") == "pass⟨U+200D⟩word"
    assert printable("a\ufe0fb") == "a⟨U+FE0F⟩b"


def test_an_emoji_chain_beyond_any_real_one_is_broken() -> None:
    chain = "\u200d".join("👨" * 20)
    assert printable(chain, joined=True).count("\u200d") == 3
    assert printable(chain).count("⟨U+200D⟩") == 16


def test_signs_without_a_width_do_not_pile_up() -> None:
    widthless = [chr(code) for code in range(0x1F000) if get_character_cell_size(chr(code)) == 0]
    assert len(widthless) > 2_000
    chance = random.Random(17)
    texts = ["a" + each * 40 for each in widthless]
    texts += [(each * 8 + joiner) * 4 for each in widthless[::9] for joiner in "\u200c\u200d"]
    texts += ["".join(chance.choices(widthless, k=60)) for _ in range(200)]
    texts += ["".join(chance.choices(("\u0730", "\u093c", "\u200d", "\u200c", "\ufe0f"), k=60)) for _ in range(200)]
    for text in texts:
        longest = run = 0
        for character in cleaned(text).text:
            run = 0 if character == "\n" or get_character_cell_size(character) else run + 1
            longest = max(longest, run)
        assert longest <= MARKS + 1, ascii(text[:12])  # a joiner may follow them


def test_marks_as_languages_use_them_stay() -> None:
    for words in (
        "\u0938\u0924\u094d\u092f\u092e\u0947\u0935",
        "\u09b0\u200d\u09cd\u09af",
        "\u0712\u0733\u0732\u0720",
        "\u1112\u1161\u11ab",
    ):
        assert cleaned(words).text == words.replace("\u200d", "")
        assert cleaned(words, joined=True).text == words


def test_stacked_marks_are_cut_and_counted() -> None:
    zalgo = cleaned("Z" + "\u0301" * 45 + "algo")
    assert zalgo.text == "Z" + "\u0301" * 8 + "⟨+37 marks⟩algo"
    at = zalgo.text.index("⟨")
    assert zalgo.stored_span(at, at + 1) == (9, 46)


def test_words_behind_a_replacement_are_found_where_they_stand() -> None:
    stored = "\u202e\x1b[1mDelivered\ttoday\r\nor\x00not"
    shown = cleaned(stored)
    for words in ("Delivered", "today", "or", "not"):
        start = shown.text.index(words)
        first, last = shown.stored_span(start, start + len(words))
        assert stored[first:last] == words


def test_each_character_of_a_replacement_leads_to_the_one_it_stands_for() -> None:
    shown = cleaned("ab\u202e\u202dc")
    assert [shown.stored(i) for i in range(len(shown.text) + 1)] == [0, 1, *[2] * 8, *[3] * 8, 4, 5]
    assert [shown.printed(j) for j in range(6)] == [0, 1, 2, 10, 18, 19]
    assert shown.stored_span(5, 12) == (2, 4)
    assert shown.stored_span(5, 5) == (2, 2)


def test_a_newline_of_two_characters_is_one() -> None:
    shown = cleaned("a\r\n\r\nb")
    assert shown.text == "a\n\nb"
    assert [shown.stored(i) for i in range(5)] == [0, 1, 3, 5, 6]
    assert shown.printed(2) == 1


def test_replacements_of_one_kind_are_kept_as_one() -> None:
    assert len(cleaned("\x00" * 1000 + "\x1b" * 1000).runs) == 1


def test_names_stand_on_one_line() -> None:
    assert printable_line("evil\nname\r\n\x1b]0;x\x07") == "evil⏎name⏎␛]0;x␇"
