"""Every format against counts that an independent script made of real files; what differs stands in docs/formats.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviewer.ingest.importer import Wishes, import_files
from reviewer.store.reader import Reader
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
    f"{ATIF}/v17_embedded_subagents.json": {"orphan_results": 1},
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
    report = import_files([TRANSCRIPTS / name], tmp_path / "runs.db", Wishes())
    wanted = expected(name, truth()[name])
    with Reader(tmp_path / "runs.db") as reader:
        info = reader.info()
    assert {key: info[key] for key in wanted} == wanted
    assert report.total("rejected") == 0
