"""The worked example in docs/example: what two reviewers tagged in the sample, and the page that comes of it.

The page is of a scanned sample: certain findings are among its figures, and what hangs on words counts as decided.
`REVIEWER_GOLDEN=write` writes it anew.
"""

from __future__ import annotations

import os
import shutil
from datetime import datetime
from pathlib import Path

import pytest

from reviewer.findings import scans
from reviewer.marks import folder
from reviewer.marks.review import recall
from reviewer.transcripts.model import Tag
from reviewer.transcripts.store.reader import Reader
from tests.forked import run

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "example"
MODEL = "kimi-k2.7-code"
PAGE = EXAMPLE / f"{MODEL}.md"
LEAST = 60
"""Tags of an example that shows every kind of sentence."""


@pytest.fixture(scope="module")
def store(sample_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample, scanned, with a copy of the example's annotations beside it."""
    home = tmp_path_factory.mktemp("example")
    path = Path(shutil.copy(sample_store, home / "northline.db"))
    with Reader(path) as reader:
        scans.scan(path, reader.ids(), scans.usual(), processes=1)
    shutil.copytree(EXAMPLE / "annotations", home / "annotations")
    saved = max(datetime.fromisoformat(tag.at) for tag in tags(path)).timestamp() + 1
    for prose in (home / "annotations" / "reports").iterdir():
        os.utime(prose, (saved, saved))  # a checkout does not keep when its files were saved
    return path


def tags(store: Path) -> list[Tag]:
    """Every tag of the example that was not taken back."""
    ledger = recall.opened(folder.usual(store)).ledger
    return [tag for ref in ledger.conversations() for tag in ledger.state(ref).tags]


def test_the_page_is_what_its_tags_and_its_prose_come_to(store: Path) -> None:
    said = run("report", store, MODEL)
    assert said.returncode == 0, said.stderr
    if os.environ.get("REVIEWER_GOLDEN") == "write":
        PAGE.write_text(said.stdout, "utf-8")
    assert said.stdout == PAGE.read_text("utf-8")


def test_nothing_in_the_prose_is_stale_or_unresolved(store: Path) -> None:
    said = run("report", store, MODEL, "--check")
    assert said.returncode == 0, said.stdout + said.stderr
    assert "is wrong or stale" in said.stdout.splitlines()[-1]


def test_two_people_tagged_enough_failures_and_strengths_and_not_the_same_everywhere(store: Path) -> None:
    made = tags(store)
    assert len(made) >= LEAST
    assert {tag.by for tag in made} == {"maria", "jonas"}
    assert all(sum(tag.by == name for tag in made) >= LEAST // 3 for name in ("maria", "jonas"))
    codebook = folder.load(folder.usual(store), folder.suited(162))
    modes = [codebook.mode(tag.code) for tag in made]
    assert all(modes)
    assert {mode.polarity for mode in modes if mode} >= {"failure", "strength"}
    by_hand = [tag for tag in made if "finding" not in (tag.extra or {})]
    assert len(by_hand) >= LEAST
    assert {tag.stance for tag in by_hand} >= {"debatable", "defensible"}


def test_every_word_that_was_tagged_stands_where_it_was_tagged(store: Path) -> None:
    said = run("check", store)
    assert said.returncode == 0, said.stdout
    assert " 0 moved, 0 drifted, 0 elsewhere, 0 torn, 0 unknown." in said.stdout.splitlines()[-1]
