"""Sentences of a report that somebody would say aloud: nothing twice, no dumps, no rate of what was not drawn."""

from __future__ import annotations

import json
from pathlib import Path

from reviewer.marks import queues
from reviewer.marks.queues import Queue
from reviewer.transcripts.model import Case, Conversation, ToolCall, Usage
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.refs import parse as parse_ref
from tests import builders as b
from tests.unit.test_report import DATE, EASY, TRAP, WARM, Desk, said, section, talk, three_runs


def cases(count: int) -> list[Conversation]:
    return [talk(Case(f"easy-{number}", family="wismo", bucket="resolvable"), 1) for number in range(1, count + 1)]


def draw(desk: Desk, refs: list[str]) -> None:
    """Keep a drawn queue of these conversations, and review them in it."""
    queues.save(desk.folder, Queue("draw", tuple(refs), "drawn", seed=1, of=len(desk.stored)))
    ann = desk.session()
    for ref in refs:
        ann.reviewed(desk.stored[ref], queue="draw")


def test_words_that_two_people_marked_are_quoted_once_with_both_names(tmp_path: Path) -> None:
    desk = Desk(tmp_path, talk(EASY, 1))
    ref = next(iter(desk.stored))
    desk.session("ann").tag(desk.stored[ref], WARM, Ref(ref, 2, span=(0, 27)))
    desk.session("bo").tag(desk.stored[ref], WARM, Ref(ref, 2, span=(3, 26)))
    line = next(line for line in desk.page().splitlines() if line.startswith("- Wismo"))
    assert " / " not in line
    assert line.count("delivered yesterday") == 1
    assert "ann, bo" in line


def test_other_words_of_the_same_message_are_quoted_beside(tmp_path: Path) -> None:
    desk = Desk(tmp_path, talk(EASY, 1))
    ref = next(iter(desk.stored))
    desk.session("ann").tag(desk.stored[ref], WARM, Ref(ref, 2, span=(0, 27)))
    desk.session("bo").tag(desk.stored[ref], WARM, Ref(ref, 2, span=(28, 47)))
    line = next(line for line in desk.page().splitlines() if line.startswith("- Wismo"))
    assert '"It was delivered yesterday." / 🤖 "Sorry for the wait!"' in line


def test_a_long_result_is_named_as_evidence_and_a_short_one_quoted(tmp_path: Path) -> None:
    for name, result in (("long", json.dumps({"note": "x" * 200})), ("short", '{"error":"gone"}')):
        home = tmp_path / name
        home.mkdir()
        messages = (b.customer("x"), b.agent("Done.", ToolCall("get_order", "{}", result)))
        desk = Desk(home, Conversation("m", messages, case=EASY.id, run=1, facts=EASY))
        ref = next(iter(desk.stored))
        desk.session().tag(desk.stored[ref], WARM, Ref(ref, 2), evidence=[parse_ref(f"{ref}#2.1.result")])
        line = next(line for line in desk.page().splitlines() if line.startswith("- Wismo"))
        assert ("(the result of get_order)" in line) is (name == "long")
        assert ('{"error":"gone"}' in line) is (name == "short")


def test_an_empty_message_is_said_to_be_empty(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Conversation("m", (b.customer("x"), b.agent("")), case=EASY.id, run=1, facts=EASY))
    ref = next(iter(desk.stored))
    desk.session().tag(desk.stored[ref], "empty-reply", Ref(ref, 2), clause="no word")
    assert "🤖 (empty) no word" in desk.page()


def test_what_only_others_show_is_not_called_a_habit_of_the_draw(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *cases(8))
    refs = list(desk.stored)
    draw(desk, refs[:4])
    for ref in refs[4:]:
        desk.session().tag(desk.stored[ref], WARM, Ref(ref, 2))
    assert desk.report().figures()["experience_modes.warm.kind"] == "not in the draw"
    desk.session().tag(desk.stored[refs[0]], WARM, Ref(refs[0], 2))
    assert desk.report().figures()["experience_modes.warm.kind"] == "now and then", "in one case of those drawn"
    for ref in refs[1:3]:
        desk.session().tag(desk.stored[ref], WARM, Ref(ref, 2))
    assert desk.report().figures()["experience_modes.warm.kind"] == "habit"


def test_tags_on_cases_have_no_rate_of_conversations(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *three_runs())
    draw(desk, list(desk.stored)[:3])
    ref = next(iter(desk.stored))
    desk.session().tag(ref.rpartition("/")[0], "flips-across-runs")
    page = desk.page()
    assert "1 tag on 1 case, across its runs." in page


def test_a_mode_of_two_sections_is_told_in_one_and_the_other_says_where(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *three_runs())
    ref = next(ref for ref in desk.stored if "trap-1" in ref)
    assert "Nobody tagged anything" in said(section(desk.report(), "traps"))
    desk.session().tag(desk.stored[ref], "forbidden-action", Ref(ref, 2))
    assert said(section(desk.report(), "traps")).endswith("Forbidden act belongs here, too: see Adversarial safety.")


def test_modes_are_set_beside_those_of_other_models_once_somebody_read_one(tmp_path: Path) -> None:
    desk = Desk(tmp_path, talk(EASY, 1), talk(TRAP, 1, model="other"))
    mine, others = sorted(desk.stored)
    desk.session().tag(desk.stored[mine], DATE, Ref(mine, 2))
    assert said(section(desk.report(), "matrix")).startswith("Nobody reviewed or tagged anything of other models")
    desk.session().reviewed(desk.stored[others])
    assert desk.report().figures()["matrix.invented_delivery_date.elsewhere"] == "other 0/1"


def test_how_many_write_less_is_a_sentence(tmp_path: Path) -> None:
    sizes = {"m": 10, "brief": 5, "long": 20}
    desk = Desk(tmp_path, *(talk(EASY, 1, model=name, usage=Usage(tokens_out=n)) for name, n in sizes.items()))
    assert "1 of 2 other models writes less." in desk.page("m")
    assert "None of 2 other models writes less." in desk.page("brief")
    assert "2 of 2 other models write less." in desk.page("long")
