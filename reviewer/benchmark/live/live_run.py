"""A run of the benchmark through Inspect, whose finished conversations go into a store as they end.

Owns the one place where Inspect runs: the tasks, what it is told, how it is stopped. Inspect does the calls, the
retries, the limits and the log; what has ended is taken from it by its hooks.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from reviewer.basics.errors import ReviewerError
from reviewer.benchmark.live.admission import BUDGET, Budget
from reviewer.benchmark.live.arrivals import Arrival, Arrivals
from reviewer.benchmark.live.programme import Leg, Programme, RunRequest
from reviewer.transcripts.prices import PriceList

os.environ["INSPECT_DISPLAY"] = "none"  # read when Inspect is loaded, which is below

from inspect_ai import Task, eval_async, task_with
from inspect_ai.event import ModelEvent, SpanBeginEvent, ToolEvent
from inspect_ai.hooks import Hooks, ModelUsageData, SampleEnd, TaskStart, hooks
from inspect_ai.model import (
    ModelCost,
    ModelInfo,
    ModelUsage,
    get_model_info,
    set_model_info,
)

from reviewer.benchmark.live.live_models import live_model
from reviewer.benchmark.live.tasks import desk_task
from reviewer.transcripts.model import Usage

RETRIES = 8
"""Times a call is tried again after an answer that asks for it, with growing waits between."""
CALL_SECONDS = 300
"""Seconds that one attempt of a call may take."""

Told = Callable[[Leg, Arrival, float | None], None]
"""What hears of a finished conversation: its leg, itself, and what all calls cost so far, where that is known."""


class Spent:
    """What the calls of a run cost, by model, and which models have no price."""

    def __init__(self, prices: PriceList, budget: Budget) -> None:
        self.prices, self._budget = prices, budget
        self.by_model: dict[str, float] = {}
        self.unknown: set[str] = set()
        self.calls = 0

    def take(self, model: str, usage: ModelUsage | None) -> None:
        """Count one call; nothing where it was not said what it used."""
        if usage is None:
            return
        self.calls += 1
        price = self.prices.of(model)
        cost = price.cost(*as_usage(usage)) if price else None
        if cost is None:
            self.unknown.add(model)
            return
        self.by_model[model] = self.by_model.get(model, 0.0) + cost
        self._budget.spend(cost)

    @property
    def total(self) -> float | None:
        """Dollars in all; None where some model has no price."""
        return None if self.unknown else sum(self.by_model.values())


def as_usage(usage: ModelUsage) -> tuple[Usage, int]:
    """What Inspect says of a call, in our words; and how many of the tokens read were written to a cache."""
    cached, written = usage.input_tokens_cache_read or 0, usage.input_tokens_cache_write or 0
    read = usage.input_tokens + cached + written
    return Usage(read, usage.output_tokens, usage.reasoning_tokens, cached), written


class Live:
    """A run while it goes on, for the hooks that Inspect calls."""

    def __init__(self, arrivals: Arrivals, spent: Spent, budget: Budget, told: Told) -> None:
        self.arrivals, self.spent, self.budget, self.told = arrivals, spent, budget, told
        self.legs: dict[tuple[str, int], Leg] = {}
        self.over = False
        """True once the run is being ended: what Inspect breaks off then is no conversation."""
        self._leg_of: dict[str, Leg] = {}

    def begin(self, data: TaskStart) -> None:
        """Take in what Inspect says of a task."""
        spec = data.spec.model_dump(mode="json", exclude_none=True)
        plan = data.plan.model_dump(mode="json", exclude_none=True)
        run = spec["metadata"]["reviewer"]["run"]
        self._leg_of[data.eval_id] = self.legs[spec["model"], run]
        name = f"{spec['metadata']['reviewer']['desk']}/{spec['model']}/run-{run}"
        self.arrivals.begin_log(data.eval_id, {"eval": spec, "plan": plan, "status": "success"}, name)

    def end(self, data: SampleEnd) -> None:
        """Bring in what Inspect has finished."""
        if self.over:
            return
        sample = data.sample.model_dump(mode="json", exclude={"events", "attachments"}, exclude_none=True)
        arrival = self.arrivals.take(data.eval_id, sample, _events(data.sample.events))
        self.told(self._leg_of[data.eval_id], arrival, self.spent.total)
        self.budget.finish()


def _events(events: Any) -> Iterator[Mapping[str, Any]]:
    """Of a sample's events those that say more than its messages, without what repeats these."""
    tools = False
    for event in events:
        if isinstance(event, ModelEvent):
            offered = bool(event.tools) and not tools and not event.role
            yield event.model_dump(mode="json", exclude={"input", "call", *(() if offered else ("tools",))})
            tools = tools or offered
        elif isinstance(event, ToolEvent):
            yield event.model_dump(mode="json", exclude={"events", "result"})
        elif isinstance(event, SpanBeginEvent):
            yield event.model_dump(mode="json")


