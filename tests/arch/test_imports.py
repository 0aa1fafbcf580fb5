"""What a command loads: the app without pydantic, sqlite-utils or Markdown; `--help` without nearly everything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import builders
from tests.unmeasured import environment


def loaded(code: str) -> set[str]:
    """The modules in memory after running this in a fresh interpreter."""
    probe = code + "\nimport sys; print('\\n'.join(sorted(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, env=environment())
    return set(ran.stdout.split())


def test_the_command_line_loads_nothing_heavy() -> None:
    heavy = {"textual", "rich", "pydantic", "sqlite_utils", "sqlite3", "hypothesis", "asyncio", "markdown_it", "yaml"}
    assert not loaded("import reviewer.cli") & heavy


def test_a_start_loads_nothing_that_the_first_paint_can_do_without() -> None:
    modules = loaded("import reviewer.cli.open, reviewer.cli.last_place, reviewer.app.app")
    behind = {
        "reviewer.app.queue.heads",
        "reviewer.app.queue.arrivals",
        "reviewer.app.reading.welcome",
        "reviewer.marks.review",
    }
    assert not modules & (
        behind | {"reviewer.transcripts.query.parser", "reviewer.marks.ledger", "reviewer.transcripts.store.listings"}
    )


def test_nobody_looks_for_garbage_while_the_program_loads() -> None:
    code = """
import gc, sys
loading = []
gc.callbacks.append(lambda *_: loading.append("typer" in sys.modules and "reviewer.cli.open" not in sys.modules))
from reviewer.cli import main
sys.argv = ["reviewer", "--version"]
try:
    main()
except SystemExit:
    print(f"looked {sum(loading)} times, then {gc.isenabled()}")
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment())
    assert "looked 0 times, then True" in ran.stdout


@pytest.mark.parametrize("module", ["reviewer.transcripts.store.reader", "reviewer.marks.review"])
def test_what_the_app_needs_loads_neither_pydantic_nor_sqlite_utils(module: str) -> None:
    assert not loaded(f"import {module}") & {"pydantic", "sqlite_utils", "markdown_it", "textual", "typer"}


def test_a_session_loads_nothing_that_writes_stores() -> None:
    assert "reviewer.transcripts.store.writer" not in loaded("import reviewer.marks.review")


def test_a_file_is_edited_by_what_is_loaded_when_it_is_edited() -> None:
    modules = "reviewer.marks.review.tool_classes, reviewer.transcripts.desk.sketch, reviewer.cli.codebook_command"
    assert "tomlkit" not in loaded(f"import {modules}")


def test_an_import_loads_what_only_few_files_need_when_it_meets_one() -> None:
    assert not loaded("import reviewer.imports.importer, reviewer.imports.formats.inspect") & {"yaml", "backports.zstd"}


def test_the_screens_load_no_reads_before_the_lens_is_wanted() -> None:
    rooms = "reviewer.app.app, reviewer.app.reading.actions, reviewer.app.reading.lens_keys, reviewer.app.reading.look"
    assert not {name for name in loaded(f"import {rooms}") if name.startswith("reviewer.findings.reads")}


def test_the_first_paint_loads_nothing_that_cuts_texts_into_sentences() -> None:
    assert "reviewer.basics.sentences" not in loaded("import reviewer.app.app, reviewer.app.reading.review_screen")


def test_only_printing_a_report_loads_templates_and_only_prose_loads_what_reads_it() -> None:
    modules = (
        "reviewer.cli.report_prose, reviewer.figures.report.written_report, reviewer.figures.report.prose_skeleton"
    )
    code = f"""
import {modules}
from reviewer.figures.report import pages
from reviewer.figures.report.blocks import ReportPage
"""
    assert not loaded(code) & {"jinja2", "markdown_it"}
    printed = "for lines in (pages.html_lines, pages.markdown_lines): list(lines(ReportPage('a', 'b', (), False)))"
    assert "markdown_it" not in loaded(code + printed)


def test_only_masking_loads_the_telephone_numbers_of_all_countries(tmp_path: Path) -> None:
    builders.store(tmp_path, builders.conversation())
    commands = [
        "list runs.db", "show runs.db kimi/used-item-1/1", "tag runs.db kimi/used-item-1/1#2 warm", "tags runs.db",
        "export runs.db --format jsonl --mask-models", "board runs.db", "search runs.db order", "report runs.db kimi",
    ]  # fmt: skip
    code = f"""
import os, sys
from reviewer.cli import main
os.chdir({str(tmp_path)!r})
for words in %r:
    sys.argv = ["reviewer", *words.split()]
    try:
        main()
    except SystemExit as done:
        assert not done.code, words
"""
    assert "phonenumbers" not in loaded(code % (commands,))
    masked = "export runs.db --mask-customers --context 2"
    assert "phonenumbers" not in loaded(code % ([masked],))  # nothing looks like a number there
    builders.store(tmp_path, builders.conversation(builders.customer("Call me: +49 30 901820.")), name="other.db")
    tagged = "tag other.db kimi/used-item-1/1#1 warm --annotations more"
    masked = "export other.db --mask-customers --annotations more"
    assert "phonenumbers" in loaded(code % ([tagged, masked],))
