"""A first map of a table from what is in it, as TOML that says of each line how sure it is; and the first conversation.

Looks at the first rows only. A file that one of the shipped maps fits gets that map.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from reviewer.basics.errors import SourceError
from reviewer.imports import path_patterns
from reviewer.imports.formats import mapped
from reviewer.imports.maps import draft_text, fit, guesses, mapkeys, table_layout, table_rows
from reviewer.imports.maps.draft_text import ColumnPlan
from reviewer.imports.maps.guesses import Guess, GuessedColumns
from reviewer.imports.maps.mapfile import Map
from reviewer.imports.maps.mapper import Converter
from reviewer.imports.maps.profiles import Profiles, profiled
from reviewer.imports.maps.table_layout import LOOKED_AT, Layout
from reviewer.imports.source import BadRecord, Extract, Source
from reviewer.transcripts.model import Conversation

_FEW = 50


@dataclass(frozen=True, slots=True)
class Draft:
    """A drafted map, with notes on what to check."""

    text: str
    shipped: str = ""
    """The name of the shipped map that fits, where one does."""
    notes: tuple[str, ...] = ()
    """What to correct, what was left out, what is not sure."""


@dataclass(frozen=True, slots=True)
class Glimpse:
    """The first conversation as it would come in."""

    conversation: Conversation | None
    bad: tuple[BadRecord, ...] = ()
    whole: bool = True
    """False when rows of it may stand further down than was looked."""


def draft(source: Source, table: str | None = None) -> Draft:
    """Draft a map for a file."""
    fit = mapped.fitting_map(source)
    if fit is not None:
        said = f"the shipped map {fit.name} fits: it is read by that without --map"
        return Draft(fit.text, fit.name, (said, *_unread(source, fit)))
    layout = table_layout.layout(source, table)
    rows = table_layout.first_rows(source, layout.wishes)
    if not rows:
        raise SourceError(f"{source.name} holds no rows.", "A map needs some to look at.")
    seen = profiled(rows)
    plan = _planned(seen, layout)
    text = "\n".join(draft_text.lines(source.path.name, len(rows), layout, plan)).rstrip("\n") + "\n"
    return Draft(text, notes=(*layout.notes, *draft_text.notes(seen, plan)))


def glimpse(source: Source, by: Map) -> Glimpse:
    """Read the first conversation with a map, to show what an import would make of it."""
    fit.check(source, by)
    converter = Converter(by)
    placed: list[tuple[str, Mapping[str, Any]]] = []
    bad: list[BadRecord] = []
    first: str | None = None
    looked = 0
    for place, row in islice(table_rows.rows(source, by.file), LOOKED_AT):
        looked += 1
        if isinstance(row, BadRecord):
            bad.append(row)
            continue
        key = converter.key(row) if by.rows != "conversations" else place
        if key is not None and first in (None, key):
            first = key
            placed.append((place, row))
            if by.rows == "conversations":
                break
    made = list(converter.convert("the first", placed)) if placed else []
    bad += [each for each in made if isinstance(each, BadRecord)]
    held = next((each.conversation for each in made if isinstance(each, Extract)), None)
    of = by.file.path_pattern
    if held is not None and of is not None:
        told = path_patterns.by_pattern(of, [source]).named[source.name]
        run = told.run if held.run is None else held.run
        held = replace(held, model=told.model or held.model, case=held.case or told.case, run=run)
    return Glimpse(held, tuple(bad), by.rows == "conversations" or looked < LOOKED_AT)


def _unread(source: Source, by: Map) -> list[str]:
    """Notes on the columns that a shipped map does not read."""
    used = by.leave_out.union(*(it.within for _, it in by.of_rows()))
    names = dict.fromkeys(str(name) for row in table_layout.first_rows(source, by.file, _FEW) for name in row)
    rest = [name for name in names if name not in used]
    return [f"kept beside, unread: {', '.join(rest[:20])}{' …' if len(rest) > 20 else ''}"] if rest else []


def _planned(seen: Profiles, layout: Layout) -> ColumnPlan:
    """Decide what a row is: a conversation (with a list of messages or a transcript), an exchange, or a message."""
    beside = layout.wishes.join.table if layout.wishes.join else ""
    listed = _listed(seen)
    if listed is not None:
        path, is_chat = listed
        inner = GuessedColumns() if is_chat else guesses.message_columns(profiled(seen.lists[path]), seen)
        guessed = GuessedColumns()
        said = f"{len(seen.lists[path]):,} messages" + (", chat" if is_chat else "")
        guessed.by_key["messages"] = Guess(path, True, said)
        guesses.conversation_columns(guessed, seen, alone=True)
        top = path.partition(".")[0]
        guessed.metadata = [each for each in guessed.metadata if not each.startswith(f"{top}.")]
        return ColumnPlan("conversations", guessed, inner, is_chat)
    inner = guesses.message_columns(seen.but(beside) if beside else seen)
    if not ("speaker" in inner.by_key and inner.by_key["speaker"].sure):
        transcript = guesses.transcript_column(seen)
        if transcript is not None:
            it, inner = transcript
            guessed = GuessedColumns()
            guessed.by_key["transcript"] = Guess(it.path, True, f"who speaks stands in it, {it.mean:,.0f} characters")
            guesses.conversation_columns(guessed, seen, alone=True, beside=beside)
            return ColumnPlan("conversations", guessed, inner)
        asked = guesses.exchange_columns(seen)
        if asked is not None:
            return _exchanges(seen, asked, beside)
    own = seen.but(beside) if beside else seen
    guesses.tie(inner, own)
    guesses.conversation_columns(inner, seen, alone=False, beside=beside)
    return ColumnPlan("messages", inner, inner)


def _exchanges(seen: Profiles, asked: tuple[str, str], beside: str) -> ColumnPlan:
    """Rows that hold a question and its answer, several of which may be one conversation."""
    guessed = GuessedColumns()
    for key, path in zip(("asked", "answered"), asked, strict=True):
        guessed.by_key[key] = Guess(path, True, "by its name")
    said = guesses.message_columns(Profiles(seen.rows, {k: it for k, it in seen.columns.items() if k not in asked}))
    guessed.by_key |= {key: it for key, it in said.by_key.items() if key in ("time", "reasoning")}
    guessed.times, guessed.notes = said.times, [each for each in said.notes if each.startswith("times")]
    guesses.numbers(guessed, seen)
    tied = GuessedColumns(dict(guessed.by_key))
    guesses.tie(tied, seen.but(beside) if beside else seen)
    if "id" in tied.by_key:
        guessed.by_key["id"] = tied.by_key["id"]
    guesses.conversation_columns(guessed, seen, alone="id" not in tied.by_key, beside=beside)
    return ColumnPlan("parts" if "id" in tied.by_key else "conversations", guessed, GuessedColumns(), asked=asked)


def _listed(seen: Profiles) -> tuple[str, bool] | None:
    """Find the list of messages, and say whether those are chat messages; None when a row is one message."""
    best: tuple[float, str, bool] | None = None
    for path, held in seen.lists.items():
        if guesses.is_chat(held):
            rank = 2.0
        else:
            inner = guesses.message_columns(profiled(held), seen).by_key
            if not {"text", "speaker"} <= inner.keys():
                continue
            rank = float(inner["text"].sure) / 2 + float(inner["speaker"].sure) / 2
        rank += min(len(held), 1_000) / 10_000
        if best is None or rank > best[0]:
            best = rank, path, rank >= 2
    return None if best is None else best[1:]


def parsed(made: Draft, where: str) -> Map:
    """The map that was drafted, read as any other."""
    return mapkeys.parse(made.text, where)
