"""The deep report: figures from calls and certain reads, all else from tags; what nobody read is said, not claimed."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, get_args

import pytest

from reviewer.basics.errors import ReviewerError
from reviewer.figures.report import pages
from reviewer.figures.report.blocks import (
    Block,
    ExcerptList,
    FigureRow,
    FigureTable,
    Prose,
    ReportPage,
    ReportSection,
    Sentence,
    ToRead,
    slug,
    slugs,
)
from reviewer.figures.report.board_report import board_material, board_report
from reviewer.figures.report.deep_report import deep_report
from reviewer.figures.report.material import MarkFolder, ReportRequest, material
from reviewer.figures.report.pages import html_lines, markdown_lines
from reviewer.figures.report.read_figures import MISS_NOTHING
from reviewer.findings import scans
from reviewer.findings.finding_store import FindingRow, shown_of_model
from reviewer.findings.questions import marked_in
from reviewer.findings.reads import BY_NAME
from reviewer.marks import folder, queues, shapes
from reviewer.marks.folder import SUPPORT
from reviewer.marks.queues import Queue
from reviewer.marks.review import Session, recall
from reviewer.marks.terms import narrowed
from reviewer.transcripts.model import Case, Conversation, Finding, Run, Score, ToolCall, Usage
from reviewer.transcripts.prices import price_list
from reviewer.transcripts.query import parse
from reviewer.transcripts.refs import Absence, Ref
from reviewer.transcripts.refs import parse as parse_ref
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.writer import Writer
from tests import builders as b
from tests.forked import run

EASY = Case("easy-1", family="wismo", bucket="resolvable")
MUST = Case("must-1", family="fraud", bucket="must-escalate")
TRAP = Case("trap-1", family="used item", bucket="adversarial", forbidden=("cancel",))
DATE, WARM = "invented-delivery-date", "warm"


def talk(case: Case | None, number: int | None, *tools: str, model: str = "m", **more: Any) -> Conversation:
    """A conversation of a case in which the agent calls these tools and is sorry."""
    messages = (
        b.customer("Where is order #1130?"),
        b.agent("It was delivered yesterday. Sorry for the wait!", *(b.call(name) for name in tools)),
        b.customer("Thanks."),
    )
    return Conversation(model, messages, case=case.id if case else None, run=number, facts=case, **more)


def scored(value: float, judge: str | None = "judge A") -> tuple[Score, ...]:
    return tuple(Score(name, value, judge) for name in ("resolution", "instruction-following", "sentiment"))


class Desk:
    """A store with journals beside it, and reports of it."""

    def __init__(self, tmp_path: Path, *conversations: Conversation, synthetic: bool = False) -> None:
        self.path = b.store(tmp_path, *conversations, synthetic=synthetic)
        self.folder = tmp_path / "annotations"
        with Reader(self.path) as reader:
            self.stored = {each.ref: each for each in map(reader.stored, reader.ids())}

    def session(self, by: str = "ann") -> Session:
        return Session(self.folder, by, "runs.db", SUPPORT)

    def scan(self) -> None:
        with Reader(self.path) as reader:
            scans.scan(self.path, reader.ids(), scans.usual(), processes=1)

    def marks(self) -> MarkFolder:
        return MarkFolder(self.folder, recall.opened(self.folder).ledger, folder.load(self.folder, SUPPORT))

    def report(self, model: str = "m", **asked: Any) -> ReportPage:
        versions = {name: read.version for name, read in BY_NAME.items()}
        with Reader(self.path) as reader:
            request = ReportRequest(model, versions=versions, **asked)
            return deep_report(material(reader, request, self.marks()))

    def page(self, model: str = "m", **asked: Any) -> str:
        return "".join(markdown_lines(self.report(model, **asked)))


def three_runs(**more: Any) -> list[Conversation]:
    """A model that hands over an easy case once, misses a hard one once, and cancels in a trap twice."""
    return [
        talk(EASY, 1, "hand_over", **more),
        talk(EASY, 2, **more),
        talk(EASY, 3, **more),
        talk(MUST, 1, "hand_over", **more),
        talk(MUST, 2, "hand_over", **more),
        talk(MUST, 3, **more),
        talk(TRAP, 1, "cancel_order", **more),
        talk(TRAP, 2, "get_order", "cancel_order", **more),
        talk(TRAP, 3, "hand_over", **more),
    ]


def section(report: ReportPage, key: str) -> ReportSection:
    own = report.section(key)
    assert own is not None, key
    return own


def said(own: ReportSection) -> str:
    return " ".join(block.text for block in own.blocks if isinstance(block, Sentence | ToRead))


# -- what is counted ---------------------------------------------------------------------------------------------------


def test_both_formats_print_every_kind_of_block_with_its_values_escaped() -> None:
    evil = "a\x1b[31m<b>*x* | {{ 7 * 7 }}\u202e"
    table = FigureTable("key", evil, evil, (("column", evil),), (FigureRow("row", evil, (evil,)),), evil)
    blocks = (table, Sentence(evil, lead=evil), Prose("plain"), ToRead(evil, evil, 1), ExcerptList(evil, evil, ()))
    assert {type(block) for block in blocks} == set(get_args(Block)) == set(pages._KINDS.values())
    report = ReportPage(evil, evil, (ReportSection("key", evil, blocks),), synthetic=True)
    page, text = "".join(pages.html_lines(report)), "".join(pages.markdown_lines(report))
    assert page.count("a␛[31m&lt;b&gt;*x* | {{ 7 * 7 }}⟨U+202E⟩") == 18
    assert text.count(r"a␛\[31m&lt;b&gt;\*x\* \| {{ 7 \* 7 }}⟨U+202E⟩") == 14
    for printed in (page, text):
        assert "\x1b" not in printed
        assert "\u202e" not in printed
        assert "plain" in printed


def test_figures_stand_with_their_runs_and_denominators(tmp_path: Path) -> None:
    figures = Desk(tmp_path, *three_runs(scores=scored(0.5))).report().figures()
    assert figures["over_escalation.per_run"] == "100 / 0.0 / 0.0 %"
    assert figures["over_escalation.of"] == "1 a run"
    assert figures["escalation.median"] == "100 %"
    assert (figures["unsafe.per_run"], figures["unsafe.median"]) == ("1 / 1 / 0", "1")
    assert (figures["unsafe.total"], figures["unsafe.played"]) == ("2", "3")
    assert "band.per_run" not in figures, "bands are of eighteen traps, and here is one"
    assert figures["following.median"] == "0.50"
    assert figures["glance.held.per_run"] == "0 / 0 / 1"
    assert figures["spread.over_escalation.spread"] == "100.0 points"


def test_every_section_comes_in_the_order_of_the_anatomy(tmp_path: Path) -> None:
    keys = [each.key for each in Desk(tmp_path, *three_runs()).report().sections]
    assert keys == [
        "card", "verdict", "short_version", "resolution", "following", "safety", "traps", "tools", "experience",
        "traits", "stability", "rivals", "verbosity", "bottom_line", "glance", "use_cases", "judges", "matrix",
        "reading",
    ]  # fmt: skip


def test_what_a_person_writes_has_an_empty_section_that_is_not_printed(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *three_runs())
    assert section(desk.report(), "verdict").blocks == ()
    assert "Verdict" not in desk.page()


def test_flips_say_what_happened_in_which_run(tmp_path: Path) -> None:
    figures = Desk(tmp_path, *three_runs()).report().figures()
    assert figures["flip.trap_1.runs"] == "run 1: cancel (forbidden); run 2: cancel (forbidden); run 3: handover"
    assert figures["flip.easy_1.runs"].startswith("run 1: handover; run 2: neither")
    assert (figures["flips.cases"], figures["flips.of"]) == ("3", "3")


def test_flips_by_score_and_passing_again_say_of_how_many_cases(tmp_path: Path) -> None:
    def ran(case: Case, number: int, reward: float) -> Conversation:
        return talk(case, number, scores=(Score("reward", reward),))

    desk = Desk(tmp_path, ran(EASY, 1, 1.0), ran(EASY, 2, 0.0), ran(MUST, 1, 1.0), ran(MUST, 2, 1.0), ran(TRAP, 1, 1.0))
    figures = desk.report().figures()
    assert (figures["flips.cases"], figures["flips.score"], figures["flips.score_of"]) == ("0", "1", "2")
    assert [figures[f"passed.pass_{k}.{what}"] for k in (1, 2) for what in ("mean", "cases", "left_out")] == [
        *("0.83", "3", "0"),
        *("0.50", "2", "1"),
    ]
    assert [figures[f"passed.{name}"] for name in ("all", "some", "none")] == ["2", "1", "0"]
    assert "Passed: reward is 1." in desk.page()
    with Reader(desk.path) as reader:
        everybody = board_report(board_material(reader, desk.marks())).figures()
    assert (everybody["repeats.m.acts"], everybody["repeats.m.score"]) == ("0 of 2 (0%)", "1 of 2 (50%)")
    assert everybody["repeats.m.pass_2"] == "0.50 (1)"


def test_a_report_is_of_one_suite_and_says_which(tmp_path: Path) -> None:
    air = [replace(EASY, id=f"air-{number}", suite="air") for number in (1, 2, 3)]
    shop = replace(MUST, id="shop-1", suite="shop")
    used = Usage(100, 10)
    items = [talk(case, number, "cancel_order", usage=used) for number in (1, 2) for case in air]
    items += [talk(shop, 1, "hand_over", usage=used), talk(shop, 1, model="other")]
    desk = Desk(tmp_path, *items)
    page = desk.page()
    assert "Of suite air alone: 6 of the model's 7 conversations; not of shop (1)" in page
    assert "None of 6 conversations reviewed" in page
    figures = desk.report().figures()
    assert ("escalation.median" in figures, figures["over_escalation.of"]) == (False, "3 a run")
    assert figures["calls.cancel.calls"] == "6"
    assert "calls.handover.calls" not in figures
    assert figures["usage.tokens_in.of"] == "6 of 6 conversations"
    of_shop = desk.report(suite="shop").figures()
    assert (of_shop["escalation.of"], of_shop["escalation.place"]) == ("1 a run", "1 of 2")
    assert "calls.cancel.calls" not in of_shop
    assert 'suite:"shop" reviewed:no' in "".join(markdown_lines(desk.report(suite="shop")))
    with pytest.raises(ReviewerError, match="other has no conversation of suite air"):
        desk.report("other", suite="air")
    with Reader(desk.path) as reader:
        everybody = board_report(board_material(reader, desk.marks()))
        of_shop = board_report(board_material(reader, desk.marks(), suite="shop")).figures()
    assert "figures that compare models are of air alone, not of shop (2)." in "".join(markdown_lines(everybody))
    assert {row.split(".")[1] for row in of_shop if row.startswith("models.")} == {"m", "other"}


def test_traps_are_set_against_the_other_models(tmp_path: Path) -> None:
    others = [talk(TRAP, number, "cancel_order", model="falls") for number in (1, 2)]
    others.append(talk(TRAP, 1, model="holds"))
    figures = Desk(tmp_path, *three_runs(), *others).report().figures()
    assert figures["traps.trap_1.fired"] == "2 of 3"
    assert figures["traps.trap_1.runs"] == "runs 1 and 2"
    assert figures["traps.trap_1.handed"] == "handed over in run 3"
    assert figures["traps.trap_1.rest"] == "2 of 3 (67%)"
    assert figures["traps.trap_1.board"] == "4 of 6 (67%)"
    assert figures["traps.trap_1.others"] == "1"


def test_calls_are_counted_by_class_with_their_errors(tmp_path: Path) -> None:
    failed = ToolCall("cancel_order", "{}", '{"error":"shipped"}', "shipped")
    messages = (b.customer("x"), b.agent("", failed, b.call("look_up_stars")), b.agent("Done."))
    item = Conversation("m", messages, case=EASY.id, run=1, facts=EASY)
    broken = replace(talk(MUST, 1, "cancel_order"), error="timed out")
    figures = Desk(tmp_path, item, broken).report().figures()
    assert figures["calls.cancel.calls"] == "1"
    assert figures["calls.cancel.errors"] == "1 of 1 (100%)"
    assert figures["calls.unclassed.tools"] == "look_up_stars"


def test_a_second_judge_stands_beside_the_first_over_what_both_judged(tmp_path: Path) -> None:
    both = (*scored(1.0), Score("resolution", 0.5, "judge B"))
    report = Desk(tmp_path, talk(EASY, 1, scores=both), talk(EASY, 2, scores=scored(0.0))).report()
    figures = report.figures()
    assert figures["judges.resolution_judge_b.gap"] == "-0.500"
    assert figures["judges.resolution_judge_b.of"] == "1"
    assert "judge A" in "".join(markdown_lines(report))


def test_who_costs_no_more_and_does_no_worse_stands_above(tmp_path: Path) -> None:
    models = {"dear": "$$$", "cheap": "$", "unknown": None}
    done: tuple[tuple[Case, tuple[str, ...]], ...] = ((EASY, ()), (MUST, ("hand_over",)), (TRAP, ()))
    desk = Desk(tmp_path, *(talk(case, 1, *tools, model=model) for model in models for case, tools in done))
    with Writer(desk.path) as writer:
        for model, tier in models.items():
            writer.catalogue.describe_model(model, "Acme", tier, (), None)
        writer.commit()
    above = {model: desk.report(model).figures().get("above.models") for model in models}
    assert above == {"dear": "1", "cheap": "0", "unknown": None}
    assert "cheap stands above it" in desk.page("dear")
    figures = desk.report("dear").figures()
    assert figures["places.over_escalation.place"] == "1= of 3"
    assert list(section(desk.report("dear"), "rivals").figures()).count("rivals.cheap.tier") == 1
    assert "rivals.cheap.tier" not in desk.report("dear", comparators=["unknown"]).figures()


def test_what_money_buys_is_told_of_what_conversations_cost(tmp_path: Path) -> None:
    costs = {"dear": 0.5, "cheap": 0.001, "unknown": None}
    done: tuple[tuple[Case, tuple[str, ...]], ...] = ((EASY, ()), (MUST, ("hand_over",)), (TRAP, ()))
    items = [
        replace(talk(case, 1, *tools, model=m), usage=Usage(cost=c)) for m, c in costs.items() for case, tools in done
    ]
    desk = Desk(tmp_path, *items)
    with Reader(desk.path) as reader:
        page = board_report(board_material(reader, desk.marks()))
    assert page.figures()["tiers.tier_budget.models"] == page.figures()["tiers.tier_flagship.models"] == "1"
    notes = "".join(markdown_lines(page))
    assert "Tiers are of what 1,000 conversations cost: budget below $5" in notes
    assert "Of 1 model no tier is known." in notes


PRICES = """as_of = "today"
[tiers]
budget = 5
[x.models]
m = { in = 1, out = 10, cached = 0.1 }
judge = { in = 2, out = 20, written = 4 }
"""


def test_the_cost_of_a_model_is_told_run_by_run_with_customers_and_judges_apart(tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text(PRICES, encoding="utf-8")
    roles = {
        "customer": {"input_tokens": 5, "output_tokens": 5, "total_cost": 0.003},
        "judge": {"input_tokens": 1_000, "output_tokens": 100, "input_tokens_cache_write": 500},
        "odd": "nothing", "odder": {"input_tokens": "many"}, "free": {"total_cost": 0},
    }  # fmt: skip
    items = [
        replace(talk(EASY, 1), usage=Usage(cost=0.01), extra={"role_usage": roles}),
        replace(talk(EASY, 2), usage=Usage(2_000, 100, 60, 1_000)),
        replace(talk(MUST, 2), meta={"user_cost": 0.005}),
        replace(talk(TRAP, 2), usage=Usage(cost=9.0), error="timed out"),
        replace(talk(EASY, 1, model="cheap"), usage=Usage(cost=0.0001)),
    ]
    desk = Desk(tmp_path, *items)
    with Writer(desk.path) as writer:
        named = {"model_roles": {"customer": "someone", "judge": "x/judge"}}
        writer.catalogue.describe_run(Run("m", 1, extra=named))
        writer.commit()
    prices = price_list(tmp_path / "prices.toml")
    report = desk.report(prices=prices)
    figures = report.figures()
    second = (1_000 * 1 + 1_000 * 0.1 + 100 * 10) / 1e6 * 1000
    assert figures["cost.median"] == f"${(10 + second) / 2:.2f} flagship"
    assert figures["cost.per_run"] == f"10.00 / {second:.2f}"
    assert figures["cost.of"] == "2 of 3 conversations"
    assert figures["cost.place"] == "1 cheaper of 2"
    assert figures["cost.customer"] == "3.00"
    assert figures["cost.judge"] == f"{(1_000 * 2 + 500 * 4 + 100 * 20) / 1e6 * 1000:.2f}"
    page = "".join(markdown_lines(report))
    assert "which is flagship (budget below $5, flagship above; prices of today)" in page
    assert "Of 3 conversations: 1 told by the source, 1 reckoned from tokens, 1 unknown." in page
    assert "the customer $5.00, of 1, the customer (someone) $3.00, of 1 and the judge (x/judge) $6.00, of 1." in page
    assert "No source says who made it" in page
    assert "or what it costs" not in page


def test_a_model_without_a_price_says_so_and_a_synthetic_one_says_nothing(tmp_path: Path) -> None:
    item = replace(talk(EASY, 1), usage=Usage(2_000, 100))
    for place, synthetic in ((tmp_path / "a", False), (tmp_path / "b", True)):
        place.mkdir()
        page = Desk(place, item, synthetic=synthetic).page()
        assert "Cost of 1,000" not in page
        assert ("There is no price for it in prices.toml" in page) is not synthetic


def test_one_run_can_be_asked_for(tmp_path: Path) -> None:
    figures = Desk(tmp_path, *three_runs()).report(run=1).figures()
    assert figures["over_escalation.per_run"] == "100 %"
    assert figures["model.runs"] == "1"
    assert figures["read.of"] == "3"


def test_clusters_are_ranges_over_families_keyed_by_bucket(tmp_path: Path) -> None:
    twice = Case("must-2", family="wismo", bucket="must-escalate")
    items = [talk(EASY, 1, "hand_over"), talk(twice, 1), talk(MUST, 1, "hand_over")]
    desk = Desk(tmp_path, *items)
    figures = desk.report().figures()
    assert figures["families.wismo_resolvable.over_escalation"] == "100 %"
    assert figures["families.wismo_must_escalate.handover"] == "0 %"
    clusters = {"Hard ones": [("wismo", "must-escalate"), ("fraud", "must-escalate"), ("gone", None)]}
    figures = desk.report(clusters=clusters).figures()
    assert figures["families.hard_ones.handover"] == "0–100 %"
    assert figures["families.wismo_resolvable.over_escalation"] == "100 %"


# -- what reads say ----------------------------------------------------------------------------------------------------


def test_a_certain_finding_counts_and_one_of_words_only_once_it_was_accepted(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *three_runs())
    assert "No read has been over these conversations" in desk.page()
    desk.scan()
    figures = desk.report().figures()
    assert figures["reads.forbidden_action.certain"] == "2"
    assert figures["reads.forbidden_action.per_run"] == "1 / 1 / 0"
    session = desk.session()
    shown = shown_of_model(desk.path, "m")
    certain = next(row for row in shown.rows if row.mode == "forbidden-action")
    words = [row for row in shown.rows if not row.certain]
    assert words, "the talk should say something that only a person can judge"
    session.decide(desk.stored[certain.ref], False, [finding(certain)])
    for at, row in enumerate(words):
        session.decide(desk.stored[row.ref], at > 0, [finding(row)])
    figures = desk.report().figures()
    assert figures["reads.forbidden_action.certain"] == "1"
    mode = slug(words[0].mode)
    same = [row for row in words if row.mode == words[0].mode]
    assert figures[f"reads.{mode}.accepted"] == f"{len(same) - 1} of {len(same)} decided"
    assert figures[f"reads.{mode}.waiting"] == "0"


def finding(row: FindingRow) -> Finding:
    body = json.loads(row.body)
    claim, evidence = shapes.anchors_of([body["claim"]])[0], shapes.evidence_of(body["evidence"])
    return Finding(
        body["read"], body["version"], body["mode"], body["digest"], claim, evidence, body["reason"], body["certain"]
    )


def test_who_tags_what_a_read_suggests_has_decided_about_it(tmp_path: Path) -> None:
    messages = (
        b.customer("Where is it?"),
        b.agent("It came <b>yesterday</b>.", b.call("cancel_order")),
        b.agent("{{name}}"),
    )
    desk = Desk(tmp_path, Conversation("m", messages, case=EASY.id, run=1, facts=EASY))
    desk.scan()
    assert desk.report().figures()["reads.leaked_template_tag.waiting"] == "1"
    ref = next(iter(desk.stored))
    desk.session().tag(desk.stored[ref], "leaked-template-tag", Ref(ref, 3))
    figures = desk.report().figures()
    assert figures["reads.leaked_template_tag.accepted"] == "1 of 1 decided"
    assert figures["reads.leaked_template_tag.waiting"] == "0"


def test_a_zero_is_said_with_its_denominator_and_only_of_reads_that_miss_nothing(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *three_runs())
    assert "none in" not in desk.page()
    desk.scan()
    page = desk.page()
    assert "Leaked think tag: none in 9 agent messages with text" in page
    assert "template: none in" not in page.lower(), "its words had to be matched, so nothing is certain"


def test_every_read_that_says_a_zero_exists_and_says_nothing_that_is_only_likely_of_its_zeros() -> None:
    assert set(MISS_NOTHING) <= BY_NAME.keys()


def test_what_an_older_version_of_a_read_said_is_not_counted(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *three_runs())
    desk.scan()
    with Reader(desk.path) as reader:
        request = ReportRequest("m", versions={"forbidden-action": 99})
        report = deep_report(material(reader, request, desk.marks()))
    assert "reads.forbidden_action.certain" not in report.figures()
    assert "what older versions of forbidden-action said is not counted" in said(section(report, "reading"))


# -- what people tagged ------------------------------------------------------------------------------------------------


def marked(tmp_path: Path) -> Desk:
    """Nine conversations, six of them drawn and read, and tags in five."""
    desk = Desk(tmp_path, *three_runs(scores=scored(0.5)))
    refs = list(desk.stored)
    queues.save(desk.folder, Queue("Monday's draw", tuple(refs[:6]), "drawn", seed=7, of=9))
    ann, bo = desk.session(), desk.session("bo")
    for ref in refs[:5]:
        stored = desk.stored[ref]
        exemplar = ref in refs[:2]
        ann.tag(stored, DATE, Ref(ref, 2, span=(0, 27)), exemplar=exemplar, evidence=[Absence("handover", 2)])
    ann.tag(desk.stored[refs[0]], WARM, Ref(refs[0], 2, span=(28, 47)))
    for ref in refs[:6]:
        seen = 1 if ref == refs[4] else 3
        (ann if ref != refs[5] else bo).reviewed(desk.stored[ref], queue="Monday's draw", seen=seen, of=3)
    bo.reviewed(desk.stored[refs[6]])
    return desk


def test_the_byline_says_how_much_was_read_by_how_many_and_how_much_was_drawn(tmp_path: Path) -> None:
    report = marked(tmp_path).report()
    assert report.byline.endswith(
        "7 of 9 conversations reviewed (5 to the end, 1 in part, 1 unknown how far) by 2 reviewers, 6 of them drawn"
    )
    figures = report.figures()
    assert (figures["read.conversations"], figures["read.drawn"], figures["read.of"]) == ("7", "6", "9")


def test_a_mode_stands_with_how_often_it_was_seen_of_how_much_that_was_read(tmp_path: Path) -> None:
    desk = marked(tmp_path)
    figures = desk.report().figures()
    assert figures["tools_modes.invented_delivery_date.tags"] == "5"
    assert figures["tools_modes.invented_delivery_date.cases"] == "3"
    assert figures["tools_modes.invented_delivery_date.runs"] == "2 of 3"
    assert figures["tools_modes.invented_delivery_date.rate"] == "5 of 6 (83%)"
    assert figures["tools_modes.invented_delivery_date.kind"] == "habit"
    assert figures["weak.invented_delivery_date.families"] == "wismo, fraud and used item"
    assert figures["strong.warm.conversations"] == "1"
    page = desk.page()
    assert (
        "5 of the 6 reviewed (5 to the end, 1 in part) in Monday's draw, 6 drawn from all 9 in its store (83%)" in page
    )
    table = page.partition("| mode |")[2]
    assert "Drawn: 6 reviewed (5 to the end, 1 in part) in Monday's draw, 6 drawn from all 9 in its store." in table


def test_two_draws_have_a_rate_each_since_they_have_two_populations(tmp_path: Path) -> None:
    desk = marked(tmp_path)
    session, refs = desk.session(), list(desk.stored)
    queues.save(desk.folder, Queue("traps", (refs[-1],), "drawn", "bucket:adversarial", of=3))
    session.reviewed(desk.stored[refs[-1]], queue="traps")
    figures = desk.report().figures()
    assert figures["tools_modes.invented_delivery_date.rate"] == "Monday's draw 5 of 6 (83%); traps 0 of 1 (0%)"
    assert figures["tools_modes.invented_delivery_date.kind"] == "habit"
    assert (
        "1 reviewed (unknown how far) in traps, 1 drawn from 3 of “bucket:adversarial”. So it is: by the queue"
        in desk.page()
    )


def test_where_a_read_has_been_a_rate_is_of_the_conversations_in_which_it_could_show(tmp_path: Path) -> None:
    desk = marked(tmp_path)
    desk.scan()
    rate = desk.report().figures()["tools_modes.invented_delivery_date.rate"]
    assert rate.startswith("5 of 5"), "in the sixth that was drawn nothing was looked up, so nothing could be told"


def test_no_rate_and_no_habit_of_what_was_picked(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *three_runs())
    session, stored = desk.session(), next(iter(desk.stored.values()))
    session.tag(stored, DATE, Ref(stored.ref, 2, span=(0, 27)))
    session.reviewed(stored)
    figures, page = desk.report().figures(), desk.page()
    assert figures["tools_modes.invented_delivery_date.rate"] == "none drawn"
    assert figures["tools_modes.invented_delivery_date.kind"] == "not told"
    assert "1 conversation reviewed (unknown how far), not drawn: no rate" in page
    assert "Nothing drawn was reviewed" in page


def test_the_mode_of_most_cases_has_an_early_section_and_is_quoted_once(tmp_path: Path) -> None:
    desk = marked(tmp_path)
    report = desk.report()
    keys = [each.key for each in report.sections]
    assert keys[keys.index("short_version") + 1] == "promoted"
    assert section(report, "promoted").heading == "Invented delivery date"
    assert "has a section of its own above" in said(section(report, "tools"))
    assert (
        sum(isinstance(block, ExcerptList) and block.key == DATE for each in report.sections for block in each.blocks)
        == 1
    )
    assert report.section("promoted") is not None
    other = desk.report(promoted=WARM)
    assert section(other, "promoted").heading == "Warm"


def test_two_exemplars_of_a_habit_are_joined_and_bear_clause_evidence_and_source(tmp_path: Path) -> None:
    desk = marked(tmp_path)
    page = desk.page()
    quote = '🤖 "It was delivered yesterday." (no handover)'
    assert f"{quote} ×5" in page or f"{quote} / " in page
    assert "ann" in page
    assert len(desk.report().excerpts()) >= 2


def test_a_judges_note_is_quoted_as_the_judges(tmp_path: Path) -> None:
    noted = (Score("resolution", 0.0, "judge A", "Nothing was looked up."),)
    desk = Desk(tmp_path, talk(EASY, 1, scores=noted))
    ref = next(iter(desk.stored))
    desk.session().tag(desk.stored[ref], DATE, parse_ref(f"{ref}#judge.resolution@judge%20A"), exemplar=True)
    assert 'Judge: "Nothing was looked up."' in desk.page()
    assert "Judge: <q>Nothing was looked up.</q>" in "".join(html_lines(desk.report()))


def test_a_section_without_tags_offers_the_conversations_that_its_query_opens(tmp_path: Path) -> None:
    desk = marked(tmp_path)
    report = desk.report()
    offers = [block for each in report.sections for block in each.blocks if isinstance(block, ToRead)]
    assert {each.key for each in report.sections for block in each.blocks if isinstance(block, ToRead)} >= {
        "resolution", "safety", "traps", "stability", "verbosity",
    }  # fmt: skip
    with Reader(desk.path) as reader:
        marks = desk.marks()
        sources = marked_in(desk.folder, marks.ledger, marks.codebook, reader)
        for offer in offers:
            assert reader.count(narrowed(parse(offer.query), sources)) == offer.conversations, offer.query
    assert section(report, "safety").blocks[-1] in offers
    elsewhere = "Invented delivery date belongs here, too: see Tool usage and grounding."
    assert said(section(report, "following")) == elsewhere


def test_a_review_of_other_words_counts_for_nothing_and_is_said(tmp_path: Path) -> None:
    desk = marked(tmp_path)
    ref = list(desk.stored)[8]
    other = replace(desk.stored[ref], digest="0" * 64)
    desk.session().reviewed(other)
    report = desk.report()
    assert report.figures()["read.conversations"] == "7"
    assert "1 review of other words than those stored now" in said(section(report, "reading"))


def test_modes_that_the_anatomy_does_not_know_have_a_section_of_their_own(tmp_path: Path) -> None:
    desk = marked(tmp_path)
    book = desk.folder / "codebook.toml"
    book.write_text(book.read_text("utf-8").replace('7 = "Customer experience"', '7 = "Small talk"'), "utf-8")
    report = desk.report()
    assert section(report, "small_talk").heading == "Small talk"
    assert "Warm" in "".join(markdown_lines(report)).partition("## Small talk")[2]
    stored = next(iter(desk.stored.values()))
    desk.session().tag(stored, "", Ref(stored.ref, 2), note="odd")
    assert section(desk.report(), "other").heading == "Other"


def test_marks_of_other_models_stand_beside_and_say_what_is_not_here(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *three_runs(), talk(EASY, 1, model="n"))
    mine, other = next(iter(desk.stored.values())), desk.stored["n/easy-1/1"]
    session = desk.session()
    session.tag(mine, DATE, Ref(mine.ref, 2, span=(0, 27)))
    session.tag(other, DATE, Ref(other.ref, 2, span=(0, 27)))
    session.tag(other, WARM, Ref(other.ref, 2))
    session.reviewed(other)
    report = desk.report()
    assert report.figures()["matrix.invented_delivery_date.here"] == "0/0 +1"
    assert report.figures()["matrix.invented_delivery_date.elsewhere"] == "n 1/1"
    assert "Warm: tagged in other models, and not here (0 of 9 reviewed)." in said(section(report, "matrix"))


def test_a_section_that_was_read_whole_offers_nothing(tmp_path: Path) -> None:
    desk = Desk(tmp_path, talk(TRAP, 1), talk(EASY, 1))
    ref = next(ref for ref in desk.stored if "trap" in ref)
    desk.session().reviewed(desk.stored[ref])
    assert "all of its 1 conversation were reviewed" in said(section(desk.report(), "safety"))


# -- pages -------------------------------------------------------------------------------------------------------------

EVIL = "<script>alert(1)</script> | *bold* `x` http://evil.example [a](b) \x1b[2J\u202e"


def hostile(tmp_path: Path) -> Desk:
    case = Case(f"case {EVIL}", family=f"family {EVIL}", bucket="resolvable")
    items = [
        Conversation(
            f"model {EVIL}",
            (b.customer(EVIL), b.agent(EVIL, ToolCall(EVIL, EVIL, EVIL, EVIL))),
            case=case.id,
            run=number,
            facts=case,
            scores=tuple(Score(name, 0.5, EVIL, EVIL) for name in ("resolution", EVIL)),
        )
        for number in (1, 2)
    ]
    desk = Desk(tmp_path, *items, synthetic=True)
    for stored in desk.stored.values():
        session = desk.session(EVIL.replace("\x1b", ""))
        session.tag(stored, DATE, Ref(stored.ref, 2), clause=EVIL, exemplar=True)
        session.reviewed(stored)
    return desk


def test_nothing_of_a_hostile_store_comes_alive(tmp_path: Path) -> None:
    desk = hostile(tmp_path)
    report = desk.report(f"model {EVIL}")
    page, html = "".join(markdown_lines(report)), "".join(html_lines(report))
    for text in (page, html):
        assert not {"\x1b", "\u202e"} & set(text)
        assert "SYNTHETIC" in text
    assert "<script" not in html
    assert "<script" not in re.sub(r"(`+) .+? \1", "", page), "but as code"
    for table in re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE):
        bars = {line.count("|") - line.count("\\|") for line in table.splitlines()}
        assert len(bars) == 1, table
    assert "default-src 'none'" in html
    assert not re.search(r"(?i)(src|href)=\"(?!#)", html)


def test_the_page_is_one_file_of_sound_html(tmp_path: Path) -> None:
    html = "".join(html_lines(marked(tmp_path).report()))
    checker = SoundHtml()
    checker.feed(html)
    checker.close()
    assert checker.open == []
    assert checker.wrong == []
    assert len(checker.ids) == len(set(checker.ids))
    assert {link.removeprefix("#") for link in checker.links} <= set(checker.ids)
    assert "prefers-color-scheme" in html or "color-scheme:light dark" in html
    assert "@media print" in html
    assert "max-width:40rem" in html


class SoundHtml(HTMLParser):
    """What an HTML page leaves open, closes wrongly, names and links to."""

    EMPTY = frozenset({"meta", "br", "hr", "img", "link"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.EMPTY:
            self.open.append(tag)
        named = dict(attrs)
        self.ids += [named["id"] or ""] if "id" in named else []
        self.links += [named["href"] or ""] if "href" in named else []
        if tag in ("script", "iframe", "object") or any(name.startswith("on") for name in named):
            self.wrong.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"/{tag}")


def test_names_of_figures_are_names_in_a_template() -> None:
    assert slug("fraud reroute (third party)") == "fraud_reroute_third_party"
    assert slug("4o") == "_4o"
    assert slug("…") == "none"
    assert slugs(["a-b", "a b", "c"]) == ["a_b", "a_b_2", "c"]


# -- the command -------------------------------------------------------------------------------------------------------


def reviewer(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run(*words, cwd=tmp_path)


def test_the_page_is_printed_or_written(tmp_path: Path) -> None:
    marked(tmp_path)
    printed = reviewer(tmp_path, "report", "runs.db", "m")
    assert printed.returncode == 0, printed.stderr
    assert printed.stdout.startswith("# m\n")
    written = reviewer(tmp_path, "report", "runs.db", "m", "--format", "html", "-o", "m.html")
    assert "m in m.html." in written.stderr
    assert (tmp_path / "m.html").read_text("utf-8").startswith("<!doctype html>")
    assert "which was replaced" in reviewer(tmp_path, "report", "runs.db", "m", "-o", "m.html").stderr
    across = reviewer(tmp_path, "report", "runs.db", "--findings")
    assert "| Invented delivery date | 1 of 1 | 3 | 5 |" in across.stdout


def rewarded(model: str, case: str, reward: float, suite: str | None = None) -> Conversation:
    """A conversation of which its source knows a reward, and nothing else."""
    talk = (b.customer("Hi"), b.agent("Hello"))
    facts = Case(case, suite=suite)
    return Conversation(model, talk, case=case, run=1, facts=facts, scores=(Score("reward", reward),))


def across(tmp_path: Path, *conversations: Conversation) -> ReportPage:
    path = b.store(tmp_path, *conversations, desk=False)
    marks = MarkFolder(tmp_path / "annotations", recall.opened(tmp_path / "annotations").ledger, folder.load(tmp_path))
    with Reader(path) as reader:
        return board_report(board_material(reader, marks))


def test_findings_name_whom_any_score_puts_first_in_the_suite_that_is_shown(tmp_path: Path) -> None:
    one = [rewarded(model, f"air-{n}", n > low, "air") for model, low in (("m", 2), ("n", 8)) for n in range(1, 11)]
    two = [rewarded(model, f"shop-{n}", n > low, "shop") for model, low in (("m", 7), ("n", 3)) for n in range(1, 9)]
    page = across(tmp_path, *one, *two, rewarded("lucky", "air-1", 1.0, "air"))
    assert page.figures()["picks.reward.models"] == "m"
    assert page.figures()["picks.reward.figures"] == "reward 0.80 of 10 a run"
    assert "lucky" not in page.figures()["picks.reward.near"]


def test_findings_leave_out_what_is_empty_and_list_it_in_one_line_at_the_end(tmp_path: Path) -> None:
    page = across(tmp_path, rewarded("m", "a", 1.0), rewarded("n", "a", 0.0))
    printed = "".join(markdown_lines(page))
    headings = re.findall("^## (.*)$", printed, re.M)
    assert headings == ["Start here", "Length and scores", "The same case in all runs", "All models", "Limits"]
    last = printed.rstrip().splitlines()[-1]
    assert last.startswith("**Left out:** “What reading found” and “Habits by maker” (nobody tagged anything yet")
    assert "“Traps that catch nearly everybody” (no case here is adversarial" in last
    assert "“What money buys” (no source says what any model costs)" in last
    assert "<h2>Habits by maker" not in "".join(html_lines(page))


def test_findings_say_which_judge_gave_what(tmp_path: Path) -> None:
    scores = (Score("sentiment", 0.5, "judge A"), Score("tone", 0.5, "judge B"))
    talks = [replace(rewarded(model, "a", 1.0), scores=scores) for model in ("m", "n")]
    said_of = said(section(across(tmp_path, *talks), "limits"))
    assert "sentiment is what judge A gave; tone is what judge B gave." in said_of


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("M2",), "There is no model “M2” here.\n  Nearest: m."),
        (("zzz",), "There is no model “zzz” here.\n  Models: m."),
        (("m", "--run", "7"), "m has no run 7.\n  Its runs: 1, 2, 3."),
        (("m", "--judge", "nobody"), "Nobody called “nobody” judged here."),
        (("m", "--format", "pdf"), "There is no format “pdf”."),
        (("m", "--findings"), "Findings are about all models."),
        ((), "A report is about one model."),
        (("m", "-o", "runs.db"), "runs.db is kept for evidence and annotations."),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
    Desk(tmp_path, *three_runs())
    refused = reviewer(tmp_path, "report", "runs.db", *words)
    assert refused.returncode == 2
    assert sentence in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("items", ["no cases", "no desk", "no scores", "broken"])
def test_everything_that_can_be_printed_is(tmp_path: Path, items: str) -> None:
    plain = Conversation("m", (b.customer("Hi"), b.agent("Hello")), id="abc")
    stores = {
        "no cases": ([plain], b.DESK),
        "no desk": (three_runs(), False),
        "no scores": (three_runs(), b.DESK),
        "broken": ([replace(plain, error="boom"), Conversation("m", (), id="x")], b.DESK),
    }
    conversations, desk = stores[items]
    b.store(tmp_path, *conversations, desk=desk)  # type: ignore[arg-type]  # either a desk or none
    for words in (("m",), ("--findings",), ("m", "--format", "html")):
        done = reviewer(tmp_path, "report", "runs.db", *words)
        assert done.returncode == 0, done.stderr
        assert "nan" not in done.stdout.lower().split()
    assert reviewer(tmp_path, "modes", "runs.db").returncode == 0


def test_modes_are_counted_by_model_family_and_run(tmp_path: Path) -> None:
    marked(tmp_path)
    for by, column in (("model", "m"), ("family", "wismo (resolvable)"), ("run", "m 1")):
        told = json.loads(reviewer(tmp_path, "modes", "runs.db", "--by", by, "--json").stdout)
        assert column in {each[by] for each in told["columns"]}
        assert told["modes"][0]["mode"] == DATE
    told = json.loads(reviewer(tmp_path, "modes", "runs.db", "bucket:resolvable", "--json").stdout)
    extents = {"reviewed": 3, "read_to_the_end": 2, "read_in_part": 0, "read_unknown": 1}
    assert told["columns"] == [{"model": "m", **extents, "conversations": 3}]
    text = reviewer(tmp_path, "modes", "runs.db").stdout
    assert re.search(r"^Invented delivery date +5/7$", text, re.MULTILINE)
    assert "No read has said in which of them it could show" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 100
