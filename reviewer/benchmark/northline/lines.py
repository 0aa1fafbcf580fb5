"""The phrase bank: what customers and agents say, read from `data/northline/lines/*.toml`.

Owns loading the files, saying which file and entry cannot be played, and taking out the ‹marks› that show which words a
habit hangs on. How a line is put together is the grammar's; which line is said when is for the scripts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from reviewer.basics import toml
from reviewer.basics.errors import SourceError
from reviewer.basics.resources import data_dir
from reviewer.benchmark.northline.grammar import Line, LineError, Phrasings, Spoken, fitted, read

OPEN, CLOSE = "‹", "›"

# What may be one line instead of a list of them.
_ALONE = frozenset({"ask", "answer", "claim", "reply"})


@dataclass(frozen=True)
class Topic:
    """Something a customer asks besides, with its answers and the habits that show in them."""

    id: str
    when: frozenset[str]
    good: str | None = None
    faults: tuple[str, ...] = ()
    nears: tuple[str, ...] = ()

    @cached_property
    def key(self) -> str:
        """Where its lines are in the bank; a story's own topics are named by it."""
        return self.id if self.id.startswith("stories.") else f"topics.{self.id}"


class HabitMark(NamedTuple):
    """Words of a line that a habit hangs on; the whole line where it has no marks."""

    mode: str
    real: bool
    start: int
    end: int


