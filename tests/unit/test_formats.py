"""Every format against counts that an independent script made of real files; what differs stands in docs/formats.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviewer.ingest.importer import Wishes, import_files
from reviewer.store.reader import Reader
from tests.transcripts import TRANSCRIPTS, needs_transcripts, truth

ROLES = {"user": "customer", "assistant": "agent", "system": "system", "developer": "system"}
COUNTED = ("taubench", "taubench1", "tau2", "tau2task", "tau2human", "evalproto")
UNLIKE = {
    # An index of what is done, which the script counted as a conversation without messages.
    "tau2-bogoliubon/data/tau2/human_trajectories/airline/progress.json": {"conversations": 0, "empty_conversations": 0}
}


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
@pytest.mark.parametrize("name", [name for name, facts in truth().items() if facts["format"] in COUNTED])
def test_counts_equal_those_of_an_independent_script(tmp_path: Path, name: str) -> None:
    report = import_files([TRANSCRIPTS / name], tmp_path / "runs.db", Wishes())
    wanted = expected(name, truth()[name])
    with Reader(tmp_path / "runs.db") as reader:
        info = reader.info()
    assert {key: info[key] for key in wanted} == wanted
    assert report.total("rejected") == 0
