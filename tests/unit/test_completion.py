"""What completion offers at the cursor, and through the shell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from reviewer.transcripts.query.completion import complete
from tests import builders
from tests.builders import conversation


class Known:
    """A vocabulary of a few words."""

    def values(self, field: str, prefix: str = "", limit: int = 50) -> list[str]:
        """Models, and a tool with a name that needs quotes."""
        words = {"model": ["kimi-k2", "kimi, new"], "tool": ["say *hi*"]}.get(field, [])
        return [word for word in words if word.startswith(prefix)][:limit]

    def keys(self, field: str, prefix: str = "", limit: int = 50) -> list[str]:
        """Scorers."""
        words = {"score": ["reward", "a: b"]}.get(field, [])
        return [word for word in words if word.startswith(prefix)][:limit]


@pytest.mark.parametrize(
    ("typed", "become"),
    [
        ("mod", ["model:"]),
        ("refund -MO", ["refund -model:"]),
        ("sco", ["score."]),
        ("score.", ["score.reward:", 'score."a: b":']),
        ("score.re", ["score.reward:"]),
        ("model:", ["model:kimi-k2", 'model:"kimi, new"']),
        ("model:gpt,kimi-", ["model:gpt,kimi-k2"]),
        ('model:"kimi,', ['model:"kimi, new"']),
        ("a -tool:s", ['a -tool:"say *hi*"']),
        ("error:", ["error:yes", "error:no"]),
        ("in:re", ["in:reasoning", "in:result"]),
        ("bucket:res", ["bucket:resolvable"]),
        ('"mod', []),
        ('"a b" mod', ['"a b" model:']),
        ("nothing:x", []),
        ("e.g", []),
        ("model:zzz", []),
    ],
)
def test_what_may_stand_at_the_cursor(typed: str, become: list[str]) -> None:
    assert [typed[: each.start] + each.text for each in complete(typed, len(typed), Known())] == become


def test_the_cursor_may_stand_inside_the_query() -> None:
    assert [each.text for each in complete("mod refund", 3, Known())] == ["model:"]


def test_an_empty_query_offers_every_field_with_its_meaning() -> None:
    offered = complete("", 0, Known())
    assert {"model:", "score.", "tag:"} <= {each.text for each in offered}
    assert all(each.meaning for each in offered)


@pytest.mark.parametrize(
    ("line", "word", "offered"),
    [
        ("search {} mod", 3, ["model:"]),
        ("search {} model : k", 5, ["kimi"]),  # bash takes words apart at colons
        ("list {} error:yes tool:can", 4, ["tool:cancel_order"]),
        ("list no.db tool:can", 3, []),
    ],
)
def test_the_shell_is_offered_the_words_of_the_store(line: str, word: int, offered: list[str], tmp_path: Path) -> None:
    path = builders.store(tmp_path, conversation(model="kimi"))
    env = {**os.environ, "_REVIEWER_COMPLETE": "complete_bash", "COMP_WORDS": f"reviewer {line.format(path)}"}
    env["COMP_CWORD"] = str(word)
    program = Path(sys.executable).with_name("reviewer")
    done = subprocess.run([program], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.split() == offered
