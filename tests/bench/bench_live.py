"""A live run of 25 calls a conversation beside a bare Inspect task that makes the same calls, in computing time.

Inspect is an extra: `INSPECT` names a Python that has it (`make slow` makes one), else the bench is left out. The
endpoint runs in this process, whose time is counted for neither. `REVIEWER_BENCH_RUNS=3` makes it 486 conversations.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from reviewer.benchmark.northline.cases import cases
from reviewer.transcripts.model import Conversation, Message, ToolCall
from tests.bench.inspect_names import CUSTOMER, MODEL, ROUNDS
from tests.bench.rows import Row
from tests.scripted_endpoint import Endpoint, Script, playing

ROOT = Path(__file__).resolve().parents[2]
CALLS = 25
"""Calls of a conversation, the customer's among them."""
_MOST = 5.0
"""Milliseconds of computing in which one conversation comes in."""
_LOOKUP = Message("agent", "", calls=(ToolCall("lookup_policy", '{"topic": "returns"}'),))


def run() -> Iterator[Row]:
    """Computing time of a whole run beside the bare task; what bringing one conversation in takes."""
    named = os.environ.get("INSPECT", sys.executable)
    if subprocess.run([named, "-c", "import inspect_ai, openai"], capture_output=True, check=False).returncode:
        print("  left out: INSPECT names no Python that can import inspect_ai and openai")
        return
    runs = int(os.environ.get("REVIEWER_BENCH_RUNS", "1"))
    with playing([MODEL.rpartition("/")[2]], [case.id for case in cases()]) as served, TemporaryDirectory() as folder:
        served.scripts = {key: Script(lengthened(script)) for key, script in served.scripts.items()}
        beside, floor = [named, "-m", "tests.bench.inspect_programs"], _Seat(served, Path(folder))
        bare, asked = floor.computed([*beside, "bare", str(runs)])
        words = ["run", "northline", "--model", MODEL, "--customer", CUSTOMER, "--runs", str(runs), "--into", "runs.db"]
        ours, again = floor.computed([named, "-m", "reviewer", *words])
        held = runs * len(served.scripts)
        yield Row(f"{held} conversations of {asked / held:.1f} and {again / held:.1f} calls", ours, bare, 1.2, "s")
        yield Row("a call", ours / again * 1000, bare / asked * 1000, 1.2)
        mean, middle, most = map(float, floor.said([*beside, "intake", "runs-logs", "again.db"]).split())
        yield Row("one conversation comes in, mean", mean, _MOST, 1.0)
        yield Row("one conversation comes in, the middle one", middle, _MOST, 1.0)
        yield Row("one conversation comes in, the slowest", most, _MOST, None)


def lengthened(script: Script) -> Conversation:
    """The conversation with so many lookups before its answers that it takes 25 calls."""
    missing = CALLS - len(script.agent) - len(script.turns)
    share = []
    for at, (said, _) in enumerate(script.turns):
        room = ROUNDS - len(said)  # an agent that goes on calling without a word is cut
        share.append(max(0, min(room, -(-missing // (len(script.turns) - at)))))
        missing -= share[-1]
    messages: list[Message] = []
    before = None
    for message in script.conversation.messages:
        if message.role == "agent" and before == "customer" and share:
            messages += [_LOOKUP] * share.pop(0)
        before = message.role
        messages.append(message)
    return replace(script.conversation, messages=tuple(messages))


class _Seat:
    """A folder in which programs run against the endpoint."""

    def __init__(self, served: Endpoint, folder: Path) -> None:
        self._served, self._folder = served, folder

    def computed(self, command: Sequence[str]) -> tuple[float, int]:
        """Seconds that a program computed, and how many calls it made."""
        before, asked = resource.getrusage(resource.RUSAGE_CHILDREN), self._served.asked.total()
        self.said(command)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return took, self._served.asked.total() - asked

    def said(self, command: Sequence[str]) -> str:
        """What a program prints."""
        own = {"PYTHONPATH": str(ROOT), "SCRIPTED_API_KEY": "none", "HOME": str(self._folder)}
        own["SCRIPTED_BASE_URL"] = f"http://127.0.0.1:{self._served.port}/v1"
        ran = subprocess.run(
            command, env={**os.environ, **own}, cwd=self._folder, capture_output=True, text=True, check=True
        )
        return ran.stdout
