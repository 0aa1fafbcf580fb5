"""`reviewer init` and `reviewer codebook`: an annotations folder, and the failure modes in its codebook."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reviewer.basics.shell import shell_word
from reviewer.cli.list_command import AsJson, Store
from reviewer.cli.output import say, say_json
from reviewer.cli.queries import Annotations, Words, joined
from reviewer.cli.tags import As

if TYPE_CHECKING:
    from reviewer.marks.review.modes import Modes

app = typer.Typer(no_args_is_help=True, help="List, add, rename, merge, split and retire failure modes.")
Where = Annotated[
    Path | None,
    typer.Option(
        "--annotations", help="The folder; else REVIEWER_ANNOTATIONS, `annotations` here.", show_default=False
    ),
]
Code = Annotated[str, typer.Argument(help="The mode's code.", show_default=False)]
FIELDS = ("title", "definition", "counts", "not_counts", "layer", "polarity", "key", "proof")


def init(
    where: Annotated[
        Path | None,
        typer.Argument(
            help="A store, or the folder to make; else REVIEWER_ANNOTATIONS, `annotations` here.", show_default=False
        ),
    ] = None,
    codebook: Annotated[
        str | None, typer.Option("--codebook", help="support-agent or general; else what suits the store.")
    ] = None,
) -> None:
    """Make an annotations folder, with a codebook and ready for git.

    Git is told to unite the lines of journals, so that those of several reviewers merge.
    """
    from reviewer.marks import folder

    there, cases = _place(where)
    made = folder.make(there, codebook or folder.suited(cases))
    for path in made:
        say(f"Made {path}.")
    if not made:
        say(f"{there} has a codebook already; it was left as it is.")


def _place(where: Path | None) -> tuple[Path, int]:
    """The folder, and how many cases its store has."""
    from reviewer.marks import folder

    if where is None or where.is_dir() or not where.exists():
        return where or folder.usual(), 0
    return folder.usual(where), _cases(where)


def _cases(store: Path) -> int:
    from reviewer.transcripts.store.reader import Reader

    with Reader(store) as reader:
        return int(reader.info()["cases"])


@app.command("list")
def list_(
    store: Annotated[
        Path | None,
        typer.Argument(help="A store, for the codebook beside it or the one that suits it.", show_default=False),
    ] = None,
    annotations: Where = None,
    as_json: AsJson = False,
) -> None:
    """List the modes with their keys."""
    import dataclasses

    from reviewer.marks import folder

    where = annotations or folder.usual(store)
    cases = _cases(store) if store else 0
    if not (where / folder.FILE).exists():
        hint = "" if store else " Name a store to see those that its first tag would bring."
        say(f"There is no codebook in {where} yet; these modes come with the program.{hint}", err=True)
    for mode in folder.load(where, folder.suited(cases)).modes:
        if as_json:
            say_json(dataclasses.asdict(mode))
        else:
            was = f" (was {', '.join(mode.was)})" if mode.was else ""
            say(f"{mode.key or ' '} {mode.code:<34} {mode.title}{was}{' · retired' if mode.retired else ''}")


@app.command()
def add(
    title: Annotated[str, typer.Argument(help="What it is called.")], annotations: Where = None, by: As = None
) -> None:
    """Add a mode; one that is nearly called so is pointed out."""
    _recode(annotations, by, lambda modes: modes.add(title)[1])


@app.command()
def rename(
    old: Code,
    new: Annotated[str, typer.Argument(help="Its new name.")],
    annotations: Where = None,
    by: As = None,
) -> None:
    """Give a mode another name; its tags keep up with it."""
    _recode(annotations, by, lambda modes: modes.rename(old, new))


@app.command()
def merge(gone: Code, into: Code, annotations: Where = None, by: As = None) -> None:
    """Make one mode of two: tags of the first count as the second."""
    _recode(annotations, by, lambda modes: modes.merge(gone, into))


@app.command()
def split(
    store: Store,
    old: Code,
    new: Annotated[str, typer.Argument(help="The mode that some of its tags are to be.")],
    query: Words = None,
    annotations: Annotations = None,
    by: As = None,
) -> None:
    """Make some of your tags of one mode tags of another.

    Those in the conversations of the query; the other mode is made when it is new.
    """
    from reviewer.cli.tags import opened, queried
    from reviewer.transcripts.query import parse

    with opened(store, annotations, by) as (session, reader):
        tags = [tag for tag, _ in queried(session, reader, parse(joined(query)))]
        say(session.split(old, new, tags).words)


@app.command()
def retire(
    code: Code,
    back: Annotated[bool, typer.Option("--no", help="Take it back into use.")] = False,
    annotations: Where = None,
    by: As = None,
) -> None:
    """Take a mode out of use; its tags stay."""
    _recode(annotations, by, lambda modes: modes.retire(code, not back))


@app.command("set")
def set_(
    code: Code,
    field: Annotated[str, typer.Argument(help=f"One of {', '.join(FIELDS)}.")],
    value: Annotated[str, typer.Argument(help="What it is to say.")],
    annotations: Where = None,
    by: As = None,
) -> None:
    """Change a field of a mode."""
    from reviewer.basics.errors import JournalError

    if field not in FIELDS:
        raise JournalError(f"A mode has no “{field}” to set.", f"Fields: {', '.join(FIELDS)}.")
    _recode(annotations, by, lambda modes: modes.set(code, field, value))


def _recode(annotations: Path | None, by: str | None, verb: Callable[[Modes], str]) -> None:
    """Edit the codebook as an act of a reviewer, which `u` in the app takes back."""
    from reviewer.app.keys import key_of
    from reviewer.basics.errors import JournalError
    from reviewer.marks import folder
    from reviewer.marks.review import Session
    from reviewer.marks.who import reviewer_name

    where = annotations or folder.usual()
    if not (where / folder.FILE).exists():
        raise JournalError(f"There is no codebook in {where}.", f"Make one: reviewer init {shell_word(where)}")
    session = Session(where, reviewer_name(by), "")
    session.key = key_of
    say(session.recode(verb).words)
