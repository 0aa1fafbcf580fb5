"""Which of a desk's cases a query means: the filter language, asked of the cases instead of a store.

A store of the cases, each with its first message, is made in a temporary folder, so that every term of a case, and
words of its opening, mean here what they mean everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from reviewer.basics.errors import QueryError, ReviewerError
from reviewer.benchmark.live.desk_kit import DeskKit, PlayedCase, kit
from reviewer.findings.questions import Question
from reviewer.marks.codebook import Codebook
from reviewer.marks.ledger import Ledger
from reviewer.transcripts.model import Conversation, Message
from reviewer.transcripts.query import parse
from reviewer.transcripts.store.intake import Intake
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.writer import Writer


def chosen_cases(
    text: str,
    played: DeskKit | None = None,
    among: Sequence[PlayedCase] | None = None,
    remark: Callable[[str], None] = lambda _: None,
) -> tuple[PlayedCase, ...]:
    """The cases that a query leaves of a desk's (Northline's where none is named) or of others, in their order.

    An empty query leaves all. `remark` is given a sentence for each value of the query that no case has.
    """
    cases = (played or kit()).cases if among is None else tuple(among)
    if not text.strip():
        return cases
    query = parse(text)
    if query.ledger:
        raise QueryError(
            "Cases have no marks of reviewers.", "Ask for case:, family:, bucket:, label:, or words.", text
        )
    with TemporaryDirectory(prefix="reviewer-cases-") as folder:
        store = Path(folder) / "cases.db"
        _write(store, cases)
        with Reader(store) as reader:
            kept = {reader.stored(rowid).conversation.case for rowid in reader.ids(query.selection)}
            asked = Question(query, Path(), Ledger(), Codebook())
            unmatched = asked.unmatched(reader)
            unknown = [] if kept else asked.unknown(reader)
    wanted = tuple(case for case in cases if case.id in kept)
    if not wanted:
        names = " ".join(dict.fromkeys((*unmatched, *unknown)))
        raise ReviewerError(f"No case matches “{text}”.", names or "reviewer help query says what one can ask for.")
    for sentence in unmatched:
        remark(sentence)
    return wanted


def _write(store: Path, cases: tuple[PlayedCase, ...]) -> None:
    with Writer(store) as writer:
        intake = Intake(writer, {"paths": ["cases"]})
        source = intake.source("cases", "cases")
        for case in cases:
            opening = (Message("customer", case.facts.opening or "", source_role="user"),)
            intake.add(Conversation("case", opening, case=case.id, run=1, facts=case.facts), source)
        intake.end()