class Phrase(NamedTuple):
    """A line filled in, with its marks."""

    text: str
    marks: tuple[HabitMark, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a list, as its file has it: the words, and the facts it is only said with or never said with."""

    text: str
    needs: frozenset[str] = frozenset()
    bars: frozenset[str] = frozenset()


class Lines:
    """The lines of one key, read, with those that fit a conversation kept for the next one like it."""

    def __init__(self, key: str, entries: Iterable[tuple[Entry, Line]]) -> None:
        self.key, self.entries = key, tuple(entries)
        self.names = frozenset(name for entry, line in self.entries for name in line.names() | entry.needs | entry.bars)
        self._fitting: dict[tuple[frozenset[str], str], tuple[Spoken, ...]] = {}

    def fitting(self, known: frozenset[str], manner: str, worded: Callable[[str], str]) -> tuple[Spoken, ...]:
        """The lines that a conversation with these slots and facts can say, worded in the speaker's manner."""
        alike = (self.names & known, manner)
        ready = self._fitting.get(alike)
        if ready is None:
            ready = self._fitting[alike] = self._fitted(known, worded)
        return ready

    def _fitted(self, known: frozenset[str], worded: Callable[[str], str]) -> tuple[Spoken, ...]:
        able = [line for entry, line in self.entries if entry.needs <= known and not entry.bars & known]
        ready = [spoken for line in able if (spoken := fitted(line, known, worded)) is not None]
        if not ready:
            missing = ", ".join(sorted(self.names - known))
            raise SourceError(f"{where(self.key)}: no line fits a conversation without {missing}.")
        return tuple(ready)


class Sayable(dict[str, tuple[Spoken, ...]]):
    """By key, the lines that somebody who knows these slots and speaks in this manner can say."""

    def __init__(self, known: frozenset[str], manner: str, worded: Callable[[str], str]) -> None:
        super().__init__()
        self._known, self._manner, self._worded = known, manner, worded

    def __missing__(self, key: str) -> tuple[Spoken, ...]:
        self[key] = lines(key).fitting(self._known, self._manner, self._worded)
        return self[key]


@cache
def sayable(known: frozenset[str], manner: str, worded: Callable[[str], str]) -> Sayable:
    """The lines for conversations of one case in one manner, kept from one to the next."""
    return Sayable(known, manner, worded)


@cache
def bank() -> Mapping[str, tuple[str, ...]]:
    """Every list of lines by its dotted key, the file's name first, as the files have them: `agent.hello.warm`."""
    return {key: tuple(entry.text for entry in entries) for key, (_, entries) in _files().items()}


@cache
def lines(key: str) -> Lines:
    """The lines of one key, ready to be said."""
    if key not in _files():
        raise SourceError(f"{folder().name}/{key.split('.')[0]}.toml has no list “{key.partition('.')[2]}”.")
    return Lines(key, [(entry, _read(key, number, entry)) for number, entry in enumerate(_files()[key][1], start=1)])


def folder() -> Path:
    """Where the files of lines are."""
    return data_dir() / "northline" / "lines"


def where(key: str, number: int | None = None) -> str:
    """A list of lines, or one of it, as a person finds it: the file and the entry."""
    path = _files()[key][0].relative_to(data_dir())
    name = key.partition(".")[2]
    return f"{path}, “{name}”" + (f", line {number}" if number is not None else "")


def check(known: Set[str]) -> None:
    """Read every line; the first that cannot be played, or that speaks of a slot nobody fills, is named in an error."""
    for key in _files():
        if unknown := lines(key).names - known:
            name = sorted(unknown)[0]
            number = next(
                n for n, (e, line) in enumerate(lines(key).entries, 1) if name in line.names() | e.needs | e.bars
            )
            raise SourceError(f"{where(key, number)}: nothing is known as “{name}”.")


@cache
def topics() -> tuple[Topic, ...]:
    """Every topic of `topics.toml`; its lines are in the bank as `topics.ID.ask` and `.answer`."""
    return tuple(
        Topic(
            id=entry["id"],
            when=frozenset(entry["when"]),
            good=entry.get("good"),
            faults=tuple(entry.get("faults", ())),
            nears=tuple(entry.get("nears", ())),
        )
        for entry in table(folder() / "topics.toml")["topic"]
    )


@cache
def table(path: Path) -> Mapping[str, Any]:
    """A TOML file; one that is none, or not there, is named in an error."""
    try:
        return toml.table_of(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, toml.NotTomlError) as error:
        raise SourceError(f"{path.relative_to(data_dir())} cannot be read: {error}.") from error


def filled(template: str, slots: Mapping[str, Any], mode: str | None = None, real: bool = True) -> Phrase:
    """The line with its slots filled; with a mode, what stands between ‹ and › is marked with it."""
    return marked(template.format_map(slots), mode, real)


def marked(text: str, mode: str | None = None, real: bool = True) -> Phrase:
    """The words without ‹ and ›; with a mode, what stood between them is marked with it."""
    if OPEN not in text:
        return Phrase(text, (HabitMark(mode, real, 0, len(text)),) if mode else ())
    start, end = text.index(OPEN), text.rindex(CLOSE)
    end -= text.count(OPEN, 0, end) + text.count(CLOSE, 0, end)
    plain = text.replace(OPEN, "").replace(CLOSE, "")
    return Phrase(plain, (HabitMark(mode, real, start, end),) if mode else ())


def composed(pieces: Sequence[Phrase], apart: bool, long: int = 90) -> Phrase:
    """Pieces put together, their marks moved along: on one line, or apart, a new paragraph where one has grown long."""
    if len(pieces) == 1:
        return pieces[0]
    text, begun = "", 0
    marks: list[HabitMark] = []
    lined = False  # whether the paragraph so far is of several lines
    for piece in pieces:
        if text and apart and (lined or len(text) - begun >= long or "\n" in piece.text):
            text += "\n\n"
            begun = len(text)
        elif text:
            # A greeting's comma becomes a stop before a capital.
            text = f"{text[:-1]}. " if text[-1] == "," and not marks and piece.text[0].isupper() else f"{text} "
        at = len(text)
        marks += [HabitMark(m.mode, m.real, m.start + at, m.end + at) for m in piece.marks]
        text += piece.text
        lined = "\n" in piece.text
    return Phrase(text, tuple(marks))


@cache
def _files() -> Mapping[str, tuple[Path, tuple[Entry, ...]]]:
    """Every list of lines with its file, by its key."""
    lists: dict[str, tuple[Path, tuple[Entry, ...]]] = {}
    for path in sorted(folder().glob("*.toml")):
        _flatten(table(path), path.stem, path, lists)
    for path in sorted((folder() / "stories").glob("*.toml")):
        _flatten(table(path), "stories", path, lists)
    return lists


def _flatten(
    table: Mapping[str, Any], prefix: str, path: Path, into: dict[str, tuple[Path, tuple[Entry, ...]]]
) -> None:
    for key, value in table.items():
        name = f"{prefix}.{key}"
        if isinstance(value, dict):
            _flatten(value, name, path, into)
        elif isinstance(value, list) and value and isinstance(value[0], dict) and "say" not in value[0]:
            for number, each in enumerate(value, start=1):
                _flatten(each, f"{prefix}.{each['id']}" if "id" in each else f"{name}.{number}", path, into)
        elif isinstance(value, str) and key in _ALONE:
            into[name] = (path, (Entry(value),))
        elif isinstance(value, list) and key not in ("when", "faults", "nears", "never"):
            into[name] = (path, tuple(_entry(each, name, path) for each in value))


def _entry(value: Any, name: str, path: Path) -> Entry:
    if isinstance(value, str):
        return Entry(value)
    if isinstance(value, dict) and isinstance(value.get("say"), str):
        facts = [str(fact) for fact in value.get("if", ())]
        bars = frozenset(fact.removeprefix("!") for fact in facts if fact.startswith("!"))
        return Entry(value["say"], frozenset(fact for fact in facts if not fact.startswith("!")), bars)
    place = path.relative_to(data_dir())
    raise SourceError(f"{place}, “{name.partition('.')[2]}”: a line is text, or a table with “say”, and not {value!r}.")


@cache
def _parts() -> Mapping[str, Phrasings]:
    """The parts that lines may name, read in the order of their file: a part may name an earlier one."""
    parts: dict[str, Phrasings] = {}
    for key in _files():
        if key.startswith("parts."):
            entries = enumerate(_files()[key][1], start=1)
            parts[key.removeprefix("parts.")] = Phrasings(
                tuple(_line(key, n, entry.text, parts) for n, entry in entries)
            )
    return parts


def _read(key: str, number: int, entry: Entry) -> Line:
    return _line(key, number, entry.text, _parts())


def _line(key: str, number: int, text: str, parts: Mapping[str, Phrasings]) -> Line:
    try:
        if text.count(OPEN) != text.count(CLOSE):
            raise LineError(f"{OPEN} and {CLOSE} do not pair up")
        return read(text, parts)
    except LineError as error:
        raise SourceError(f"{where(key, number)}: {error}.") from error
