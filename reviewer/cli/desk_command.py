"""`reviewer desk`: the desks that there are, a first one of one's own, what is wrong in it, a draft for a store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reviewer.basics.shell import shell_line, shell_word
from reviewer.cli.output import say, say_in_file, say_text


def desk(
    init: Annotated[Path | None, typer.Option("--init", help="Draft a desk file from this store's tools.")] = None,
    new: Annotated[
        str, typer.Option("--new", help="Write a small desk of this name that can be played.", show_default=False)
    ] = "",
    check: Annotated[Path | None, typer.Option("--check", help="Say every mistake in the desk in this folder.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to: a file for --init, a folder for --new.")
    ] = None,
) -> None:
    """List desks; begin, check or draft one of your own.

    A desk of your own is a folder of plain files: reviewer run FOLDER plays it. See docs/desks.md.
    """
    from reviewer.basics.errors import ReviewerError

    if sum((init is not None, bool(new), check is not None)) > 1:
        raise ReviewerError("--init, --new and --check are three things.", "Say one of them.")
    if output is not None and init is None and not new:
        raise ReviewerError("-o says where something is written, and nothing is.", "Say --new NAME or --init STORE.")
    if init is not None:
        _draft(init, output)
    elif new:
        _begin(new, output or Path(new))
    elif check is not None:
        _check(check)
    else:
        _list()


def _list() -> None:
    from reviewer.benchmark.desks.desk_folder import playable
    from reviewer.transcripts import desk as desks

    played = {"northline", *playable()}
    for name in desks.shipped():
        say(f"{name}: {desks.load(name).title}{f' (reviewer run {shell_word(name)})' if name in played else ''}")


def _begin(name: str, folder: Path) -> None:
    from reviewer.benchmark.desks.starter import made

    for path in made(name, folder):
        say(str(path))
    said = shell_word(folder if folder.is_absolute() else f"./{folder}")
    say(f"Change them, then: reviewer desk --check {said}, and: reviewer run {said} --model M --runs 3 --into runs.db")


def _check(folder: Path) -> None:
    from collections import Counter

    from reviewer.basics.errors import DeskError
    from reviewer.benchmark.desks.desk_folder import checked
    from reviewer.benchmark.live import prompt_files
    from reviewer.benchmark.live.desk_kit import kit

    if not folder.is_dir():
        raise DeskError(f"{folder} is no folder.", "Name the folder of a desk: reviewer desk --new NAME begins one.")
    read, mistakes = checked(folder)
    if read is None:
        for mistake in mistakes:
            say(mistake.sentence)
            say(f"  {mistake.hint}")
        several = "s" * (len(mistakes) > 1)
        raise DeskError(f"{folder} has {len(mistakes):,} mistake{several}.", "What to do stands below each.")
    prompt_files.check(kit(str(folder)))
    buckets = Counter(case.facts.bucket for case in read.cases)
    counted = ", ".join(f"{n:,} {bucket}" for bucket, n in buckets.items())
    say(f"{read.desk.name}: {read.desk.title}. {len(read.tools):,} tools, {len(read.cases):,} cases: {counted}.")
    say(f"Nothing is wrong. Play it: reviewer run {shell_word(folder)} --model M")


def _draft(store: Path, output: Path | None) -> None:
    from reviewer.basics.errors import ReviewerError
    from reviewer.transcripts.desk.sketch import draft
    from reviewer.transcripts.store.imports import tools

    seen = tools(store)
    if not seen:
        raise ReviewerError(f"No agent called a tool in {store}.", "There is nothing to class.")
    text = draft(store.stem, seen)
    if output is None:
        say_text(text)
        return
    say_in_file(output, text)
    attach = shell_line(["reviewer", "attach", store, output, "--as", "desk"])
    say(f"{len(seen):,} tools in {output}. Correct the classes, then: {attach}")
