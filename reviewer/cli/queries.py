"""A query on the command line: the argument that every command shares, its words joined, its completion.

A command that takes one is registered with `LITERAL_DASH`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated

import typer

LITERAL_DASH = {"ignore_unknown_options": True}
"""Lets a query begin with `-`, as in `-tool:cancel*`."""


def _offered(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """What the word under the cursor may become, with its meaning."""
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
    """What bash took off the word, because it breaks words at colons: `model:` of `model:ki`."""
    words, at = os.environ.get("COMP_WORDS", "").split(), int(os.environ.get("COMP_CWORD", "0"))
    return f"{words[at - 2]}:" if 2 <= at <= len(words) and words[at - 1] == ":" else ""


Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="QUERY", help="A filter; see: reviewer help query", show_default=False, autocompletion=_offered
    ),
]
"""A query in one argument or in several, for those who forgot to quote it."""


def joined(words: list[str] | None) -> str:
    """The query that was typed; a mistyped option is not taken for one."""
    from reviewer.errors import ReviewerError

    for word in words or ():
        if word.startswith("--") or re.fullmatch("-[A-Za-z]", word):
            hint = f"See --help; to leave out conversations with the word: '-\"{word.lstrip('-')}\"'"
            raise ReviewerError(f"There is no option {word}.", hint)
    return " ".join(words or ())
