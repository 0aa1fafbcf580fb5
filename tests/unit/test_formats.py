"""Every format against counts that an independent script made of real files; what differs stands in docs/formats.md."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from reviewer.imports.formats import known, named
from reviewer.imports.importer import Wishes, import_files
from reviewer.imports.source import BadRecord, Extract, Source
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.writer import Writer
from tests.transcripts import TRANSCRIPTS, needs_transcripts, truth

ROLES = {"user": "customer", "assistant": "agent", "system": "system", "developer": "system"}
ROLES |= {"doctor": "agent", "patient": "customer"}
ATIF = "atif-phoenix-client/packages/phoenix-client/tests/client/helpers/atif/fixtures"
UNLIKE: dict[str, dict[str, Any]] = {
    # An index of what is done, which the script counted as a conversation without messages.
    "tau2-bogoliubon/data/tau2/human_trajectories/airline/progress.json": {
        "conversations": 0,
        "empty_conversations": 0,
    },
    # Results that no message precedes hang on a message of their own.
    "inspect-ai-tests/tests/log/test_eval_log/log_tool_call_error.json": {"messages": {"other": 1}},
    # Results without an id at steps without a call: orphans to us, not counted apart by the script.
    f"{ATIF}/harbor_terminus2_continuation_cont1.json": {"orphan_results": 4},
    # And two messages of a subagent, which the script did not look into.
    f"{ATIF}/v17_embedded_subagents.json": {
        "orphan_results": 1,
        "messages": {"agent": 2, "customer": 1, "other": 2, "system": 1},
    },
    "atif-inspect-scout/tests/sources/atif_source/fixtures/terminus_2_hello-world-context-summarization-linear-history"
    ".trajectory.cont-1.json": {"orphan_results": 4},
}
UNCOUNTED = ("langfuse", "otel", "otlp")


def expected(name: str, facts: dict[str, Any]) -> dict[str, Any]:
    """What `info` should say of one file."""
    messages: dict[str, int] = {}
    for theirs, n in facts.get("roles", {}).items():
        if theirs != "tool":
            ours = ROLES.get(theirs, "other")
            messages[ours] = messages.get(ours, 0) + n
    return {
        "conversations": facts.get("conversations", 0),
        "empty_conversations": facts.get("empty_conversations", 0),
        "messages": messages,
        "tool_calls": facts.get("tool_calls", 0),
        "tool_results": facts.get("roles", {}).get("tool", 0),
        "orphan_results": facts.get("results_without_call", 0),
        **UNLIKE.get(name, {}),
    }


@needs_transcripts
@pytest.mark.parametrize("name", [n for n, facts in truth().items() if facts["format"] not in UNCOUNTED])
def test_counts_equal_those_of_an_independent_script(tmp_path: Path, name: str) -> None:
    with Writer(tmp_path / "runs.db"):
        pass  # a store that is there stays there, whatever comes of an import
    report = import_files([TRANSCRIPTS / name], tmp_path / "runs.db", Wishes())
    wanted = expected(name, truth()[name])
    with Reader(tmp_path / "runs.db") as reader:
        info = reader.info()
    assert {key: info[key] for key in wanted} == wanted
    assert report.total("rejected") == 0


# Made by reading each file: conversations, messages by role, calls, results. docs/formats.md says how a trace is read.
READ_BY_HAND = {
    "agno-2025-06-11.trace.json": (1, "agent=2 customer=1 system=1", 1, 1),
    "beeai-2025-08-01.trace.json": (1, "agent=3 customer=1 other=1 system=1", 1, 1),
    "crewai-2025-07-11.trace.json": (1, "agent=1 customer=1 system=1", 0, 0),
    "google-adk-2025-08-28.trace.json": (1, "agent=2 customer=1 system=1", 1, 1),
    "koog-2025-08-26.trace.json": (1, "agent=3 customer=1 system=1", 2, 2),
    "langgraph-python-2025-08-22.trace.json": (1, "agent=2 customer=2", 1, 1),
    "microsoft-agent-2025-12-17.trace.json": (1, "agent=2 customer=1 system=1", 1, 1),
    "pydantic-ai-2025-06-06.trace.json": (1, "agent=1 customer=1 system=1", 0, 0),
    "pydantic-ai-tools-2025-12-04.trace.json": (1, "agent=4 customer=2 other=1 system=2", 4, 3),
    "vercel-aisdk-2025-11-17.trace.json": (1, "agent=1 customer=1", 1, 1),
    "openai-agents-2025-09-30.json": (1, "agent=2 customer=1 system=1", 1, 1),
    "adk_live_spans.json": (1, "agent=2 customer=1 system=1", 1, 1),
    "claude_live_spans.json": (1, "agent=6 customer=1 other=3", 6, 6),
    "openai_agents_genai_adot_spans.json": (1, "agent=3 customer=1", 3, 1),
    "openai_agents_openinference_live_spans.json": (1, "agent=2 customer=1 other=4 system=2", 4, 4),
    "openinference_adot_spans.json": (2, "agent=3 customer=2", 1, 1),
    "pydantic_ai_live_spans.json": (1, "agent=2 customer=1 system=1", 1, 1),
    "smolagents_live_spans.json": (1, "agent=3 customer=1 other=2 system=1", 3, 3),
    "all-spans.json": (4, "agent=5 customer=5 system=1", 0, 0),
    "otel_genai_client_span_tool_calls.json": (1, "agent=2 customer=1", 1, 1),
    "test-traces.json": (0, "", 0, 0),
}


@needs_transcripts
@pytest.mark.parametrize("name", [n for n, facts in truth().items() if facts["format"] in UNCOUNTED])
def test_a_trace_is_told_once(tmp_path: Path, name: str) -> None:
    with Writer(tmp_path / "runs.db"):
        pass
    report = import_files([TRANSCRIPTS / name], tmp_path / "runs.db", Wishes())
    with Reader(tmp_path / "runs.db") as reader:
        info = reader.info()
    roles = " ".join(f"{role}={n}" for role, n in sorted(info["messages"].items()))
    found = (info["conversations"], roles, info["tool_calls"], info["tool_results"])
    assert found == READ_BY_HAND[name.rsplit("/", 1)[-1]]
    assert info["orphan_results"] == report.total("rejected") == 0


def test_the_documentation_lists_every_format() -> None:
    root = Path(__file__).parents[2]
    page = (root / "docs" / "formats.md").read_text("utf-8").partition("\n## ")[0]
    assert sorted(re.findall(r"(?m)^\| `(\w[\w-]*)` \|", page)) == sorted(known())


def test_the_format_that_the_documentation_writes_reads_its_logs(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
    made: dict[str, Any] = {}
    exec(page.partition("```python\n")[2].partition("```")[0], made)  # noqa: S102 -- our own page
    log = tmp_path / "mine.jsonl"
    turns = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]
    log.write_text(
        json.dumps({"model": "kimi", "my_turns": turns}) + "\n" + json.dumps({"my_turns": 3}) + "\n", "utf-8"
    )
    found, bad = made["read"](Source(log, "mine.jsonl"))
    assert made["mine"](Source(log, "mine.jsonl"))
    assert [message.role for message in found.conversation.messages] == ["customer", "agent"]
    assert isinstance(bad, BadRecord)


@pytest.mark.parametrize("values", [1, 2])
@pytest.mark.parametrize("listed", [True, False])
def test_json_spread_over_lines_is_no_json_lines_whatever_its_name_says(
    tmp_path: Path, values: int, listed: bool
) -> None:
    records = [{"messages": [{"role": "user", "content": f"Where is #{n}?"}]} for n in range(values)]
    texts = [json.dumps(records, indent=1)] if listed else [json.dumps(record, indent=1) for record in records]
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(texts) + "\n")
    source = Source(path, "x.jsonl")
    assert not source.is_lines
    assert [value for _, value in source.records()] == records


def test_json_lines_stay_lines_where_the_first_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"messages": [\n{"messages": []}\n')
    source = Source(path, "x.jsonl")
    assert source.is_lines
    assert [isinstance(value, BadRecord) for _, value in source.records()] == [True, False]


def test_the_instance_of_a_benchmark_is_the_case(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"instance_id": "org__repo-1", "messages": [{"role": "user", "content": "Fix it."}]}))
    (item,) = named("openai-chat").read(Source(path, "x.json"))
    assert isinstance(item, Extract)
    assert item.conversation.case == "org__repo-1"
