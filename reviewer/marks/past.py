"""The past: events that an index knows the places of, so that very many need neither memory nor time at the start.

Owns what is kept of them: how far each journal was read, where the lines about a conversation stand, a brief of what
they come to, counts. It decides whether that can still be relied on; the lines themselves are read from the journals
when somebody asks.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from reviewer.basics import collector
from reviewer.basics.errors import JournalError
from reviewer.marks import journal
from reviewer.marks.counts import Counts, MarkCounts, add, marked
from reviewer.marks.events import Event, decode
from reviewer.marks.journal import Tail, Trouble
from reviewer.marks.ledger import FoldedEvents, ReviewRecord, State, gathered
from reviewer.marks.read_extent import ReadExtent
from reviewer.transcripts.model import Tag
from reviewer.transcripts.refs import Ref

_NOWHERE = Ref("")
_CHECKED = 4096
_RECENT = 500
_BRIEF = ("code", "note", "stance", "exemplar")
_WORDS = ("pieces", "evidence", "instead", "clause", "cause")


class Index(Protocol):
    """The interface of a file of texts by key, which may be thrown away at any time."""

    def facts(self) -> dict[str, str]:
        """Return what is known of the journals as a whole."""

    def conversations(self) -> list[str]:
        """Every conversation that a line is about."""

    def about(self, conversation: str) -> tuple[str, str] | None:
        """Return where the lines about a conversation stand, and what they come to."""

    def briefs(self) -> list[tuple[str, str]]:
        """Every conversation that a line is about, and what its lines come to."""

    def clear(self) -> None:
        """Forget everything."""

    def put(self, about: Iterable[tuple[str, str, str]], facts: Mapping[str, str]) -> None:
        """Replace what is known of these conversations, and these facts, in one go."""


class Past:
    """The indexed events of one folder."""

    def __init__(self, folder: Path, index: Index) -> None:
        self._folder = folder
        self._index = index
        self._facts = index.facts()
        self._older: dict[str, list[str]] = {}

    def conversations(self) -> list[str]:
        """Every conversation that they are about."""
        return self._index.conversations()

    def events(self, conversation: str) -> list[Event]:
        """The events about a conversation, read from the journals."""
        row = self._index.about(conversation)
        return list(self._read(row[0].splitlines())) if row else []

    def latest(self, by: str) -> Iterator[Event]:
        """A reviewer's events, the last first; the journals are read through when the latest few are not enough."""
        recent = json.loads(self._facts.get(f"recent {by!a}", "[]"))
        yield from self._read(recent)
        if len(recent) >= _RECENT:
            if by not in self._older:
                self._older[by] = self._before(by, set(recent))
            yield from self._read(self._older[by])

    def _before(self, by: str, known: set[str]) -> list[str]:
        """The places of those events of a reviewer that are not yet known, the last first."""
        places: list[tuple[str, str]] = []
        ends = {key.removeprefix("file "): seen for key, seen in self._facts.items() if key.startswith("file ")}
        for name, seen in ends.items():
            tail, end = Tail(self._folder / name), json.loads(seen)["offset"]
            for place, event in _placed(tail):
                if tail.offset > end:
                    break  # what was written since is in memory
                if event.by == by and place not in known:
                    places.append((event.id, place))
        return [place for _, place in sorted(places, reverse=True)]

    def brief(self, conversation: str) -> State | None:
        """The tags, verdicts and reviews of a conversation, without the words of tags; None where no event is."""
        row = self._index.about(conversation)
        return _state(json.loads(row[1])) if row else None

    def briefs(self) -> Iterator[tuple[str, State]]:
        """Every conversation with that."""
        for conversation, brief in self._index.briefs():
            yield conversation, _state(json.loads(brief))

    def marked(self, conversation: str) -> Counts:
        """Count what is marked in a conversation."""
        brief = self.brief(conversation)
        return _marked(brief) if brief is not None else {}

    def counts(self) -> Counts:
        """Count what is marked in all conversations."""
        return {by: MarkCounts(*counts) for by, counts in json.loads(self._facts.get("counts", "{}")).items()}

    def reviewed(self, by: str) -> dict[str, ReadExtent]:
        """The conversations that a reviewer has reviewed, and how far they read."""
        extents: dict[str, ReadExtent] = json.loads(self._facts.get(f"reviewed {by!a}", "{}"))
        return extents

    def tails(self, paths: list[Path]) -> dict[Path, Tail]:
        """Return how far each journal was read; all start over when one of them has been replaced."""
        seen = {key.removeprefix("file "): value for key, value in self._facts.items() if key.startswith("file ")}
        tails = {path: _tail(path, seen[path.name]) if path.name in seen else Tail(path) for path in paths}
        if seen.keys() - {path.name for path in paths} or any(tail is None for tail in tails.values()):
            self._index.clear()
            self._facts = {}
            return {path: Tail(path) for path in paths}
        return {path: tail for path, tail in tails.items() if tail is not None}

    def settle(self, tails: Iterable[Tail]) -> None:
        """Take everything behind the tails into the index."""
        with collector.waiting():
            self._settle(tails)

    def _settle(self, tails: Iterable[Tail]) -> None:
        self._older = {}
        events: dict[str, list[Event]] = {}
        places: dict[str, list[str]] = {}
        recent: dict[str, list[tuple[str, str]]] = {}
        for tail in tails:
            for place, event in _placed(tail):
                conversation = event.conversation
                events.setdefault(conversation, []).append(_slim(event))
                places.setdefault(conversation, []).append(place)
                recent.setdefault(event.by, []).append((event.id, place))
            self._facts[f"file {tail.path.name}"] = _seen(tail)
        counts = self.counts()
        reviewed: dict[str, dict[str, ReadExtent | None]] = {}
        about = list(self._results(events, places, counts, reviewed))
        for by, names in reviewed.items():
            kept = {**self.reviewed(by), **names}
            self._facts[f"reviewed {by!a}"] = json.dumps({name: far for name, far in kept.items() if far is not None})
        self._index.put(about, self._facted(recent, counts))

    def _results(
        self,
        events: dict[str, list[Event]],
        places: dict[str, list[str]],
        counts: Counts,
        reviewed: dict[str, dict[str, ReadExtent | None]],
    ) -> Iterator[tuple[str, str, str]]:
        """Each conversation with the places and the brief of its events; counts, and who has read what, follow."""
        known = set(self.conversations())
        for conversation, new in events.items():
            before = self._index.about(conversation) if conversation in known else None
            if before is not None:
                state = _state(json.loads(before[1]))
                add(counts, _marked(state), -1)
                for by in state.reviewed:
                    reviewed.setdefault(by, {})[conversation] = None
                new = [*map(_slim, self._read(before[0].splitlines())), *new]
                places[conversation] = [*before[0].splitlines(), *places[conversation]]
            folded = gathered(new)
            add(counts, folded.marked(), 1)
            for by, done in folded.reviewed.items():
                reviewed.setdefault(by, {})[conversation] = done.extent
            yield conversation, "\n".join(places[conversation]), json.dumps(_brief(folded))

    def _facted(self, recent: dict[str, list[tuple[str, str]]], counts: Counts) -> dict[str, str]:
        for by, pairs in recent.items():
            older = json.loads(self._facts.get(f"recent {by!a}", "[]"))
            latest = [place for _, place in sorted(pairs, reverse=True)[:_RECENT]]
            self._facts[f"recent {by!a}"] = json.dumps([*latest, *older][:_RECENT])
        self._facts["counts"] = json.dumps(counts)
        return self._facts

    def _read(self, places: Iterable[str]) -> Iterator[Event]:
        for name, together in groupby((place.split(" ", 2) for place in places), key=itemgetter(2)):
            with (self._folder / name).open("rb") as file:
                lines = [_line_at(file, int(start), int(length)) for start, length, _ in together]
            for line in lines:
                try:
                    yield decode(line.strip().removeprefix(b"\xef\xbb\xbf"))
                except JournalError:
                    continue  # the file was changed under us, which the next look at it will tell


