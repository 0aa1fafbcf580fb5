"""The one way of conversations into a store."""

from __future__ import annotations

import ast
from pathlib import Path

import reviewer
from reviewer.transcripts.digests import conversation_digest
from reviewer.transcripts.model import Run
from reviewer.transcripts.store.imports import commands
from reviewer.transcripts.store.intake import Intake
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.writer import Writer
from tests.builders import DESK, agent, conversation


def test_a_conversation_gets_its_reference_digest_desk_and_source(tmp_path: Path) -> None:
    path, item = tmp_path / "runs.db", conversation(agent("\x7f Ünïcode"), case="a/b", run=3)
    with Writer(path) as writer:
        intake = Intake(writer, {"paths": ["here"]})
        source = intake.source("here", "interchange", synthetic=True)
        assert intake.source("here", "interchange") == source
        intake.add(item, source, "line 1")
        intake.add(conversation(run=4), source, ref="kimi/settled/4", digest="0" * 64)
        intake.set_desk([source], DESK)
        intake.end()
        assert intake.added == 2
    with Reader(path) as reader:
        first, second = (reader.stored(rowid) for rowid in reader.ids())
        assert (first.ref, first.digest) == ("kimi/a%2Fb/3", conversation_digest(item.messages))
        assert (first.source, first.synthetic, first.desk) == ("here", True, DESK.text)
        assert (second.ref, second.digest) == ("kimi/settled/4", "0" * 64)
    assert [command["paths"] for command in commands(path)] == [["here"]]


def test_what_a_source_says_of_a_run_is_written_when_it_says_more(tmp_path: Path) -> None:
    with Writer(tmp_path / "runs.db") as writer:
        intake = Intake(writer, {})
        intake.add(conversation(), intake.source("here", "interchange"))
        statements: list[str] = []
        writer._db.set_trace_callback(statements.append)
        for meant in (("a",), ("a",), ("a", "b")):
            intake.describe_run(Run("kimi", 1, meant=meant))
        intake.end()
    assert sum("UPDATE runs" in each for each in statements) == 2
    with Reader(tmp_path / "runs.db") as reader:
        assert [run.meant for run in reader.tallies.runs()] == [("a", "b")]


def test_nothing_is_stored_before_it_is_committed(tmp_path: Path) -> None:
    with Writer(tmp_path / "runs.db") as writer:
        intake = Intake(writer, {})
        intake.add(conversation(case="whole"), intake.source("here", "interchange"))
        writer.commit()
        intake.add(conversation(case="in part"), intake.source("here", "interchange"))
    with Reader(tmp_path / "runs.db") as reader:
        assert [row.ref for row in reader.rows(reader.ids())] == ["kimi/whole/1"]


def test_no_command_writes_the_sequence_anew() -> None:
    package = Path(reviewer.__file__).parent
    callers = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("begin_import", "end_import")
    }
    assert callers == {
        "transcripts/store/intake.py",
        "transcripts/store/writer.py",
    }  # the writer's own is of its places
