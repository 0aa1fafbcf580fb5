"""How good reads are: precision and recall on the sample, whose truth is known, and what was judged by hand."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from reviewer.findings.finding_store import shown
from reviewer.findings.read_record import ReadRecord, planted, records
from reviewer.findings.reads import BY_NAME, READS
from reviewer.findings.scans import scan
from reviewer.transcripts.query import EVERYTHING
from reviewer.transcripts.store.reader import Reader

ROOT = Path(__file__).resolve().parents[2]
ELSEWHERE = {
    *("confirms-before-acting", "grounded-link", "declines-to-invent"),
}
"""Modes whose truth stands at another place than where the read sees them, or is only a part of what there is."""
KNOWN_BY_OTHERS = 0.6
"""Of what is suggested, the share that the truth lists in that mode: it lists what was planted, not all there is."""


@pytest.fixture(scope="module")
def measured(sample_store: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, ReadRecord]:
    """The record of every read over the whole sample."""
    store = Path(shutil.copy(sample_store, tmp_path_factory.mktemp("sample")))
    with Reader(store) as reader:
        report = scan(store, reader.ids(), READS, processes=1)
        assert not report.faults
        told = records(
            shown(store, reader.search.where, EVERYTHING), None, planted(sample_store.with_name("truth.jsonl"))
        )
    return {each.read.name: each for each in told}


def test_no_read_trips_over_near_misses(measured: dict[str, ReadRecord]) -> None:
    tripped = {name: each.truth.trapped for name, each in measured.items() if each.truth and each.truth.trapped}
    assert sum(tripped.values()) <= 2, tripped


@pytest.mark.parametrize("name", sorted(BY_NAME.keys() - ELSEWHERE))
def test_precision_and_recall_on_the_sample(measured: dict[str, ReadRecord], name: str) -> None:
    truth = measured[name].truth
    if truth is None or not truth.of_planted:
        return  # the sample plants none of these
    least = {"adopts-false-premise": 0.75}.get(name, 0.9)  # four are planted
    assert truth.recalled >= least * truth.of_planted
    assert truth.right >= KNOWN_BY_OTHERS * truth.of_findings


def test_certain_reads_are_right_every_time_where_the_truth_lists_all(measured: dict[str, ReadRecord]) -> None:
    for name in ("forbidden-action", "missed-escalation", "over-escalation", "leaked-think-tag", "flips-across-runs"):
        truth = measured[name].truth
        assert truth is not None
        assert truth.right == truth.of_findings == truth.of_planted, name


def judged() -> list[dict[str, object]]:
    path = ROOT / "tests" / "judgements" / "reads.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_judgements_hold_nothing_but_references_and_short_quotes() -> None:
    for line in judged():
        assert set(line) <= {"ref", "read", "certain", "right", "why", "quote"}
        assert line["read"] in BY_NAME
        assert len(str(line.get("quote", ""))) <= 120


def test_the_page_prints_what_was_judged() -> None:
    page = (ROOT / "docs" / "reads.md").read_text("utf-8")
    right: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for line in judged():
        every[str(line["read"])] += 1
        right[str(line["read"])] += bool(line["right"])
    for name, count in every.items():
        assert re.search(rf"\| `{name}` \|[^\n]*\| {right[name]} of {count} \|", page), name
        sure = [line for line in judged() if line["read"] == name and line["certain"]]
        assert all(line["right"] for line in sure), "certain ones are right every time"
        assert BY_NAME[name].off or right[name] >= 0.9 * count, "likely ones nine times in ten"


def test_the_page_names_every_read() -> None:
    page = (ROOT / "docs" / "reads.md").read_text("utf-8")
    assert not [read.name for read in READS if f"| `{read.name}` |" not in page]
