"""`reviewer open`: the reading room, or its queue as text where there is no terminal."""

from __future__ import annotations

import gc
import io
import os
import sys
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reviewer.app.keys import AS_USUAL, Bound
from reviewer.basics.shell import shell_word
from reviewer.cli.output import confirmed, say
from reviewer.cli.queries import Annotations, Words, answered, joined

if TYPE_CHECKING:
    from reviewer.app.app import ReviewerApp
    from reviewer.app.shared.position import QueueRequest, ReadingPosition
    from reviewer.basics.errors import ReviewerError
    from reviewer.findings.review_session import ReviewSession
    from reviewer.transcripts.store.reader import Reader

_PRINTED = 50
_TURN = 0.001
"""Seconds until a thread gets its turn: one writes what is painted, and would wait for five times as long."""


class Theme(StrEnum):
    """The themes by name, so that the shell completes them; a test holds that these are all."""

    dark = "dark"
    light = "light"
    contrast = "contrast"
    ansi = "ansi"


Opened = Annotated[
    Path | None,
    typer.Argument(help="A store, or a log to import beside itself; else the sample.", show_default=False),
]

Reviewing = Annotated[
    str | None,
    typer.Option("--as", help="Your name in the journal; each name comes back to its own place.", show_default=False),
]
Unaided = Annotated[bool, typer.Option("--no-suggestions", help="Hide what reads suggest, to read with open eyes.")]


def open_(
    store: Opened = None,
    query: Words = None,
    at: Annotated[str, typer.Option("--at", help="Open there: MODEL/CASE/RUN, with #4 for a message.")] = "",
    by: Annotated[
        str | None,
        typer.Option(
            "--as", help="Your name in the journal; each name has its own place to come back to.", show_default=False
        ),
    ] = None,
    annotations: Annotations = None,
    theme: Annotated[Theme | None, typer.Option("--theme", help="Colours; :theme changes them.")] = None,
    plain: Annotated[bool, typer.Option("--ascii", help="Plain signs instead of symbols and emoji.")] = False,
    no_suggestions: Unaided = False,
) -> None:
    """Read conversations beside their tool calls, and tag failures. Without a terminal the queue is printed."""
    gc.disable()  # nothing is garbage before the first paint; the screen turns it on again
    from reviewer.app.reading.memory import Memory
    from reviewer.cli.last_place import returned
    from reviewer.marks.who import reviewer_name
    from reviewer.transcripts.store.reader import Reader

    # a closed channel is None; the screen is painted through the third
    interactive = all(each is not None and each.isatty() for each in (sys.stdin, sys.stdout, sys.stderr))
    path = _store(store, interactive)
    if path is None:
        return
    with Reader(path) as reader:
        name = reviewer_name(by)
        memory = Memory(path, name, lambda: _writes_here(annotations, name, path)) if interactive else None
        start = returned(reader, partial(_wanted, reader, path, annotations), joined(query), at, memory)
        if not interactive:
            _print(start.reading, path)
            return
        from reviewer.app.app import ReviewerApp

        bound, trouble = _bound()
        app = ReviewerApp(
            start.reading,
            lambda: _session(annotations, name, path, start.reading.info["cases"]),
            at=start.at,
            theme=theme or "",
            plain=plain or not _has_symbols(),
            suggestions=not no_suggestions,
            memory=memory,
            bound=bound,
            trouble=trouble,
        )
        _run(app)
        raise typer.Exit(app.return_code or 0)


def _run(app: ReviewerApp) -> None:
    """Run the app on the terminal; none of its keys waits long for a program that keeps others out of the store."""
    from reviewer.app.shared.crash_file import causes_of
    from reviewer.app.shared.position import PATIENCE
    from reviewer.basics.errors import ReviewerError
    from reviewer.transcripts.store.connection import waiting_at_most

    _write_whole_frames()
    sys.setswitchinterval(_TURN)
    try:
        with waiting_at_most(PATIENCE):
            # GNU screen holds Esc back while the mouse is on: it waits for the rest of what the mouse might send.
            app.run(mouse="STY" not in os.environ)
    except ReviewerError:
        raise
    except Exception as error:  # noqa: BLE001 -- whatever it is, the reader gets a sentence and a file
        app.ended_on(causes_of(error))
    if app.crash:
        say(f"reviewer: {app.crash}", err=True)
        raise typer.Exit(1)


def _has_symbols() -> bool:
    """True if the terminal's alphabet has the signs of the screen."""
    from reviewer.basics.glyphs import GLYPHS

    try:
        "".join(sign for sign, _ in GLYPHS.values()).encode(sys.stderr.encoding)
    except UnicodeEncodeError:
        return False
    return True


