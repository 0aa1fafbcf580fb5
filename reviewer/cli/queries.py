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
    from reviewer.findings.questions import Question
    from reviewer.transcripts.query import Query, Selection
    from reviewer.transcripts.store.reader import Reader


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
    from reviewer.basics.errors import ReviewerError
    from reviewer.findings.known_values import ReviewVocabulary
    from reviewer.transcripts.query.completion import complete
    from reviewer.transcripts.store.reader import Reader

    store = context.params.get("store")
    if not store:
        return []
    hidden = _cut_off()
    typed = hidden + incomplete
    try:
        with Reader(Path(store)) as reader:
            offered = complete(typed, len(typed), ReviewVocabulary(reader))
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


def question(query: Query, store: Path, annotations: Path | None) -> Question:
    """The question that a query asks of a store and of the journals; these are read only where it is about reviews."""
    from reviewer.findings.questions import Question
    from reviewer.marks import folder
    from reviewer.marks.codebook import Codebook
    from reviewer.marks.ledger import Ledger
    from reviewer.marks.review import recall

    if not query.ledger:
        return Question(query, Path(), Ledger(), Codebook())
    where = annotations or folder.usual(store)
    return Question(query, where, recall.opened(where).ledger, folder.load(where))


def chosen(reader: Reader, query: Query, store: Path, annotations: Path | None) -> Selection:
    """Turn a query into a selection, with its terms about reviews answered from the journals.

    Says beside the output which of its values find nothing where the others may find something.
    """
    selection, remarks = answered(reader, query, store, annotations)
    for line in remarks:
        say(line, err=True)
    return selection


def answered(reader: Reader, query: Query, store: Path, annotations: Path | None) -> tuple[Selection, list[str]]:
    """The selection that a query is, and sentences about what it cannot know and which of its values find nothing."""
    from reviewer.transcripts.query.absence import unnoticed

    if not query.ledger and not any(unnoticed(query)):
        return query.selection, []
    asked = question(query, store, annotations)
    return asked.selection(reader), asked.remarks(reader)


def say_nothing_found(said: str, query: Query, reader: Reader, annotations: Path | None) -> None:
    """Say beside the output that there is none, and which names of the query stand nowhere, or what excludes.

    Marks have no say in the latter: a query may ask for what its command does not look for, such as a tag.
    """
    from reviewer.transcripts.query.absence import excluding
    from reviewer.transcripts.query.conditions import of_group

    say(said, err=True)
    if not say_unknown(query, reader, annotations) and not query.ledger:
        for line in excluding(query.group, lambda group: bool(reader.first_ids(of_group(group).selection, 1))):
            say(line, err=True)


def say_unknown(query: Query, reader: Reader, annotations: Path | None) -> bool:
    """Print the names in a query without results that do not exist in the store; False if all of them exist.

    Names that `chosen` has printed are not printed again.
    """
    asked = question(query, reader.path, annotations)
    names, said = asked.unknown(reader), asked.unmatched(reader)
    for line in names:
        if line not in said:
            say(line, err=True)
    return bool(names or said)
