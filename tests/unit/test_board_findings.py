"""What is found across models: picks, traps, handovers, tiers and repeats, with the names of their figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.figures.report.blocks import ReportPage
from reviewer.figures.report.board_report import board_material, board_report
from reviewer.figures.report.pages import markdown_lines as lines
from reviewer.transcripts.model import Case
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.writer import Writer
from tests.unit.test_report import Desk, scored, talk

TRAPS = [Case(f"trap-{n}", family="used item", bucket="adversarial", forbidden=("cancel",)) for n in range(1, 5)]
MUSTS = [Case(f"must-{n}", family="fraud", bucket="must-escalate") for n in range(1, 11)]
EASIES = [Case(f"easy-{n}", family="wismo", bucket="resolvable") for n in range(1, 11)]
MODELS = {
    # tier, traps that it falls for in both runs, cases that it hands over: of those that must be, and that need not be
    "kind": ("$$", 1, 10, 0),
    "hasty": ("$", 3, 10, 10),
    "proud": (None, 1, 0, 0),
    "lost": ("$$$", 3, 0, 10),
    "even": ("$", 2, 5, 5),
}


def played(tmp_path: Path) -> Desk:
    """Two runs of each model over all cases, and of one model over one trap alone."""
    items = []
    for at, (model, (_, falls, right, wrong)) in enumerate(MODELS.items()):
        for number in (1, 2):
            scores = scored(0.1 * at)
            items += [
                talk(case, number, *(["cancel_order"] if n < falls else []), model=model)
                for n, case in enumerate(reversed(TRAPS))
            ]
            for cases, handed in ((MUSTS, right), (EASIES, wrong)):
                items += [
                    talk(case, number, *(["hand_over"] if n < handed else []), model=model, scores=scores)
                    for n, case in enumerate(cases)
                ]
    desk = Desk(
        tmp_path, *items, talk(TRAPS[1], 1, "cancel_order", model="partial"), talk(TRAPS[1], 2, model="partial")
    )
    with Writer(desk.path) as writer:
        for model, (tier, *_) in MODELS.items():
            writer.catalogue.describe_model(model, "Acme", tier, (), None)
        writer.commit()
    return desk


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return played(tmp_path_factory.mktemp("models"))


@pytest.fixture
def page(desk: Desk) -> ReportPage:
    with Reader(desk.path) as reader:
        return board_report(board_material(reader, desk.marks()))


def row(page: ReportPage, name: str) -> dict[str, str]:
    """The figures of a row of a table."""
    return {key.removeprefix(f"{name}."): cell for key, cell in page.figures().items() if key.startswith(f"{name}.")}


def test_picks_name_all_who_share_the_first_place_and_who_is_near(page: ReportPage) -> None:
    assert row(page, "picks.safest") == {
        "models": "kind and proud",
        "figures": "unsafe actions 1 of 4 a run",
        "near": "even, hasty and lost",
    }
    assert row(page, "picks.alone") == {
        "models": "kind and proud",
        "figures": "over-escalation 0.0 % of 10 a run",
        "near": "-",
    }
    assert row(page, "picks.following")["models"] == "even"
    assert "picks.cheapest_safe.models" not in page.figures(), "bands are of eighteen traps, and here are four"


def test_traps_come_in_the_order_of_the_runs_that_they_catch(page: ReportPage) -> None:
    assert [name for name in page.figures() if name.startswith("traps.") and name.endswith(".runs")] == [
        *("traps.trap_4.runs", "traps.trap_3.runs", "traps.trap_2.runs", "traps.trap_1.runs"),
    ]
    assert row(page, "traps.trap_4") == {"runs": "10 of 10 (100%)", "models": "5 of 5", "every": "5 of 5"}
    assert row(page, "traps.trap_2") == {"runs": "5 of 12 (42%)", "models": "3 of 6", "every": "2 of 6"}
    assert row(page, "traps.trap_1") == {"runs": "0 of 10 (0%)", "models": "0 of 5", "every": "0 of 5"}
    printed = "".join(lines(page))
    assert "Trap 4 and trap 3 catch at least half of all runs; trap 1 caught none." in printed


def test_models_are_split_at_the_medians_of_the_board(page: ReportPage) -> None:
    kinds = ("both_right", "hands_over_too_much", "hands_over_too_little", "wrong_both_ways", "too_near_to_say")
    assert [row(page, f"handovers.{kind}") for kind in kinds] == [
        {"count": "1 of 5", "models": model} for model in ("kind", "hasty", "proud", "lost", "even")
    ]
    printed = "".join(lines(page))
    assert "Split at the board's medians: 50.0% of what must be handed over, 50.0% of what should not." in printed
    assert "1 model that lacks a planned case in a run: not compared." in printed
    assert "Correlation of escalation accuracy and over-escalation: +0.00 over 5 models." in printed
    assert "Agent messages and instruction-following cannot be correlated over 5 models." in printed


def test_a_tier_says_its_middle_and_from_what_to_what(page: ReportPage) -> None:
    assert row(page, "tiers.tier_1") == {
        "models": "2",
        "escalation": "75.0 % (50.0 to 100.0)",
        "over_escalation": "75.0 % (50.0 to 100.0)",
        "unsafe": "2.5 (2 to 3)",
        "messages": "1.00 (1.00 to 1.00)",
        "resolution": "0.25 (0.10 to 0.40)",
        "following": "0.25 (0.10 to 0.40)",
        "sentiment": "0.25 (0.10 to 0.40)",
    }
    assert row(page, "tiers.tier_3")["escalation"] == "0.0 %"


def test_repeats_say_of_how_many_cases(page: ReportPage) -> None:
    assert row(page, "repeats.kind") == {
        "runs": "2",
        "cases": "10",
        "pass_1": "0.00",
        "pass_2": "0.00",
        "all": "0",
        "some": "0",
        "none": "10",
        "acts": "0 of 24 (0%)",
        "score": "0 of 10 (0%)",
    }


def test_a_section_that_has_nothing_says_why(tmp_path: Path) -> None:
    desk = Desk(tmp_path, talk(EASIES[0], 1))
    with Reader(desk.path) as reader:
        printed = "".join(lines(board_report(board_material(reader, desk.marks()))))
    for why in (
        "no two complete models have both escalation accuracy and over-escalation",
        "no two complete models have both a length and a score",
        "no case has two runs or a score that decides whether it passed",
        "no case here is adversarial with tools that a desk classes",
        "no source says what any model costs",
    ):
        assert f"({why})" in printed
