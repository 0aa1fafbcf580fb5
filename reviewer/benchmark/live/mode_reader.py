"""A model that reads stored conversations for failure modes: what is left to ask, the asking, suggestions as they come.

Owns what becomes of an answer: a quote whose exact words stand once where it says they do is a suggestion under the
model's name, as if it were brought in; whatever else it says is dropped and counted. What was answered is kept beside
the suggestions, so that nothing is asked twice.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from reviewer.basics.errors import ReviewerError
from reviewer.benchmark.live import prompt_files
from reviewer.benchmark.live.mode_question import ModeAnswer, QuotedWords, described, prompt_version, question_digest
from reviewer.benchmark.live.question_round import QuestionRound, whole_ones
from reviewer.benchmark.live.transcript_text import transcript
from reviewer.findings.finding_records import FindingRecords
from reviewer.findings.finding_store import AskedMode, FindingRow, FindingSource, FindingsWriter, answered_by
from reviewer.findings.reads import packages
from reviewer.findings.scans import row_of
from reviewer.findings.store_entries import standings
from reviewer.marks.codebook import Codebook, Mode
from reviewer.transcripts import desk
from reviewer.transcripts.model import Stored, Usage
from reviewer.transcripts.store.reader import Reader

Ask = Callable[[str], Awaitable[ModeAnswer | None]]
"""Puts a question to the model; None where its answer cannot be read, a `ReviewerError` where it gave none."""

_SHOWN = 60
"""Characters of a quote that is told to be dropped."""
_SAMPLED = 200
"""Conversations that are looked at to say how long the questions about all of them are."""
_CHARACTERS = 4
"""Of a token, about."""
_ANSWER = 150
"""Tokens of an answer, about."""


class ReadingTask(NamedTuple):
    """A conversation, and the modes that it is still to be read for."""

    rowid: int
    modes: tuple[Mode, ...]


@dataclass(slots=True)
class ReadingReport:
    """What came of asking."""

    answered: int = 0
    suggested: int = 0
    dropped: int = 0
    """Places that an answer names, and whose words do not stand there once."""
    first_dropped: str = ""
    unusable: int = 0
    """Parts of an answer that name no place, or a mode that was not asked for."""
    unreadable: int = 0
    """Answers in which nothing could be read."""


def source_of(model: str) -> FindingSource:
    """The source that a model's suggestions are of, in the version of the prompt; refused where a read is called so."""
    if model in packages.known():
        raise ReviewerError(f"“{model}” is a read of this program.", "Name a model: --model openai/gpt-5.")
    return FindingSource(model, prompt_version())


def tasks(store: Path, ids: Sequence[int], modes: Sequence[Mode], model: str) -> list[ReadingTask]:
    """What this model has not answered yet: by conversation as it is now, and mode as it is worded now."""
    known = answered_by(store, model)
    digests = {each.rowid: each.digest for each in standings(store)}
    asked = {mode.code: question_digest(mode) for mode in modes}
    left: list[ReadingTask] = []
    with Reader(store) as reader:
        for row in whole_ones(reader, ids):
            due = [
                mode
                for mode in modes
                if AskedMode(row.ref, mode.code, digests[row.rowid], asked[mode.code]) not in known
            ]
            left += [ReadingTask(row.rowid, tuple(due))] if due else []
    return left


def worded(stored: Stored, modes: Iterable[Mode]) -> str:
    """The question about a stored conversation, with the policy of its own desk."""
    policy = desk.kept(stored.desk).policy.strip()
    told = "\n\n".join(described(mode) for mode in modes)
    return prompt_files.for_reader(told, transcript(stored.conversation.messages, policy), policy)


def expected_usage(store: Path, waiting: Sequence[ReadingTask]) -> Usage:
    """About how many tokens these questions take, measured on some of them, and their answers."""
    looked_at = waiting[:: max(len(waiting) // _SAMPLED, 1)]
    with Reader(store) as reader:
        characters = sum(len(worded(reader.stored(task.rowid), task.modes)) for task in looked_at)
    each = characters // _CHARACTERS // max(len(looked_at), 1)
    return Usage(each * len(waiting), _ANSWER * len(waiting))


class ModeReader:
    """A model that reads conversations of a store, and what has come of it so far."""

    def __init__(self, store: Path, model: str, codebook: Codebook) -> None:
        self._store, self._codebook = store, codebook
        self._source = source_of(model)
        self.report = ReadingReport()

    async def read(self, waiting: Sequence[ReadingTask], ask: Ask, held: QuestionRound) -> None:
        """Ask the model in a round, and store what each answer suggests when it comes."""
        with Reader(self._store) as reader, FindingsWriter(self._store) as findings:
            records = FindingRecords(reader, self._codebook)

            async def answer_to(task: ReadingTask) -> tuple[Stored, ModeAnswer | None]:
                stored = reader.stored(task.rowid)
                return stored, await ask(worded(stored, task.modes))

            def keep(task: ReadingTask, answered: tuple[Stored, ModeAnswer | None]) -> None:
                self._take(findings, records, answered[0], task, answered[1])

            await held.hold(waiting, answer_to, keep)

    def _take(
        self,
        findings: FindingsWriter,
        records: FindingRecords,
        stored: Stored,
        task: ReadingTask,
        answer: ModeAnswer | None,
    ) -> None:
        if answer is None:
            self.report.unreadable += 1
            return
        wanted = {mode.code for mode in task.modes}
        rows: dict[str, FindingRow] = {}
        for place in answer.places:
            if place.mode not in wanted:
                self.report.unusable += 1
            elif (row := self._row(records, stored, place)) is not None:
                rows[row.identity] = row
        asked = [AskedMode(stored.ref, mode.code, stored.digest, question_digest(mode)) for mode in task.modes]
        findings.answer(self._source, asked, rows.values())
        self.report.answered += 1
        self.report.suggested += len(rows)
        self.report.unusable += answer.unusable

    def _row(self, records: FindingRecords, stored: Stored, place: QuotedWords) -> FindingRow | None:
        """The suggestion at a place; None, counted, where its words do not stand there once."""
        with suppress(ReviewerError):
            read = records.read(self._record(stored, place))
            if read.finding is not None and not read.remark:
                return row_of(read.finding)
        self.report.dropped += 1
        quote = place.quote if len(place.quote) <= _SHOWN else f"{place.quote[:_SHOWN]}…"
        self.report.first_dropped = self.report.first_dropped or f"“{quote}” at {stored.ref}#{place.message}"
        return None

    def _record(self, stored: Stored, place: QuotedWords) -> Mapping[str, object]:
        return {
            "ref": f"{stored.ref}#{place.message}",
            "quote": place.quote,
            "mode": place.mode,
            "reason": place.reason,
            "by": self._source.name,
            "version": self._source.version,
        }
