"""The clock by which tests tell what grows too fast: it tells a little work from none."""

from __future__ import annotations

from tests.pumping import cost


def test_little_work_costs_something_while_an_alarm_is_set() -> None:
    costs = [cost(str.upper, "ä" * 20_000, limit=5.0) for _ in range(50)]
    assert all(0.0 < each < 1.0 for each in costs)
