"""Keys bound otherwise: what the file may say, and the sentence for what it may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.app import keys
from reviewer.app.keys import key_table
from reviewer.app.keys.keymap import KeysError, load, parse


def test_an_action_has_the_keys_of_the_file_and_no_others() -> None:
    bound = parse('[keys]\n"find" = ["ctrl+f", ","]\nscroll.down = []\n"conversation.previous" = ["["]', "keys.toml")
    assert bound == {"find": ("ctrl+f", "comma"), "scroll.down": (), "conversation.previous": ("[",)}
    shown = {action.id: action.keys for action in keys.reaching("transcript", bound)}
    assert shown["find"] == ("ctrl+f", "comma")
    assert shown["filter"] == keys.BY_ID["filter"].keys


def test_no_file_and_an_empty_file_change_nothing(tmp_path: Path) -> None:
    assert load(tmp_path / "keys.toml") == {}
    (tmp_path / "keys.toml").write_text("# nothing yet\n", "utf-8")
    assert load(tmp_path / "keys.toml") == {}


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('[keys]\n"find" = ["/"]\n"fly" = ["x"]', 3, "no action “fly”"),
        ('[keys]\n"find" = ["/"]\n"untag" = ["j"]', 3, "has the key j, and so has “item.next”"),
        ('[keys]\n"untag" = ["w"]', 2, "and so has “clause”"),
        ('[keys]\n\n"untag" = ["3"]', 3, "digits put failure modes"),
        ('[keys]\n"mark" = ["x"]', 2, "digits put failure modes"),
        ('[keys]\n"untag" = "x"', 2, "not a list of texts"),
        ('[keys]\n"untag" = ["x", 3]', 2, "not a list of texts"),
        ('[keys]\n"untag" = ["hyper+x"]', 2, "“hyper+x” is not a key"),
        ('[keys]\nscroll.up = ["\\u0007"]', 2, "is not a key"),
        ('[keys]\n"untag" = []\n[colours]\nred = 1', 3, "not a table of this file"),
        ("keys = 3", 1, "not a table"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(KeysError) as raised:
        parse(text, "keys.toml")
    assert raised.value.message.startswith(f"keys.toml, line {line}: ")
    assert reason in raised.value.message
    assert "usual keys count" in raised.value.hint


def test_what_is_no_toml_or_no_text_is_said(tmp_path: Path) -> None:
    with pytest.raises(KeysError, match="not TOML"):
        parse("[keys", "keys.toml")
    path = tmp_path / "keys.toml"
    path.write_bytes(b"\xff")
    with pytest.raises(KeysError, match="not UTF-8"):
        load(path)
    with pytest.raises(KeysError, match="cannot be read"):
        load(tmp_path)


def test_keys_may_be_swapped_and_reused_in_another_mode() -> None:
    assert parse('[keys]\n"untag" = ["c"]\n"note" = ["x"]\n"select.leave" = ["escape", "c"]', "keys.toml")


def test_the_table_for_people_names_every_action_once() -> None:
    lines = key_table.plain_table({"find": ("ctrl+f",), "untag": ()}).splitlines()
    named = [line.split()[0] for line in lines if line.startswith("  ")]
    assert sorted(named) == sorted(keys.BY_ID)
    assert any(line.split()[:2] == ["find", "ctrl+f"] for line in lines)
    assert any("(no key)" in line and "untag" in line for line in lines)
