"""A store of any size, made of plausible support talk, written straight through SQL.

Owns the generator that benches share. The same sizes and seed give the same store; nothing in it is anybody's text.
"""

from __future__ import annotations

import atexit
import json
import random
import sqlite3
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from reviewer.benchmark.northline.build import build
from reviewer.benchmark.northline.sample_conversations import chosen
from reviewer.transcripts.store.connection import PAGE_SIZE
from reviewer.transcripts.store.writer import migrate

MODELS, RUNS = 10, 4
RARE = "quillwort"
"""A word that stands in one message of a thousand."""
SELDOM = "ombudsman"
"""A word that stands in one message of fifty thousand."""

_TALK = (
    "the to you your order a is I of and it for that has been we can in on please was not with this will have be are"
    " refund item delivery address return cancel shipped policy card account status replacement arrived tracking"
    " carrier confirm sorry help today yesterday wrong size damaged box label warehouse eligible window days original"
    " payment method process request customer check details number email thank change update available stock price"
)
_COMMON = _TALK.split()
_TOOLS = ("get_order", "get_policy", "cancel_order", "refund_order", "change_address", "transfer_to_human")
_CHUNK = 2_000


def make(path: Path, conversations: int = 100_000, messages: int = 10, seed: int = 7) -> Path:
    """Write the store; every second message is the agent's, every third of those calls a tool."""
    talk = _Talk(random.Random(seed))
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in (f"page_size = {PAGE_SIZE}", "journal_mode = OFF", "synchronous = OFF", "cache_size = -200000"):
        connection.execute(f"PRAGMA {pragma}")
    migrate(connection)
    connection.execute("BEGIN")
    cases = max(1, conversations // (MODELS * RUNS))
    _frame(connection, cases)
    written = 0
    for start in range(1, conversations + 1, _CHUNK):
        numbers = range(start, min(start + _CHUNK, conversations + 1))
        _insert(connection, "conversations", [_conversation(n, messages, cases, talk) for n in numbers])
        rows = [talk.message(n, k, written + i) for i, (n, k) in enumerate(_pairs(numbers, messages), start=1)]
        _insert(connection, "messages", rows)
        _insert(connection, "calls", [talk.call(n, k) for n, k in _pairs(numbers, messages) if k % 6 == 2])
        written += len(rows)
    _total(connection, conversations, messages, cases)
    connection.execute("COMMIT")
    connection.close()
    return path


@cache
def shared(conversations: int, messages: int = 10) -> Path:
    """The store of this size, made once a run and thrown away at its end."""
    return make(_kept(), conversations, messages)


@cache
def northline(board: bool = False) -> Path:
    """The sample, or the whole board; likewise."""
    store = _kept()
    build(store, chosen(board=board))
    return store


def _kept() -> Path:
    folder = tempfile.TemporaryDirectory(prefix="reviewer-bench-")
    atexit.register(folder.cleanup)
    return Path(folder.name) / "runs.db"


class _Talk:
    """Sentences, drawn once and put together again and again."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        rare = ["".join(chance.choices("bcdfglmnprstvaeiou", k=chance.randint(4, 11))) for _ in range(30_000)]
        self.sentences = [self._sentence(rare) for _ in range(20_000)]

    def _sentence(self, rare: Sequence[str]) -> str:
        words = [
            self.chance.choice(rare if self.chance.random() < 0.08 else _COMMON)
            for _ in range(self.chance.randint(5, 20))
        ]
        return " ".join(words).capitalize() + self.chance.choice(".?!")

    def message(self, conversation: int, number: int, serial: int) -> dict[str, Any]:
        """One message of about 250 characters."""
        text = " ".join(self.chance.choices(self.sentences, k=self.chance.randint(1, 5)))
        if serial % 1_000 == 0:
            text += f" The {RARE} was delivered yesterday evening."
        if serial % 50_000 == 0:
            text += f" Ask the {SELDOM}</think>."
        role = "agent" if number % 2 == 0 else "customer"
        return {
            "conversation_id": conversation,
            "number": number,
            "role": role,
            "source_role": "assistant" if role == "agent" else "user",
            "text": text,
            "reasoning": self.chance.choice(self.sentences) if role == "agent" and number % 8 == 0 else "",
        }

    def call(self, conversation: int, number: int) -> dict[str, Any]:
        """One call of a tool with its result."""
        order = f"#{self.chance.randint(1000, 9999)}"
        result = {"status": self.chance.choice(("in transit", "delivered")), "note": self.chance.choice(self.sentences)}
        return {
            "conversation_id": conversation,
            "message": number,
            "number": 1,
            "role": "agent",
            "name": self.chance.choice(_TOOLS),
            "arguments": json.dumps({"order_id": order}),
            "result": json.dumps(result),
        }


def _pairs(numbers: range, messages: int) -> list[tuple[int, int]]:
    return [(n, k) for n in numbers for k in range(1, messages + 1)]


def _conversation(number: int, messages: int, cases: int, talk: _Talk) -> dict[str, Any]:
    run, case = (number - 1) // cases % (MODELS * RUNS), (number - 1) % cases
    return {
        "id": number,
        "ref": f"model-{run // RUNS}/case-{case}/{run % RUNS + 1}"
        if number <= cases * MODELS * RUNS
        else f"more/{number}",
        "digest": f"{number:064x}",
        "run_id": run + 1,
        "case_id": case + 1,
        "source_id": run + 1,
        "import_id": 1,
        "messages": messages,
        "agent_messages": messages // 2,
        "tool_calls": len(range(2, messages + 1, 6)),
        "tool_results": len(range(2, messages + 1, 6)),
        "orphan_results": 0,
        "errors": number % 50 == 0,
        "started": f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}T10:00:00",
        "ended_by": ("customer-stop", "agent-stop", "handover")[number % 3],
        "opening": talk.chance.choice(talk.sentences)[:160],
    }


def _frame(connection: sqlite3.Connection, cases: int) -> None:
    _insert(connection, "imports", [{"id": 1, "started": "2026-06-01T00:00:00+00:00", "command": "{}"}])
    pairs = [(model, run) for model in range(MODELS) for run in range(RUNS)]
    _insert(connection, "runs", [{"model": f"model-{model}", "number": run + 1} for model, run in pairs])
    _insert(
        connection,
        "sources",
        [{"path": f"logs/model-{m}-{r}.json", "format": "bench", "synthetic": 1, "import_id": 1} for m, r in pairs],
    )
    _insert(connection, "cases", [{"name": f"case-{n}", "family": f"family-{n % 20}"} for n in range(cases)])


def _total(connection: sqlite3.Connection, conversations: int, messages: int, cases: int) -> None:
    calls = conversations * len(range(2, messages + 1, 6))
    totals = {
        "conversations": conversations,
        "cases": cases,
        "messages.customer": conversations * ((messages + 1) // 2),
        "messages.agent": conversations * (messages // 2),
        "tool_calls": calls,
        "tool_results": calls,
    }
    _insert(connection, "totals", [{"key": key, "n": n} for key, n in totals.items()])


def _insert(connection: sqlite3.Connection, table: str, rows: Sequence[dict[str, Any]]) -> None:
    columns = list(rows[0])
    marks = ", ".join("?" * len(columns))
    connection.executemany(
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", [tuple(row.values()) for row in rows]
    )
