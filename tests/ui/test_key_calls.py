"""A key runs what it causes and little else. `python -m tests.bench keys` shows what is called."""

from __future__ import annotations

from pathlib import Path

from tests.key_calls import key_costs

MOST = {"j": (186, 820), "1": (570, 3_030), "]": (512, 7_050)}
"""By key, a quarter more functions and calls than it runs. Timers that fire meanwhile add some; a queue that is drawn
again as a whole adds thousands.
"""


async def test_keys_run_no_more_than_they_cause(sample_store: Path) -> None:
    costs = await key_costs(sample_store, MOST, rounds=3)
    over = [cost for cost in costs if cost.functions > MOST[cost.key][0] or cost.calls > MOST[cost.key][1]]
    assert not over, [(cost.key, cost.functions, cost.calls, cost.most[:20]) for cost in over]
