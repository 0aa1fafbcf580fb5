"""The table of keys: complete, explained, without clashes, and the same in docs/keys.md."""

from __future__ import annotations

import json
import os
from itertools import combinations
from pathlib import Path

import pytest

from reviewer.app import keys
from reviewer.app.keys import key_table
from reviewer.basics.errors import JournalError
from reviewer.marks import codebook

PAGE = Path(__file__).resolve().parents[2] / "docs" / "keys.md"


@pytest.mark.parametrize("action", keys.ACTIONS, ids=lambda action: action.id)
def test_every_action_has_keys_a_label_and_a_sentence(action: keys.Action) -> None:
    assert action.keys
    assert action.scopes
    assert action.label
    assert action.help.endswith(".")
    assert action.help[0].isupper()


def test_ids_are_unique() -> None:
    assert len(keys.BY_ID) == len(keys.ACTIONS)


@pytest.mark.parametrize("scope", list(keys.ENCLOSING))
def test_no_two_actions_share_a_key_where_both_reach(scope: keys.Scope) -> None:
    """A pane may not reuse a key of the screen around it; a mode takes all keys, so only its own count."""
    for first, second in combinations(keys.reaching(scope), 2):
        shared = set(first.keys) & set(second.keys)
        if shared == {"escape"} and "anywhere" in second.scopes:
            continue
        assert not shared, f"{first.id} and {second.id} share {shared} in {scope}"


def test_digits_are_for_failure_modes_alone() -> None:
    for action in keys.ACTIONS:
        if set(action.keys) & set(keys.MODE_KEYS):
            assert action.keys == keys.MODE_KEYS


def test_a_codebook_may_use_no_key_that_means_something() -> None:
    for key in {key for action in keys.ACTIONS for key in action.keys} - set(keys.MODE_KEYS):
        with pytest.raises(JournalError, match="is not a key for a mode"):
            codebook.parse(f"[modes.a]\nkey = {json.dumps(key)}\n", "x")


@pytest.mark.parametrize("key", ["ctrl+s", "ctrl+enter", "ctrl+1"])
def test_no_key_that_terminals_swallow(key: str) -> None:
    assert not any(key in action.keys for action in keys.ACTIONS)


@pytest.mark.parametrize("key", ["]", "[", "\\"])
def test_keys_that_need_a_third_hand_have_an_alias(key: str) -> None:
    assert all(len(action.keys) > 1 for action in keys.ACTIONS if key in action.keys)


def test_hints_come_in_pairs_the_most_wanted_first() -> None:
    assert keys.hints("transcript")[:2] == [("j/k", "move"), ("]/[", "conversation")]
    assert ("esc", "leave") in keys.hints("select")


def test_golden_page_has_this_very_table() -> None:
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition("<!-- keys -->\n")
    _, _, after = rest.partition("<!-- /keys -->")
    printed = f"{before}<!-- keys -->\n{key_table.markdown_table()}\n<!-- /keys -->{after}"
    if os.environ.get("REVIEWER_GOLDEN") == "write":
        PAGE.write_text(printed, encoding="utf-8")
    assert text == printed
