"""A map: a small TOML file that says what the columns of a table mean, so that any table of messages can be imported.

Values only: keys are read and checked in `mapkeys`, found in rows by `paths`, made conversations of in `converting`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from reviewer.imports.maps.paths import Pointer
from reviewer.imports.path_patterns import PathPattern
from reviewer.transcripts.store.foreign_files import Join

Rows = Literal["messages", "conversations", "parts"]
Speaker = Literal["agent", "customer", "colleague", "system", "tool", "other"]
ROWS: tuple[Rows, ...] = get_args(Rows)
SPEAKERS: tuple[Speaker, ...] = get_args(Speaker)

Pointers = Mapping[str, Pointer]


@dataclass(frozen=True, slots=True)
class FileWishes:
    """The settings for reading a file, as far as it cannot be recognised."""

    table: str | None = None
    """Of a SQLite file."""
    join: Join | None = None
    """Another table of it, with what it says of each row."""
    calls: Join | None = None
    """A table or a file beside it that holds the calls of its messages."""
    records: Pointer | None = None
    """Where in each JSON value the rows lie."""
    delimiter: str | None = None
    quote: str = '"'
    escape: str | None = None
    encoding: str = "utf-8"
    times: str | None = None
    """How its times are written, as `strptime` has it, where they are not ISO's."""
    path_pattern: PathPattern | None = None
    """What its path names: model, label, run, case."""


@dataclass(frozen=True, slots=True)
class HeadMessage:
    """A message from a column of its own, which comes before the listed ones."""

    columns: Pointers
    html: bool


@dataclass(frozen=True, slots=True)
class ScoreWish:
    """The place of a score or (`each`) of several."""

    name: str
    columns: Pointers
    numbers: Mapping[str, float]
    """What words are worth."""


@dataclass(frozen=True, slots=True)
class Map:
    """The meaning of a table's columns."""

    where: str
    """What errors call it."""
    name: str
    title: str
    rows: Rows
    text: str
    file: FileWishes = FileWishes()
    conversation: Pointers = field(default_factory=dict)
    message: Pointers = field(default_factory=dict)
    """Empty where the messages are chat messages as providers write them."""
    html: bool = False
    heads: tuple[HeadMessage, ...] = ()
    call: Pointers = field(default_factory=dict)
    result: Pointers = field(default_factory=dict)
    speakers: Mapping[str, Speaker] = field(default_factory=dict)
    """Who it is by what stands there, in small letters."""
    by_column: tuple[tuple[Pointer, Speaker], ...] = ()
    """Who it is by what a column of the conversation says."""
    first: Speaker | None = None
    """Who speaks first."""
    default: Speaker = "other"
    scores: tuple[ScoreWish, ...] = ()
    metadata: Pointers = field(default_factory=dict)
    skip: Mapping[str, tuple[Pointer, frozenset[str]]] = field(default_factory=dict)
    """Messages that are left out: where what stands in a column is one of these."""
    leave_out: frozenset[str] = frozenset()

    @property
    def lists(self) -> tuple[str, ...]:
        """The keys that say where a row holds messages: a list of them, or a transcript."""
        return tuple(key for key in ("messages", "transcript") if key in self.conversation)

    @property
    def names_speakers(self) -> bool:
        """True if the map says who is who; else the usual roles count."""
        return bool(self.speakers or self.by_column or self.first)

    def of_rows(self) -> Iterator[tuple[str, Pointer]]:
        """Every column that is looked for in a row, with its key."""
        for name, it in self.conversation.items():
            yield f"conversation.{name}", it
        for n, head in enumerate(self.heads, start=1):
            yield from ((f"head {n}.{name}", it) for name, it in head.columns.items())
        for wish in self.scores:
            beside = {"each"} if "each" in wish.columns else set(wish.columns)
            yield from ((f"scores.{wish.name}.{name}", wish.columns[name]) for name in wish.columns if name in beside)
        yield from ((f"metadata.{name}", it) for name, it in self.metadata.items())
        yield from ((f"speakers.{who}", it) for it, who in self.by_column)
        if "time_since" in self.message:
            yield "message.time_since", self.message["time_since"]
        if self.rows == "messages":
            yield from self.of_messages()

    def of_messages(self) -> Iterator[tuple[str, Pointer]]:
        """Every column that is looked for in a message."""
        yield from ((f"message.{name}", it) for name, it in self.message.items() if name != "time_since")
        yield from ((f"skip.{name}", it) for name, (it, _) in self.skip.items())
        if "tool_calls" not in self.message:
            yield from ((f"call.{name}", it) for name, it in self.call.items())
