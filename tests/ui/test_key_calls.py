"""A key runs what it causes and little else. `python -m tests.bench keys` shows what is called."""

from __future__ import annotations

from pathlib import Path

from tests.key_calls import key_costs

MOST = {"j": (165, 720), "1": (505, 2_680), "]": (457, 6_220)}
"""By key, more functions and calls than it runs, by a tenth: the counts vary."""


async def test_keys_run_no_more_than_they_cause(sample_store: Path) -> None:
    costs = await key_costs(sample_store, MOST, rounds=3)
    over = [cost for cost in costs if cost.functions > MOST[cost.key][0] or cost.calls > MOST[cost.key][1]]
    assert not over, [(cost.key, cost.functions, cost.calls, cost.most[:20]) for cost in over]
