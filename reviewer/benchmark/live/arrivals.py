"""Finished conversations brought into the store one at a time, while others go on.

Owns the one writer of a run. A conversation comes in as it would from Inspect's log, so that importing that log later
adds nothing. Knows nothing of Inspect but the shape of its logs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from reviewer.benchmark.live.desk_kit import kit
from reviewer.imports.formats.inspect import InspectLog, extract
from reviewer.transcripts.desk import Desk
from reviewer.transcripts.model import Conversation
from reviewer.transcripts.refs import conversation_ref
from reviewer.transcripts.store.intake import Intake
from reviewer.transcripts.store.writer import Writer

FORMAT = "inspect"


class Arrival(NamedTuple):
    """A conversation that has come in; `new` is False where another had taken its place meanwhile."""

    ref: str
    conversation: Conversation
    new: bool


class Arrivals:
    """The way into a store for the conversations of a run, as a context manager."""

    def __init__(
        self, store: Path, command: Mapping[str, Any], replaced: Iterable[int] = (), played: Desk | None = None
    ) -> None:
        self._writer = Writer(store)
        self._command = command
        self._desk = played or kit().desk
        self._replaced = set(replaced)
        """Conversations that are played again: they give way to what comes."""
        self._logs: dict[str, tuple[InspectLog, str]] = {}

    def __enter__(self) -> Self:
        self._writer.__enter__()
        self._intake = Intake(self._writer, self._command)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        try:
            self._intake.end()
        finally:
            self._writer.__exit__(kind, error, tb)

    def begin_log(self, key: str, header: Mapping[str, Any], name: str) -> None:
        """Take in what a log says for all its conversations; `name` is what its source is called."""
        self._logs[key] = InspectLog(header), name

    def take(self, key: str, sample: Mapping[str, Any], events: Iterable[Mapping[str, Any]]) -> Arrival:
        """Bring in a finished conversation and commit it."""
        log, name = self._logs[key]
        made = extract(log, str(sample["id"]), events, sample)
        item = made.conversation if made.conversation.run is not None else replace(made.conversation, run=1)
        ref = conversation_ref(item.model, item.case, item.run)
        self._writer.begin()
        taken = self._writer.places.at(ref)
        if taken is not None and taken.rowid not in self._replaced:
            self._writer.commit()
            return Arrival(ref, item, False)
        if taken is not None:
            self._writer.delete([taken.rowid])
        source = self._intake.source(name, FORMAT)
        self._intake.add(item, source, made.position, made.conversation.run, ref)
        self._intake.set_desk([source], self._desk)
        if made.run is not None:
            self._intake.describe_run(replace(made.run, model=item.model, number=item.run))
        self._writer.commit()
        return Arrival(ref, item, True)
