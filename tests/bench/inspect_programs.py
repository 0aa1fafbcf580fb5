"""Two programs for the Python that has Inspect: the calls of a live run as a bare task, and the way in, timed.

`bare RUNS` holds the same conversations with the same tools and stores nothing; `intake LOGS STORE` brings what Inspect
logged into a store as a run does, and prints how many milliseconds of computing each conversation took.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from pathlib import Path
from typing import Any

os.environ["INSPECT_DISPLAY"] = "none"  # read when Inspect is loaded, which is below

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import list_eval_logs, read_eval_log
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    execute_tools,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from reviewer.benchmark.live import prompt_files
from reviewer.benchmark.live.arrivals import Arrivals
from reviewer.benchmark.live.desk_kit import northline
from reviewer.benchmark.live.dialogue import TURNS
from reviewer.benchmark.live.inspect_tools import desk_tools
from reviewer.benchmark.live.live_run import _events
from reviewer.benchmark.live.simulated_customer import turn
from reviewer.benchmark.northline.cases import cases
from tests.bench.inspect_names import CUSTOMER, MODEL


@solver
def talk() -> Solver:
    """The dialogue and nothing beside it."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        customer, state.tools = get_model(role="customer"), desk_tools(northline())
        heard: list[Any] = [ChatMessageSystem(content=state.metadata["customer"])]
        heard.append(ChatMessageUser(content="(The chat is open.)"))
        heard.append(ChatMessageAssistant(content=state.messages[-1].text))
        for number in range(1, TURNS + 1):
            said = []
            while True:
                state = await generate(state, tool_calls="none")
                said.append(state.output.message.text.strip())
                if not state.output.message.tool_calls:
                    break
                state.messages.extend((await execute_tools(state.messages, state.tools)).messages)
            if number == TURNS:
                break
            heard.append(ChatMessageUser(content="\n\n".join(filter(None, said)) or "(An empty message.)"))
            answer = turn((await customer.generate(heard)).completion)
            heard.append(ChatMessageAssistant(content=answer.text or "…"))
            if answer.text:
                state.messages.append(ChatMessageUser(content=answer.text))
            if answer.done:
                break
        return state

    return solve


def bare(runs: int) -> None:
    """Hold every case so often."""
    samples = []
    for case in cases():
        told = [prompt_files.for_agent(), *filter(None, [case.facts.context])]
        opening = ChatMessageUser(content=case.facts.opening or "")
        customer = {"customer": prompt_files.for_customer(case.facts, case.style)}
        asked = [*(ChatMessageSystem(content=each) for each in told), opening]
        samples.append(Sample(id=case.id, input=asked, metadata=customer))
    tasks = [Task(dataset=MemoryDataset(samples), solver=talk(), name=f"bare{run}") for run in range(runs)]
    evaluate(
        tasks, model=MODEL, model_roles={"customer": CUSTOMER}, log_dir="bare-logs", display="none",
        max_tasks=1, max_samples=10, max_connections=10, log_realtime=False, score_display=False,
    )  # fmt: skip


def intake(logs: Path, store: Path) -> None:
    """Bring in what a run logged, once more, and print what that took."""
    (first, *_) = list_eval_logs(str(logs))
    log = read_eval_log(first, resolve_attachments=False)
    header = {"eval": log.eval.model_dump(mode="json", exclude_none=True), "status": "success"}
    gc.collect()
    gc.freeze()  # the whole log in memory, which a run never has, is not to be gone through for garbage
    took = []
    with Arrivals(store, {}) as arrivals:
        arrivals.begin_log("log", header, "northline/again")
        for sample in log.samples or []:
            begun = time.process_time()
            told = sample.model_dump(mode="json", exclude={"events", "attachments"}, exclude_none=True)
            arrivals.take("log", told, _events(sample.events))
            took.append((time.process_time() - begun) * 1000)
    took.sort()
    print(f"{sum(took) / len(took):.3f} {took[len(took) // 2]:.3f} {took[-1]:.3f}")


if __name__ == "__main__":
    if sys.argv[1] == "bare":
        bare(int(sys.argv[2]))
    else:
        intake(Path(sys.argv[2]), Path(sys.argv[3]))
