"""A query on the command line: the argument that every command shares, its completion, and what it selects.

A command that takes one is registered as a `QueryCommand`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from reviewer.cli.output import say

if TYPE_CHECKING:
    from reviewer.query import Query, Selection
    from reviewer.store.reader import Reader


class QueryCommand(TyperCommand):
    """A command whose words may begin with `-`, as in `-tool:cancel*`, without being taken for options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Hide the dashes of what is not an option until the options are read; the words keep their order."""
        if "--" in args:
            return super().parse_args(ctx, args)
        negated = [each for each in args if re.match("-[^-].", each)]
        short = {name for param in self.params for name in param.opts if len(name) == 2}
        if glued := next((each for each in negated if each[:2] in short), None):
            choice = f"write {glued[:2]} {glued[2:]} for the one, -- {glued} for the other"
            ctx.fail(f"{glued} may be an option or a word to leave out: {choice}.")
        rest = super().parse_args(ctx, [_HIDDEN + each if each in negated else each for each in args])
        for name, value in ctx.params.items():
            ctx.params[name] = _shown(value)
        return [_shown(each) for each in rest]


_HIDDEN = "\ufdd0"
"""Stands before a dash that begins no option: no character, so nobody types it."""


def _shown(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(map(_shown, value))
    if isinstance(value, Path):
        return Path(_shown(str(value)))
    return value.removeprefix(_HIDDEN) if isinstance(value, str) else value


def _offered(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """List the completions of the word under the cursor, each with its meaning."""
    from reviewer.errors import ReviewerError
    from reviewer.query.completion import complete
    from reviewer.store.reader import Reader

    store = context.params.get("store")
    if not store:
        return []
    hidden = _cut_off()
    typed = hidden + incomplete
    try:
        with Reader(Path(store)) as reader:
            offered = complete(typed, len(typed), reader.vocabulary)
    except ReviewerError:
        return []  # a shell has no room for a sentence while one types
    whole = [(typed[: each.start] + each.text, each.meaning) for each in offered]
    return [(text.removeprefix(hidden), meaning) for text, meaning in whole if text.isprintable()]


def _cut_off() -> str:
    """Return the start of the word that bash cut off at a colon: `model:` of `model:ki`."""
    words, at = os.environ.get("COMP_WORDS", "").split(), int(os.environ.get("COMP_CWORD", "0"))
    return f"{words[at - 2]}:" if 2 <= at <= len(words) and words[at - 1] == ":" else ""


Annotations = Annotated[
    Path | None,
    typer.Option(
        "--annotations", help="The folder of journals; else REVIEWER_ANNOTATIONS, `annotations` beside the store."
    ),
]
Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="QUERY", help="A filter; see: reviewer help query", show_default=False, autocompletion=_offered
    ),
]
"""A query in one argument or in several, for those who forgot to quote it."""

RefOrWords = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="REF|QUERY",
        help="A message, MODEL/CASE/RUN#4; with --every a filter, see: reviewer help query",
        show_default=False,
        autocompletion=_offered,
    ),
]
"""A message, or a query where many are meant."""


def joined(words: list[str] | None) -> str:
    """The query that was typed."""
    return " ".join(words or ())


def say_nothing_found(said: str, query: Query, reader: Reader) -> None:
    """Say beside the output that there is none, and which names of the query the store does not have, or what excludes.

    What reviewers said has no say in the latter: their journals are not looked at again.
    """
    from reviewer.query.absence import excluding
    from reviewer.query.conditions import of_group

    say(said, err=True)
    named = say_unknown(query, reader)
    if not named and not query.ledger:
        for line in excluding(query.group, lambda group: bool(reader.first_ids(of_group(group).selection, 1))):
            say(line, err=True)


def say_unknown(query: Query, reader: Reader) -> bool:
    """Say beside the output which names of the query the store does not have; False when it has all of them."""
    from reviewer.query.absence import unknown

    said = unknown(query, reader.vocabulary, reader.orders.scorers)
    for line in said:
        say(line, err=True)
    return bool(said)


def chosen(reader: Reader, query: Query, store: Path, annotations: Path | None) -> Selection:
    """Turn a query into a selection, with its terms about reviews answered from the journals."""
    if not query.ledger:
        return query.selection
    from reviewer.annotations import folder
    from reviewer.annotations.terms import narrowed
    from reviewer.session import recall
    from reviewer.session.questions import marked_in, unread

    for line in unread(query, reader):
        say(line, err=True)
    where = annotations or folder.usual(store)
    return narrowed(query, marked_in(where, recall.opened(where).ledger, folder.load(where), reader))