def _line_at(file: BinaryIO, start: int, length: int) -> bytes:
    file.seek(start)
    return file.read(length)


def _placed(tail: Tail) -> Iterator[tuple[str, Event]]:
    """The events behind a tail, each with where its line stands."""
    start = tail.offset
    for event in journal.read(tail):
        yield f"{start} {tail.offset - start} {tail.path.name}", event
        start = tail.offset


def _slim(event: Event) -> Event:
    """An event that was just read (and is nobody else's), rid of the words of tags, which a brief does not hold."""
    fields = event.fields
    if isinstance(fields, dict):
        for name in _WORDS:
            fields.pop(name, None)
    return event


def _brief(folded: FoldedEvents) -> dict[str, Any]:
    tags = [
        [event.by, bool(event.digest), *map(fields.get, _BRIEF), _named(fields.get("finding"))]
        for event, fields in folded.made.values()
    ]
    reviewed = [[done.by, done.at, done.digest, done.how] for done in folded.reviewed.values()]
    rejected = [[event.by, _named(event.fields.get("finding"))] for event in folded.rejected]
    return {"tags": tags, "verdicts": folded.verdicts, "reviewed": reviewed, "rejected": rejected}


def _named(finding: Any) -> dict[str, Any] | None:
    """As much of a finding as tells which it is."""
    if not isinstance(finding, dict) or not isinstance(finding.get("claim"), dict):
        return None
    named = {name: finding[name] for name in ("read", "mode", "digest") if name in finding}
    return {**named, "claim": {"ref": finding["claim"].get("ref", "")}}


