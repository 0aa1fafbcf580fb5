"""Whatever another program did to a table or a column of a store, no command ends in a traceback."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests import damages
from tests.unit.test_damaged_stores import WORDS, sound, tried

__all__ = ["sound"]
MANY = 40
"""Damages that each command is tried on, others for each: together they meet every one several times."""


@pytest.mark.parametrize("name", WORDS)
def test_no_damage_of_contents_ends_a_command(sound: Path, tmp_path: Path, name: str) -> None:
    every = list(damages.contents(sound / "runs.db"))
    tried(sound, tmp_path / "it", name, dict(random.Random(f"more of {name}").sample(every, MANY)))
