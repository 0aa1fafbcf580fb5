"""A first map of a table from what is in it, as TOML that says of each line how sure it is; and the first conversation.

Looks at the first rows only. A file that one of the shipped maps fits gets that map.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from reviewer.errors import SourceError
from reviewer.ingest.formats import mapped
from reviewer.ingest.maps import fit, guesses, mapkeys, tabular
from reviewer.ingest.maps.guesses import Guess, Guessed
from reviewer.ingest.maps.mapfile import FileWishes, Map
from reviewer.ingest.maps.mapper import Converter
from reviewer.ingest.maps.paths import pointer
from reviewer.ingest.maps.profiles import Profiles, profiled
from reviewer.ingest.source import Bad, Found, Source
from reviewer.model import Conversation
from reviewer.store import foreign

LOOKED_AT = 1_000
_WIDTH = 34
_PAGES = ("data", "records", "items", "results", "rows", "conversations", "tickets", "messages", "calls", "chats")
_MESSAGE = ("speaker", "text", "time", "order", "reasoning", "tool_calls", "tokens_in", "tokens_out", "cost")
_CONVERSATION = ("id", "messages", "model", "started")


@dataclass(frozen=True, slots=True)
class Draft:
    """A map that was drafted, and what to look at in it."""

    text: str
    shipped: str = ""
    """The name of the shipped map that fits, where one does."""
    notes: tuple[str, ...] = ()
    """What to correct, what was left out, what is not sure."""


@dataclass(frozen=True, slots=True)
class Glimpse:
    """The first conversation as it would come in."""

    conversation: Conversation | None
    bad: tuple[Bad, ...] = ()
    whole: bool = True
    """False when rows of it may stand further down than was looked."""


def draft(source: Source, table: str | None = None) -> Draft:
    """A map of a file."""
    fit = mapped.fitting_map(source)
    if fit is not None:
        return Draft(fit.text, fit.name, (f"the shipped map {fit.name} fits: it is read by that without --map",))
    wishes, head = _layout(source, table)
    rows = list(islice((row for _, row in tabular.rows(source, wishes) if isinstance(row, Mapping)), LOOKED_AT))
    if not rows:
        raise SourceError(f"{source.name} holds no rows.", "A map needs some to look at.")
    return _drafted(source, rows, head)


def glimpse(source: Source, by: Map) -> Glimpse:
    """The first conversation by a map."""
    fit.check(source, by)
    converter = Converter(by)
    placed: list[tuple[str, Mapping[str, Any]]] = []
    bad: list[Bad] = []
    first: str | None = None
    looked = 0
    for place, row in islice(tabular.rows(source, by.file), LOOKED_AT):
        looked += 1
        if isinstance(row, Bad):
            bad.append(row)
            continue
        key = converter.key(row) if by.rows != "conversations" else place
        if key is not None and first in (None, key):
            first = key
            placed.append((place, row))
            if by.rows == "conversations":
                break
    made = list(converter.found("the first", placed)) if placed else []
    bad += [each for each in made if isinstance(each, Bad)]
    held = next((each.conversation for each in made if isinstance(each, Found)), None)
    return Glimpse(held, tuple(bad), by.rows == "conversations" or looked < LOOKED_AT)


def _layout(source: Source, table: str | None) -> tuple[FileWishes, list[str]]:
    """Where in the file the rows lie, and the lines of the map that say so."""
    kind = tabular.kind_of(source)
    if kind == "sqlite":
        held = foreign.tables(source.path)
        if table is None and len(held) > 1:
            raise SourceError(f"{source.name} has several tables: {', '.join(held)}.", "Say which: --table NAME.")
        return FileWishes(table=table), ["[file]", f"table = {quoted(table or held[0])}", ""] if held else []
    if kind == "json":
        first = next((row for _, row in tabular.rows(source) if isinstance(row, Mapping)), {})
        page = next((key for key in _PAGES if _is_page(first, key)), None)
        if page is not None:
            return FileWishes(records=pointer(page)), ["[file]", f'records = "{page}[]"', ""]
    return FileWishes(), []


def _is_page(first: Mapping[str, Any], key: str) -> bool:
    """Whether an object is but an envelope around rows, and no conversation with a list of messages."""
    held = first.get(key)
    others = [
        name for name, value in first.items() if name != key and isinstance(value, list | str) and len(value) > 40
    ]
    is_rows = isinstance(held, list) and bool(held) and all(isinstance(each, Mapping) for each in held)
    named = any("id" in name.lower() for name in first)
    return is_rows and not others and not named and not guesses.is_chat(held or ())


def _drafted(source: Source, rows: list[Mapping[str, Any]], head: list[str]) -> Draft:
    seen = profiled(rows)
    listed = _messages(seen)
    found = Guessed()
    if listed is None:
        found = guesses.message_columns(seen)
        guesses.tie(found, seen)
        guesses.conversation_columns(found, seen, alone=False)
        inner = found
    else:
        path, is_chat = listed
        inner = Guessed() if is_chat else guesses.message_columns(profiled(seen.lists[path]))
        found.by_key["messages"] = Guess(
            path, True, f"{len(seen.lists[path]):,} messages" + (", chat" if is_chat else "")
        )
        guesses.conversation_columns(found, seen, alone=True)
        found.metadata = [each for each in found.metadata if not each.startswith(path.partition(".")[0])]
    lines = _lines(source, len(rows), found, inner, head, listed)
    return Draft("\n".join(lines).rstrip("\n") + "\n", notes=tuple(_notes(seen, found, inner, listed)))


def _messages(seen: Profiles) -> tuple[str, bool] | None:
    """Where the list of messages is, and whether those are chat messages; None when a row is one message."""
    best: tuple[float, str, bool] | None = None
    for path, held in seen.lists.items():
        if guesses.is_chat(held):
            rank = 2.0
        else:
            inner = guesses.message_columns(profiled(held)).by_key
            if not {"text", "speaker"} <= inner.keys():
                continue
            rank = float(inner["text"].sure) / 2 + float(inner["speaker"].sure) / 2
        rank += min(len(held), 1_000) / 10_000
        if best is None or rank > best[0]:
            best = rank, path, rank >= 2
    return None if best is None else best[1:]


def _lines(
    source: Source, rows: int, found: Guessed, inner: Guessed, head: list[str], listed: tuple[str, bool] | None
) -> Iterator[str]:
    name = source.path.name
    yield f"# How reviewer reads {_comment(name)}: drafted from its first {rows:,} rows, so look it over."
    yield "# Import with: reviewer import FILE --map THIS"
    yield ""
    yield f'rows = "{"messages" if listed is None else "conversations"}"'
    yield ""
    yield from head
    yield "[conversation]"
    for key in _CONVERSATION:
        if key in found.by_key:
            yield _line(key, found.by_key[key])
    if "model" not in found.by_key:
        yield '# model = "=support-bot"           # a word for itself: what the agent is called'
    yield ""
    if listed is None or not listed[1]:
        yield from _message_lines(inner)
    for section, names in (("scores", found.scores), ("metadata", found.metadata)):
        if names:
            yield f"[{section}]"
            yield from (f"{_key(each)} = {quoted(each)}" for each in names)
            yield ""


def _message_lines(inner: Guessed) -> Iterator[str]:
    yield "[message]"
    if "text" not in inner.by_key:
        yield '# text = "COLUMN"                  # what was said: no column looks like it'
    for key in _MESSAGE:
        if key in inner.by_key:
            yield _line(key, inner.by_key[key])
    if inner.html:
        yield "html = true                        # tags are taken out; the HTML is kept beside the text"
    yield ""
    calls = [key for key in inner.by_key if key.startswith("call.")]
    if calls and "tool_calls" not in inner.by_key:
        yield "[call]"
        yield from (_line(key.removeprefix("call."), inner.by_key[key]) for key in calls)
        yield ""
    if "speaker" not in inner.by_key:
        return
    yield "[speakers]"
    for who in ("customer", "agent", "colleague", "system", "tool"):
        words = [word for key, word in _said(inner) if key == who]
        if words or who in ("customer", "agent"):
            yield f"{who} = [{', '.join(map(quoted, words))}]"
    if inner.unknown:
        listed = ", ".join(_comment(word) for word in inner.unknown[:20])
        yield f"# not told by a word, so put each where it belongs: {listed}"
    yield 'default = "other"'
    yield ""


def _said(inner: Guessed) -> Iterator[tuple[str, str]]:
    return ((who, word) for who, words in inner.speakers.items() for word in words)


def _notes(seen: Profiles, found: Guessed, inner: Guessed, listed: tuple[str, bool] | None) -> Iterator[str]:
    own = found if listed is None else inner
    is_chat = listed is not None and listed[1]
    if not is_chat:
        for key in ("text", "speaker"):
            if key not in own.by_key:
                yield f'no column looks like {key}: write {key} = "COLUMN" below [message]'
        if not own.speakers.get("agent"):
            yield "who is the agent? Write the word under agent = [...] below [speakers]"
        if not own.speakers.get("customer"):
            yield "who is the customer? Write the word under customer = [...] below [speakers]"
        if own.unknown:
            yield f"speakers that no word tells: {', '.join(own.unknown[:10])}"
    if "id" not in found.by_key:
        yield (
            "no column looks like a conversation's id: the whole file is one conversation"
            if listed is None
            else ("no column looks like an id: conversations are told by where they stand")
        )
    yield from own.notes
    for key, guess in {**found.by_key, **inner.by_key}.items():
        if not guess.sure:
            yield f"{key} = {guess.path} is a guess ({guess.why})"
    top = {path.partition(".")[0] for path in (*found.used, *((listed[0],) if listed else ()))}
    rest = [path for path in seen.columns if path not in found.used and path.partition(".")[0] not in top]
    if rest:
        yield f"kept beside, unread: {', '.join(rest[:20])}{' …' if len(rest) > 20 else ''}"
    if seen.unnamed:
        yield f"columns that no map can name: {', '.join(sorted(seen.unnamed)[:10])}"


def _line(key: str, guess: Guess) -> str:
    said = f"{key} = {quoted(guess.path)}"
    return f"{said:<{_WIDTH}} # {'' if guess.sure else 'a guess: '}{guess.why}"


def _key(path: str) -> str:
    """A name of our own for a column, as TOML writes keys."""
    name = path.rpartition(".")[2].removesuffix("?")
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else quoted(name)


def quoted(text: str) -> str:
    """A text as TOML writes it, in ASCII where it would not show."""
    held = json.dumps(text, ensure_ascii=False)
    return "".join([each if each.isprintable() else _escaped(each) for each in held])


def _escaped(each: str) -> str:
    return f"\\u{ord(each):04x}" if ord(each) < 0x10000 else f"\\U{ord(each):08x}"


def _comment(text: str) -> str:
    """A text that stays on its line."""
    return "".join([each if each.isprintable() else "?" for each in text[:80]])


def parsed(made: Draft, where: str) -> Map:
    """The map that was drafted, read as any other."""
    return mapkeys.parse(made.text, where)
