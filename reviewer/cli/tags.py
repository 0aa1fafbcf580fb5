"""`reviewer tag`, `untag`, `tags`, `verdict` and `reviewed`: the verbs of a review from the shell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reviewer.basics.shell import shell_line, shell_word
from reviewer.cli.list_command import AsJson, Store
from reviewer.cli.output import say, say_json
from reviewer.cli.queries import Annotations, say_nothing_found
from reviewer.marks.events import CAUSES, STANCES

if TYPE_CHECKING:
    from reviewer.marks.codebook import Codebook
    from reviewer.marks.review import Mark, Session
    from reviewer.transcripts.model import Anchor, Stored, Tag
    from reviewer.transcripts.query import Query
    from reviewer.transcripts.refs import Absence, Ref
    from reviewer.transcripts.store.reader import Reader

As = Annotated[str | None, typer.Option("--as", help="Who is reviewing; else REVIEWER_NAME, git's user.name, login.")]


def tag(
    store: Store,
    ref: Annotated[str, typer.Argument(help="MODEL/CASE/RUN, with #4 for a message; MODEL/CASE for a case.")],
    code: Annotated[str, typer.Argument(help="The mode's code in the codebook.")],
    quote: Annotated[list[str] | None, typer.Option("--quote", help="The exact words; again: another piece.")] = None,
    evidence: Annotated[
        list[str] | None, typer.Option("--evidence", help="#2.1.result/status, “no handover before #5” ...")
    ] = None,
    note: Annotated[str, typer.Option("--note", help="A note for reviewers.")] = "",
    clause: Annotated[str, typer.Option("--clause", help="Printed with the excerpt.")] = "",
    stance: Annotated[str, typer.Option("--stance", help=f"One of {', '.join(STANCES)}.")] = "",
    cause: Annotated[str, typer.Option("--cause", help=f"Why it fell for a trap: {', '.join(CAUSES)}.")] = "",
    exemplar: Annotated[bool, typer.Option("--exemplar", help="It goes into the report.")] = False,
    annotations: Annotations = None,
    by: As = None,
    as_json: AsJson = False,
) -> None:
    """Tag exact words, an item, a conversation or a case."""
    from reviewer.basics.errors import RefError
    from reviewer.marks.review.doubts import misplaced
    from reviewer.marks.review.quotes import place_of
    from reviewer.transcripts.refs import parse

    wanted = parse(ref)
    with opened(store, annotations, by) as (session, reader):
        stored = _stored(reader, wanted.conversation, store)
        if stored is None and (quote or wanted.message is not None):
            raise RefError(f"{wanted.conversation} is a case; words stand in its runs.", "Name one: MODEL/CASE/RUN.")
        places = [place_of(stored, wanted, each) for each in quote or []] if stored else []
        places = places or ([wanted] if wanted.message is not None else [])
        proofs = [_evidence(each, stored, reader, store) for each in evidence or []]
        doubt = misplaced(stored, session.modes.mode(code), places) if stored and code else ""
        outcome = session.tag(stored or wanted.conversation, code, *places, evidence=proofs, note=note, clause=clause,
                              stance=stance, cause=cause, exemplar=exemplar)  # fmt: skip
    if as_json and outcome.tag is not None:
        say_json(_object(outcome.tag, "exact", [str(piece.ref) for piece in outcome.tag.pieces]))
    else:
        say(outcome.said)
    if doubt and outcome.tag is not None:
        back = shell_line(["reviewer", "untag", str(store), outcome.tag.id])
        say(f"{doubt} To take it back: {back}", err=True)


def untag(
    store: Store,
    target: Annotated[str, typer.Argument(help="The tag's identifier, or where it stands.")],
    code: Annotated[str | None, typer.Argument(help="Its code, when several stand there.", show_default=False)] = None,
    annotations: Annotations = None,
    by: As = None,
) -> None:
    """Take one of your own tags back."""
    from reviewer.basics.errors import RefError

    with opened(store, annotations, by) as (session, _):
        own = [each for each in _all_tags(session) if each.by == session.by]
        mode = session.codebook.mode(code) if code else None
        codes = {code, mode.code if mode else code}
        candidates = [
            each for each in own if target in (each.id, str(each.ref)) and (code is None or each.code in codes)
        ]
        if len(candidates) != 1:
            there = ", ".join(f"{each.code} ({each.id})" for each in candidates) or "no tag of yours"
            raise RefError(f"At {target}: {there}.", f"See them with: reviewer tags {shell_word(store)}")
        say(session.untag(candidates[0]).words)


def tags(
    what: Annotated[
        list[str] | None, typer.Argument(help="The store (else runs.db), then a filter.", show_default=False)
    ] = None,
    as_json: AsJson = False,
    bring: Annotated[
        Path | None, typer.Option("--import", help="Take tags in from a JSON Lines or CSV export.")
    ] = None,
    annotations: Annotations = None,
    by: As = None,
) -> None:
    """List tags with what became of their words, or bring some in."""
    from reviewer.transcripts.query import parse

    store, query = _store_and_query(what or [])
    with opened(store, annotations, by) as (session, reader):
        if bring is not None:
            raise typer.Exit(_bring_in(session, reader, bring, store))
        wanted, listed = parse(query), 0
        for tag, mark in queried(session, reader, wanted):
            listed += 1
            if as_json:
                state, places = (mark.state, [str(ref) for ref in mark.places]) if mark else ("elsewhere", [])
                say_json(_object(tag, state, places))
            else:
                say(_line(tag, mark, session.codebook))
        if not listed:
            say_nothing_found("No tag matches." if query else "There are no tags.", wanted, reader, annotations)


def verdict(
    store: Store,
    ref: Annotated[str, typer.Argument(help="MODEL/CASE/RUN; MODEL/CASE for a case.")],
    verdict: Annotated[str, typer.Argument(help="pass, fail or defer; none takes it back.")],
    annotations: Annotations = None,
    by: As = None,
) -> None:
    """Say pass, fail or defer of a conversation, or of a case."""
    with opened(store, annotations, by) as (session, reader):
        stored = _stored(reader, ref.partition("#")[0], store)
        say(session.verdict(stored or ref, "" if verdict == "none" else verdict).words)


def reviewed(
    store: Store,
    ref: Annotated[str, typer.Argument(help="MODEL/CASE/RUN.")],
    take_back: Annotated[bool, typer.Option("--no", help="It is not reviewed after all.")] = False,
    annotations: Annotations = None,
    by: As = None,
) -> None:
    """Say that you reviewed a conversation.

    How much of it was shown nobody counts here, so it is reviewed with an unknown extent (`reviewed:unknown`).
    """
    from reviewer.basics.errors import RefError

    with opened(store, annotations, by) as (session, reader):
        stored = _stored(reader, ref.partition("#")[0], store)
        if stored is None:
            raise RefError(f"{ref} is a case; what is read are its runs.", "Name one: MODEL/CASE/RUN.")
        say(session.reviewed(stored, done=not take_back).words)


@contextmanager
def opened(store: Path, annotations: Path | None, by: str | None) -> Iterator[tuple[Session, Reader]]:
    """A session on a store, and the store."""
    from reviewer.app.keys import key_of
    from reviewer.marks import folder
    from reviewer.marks.review import Session
    from reviewer.marks.who import reviewer_name
    from reviewer.transcripts.store.reader import Reader

    with Reader(store) as reader:
        shipped = folder.suited(reader.info()["cases"])
        session = Session(annotations or folder.usual(store), reviewer_name(by), store.name, shipped)
        session.key = key_of
        yield session, reader


def _stored(reader: Reader, ref: str, store: Path) -> Stored | None:
    """The conversation at a reference; None when it is a case across its runs, a sentence when nothing stands there."""
    from reviewer.basics.errors import RefError

    rowids = reader.find(ref)
    if not rowids:
        raise RefError(f"Nothing stands at {ref} in {store}.", f"See what does: reviewer list {shell_word(store)}")
    stored = reader.stored(rowids[0])
    return stored if stored.ref == ref else None


def _evidence(text: str, stored: Stored | None, reader: Reader, store: Path) -> Ref | Absence | Anchor:
    from reviewer.basics.errors import RefError
    from reviewer.marks.anchors import anchor
    from reviewer.transcripts.refs import parse, parse_absence, parse_place

    absence = parse_absence(text)
    if absence is not None:
        return absence
    if stored is not None and text.startswith("#"):
        return parse_place(text[1:], stored.ref)
    ref = parse(text)
    other = _stored(reader, ref.conversation, store)
    if other is None:
        raise RefError(f"{text} is a case; evidence stands in one of its runs.", "Name one: MODEL/CASE/RUN#4.")
    return anchor(other, ref)


def _store_and_query(what: list[str]) -> tuple[Path, str]:
    """The first word is the store when there is such a file; queries may come in several words."""
    if what and (Path(what[0]).exists() or what[0].endswith(".db")):
        return Path(what[0]), " ".join(what[1:])
    return Path("runs.db"), " ".join(what)


def _all_tags(session: Session) -> Iterator[Tag]:
    ledger = session.book.ledger
    for ref in sorted(ledger.conversations()):
        yield from ledger.state(ref).tags


def queried(session: Session, reader: Reader, query: Query) -> Iterator[tuple[Tag, Mark | None]]:
    """The tags that a query means, each with what became of it."""
    from reviewer.findings.questions import Question, marked_in
    from reviewer.marks.terms import narrowed, tag_is_meant
    from reviewer.transcripts.query import EVERYTHING

    ledger = session.book.ledger
    for line in Question(query, session.folder, ledger, session.codebook).remarks(reader):
        say(line, err=True)
    marked = marked_in(session.folder, ledger, session.codebook, reader)
    selection = narrowed(query, marked)
    chosen = None if selection == EVERYTHING else set(reader.ids(selection))
    for ref in sorted(ledger.conversations()):
        ids = reader.find(ref)
        if chosen is not None and chosen.isdisjoint(ids):
            continue
        marks = {mark.tag.id: mark for rowid in ids[:1] for mark in session.marks(reader.stored(rowid))}
        for tag in ledger.state(ref).tags:
            if tag_is_meant(query, tag, marked):
                yield tag, marks.get(tag.id)


def _bring_in(session: Session, reader: Reader, path: Path, store: Path) -> int:
    from reviewer.marks.review.tag_import import bring_in

    brought = bring_in(session, path, lambda ref: _stored(reader, ref, store))
    for sentence in (*brought.remarks, *brought.wrong):
        say(sentence)
    removed = f"{brought.removed:,} removed here since and left so, " if brought.removed else ""
    say(f"{brought.new:,} new tags, {brought.known:,} known, {removed}{len(brought.wrong):,} could not be taken.")
    return 1 if brought.wrong else 0


def _object(tag: Tag, state: str, places: list[str]) -> dict[str, Any]:
    from reviewer.marks.shapes import tag_fields

    value = {"id": tag.id, "at": tag.at, "by": tag.by, "ref": str(tag.ref), "digest": tag.digest}
    quote = " … ".join(piece.quote for piece in tag.pieces if piece.quote)
    texts = {"note": tag.note, "clause": tag.clause, "stance": tag.stance, "cause": tag.cause}
    fields = {"evidence": [], **texts, "exemplar": tag.exemplar, **tag_fields(tag)}
    return {**value, "quote": quote, "state": state, "places": places, **fields}


def _line(tag: Tag, mark: Mark | None, codebook: Codebook) -> str:
    mode = codebook.mode(tag.code)
    code = mode.code if mode else tag.code or "(note)"
    state = mark.state if mark else "elsewhere"
    quote = " … ".join(piece.quote for piece in tag.pieces if piece.quote)
    said = f" “{quote[:80]}{'…' if len(quote) > 80 else ''}”" if quote else ""
    lost = "" if state == "exact" else f" [{state}]"
    note = f" · {tag.note}" if tag.note else ""
    return f"{tag.id}  {tag.ref}  {code}{said} · {tag.by}{note}{lost}"
