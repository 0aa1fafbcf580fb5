"""Suggestions that others make: brought in from JSON Lines, placed on their words, kept over scans, decided about."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from reviewer.findings.finding_files import lines_of
from reviewer.findings.finding_import import bring_in
from reviewer.findings.finding_store import findings_file
from reviewer.findings.read_record import planted
from reviewer.findings.reads import READS
from reviewer.marks import folder
from reviewer.marks.review import Session
from reviewer.transcripts.store.reader import Reader
from tests.builders import CANCELLED, conversation, store
from tests.forked import run
from tests.unit.test_cli import objects
from tests.unit.test_finding_terms import found, suggestions
from tests.unit.test_scans import HANDED, THOUGHT, everything, shown

LATE = {"ref": "kimi/a-1/1#2", "mode": "invented-delivery-date", "by": "gpt-judge", "reason": "no tool said yesterday"}
ELSEWHERE = {**LATE, "ref": "kimi/b-1/1#1"}
QUOTED = {**LATE, "quote": "delivered yesterday", "certain": True}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return store(
        tmp_path,
        conversation(*CANCELLED, case="a-1", run=1),
        conversation(*HANDED, case="a-1", run=2),
        conversation(*THOUGHT, case="b-1", run=1),
    )


def bring(path: Path, *lines: dict[str, Any] | str, words: tuple[str, ...] = ()) -> Any:
    file = path.parent / "judged.jsonl"
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    file.write_text(text, "utf-8", "surrogatepass")
    return run("findings", path, "--import", file, *words)


def listed(path: Path) -> list[dict[str, Any]]:
    return objects(run("findings", path, "--json").stdout)


def test_a_quote_is_placed_on_its_words(path: Path) -> None:
    said = bring(path, QUOTED)
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout == "gpt-judge 1: 1 new, 0 known.\n"
    (finding,) = listed(path)
    assert finding["claim"] == {"ref": "kimi/a-1/1#2:63-82", "quote": "delivered yesterday"}
    assert (finding["read"], finding["mode"], finding["certain"]) == ("gpt-judge", "invented-delivery-date", True)
    assert finding["reason"] == "no tool said yesterday"


@pytest.mark.parametrize(
    ("record", "claim"),
    [
        ({**LATE}, "kimi/a-1/1#2"),
        ({**LATE, "ref": "kimi/a-1/1", "quote": "delivered yesterday"}, "kimi/a-1/1#2:63-82"),
        ({**LATE, "span": [63, 82]}, "kimi/a-1/1#2:63-82"),
        ({**LATE, "ref": "kimi/a-1/1#2:63-82", "quote": "delivered yesterday"}, "kimi/a-1/1#2:63-82"),
        ({**LATE, "ref": "kimi/a-1/1"}, "kimi/a-1/1"),
        ({**LATE, "ref": "kimi/a-1/1#2.1.result/status"}, "kimi/a-1/1#2.1.result/status"),
        ({**LATE, "ref": "kimi/a-1"}, "kimi/a-1"),
        ({**LATE, "claim": {"ref": "kimi/a-1/1#2", "quote": "yesterday"}}, "kimi/a-1/1#2:73-82"),
    ],
)
def test_where_a_suggestion_may_stand(path: Path, record: dict[str, Any], claim: str) -> None:
    assert bring(path, record).returncode == 0
    (finding,) = listed(path)
    assert finding["claim"]["ref"] == claim
    assert finding["certain"] is False


def test_evidence_comes_along(path: Path) -> None:
    evidence = ["#2.1.result/status", "no cancel before #4", {"ref": "kimi/a-1/1#3", "quote": "shipped already"}]
    bring(path, {**QUOTED, "evidence": evidence})
    (finding,) = listed(path)
    named = [each if isinstance(each, str) else (each["ref"], each["quote"]) for each in finding["evidence"]]
    assert named[:2] == [("kimi/a-1/1#2.1.result/status", "in transit"), "no cancel before #4"]
    assert named[2] == ("kimi/a-1/1#3:13-28", "shipped already")


def test_what_the_program_lists_can_be_brought_in_elsewhere(path: Path) -> None:
    everything(path)
    lines = [{**each, "version": number} for number, each in enumerate(listed(path), start=1)]
    again = bring(path, *lines)
    assert again.returncode == 2
    assert "1: “flips-across-runs” is a read of this program" in again.stderr
    assert bring(path, *lines, words=("--by", "older")).stdout == "older 1: 2 new, 0 known.\n"
    claims = {(each["read"], each["claim"]["ref"]) for each in listed(path)}
    assert {("older", ref) for read, ref in claims if read != "older"} == {
        each for each in claims if each[0] == "older"
    }


def test_a_quote_that_is_not_to_be_told_is_put_on_its_message_and_said(path: Path) -> None:
    said = bring(path, {**QUOTED, "quote": "delivered last week"}, {**QUOTED, "ref": "kimi/a-1/1#3", "quote": "a"})
    assert said.returncode == 0
    assert (
        "judged.jsonl: 2 stand less exactly than they say: line 1: “delivered last week” does not stand at"
        " kimi/a-1/1#2; it is put on the whole of it; line 2: “a” stands at kimi/a-1/1#3 4 times" in said.stderr
    )
    assert "2 stand less exactly than they say." in said.stdout
    assert [each["claim"]["ref"] for each in listed(path)] == ["kimi/a-1/1#2", "kimi/a-1/1#3"]


BAD = [
    ("{", "it is not JSON."),
    ("[1]", "it is not an object."),
    ("[" * 100_000, "it is not JSON."),
    ({**LATE, "ref": "kimi/none/1"}, "nothing stands at kimi/none/1."),
    ({**LATE, "ref": "kimi"}, "“kimi” is not a reference."),
    ({**LATE, "ref": "kimi/a-1/1#99"}, "kimi/a-1/1 has 4 messages; #99."),
    ({**LATE, "ref": "kimi/a-1/1", "quote": "absent"}, "“absent” does not stand at kimi/a-1/1."),
    ({**LATE, "ref": "kimi/a-1/1#2:0-4", "quote": "absent"}, "“absent” is not what stands at kimi/a-1/1#2:0-4."),
    ({**LATE, "ref": "kimi/a-1", "quote": "refund"}, "kimi/a-1 is a case; its words stand in its runs."),
    ({**LATE, "ref": "kimi/b-1"}, "kimi/b-1 has one run alone."),
    ({**LATE, "span": [4, 1]}, "a span from 4 to 1 says nothing"),
    ({**LATE, "span": [0, 9999]}, "kimi/a-1/1#2:0-9999 ends behind its text, which has 83"),
    ({**LATE, "span": "4-9"}, "its span is not two numbers."),
    ({**LATE, "span": [True, 4]}, "its span is not two numbers."),
    ({**LATE, "mode": " "}, "it names no mode."),
    ({**LATE, "mode": 7}, "its mode is not text."),
    ({**LATE, "mode": "\ud800"}, "its mode holds half a character."),
    ({**LATE, "by": ""}, "it does not say whose it is."),
    ({**LATE, "by": READS[0].name}, f"“{READS[0].name}” is a read of this program."),
    ({**LATE, "reason": ["x"]}, "its reason is not text."),
    ({**LATE, "certain": "perhaps"}, "it is neither certain nor not."),
    ({**LATE, "certain": []}, "it is neither certain nor not."),
    ({**LATE, "version": "two"}, "its version is not a whole number."),
    ({**LATE, "version": 10**30}, "its version is not a whole number."),
    ({**LATE, "evidence": "x"}, "its evidence is not a list."),
    ({**LATE, "evidence": [4]}, "its evidence is not text."),
    ({**LATE, "evidence": ["kimi/a-1"]}, "kimi/a-1 is a case"),
    ({**LATE, "version": 0}, "it is of version 0, others are of 1."),
    ({"transcript": {"x": 1}, "messages": 4, "value": False}, "it does not say whose it is."),
]


@pytest.mark.parametrize(("record", "sentence"), BAD, ids=[sentence for _, sentence in BAD])
def test_a_bad_line_costs_itself_alone(path: Path, record: dict[str, Any] | str, sentence: str) -> None:
    file = path.parent / "judged.jsonl"
    lines = [line if isinstance(line, str) else json.dumps(line) for line in (QUOTED, record, ELSEWHERE)]
    file.write_text("\n".join(lines))
    with Reader(path) as reader:
        taken = lines_of(file.name, file.read_bytes(), Counter())
        report = bring_in(reader, taken, folder.load(path.parent / "annotations", folder.SUPPORT))
    ((cause, places),) = report.wrong.items()
    assert places == ["judged.jsonl, line 2"]
    assert cause.startswith(sentence), cause
    assert [(source.name, counts.new) for source, counts in report.sources.items()] == [("gpt-judge", 2)]


def test_bad_lines_end_in_another_exit_code(path: Path) -> None:
    said = bring(path, QUOTED, "{", ELSEWHERE)
    assert (said.returncode, said.stderr) == (2, "judged.jsonl, line 2: it is not JSON.\n")
    assert said.stdout == "gpt-judge 1: 2 new, 0 known.\n1 could not be taken.\n"


def test_many_bad_lines_are_one_sentence_about_the_file(path: Path) -> None:
    bad: list[dict[str, Any] | str] = ["{", *[{**LATE, "mode": ""}] * 5]
    said = bring(path, QUOTED, *bad)
    assert said.stderr == (
        "judged.jsonl: 6 could not be taken: line 2: it is not JSON;"
        " line 3, line 4, line 5 and 2 more: it names no mode.\n"
    )
    others = [{**LATE, "ref": f"kimi/none-{number}/1"} for number in range(9)]
    assert bring(path, *others).stderr.endswith("line 5: nothing stands at kimi/none-4/1; 4 for other reasons.\n")


def piped(path: Path, text: str, *words: str) -> subprocess.CompletedProcess[str]:
    return run("findings", path, "--import", "-", *words, text=text)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([QUOTED, ELSEWHERE]),
        json.dumps([QUOTED, ELSEWHERE], indent=2),
        json.dumps({"model": "x", "findings": [QUOTED, ELSEWHERE]}),
        "\ufeff" + json.dumps(QUOTED) + "\r\n\r\n" + json.dumps(ELSEWHERE),
    ],
)
def test_an_array_an_object_that_holds_one_and_lines_come_from_a_file_and_a_pipe(path: Path, text: str) -> None:
    said = piped(path, text)
    assert (said.returncode, said.stdout, said.stderr) == (0, "gpt-judge 1: 2 new, 0 known.\n", "")
    (path.parent / "a.json").write_text(text, "utf-8")
    assert run("findings", path, "--import", path.parent / "a.json").stdout == "gpt-judge 1: 0 new, 2 known.\n"


def test_what_is_wrong_in_an_array_or_a_pipe_is_said_with_its_entry(path: Path) -> None:
    assert piped(path, json.dumps([QUOTED, 4])).stderr == "standard input, entry 2: it is not an object.\n"
    assert "standard input, line 1: it is not JSON." in piped(path, "[1,").stderr
    assert "holds no suggestion" in piped(path, "").stdout
    assert piped(path, json.dumps(QUOTED, indent=1)).stdout == "gpt-judge 1: 0 new, 1 known.\n"


def test_usual_names_of_fields_are_taken_and_others_named(path: Path) -> None:
    record = {
        "conversation_id": "kimi/a-1/1", "message": 2, "label": "rude", "explanation": "It shouts.", "confidence": 0.9,
        "judge": "gpt", "excerpt": "delivered yesterday", "severity": "high", "tokens": 7, "notes": None,
    }  # fmt: skip
    said = bring(path, record, {**record, "message": 4, "excerpt": "", "start": 0, "end": 4})
    assert said.returncode == 0
    fields = "severity (2), tokens (2)"
    assert f"A suggestion has no place for these fields, which were dropped: {fields}.\n" in said.stderr
    assert [(each["claim"]["ref"], each["mode"], each["read"], each["certain"]) for each in listed(path)] == [
        ("kimi/a-1/1#2:63-82", "rude", "gpt", False),
        ("kimi/a-1/1#4:0-4", "rude", "gpt", False),
    ]
    assert {each["reason"] for each in listed(path)} == {"It shouts. (confidence 0.9)"}


def sarif(*results: dict[str, Any], **driver: Any) -> str:
    rules = [{"id": "R1", "name": "SchemaViolation", "shortDescription": {"text": "Arguments do not fit."}}]
    tool = {"driver": {"name": "tracelint", "version": "0.14.0", "rules": rules, **driver}}
    return json.dumps({"version": "2.1.0", "runs": [{"tool": tool, "results": list(results)}]}, indent=1)


def result(file: str = "logs/built.jsonl", line: int = 1, text: str = "Bad.", **more: Any) -> dict[str, Any]:
    location = {"physicalLocation": {"artifactLocation": {"uri": file}, "region": {"startLine": line}}}
    found = {"ruleId": "R1", "ruleIndex": 0, "level": "error", "message": {"text": text}, "locations": [location]}
    return {**found, **more}


def test_a_linters_sarif_is_about_the_conversation_of_the_file_and_line(path: Path) -> None:
    told = sarif(
        result(line=1, text="One.", properties={"tier": "hard_defect", "finding_type": "schema_violation"}),
        result(line=1, text="Two."),
        result(line=3, ruleIndex=None, ruleId="phantom_action"),
        result(line=9),
        result(line=2, suppressions=[{"kind": "external"}]),
        result(line=2, kind="pass"),
    )
    said = piped(path, told)
    assert (said.returncode, said.stdout) == (0, "tracelint 1: 2 new, 0 known.\n")
    assert "1 is about transcripts that the store does not have; the first: standard input, result 4" in said.stderr
    assert "logs/built.jsonl, line 9 is not in the store." in said.stderr
    assert "which were dropped: level (6), properties.tier (1)." in said.stderr
    assert sorted((each["ref"], each["mode"], each["reason"]) for each in listed(path)) == [
        ("kimi/a-1/1", "SchemaViolation", "One.; Two."),
        ("kimi/b-1/1", "phantom-action", "Bad."),
    ]
    assert piped(path, told).stdout == "tracelint 1: 0 new, 2 known.\n"


def test_sarif_may_name_a_conversation_and_quote_it(path: Path) -> None:
    name = {"logicalLocations": [{"fullyQualifiedName": "kimi/a-1/2#1"}]}
    region = {"startLine": 1, "snippet": {"text": "delivered yesterday"}}
    snippet = {"physicalLocation": {"artifactLocation": {"uri": "file:///x/built.jsonl"}, "region": region}}
    told = sarif(
        result(locations=[name]),
        result(locations=[snippet]),
        result(properties={"conversation_id": "kimi/b-1/1"}),
        rules=[{"id": "R1", "messageStrings": {"m": {"text": "At {0}."}}}],
    )
    assert piped(path, told).returncode == 0
    assert {each["claim"]["ref"] for each in listed(path)} == {"kimi/a-1/2#1", "kimi/a-1/1#2:63-82", "kimi/b-1/1"}
    spoken = sarif(
        result(message={"id": "m", "arguments": ["x"]}),
        rules=[{"id": "R1", "messageStrings": {"m": {"text": "At {0}."}}}],
    )
    assert piped(path, spoken).returncode == 0
    assert "At x." in {each["reason"] for each in listed(path)}


@pytest.mark.parametrize(
    "text",
    [
        '{"version": "2.1.0", "runs": []}',
        '{"version": "2.1.0", "runs": [4, {"results": 7}, {"tool": []}]}',
        sarif(result(locations=[], message=[], ruleIndex=99, ruleId=4)),
        sarif({"locations": [4], "suppressions": [1], "properties": []}),
        '{"$schema": 1, "runs": [{"results": [null]}]}',
        "[" * 100_000,
    ],
)
def test_a_spoilt_file_is_sentences(path: Path, text: str) -> None:
    said = piped(path, text, "--by", "x")
    assert "Traceback" not in said.stderr
    assert said.returncode in (0, 2)


def test_bytes_that_are_no_text_and_a_file_that_is_not_there(path: Path) -> None:
    (path.parent / "odd.jsonl").write_bytes(b"\xef\xbb\xbf" + json.dumps(QUOTED).encode() + b"\n\n\xff\xfe{}\n")
    said = run("findings", path, "--import", path.parent / "odd.jsonl")
    assert said.stderr == "odd.jsonl, line 3: it is not UTF-8.\n"
    assert "1 new" in said.stdout
    gone = run("findings", path, "--import", "gone.jsonl")
    assert (gone.returncode, gone.stdout) == (2, "")
    assert "gone.jsonl cannot be read: No such file or directory." in gone.stderr
    (path.parent / "empty.jsonl").write_text("")
    assert "holds no suggestion" in run("findings", path, "--import", path.parent / "empty.jsonl").stdout


def test_the_same_file_twice_adds_nothing_and_another_file_adds(path: Path) -> None:
    other = {**LATE, "ref": "kimi/b-1/1#2", "mode": "leaked-think-tag"}
    bring(path, QUOTED)
    assert "0 new, 1 known." in bring(path, QUOTED, QUOTED).stdout
    assert "1 new, 0 known." in bring(path, other).stdout
    assert "0 new, 0 known, 1 changed." in bring(path, {**QUOTED, "reason": "otherwise"}).stdout
    assert {each["reason"] for each in listed(path)} == {"no tool said yesterday", "otherwise"}


def test_a_new_version_takes_the_place_of_the_older_one(path: Path) -> None:
    mine = {**LATE, "by": "mine"}
    bring(path, QUOTED, {**LATE, "ref": "kimi/b-1/1#2"}, mine)
    assert "gpt-judge 2: 1 new, 0 known, 2 no longer suggested." in bring(path, {**LATE, "version": 2}).stdout
    told = {(each["read"], each["version"], each["claim"]["ref"]) for each in listed(path)}
    assert told == {("gpt-judge", 2, "kimi/a-1/1#2"), ("mine", 1, "kimi/a-1/1#2")}
    assert (
        "gpt-judge 3: 0 new, 0 known, 1 changed." in bring(path, {**LATE, "version": 2}, {**LATE, "version": 3}).stdout
    )


def test_scans_leave_it_alone(path: Path) -> None:
    bring(path, QUOTED, {**LATE, "ref": "kimi/a-1"})
    everything(path)
    assert sum(each["read"] == "gpt-judge" for each in listed(path)) == 2
    with sqlite3.connect(path) as db:
        (digest,) = db.execute("SELECT digest FROM conversations WHERE ref = 'kimi/a-1/1'").fetchone()
        db.execute("UPDATE conversations SET digest = 'other' WHERE ref = 'kimi/a-1/1'")
    assert "gpt-judge" not in {each["read"] for each in listed(path)}
    everything(path)
    assert "2 brought in about what has changed since are left out" in run("findings", path).stderr
    with sqlite3.connect(path) as db:
        db.execute("UPDATE conversations SET digest = ? WHERE ref = 'kimi/a-1/1'", (digest,))
    assert sum(each["read"] == "gpt-judge" for each in listed(path)) == 2, "it is about these words still"


def test_a_mode_that_the_codebook_does_not_have_is_kept_and_said(path: Path) -> None:
    said = bring(path, {**QUOTED, "mode": "phantom-acton"}, {**LATE, "mode": "Rude reply"}, {**LATE, "mode": "zzz"})
    assert said.returncode == 0
    assert (
        "The codebook has no “phantom-acton” (1 suggested), which is kept as it is. Near it: phantom-action"
        in said.stderr
    )
    assert 'To add it: reviewer codebook add "zzz"' in said.stderr
    assert {each["mode"] for each in listed(path)} == {"phantom-acton", "Rude reply", "zzz"}
    assert bring(path, {**LATE, "mode": "Phantom Action"}).stderr == ""
    assert "phantom-action" in {each["mode"] for each in listed(path)}


def test_queries_ask_for_it_as_for_what_reads_suggest(path: Path) -> None:
    bring(path, QUOTED, {**LATE, "ref": "kimi/b-1/1"})
    assert found(path, "read:gpt-judge") == "a-1 b-1"
    assert found(path, "read:gpt-* certain:yes finding:invented-delivery-date") == "a-1"
    assert len(run("findings", path, "--read", "gpt-judge").stdout.splitlines()) == 2
    assert found(path, "finding:no") == "", "no read has looked"


def test_it_has_the_same_record_of_accepted_and_rejected(path: Path, tmp_path: Path) -> None:
    bring(path, QUOTED, {**LATE, "ref": "kimi/b-1/1"})
    (first, one), (second, two) = suggestions(path, "invented-delivery-date")
    session = Session(path.parent / "annotations", "ana", path.name)
    session.decide(first, True, [one])
    session.decide(second, False, [two])
    everything(path)
    row = next(line.split() for line in run("reads", path).stdout.splitlines() if line.startswith("gpt-judge"))
    assert row == ["gpt-judge", "1", "-", "1", "1", "1", "1", "50%", "(9%-91%)", "-"]
    truth = tmp_path / "truth.jsonl"
    line = {"ref": "kimi/a-1/1#2", "mode": "invented-delivery-date", "kind": "real"}
    truth.write_text("\n".join(json.dumps(each) for each in (line, {**line, "ref": "kimi/b-1/1#1"})))
    assert len(planted(truth)) == 2
    told = json.loads(run("reads", path, "--truth", truth, "--json").stdout)
    (judge,) = [each for each in told if each["read"] == "gpt-judge"]
    assert (judge["opportunities"], judge["mode"], judge["accepted"], judge["rejected"]) == (None, None, 1, 1)
    assert judge["truth"] == {"findings": 2, "right": 2, "planted": 2, "recalled": 2, "near_misses": 0, "trapped": 0}
    (ours,) = [each for each in told if each["read"] == "invented-delivery-date"]
    assert ours["truth"]["findings"] == sum(row.read == "invented-delivery-date" for row in shown(path).rows)


def test_an_accepted_one_is_a_tag_on_the_words(path: Path) -> None:
    bring(path, {**QUOTED, "evidence": ["#2.1.result/status"]})
    ((stored, finding),) = suggestions(path, "invented-delivery-date")
    tag = Session(path.parent / "annotations", "ana", path.name).decide(stored, True, [finding]).tag
    assert tag is not None
    assert (tag.pieces[0].quote, tag.by) == ("delivered yesterday", "ana")
    assert "delivered yesterday" in run("export", path).stdout


def test_hostile_names_reach_no_terminal(path: Path) -> None:
    bring(path, {**QUOTED, "by": "\x1b[31mjudge", "mode": "\x1b]0;x\x07", "reason": "a\nb\x1b[2J"})
    for said in (run("findings", path), run("reads", path), run("list", path, "read:*")):
        assert "\x1b" not in said.stdout + said.stderr


def test_a_file_of_findings_of_an_older_version_is_said(path: Path) -> None:
    everything(path)
    with sqlite3.connect(findings_file(path)) as db:
        db.execute("PRAGMA user_version = 1")
    said = bring(path, QUOTED)
    assert (said.returncode, said.stdout) == (2, "")
    assert "is of another version, or no file of findings." in said.stderr


def test_the_lines_of_the_page_are_taken(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "reads.md").read_text("utf-8")
    lines = [line.strip() for line in page.splitlines() if line.startswith('    {"by"')]
    runs = (conversation(*CANCELLED, model="kimi-k2.6", case="cancel-before-ship-1", run=run) for run in (1, 2))
    path = store(tmp_path, *runs)
    said = bring(path, *lines)
    assert (said.returncode, said.stdout) == (0, "gpt-judge 1: 3 new, 0 known.\n")
