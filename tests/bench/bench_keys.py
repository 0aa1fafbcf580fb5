"""What a key runs of the program, beside what it may run: functions and calls, on the sample at 140x40.

`REVIEWER_BENCH_MOST_CALLED=20 python -m tests.bench keys` lists the functions that each key calls most.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator

from tests.bench.bigstore import northline
from tests.bench.rows import Row
from tests.key_calls import key_costs

MAY = {"1": (300, 3_500), "j": (150, 1_000), "]": (330, 5_000)}
"""By key, the functions and the calls that it may run."""
LISTED = int(os.environ.get("REVIEWER_BENCH_MOST_CALLED", 0))


def run() -> Iterator[Row]:
    """Functions and calls of each key."""
    for cost in asyncio.run(key_costs(northline())):
        functions, calls = MAY.get(cost.key, (cost.functions, cost.calls))
        bound = 1.0 if cost.key in MAY else None
        yield Row(f"functions, {cost.key}", cost.functions, functions, bound, "")
        yield Row(f"calls, {cost.key}", cost.calls, calls, bound, "")
        for name, count in cost.most[:LISTED]:
            print(f"{count:>8,}  {name}")