@lru_cache(maxsize=4096)
def _brief_tag(by: str, placed: bool, code: str, note: str, stance: str, exemplar: bool) -> Tag:
    """A tag without its words; of those there are many that are alike."""
    return Tag("", "", by, code, _NOWHERE, "?" * placed, note=note, stance=stance, exemplar=exemplar)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _state(brief: dict[str, Any]) -> State:
    tags = tuple([
        _brief_tag(by, placed, _text(code), _text(note), _text(stance), exemplar is True)
        if not finding
        else replace(
            _brief_tag(by, placed, _text(code), _text(note), _text(stance), exemplar is True),
            extra={"finding": finding},
        )
        for by, placed, code, note, stance, exemplar, finding in brief["tags"]
    ])  # fmt: skip
    reviewed = {by: ReviewRecord(by, at, digest, how) for by, at, digest, how in brief["reviewed"]}
    rejected = tuple(Event("", "", by, "reject", "", "", {"finding": finding}) for by, finding in brief["rejected"])
    return State(tags, brief["verdicts"], reviewed, rejected)


def _marked(state: State) -> Counts:
    extents = {by: done.extent for by, done in state.reviewed.items()}
    return marked([tag.by for tag in state.tags], extents, state.verdicts)


def _seen(tail: Tail) -> str:
    """Describe how far a journal was read, with what shows that it is still the same file."""
    troubles = [[each.line, each.kind, each.reason] for each in tail.troubles]
    return json.dumps({
        "inode": tail.inode, "offset": tail.offset, "lines": tail.lines, "last": tail.last,
        "complete": tail.complete, "troubles": troubles, "end": _end(tail.path, tail.offset),
    })  # fmt: skip


def _tail(path: Path, seen: str) -> Tail | None:
    """The tail of a journal that is the one that was read; None when there is a doubt."""
    value = json.loads(seen)
    troubles = [Trouble(path, *each) for each in value.pop("troubles")]
    end = value.pop("end")
    tail = Tail(path, **value, troubles=troubles)
    return tail if journal.changed(tail) != "other" and _end(path, tail.offset) == end else None


def _end(path: Path, offset: int) -> str:
    """A digest of the last bytes before an offset: an edit before them that keeps their place is next to impossible."""
    start = max(0, offset - _CHECKED)
    try:
        with path.open("rb") as file:
            file.seek(start)
            return hashlib.sha256(file.read(offset - start)).hexdigest()
    except OSError:
        return ""  # which no digest equals: a journal that cannot be read now is a doubt
