"""Terms about suggestions: which conversations each lets through, what people decided, and what no read has seen."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from reviewer.findings.known_values import ReviewVocabulary
from reviewer.findings.questions import asked, excluding, unread
from reviewer.findings.scans import scan, usual
from reviewer.marks import shapes
from reviewer.marks.folder import SUPPORT
from reviewer.marks.review import Session, recall
from reviewer.transcripts.model import Finding, Stored
from reviewer.transcripts.query import parse
from reviewer.transcripts.query.absence import unknown
from reviewer.transcripts.query.completion import complete
from reviewer.transcripts.store.reader import Reader
from tests.builders import CANCELLED, agent, conversation, customer, store
from tests.forked import run
from tests.unit.test_scans import HANDED, THOUGHT, everything, shown

CALM = (customer("Where is it?"), agent("On its way."))
LEAK = "leaked-think-tag"


def stocked(folder: Path) -> Path:
    """A case that flips, one that shows a thought (certain) and a template (likely), one that is well."""
    both = (*THOUGHT, customer("And?"), agent("Dear {{customer_name}}, tomorrow."))
    return store(
        folder,
        conversation(*CANCELLED, case="flip", run=1),
        conversation(*HANDED, case="flip", run=2),
        conversation(*both, case="both", run=1),
        conversation(*THOUGHT, case="leak", run=1),
        conversation(*CALM, case="calm", run=1),
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = stocked(tmp_path)
    everything(path)
    return path


def session(path: Path, by: str = "ana") -> Session:
    return Session(path.parent / "annotations", by, path.name, SUPPORT)


def found(path: Path, text: str) -> str:
    """The cases and runs that a query lets through."""
    with Reader(path) as reader:
        ids = reader.ids(asked(parse(text), lambda: session(path)).selection(reader))
        return " ".join(sorted(row.ref.removeprefix("kimi/").removesuffix("/1") for row in reader.rows(list(ids))))


@pytest.mark.parametrize(
    ("text", "cases"),
    [
        ("finding:leaked-think-tag", "both leak"),
        ("finding:LEAKED-think*", "both leak"),
        ("finding:leaked-template-tag", "both"),
        ("finding:yes", "both flip flip/2 leak"),
        ("finding:any", "both flip flip/2 leak"),
        ("finding:*", "both flip flip/2 leak"),
        ("finding:no", "calm"),
        ("finding:none", "calm"),
        ("finding:none,leaked-template-tag", "both calm"),
        ("finding:absent", ""),
        ("finding:flips-across-runs", "flip flip/2"),
        ("certain:yes", "both flip flip/2 leak"),
        ("certain:no", "both"),
        ("certain:yes,no", "both flip flip/2 leak"),
        ("read:leaked-*", "both leak"),
        ("read:none", "calm"),
        # of one suggestion
        ("finding:leaked-template-tag certain:no", "both"),
        ("finding:leaked-template-tag certain:yes", ""),
        ("finding:leaked-template-tag (certain:yes)", "both"),
        ("finding:leaked-think-tag finding:leaked-template-tag", ""),
        ("read:leaked-* certain:no", "both"),
        # all the others
        ("-finding:leaked-think-tag", "calm flip flip/2"),
        ("-certain:no", "calm flip flip/2 leak"),
        ("-finding:no", "both flip flip/2 leak"),
        ("finding:leaked-think-tag -certain:no", "leak"),
        # with other terms
        ("finding:leaked-template-tag or wrote:cancel", "both flip"),
        ("(finding:flips-across-runs or certain:no) -run:2", "both flip"),
        ("-(finding:yes or case:flip)", "calm"),
        ("finding:yes tag:none case:leak", "leak"),
    ],
)
def test_what_each_lets_through(path: Path, text: str, cases: str) -> None:
    assert found(path, text) == cases


def suggestions(path: Path, mode: str) -> list[tuple[Stored, Finding]]:
    """What is suggested in a mode, each in a conversation that it is about."""
    with Reader(path) as reader:
        rows = [row for row in shown(path).rows if row.mode == mode]
        return [(reader.stored(reader.find(row.ref)[0]), finding(json.loads(row.body))) for row in rows]


def finding(fields: dict[str, Any]) -> Finding:
    claim, evidence = shapes.anchors_of([fields.pop("claim")])[0], shapes.evidence_of(fields.pop("evidence"))
    return Finding(**fields, claim=claim, evidence=evidence)


def test_a_rejected_one_no_longer_counts_and_an_accepted_one_does(path: Path) -> None:
    ana, bo = session(path), session(path, "bo")
    (both, first), (leak, second) = suggestions(path, LEAK)
    ana.decide(both, False, [first])
    ana.decide(leak, True, [second])
    assert found(path, f"finding:{LEAK}") == "leak"
    assert found(path, f"finding:{LEAK} -tag:{LEAK}") == ""
    assert found(path, "finding:yes certain:yes case:both") == ""
    ana.undo()
    ana.undo()
    assert found(path, f"finding:{LEAK}") == "both leak"
    ana.decide(both, False, [first])
    bo.book.refresh()
    bo.decide(both, True, [first])
    assert found(path, f"finding:{LEAK}") == "both leak", "somebody's tag stands on it"


def test_what_is_suggested_of_a_case_may_be_rejected_in_a_run(path: Path) -> None:
    ((run_of_it, flip),) = suggestions(path, "flips-across-runs")
    session(path).decide(run_of_it, False, [flip])
    assert found(path, "finding:flips-across-runs") == ""
    assert found(path, "finding:no") == "calm flip flip/2"


def test_rejections_are_known_from_the_index_of_big_journals(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ana = session(path)
    (both, first), (leak, second) = suggestions(path, LEAK)
    ana.decide(both, False, [first])
    ana.decide(leak, False, [second])
    ana.decide(leak, True, [second])
    monkeypatch.setattr(recall, "SETTLED_FROM", 0)
    book = recall.opened(path.parent / "annotations")
    assert book.past is not None
    assert found(path, f"finding:{LEAK}") == "leak"


def test_equal_words_in_another_run_are_decided_by_themselves(tmp_path: Path) -> None:
    path = store(tmp_path, conversation(*THOUGHT, run=1), conversation(*THOUGHT, run=2))
    everything(path)
    (stored, finding), _ = suggestions(path, LEAK)
    session(path).decide(stored, False, [finding])
    assert found(path, f"finding:{LEAK}") == "used-item-1/2"


def test_what_changed_since_does_not_count(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("UPDATE conversations SET digest = 'other' WHERE ref IN ('kimi/both/1', 'kimi/flip/2')")
    assert found(path, "finding:yes") == "leak"
    assert found(path, "finding:no") == "calm flip", "those that changed are unread again"


def test_a_mode_is_found_by_what_it_is_called_now(path: Path) -> None:
    session(path).recode(lambda modes: modes.rename(LEAK, "Thought aloud"))
    assert found(path, "finding:thought-aloud") == found(path, f"finding:{LEAK}") == "both leak"


def test_a_store_that_no_read_went_through_is_said(tmp_path: Path) -> None:
    path = stocked(tmp_path)
    said = f"No read has gone through this store, so finding: finds nothing; run reviewer scan {path}."
    for query in ("finding:yes", "-finding:yes", "finding:no or case:calm"):
        assert said in run("list", path, query).stderr
    assert run("list", path, "finding:no").stdout == ""
    assert "certain: and finding: find nothing" in run("search", path, "refund", "certain:yes", "finding:x").stderr
    with Reader(path) as reader:
        question = asked(parse("finding:yes"), lambda: session(path))
        assert excluding(question, reader)[0] == said
        assert unread(parse("model:kimi"), reader) == []
        scan(path, reader.find("kimi/calm/1"), usual())
    assert f"4 conversations were never read; run reviewer scan {path}." in run("list", path, "finding:no").stderr
    for command in ("tags", "export", "findings"):
        assert run(command, path, "certain:yes").stderr.count("never read") == 1
    everything(path)
    assert run("list", path, "finding:no").stderr == ""


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("finding:leaked-thnk-tag", ["No suggested mode here is “leaked-thnk-tag”. Did you mean leaked-think-tag?"]),
        ("read:leaked-thnk-tag", ["No read here is “leaked-thnk-tag”. Did you mean leaked-think-tag?"]),
        ("read:yes", ["read: takes the name of a read. Did you mean reviewed:yes or finding:yes?"]),
        ("finding:yes finding:no finding:none certain:no read:leaked*", []),
    ],
)
def test_names_that_stand_nowhere(path: Path, query: str, said: list[str]) -> None:
    with Reader(path) as reader:
        near = [
            each.replace(" or leaked-template-tag", "")
            for each in unknown(parse(query), ReviewVocabulary(reader), list)
        ]
    assert near == said


@pytest.mark.parametrize(
    ("query", "modes"),
    [
        ("", "flips-across-runs leaked-template-tag leaked-think-tag leaked-think-tag"),
        ("case:both", "leaked-template-tag leaked-think-tag"),
        ("case:both finding:leaked_think_tag", "leaked-think-tag"),
        ("finding:leaked-template-tag", "leaked-template-tag"),
        ("finding:leaked-template-tag,flips*", "flips-across-runs leaked-template-tag"),
        ("case:both -finding:flips-across-runs", "leaked-template-tag leaked-think-tag"),
        ("case:both certain:no", "leaked-template-tag"),
        ("case:both read:leaked-think*", "leaked-think-tag"),
        ("case:both (finding:leaked-template-tag or certain:yes)", "leaked-template-tag leaked-think-tag"),
        ("case:both finding:leaked-template-tag or case:leak", "leaked-template-tag leaked-think-tag"),
        ("case:flip finding:yes", "flips-across-runs"),
        ("finding:no", ""),
        ("--mode leaked_think_tag", "leaked-think-tag leaked-think-tag"),
    ],
)
def test_findings_lists_the_suggestions_that_are_asked_for(path: Path, query: str, modes: str) -> None:
    words = query.split() if query.startswith("--") else [query]
    lines = run("findings", path, *words, "--json").stdout.splitlines()
    assert " ".join(sorted(json.loads(line)["mode"] for line in lines)) == modes


def test_findings_names_a_mode_that_nothing_suggests(path: Path) -> None:
    said = "No suggested mode here is “leaked-thnk-tag”. Did you mean leaked-think-tag or leaked-template-tag?"
    for words in (["--mode", "leaked-thnk-tag"], ["finding:leaked-thnk-tag"], ["finding:yes,leaked-thnk-tag"]):
        assert run("findings", path, *words).stderr.count(said) == 1


def test_completion_offers_what_was_found(path: Path) -> None:
    with Reader(path) as reader:
        for typed in ("finding:le", "read:le"):
            offered = [each.text for each in complete(typed, len(typed), ReviewVocabulary(reader))]
            assert offered == ["leaked-template-tag", LEAK]
        assert [each.text for each in complete("certain:", 8, ReviewVocabulary(reader))] == ["yes", "no"]
        assert "finding:" in [each.text for each in complete("fi", 2, ReviewVocabulary(reader))]


def test_a_count_of_tags_is_of_the_conversations_that_are_asked_for(path: Path) -> None:
    """What reads suggest is known of a conversation whether anybody tagged it or not, as what it wrote is."""
    ana = session(path)
    ((leak, finding),) = [each for each in suggestions(path, LEAK) if "leak" in each[0].ref]
    ana.decide(leak, True, [finding])
    assert (
        "2 conversations"
        in run(
            "export",
            path,
            f"finding:{LEAK}",
        ).stdout
    )


def test_a_hostile_name_is_only_a_name(path: Path) -> None:
    for text in ('finding:"\' OR 1=1 --"', 'read:"%"', 'finding:"\x1b[31m"'):
        assert found(path, text) == ""
