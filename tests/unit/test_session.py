"""The verbs of a review, on real files: each writes its line first, and says what it did."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.app.keys import key_of
from reviewer.basics.errors import JournalError
from reviewer.marks.folder import SUPPORT
from reviewer.marks.journal import journals
from reviewer.marks.read_extent import ReadCounts
from reviewer.marks.review import Session, initials, reviewer_name
from reviewer.transcripts.model import Anchor, Finding
from reviewer.transcripts.refs import Absence, Ref
from tests import builders
from tests.builders import CANCELLED, agent, call, customer

STORED = builders.stored()
CLAIM = Ref(STORED.ref, 2, span=(63, 82))
MODE, OTHER = "invented-delivery-date", "phantom-action"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return opened(tmp_path)


def opened(tmp_path: Path, by: str = "ann") -> Session:
    session = Session(tmp_path / "annotations", by, "runs.db", SUPPORT)
    session.key = key_of
    return session


def lines(tmp_path: Path) -> list[dict[str, Any]]:
    found = [path.read_text("utf-8").splitlines() for path in journals(tmp_path / "annotations")]
    return [json.loads(line) for each in found for line in each]


def test_the_first_tag_makes_the_codebook_and_says_where(session: Session, tmp_path: Path) -> None:
    first = session.tag(STORED, MODE, CLAIM)
    assert str(tmp_path / "annotations" / "codebook.toml") in first.said
    assert "codebook.toml" not in session.tag(STORED, OTHER, CLAIM).said


def test_a_tag_is_one_line_with_its_anchor_before_anything_else_knows(session: Session, tmp_path: Path) -> None:
    outcome = session.tag(STORED, MODE, CLAIM)
    (line,) = lines(tmp_path)
    assert {name: line[name] for name in ("by", "do", "ref", "digest", "code", "store")} == {
        "by": "ann", "do": "tag", "ref": str(CLAIM), "digest": STORED.digest, "code": MODE, "store": "runs.db",
    }  # fmt: skip
    assert line["pieces"][0]["quote"] == "delivered yesterday"
    assert outcome.tag is not None
    assert outcome.tag.id == line["id"]
    assert session.state(STORED.ref).tags == (outcome.tag,)
    assert session.state(STORED.ref).tags[0] is outcome.tag, "the one that the ledger folded"


def test_the_same_key_again_takes_a_bare_tag_back(session: Session) -> None:
    session.toggle(STORED, MODE, CLAIM)
    assert "Removed" in session.toggle(STORED, MODE, CLAIM).words
    assert session.marks(STORED) == ()


def test_who_reads_on_keeps_the_circumstances_of_the_first_review(session: Session) -> None:
    session.reviewed(STORED, queue="q", suggestions=False, seen=9, of=34)
    first = session.state(STORED.ref).reviewed["ann"]
    assert (first.extent, session.counts().reviewed) == ("part", ReadCounts(part=1))
    session.reviewed(STORED, **{**first.how, "seen": 34, "further": True})
    now = session.state(STORED.ref).reviewed["ann"]
    assert (now.extent, now.at, now.how["queue"], now.how["suggestions"]) == ("end", first.at, "q", False)
    assert session.counts().reviewed == ReadCounts(end=1)
    session.undo()
    assert session.state(STORED.ref).reviewed["ann"] == first


def test_a_tag_that_bears_something_stays(session: Session) -> None:
    tag = session.toggle(STORED, MODE, CLAIM).tag
    assert tag is not None
    session.edit(tag, note="look again")
    said = session.toggle(STORED, MODE, CLAIM)
    assert said.words == "Invented delivery date stays, because it has a note. x removes it."
    assert said.tag is not None
    session.untag(said.tag)
    assert session.marks(STORED) == ()


def test_a_change_bears_the_digest_of_what_was_read_and_a_stance_is_one_of_four(
    session: Session, tmp_path: Path
) -> None:
    tag = session.tag(STORED, MODE, CLAIM).tag
    assert tag is not None
    session.edit(tag, stance="debatable")
    assert [line["digest"] for line in lines(tmp_path)] == [STORED.digest, STORED.digest]
    with pytest.raises(JournalError, match="“odd” is not a stance"):
        session.edit(tag, stance="odd")
    with pytest.raises(JournalError, match="“odd” is not a stance"):
        session.tag(STORED, OTHER, CLAIM, stance="odd")


def test_another_mode_or_another_place_is_another_tag(session: Session) -> None:
    session.toggle(STORED, MODE, CLAIM)
    session.toggle(STORED, OTHER, CLAIM)
    session.toggle(STORED, MODE, Ref(STORED.ref, 2))
    session.toggle(STORED, MODE)
    assert len(session.marks(STORED)) == 4


def test_a_tag_of_several_places_is_not_the_tag_of_one_of_them(session: Session) -> None:
    opening = Ref(STORED.ref, 2, span=(0, 10))
    both = session.tag(STORED, MODE, opening, CLAIM).tag
    one = session.toggle(STORED, MODE, CLAIM).tag
    assert [mark.tag for mark in session.marks(STORED)] == [both, one]
    assert "Removed" in session.toggle(STORED, MODE, CLAIM).words
    assert [mark.tag for mark in session.marks(STORED)] == [both]
    assert "Removed" in session.toggle(STORED, MODE, CLAIM, opening).words
    assert not session.marks(STORED)


def test_several_pieces_make_one_tag(session: Session) -> None:
    tag = session.tag(STORED, MODE, Ref(STORED.ref, 2, span=(0, 10)), CLAIM).tag
    assert tag is not None
    assert [piece.quote for piece in tag.pieces] == ["Your order", "delivered yesterday"]
    (mark,) = session.marks(STORED)
    assert [ref.span for ref in mark.places] == [(0, 10), (63, 82)]
    assert mark.at(2)
    assert not mark.at(1)


def test_a_case_across_its_runs_shows_in_each_of_them(session: Session) -> None:
    session.tag("kimi/used-item-1", "flips-across-runs")
    session.toggle("kimi/used-item-1", MODE)
    session.toggle("kimi/used-item-1", MODE)
    for run in (1, 2):
        (mark,) = session.marks(builders.stored(run=run))
        assert (mark.tag.code, mark.state) == ("flips-across-runs", "exact")
    with pytest.raises(JournalError, match="its words stand in its runs"):
        session.tag("kimi/used-item-1", MODE, Ref("kimi/used-item-1", 2))


def test_a_note_without_a_code_stands_on_its_own_and_gets_one_later(session: Session) -> None:
    note = session.tag(STORED, "", CLAIM, note="odd").tag
    assert note is not None
    assert (note.code, note.note) == ("", "odd")
    coded = session.edit(note, code=MODE).tag
    assert coded is not None
    assert (coded.code, coded.note) == (MODE, "odd")


def test_all_a_tag_bears_is_kept_changed_and_undone(session: Session, tmp_path: Path) -> None:
    tag = session.tag(STORED, MODE, CLAIM, clause="the lookup says in transit").tag
    assert tag is not None
    session.edit(tag, stance="clear", cause="task execution", exemplar=True)
    session.attach(STORED, tag, Ref(STORED.ref, 2, 1, "result").field("/status"))
    session.attach(STORED, tag, Absence("handover", 5))
    kept = opened(tmp_path).state(STORED.ref).tags[0]
    assert (kept.clause, kept.stance, kept.cause, kept.exemplar) == (
        "the lookup says in transit", "clear", "task execution", True,
    )  # fmt: skip
    assert isinstance(kept.evidence[0], Anchor)
    assert kept.evidence[0].quote == "in transit"
    assert kept.evidence[1] == Absence("handover", 5)
    session.detach(tag, kept.evidence[0])
    assert session.state(STORED.ref).tags[0].evidence == (Absence("handover", 5),)
    words = [session.undo().words for _ in range(6)]
    assert words[0].startswith("Undid the removal of evidence of")
    assert words[-1] == "Nothing to undo."
    assert session.marks(STORED) == ()
    for _ in range(5):
        assert session.redo().words.startswith("Redid ")
    assert session.redo().words == "Nothing to redo."
    assert session.state(STORED.ref).tags[0].evidence == (Absence("handover", 5),)


def test_a_reference_written_by_hand_is_the_one_that_it_means(session: Session) -> None:
    proof = {"ref": f" {STORED.ref}#2.1.result:002-0012 ", "digest": STORED.digest}
    event = {"id": "01", "at": "2026-06-29", "by": "ann", "do": "tag", "ref": f" {STORED.ref}#2", "code": MODE,
             "evidence": [proof, "no handover before #5"]}  # fmt: skip
    session.folder.mkdir()
    (session.folder / "ann.jsonl").write_text(json.dumps(event) + "\n")
    session.refresh()
    (tag,) = session.state(STORED.ref).tags
    assert (str(tag.ref), str(tag.pieces[0].ref)) == (f"{STORED.ref}#2", f"{STORED.ref}#2")
    assert isinstance(tag.evidence[0], Anchor)
    assert tag.evidence[0].ref == Ref(STORED.ref, 2, 1, "result", span=(2, 12))
    session.detach(tag, tag.evidence[0])
    assert session.state(STORED.ref).tags[0].evidence == (Absence("handover", 5),)
    session.untag(tag)
    assert session.state(STORED.ref).tags == ()


def test_the_usual_proof_lights_up_and_again_is_the_next_candidate(session: Session) -> None:
    tag = session.tag(STORED, MODE, CLAIM).tag
    assert tag is not None
    first = session.attach_usual(STORED, tag)
    assert first.said.startswith("Took status: in transit from get_order #2.1 (1 of 3).")
    assert first.tag is not None
    second = session.attach_usual(STORED, first.tag)
    assert second.words == "Took carrier: UPS from get_order #2.1 (2 of 3)."
    assert second.tag is not None
    assert len(second.tag.evidence) == 1
    phantom = session.tag(STORED, "false-handover", CLAIM).tag
    assert phantom is not None
    absent = session.attach_usual(STORED, phantom)
    assert absent.tag is not None
    assert absent.tag.evidence == (Absence("handover", 5),)
    assert "only candidate" in session.attach_usual(STORED, absent.tag).words
    none = session.tag(STORED, "failed-call-reported-as-success", CLAIM).tag
    assert none is not None
    assert session.attach_usual(STORED, none).words == "Nothing here is “failed call”; S picks by hand."


@pytest.mark.parametrize(
    ("mode", "first"),
    [
        ("acts-before-confirming", "no confirmation before #2"),
        ("forbidden-action", "cancel_order #2.2"),
        ("adopts-false-premise", "status: in transit from get_order #2.1"),
        ("warm", '"Please cancel order #1130, I ordered the wrong size." from customer #1'),
        ("missed-escalation", "no handover before #5"),
        ("claim-before-lookup", "no read before #2"),
    ],
)
def test_each_mode_wants_its_own_proof(mode: str, first: str, session: Session) -> None:
    tag = session.tag(STORED, mode, CLAIM).tag
    assert tag is not None
    assert f"Took {first} (1 of" in session.attach_usual(STORED, tag).words


def test_an_error_is_the_proof_of_a_failed_call(session: Session) -> None:
    failed = builders.stored(
        customer("Cancel it"), agent("Done!", call("cancel_order", "{}", "no such order", "error"))
    )
    tag = session.tag(failed, "failed-call-reported-as-success", Ref(failed.ref, 2)).tag
    assert tag is not None
    assert session.attach_usual(failed, tag).words == "Took no such order from cancel_order #2.1 (1 of 1)."
    nothing = session.tag(failed, "phantom-action", Ref(failed.ref, 1)).tag
    assert nothing is not None
    assert "no cancel before #2 (1 of 2)" in session.attach_usual(failed, nothing).words


def test_verdict_and_reviewed_hold_for_the_conversation_and_are_undone(session: Session) -> None:
    session.verdict(STORED, "fail")
    session.verdict(STORED, "pass")
    session.reviewed(STORED, queue="q", seen=3, of=60)
    state = session.state(STORED.ref)
    assert state.verdicts == {"ann": "pass"}
    assert dict(state.reviewed["ann"].how) == {"reviewed": True, "queue": "q", "seen": 3, "of": 60, "store": "runs.db"}
    assert session.undo().words == f"Undid the mark “reviewed” on {STORED.ref}."
    session.undo()
    assert session.state(STORED.ref).verdicts == {"ann": "fail"}
    session.verdict(STORED, "")
    session.reviewed(STORED)
    session.reviewed(STORED, done=False)
    assert (session.state(STORED.ref).verdicts, session.state(STORED.ref).reviewed) == ({}, {})
    with pytest.raises(JournalError, match="“maybe” is not a verdict"):
        session.verdict(STORED, "maybe")


def finding(mode: str = MODE) -> Finding:
    claim = Anchor(CLAIM, STORED.digest, quote="delivered yesterday")
    return Finding("dates", 1, mode, STORED.digest, claim, (Absence("handover", 3),), "No result says so.", True)


def test_findings_are_accepted_as_tags_or_rejected_and_a_batch_is_one_act(session: Session) -> None:
    tag = session.decide(STORED, True, [finding()]).tag
    assert tag is not None
    assert (tag.code, tag.pieces[0].quote, tag.evidence) == (MODE, "delivered yesterday", (Absence("handover", 3),))
    (event,) = [event for event in session.book.ledger.events(STORED.ref) if event.do == "accept"]
    assert {name: value for name, value in event.fields["finding"].items() if name not in ("claim", "evidence")} == {
        "read": "dates", "version": 1, "mode": MODE, "digest": STORED.digest, "reason": "No result says so.",
        "certain": True,
    }  # fmt: skip
    session.edit(tag, note="yes")
    assert session.decide(STORED, False, [finding(), finding(OTHER)]).words == f"Rejected {MODE}, {OTHER}."
    assert len(session.state(STORED.ref).rejected) == 2
    assert "and 1 more" in session.undo().words
    assert session.state(STORED.ref).rejected == ()
    assert session.decide(STORED, True, []).words == "Nothing to accept."


def test_undo_takes_this_windows_last_act_and_after_a_restart_this_reviewers(tmp_path: Path) -> None:
    one, two, bob = opened(tmp_path), opened(tmp_path), opened(tmp_path, "bob")
    one.tag(STORED, MODE, CLAIM)
    two.tag(STORED, OTHER, CLAIM)
    bob.verdict(STORED, "pass")
    assert MODE in one.undo().words
    again = opened(tmp_path)
    assert MODE in again.redo().words
    again = opened(tmp_path)
    assert OTHER in again.undo().words
    assert MODE in again.undo().words
    assert again.undo().words == "Nothing to undo."
    later = opened(tmp_path)
    assert MODE in later.redo().words
    assert OTHER in later.redo().words
    assert later.redo().words == "Nothing to redo."
    assert later.state(STORED.ref).verdicts == {"bob": "pass"}


def test_a_new_act_ends_what_can_be_redone(session: Session) -> None:
    session.tag(STORED, MODE, CLAIM)
    session.undo()
    session.tag(STORED, OTHER, CLAIM)
    assert session.redo().words == "Nothing to redo."


def test_other_peoples_tags_are_seen_but_not_touched(tmp_path: Path) -> None:
    ann, bob = opened(tmp_path), opened(tmp_path, "Bob Smith")
    tag = bob.tag(STORED, MODE, CLAIM).tag
    assert tag is not None
    assert ann.refresh() == {STORED.ref}
    (mark,) = ann.marks(STORED)
    assert (mark.own, mark.initials) == (False, "BS")
    with pytest.raises(JournalError, match="is Bob Smith's"):
        ann.untag(tag)
    ann.toggle(STORED, MODE, CLAIM)
    assert len(ann.marks(STORED)) == 2
    counted = ann.counts()
    assert (counted.tags, counted.others_tags, counted.reviewed.reviewed, counted.verdicts) == (1, 1, 0, 0)


def test_a_tag_that_is_gone_is_not_written_about(session: Session) -> None:
    tag = session.tag(STORED, MODE, CLAIM).tag
    assert tag is not None
    session.untag(tag)
    with pytest.raises(JournalError, match="no longer there"):
        session.edit(tag, note="late")


def test_marks_say_what_became_of_the_words(session: Session) -> None:
    session.tag(STORED, MODE, CLAIM, evidence=[Ref(STORED.ref, 2, 1, "result").field("/status")])
    moved = builders.stored(CANCELLED[0], agent("So: delivered yesterday.", *CANCELLED[1].calls))
    (mark,) = session.marks(moved)
    assert (mark.state, str(mark.places[0])) == ("moved", f"{STORED.ref}#2:4-23")
    assert mark.proofs[0] is not None
    assert mark.proofs[0].state == "moved"
    (gone,) = session.marks(builders.stored(customer("Hi"), agent("Hello")))
    assert (gone.state, gone.places) == ("elsewhere", ())


def test_what_cannot_be_written_is_kept_for_another_try_or_another_place(session: Session, tmp_path: Path) -> None:
    session.tag(STORED, MODE, CLAIM)
    there = tmp_path / "annotations"
    there.rename(tmp_path / "away")
    there.write_text("in the way", "utf-8")
    with pytest.raises(JournalError):
        session.tag(STORED, OTHER, CLAIM)
    session.pen.save_elsewhere(tmp_path / "rescued.jsonl")
    assert json.loads((tmp_path / "rescued.jsonl").read_text("utf-8"))["code"] == OTHER
    with pytest.raises(JournalError):
        session.tag(STORED, OTHER, CLAIM)
    there.unlink()
    (tmp_path / "away").rename(there)
    session.pen.retry()
    assert session.pen.unsaved is None
    assert [mark.tag.code for mark in session.marks(STORED)] == [MODE, OTHER]
    assert OTHER in session.undo().words


def test_a_codebook_that_does_not_parse_lets_read_but_not_tag(tmp_path: Path) -> None:
    (tmp_path / "annotations").mkdir()
    (tmp_path / "annotations" / "codebook.toml").write_text("[modes.a]\nkey = 'j'\n", "utf-8")
    session = opened(tmp_path)
    assert session.marks(STORED) == ()
    with pytest.raises(JournalError, match="line 2"):
        session.toggle(STORED, "a")
    (tmp_path / "annotations" / "codebook.toml").write_text("[modes.aa]\nwas = ['a']\n", "utf-8")
    session.refresh()
    tag = session.toggle(STORED, "a").tag
    assert tag is not None
    assert tag.code == "aa"


def test_a_mode_that_is_not_there_or_retired_is_said_and_a_new_one_is_made(session: Session) -> None:
    with pytest.raises(JournalError, match=r"no “fantom-action”\. Near it: phantom-action"):
        session.tag(STORED, "fantom-action", CLAIM)
    mode, said = session.modes.add("Phantom  actions!")
    assert (mode.code, said) == ("phantom-actions", "New mode phantom-actions. It is nearly “phantom-action”.")
    assert session.modes.add("Phantom actions")[1] == "The codebook has phantom-actions already."
    tag = session.tag(STORED, "phantom-actions", CLAIM).tag
    assert tag is not None
    with pytest.raises(JournalError, match="not a name for a mode"):
        session.modes.add("…")


def test_a_tag_goes_by_what_its_mode_is_called_now(session: Session) -> None:
    session.toggle(STORED, MODE, CLAIM)
    session.recode(lambda modes: modes.rename(MODE, "Made-up date"))
    assert [mark.tag.code for mark in session.marks(STORED)] == ["made-up-date"]
    assert "Removed" in session.toggle(STORED, "made-up-date", CLAIM).words


def test_an_undo_that_could_not_be_written_is_an_undo_when_it_is(session: Session, tmp_path: Path) -> None:
    session.tag(STORED, OTHER, CLAIM)
    session.tag(STORED, MODE, CLAIM)
    folder = tmp_path / "annotations"
    folder.rename(tmp_path / "away")
    with pytest.raises(JournalError, match="no longer there"):
        session.undo()
    (tmp_path / "away").rename(folder)
    session.pen.retry()
    assert [mark.tag.code for mark in session.marks(STORED)] == [OTHER]
    assert MODE in session.redo().words
    assert MODE in session.undo().words
    assert OTHER in session.undo().words


def test_a_split_is_one_act_and_others_tags_stay(tmp_path: Path) -> None:
    ann, bob, second = opened(tmp_path), opened(tmp_path, "bob"), builders.stored(run=2)
    tags = [each.tag for each in (ann.tag(STORED, MODE, CLAIM), ann.tag(second, MODE), bob.tag(second, MODE))]
    said = ann.split(MODE, "Made-up day", [tag for tag in tags if tag]).words
    assert said.endswith("2 tags of invented-delivery-date are now made-up-day. 1 are other reviewers' and stay.")
    assert sorted(tag.code for tag in ann.state(second.ref).tags) == [MODE, "made-up-day"]
    again = opened(tmp_path)
    assert "and 2 more" in again.undo().words
    assert [tag.code for ref in (STORED.ref, second.ref) for tag in again.state(ref).tags] == [MODE] * 3
    assert again.codebook.mode("made-up-day") is None
    assert "and 2 more" in opened(tmp_path).redo().words
    assert sorted(tag.code for tag in opened(tmp_path).state(second.ref).tags) == [MODE, "made-up-day"]


def test_who_is_asked_in_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".gitconfig").write_text("[user]\n\tname = Git  Name\n", "utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / ".gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "0")
    monkeypatch.setenv("REVIEWER_NAME", "Env Name")
    monkeypatch.setenv("LOGNAME", "login")
    monkeypatch.chdir(tmp_path)
    assert reviewer_name("Given") == "Given"
    assert reviewer_name() == "Env Name"
    monkeypatch.delenv("REVIEWER_NAME")
    assert reviewer_name() == "Git Name"
    monkeypatch.setenv("PATH", "")
    assert reviewer_name() == "login"


@pytest.mark.parametrize(
    ("script", "name"),
    [
        ("#!/bin/sh\necho ' Ann   Lee '\n", "Ann Lee"),
        ("#!/bin/sh\nexit 1\n", "login"),
        ("#!/bin/sh\nprintf '\\377'\n", "login"),
        ("no program", "login"),
        (None, "login"),
    ],
)
def test_a_git_that_says_no_name_leaves_it_to_the_login(
    script: str | None, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if script is not None:
        (tmp_path / "git").write_text(script, "utf-8")
        (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("REVIEWER_NAME", raising=False)
    monkeypatch.setenv("LOGNAME", "login")
    assert reviewer_name("") == name


def test_initials_are_short() -> None:
    assert [initials(name) for name in ("Maria Garcia", "anna", "j.r.r.tolkien", "-")] == ["MG", "AN", "JRR", "?"]
