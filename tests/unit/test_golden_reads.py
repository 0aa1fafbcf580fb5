"""All that every read finds in the small conversations on which reads are tried; `make golden` writes it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from reviewer.findings import reads
from reviewer.findings.reads.dossier import Suggestion
from reviewer.marks.anchors import words
from reviewer.transcripts.model import Stored
from reviewer.transcripts.refs import Absence, absence_text
from tests.talks import told
from tests.ui.room import GOLDEN
from tests.unit.test_reads import FIRES, SILENT


def found(stored: Stored) -> Iterator[str]:
    """Each finding with its certainty, claim, evidence and reason; then how many opportunities each read had."""
    readout = reads.read_over(stored, reads.READS)
    assert not readout.faults
    for read, suggestion in readout.suggestions:
        claim = str(suggestion.claim).removeprefix(stored.ref) or "the whole conversation"
        quote = f" “{words(stored, suggestion.claim)}”" if suggestion.claim.span else ""
        yield f"{read.name}, {'certain' if suggestion.certain else 'likely'}: {suggestion.reason}"
        yield f"  {claim}{quote} | {', '.join(evidence(stored, suggestion))}"
    yield f"of {', '.join(f'{name} {n}' for name, n in readout.opportunities.items() if n)}"


def evidence(stored: Stored, suggestion: Suggestion) -> Iterator[str]:
    """The places of a finding's evidence."""
    for each in suggestion.evidence:
        yield absence_text(each) if isinstance(each, Absence) else str(each).removeprefix(stored.ref) or "all"


def test_golden_reads() -> None:
    page = ""
    for title, examples in (("fires", FIRES), ("leaves alone", SILENT)):
        for name, messages, case in examples:
            page += f"{name} {title}\n"
            page += "".join(f"  {line}\n" for line in found(told(*messages, case=case)))
    path = GOLDEN / "reads.txt"
    if os.environ.get("REVIEWER_GOLDEN") == "write":
        path.write_text(page, "utf-8")
    assert path.read_text("utf-8") == page
