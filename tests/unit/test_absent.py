"""A query that finds nothing says which of its names the store does not have."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.basics.errors import ReviewerError
from reviewer.benchmark.live.case_choice import chosen_cases
from reviewer.findings.questions import asked
from reviewer.marks import queues
from reviewer.marks.review import Session
from reviewer.transcripts.model import Score
from reviewer.transcripts.query import parse
from reviewer.transcripts.query.absence import unknown
from reviewer.transcripts.store.reader import Reader
from tests.builders import conversation, customer, store
from tests.forked import run

CALLED = "No tool here is “cancl*”. Did you mean cancel_order?"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("model:kimmi", ["No model here is “kimmi”. Did you mean kimi?"]),
        ("tool:cancl*", [CALLED]),
        ("tool:cancl* model:KIMI", [CALLED]),
        ("case:zzz,used-item-1", ["No case here is “zzz”; known: b, used-item-1."]),
        ("bucket:adversarial", ["No bucket here is “adversarial”."]),
        ("-model:zzz", []),
        ("model:none suite:none", []),
        ("score.TONE:>5", []),
        ("score.tune:>5", ["No scorer here is “tune”. Did you mean tone?"]),
        ('model:"kimi" case:used* messages:>99 ended:cut "words"', []),
    ],
)
def test_names_that_stand_nowhere(tmp_path: Path, query: str, said: list[str]) -> None:
    judged = replace(conversation(), scores=(Score("tone", 1.0),))
    path = store(tmp_path, judged, conversation(customer("Hi."), case="b"))
    with Reader(path) as reader:
        assert unknown(parse(query), reader.vocabulary, reader.orders.scorers) == said


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("case:b,used-item-2", ["No case here is “used-item-2”. Did you mean used-item-1?"]),
        ("case:b,nobody tool:gett", ["No case here is “nobody”; known: b, used-item-1."]),
        ("-model:kimmi", ["No model here is “kimmi”. Did you mean kimi?"]),
        ("case:b or -(model:kimi,kimmi)", ["No model here is “kimmi”. Did you mean kimi?"]),
        ("run:1,7 messages:>=1,>99", ["Nothing here has run:7."]),
        ("-run:7 -messages:>99 -error:yes", []),
        ("role:colleague,agent", []),
        ("-ended:turn_limt", ["No ending here is “turn_limt”. Did you mean turn-limit?"]),
        ("meta.channel:chat,mail", ["Nothing here has meta.channel:mail."]),
        ("-meta.chanel:chat", ["Nothing here has meta.chanel:chat. Did you mean meta.channel:?"]),
        ("score.tone:1,2", ["Nothing here has score.tone:2."]),
        ("-score.tune:1", ["No scorer here is “tune”. Did you mean tone?"]),
        ("source:built.jsonl,other.jsonl", ["No source here is “other.jsonl”. Did you mean built.jsonl?"]),
        ("tag:warm,wram", ["Nothing here has tag:warm.", "No mode here is “wram”. Did you mean warm?"]),
        ("by:ana,anna", ["No reviewer here is “anna”. Did you mean ana?"]),
        ("verdict:pass,fail,pas", ["Nothing here has verdict:fail.", "No verdict here is “pas”. Did you mean pass?"]),
        ("reviewed:yes,none,bo", ["Nothing here has reviewed:bo."]),
        ("queue:week_23,weak-23", ["No queue here is “weak-23”. Did you mean week-23?"]),
        ("case:none,b wrote:yes,no", []),
        ("case:B,Used_Item-1 model:kimi", []),
    ],
)
def test_a_value_that_finds_nothing_is_named_whatever_the_others_find(
    tmp_path: Path, query: str, said: list[str]
) -> None:
    path = stocked(tmp_path)
    session = Session(tmp_path / "annotations", "ana", path.name)
    with Reader(path) as reader:
        question = asked(parse(query), lambda: session)
        assert question.unmatched(reader) == said
        if said:
            question.selection(reader)


def stocked(folder: Path) -> Path:
    """Two conversations, one of them judged, tagged and in a queue."""
    judged = replace(conversation(), scores=(Score("tone", 1.0),), meta={"channel": "chat"}, ended_by="turn-limit")
    path = store(folder, judged, conversation(customer("Hi."), case="b"))
    annotations = folder / "annotations"
    with Reader(path) as reader:
        stored = reader.stored(reader.find("kimi/used-item-1/1")[0])
    session = Session(annotations, "ana", path.name)
    session.modes.add("Warm")
    session.verdict(stored, "pass")
    queues.save(annotations, queues.Queue("week-23", (stored.ref,)))
    return path


@pytest.mark.parametrize(
    "command",
    ["list", "search", "tags", "export", "export --format conversations", "open", "board", "modes", "findings"],
)
def test_every_command_names_it_beside_its_output(tmp_path: Path, command: str) -> None:
    path, (name, *options) = stocked(tmp_path), command.split()
    words = ["Hi"] if name == "search" else []
    ended = run(name, path, *words, "case:b,used-item-2", *options)
    assert ended.stderr.count("No case here is “used-item-2”. Did you mean used-item-1?") == 1, ended


def test_nothing_is_said_twice_where_nothing_passes(tmp_path: Path) -> None:
    ended = run("list", stocked(tmp_path), "model:kimmi case:b,c,used-item-2")
    assert ended.stderr.splitlines() == [
        "No case here is “c”; known: b, used-item-1.",
        "No case here is “used-item-2”. Did you mean used-item-1?",
        "No conversation matches.",
        "No model here is “kimmi”. Did you mean kimi?",
    ]


def test_cases_to_run_are_chosen_the_same_way() -> None:
    said: list[str] = []
    cases = chosen_cases("family:fraud_reroute,fraud-rerout", remark=said.append)
    assert {case.facts.family for case in cases} == {"fraud reroute"}
    assert said == ["No family here is “fraud-rerout”. Did you mean fraud reroute or return request?"]
    with pytest.raises(ReviewerError) as raised:
        chosen_cases("family:trackng")
    assert raised.value.hint == "No family here is “trackng”. Did you mean tracking?"


def test_list_and_search_say_so_beside_their_output(tmp_path: Path) -> None:
    path = store(tmp_path)
    for command, words, said in (("list", [], "No conversation matches."), ("search", ["refund"], "Nothing found.")):
        ended = run(command, path, "model:kimmi", *words)
        assert (ended.returncode, ended.stdout) == (0, "")
        assert ended.stderr.splitlines() == [said, "No model here is “kimmi”. Did you mean kimi?"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("messages:>99 model:kimi", "messages:>99 finds nothing by itself."),
        ("messages:>99 calls:>9 refund*", "messages:>99 and calls:>9 find nothing by themselves."),
        ("case:b cancelled", "Without case:b or without cancelled something does."),
        ("-(case:b) role:agent -cancelled", "Without -cancelled or without -(case:b) something does."),
        ("case:b case:used-item-1 cancelled", "Without case:b something does."),
        ("case:b or messages:>99", None),
    ],
)
def test_what_excludes_all_the_rest_is_said(tmp_path: Path, query: str, said: str | None) -> None:
    path = store(tmp_path, conversation(), conversation(customer("A refund."), case="b"))
    ended = run("list", path, *query.split())
    assert ended.stderr.splitlines() == (["No conversation matches.", said] if said else [])
