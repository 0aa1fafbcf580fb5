"""What a sketch does not show of the logs of agent frameworks: ids, times, tokens, costs, scores, runs."""

from __future__ import annotations

import json
from pathlib import Path

from reviewer.ingest import formats
from reviewer.ingest.source import Found, Source
from reviewer.model import Score, Usage
from tests import variants

VARIANTS = variants.every()


def found(folder: Path, name: str) -> list[Found]:
    """What the format that claims a variant reads of it."""
    held = VARIANTS[name].held
    (folder / name).write_bytes(held if isinstance(held, bytes) else json.dumps(held).encode())
    source = Source(folder / name, name)
    format = formats.recognised(source)
    assert format is not None
    return [item for item in format.read(source) if isinstance(item, Found)]


def test_a_swe_agent_trajectory_says_its_instance_model_end_and_costs(tmp_path: Path) -> None:
    (item,) = found(tmp_path, "calls.traj")
    it = item.conversation
    assert (it.case, it.model, it.ended_by, it.run, item.alone) == ("org__repo-1", "gpt-4o", "cut", None, True)
    assert it.usage == Usage(70, 9, cost=0.5)
    assert it.meta == {"exit_status": "submitted (exit_cost)", "api_calls": 3, "seconds": 0.25}
    assert it.facts is not None
    assert it.facts.goal == "Fix."
    assert item.run is not None
    assert item.run.harness == "SWE-agent 1.1.0"
    assert it.messages[3].extra == {"not_in_history": True}
    assert it.messages[4].calls[0].id == "c1"


def test_an_instance_without_an_id_is_called_as_its_file(tmp_path: Path) -> None:
    (item,) = found(tmp_path, "org__repo-2.traj")
    it = item.conversation
    assert (it.case, it.ended_by, it.error, it.usage) == ("org__repo-2", "error", "exit_error", None)
    assert it.messages[1].calls[0].extra == {"from_text": True}


def test_attempts_at_one_instance_are_runs_of_it(tmp_path: Path) -> None:
    one, two = (item.conversation for item in found(tmp_path, "attempts.traj"))
    assert [(it.case, it.run) for it in (one, two)] == [("attempts", 0), ("attempts", 1)]
    assert one.scores == (Score("review", 0.25, note='["poor"]'),)
    assert (two.meta or {}).get("chosen") is True