LIVE: ContextVar[Live | None] = ContextVar("live", default=None)


@hooks(name="reviewer_arrivals", description="Brings finished conversations into a reviewer store.")
class ArrivalHooks(Hooks):
    """What Inspect calls; does nothing but while `reviewer run` goes on."""

    def enabled(self) -> bool:
        """True while a run goes on whose conversations are to come in."""
        return LIVE.get() is not None

    async def on_task_start(self, data: TaskStart) -> None:
        """Note what is said of the task."""
        if (live := LIVE.get()) is not None:
            live.begin(data)

    async def on_sample_end(self, data: SampleEnd) -> None:
        """Bring the conversation in."""
        if (live := LIVE.get()) is not None:
            live.end(data)

    async def on_model_usage(self, data: ModelUsageData) -> None:
        """Count what a call cost."""
        if (live := LIVE.get()) is not None:
            live.spent.take(data.model_name, data.usage)


async def played(plan: Programme, live: Live, logs: Path, connections: int) -> None:
    """Hold all conversations that are left, as many at once as there are connections to each model.

    Returns early once the money is spent and what was going on is finished.
    """
    wanted = plan.wanted
    LIVE.set(live)
    BUDGET.set(live.budget)
    logging.getLogger("inspect_ai").setLevel(logging.ERROR)
    _tell_prices(wanted, live.spent.prices)
    tasks: list[Task] = []
    for leg in plan.legs:
        if leg.cases:
            live.legs[leg.model, leg.run] = leg
            judges = [role for role in wanted.roles if role != "customer"]
            task = desk_task(wanted.played, leg.cases, wanted.turns, judges, leg.run)
            tasks.append(task_with(task, model=live_model(leg.model)))
    running = asyncio.ensure_future(
        eval_async(
            tasks,
            model_roles={role: live_model(model, memoize=False) for role, model in wanted.roles.items()},
            log_dir=str(logs),
            fail_on_error=False,
            max_tasks=len(wanted.models),
            max_samples=connections,
            max_connections=connections,
            max_retries=RETRIES,
            attempt_timeout=CALL_SECONDS,
            log_realtime=False,
            score_display=False,
        )
    )
    drained = asyncio.ensure_future(live.budget.drained.wait())
    try:
        await asyncio.wait({running, drained}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            await _finished(running)
    finally:
        live.over = True
        for each in (running, drained):
            if not each.done():
                each.cancel()
                with suppress(asyncio.CancelledError):
                    await each


async def _finished(running: asyncio.Future[Any]) -> None:
    """Wait for Inspect's end; what it says when it cannot go on becomes a sentence."""
    try:
        await running
    except Exception as error:
        raise ReviewerError(
            f"Inspect has ended the run: {' '.join(str(error).split()) or type(error).__name__}.",
            "What had ended is stored; the same command goes on.",
        ) from error


def _tell_prices(wanted: RunRequest, prices: PriceList) -> None:
    """Tell Inspect the prices, so that its log and every message say what they cost."""
    for model in (*wanted.models, *wanted.roles.values()):
        price = prices.of(model)
        if price is not None:
            cost = ModelCost(
                input=price.read,
                output=price.written,
                input_cache_write=price.cache_written,
                input_cache_read=price.cached,
            )
            known = get_model_info(model) or ModelInfo()
            set_model_info(model, known.model_copy(update={"cost": cost}))
