"""Small real things for tests: messages, conversations, stores. No mocks."""

from __future__ import annotations

import os
import pickle
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from reviewer.imports.run_numbers import RunNumbers
from reviewer.transcripts.desk import Desk
from reviewer.transcripts.desk import parse as parse_desk
from reviewer.transcripts.digests import conversation_digest
from reviewer.transcripts.model import SIMULATED, Conversation, Message, Run, Stored, ToolCall
from reviewer.transcripts.refs import conversation_ref
from reviewer.transcripts.store.intake import Intake
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.writer import Writer

DESK = parse_desk(
    """
name = "test-desk"
[tools]
get_order = { class = "read", order = "order_id" }
cancel_order = { class = "cancel", order = "order_id" }
hand_over = { class = "handover" }
""",
    "test-desk",
)

CONFIRMING = parse_desk(DESK.text.replace("[tools]", "confirm = true\n[tools]"), "test-desk")
"""The same desk, which wants the customer's yes before a write."""


def call(name: str, arguments: str = "{}", result: str | None = "{}", error: str | None = None) -> ToolCall:
    """A tool call with a result."""
    return ToolCall(name, arguments, result, error)


def customer(text: str) -> Message:
    """A customer's message."""
    return Message("customer", text, source_role="user")


def agent(text: str, *calls: ToolCall, reasoning: str = "") -> Message:
    """An agent's message with its calls."""
    return Message("agent", text, reasoning, calls, source_role="assistant")


def conversation(
    *messages: Message, model: str = "kimi", case: str | None = "used-item-1", run: int | None = 1
) -> Conversation:
    """A conversation; a short one about a cancelled order when no messages are given."""
    return Conversation(model, messages or CANCELLED, case=case, run=run)


CANCELLED = (
    customer("Please cancel order #1130, I ordered the wrong size."),
    agent(
        "Your order #1130 has been cancelled successfully. It should be delivered yesterday.",
        call("get_order", '{"order_id":"#1130"}', '{"status":"in transit","carrier":"UPS"}'),
        call("cancel_order", '{"order_id":"#1130"}', '{"ok":true}'),
    ),
    customer("Wait, it was shipped already?"),
    agent("Yes, it was. Sorry about that!"),
)


def store(
    folder: Path,
    *conversations: Conversation,
    name: str = "runs.db",
    synthetic: bool = False,
    desk: Desk | Literal[False] = DESK,
) -> Path:
    """A real store with these conversations (with `conversation()` when none are given)."""
    path = folder / name
    given = conversations or (conversation(),), synthetic, (desk.name, desk.text, desk.hash) if desk else None
    if path.exists() or "MUTANT_UNDER_TEST" in os.environ:  # which tests write a store shows there
        _fill(path, *given)
    else:
        path.write_bytes(_filled(pickle.dumps(given)))
    return path


@lru_cache(maxsize=48)
def _filled(given: bytes) -> bytes:
    """A store as a file holds it: most tests of a module build the same one, and change their own copy."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "built.db"
        _fill(path, *pickle.loads(given))  # noqa: S301 -- our own
        return path.read_bytes()


def _fill(
    path: Path,
    conversations: tuple[Conversation, ...],
    synthetic: bool,
    desk: tuple[str, str, str] | None,
) -> None:
    with Writer(path) as writer:
        intake = Intake(writer, {"paths": ["built.jsonl"]})
        source = intake.source("built.jsonl", "interchange", synthetic)
        numbering = RunNumbers(intake, {"built.jsonl": "built.jsonl"}, replacing=False)
        for index, item in enumerate(conversations, start=1):
            numbering.place(item, "built.jsonl", source, "built.jsonl", f"line {index}")
        if desk:
            writer.set_desk([source], writer.desk(*desk))
        writer.commit()
        intake.end({})


def with_simulated_customers(path: Path) -> Path:
    """The store, whose runs now say that a model played the customers."""
    with Reader(path) as reader:
        runs = reader.tallies.runs()
    with Writer(path) as writer:
        writer.begin()
        for run in runs:
            writer.catalogue.describe_run(Run(run.model, run.number, harness=f"inspect 0.3, {SIMULATED}"))
        writer.commit()
    return path


def stored(*messages: Message, **names: Any) -> Stored:
    """A conversation as a reader gives it, without a store."""
    item = conversation(*messages, **names)
    ref = conversation_ref(item.model, item.case, item.run)
    return Stored(1, ref, conversation_digest(item.messages), item, "built.jsonl", False, DESK.text)
