"""`reviewer search`: where words stand, a line a text, as they are found."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reviewer.basics.shell import shell_word
from reviewer.cli.list_command import AsJson, Store
from reviewer.cli.output import say, say_hit, say_json
from reviewer.cli.queries import Annotations, Words, chosen, joined, say_nothing_found

if TYPE_CHECKING:
    from reviewer.transcripts.query import Selection
    from reviewer.transcripts.store.reader import Reader
    from reviewer.transcripts.store.text_search import TextHit


def search(
    store: Store,
    query: Words = None,
    as_json: AsJson = False,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Stop after this many.")] = None,
    annotations: Annotations = None,
) -> None:
    """Find words in conversations and in notes.

    Notes are those of reviewers and of judges.

    Of a conversation: what was said, thought, asked of tools and answered by them.
    """
    from reviewer.basics.errors import QueryError
    from reviewer.cli.progress import ShareProgress
    from reviewer.marks.folder import usual
    from reviewer.transcripts.query import parse
    from reviewer.transcripts.store.reader import Reader

    wanted = parse(joined(query))
    if next(wanted.selection.words(), None) is None:
        raise QueryError(
            "There are no words to look for.", f"Add some, or list conversations: reviewer list {shell_word(store)}"
        )
    listed = 0
    with Reader(store) as reader:
        selection = chosen(reader, wanted, store, annotations)
        if reader.search.lags(selection):
            _index(store)
        hits = _hits(reader, selection, annotations or usual(store))
        with stopping(reader.interrupt), ShareProgress("Searching", quiet=True) as progress, closing(hits):
            reader.search.each_moment(progress.beat)
            for hit in islice(hits, limit):
                listed += 1
                progress.clear()
                say_json(_object(hit)) if as_json else _say(hit)
        if not listed:
            say_nothing_found("Nothing found.", wanted, reader, annotations)
    if listed == limit:
        say(f"Stopped at --limit {limit:,}; there may be more.", err=True)


@contextmanager
def stopping(interrupt: Callable[[], None]) -> Iterator[None]:
    """Let Ctrl-C reach a statement that SQLite is busy with."""
    asked = False

    def ask(_number: int, _frame: Any) -> None:
        nonlocal asked
        asked = True
        interrupt()

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield
    except Exception:
        if asked:
            raise KeyboardInterrupt from None
        raise
    finally:
        signal.signal(signal.SIGINT, before)
    if asked:
        raise KeyboardInterrupt


def _index(store: Path) -> None:
    from reviewer.cli.progress import ShareProgress
    from reviewer.transcripts.store import word_index

    with ShareProgress("Indexing words, once") as progress:
        word_index.update(store, progress.step)


def _hits(reader: Reader, selection: Selection, annotations: Path) -> Generator[TextHit, None, None]:
    """Yield hits in the transcripts, then in judges' notes, then in what reviewers wrote, read only when reached."""
    from reviewer.transcripts.query.selection import JUDGE, Scope

    yield from reader.search.hits(selection)
    if selection.scope == Scope():
        yield from reader.search.hits(selection._replace(scope=Scope(parts=(JUDGE,))))
    if annotations.is_dir():
        from reviewer.marks.book import Book
        from reviewer.marks.review.note_search import in_notes

        yield from in_notes(reader, selection, Book(annotations).ledger)


def _object(hit: TextHit) -> dict[str, Any]:
    return {
        "ref": hit.ref,
        "message": hit.message,
        "where": hit.where,
        "snippet": hit.snippet,
        "span": [hit.start, hit.end],
        "count": hit.count,
    }


def _say(hit: TextHit) -> None:
    before, words, after = hit.snippet[: hit.start], hit.snippet[hit.start : hit.end], hit.snippet[hit.end :]
    more = f" (+{hit.count - 1})" if hit.count > 1 else ""
    note = {"note": "  (note)", "judge": "  (judge)"}.get(hit.where, "")
    say_hit(f"{hit.ref}{note}  {before}", words, f"{after}{more}")
