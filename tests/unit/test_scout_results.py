"""Inspect Scout's scan results, as they lie on disk, brought in as suggestions of their scanners."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reviewer.imports import scout_results
from tests.builders import CANCELLED, agent, conversation, customer, store
from tests.forked import run
from tests.unit.test_finding_import import listed
from tests.unit.test_scans import THOUGHT, everything

CALL = {"id": "c1", "function": "get_order", "arguments": {"order_id": "#1130"}, "type": "function"}
INPUT = {
    "transcript_id": "uuid-1",
    "messages": [
        {"id": "m0", "role": "system", "content": "Be kind."},
        {"id": "m1", "role": "user", "content": "Please cancel order #1130, I ordered the wrong size."},
        {
            "id": "m2",
            "role": "assistant",
            "content": [{"type": "text", "text": CANCELLED[1].text}],
            "tool_calls": [CALL],
        },
        {"id": "m3", "role": "tool", "content": '{"status":"in transit","carrier":"UPS"}', "tool_call_id": "c1"},
        {"id": "m4", "role": "user", "content": "Wait, it was shipped already?"},
        {"id": "m5", "role": "assistant", "content": "Yes, it was. Sorry about that!"},
    ],
    "events": [],
}


def cite(*names: str) -> list[dict[str, str]]:
    return [{"type": "message", "cite": f"[{name.upper()}]", "id": name} for name in names]


def row(transcript: str = "uuid-1", **told: Any) -> dict[str, Any]:
    """A row as Scout's recorder writes it; values that are not plain are JSON in a text."""
    value = told.pop("value", True)
    kind = {bool: "boolean", str: "string", float: "number", int: "number", type(None): "null"}.get(
        type(value), "object"
    )
    references = told.pop("references", [])
    return {
        "transcript_id": transcript, "transcript_source_type": "eval_log", "transcript_source_id": "eval-1",
        "transcript_source_uri": "logs/x.eval", "transcript_date": "2026-06-01T10:00:00+00:00",
        "transcript_task_set": "retail", "transcript_task_id": "a-1", "transcript_task_repeat": 1,
        "transcript_model": "kimi", "transcript_metadata": "{}", "scan_id": "scan-1", "scan_tags": "[]",
        "scanner_key": "false_promises", "scanner_name": "false_promises", "scanner_version": 0,
        "scanner_params": "{}", "input_type": "transcript", "input_ids": json.dumps([transcript]),
        "input": json.dumps(INPUT), "uuid": "r-1", "label": None,
        "value": value if kind == "string" else json.dumps(value) if value is not None else None,
        "value_type": kind, "answer": None, "explanation": "It says yesterday [M2], the tool in transit [M3].",
        "metadata": "{}", "message_references": json.dumps(references), "event_references": "[]",
        "scan_error": None, "scan_error_traceback": None, "scan_total_tokens": 10, "scan_events": "[]",
        "timestamp": "2026-06-01T10:05:00+00:00",
        **told,
    }  # fmt: skip


