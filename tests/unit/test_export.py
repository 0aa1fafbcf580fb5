"""Exports: what reviewers marked, printed so that it slots into a report, and nothing of it comes alive."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reviewer.figures.export.markdown import code, escaped
from reviewer.figures.measure import metrics
from reviewer.marks import queues
from reviewer.marks.folder import SUPPORT
from reviewer.marks.queues import Queue
from reviewer.marks.review import Session
from reviewer.transcripts.model import Case, Conversation, Message, Score, Stored
from reviewer.transcripts.refs import Absence, Ref, parse
from reviewer.transcripts.store.connection import reading
from reviewer.transcripts.store.reader import Reader
from tests import builders
from tests.builders import CANCELLED, agent, call, conversation, customer
from tests.forked import run
from tests.unmeasured import environment

HOSTILE = conversation(
    customer("*Hi* <b>\x1b[31m\u202e http://x.y [a](b)"), agent("`x` </think> https://evil.example/a"), case="o|x"
)
MODE = "invented-delivery-date"


def marked(tmp_path: Path, *conversations: Conversation, synthetic: bool = False) -> tuple[Session, list[Stored]]:
    """A store, a session on it, and its conversations."""
    path = builders.store(tmp_path, *conversations, synthetic=synthetic)
    with Reader(path) as reader:
        stored = [reader.stored(rowid) for rowid in reader.ids()]
    return Session(tmp_path / "annotations", "Ann Lee", "runs.db", SUPPORT), stored


def exported(tmp_path: Path, *words: str) -> str:
    said = run("export", "runs.db", *words, cwd=tmp_path)
    assert said.returncode == 0, said.stderr
    return said.stdout


def objects(tmp_path: Path, *words: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in exported(tmp_path, "--format", "jsonl", *words).splitlines()]


def claim(stored: Stored) -> Ref:
    return Ref(stored.ref, 2, span=(63, 82))


def test_an_excerpt_prints_as_reports_do(tmp_path: Path) -> None:
    facts = Case("cancel-1", family="cancel-before-ship", bucket="resolvable")
    scores = (
        Score("instruction-following", 0.38, judge="a judge"),
        Score("instruction-following", 0.9, judge="b judge"),
    )
    source = Conversation("kimi", CANCELLED, case="cancel-1", run=1, facts=facts, scores=scores)
    session, (stored,) = marked(tmp_path, source)
    session.tag(stored, "fires-on-first-message", Ref(stored.ref, 2, span=(0, 48)), clause='fired first, no "shall I?"')
    session.reviewed(stored, queue="week-23", seen=4, of=4)
    page = exported(tmp_path)
    assert (
        '- Cancel before ship (0.38): 🤖 "Your order #1130 has been cancelled successfully…" fired first, no "shall I?"'
        " `kimi/cancel-1/1#2:0-48` · Ann Lee · in 1 run; 1 reviewed to the end\n"
    ) in page
    assert "## Instruction-following\n\n### Fires on the first message\n" in page
    assert (
        "1 tag in 1 of 1 conversation. 1 reviewed to the end: 1 in week-23 (picked). In brackets: the family's" in page
    )
    assert "median over runs, judged by a judge." in page
    assert "In brackets" not in exported(tmp_path, "tag:warm")
    assert "1 tag in 1 conversation on 1 case; 1 of all: 1 of the store reviewed to the end (100%)." in page
    assert "SYNTHETIC" not in page


def test_what_a_judge_noted_is_quoted_as_the_judges_words(tmp_path: Path) -> None:
    scores = (Score("tone", 0.0, "kimi", "Rude. It was <b>never</b> cancelled."),)
    session, (stored,) = marked(tmp_path, replace(conversation(), scores=scores))
    note = parse(f"{stored.ref}#judge.tone@kimi:6-36")
    session.tag(stored, MODE, note)
    session.tag(stored, MODE, claim(stored), evidence=[note])
    page = exported(tmp_path)
    assert 'Judge: "It was &lt;b&gt;never&lt;/b&gt; cancelled."' in page
    assert "kimi/used-item-1/1#judge.tone@kimi:6-36" in page
    blocks = exported(tmp_path, "--context", "1")
    assert 'Judge: "It was' in blocks
    assert "Judge: <q>It was &lt;b&gt;never&lt;/b&gt; cancelled.</q>" in exported(tmp_path, "--format", "html")
    assert [each["quote"] for each in objects(tmp_path)] == [
        "It was <b>never</b> cancelled.",
        "delivered yesterday",
    ]
    run("export", "runs.db", "--format", "qdpx", "-o", "out.qdpx", cwd=tmp_path)
    with zipfile.ZipFile(tmp_path / "out.qdpx") as archive:
        source = next(archive.read(name).decode() for name in archive.namelist() if name.startswith("sources/"))
        project = archive.read("project.qde").decode()
    at = source.index("It was <b>never")
    assert f'startPosition="{at}" endPosition="{at + 30}"' in project
    assert "@kimi" not in exported(tmp_path, "--mask-models")


def test_the_evidence_is_the_clause_when_nobody_wrote_one(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    field = Ref(stored.ref, 2, 1, "result").field("/status")
    session.tag(stored, MODE, claim(stored), evidence=[field])
    assert '🤖 "…delivered yesterday…" (get_order status: in transit).' in exported(tmp_path).replace("\\_", "_")


EVERY_FORMAT = ("md", "html", "csv", "jsonl", "qdpx")


@pytest.mark.parametrize("format", EVERY_FORMAT)
def test_evidence_stands_beside_the_clause_and_is_never_replaced_by_it(format: str, tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    field = Ref(stored.ref, 2, 1, "result").field("/status")
    session.tag(stored, MODE, claim(stored), clause="out of nowhere", evidence=[field, Absence("handover", 5)])
    exported(tmp_path, "--format", format, "-o", "out")
    if format == "qdpx":
        with zipfile.ZipFile(tmp_path / "out") as archive:
            page = archive.read("project.qde").decode()
    else:
        page = (tmp_path / "out").read_text("utf-8").replace("\\_", "_")
    assert "out of nowhere" in page
    assert re.search(r"get_order (#2\.1 · )?status: in transit[,;] no handover", page)


def test_a_spreadsheet_has_a_column_of_its_own_for_evidence(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    result = Ref(stored.ref, 2, 1, "result")
    proofs: list[Ref | Absence] = [
        result.field("/status"), replace(result, span=(33, 38)), Ref(stored.ref, 3), Ref(stored.ref, 2, 2),
        Absence("confirmation", 2),
    ]  # fmt: skip
    session.tag(stored, MODE, claim(stored), evidence=proofs)
    (row,) = csv.DictReader(io.StringIO(exported(tmp_path, "--format", "csv").removeprefix("\ufeff")))
    assert row["clause"] == ""
    assert row["evidence"] == (
        "get_order #2.1 · status: in transit; get_order #2.1 · carrier: UPS; "
        'customer #3 · "Wait, it was shipped already?"; cancel_order #2.2 · called; no confirmation before #2'
    )


def sentences_of(*lengths: int) -> str:
    """Sentences of so many words each, told apart by their numbers."""
    return " ".join(" ".join(f"w{number}" for _ in range(words)) + "." for number, words in enumerate(lengths))


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        (sentences_of(30, 20), sentences_of(30, 20)),
        (sentences_of(30, 20, 5), sentences_of(30, 20) + " …"),
        (sentences_of(30, 60), sentences_of(30) + " …"),
        (sentences_of(70, 3), sentences_of(70) + " …"),
        (sentences_of(90), " ".join(["w0"] * 40) + "…"),
        ("好。" * 200, "好。" * 140 + " …"),
    ],
)
@pytest.mark.parametrize("format", ["md", "html"])
def test_a_message_is_quoted_by_whole_sentences(format: str, said: str, printed: str, tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation(customer("Hi"), agent(said)))
    session.tag(stored, MODE, Ref(stored.ref, 2))
    wanted = f'🤖 "{printed}"' if format == "md" else f"🤖 <q>{printed}</q>"
    assert wanted in exported(tmp_path, "--format", format)


@pytest.mark.parametrize("format", ["md", "html"])
def test_two_speakers_words_are_printed_each_as_its_speakers(format: str, tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    session.tag(
        stored, MODE, Ref(stored.ref, 1, span=(0, 26)), *(Ref(stored.ref, 2, span=at) for at in ((0, 10), (63, 82)))
    )
    page = exported(tmp_path, "--format", format).replace("…", "").replace('"', "")
    words = ("Please cancel order #1130,", "Your order  delivered yesterday")
    said = words if format == "md" else [f"<q>{each}</q>" for each in words]
    assert f"👤 {said[0]} → 🤖 {said[1]}" in page
    assert [each["speaker"] for each in objects(tmp_path)] == ["customer, agent"]


def test_two_exemplars_of_one_mode_are_joined_and_a_third_has_its_own_line(tmp_path: Path) -> None:
    session, stored = marked(tmp_path, *(conversation(case=f"case-{number}") for number in range(4)))
    for each, span in zip(stored, ((0, 10), (26, 35), (63, 72), (73, 82)), strict=True):
        session.tag(each, MODE, Ref(each.ref, 2, span=span), exemplar=each is not stored[3])
    lines = [line for line in exported(tmp_path).splitlines() if line.startswith("- ")]
    assert [line.partition(" `")[0] for line in lines] == [
        '- Case 0, Case 1: 🤖 "Your order…" / 🤖 "…cancelled…"',
        '- Case 2: 🤖 "…delivered…"',
        '- Case 3: 🤖 "…yesterday…"',
    ]
    assert "`kimi/case-0/1#2:0-10`, `kimi/case-1/1#2:26-35` · Ann Lee · exemplar" in lines[0]
    assert exported(tmp_path, "--context", "1").count("> 👤") == 4


def test_the_same_words_are_counted_and_two_quotes_of_one_conversation_joined(tmp_path: Path) -> None:
    session, stored = marked(tmp_path, conversation(), conversation(run=2), conversation(run=3))
    for each in stored[:2]:
        session.tag(each, MODE, claim(each))
    session.tag(stored[2], MODE, Ref(stored[2].ref, 2, span=(0, 10)), Ref(stored[2].ref, 2, span=(26, 35)))
    session.tag(stored[2], MODE, Ref(stored[2].ref, 4))
    page = exported(tmp_path)
    assert '"…delivered yesterday…" ×2. `kimi/used-item-1/1#2:63-82`, `kimi/used-item-1/2#2:63-82`' in page
    assert '🤖 "Your order … cancelled…" / 🤖 "Yes, it was. Sorry about that!" `kimi/used-item-1/3#2:0-10`, ' in page
    assert "Seen 4 times in 3 conversations on 1 case; none reviewed: no rate." in page
    assert " · Ann Lee · runs 1, 2, 3 not reviewed\n" in page


def test_a_rate_is_printed_of_a_drawn_queue_and_never_of_a_picked_one(tmp_path: Path) -> None:
    session, stored = marked(tmp_path, *(conversation(run=number) for number in range(1, 7)))
    refs = tuple(each.ref for each in stored)
    queues.save(tmp_path / "annotations", Queue("weekly", refs[:4], "drawn", "model:ki*", 7, of=6))
    queues.save(tmp_path / "annotations", Queue("odd ones", refs[4:]))
    for each in (stored[0], stored[0], stored[4]):
        session.tag(each, MODE, claim(each))
    session.reviewed(stored[4], queue="odd ones")
    page = exported(tmp_path)
    assert "in 2 conversations on 1 case; 1 conversation reviewed (unknown how far), not drawn: no rate." in page
    for seen, each in enumerate(stored[:3], start=2):
        session.reviewed(each, queue="weekly", seen=seen, of=4)
    page = exported(tmp_path)
    frame = "4 drawn from 6 of “model:ki\\*”"
    assert "3 tags in 2 of 6 conversations. 4 reviewed (1 to the end, 2 in part, 1 unknown how far):" in page
    assert f": 1 in odd ones (picked), 3 in weekly ({frame})." in page
    assert (
        f"3 tags in 2 conversations on 1 case; 1 of the 3 reviewed (1 to the end, 2 in part) in weekly, {frame} (33%)."
        in page
    )
    assert "in weekly, 4 drawn from 6 of “model:ki*” (33%)." in exported(tmp_path, "--format", "html")


def test_a_rate_of_a_part_of_a_queue_names_the_part(tmp_path: Path) -> None:
    session, stored = marked(tmp_path, conversation(), conversation(model="other"))
    refs = tuple(each.ref for each in stored)
    queues.save(tmp_path / "annotations", Queue("week", refs, "exhaustive", of=2))
    session.tag(stored[1], MODE, claim(stored[1]))
    for each in stored:
        session.reviewed(each, queue="week", seen=4, of=4)
    assert "1 of the 2 reviewed to the end in week, holding all 2 in its store (50%)." in exported(tmp_path)
    page = exported(tmp_path, "model:other", "by:ann*")
    assert "1 tag in 1 of 1 conversation of “model:other”." in page
    assert "1 of the 1 reviewed to the end in week within “model:other”, holding all 2 in its store (100%)." in page


def test_a_masked_export_hides_what_queries_name(tmp_path: Path) -> None:
    session, stored = marked(tmp_path, conversation(), conversation(model="other"))
    queues.save(tmp_path / "annotations", Queue("week", (stored[0].ref,), "drawn", 'model:kimi "Ann Lee"', of=9))
    session.tag(stored[0], MODE, claim(stored[0]))
    session.reviewed(stored[0], queue="week")
    assert '1 drawn from 9 of “model:model-A "Ann Lee"” (100%)' in exported(tmp_path, "--mask-models")
    page = exported(tmp_path, "--mask-customers", "model:kimi")
    assert "conversation of “[masked]”" in page.replace("\\", "")
    assert "drawn from 9 of “[masked]” (100%)" in page.replace("\\", "")


def test_a_drawn_queue_is_known_by_its_own_name_and_not_by_that_of_its_file(tmp_path: Path) -> None:
    session, (stored, _) = marked(tmp_path, conversation(), conversation(run=2))
    queues.save(tmp_path / "annotations", Queue("Week 23.5", (stored.ref,), "drawn", seed=7))
    session.tag(stored, MODE, claim(stored))
    session.reviewed(stored, queue="Week 23.5")
    assert (
        "1 of the 1 reviewed (unknown how far) in Week 23.5, 1 drawn from conversations nobody recorded (100%)."
        in exported(tmp_path)
    )


def test_only_reviews_among_what_is_counted_of_are_counted(tmp_path: Path) -> None:
    session, stored = marked(tmp_path, conversation(), conversation(model="other"))
    for each in stored:
        session.tag(each, MODE, claim(each))
        session.reviewed(each)
    assert "1 tag in 1 of 1 conversation of “model:other”. 1 reviewed (unknown how far)." in exported(
        tmp_path, "model:other"
    )


def test_whose_reviews_are_asked_for_or_left_out_are_counted_alone(tmp_path: Path) -> None:
    session, stored = marked(tmp_path, *(conversation(run=number) for number in (1, 2, 3)))
    session.tag(stored[0], MODE, claim(stored[0]))
    session.reviewed(stored[0])
    for each in stored[1:]:
        Session(tmp_path / "annotations", "Bob", "runs.db", SUPPORT).reviewed(each)
    for query, count in (("", 3), ("by:ann*", 1), ("by:bob", 2), ("-by:bob", 1)):
        assert f"{count} reviewed (unknown how far)." in exported(tmp_path, query)


def test_tags_of_another_store_are_neither_printed_nor_listed(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    session.tag(stored, MODE, claim(stored))
    builders.store(tmp_path, conversation(model="other"), name="other.db")
    ran = run("export", "other.db", cwd=tmp_path)
    assert "0 tags in 0 of 1 conversation. None reviewed" in ran.stdout
    assert (ran.stderr, "left out" in ran.stdout.lower()) == ("", False)


def test_a_quote_of_whole_sentences_is_not_said_to_be_cut(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    session.tag(stored, MODE, Ref(stored.ref, 2, span=(50, 83)))
    assert '🤖 "It should be delivered yesterday."' in exported(tmp_path)


def test_the_score_of_a_family_is_the_median_of_its_runs(tmp_path: Path) -> None:
    facts = Case("cancel-1", family="cancel", bucket="resolvable")
    runs = [
        Conversation(
            "kimi", CANCELLED, case="cancel-1", run=run, facts=facts, scores=(Score(metrics.FOLLOWING, value),)
        )
        for run, value in ((1, 0.9), (2, 0.2), (3, 0.6))
    ]
    session, (stored, *_) = marked(tmp_path, *runs)
    session.tag(stored, MODE, claim(stored))
    assert "- Cancel (0.60): 🤖" in exported(tmp_path)


def test_what_is_asked_of_marks_does_not_shrink_what_is_counted_of(tmp_path: Path) -> None:
    session, stored = marked(tmp_path, *(conversation(run=number) for number in range(1, 4)))
    other = Session(tmp_path / "annotations", "Bob", "runs.db", SUPPORT)
    for each in stored:
        session.reviewed(each)
    session.tag(stored[0], "warm", Ref(stored[0].ref, 4))
    other.tag(stored[1], "warm", Ref(stored[1].ref, 4))
    other.reviewed(stored[1])
    assert "1 of all: 3 of the store reviewed (unknown how far) (33%)." in exported(tmp_path, "tag:warm", "by:ann*")
    page = exported(tmp_path, "by:bob")
    assert "1 tag in 1 of 3 conversations. 1 reviewed (unknown how far)." in page
    assert (
        "Seen once in 1 conversation on 1 case; 1 conversation reviewed (unknown how far), not drawn: no rate." in page
    )


def test_two_reviewers_words_of_one_conversation_are_printed_once(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    session.tag(stored, MODE, claim(stored), stance="clear")
    Session(tmp_path / "annotations", "Bob", "runs.db", SUPPORT).tag(stored, MODE, claim(stored))
    (line,) = [line for line in exported(tmp_path).splitlines() if line.startswith("- ")]
    assert line == (
        '- Used item 1: 🤖 "…delivered yesterday…" `kimi/used-item-1/1#2:63-82` · Ann Lee, Bob'
        " · run 1 not reviewed · clear"
    )


def test_what_was_thought_or_fired_is_not_printed_as_said(tmp_path: Path) -> None:
    thinking = agent(
        "Done.", call("get_order", '{"id":1}', '{"status":"in transit"}'), reasoning="Just say it is done."
    )
    session, (stored,) = marked(tmp_path, conversation(customer("Hi"), thinking))
    at = Ref(stored.ref, 2)
    session.tag(stored, MODE, replace(at, part="reasoning", span=(0, 8)), at, clause="so said")
    session.tag(stored, "warm", Ref(stored.ref, 2, 1, "result", span=(11, 21)))
    session.tag(stored, "phantom-action", Ref(stored.ref, 2, 1))
    page = exported(tmp_path).replace("\\_", "_")
    assert '🤖 (thinking) "Just say…" → 🤖 "Done." so said' in page
    assert '🔧 get_order "in transit"' in page
    assert '🔧 `get_order {"id":1}`' in page


def test_runs_say_in_how_many_of_those_read_it_was_seen(tmp_path: Path) -> None:
    session, stored = marked(tmp_path, *(conversation(run=number) for number in range(1, 4)))
    for each in stored[:2]:
        session.tag(each, MODE, claim(each))
        session.reviewed(each)
    assert " · in 2 runs; 2 reviewed (unknown how far); run 3 not reviewed\n" in exported(tmp_path)
    session.reviewed(stored[2])
    assert " · in 2 runs; 3 reviewed (unknown how far)\n" in exported(tmp_path)


def test_every_cut_is_said_whatever_the_script(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation(customer("多谢" * 5_000), agent("word " * 90)))
    for number in (1, 2):
        session.tag(stored, "warm", Ref(stored.ref, number), evidence=[Ref(stored.ref, 1)])
    lines = [line for line in exported(tmp_path).splitlines() if line.startswith("- ")]
    assert max(map(len, lines)) < 1_500
    assert f'👤 "{"多谢" * 140}…"' in lines[0]
    assert f'🤖 "{("word " * 40).strip()}…"' in lines[0]


def test_a_conversation_as_a_whole_is_nobodys_words(tmp_path: Path) -> None:
    prompt = Message("system", "You are an agent.", source_role="system")
    session, (stored,) = marked(tmp_path, conversation(prompt, customer("Hi"), agent("Bye")))
    session.tag(stored, "warm")
    session.tag(stored, "warm", Ref(stored.ref, 3))
    assert len([line for line in exported(tmp_path).splitlines() if line.startswith("- ")]) == 2
    assert {found["quote"]: found["speaker"] for found in objects(tmp_path)} == {"": None, "Bye": "agent"}
    assert '\n> 👤 "Hi" → 🤖 "Bye" → no handover\n' in exported(tmp_path, "--context", "2")


def test_what_came_of_a_whole_conversation_is_said_once(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    session.tag(stored, "warm", evidence=[Absence("handover", 5)])
    session.tag(stored, MODE, Ref(stored.ref, 2), evidence=[Absence("handover", 5), Absence("handover", 3)])
    page = exported(tmp_path)
    assert "- Used item 1: the whole conversation (cancel, no handover). `" in page
    assert '" (no handover). `' in page


def test_the_same_words_in_several_families_are_not_one_familys(tmp_path: Path) -> None:
    made = [conversation(case=name) for name in ("a", "b", "c", "d", "e")]
    session, stored = marked(tmp_path, *made)
    for each in stored:
        session.tag(each, MODE, claim(each), clause=f"of {each.ref}", exemplar=each is stored[3])
    (line,) = [line for line in exported(tmp_path).splitlines() if line.startswith("- ")]
    assert line.startswith('- D, A, B and 2 more: 🤖 "…delivered yesterday…" of kimi/d/1 ×5. `kimi/d/1#2:63-82`, ')
    assert "read" not in line


def test_with_surroundings_no_quote_of_a_conversation_is_lost(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    for number in (2, 4):
        session.tag(stored, MODE, Ref(stored.ref, number))
    page = exported(tmp_path, "--context", "1")
    assert page.count("> 👤") == 2


def test_whoever_quotes_a_customer_that_a_model_played_sees_it(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    session.tag(stored, MODE, claim(stored))
    formats = ("md", "html", "csv", "jsonl", "conversations")
    before = [exported(tmp_path, "--format", name) for name in formats]
    assert "simulated customer" not in "".join(before).lower()
    builders.with_simulated_customers(tmp_path / "runs.db")
    page, html, table, lines, conversations = (exported(tmp_path, "--format", name) for name in formats)
    for printed in (page, html):
        assert "SIMULATED CUSTOMERS: a model played them" in printed
        assert " · simulated customer" in printed
    (row,) = csv.DictReader(io.StringIO(table))
    assert (row["synthetic"], row["simulated"]) == ("no", "yes")
    assert json.loads(lines)["simulated"] is True
    assert json.loads(conversations)["simulated"] is True
    exported(tmp_path, "--format", "qdpx", "-o", "p.qdpx")
    with zipfile.ZipFile(tmp_path / "p.qdpx") as archive:
        texts = [archive.read(name).decode() for name in archive.namelist()]
    assert len(texts) == 2
    assert all("SIMULATED CUSTOMERS" in text for text in texts)
    assert "runs.db · 1 conversations · simulated customer" in run("open", "runs.db", cwd=tmp_path).stdout
    assert "Simulated customers: a model played them" in run("info", "runs.db", cwd=tmp_path).stdout
    assert f"{stored.ref} · simulated customer · " in run("show", "runs.db", stored.ref, cwd=tmp_path).stdout
    assert run("modes", "runs.db", cwd=tmp_path).stdout.startswith("Simulated customers.\n")


def test_a_simulated_customer_stays_one_on_the_way_through_an_export(tmp_path: Path) -> None:
    marked(tmp_path, conversation())
    builders.with_simulated_customers(tmp_path / "runs.db")
    (tmp_path / "out.jsonl").write_text(exported(tmp_path, "--format", "conversations"), encoding="utf-8")
    for into, harness in (("again.db", "simulated customer"), ("runs.db", "inspect 0.3, simulated customer")):
        assert run("import", "out.jsonl", "--into", into, cwd=tmp_path).returncode == 0
        with Reader(tmp_path / into) as reader, reading(tmp_path / into) as db:
            assert [reader.stored(rowid).mark for rowid in reader.ids()] == ["simulated customer"]
            assert db.execute("SELECT harness FROM runs").fetchall() == [(harness,)]


def test_a_synthetic_source_says_so_everywhere(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation(), synthetic=True)
    session.tag(stored, MODE, claim(stored))
    assert exported(tmp_path).count("SYNTHETIC") == 2
    assert objects(tmp_path)[0]["synthetic"] is True


def test_context_makes_a_block_with_what_came_of_it(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    session.tag(stored, "adopts-false-premise", Ref(stored.ref, 4), note="ask the desk")
    page = exported(tmp_path, "--context", "1")
    assert (
        '> 👤 "Wait, it was shipped already?" → 🤖 "Yes, it was. Sorry about that!" → cancel, no handover\n>\n> (Used'
    ) in page
    assert "ask the desk" not in page
    assert "note (Ann Lee): ask the desk" in exported(tmp_path, "--notes")


def test_jsonl_holds_every_field_and_surroundings(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    field = Ref(stored.ref, 2, 1, "result").field("/status")
    session.tag(stored, MODE, claim(stored), evidence=[field], note="n", clause="c", stance="clear", exemplar=True)
    (found,) = objects(tmp_path, "--context", "1")
    expected = {
        "mode": MODE, "family_score": None,
        "store": "runs.db", "ref": f"{stored.ref}#2:63-82", "code": MODE, "reviewer": "Ann Lee", "speaker": "agent",
        "quote": "delivered yesterday", "note": "n", "clause": "c", "stance": "clear", "exemplar": True,
        "case": "used-item-1", "model": "kimi", "run": 1, "synthetic": False, "section": "Tool usage and grounding",
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected
    assert found["evidence"][0]["quote"] == "in transit"
    assert found["pieces"][0]["after"] == "."
    assert [each["message"] for each in found["surroundings"]] == [1, 2, 3]


def test_drifted_tags_are_left_out_and_listed(tmp_path: Path) -> None:
    session, _ = marked(tmp_path, conversation(CANCELLED[0], agent("Soon."), *CANCELLED[2:]))
    session.tag(builders.stored(), MODE, claim(builders.stored()))
    said = run("export", "runs.db", cwd=tmp_path)
    assert "- drifted: `kimi/used-item-1/1#2:63-82` invented-delivery-date · Ann Lee" in said.stdout
    assert "left out, drifted: kimi/used-item-1/1#2:63-82" in said.stderr
    assert objects(tmp_path) == []


@pytest.mark.parametrize("format", ["md", "jsonl"])
def test_nothing_hostile_comes_alive(format: str, tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, HOSTILE)
    for number in (1, 2):
        session.tag(stored, "fabricated-url", Ref(stored.ref, number), note="<img>", clause="[x](y)")
    text = exported(tmp_path, "--format", format, "--notes", "--context", "1")
    assert not {"\x1b", "\u202e"} & set(text)
    if format == "md":
        assert "<b>" not in text
        assert "<img>" not in text
        assert "https://" not in text
        assert "](" not in text.replace("\\](", "")


def test_markdown_is_escaped() -> None:
    assert escaped("a_b _x_ *c*\n# d `e` <f> [g](h) http://i") == (
        "a_b \\_x\\_ \\*c\\* # d \\`e\\` &lt;f&gt; \\[g\\](h) http\\://i"
    )
    assert (code("a`b"), code("a")) == ("`` a`b ``", "`a`")


def test_a_query_chooses_conversations_and_tags(tmp_path: Path) -> None:
    session, stored = marked(tmp_path, conversation(), conversation(run=2), conversation(run=3, case="other"))
    session.tag(stored[0], MODE, claim(stored[0]))
    session.tag(stored[0], "warm", Ref(stored[0].ref, 4), stance="debatable", note="ask the desk")
    session.tag(stored[1], "warm", Ref(stored[1].ref, 4), exemplar=True)
    session.verdict(stored[1], "fail")
    session.reviewed(stored[1])
    session.tag("kimi/used-item-1", "flips-across-runs")

    def refs(query: str) -> list[str]:
        return [f"{found['ref'].removeprefix('kimi/')} {found['code']}" for found in objects(tmp_path, query)]

    assert refs("tag:warm") == ["used-item-1/2#4 warm", "used-item-1/1#4 warm"]
    assert refs("tag:warm run:1") == ["used-item-1/1#4 warm"]
    assert refs("verdict:fail") == ["used-item-1/2#4 warm", "used-item-1 flips-across-runs"]
    assert refs("stance:debatable") == refs("note:desk") == ["used-item-1/1#4 warm"]
    assert refs("exemplar:yes") == ["used-item-1/2#4 warm"]
    assert refs("tag:none") == []
    assert refs("by:nobody") == []
    assert refs("tag:flips-across-runs") == ["used-item-1 flips-across-runs"]
    assert "0 tags in 0 of 3 conversations. 1 reviewed (unknown how far)." in exported(tmp_path, "tag:none")


def test_a_file_a_wrong_format_and_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    session.tag(stored, MODE, claim(stored))
    said = run("export", "runs.db", "-o", "out.md", cwd=tmp_path)
    assert said.stderr == "1 excerpt in out.md.\n"
    assert (tmp_path / "out.md").read_text("utf-8") == exported(tmp_path)
    assert "1 excerpt in out.md, which was replaced.\n" in run("export", "runs.db", "-o", "out.md", cwd=tmp_path).stderr
    assert "There is no format “pdf”" in run("export", "runs.db", "--format", "pdf", cwd=tmp_path).stderr
    assert "cannot be written" in run("export", "runs.db", "-o", "no/where/x", cwd=tmp_path).stderr


@pytest.mark.parametrize(
    "place", ["runs.db", "other.db", "annotations/ann-lee.jsonl", "annotations/ann-lee-2.jsonl", "link"]
)
def test_an_export_is_never_written_where_evidence_or_annotations_are_kept(place: str, tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    session.tag(stored, MODE, claim(stored))
    builders.store(tmp_path, name="other.db")
    (tmp_path / "link").symlink_to(tmp_path / "runs.db")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for format in ("md", "qdpx", "conversations"):
        said = run("export", "runs.db", "--format", format, "-o", place, cwd=tmp_path)
        assert (said.returncode, said.stdout) == (2, "")
        assert f"{place} is kept for evidence and annotations." in said.stderr
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_file_is_there_whole_or_as_it_was(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    session.tag(stored, MODE, claim(stored))
    (tmp_path / "out.jsonl").write_text("earlier")
    limited = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)); from reviewer.cli import main; main()"
    )
    words = [sys.executable, "-c", limited, "export", "runs.db", "--format", "jsonl", "-o", "out.jsonl"]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, env=environment())
    assert ran.returncode == 2
    assert "out.jsonl cannot be written: File too large." in ran.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["annotations", "out.jsonl", "runs.db"]
    assert (tmp_path / "out.jsonl").read_text() == "earlier"