def _bound() -> tuple[Bound, ReviewerError | None]:
    """The keys that the reader has bound, and what is wrong with their file."""
    from reviewer.app.keys.keymap import KeysError, load, usual_path

    try:
        return load(usual_path()), None
    except KeysError as error:
        return AS_USUAL, error


def _write_whole_frames() -> None:
    """Buffer what the screen is painted through: without a buffer, as PYTHONUNBUFFERED has it, Python drops what one
    write to the terminal leaves over, and half a control sequence remains.
    """
    bare = sys.__stderr__
    if bare is not None and isinstance(bare.buffer, io.RawIOBase):
        whole = open(bare.fileno(), "w", encoding=bare.encoding, errors=bare.errors, closefd=False)  # noqa: SIM115 -- open for as long as the program
        sys.__stderr__ = whole  # type: ignore[misc]  # Textual's driver takes it from there


def _wanted(reader: Reader, store: Path, annotations: Path | None, text: str) -> QueueRequest:
    """What a filter asks for; without one the parser is not even loaded."""
    from reviewer.app.shared.position import QueueRequest

    if not text.strip():
        return QueueRequest()
    from reviewer.transcripts.query import parse

    query = parse(text)
    selection, remarks = answered(reader, query, store, annotations)
    return QueueRequest(query, selection, remarks=tuple(remarks))


def _session(annotations: Path | None, name: str, store: Path, cases: int) -> ReviewSession:
    from reviewer.findings.review_session import ReviewSession
    from reviewer.marks import folder

    return ReviewSession(annotations or folder.usual(store), name, store.name, folder.suited(cases))


def _writes_here(annotations: Path | None, name: str, store: Path) -> bool:
    """True if this reviewer has a journal here, or nobody has and the name is the usual one."""
    from reviewer.basics.errors import JournalError
    from reviewer.marks import folder, journal
    from reviewer.marks.who import reviewer_name

    where = annotations or folder.usual(store)
    try:
        written = journal.journals(where)
        return journal.journal_of(where, name) in written if written else name == reviewer_name()
    except (JournalError, OSError):
        return False  # the session gives the reason when it begins


def _store(given: Path | None, interactive: bool) -> Path | None:
    """The store that is meant: the sample, the file itself, or what a log becomes when its owner agrees."""
    from reviewer.transcripts.store.connection import is_sqlite

    if given is None:
        return _sample()
    if not (given.is_dir() or (given.is_file() and given.stat().st_size)) or is_sqlite(given):
        return given
    beside = given.with_name(f"{given.name}.db")
    if beside.exists() and is_sqlite(beside):
        say(f"{given} was imported into {beside}; opening that.", err=True)
        return beside
    if not interactive:
        return given
    if not confirmed(f"{given} is not a store. Import it into {beside}?", default=True):
        say(f"Nothing was done. Import it elsewhere with: reviewer import {shell_word(given)} --into runs.db")
        return None
    from reviewer.basics.errors import StoreError
    from reviewer.cli.progress import ImportProgress as Progress
    from reviewer.imports.importer import Wishes, import_files

    with Progress() as progress:
        report = import_files([given], beside, Wishes(), progress.step)
    if any(report.total(kind) for kind in ("new", "rejected")):
        return beside
    beside.unlink(missing_ok=True)
    raise StoreError(
        f"{given} holds no conversations.", f"`reviewer import {shell_word(given)} --into runs.db` says why."
    )


def _sample() -> Path:
    """The sample, built on first use."""
    from reviewer.benchmark.northline.build import ensure_sample
    from reviewer.cli.progress import ShareProgress

    with ShareProgress("building the sample") as counting:
        return ensure_sample(counting.step)


def _print(reading: ReadingPosition, path: Path) -> None:
    """Print the queue's beginning, and how to see the rest."""
    from reviewer.cli.row_table import RowTable
    from reviewer.transcripts.model import SIMULATED

    total = reading.reader.count(reading.selection)
    real = "customer wrote their words" if reading.mark == SIMULATED else "model wrote these texts"
    say(f"{path.name} · {total:,} conversations{f' · {reading.mark}: no real {real}' if reading.mark else ''}")
    if not total:
        say(f"No conversations{' that the filter lets through' if reading.query else ''} in {path}.")
    table = RowTable(reading.reader)
    for row in reading.rows(reading.ids[:_PRINTED]):
        say(table.line(row))
    if total > _PRINTED:
        say(f"… and {total - _PRINTED:,} more: reviewer list {shell_word(path)}")
    for remark in reading.wanted.remarks:
        say(remark, err=True)
    say("")
    say(f"Read them in a terminal: reviewer open {shell_word(path)}")
