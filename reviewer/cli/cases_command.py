"""`reviewer cases`: cases that go on where stored conversations were cut, with nobody's particulars in them."""

from __future__ import annotations

import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reviewer.cli.list_command import Store
from reviewer.cli.output import confirmed, say
from reviewer.cli.queries import Annotations, Words, chosen, joined, say_nothing_found

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reviewer.benchmark.live.fork_point import PastPoint
    from reviewer.transcripts.query import Query
    from reviewer.transcripts.store.reader import Reader

_HANDOVER = "handover"


def cases(
    store: Store,
    query: Words = None,
    cut: Annotated[
        str,
        typer.Option("--cut", help="The message that is decided, MODEL/CASE/RUN#4; or handover.", show_default=False),
    ] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The folder of the cases, a file each.", show_default=False)
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", "--diff", help="Show what would be replaced; write nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Write all; for who has looked at --dry-run.")] = False,
    keep: Annotated[
        list[str] | None, typer.Option("--keep", help="Words to leave as they are; may be given again.")
    ] = None,
    replace: Annotated[
        list[str] | None, typer.Option("--replace", help="Words to replace as well; may be given again.")
    ] = None,
    annotations: Annotations = None,
) -> None:
    """Turn stored conversations into cases that go on in the middle.

    Names, mail, telephone, addresses and numbers of people are replaced, and shown before anything is written. What a
    colleague did behind the cut is what is expected. Needs the extra `cases`: pip install 'reviewer[cases]'. See
    docs/cases.md.
    """
    from reviewer.transcripts.store.reader import Reader

    _check(cut, output, query, dry_run, yes)
    told: Counter[str] = Counter()
    with Reader(store) as reader:
        for point in _points(reader, store, cut, joined(query), annotations, told):
            _one(point, output, dry_run, yes, keep or [], replace or [], told)
    raise typer.Exit(_say_what_came(told, output, dry_run))


def _check(cut: str, output: Path | None, query: list[str] | None, dry_run: bool, yes: bool) -> None:
    """Refuse what cannot be meant before a conversation is read."""
    from reviewer.basics.errors import ReviewerError

    if find_spec("faker") is None:
        raise ReviewerError(
            "What stands for a customer's name is Faker's, which is not installed.", "pip install 'reviewer[cases]'"
        )
    if not cut:
        raise ReviewerError("Where is it cut?", "--cut handover, or at one message: --cut MODEL/CASE/RUN#4.")
    if cut != _HANDOVER and query:
        raise ReviewerError("--cut names the one conversation.", "Leave the filter out, or say --cut handover.")
    if output is None and not dry_run:
        raise ReviewerError("Where do the cases go?", "Name a folder: -o DIR. --dry-run only shows them.")
    if output is not None and output.exists() and not output.is_dir():
        raise ReviewerError(f"{output} is a file.", "Name a folder for the cases: -o DIR.")
    if not (dry_run or yes or (sys.stdin.isatty() and sys.stdout.isatty())):
        raise ReviewerError(
            "Nobody is at a terminal to approve what is replaced.", "Look at it with --dry-run, then say --yes."
        )


def _points(
    reader: Reader, store: Path, cut: str, query: str, annotations: Path | None, told: Counter[str]
) -> Iterator[PastPoint]:
    from reviewer.benchmark.cuts.cut_points import before_handover, checked
    from reviewer.benchmark.live.fork_point import point_at
    from reviewer.transcripts.query import parse
    from reviewer.transcripts.refs import parse as parse_ref

    if cut != _HANDOVER:
        from reviewer.cli.fork_command import one_stored

        place = parse_ref(cut)
        yield point_at(checked(one_stored(reader, store, place)), place)
        return
    wanted: Query = parse(query)
    ids = list(reader.ids(chosen(reader, wanted, store, annotations)))
    if not ids:
        say_nothing_found("No conversation matches.", wanted, reader, annotations)
    for rowid in ids:
        point = before_handover(checked(reader.stored(rowid)))
        if point is None:
            told["without"] += 1
        else:
            yield point


def _one(
    point: PastPoint,
    output: Path | None,
    dry_run: bool,
    yes: bool,
    keep: list[str],
    also: list[str],
    told: Counter[str],
) -> None:
    """Show one case and, where somebody approves it, write it."""
    from reviewer.basics import disk
    from reviewer.benchmark.cuts.difference import lines, summary
    from reviewer.benchmark.cuts.proposal import proposed

    made = proposed(point, keep, also)
    path = (output or Path()) / made.name
    if output is not None and path.exists() and not dry_run:
        told["there"] += 1
        say(f"{path} is there already, and is left as it is.")
        return
    for line in (*(lines(made) if not yes or dry_run else ()), *summary(made)):
        say(line)
    told["shown"] += 1
    if dry_run or not (yes or confirmed(f"Write {made.name}?")):
        return
    disk.write(path, made.text)
    told["written"] += 1
    told["to fill in"] += bool(made.to_fill_in)


def _say_what_came(told: Counter[str], output: Path | None, dry_run: bool) -> int:
    """Say it, and return the exit code: 2 where there was no case to show."""
    if told["without"]:
        say(f"Left out, because nobody handed over: {told['without']:,}.")
    if dry_run:
        say(f"Shown: {told['shown']:,}. Nothing was written.")
    elif told["shown"]:
        say(f"Written into {output}: {told['written']:,} of {told['shown']:,}.")
    if told["to fill in"]:
        say(f"To be completed by a person before they can be played, as each file says: {told['to fill in']:,}.")
    return 0 if told["shown"] or told["there"] else 2
