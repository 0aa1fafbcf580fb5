"""The store's file: versions, modes, and the sentence for whatever is wrong with it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.basics.errors import StoreError
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.desk import parse as parse_desk
from reviewer.transcripts.model import Conversation, Score
from reviewer.transcripts.store.connection import VERSION, connect_reading
from reviewer.transcripts.store.desks import put_desk
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.upgrade import upgraded
from reviewer.transcripts.store.writer import Writer
from tests.builders import CANCELLED, DESK, agent, call, conversation, customer, store
from tests.unit.test_bad_input import humbly


def pragma(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA {statement}")
    connection.commit()
    connection.close()


def test_a_finished_store_is_one_file(tmp_path: Path) -> None:
    path = store(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    path.chmod(0o444)
    with Reader(path) as reader:
        assert reader.info()["conversations"] == 1


def test_readers_read_while_a_writer_writes(tmp_path: Path) -> None:
    path = store(tmp_path)
    with Writer(path) as writer, Reader(path) as reader:
        import_id = writer.begin_import({})
        source = writer.source("more.jsonl", "interchange", 0, import_id)
        writer.add("kimi/x/1", "d", conversation(case="x"), source, import_id, "line 1")
        assert reader.count() == 1
        before = reader.data_version()
        writer.commit()
        assert reader.count() == 2
        assert reader.data_version() != before
    with Reader(path) as reader:
        assert reader.info()["messages"]["customer"] == 4


def test_what_was_not_committed_is_not_there(tmp_path: Path) -> None:
    path = store(tmp_path)
    with Writer(path) as writer:
        source = writer.source("more.jsonl", "interchange", 0, 1)
        writer.add("kimi/x/1", "d", conversation(case="x"), source, 1, "line 1")
    with Reader(path) as reader:
        assert reader.count() == 1


def half_written(folder: Path) -> Path:
    """A store as a writer leaves it that was killed between two pages: beside it stands how to undo what it wrote."""
    path, left = store(folder), folder / "left"
    left.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN")
        db.execute("UPDATE messages SET text = hex(zeroblob(200000))")
        for end in ("", "-journal"):
            shutil.copy(f"{path}{end}", left)
        db.execute("ROLLBACK")
    return left / path.name


def test_what_a_killed_writer_left_half_done_is_undone(tmp_path: Path) -> None:
    path = half_written(tmp_path)
    with Reader(path) as reader:
        assert reader.stored(1).conversation.messages == CANCELLED
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_what_was_left_half_done_is_said_where_it_cannot_be_undone(tmp_path: Path) -> None:
    path = half_written(tmp_path)
    path.chmod(0o444)
    path.parent.chmod(0o555)
    code, text = humbly("info", path)
    path.parent.chmod(0o755)
    assert (code, "mending it needs permission to write" in text) == (2, True), text


def test_a_store_from_the_future_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = store(tmp_path)
    pragma(path, f"user_version = {VERSION + 1}")
    for opened in (Reader, Writer, upgraded):
        with pytest.raises(StoreError, match="newer reviewer"):
            opened(path)


def test_an_older_store_is_upgraded_after_a_copy_was_kept(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    pragma(path, "application_id = 0x52565752")
    with pytest.raises(StoreError, match="reviewer upgrade"):
        Reader(path)
    kept = upgraded(path)
    assert kept is not None
    assert kept.exists()
    assert upgraded(path) is None
    with Reader(path) as reader:
        assert reader.info()["schema"] == VERSION


def test_upgrading_works_out_what_came_of_every_conversation(tmp_path: Path) -> None:
    refused = call("cancel_order", result='{"error": "not pending"}')
    path = store(tmp_path, conversation(customer("Hi."), agent("Trying.", refused)), conversation(run=2))
    with closing(sqlite3.connect(path)) as db:
        whole = db.execute("SELECT id, acts, outcome, errors, digest FROM conversations").fetchall()
        failures = db.execute("SELECT id, failed FROM calls").fetchall()
        db.execute("DROP INDEX conversations_without_acts")
        for table, column in (("conversations", "acts"), ("conversations", "outcome"), ("calls", "failed")):
            db.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        db.execute("UPDATE conversations SET errors = 0")
        db.execute("DELETE FROM _sqlite_migrations WHERE name = 'm003_outcomes'")
        db.execute("PRAGMA user_version = 2")
        db.commit()
    assert upgraded(path) == tmp_path / f"{path.stem}.v2.db"
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT id, acts, outcome, errors, digest FROM conversations").fetchall() == whole
        assert db.execute("SELECT id, failed FROM calls").fetchall() == failures
    assert [row[2] for row in whole] == [" ", whole[1][1]]
    assert [row[3] for row in whole] == [1, 0]


def test_another_desk_changes_the_acts_that_are_stored(tmp_path: Path) -> None:
    path = store(tmp_path, conversation(customer("Hi."), agent("Done.", call("cancel_order", result="We regret"))))
    text = DESK.text.replace('name = "test-desk"', 'name = "test-desk"\nrefusals = ["we regret"]')
    acts = []
    for known in (parse_desk(text, "d"), None, DESK):
        put_desk(path, known, lambda attached: attached.all_ids())
        with Reader(path) as reader:
            acts.append([(act.what, act.failed) for act in outcome.of_row(reader.rows(reader.ids())[0]).acts])
    assert acts == [[("cancel", True)], [], [("cancel", False)]]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "There is no"), (b"[]", "is not a transcript store"), (b"", "is an empty file"),
        (b"SQLite format 3\0" + b"x" * 4096, "damaged|SQLite"),
    ],
)  # fmt: skip
def test_what_is_no_store_says_so(tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / "x.db"
    if content is not None:
        path.write_bytes(content)
    for opened in (Reader, upgraded):
        with pytest.raises(StoreError, match=said):
            opened(path)
    with pytest.raises(StoreError, match="is a folder"):
        Reader(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreError, match="is not a file"):
        Reader(tmp_path / "pipe")


@pytest.mark.parametrize("version", [0, VERSION, VERSION + 74])
def test_another_programs_database_is_left_alone(tmp_path: Path, version: int) -> None:
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (x)")
    connection.commit()
    connection.close()
    pragma(path, f"user_version = {version}")
    before = path.read_bytes()
    for opened in (Reader, Writer, upgraded):
        with pytest.raises(StoreError, match="no transcript store"):
            opened(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("table", "column"),
    [("cases", "forbidden"), ("cases", "extra"), ("conversations", "meta"), ("messages", "extra"), ("calls", "extra")],
)
def test_a_column_that_lost_its_json_is_a_damaged_store(tmp_path: Path, table: str, column: str) -> None:
    path = store(tmp_path)
    connection = sqlite3.connect(path)
    connection.execute(f"UPDATE {table} SET {column} = 'cut o'")
    connection.commit()
    connection.close()
    with Reader(path) as reader, pytest.raises(StoreError, match=r"runs\.db is damaged.*malformed JSON"):
        reader.stored(reader.ids()[0])
    if column == "forbidden":
        with Reader(path) as reader:
            for asked in (lambda: reader.rows(reader.ids()), reader.tallies.cases):
                with pytest.raises(StoreError, match="is damaged"):
                    asked()


def test_a_list_of_names_that_holds_others_is_a_damaged_store(tmp_path: Path) -> None:
    path = store(tmp_path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE cases SET labels = '[1, {}]'")
        db.commit()
    with Reader(path) as reader, pytest.raises(StoreError, match=r"runs\.db is damaged"):
        reader.stored(1)


def test_a_conversation_that_was_removed_meanwhile_is_said(tmp_path: Path) -> None:
    with Reader(store(tmp_path)) as reader, pytest.raises(StoreError, match="no longer in the store"):
        reader.stored(99)


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    connection = connect_reading(store(tmp_path))
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.execute("DELETE FROM conversations")
    connection.close()


def test_rows_come_in_the_order_asked_for_and_paging_visits_each_once(tmp_path: Path) -> None:
    items = [conversation(*CANCELLED, case=f"c-{n}", run=n % 3) for n in range(25)]
    with Reader(store(tmp_path, *items)) as reader:
        ids = reader.ids()
        pages = [each for start in range(0, 25, 7) for each in reader.first_ids(limit=7, offset=start)]
        assert pages == list(ids)
        assert len(set(ids)) == 25
        assert [row.rowid for row in reader.rows(list(reversed(ids)))] == list(reversed(ids))
        row = reader.rows(ids[:1])[0]
        assert (row.messages, row.agent_messages, row.tool_calls) == (4, 2, 2)
        assert [act.what for act in outcome.of_row(row).acts] == ["cancel"]
        assert row.opening.startswith("Please cancel order")


def test_a_case_is_found_across_its_runs(tmp_path: Path) -> None:
    items = [conversation(model="openai/gpt-4o", case="a b/c", run=run) for run in (2, 1)]
    with Reader(store(tmp_path, *items)) as reader:
        rows = reader.rows(reader.find("openai/gpt-4o/a%20b%2Fc"))
        assert [row.run for row in rows] == [1, 2]
        assert reader.rows(reader.find("openai/gpt-4o/a%20b%2Fc/2#4"))[0].run == 2
        assert reader.find("openai/gpt-4o") == []


def test_an_older_store_is_upgraded_and_its_scores_name_no_prompt(tmp_path: Path) -> None:
    talk = replace(conversation(), scores=(Score("resolution", 0.5, "J", "So so."),))
    path = store(tmp_path, talk)
    connection = sqlite3.connect(path)
    connection.executescript(
        "DROP INDEX scores_of; ALTER TABLE scores DROP COLUMN prompt;"
        "CREATE INDEX scores_of ON scores (conversation_id, scorer, judge, value);"
        "DELETE FROM _sqlite_migrations WHERE name = 'm004_prompts'; PRAGMA user_version = 3;"
    )
    connection.close()
    with pytest.raises(StoreError, match="is of an older version"):
        Reader(path)
    assert upgraded(path) is not None
    with Reader(path) as reader:
        assert reader.stored(1).conversation.scores == (Score("resolution", 0.5, "J", "So so.", prompt=None),)


def test_what_is_removed_leaves_the_totals_as_if_it_had_never_been_there(tmp_path: Path) -> None:
    kept = conversation(case="kept", run=1)
    removed = (
        replace(conversation(case="scored", run=2), scores=(Score("reward", 1.0), Score("tone", 0.0))),
        conversation(customer("Hi"), agent("", call("get_order", "{}", None)), case="unanswered", run=3),
        conversation(agent("<tool>{}</tool>"), case="other", model="gpt"),
        Conversation("gpt", (), case="empty", run=2),
    )
    with Reader(store(tmp_path, kept, name="kept.db")) as reader:
        expected = reader.info()
    path = store(tmp_path, kept, *removed)
    with Reader(path) as reader:
        before = reader.info()
        rowids = [rowid for rowid in reader.ids() if reader.stored(rowid).conversation.case != "kept"]
    assert (before["scores"], before["empty_conversations"], len(before["models"])) == (2, 1, 2)
    with Writer(path) as writer:
        assert writer.delete(rowids) == len(removed)
        writer.commit()
    with Reader(path) as reader:
        after = reader.info()
    named = {"store", "cases"}  # a case stays known, so that it is counted as missing where it was meant to be
    assert {key: n for key, n in after.items() if key not in named} == {
        key: n for key, n in expected.items() if key not in named
    }
