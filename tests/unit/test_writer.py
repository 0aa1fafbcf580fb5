"""What the writer keeps: whole conversations, totals that agree with them, imports, desks, records it cannot read."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reviewer.basics.errors import StoreError
from reviewer.imports.run_numbers import RunNumbers
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.desk import parse as parse_desk
from reviewer.transcripts.model import Conversation, Message, Score, ToolCall, Usage
from reviewer.transcripts.store.imports import imports, run_totals
from reviewer.transcripts.store.intake import Intake
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.writer import OPENING, Writer
from tests.builders import DESK, agent, call, conversation, customer, store

FULL = Conversation(
    "kimi",
    (
        Message("system", "Be kind.", source_role="developer"),
        Message("customer", "Where is it?", source_role="user", name="Ana", at="2026-06-29T10:00:00Z"),
        Message(
            "agent",
            "Let me look.",
            "It may be late.",
            (
                ToolCall(
                    "get_order", '{"id":1}', '{"ok":true}', None, "c1", False, 4, "2026-06-29T10:01:00Z", {"k": 1}
                ),
                ToolCall("get_order", '{"id":2}', None, "timeout", "c2"),
                ToolCall("look", "{}", None, extra={"from_text": True}),
            ),
            *("assistant", None, "2026-06-29T10:00:30Z", 900, 40, 30, 800, 0.25, {"blocks": ["image"]}),
        ),
        Message("customer", "And?", source_role="user"),
        Message("agent", "Soon.", source_role="assistant"),
        Message("agent", " \n", calls=(ToolCall("", None, "late", orphan=True),), source_role="assistant"),
    ),
    case="late-1",
    run=3,
    id="source-7",
    started="2026-06-29T10:00:00Z",
    ended="2026-06-29T10:05:00Z",
    ended_by="customer-stop",
    clock="2026-06-28",
    error="cut off",
    scores=(Score("resolution", 0.5, "opus", "So so.", "partial", "v2"), Score("tone", None, raw="C")),
    meta={"shop": "north"},
    extra={"seed": 4},
    usage=Usage(1000, 50, 30, 800, 0.5),
)
"""A conversation in which nothing is left at its default."""


def add(writer: Writer, *items: Conversation, source: int | None = None) -> int:
    """Add conversations as an import does; return its number."""
    intake = Intake(writer, {"paths": ["more.jsonl"]})
    source = source or writer.source("more.jsonl", "interchange", 10, intake.import_id)
    numbering = RunNumbers(intake, {"more.jsonl": "more.jsonl"}, replacing=False)
    for index, item in enumerate(items, start=1):
        numbering.place(item, "more.jsonl", source, "more.jsonl", f"line {index}")
    writer.commit()
    return intake.import_id


def info(path: Path) -> dict[str, Any]:
    with Reader(path) as reader:
        return reader.info()


def test_a_conversation_is_read_as_it_was_written(tmp_path: Path) -> None:
    with Reader(store(tmp_path, FULL)) as reader:
        stored = reader.stored(reader.ids()[0])
    assert stored.ref == "kimi/late-1/3"
    assert stored.source == "built.jsonl"
    assert stored.desk == DESK.text
    assert stored.conversation == replace(FULL, facts=stored.conversation.facts)


def test_a_row_of_the_queue_counts_what_the_conversation_holds(tmp_path: Path) -> None:
    with Reader(store(tmp_path, FULL)) as reader:
        (row,) = reader.rows(reader.ids())
    assert (row.messages, row.agent_messages) == (6, 2)  # a message of blanks says nothing
    assert (row.tool_calls, row.errors) == (2, 1)  # neither a call in the text nor a result without a call
    assert (row.opening, row.ended_by, row.error) == ("Where is it?", "customer-stop", "cut off")
    assert (row.tokens, row.cost) == (1050, 0.5)


def test_a_row_of_the_queue_opens_with_the_customers_first_words(tmp_path: Path) -> None:
    silent, long = customer(""), customer("x" * (OPENING + 1))
    with Reader(store(tmp_path, conversation(agent("Hello."), silent, long), conversation(agent("Hi."), run=2))) as it:
        assert [row.opening for row in it.rows(it.ids())] == ["x" * OPENING, ""]


def test_totals_count_every_kind(tmp_path: Path) -> None:
    told = info(store(tmp_path, FULL, conversation(), Conversation("gpt", (), case="none", run=1)))
    assert told["messages"] == {"agent": 5, "customer": 4, "system": 1}
    assert told["models"] == {"gpt": 1, "kimi": 2}
    counted = ("conversations", "empty_conversations", "tool_calls", "tool_results", "orphan_results", "text_calls")
    assert [told[key] for key in counted] == [3, 1, 4, 4, 1, 1]
    assert (told["scores"], told["rejected"], told["desks"]) == (2, 0, ["test-desk"])


def test_what_is_removed_takes_only_its_own_messages_calls_and_scores_with_it(tmp_path: Path) -> None:
    path = store(tmp_path, FULL, replace(FULL, run=4))
    with Writer(path) as writer:
        assert writer.delete([1, 99]) == 1
        writer.commit()
    with Reader(path) as reader:
        assert [reader.stored(rowid).ref for rowid in reader.ids()] == ["kimi/late-1/4"]
        kept = reader.stored(2).conversation
        assert kept == replace(FULL, run=4, facts=kept.facts)
        assert (reader.info()["text_calls"], reader.info()["scores"]) == (1, 2)
    assert [(run.number, run.conversations) for run in run_totals(path)] == [(4, 1)]
    with closing(sqlite3.connect(path)) as db:
        for table in ("messages", "calls", "scores"):
            assert db.execute(f"SELECT DISTINCT conversation_id FROM {table}").fetchall() == [(2,)]


def test_what_is_moved_counts_for_its_new_model(tmp_path: Path) -> None:
    path = store(tmp_path, conversation(), conversation(case="other"))
    with Writer(path) as writer:
        writer.move(1, "gpt/used-item-1/2", "gpt", 2)
        writer.commit()
    with Reader(path) as reader:
        assert reader.info()["models"] == {"gpt": 1, "kimi": 1}
        moved = reader.stored(1)
        assert (moved.ref, moved.conversation.model, moved.conversation.run) == ("gpt/used-item-1/2", "gpt", 2)
        assert reader.stored(2).conversation.model == "kimi"
    told = [(run.model, run.number, run.conversations) for run in run_totals(path)]
    assert told == [("gpt", 2, 1), ("kimi", 1, 1)]


def test_an_import_keeps_its_command_its_times_and_its_counts(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    with Writer(path) as writer:
        first = add(writer, conversation())
        writer.end_import(first, {"new": 1})
        add(writer, conversation(case="other"))
    ended, broken_off = imports(path)
    assert (ended.number, ended.command, ended.counts) == (first, {"paths": ["more.jsonl"]}, {"new": 1})
    assert ended.started <= (ended.ended or "")
    assert ended.started.endswith("+00:00")
    assert broken_off.ended is None


def test_a_record_that_could_not_be_read_is_kept_once(tmp_path: Path) -> None:
    path = store(tmp_path)
    with Writer(path) as writer:
        told = [writer.reject(1, "a.jsonl", place, "no messages", "{}") for place in ("line 1", "line 1", "line 2")]
        writer.commit()
    assert told == [True, False, True]
    with Reader(path) as reader:
        assert reader.rejected() == [("a.jsonl", "line 1", "no messages"), ("a.jsonl", "line 2", "no messages")]
        assert reader.info()["rejected"] == 2


def test_a_desk_is_stored_once_and_takes_the_place_of_none(tmp_path: Path) -> None:
    path = store(tmp_path)
    other = parse_desk(DESK.text.replace("test-desk", "other-desk"), "other-desk")
    with Writer(path) as writer:
        assert writer.desk(DESK.name, DESK.text, DESK.hash) == 1
        source = writer.source("more.jsonl", "interchange", 10, 1)
        add(writer, conversation(case="other"), source=source)
        number = writer.desk(other.name, other.text, other.hash)
        assert number == writer.desk(other.name, other.text, other.hash)
        writer.set_desk([1, source], number)
        writer.commit()
    with Reader(path) as reader:
        assert [reader.stored(rowid).desk for rowid in reader.ids()] == [DESK.text, other.text]
        assert reader.info()["desks"] == ["other-desk", "test-desk"]


def test_acts_are_worked_out_anew_with_a_desk(tmp_path: Path) -> None:
    path = store(tmp_path, desk=False)

    def acts() -> list[str]:
        with Reader(path) as reader:
            return [act.what for act in outcome.of_row(reader.rows(reader.ids())[0]).acts]

    assert acts() == []
    with Writer(path) as writer:
        writer.set_desk([1], writer.desk(DESK.name, DESK.text, DESK.hash))
        writer.commit()
    assert acts() == ["cancel"]


def test_totals_agree_with_what_is_stored_after_several_imports(tmp_path: Path) -> None:
    path = store(tmp_path, FULL)
    for case in ("a", "b"):
        with Writer(path) as writer:
            add(writer, conversation(customer("Hi"), agent("", call("get_order")), case=case))
    with closing(sqlite3.connect(path)) as db:
        roles = Counter(role for (role,) in db.execute("SELECT role FROM messages"))
        assert dict(db.execute("SELECT substr(key, 10), n FROM totals WHERE key GLOB 'messages.*'")) == roles
        assert db.execute("SELECT n FROM totals WHERE key = 'conversations'").fetchone() == (3,)


def test_an_error_of_sqlite_while_writing_names_the_store(tmp_path: Path) -> None:
    path = store(tmp_path)

    def write() -> None:
        with Writer(path) as writer:
            writer.begin()
            raise sqlite3.DatabaseError("database disk image is malformed")

    with pytest.raises(StoreError, match=r"runs\.db"):
        write()
    assert info(path)["conversations"] == 1


def test_an_older_store_is_not_written_to_and_the_sentence_has_the_command(tmp_path: Path) -> None:
    path = store(tmp_path, name="my runs.db")
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 2")
    with pytest.raises(StoreError, match=r"my runs\.db is of an older version \(2\)\.") as refused:
        Writer(path)
    assert refused.value.hint == f"First: reviewer upgrade '{path}'"


def test_a_busy_reader_leaves_the_store_readable(tmp_path: Path) -> None:
    path = store(tmp_path)
    with Writer(path) as writer, Reader(path) as reader:
        assert reader.count() == 1
        add(writer, conversation(case="other"))
    assert info(path)["conversations"] == 2
    with Writer(path):
        pass
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
