"""The way of conversations into a store: one for imports, live runs, forks, cases and the sample.

Owns the row of the command that adds them, its sources, and the reference and digest under which a conversation is
stored. Whoever uses it decides which conversations come in, and when the writer commits them.
"""

from __future__ import annotations

from collections.abc import Iterable

from reviewer.transcripts.desk import Desk
from reviewer.transcripts.digests import conversation_digest
from reviewer.transcripts.model import Conversation, Json, Run
from reviewer.transcripts.refs import conversation_ref
from reviewer.transcripts.store.jsontext import compact
from reviewer.transcripts.store.writer import Writer


class Intake:
    """The conversations that one command adds to a store."""

    def __init__(self, writer: Writer, command: Json) -> None:
        self.writer = writer
        self.import_id = writer.begin_import(command)
        self.added = 0
        """Conversations so far."""
        self._sources: dict[str, int] = {}
        self._described: dict[tuple[str, int | None], Run] = {}

    def source(self, path: str, format: str, synthetic: bool = False) -> int:
        """The row of a source that is not a file on this machine; it is made at the first mention."""
        if path not in self._sources:
            source = self._sources[path] = self.writer.source(path, format, 0, self.import_id)
            if synthetic:
                self.writer.catalogue.mark_synthetic(source)
        return self._sources[path]

    def add(
        self,
        item: Conversation,
        source: int,
        position: str = "",
        stated: int | None = None,
        ref: str | None = None,
        digest: str | None = None,
    ) -> int:
        """Store a conversation and return its row; `stated` is the run that its source states.

        Its names make its reference, and its messages its digest, where the caller has not settled them.
        """
        ref = conversation_ref(item.model, item.case, item.run, item.id) if ref is None else ref
        digest = conversation_digest(item.messages, compact) if digest is None else digest
        rowid = self.writer.add(ref, digest, item, source, self.import_id, position, stated)
        self.added += 1
        return rowid

    def describe_run(self, run: Run) -> None:
        """Store what a source says about a run; what was stored last of that run is not written again."""
        key = (run.model, run.number)
        if self._described.get(key) != run:
            self._described[key] = run
            self.writer.catalogue.describe_run(run)

    def set_desk(self, sources: Iterable[int], desk: Desk) -> None:
        """Set the desk of all conversations from these sources that have none yet."""
        self.writer.set_desk(sources, self.writer.desk(desk.name, desk.text, desk.hash))

    def end(self, counts: Json | None = None) -> None:
        """Commit, with what the command counted: the conversations that were added where it counted nothing else."""
        self.writer.end_import(self.import_id, {"new": self.added} if counts is None else counts)
