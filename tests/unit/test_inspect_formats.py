"""Inspect logs: usage, times, tools, judges, roles and identifiers, beside the messages that the variants show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.imports import formats
from reviewer.imports.formats.parts import sample_events
from reviewer.imports.source import BadRecord, Extract, Remark, Source
from reviewer.transcripts.model import Usage
from tests import shapes, zips
from tests.variants.evaluations import TOOL, USED, log, model_event


def found(folder: Path, document: dict[str, Any]) -> Extract:
    """The one conversation of a log, the same from the document and from the zip, packed by Zstandard."""
    (folder / "log.json").write_text(json.dumps(document))
    header = {key: value for key, value in document.items() if key != "samples"}
    members = {"header.json": header, "samples/x_epoch_1.json": document["samples"][0]}
    held = {name: zips.zstd(json.dumps(value).encode(), frames=2) for name, value in members.items()}
    (folder / "log.eval").write_bytes(zips.of(held))
    one, other = read(folder / "log.json"), read(folder / "log.eval")
    assert len(one) == len(other) == 1
    assert isinstance(one[0], Extract)
    assert isinstance(other[0], Extract)
    assert (one[0].conversation, one[0].run) == (other[0].conversation, other[0].run)
    return one[0]


def read(path: Path) -> list[Any]:
    source = Source(path, path.name)
    format = formats.named("inspect")
    assert format.mine(source)
    return list(format.read(source))


def test_usage_and_times_of_messages_and_calls_come_from_the_events(tmp_path: Path) -> None:
    it = found(tmp_path, log()).conversation
    _, called, said = it.messages
    assert (called.tokens_in, called.tokens_out, called.tokens_reasoning, called.tokens_cached) == (17, 5, 2, 4)
    assert (called.cost, called.at, said.at) == (0.01, "2026-01-01T00:00:01.5Z", "2026-01-01T00:00:04.5Z")
    assert called.extra == {"started": "2026-01-01T00:00:01Z", "retries": 2}
    assert (called.calls[0].at, called.calls[0].extra) == (
        "2026-01-01T00:00:02Z",
        {"completed": "2026-01-01T00:00:03Z"},
    )
    assert called.calls[0].result == "shipped"
    assert (it.started, it.ended) == ("2026-01-01T00:00:00Z", "2026-01-01T00:00:09Z")


def test_usage_in_all_is_the_agents_without_what_its_model_did_in_other_roles(tmp_path: Path) -> None:
    document = log()
    sample = document["samples"][0]
    sample["events"] = []
    it = found(tmp_path, document).conversation
    assert it.usage == Usage(37 - 8, 0, 0, 0, 0.006)
    assert it.extra is not None
    assert it.extra["role_usage"].keys() == {"grader", "critic"}
    sample["role_usage"] = {}
    assert found(tmp_path, document).conversation.usage == Usage(37, 5, 2, 4, 0.01)
    sample["model_usage"] = {}
    assert found(tmp_path, document).conversation.usage is None


SPAN = [{"event": "span_begin", "id": "s", "type": "scorer"}, {"event": "span_begin", "id": "t", "parent_id": "s"}]
STEP = [{"event": "step", "action": "begin", "type": "scorer"}]


@pytest.mark.parametrize("begins", [SPAN, STEP])
@pytest.mark.parametrize(
    ("counted", "expected"),
    [
        (3, Usage(34, 10, 4, 8, 0.02)),  # the scorer's call is in the total
        (2, Usage(34, 10, 4, 8, 0.02)),  # it is not: the log was scored again
        (9, Usage(153, 45, 18, 36, 0.09)),  # the log has not all events
    ],
)
def test_usage_in_all_is_without_that_of_scorers_that_ask_the_agents_model(
    tmp_path: Path, begins: list[dict[str, Any]], counted: int, expected: Usage
) -> None:
    document = log()
    sample = document["samples"][0]
    sample["role_usage"] = {}
    sample["model_usage"] = {"x/m": {key: value * counted for key, value in USED.items()}}
    for event in sample["events"]:
        event["model"] = "x/m"
    graded = model_event({"id": "g2", "role": "assistant", "content": "C"}, 7, model="x/m", span_id="t")
    cached = model_event({"id": "g3", "role": "assistant", "content": "C"}, 8, model="x/m", cache="read")
    sample["events"] += [cached, *begins, graded]
    assert found(tmp_path, document).conversation.usage == expected


@pytest.mark.parametrize(("total", "expected"), [(22, 17), (15, 10), (None, 17)])
def test_cached_tokens_are_counted_once_whichever_way_the_log_counts(total: int | None, expected: int) -> None:
    assert sample_events.tokens_in({**USED, "total_tokens": total}) == (expected, 5, 2, 4)


def test_scores_have_their_explanation_and_their_own_judge(tmp_path: Path) -> None:
    it = found(tmp_path, log()).conversation
    assert [(each.scorer, each.value, each.judge, each.note, each.raw) for each in it.scores] == [
        ("model_graded_qa", 0.5, "judge-2", "the long text", "P"),
        ("asked", 0.5, "x/third", None, None),
        ("plain", 1.0, None, "it is there", "true"),
    ]
    assert it.extra is not None
    kept = it.extra["scores"]["model_graded_qa"]
    assert (kept["answer"], kept["metadata"]["grading"][0]["content"]) == ("Shipped.", "the long text")


def test_a_run_says_its_tools_roles_judges_and_settings(tmp_path: Path) -> None:
    run = found(tmp_path, log()).run
    assert run is not None
    assert run.tools == (TOOL,)
    assert run.judge == "x/judge, x/third"
    assert run.extra is not None
    assert run.extra["model_roles"] == {"grader": "x/judge", "critic": "x/m"}
    assert (run.extra["model_generate_config"], run.extra["tags"], run.extra["status"]) == (
        {"temperature": 0.3},
        ["t"],
        "success",
    )


def test_what_failed_and_was_tried_again_is_kept(tmp_path: Path) -> None:
    it = found(tmp_path, log()).conversation
    assert it.meta == {"total_time": 9.0, "working_time": 7.5, "turn_count": 2, "retries": 1}
    assert it.extra is not None
    assert it.extra["error_retries"] == [{"message": "it fell over"}]
    assert it.extra["invalidation"] == {"reason": "wrong"}
    assert it.run == 2


def test_the_identifier_is_the_samples_own_else_made_of_what_copies_share(tmp_path: Path) -> None:
    document = log()
    assert found(tmp_path, document).conversation.id == "u-1"
    del document["samples"][0]["uuid"]
    assert found(tmp_path, document).conversation.id == "e-1-2"
    document["samples"][0]["scores"] = {}
    assert found(tmp_path, document).conversation.id == "e-1-2"
    document["eval"] |= {"eval_id": "", "task_id": "t"}
    assert found(tmp_path, document).conversation.id == "r-t-1-2"
    document["eval"] |= {"run_id": None, "task_id": None}
    assert found(tmp_path, document).conversation.id is None


def test_older_messages_without_ids_find_their_events_by_what_they_say(tmp_path: Path) -> None:
    document = log()
    sample = document["samples"][0]
    for message in (
        *sample["messages"],
        *(e["output"]["choices"][0]["message"] for e in sample["events"] if e.get("output")),
    ):
        message.pop("id", None)
    sample["transcript"] = {"events": sample.pop("events"), "content": sample.pop("attachments")}
    it = found(tmp_path, document).conversation
    assert [m.at for m in it.messages] == [None, "2026-01-01T00:00:01.5Z", "2026-01-01T00:00:04.5Z"]


def test_calls_that_share_an_id_take_their_times_in_order(tmp_path: Path) -> None:
    document = log()
    sample = document["samples"][0]
    sample["messages"] = [*sample["messages"][:3], {**sample["messages"][1], "id": "m5"}, sample["messages"][2]]
    sample["events"].append({"event": "tool", "id": "c", "timestamp": "2026-01-01T00:00:07Z"})
    it = found(tmp_path, document).conversation
    assert [m.calls[0].at for m in it.messages[1:]] == ["2026-01-01T00:00:02Z", "2026-01-01T00:00:07Z"]


def test_another_model_that_answered_is_named(tmp_path: Path) -> None:
    document = log()
    document["samples"][0]["messages"][3]["model"] = "fallback"
    it = found(tmp_path, document).conversation
    assert (it.messages[2].extra or {})["model"] == "fallback"
    assert "model" not in (it.messages[1].extra or {})


def test_a_sample_that_was_offered_no_tools_leaves_those_of_the_run(tmp_path: Path) -> None:
    document = log()
    document["samples"].append({"id": 2, "epoch": 1, "messages": [], "error": {"message": "gone"}})
    (tmp_path / "log.json").write_text(json.dumps(document))
    first, second = read(tmp_path / "log.json")
    assert first.run.tools == second.run.tools == (TOOL,)
    assert (second.conversation.ended_by, second.conversation.error) == ("error", "gone")


def test_events_in_parts_are_read_part_after_part_and_a_broken_one_is_said(tmp_path: Path) -> None:
    document = log()
    sample = document["samples"][0]
    events, said = sample.pop("events"), sample.pop("messages")
    parts = {
        "sample": {**sample, "message_refs": [[0, 4]]},
        "messages/0": said,
        "events/0": events[:2],
        "events/2": events[2:],
    }
    held = {"header.json": zips.zstd(json.dumps({"eval": document["eval"]}).encode())}
    held |= {f"samples/a/b_epoch_2/{name}.json": zips.zstd(json.dumps(it).encode()) for name, it in parts.items()}
    (tmp_path / "x.eval").write_bytes(zips.of(held))
    (item,) = read(tmp_path / "x.eval")
    assert [m.at for m in item.conversation.messages] == [None, "2026-01-01T00:00:01.5Z", "2026-01-01T00:00:04.5Z"]
    held["samples/a/b_epoch_2/events/2.json"] = zips.stored(b"[")
    (tmp_path / "x.eval").write_bytes(zips.of(held))
    (item,) = read(tmp_path / "x.eval")
    assert isinstance(item, BadRecord)
    assert "events/2.json" in item.reason


def test_a_log_without_samples_says_so(tmp_path: Path) -> None:
    (tmp_path / "log.json").write_text(json.dumps({**log(), "samples": [], "status": "cancelled"}))
    assert read(tmp_path / "log.json") == [Remark("no samples in it: cancelled")]


def test_all_forms_of_one_log_are_read_alike(tmp_path: Path) -> None:
    files = shapes.files()
    made = []
    for name in ("log.json", "log.eval", "log-zstd.eval"):
        (tmp_path / name).write_bytes(files[name])
        made.append([it.conversation for it in read(tmp_path / name)])
    assert made[0] == made[1] == made[2]