def scanned(folder: Path, *rows: dict[str, Any], name: str = "false_promises", at: str = "2026-06-01T10:00:00") -> Path:
    """The folder of a scan, with the results of one scanner."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "_scan.json").write_text(json.dumps({"scan_id": folder.name, "timestamp": at, "scanners": {name: {}}}))
    (folder / "_errors.jsonl").write_text("")
    pq.write_table(pa.Table.from_pylist(list(rows)), folder / f"{name}.parquet", compression="zstd")
    return folder


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return store(
        tmp_path,
        replace(conversation(*CANCELLED, case="retail-a-1", run=1), id="uuid-1"),
        replace(conversation(*THOUGHT, case="retail-b-1", run=1), id="uuid-2"),
        replace(conversation(*THOUGHT, case="retail-b-1", run=2), id="uuid-3"),
    )


def bring(path: Path, folder: Path) -> Any:
    return run("findings", path, "--import", folder)


def test_a_positive_result_is_a_suggestion_on_the_messages_that_it_cites(path: Path, tmp_path: Path) -> None:
    rows = (row(references=cite("m3", "m2")), row("uuid-2", value=False), row("uuid-3", value=None))
    said = bring(path, scanned(tmp_path / "scan_id=s1", *rows))
    assert (said.returncode, said.stdout) == (0, "false_promises 0: 1 new, 0 known.\n")
    assert "The codebook has no “false_promises” (1 suggested), which is kept as it is." in said.stderr
    (finding,) = listed(path)
    assert finding["claim"]["ref"] == "kimi/retail-a-1/1#2", "the agent's message is the claim"
    assert [each["ref"] for each in finding["evidence"]] == ["kimi/retail-a-1/1#2.1.result"]
    assert finding["reason"] == "It says yesterday [M2], the tool in transit [M3]."
    assert (finding["read"], finding["version"], finding["certain"]) == ("false_promises", 0, False)
    assert bring(path, tmp_path / "scan_id=s1").stdout == "false_promises 0: 0 new, 1 known.\n"
    alone = bring(path, tmp_path / "scan_id=s1" / "false_promises.parquet")
    assert alone.stdout == "false_promises 0: 0 new, 1 known.\n"


def of_message(number: int, **told: Any) -> dict[str, Any]:
    """The row of a scanner that was given one message."""
    message = INPUT["messages"][number]
    assert isinstance(message, dict)
    return row(input_type="message", input_ids=json.dumps([message["id"]]), input=json.dumps(message), **told)


def test_a_scanner_of_messages_suggests_at_each_message_that_matched(path: Path, tmp_path: Path) -> None:
    rows = [of_message(number, value=number in (1, 2, 3, 5), explanation=f"match {number}") for number in range(6)]
    said = bring(path, scanned(tmp_path / "s", *rows))
    assert (said.returncode, said.stdout) == (0, "false_promises 0: 4 new, 0 known.\n")
    assert [(each["claim"]["ref"], each["reason"]) for each in listed(path)] == [
        ("kimi/retail-a-1/1#1", "match 1"),
        ("kimi/retail-a-1/1#2", "match 2"),
        ("kimi/retail-a-1/1#2.1.result", "match 3"),
        ("kimi/retail-a-1/1#4", "match 5"),
    ]
    assert bring(path, tmp_path / "s").stdout == "false_promises 0: 0 new, 4 known.\n"


def test_a_message_that_stands_several_times_is_not_guessed(tmp_path: Path) -> None:
    twice = conversation(customer("Hello."), agent("One moment."), customer("Hello."), case="retail-a-1", run=1)
    path = store(tmp_path, replace(twice, id="uuid-1"))
    message = {"id": "m9", "role": "user", "content": "Hello."}
    said = bring(path, scanned(tmp_path / "s", of_message(1) | {"input": json.dumps(message)}))
    assert "row 1: 1 of the messages that it cites stand several times in kimi/retail-a-1/1." in said.stderr
    assert [each["claim"]["ref"] for each in listed(path)] == ["kimi/retail-a-1/1"]


@pytest.mark.parametrize(
    ("value", "positive"),
    [
        (True, True), (False, False), (None, False), (0, False), (0.0, False), (3, True), ("none", False),
        ("NONE", False), ("", False), ("refusal", True), ([], False), ({}, False), ({"a": 1}, True), ([0], True),
    ],
)  # fmt: skip
def test_what_scout_counts_as_positive_is_one(tmp_path: Path, value: Any, positive: bool) -> None:
    ((_, record),) = scout_results.lines(scanned(tmp_path / "s", row(value=value)))
    assert isinstance(record, dict)
    assert ("mode" in record) == positive
    assert (record.get("value") is False) != positive


def test_a_result_set_is_several(path: Path, tmp_path: Path) -> None:
    results = [
        {"value": True, "label": "phantom-action", "explanation": "first", "references": cite("m2")},
        {"value": False, "label": "false-handover", "explanation": "no"},
        {"value": "leaked-think-tag", "type": "string", "explanation": "second", "references": cite("m5")},
        {"value": 2, "label": "own words", "references": [{"type": "event", "id": "e1"}]},
        None,
    ]
    told = row(value_type="resultset") | {"value": json.dumps(results)}
    assert bring(path, scanned(tmp_path / "s", told)).returncode == 0
    assert {(each["mode"], each["claim"]["ref"], each["reason"]) for each in listed(path)} == {
        ("phantom-action", "kimi/retail-a-1/1#2", "first"),
        ("leaked-think-tag", "kimi/retail-a-1/1#4", "second"),
        ("own words", "kimi/retail-a-1/1", "false_promises says so"),
    }


def test_the_mode_is_what_the_codebook_knows_among_label_answer_and_value(path: Path, tmp_path: Path) -> None:
    rows = (
        row(value="C", answer="Phantom action"),
        row("uuid-2", value="false_handover"),
        row("uuid-3", value=True, label="rude"),
    )
    bring(path, scanned(tmp_path / "s", *rows))
    assert {each["mode"] for each in listed(path)} == {"phantom-action", "false-handover", "rude"}


def test_a_transcript_is_found_by_its_identifier_else_by_case_run_and_model(path: Path, tmp_path: Path) -> None:
    rows = (
        row("another-uuid"),
        row("third", transcript_task_id="b-1", transcript_task_repeat=2),
        row("kimi/retail-b-1/1"),
        row("nowhere", transcript_task_id="c-1"),
        row("several", transcript_task_id="b-1", transcript_task_repeat=7),
    )
    said = bring(path, scanned(tmp_path / "s", *rows))
    assert {each["ref"] for each in listed(path)} == {"kimi/retail-a-1/1", "kimi/retail-b-1/2", "kimi/retail-b-1/1"}
    assert said.returncode == 0
    first = "the first: false_promises.parquet, row 4: transcript nowhere is not in the store."
    assert f"2 are about transcripts that the store does not have; {first}" in said.stderr


def test_a_scan_of_other_transcripts_is_said_and_no_success(path: Path, tmp_path: Path) -> None:
    said = bring(path, scanned(tmp_path / "s", row("x", transcript_task_id="y")))
    assert said.returncode == 2
    assert "1 is about transcripts that the store does not have" in said.stderr
    assert "holds no suggestion about this store." in said.stdout


def test_a_message_that_is_not_the_conversations_is_said(path: Path, tmp_path: Path) -> None:
    other = {**INPUT, "messages": [{"id": "m2", "role": "assistant", "content": "Other words."}]}
    rows = (row(references=cite("m2", "m9"), input=json.dumps(other)), row("uuid-2", references=cite("m1"), input=None))
    said = bring(path, scanned(tmp_path / "s", *rows))
    assert said.returncode == 0
    assert "row 1: 2 of the messages that it cites are not those of kimi/retail-a-1/1;" in said.stderr
    assert "2 stand less exactly than they say." in said.stdout
    assert {each["claim"]["ref"] for each in listed(path)} == {"kimi/retail-a-1/1", "kimi/retail-b-1/1"}


def test_a_scanner_that_looks_again_takes_back_what_it_no_longer_says(path: Path, tmp_path: Path) -> None:
    bring(path, scanned(tmp_path / "s1", row(), row("uuid-2"), row("uuid-3")))
    again = scanned(tmp_path / "s2", row(value=False), row("uuid-2"), at="2026-06-02T10:00:00")
    assert bring(path, again).stdout == "false_promises 0: 0 new, 1 known, 1 no longer suggested.\n"
    assert {each["ref"] for each in listed(path)} == {"kimi/retail-b-1/1", "kimi/retail-b-1/2"}
    newer = scanned(tmp_path / "s3", row("uuid-2", scanner_version=1, value=False))
    assert "2 no longer suggested" in bring(path, newer).stdout
    assert listed(path) == []
    everything(path)
    assert "false_promises" in run("reads", path).stdout, "it looked, and has a record"


def test_a_folder_of_scans_is_read_in_the_order_in_which_they_were_made(path: Path, tmp_path: Path) -> None:
    old, new = (
        (row(explanation="old"), row("uuid-3")),
        (row(explanation="new"), row("uuid-2"), row("uuid-3", value=False)),
    )
    scanned(tmp_path / "scans" / "scan_id=z", *({**each, "scan_id": "z"} for each in old), at="2026-06-01T10:00:00")
    scanned(tmp_path / "scans" / "scan_id=a", *({**each, "scan_id": "a"} for each in new), at="2026-06-02T10:00:00")
    assert bring(path, tmp_path / "scans").stdout == "false_promises 0: 2 new, 0 known.\n"
    assert {each["reason"] for each in listed(path)} == {"new", "It says yesterday [M2], the tool in transit [M3]."}


def test_a_scanner_that_failed_is_said_and_the_others_go_through(path: Path, tmp_path: Path) -> None:
    said = bring(path, scanned(tmp_path / "s", row(scan_error="refused\nby the model"), row("uuid-2")))
    assert said.returncode == 2
    assert "false_promises.parquet, row 1: the scanner failed there (refused)." in said.stderr
    assert "1 new" in said.stdout


def test_columns_of_an_older_scout(path: Path, tmp_path: Path) -> None:
    told = {
        "transcript_id": "?", "scan_id": "s", "scanner_key": "word_counter", "scanner_name": "word_counter",
        "task_name": "x/retail", "id": "b-1", "epoch": 2, "model": "kimi", "input_type": "transcript", "value": "34",
        "value_type": "number", "answer": None, "explanation": "Found 34", "message_references": "[]",
    }  # fmt: skip
    bring(path, scanned(tmp_path / "s", told, {**told, "value": "0", "epoch": 1}))
    assert [(each["ref"], each["mode"]) for each in listed(path)] == [("kimi/retail-b-1/2", "word_counter")]


def test_what_is_no_scan_is_one_sentence(path: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    pq.write_table(pa.table({"a": [1]}), tmp_path / "other.parquet")
    (tmp_path / "spoilt.parquet").write_bytes(b"PAR1 and no more")
    for name, sentence in {
        "empty": "holds no results of Inspect Scout.",
        "other.parquet": "holds no results of a scanner: it has no column transcript_id.",
        "spoilt.parquet": "spoilt.parquet cannot be read as Parquet",
    }.items():
        said = bring(path, tmp_path / name)
        assert (said.returncode, said.stdout) == (2, "")
        assert sentence in said.stderr


@pytest.mark.parametrize("spoilt", ["[", "[" * 100_000, '{"messages": 4}', '[1, null, {"role": 7}]', '"x"', "null"])
def test_what_is_spoilt_inside_a_row_does_no_harm(tmp_path: Path, spoilt: str) -> None:
    rows = (
        row(references=cite("m2"), input=spoilt),
        row(message_references=spoilt),
        row(value_type="resultset", value=spoilt),
    )
    lines = list(scout_results.lines(scanned(tmp_path / "s", *rows)))
    assert len(lines) == 3
    assert all(isinstance(record, dict) for _, record in lines)
