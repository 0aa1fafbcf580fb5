"""`reviewer check`: every anchor, every bad line, and whether a person is needed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.marks.folder import SUPPORT
from reviewer.marks.review import Session
from reviewer.marks.review.checks import ADVICE, KINDS
from reviewer.transcripts.refs import Absence, Ref
from tests import builders
from tests.builders import CANCELLED, agent, call, conversation, customer
from tests.forked import run

STORED = builders.stored()
CLAIM = Ref(STORED.ref, 2, span=(63, 82))
FIELD = Ref(STORED.ref, 2, 1, "result").field("/status")
MODE = "invented-delivery-date"


def session(tmp_path: Path, store: str = "runs.db") -> Session:
    return Session(tmp_path / "annotations", "ann", store, SUPPORT)


def checked(tmp_path: Path, *conversations: Any, store: str = "runs.db") -> tuple[int, dict[str, Any]]:
    path = builders.store(tmp_path, *conversations, name=store)
    said = run("check", path, "--json")
    assert said.stderr == ""
    return said.returncode, json.loads(said.stdout)


def test_all_is_well_while_nothing_changed(tmp_path: Path) -> None:
    tagging = session(tmp_path)
    tagging.tag(STORED, MODE, CLAIM, evidence=[FIELD, Absence("handover", 5)])
    tagging.tag("kimi/used-item-1", "flips-across-runs")
    tagging.reviewed(STORED)
    code, found = checked(tmp_path, conversation())
    assert (code, found["items"]) == (0, [])
    assert found["counts"]["exact"] == 5


@pytest.mark.parametrize(
    ("messages", "kinds", "code"),
    [
        ((CANCELLED[0], agent("So: delivered yesterday.", *CANCELLED[1].calls)), ["moved", "moved"], 0),
        ((CANCELLED[0], agent("It comes soon.", *CANCELLED[1].calls)), ["drifted", "moved"], 1),
        ((CANCELLED[0], agent("It comes soon.", call("hand_over"))), ["drifted", "drifted"], 1),
        ((customer("Hi"), agent("delivered yesterday")), ["elsewhere", "elsewhere"], 1),
        ((customer("Hi"), *CANCELLED[1:]), ["exact", "exact"], 0),
    ],
)
def test_each_anchor_is_judged_by_itself(messages: Any, kinds: list[str], code: int, tmp_path: Path) -> None:
    session(tmp_path).tag(STORED, MODE, CLAIM, evidence=[FIELD])
    returned, found = checked(tmp_path, conversation(*messages))
    assert [item["kind"] for item in found["items"]] == [kind for kind in kinds if kind != "exact"]
    assert returned == code


def test_what_is_not_in_this_store_is_missed_unless_it_is_another_stores(tmp_path: Path) -> None:
    session(tmp_path).tag(STORED, MODE, CLAIM)
    session(tmp_path, "other.db").tag(STORED, MODE, CLAIM)
    code, found = checked(tmp_path, conversation(run=7))
    assert [item["kind"] for item in found["items"]] == ["elsewhere", "other store"]
    assert code == 1


def test_an_absence_is_as_good_as_the_conversation_it_was_said_of(tmp_path: Path) -> None:
    session(tmp_path).tag(STORED, MODE, CLAIM, evidence=[Absence("handover", 5)])
    code, found = checked(tmp_path, conversation(*CANCELLED, agent("Bye", call("hand_over"))))
    assert [item["kind"] for item in found["items"]] == ["drifted"]
    assert code == 1


def test_torn_lines_unknown_doings_and_modes_and_strays_are_listed(tmp_path: Path) -> None:
    tagging = session(tmp_path)
    tag = tagging.tag(STORED, MODE, CLAIM).tag
    assert tag is not None
    tagging.reviewed(builders.stored(customer("Hi")))
    journal = tmp_path / "annotations" / "ann.jsonl"
    base = {"at": "2026", "by": "bob", "ref": STORED.ref}
    others = [
        {"id": "1", "do": "adjudicate", **base},
        {"id": "2", "do": "edit", "tag": "nobody's", **base},
        {"id": "3", "do": "tag", "code": "unheard-of", "digest": STORED.digest, **base},
    ]
    lines = [json.dumps(each) for each in others]
    (tmp_path / "annotations" / "bob.jsonl").write_text("\n".join([*lines, "garbage", lines[0], '{"id']), "utf-8")
    code, found = checked(tmp_path, conversation())
    kinds = sorted(item["kind"] for item in found["items"])
    assert kinds == ["elsewhere", "repeated", "stray", "torn", "torn", "unknown", "unknown"]
    assert code == 1
    said = run("check", tmp_path / "runs.db")
    assert "bob.jsonl, line 4: it is not a whole line of JSON." in said.stdout
    assert "the codebook has no such mode" in said.stdout
    assert said.stdout.rstrip().endswith(
        "2 exact, 0 moved, 0 drifted, 1 elsewhere, 2 torn, 2 unknown, 1 repeated, 1 stray."
    )
    assert journal.exists()


def test_verdicts_and_reviews_are_checked_like_tags(tmp_path: Path) -> None:
    tagging = session(tmp_path)
    other = builders.stored(customer("Hi"), agent("Hello"))
    gone = builders.stored(run=9)
    tagging.verdict(other, "pass")
    tagging.verdict(STORED, "fail")
    tagging.undo()
    tagging.verdict(gone, "defer")
    tagging.reviewed(gone)
    tagging.tag(gone, "", note="a note of its own")
    tagging.verdict("kimi/used-item-1", "fail")
    session(tmp_path, "other.db").reviewed(builders.stored(run=8))
    code, found = checked(tmp_path, conversation())
    said = [(item["kind"], item["ref"].removeprefix("kimi/used-item-1/"), item["words"]) for item in found["items"]]
    assert said == [
        ("elsewhere", "1", "it was judged (pass); it has other content now."),
        ("other store", "8", "it was reviewed in other.db."),
        ("elsewhere", "9", "nothing stands at that reference"),
        ("elsewhere", "9", "it was reviewed; nothing stands there now."),
        ("elsewhere", "9", "it was judged (defer); nothing stands there now."),
    ]  # fmt: skip
    assert (code, found["counts"]["exact"]) == (1, 1)
    tagging.verdict(STORED, "fail")
    assert checked(tmp_path, conversation(), store="again.db")[1]["counts"]["exact"] == 2


def test_it_says_what_to_do_about_each_kind_and_where_the_tag_is(tmp_path: Path) -> None:
    tag = session(tmp_path).tag(STORED, MODE, CLAIM).tag
    assert tag is not None
    code, found = checked(tmp_path, conversation(CANCELLED[0], agent("It comes soon.")))
    assert (code, list(found["advice"])) == (1, ["drifted"])
    said = run("check", tmp_path / "runs.db").stdout
    assert f"drifted     {CLAIM} ({MODE} “delivered yesterday” by ann {tag.id}): " in said
    assert said.splitlines()[-2].startswith("drifted     Open the message, mark what still holds again")
    assert set(KINDS) - set(ADVICE) == {"exact"}


def test_a_codebook_that_does_not_parse_needs_a_person(tmp_path: Path) -> None:
    session(tmp_path).tag(STORED, MODE, CLAIM)
    (tmp_path / "annotations" / "codebook.toml").write_text("[modes.a]\nkey = 'j'\n", "utf-8")
    code, found = checked(tmp_path, conversation())
    assert "line 2" in found["codebook"]
    assert (code, found["items"]) == (1, [])


def test_a_hostile_journal_reaches_no_terminal(tmp_path: Path) -> None:
    (tmp_path / "annotations").mkdir()
    event = {"id": "1", "at": "2026", "by": "\x1b[31m", "do": "\x1b]0;x\x07", "ref": "a/b\x1b[2J/1"}
    (tmp_path / "annotations" / "x.jsonl").write_text(json.dumps(event) + "\n\x1b[2J\n", "utf-8")
    builders.store(tmp_path, conversation())
    said = run("check", tmp_path / "runs.db")
    assert said.returncode == 1
    assert "\x1b" not in said.stdout + said.stderr
