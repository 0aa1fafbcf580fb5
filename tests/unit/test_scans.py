"""Scanning a store: what is kept beside it, what is read again and what not, and how it is said."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.findings import finding_store as findings
from reviewer.findings import reads
from reviewer.findings.read_record import planted, records
from reviewer.findings.reads import BY_NAME, Read
from reviewer.findings.reads.dossier import Dossier, Suggestion
from reviewer.findings.scans import ScanReport, finding_of, row_of, scan, usual
from reviewer.marks import shapes
from reviewer.marks.anchors import place
from reviewer.marks.review import Session
from reviewer.transcripts.desk import parse as parse_desk
from reviewer.transcripts.model import Case, Message
from reviewer.transcripts.query import EVERYTHING, parse
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.desks import put_desk
from reviewer.transcripts.store.reader import Reader
from tests.builders import CANCELLED, DESK, agent, call, conversation, customer, store

THOUGHT = (customer("Where is it?"), agent("<think>Look.</think>On its way."))
HANDED = (customer("Cancel it."), agent("A colleague takes over.", call("hand_over")))


def stocked(folder: Path) -> Path:
    return store(
        folder,
        conversation(*CANCELLED, case="a-1", run=1),
        conversation(*HANDED, case="a-1", run=2),
        conversation(*THOUGHT, case="b-1", run=1),
    )


def everything(path: Path, chosen: tuple[Read, ...] | None = None) -> ScanReport:
    with Reader(path) as reader:
        return scan(path, reader.ids(), chosen or usual())


def shown(path: Path, query: str = "") -> findings.FindingsShown:
    with Reader(path) as reader:
        return findings.shown(path, reader.search.where, parse(query).selection if query else EVERYTHING)


def test_findings_stand_beside_the_store_with_their_proof(tmp_path: Path) -> None:
    path = stocked(tmp_path)
    before = path.read_bytes()
    report = everything(path)
    assert (report.whole, report.read, report.faults) == (3, 3, [])
    assert findings.findings_file(path) == tmp_path / "runs.db.findings.db"
    assert path.read_bytes() == before, "the evidence itself is never written"
    rows = shown(path).rows
    assert {(row.ref, row.mode) for row in rows} == {
        ("kimi/a-1", "flips-across-runs"),
        ("kimi/b-1/1", "leaked-think-tag"),
    }
    (row,) = [row for row in rows if row.mode == "leaked-think-tag"]
    body = json.loads(row.body)
    assert body["claim"]["quote"] == "<think>Look.</think>"
    assert (row.message, row.certain, row.version) == (2, True, BY_NAME["leaked-think-tag"].version)
    with Reader(path) as reader:
        stored = reader.stored(reader.find("kimi/b-1/1")[0])
    (claim,) = shapes.anchors_of([body["claim"]])
    assert place(claim, stored).state == "exact"


def test_only_what_is_new_is_read(tmp_path: Path) -> None:
    path = stocked(tmp_path)
    assert everything(path, usual(["empty-reply"])).read == 3
    assert everything(path, usual(["empty-reply"])).read == 0
    report = everything(path)
    assert report.read == 3
    assert everything(path).read == 0
    assert len(shown(path).rows) == 2


def test_a_newer_version_takes_the_place_of_the_older_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = stocked(tmp_path)
    everything(path)
    newer = replace(BY_NAME["leaked-think-tag"], version=2)
    monkeypatch.setitem(BY_NAME, newer.name, newer)
    report = everything(path, (newer,))
    assert report.older == {("leaked-think-tag", 1): 3}
    assert [row.version for row in shown(path).rows if row.read == newer.name] == [2]
    others = [row for row in shown(path).rows if row.read != newer.name]
    assert [row.version for row in others] == [BY_NAME[row.read].version for row in others] != []
    identities = {row.identity for row in shown(path).rows if row.read == newer.name}
    assert len(identities) == 1
    assert " 2" not in "".join(identities).split("#")[0], "a rejection outlives a newer version"


def test_another_desk_is_said_and_read_anew(tmp_path: Path) -> None:
    path = stocked(tmp_path)
    everything(path)
    strict = parse_desk(DESK.text.replace('name = "test-desk"', 'name = "strict"\nconfirm = true'), "strict")
    put_desk(path, strict, lambda _: [1, 2, 3])
    assert shown(path).other_desk == 3
    report = everything(path)
    assert (report.other_desk, report.read) == (3, 3)
    assert "acts-before-confirming" in {row.mode for row in shown(path).rows}
    assert shown(path).other_desk == 0


def test_what_changed_since_is_left_out_and_counted(tmp_path: Path) -> None:
    path = stocked(tmp_path)
    everything(path)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE conversations SET digest = 'other' WHERE ref = 'kimi/b-1/1'")
    left = shown(path)
    assert left.outdated == 1
    assert {row.mode for row in left.rows} == {"flips-across-runs"}
    with sqlite3.connect(path) as db:
        db.execute("UPDATE conversations SET digest = 'other' WHERE ref = 'kimi/a-1/2'")
    assert shown(path).rows == []


def related(folder: Path, *ways: tuple[Message, ...]) -> Path:
    """A store with conversations of one family in one run, one a case."""
    facts = Case("a", family="returns", bucket="resolvable")
    kin = [conversation(*way, case=f"r-{n}", run=1) for n, way in enumerate(ways, start=1)]
    return store(folder, *(replace(each, facts=replace(facts, id=each.case or "")) for each in kin))


def test_a_family_is_held_against_itself_within_a_run_and_read_again_when_a_member_changes(tmp_path: Path) -> None:
    path = related(tmp_path, HANDED, CANCELLED, CANCELLED)
    (read,) = usual(["inconsistent-identical-asks"])
    everything(path, (read,))
    ((ref, version),) = [(row.ref, row.version) for row in shown(path).rows]
    assert (ref, version) == ("kimi/r-1/1", 1)
    assert [tuple(scan.reads[read.name]) for scan in shown(path).scans] == [(1, 1)] * 3
    assert not everything(path, (read,)).findings, "nothing is new"
    with sqlite3.connect(path) as db:
        db.execute("UPDATE cases SET family = 'other' WHERE name IN ('r-1', 'r-3')")
    everything(path, (read,))
    assert [row.ref for row in shown(path).rows] == ["kimi/r-1/1"], "now the half that was handed over"
    with sqlite3.connect(path) as db:
        db.execute("UPDATE cases SET family = 'another' WHERE name = 'r-1'")
        db.execute("UPDATE cases SET family = 'returns' WHERE name = 'r-3'")
    everything(path, (read,))
    assert shown(path).rows == []


def test_a_read_over_a_family_that_fails_is_reported_once_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(family: Sequence[Dossier]) -> Iterator[Suggestion | None]:
        yield None
        raise ValueError(str(len(family)))

    broken = replace(BY_NAME["inconsistent-identical-asks"], mode="broken", within=failing)
    monkeypatch.setitem(BY_NAME, "broken", broken)
    path = related(tmp_path, HANDED, CANCELLED)
    for _ in range(2):
        ((name, read, reason),) = everything(path, (broken,)).faults
        assert (name, read, reason) == ('family "returns" (resolvable) of kimi, run 1', "broken", "ValueError: 2")


def test_a_query_narrows_what_is_read_and_what_is_shown(tmp_path: Path) -> None:
    path = stocked(tmp_path)
    with Reader(path) as reader:
        ids = reader.ids(parse("case:b-1").selection)
    assert scan(path, ids, usual()).whole == 1
    assert shown(path).unread == 2
    everything(path)
    assert {row.mode for row in shown(path, "case:b-1").rows} == {"leaked-think-tag"}
    assert {row.mode for row in shown(path, "case:a-1").rows} == {"flips-across-runs"}


def test_the_findings_of_one_model_are_those_that_a_query_for_it_shows(tmp_path: Path) -> None:
    path = store(
        tmp_path,
        conversation(*CANCELLED, case="a-1", run=1),
        conversation(*HANDED, case="a-1", run=2),
        conversation(*HANDED, case="a-1", run=1, model="other"),
    )
    everything(path)
    for model in ("kimi", "other"):
        whole, own = shown(path, f"model:{model}"), findings.shown_of_model(path, model)
        assert own.rows == whole.rows
        assert sorted(each.ref for each in own.scans) == sorted(each.ref for each in whole.scans)
        assert (own.unread, own.other_desk) == (0, 0)
    told = findings.opportunities_of(
        path, ["kimi/a-1/1", "kimi/a-1/2", "gone"], ["fires-on-first-message", "held-line"]
    )
    scanned = {each.ref: each for each in shown(path).scans}
    assert told == {
        ref: (scanned[ref].digest, [scanned[ref].reads["fires-on-first-message"][1], None])
        for ref in ("kimi/a-1/1", "kimi/a-1/2")
    }
    assert findings.opportunities_of(tmp_path / "none.db", [], []) == {}


def test_a_read_that_fails_is_reported_with_the_reference_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(it: Dossier) -> Iterator[Suggestion | None]:
        if it.stored.ref.endswith("b-1/1"):
            raise ValueError("odd")
        yield None

    broken = replace(BY_NAME["empty-reply"], mode="broken", look=failing)
    monkeypatch.setitem(BY_NAME, "broken", broken)
    path = stocked(tmp_path)
    report = everything(path, (broken, BY_NAME["leaked-think-tag"]))
    assert report.faults == [("kimi/b-1/1", "broken", "ValueError: odd")]
    assert len(shown(path).rows) == 1
    assert everything(path, (broken,)).read == 1


def test_several_processes_find_what_one_finds(tmp_path: Path) -> None:
    many = [conversation(*THOUGHT, agent(f"Number {n}."), case=f"c-{n}", run=1) for n in range(301)]
    path = store(tmp_path, *many)
    with Reader(path) as reader:
        ids = reader.ids()
    scan(path, ids, usual(), processes=2)
    together = [row[:8] for row in shown(path).rows]
    findings.findings_file(path).unlink()
    steps: list[tuple[int, int]] = []
    scan(path, ids, usual(), lambda done, whole: steps.append((done, whole)), processes=1)
    assert [row[:8] for row in shown(path).rows] == together
    assert len(together) == 301
    assert steps[-1] == (301, 301)


def test_what_people_decide_is_the_record_of_a_read(tmp_path: Path) -> None:
    path = stocked(tmp_path)
    everything(path)
    with Reader(path) as reader:
        stored = reader.stored(reader.find("kimi/b-1/1")[0])
    out = reads.read_over(stored, [BY_NAME["leaked-think-tag"]])
    ((read, suggestion),) = out.suggestions
    finding = finding_of(read, suggestion, {stored.ref: stored})
    assert row_of(finding).identity == shown(path, "case:b-1").rows[0].identity
    session = Session(tmp_path / "annotations", by="ana", store="runs.db")
    session.decide(stored, True, [finding])
    (own,) = [each for each in records(shown(path), session.book.ledger, None) if each.read.name == read.name]
    assert (own.opportunities, own.certain, own.accepted, own.rejected) == (4, 1, 1, 0)
    assert own.precision is not None
    share, low, high = own.precision
    assert (share, round(low, 2), round(high, 2)) == (1.0, 0.21, 1.0)
    session.undo()
    session.decide(stored, False, [finding])
    (own,) = [each for each in records(shown(path), session.book.ledger, None) if each.read.name == read.name]
    assert (own.accepted, own.rejected) == (0, 1)


def test_what_people_tag_without_seeing_suggestions_says_what_a_read_does_not_see(tmp_path: Path) -> None:
    path = stocked(tmp_path)
    everything(path)
    session = Session(tmp_path / "annotations", "ana", "runs.db", "support-agent")
    with Reader(path) as reader:
        leaked, handed = (reader.stored(reader.find(ref)[0]) for ref in ("kimi/b-1/1", "kimi/a-1/2"))
    session.tag(leaked, "leaked-think-tag", Ref(leaked.ref, 2, span=(0, 7)))
    session.tag(handed, "leaked-think-tag", Ref(handed.ref, 2))

    def own() -> tuple[int, int]:
        told = records(shown(path), session.book.ledger, None, session.codebook)
        return next((each.met, each.by_hand) for each in told if each.read.name == "leaked-think-tag")

    assert own() == (0, 0)  # nobody said that they read these alone
    session.reviewed(leaked, suggestions=True)
    assert own() == (0, 0)
    session.undo()
    session.reviewed(leaked, suggestions=False)
    session.reviewed(handed, suggestions=False)
    assert own() == (1, 2)
    session.tag(leaked, "leaked-think-tag", Ref(leaked.ref, 2, span=(8, 12)))
    assert own() == (1, 2), "what was tagged after the suggestions came up was not found alone"


def test_a_truth_counts_what_is_right_what_is_missed_and_what_only_looks_like_it(tmp_path: Path) -> None:
    path = stocked(tmp_path)
    everything(path)
    truth = tmp_path / "truth.jsonl"
    lines = [
        {"ref": "kimi/b-1/1#2:0-20", "mode": "leaked-think-tag", "kind": "real"},
        {"ref": "kimi/a-1/1#2:0-5", "mode": "leaked-think-tag", "kind": "real"},
        {"ref": "kimi/b-1/1#2:0-7", "mode": "leaked-think-tag", "kind": "near miss"},
        {"ref": "kimi/a-1", "mode": "flips-across-runs", "kind": "real"},
    ]
    truth.write_text("".join(json.dumps(line) + "\n" for line in lines))
    told = {each.read.name: each.truth for each in records(shown(path), None, planted(truth))}
    leak, flip = told["leaked-think-tag"], told["flips-across-runs"]
    assert leak is not None
    assert flip is not None
    assert (leak.right, leak.of_findings, leak.recalled, leak.of_planted) == (1, 1, 1, 2)
    assert (leak.trapped, leak.of_near_misses) == (1, 1)
    assert (flip.right, flip.recalled) == (1, 1)
    assert told["empty-reply"] is None


def test_a_failure_may_stand_in_the_truth_where_a_finding_has_its_proof_and_a_near_miss_may_not(tmp_path: Path) -> None:
    told = (agent("", call("cancel_order", "{}", "", "locked")), agent("I've cancelled your order #1130."))
    path = store(tmp_path, conversation(customer("Cancel it."), *told, case="a-1", run=1))
    everything(path)
    truth = tmp_path / "truth.jsonl"
    scores = []
    for kind in ("real", "near miss"):
        line = {"ref": "kimi/a-1/1#2.1", "mode": "failed-call-reported-as-success", "kind": kind}
        truth.write_text(json.dumps(line))
        by_name = {each.read.name: each.truth for each in records(shown(path), None, planted(truth))}
        scores.append(by_name["failed-call-reported-as-success"])
    real, near = scores
    assert real is not None
    assert near is not None
    assert (real.right, real.recalled, real.of_findings) == (1, 1, 1)
    assert (near.right, near.trapped, near.of_findings) == (0, 0, 1)


def test_a_findings_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = stocked(tmp_path)
    with sqlite3.connect(findings.findings_file(path)) as db:
        db.execute("CREATE TABLE theirs (x)")
    with pytest.raises(Exception, match="of another version, or no file of findings"):
        everything(path)
    with pytest.raises(Exception, match="of another version, or no file of findings"):
        shown(path)
