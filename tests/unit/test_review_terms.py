"""Terms about reviews: which conversations each of them lets through, and that a dash lets through all the others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reviewer.findings.questions import asked
from reviewer.marks import queues
from reviewer.marks.folder import SUPPORT
from reviewer.marks.review import Session
from reviewer.transcripts.query import parse
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.reader import Reader
from tests import builders
from tests.builders import conversation

CASES = ("bike", "coat", "lamp", "sofa")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """Four conversations: two people marked the first, one the second, a case holds the third, nobody the fourth."""
    folder = tmp_path_factory.mktemp("reviewed")
    path = builders.store(folder, *(conversation(case=case) for case in CASES))
    ana, bo = (Session(folder / "annotations", by, path.name, SUPPORT) for by in ("ana", "bo"))
    with Reader(path) as reader:
        bike, coat = (reader.stored(reader.find(f"kimi/{case}/1")[0]) for case in CASES[:2])
        ana.tag(bike, "phantom-action", Ref(bike.ref, 2), note="Refund promised", stance="clear")
        ana.tag(bike, "warm", Ref(bike.ref, 4), exemplar=True)
        bo.tag(bike, "warm", Ref(bike.ref, 2), stance="debatable")
        bo.verdict(bike, "fail")
        ana.reviewed(bike, seen=4, of=4)
        bo.tag(coat, "", Ref(coat.ref, 1), note="odd")
        bo.verdict(coat, "pass")
        bo.reviewed(coat, seen=2, of=4)
        ana.tag("kimi/lamp", "flips-across-runs")
        queues.save(folder / "annotations", queues.Queue("week", ("kimi/coat/1", "kimi/sofa/1"), "picked"))
        yield reader


def found(reader: Reader, text: str) -> set[str]:
    selection = asked(parse(text), lambda: Session(reader.path.parent / "annotations", "ana", reader.path.name))
    rowids = reader.ids(selection.selection(reader))
    return {row.ref.split("/")[1] for row in reader.rows(list(rowids))}


@pytest.mark.parametrize(
    ("text", "cases"),
    [
        ("tag:warm", "bike"),
        ("tag:WARM", "bike"),
        ("tag:phantom*", "bike"),
        ("tag:flips-across-runs", "lamp"),
        ("tag:*", "bike lamp"),
        ("tag:none", "coat sofa"),
        ("tag:warm,flips-across-runs", "bike lamp"),
        ("tag:absent", ""),
        ("stance:clear", "bike"),
        ("stance:defensible", ""),
        ("exemplar:yes", "bike"),
        ("exemplar:no", "bike coat lamp sofa"),
        ("note:refund", "bike"),
        ('note:"Refund"', "bike"),
        ('note:"refund"', ""),
        ("note:odd", "coat"),
        ("note:none", "lamp sofa"),
        # of one tag
        ("tag:phantom-action stance:clear", "bike"),
        ("tag:warm stance:clear", ""),
        ("tag:warm exemplar:yes stance:debatable", ""),
        # whose
        ("by:ana", "bike lamp"),
        ("by:bo", "bike coat"),
        ("by:none", "sofa"),
        ("by:none,bo", "bike coat sofa"),
        ("by:none queue:week", "sofa"),
        ("by:bo tag:phantom-action", ""),
        ("by:ana tag:warm", "bike"),
        ("by:ana verdict:fail", ""),
        ("by:bo verdict:fail", "bike"),
        ("by:bo reviewed:yes", "coat"),
        # of the whole conversation
        ("verdict:fail", "bike"),
        ("verdict:fail,pass", "bike coat"),
        ("verdict:none", "lamp sofa"),
        ("reviewed:yes", "bike coat"),
        ("reviewed:no", "lamp sofa"),
        ("reviewed:bo", "coat"),
        ("reviewed:end", "bike"),
        ("reviewed:part", "coat"),
        ("reviewed:unknown", ""),
        ("reviewed:END,part", "bike coat"),
        ("by:bo reviewed:part", "coat"),
        ("by:bo reviewed:end", ""),
        ("queue:week", "coat sofa"),
        ("queue:we*", "coat sofa"),
        ("queue:month", ""),
        ("queue:week reviewed:no", "sofa"),
        ("case:coat,lamp tag:*", "lamp"),
    ],
)
def test_each_term_lets_through_what_it_names(text: str, cases: str, reader: Reader) -> None:
    assert found(reader, text) == set(cases.split())
    if " " not in text and not text.startswith(("exemplar", "by")):
        assert found(reader, f"-{text}") == set(CASES) - set(cases.split())


def test_what_was_not_asked_is_not_looked_up(reader: Reader) -> None:
    assert not parse("case:bike").ledger
    assert found(reader, "case:bike") == {"bike"}
