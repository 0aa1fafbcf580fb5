"""Suites on the board: one benchmark at a time, and only models that hold every planned case have a place or a band."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.basics.errors import ReviewerError
from reviewer.figures.export import board_table as tables
from reviewer.figures.measure import metrics, objects
from reviewer.figures.measure.board import ordered
from reviewer.transcripts.model import Case, Run, Score
from reviewer.transcripts.store.writer import Writer
from tests import builders as b
from tests.unit.test_board import HANDOVER, measured, row, talk


def of_suite(case: str, suite: str | None = "shop", bucket: str = "resolvable", **more: object) -> Case:
    return Case(case, suite, bucket=bucket, **more)  # type: ignore[arg-type]  # by name


EIGHT = [of_suite(f"easy-{number}") for number in range(1, 9)]


def planned_for(path: Path, model: str, run: int, *cases: str) -> None:
    """Say which cases a run was meant to have."""
    with Writer(path) as writer:
        writer.begin()
        writer.catalogue.describe_run(Run(model, run, meant=cases))
        writer.commit()


def test_a_board_shows_one_suite_and_names_the_others(tmp_path: Path) -> None:
    flights = [of_suite(f"flight-{number}", "air") for number in range(1, 4)]
    path = b.store(
        tmp_path,
        *(talk(case, 0, model="both") for case in flights),
        *(talk(case, run, model="both") for case in (*flights, *EIGHT) for run in (1, 2)),
        talk(EIGHT[0], 1, model="shop-only"),
    )
    shown = measured(path)
    assert (shown.suite, shown.suites) == ("shop", {"air": 9, "shop": 17})
    assert (row(shown, "both").runs, row(shown, "both").n) == ((1, 2), 16)
    air = measured(path, suite="air")
    assert [(each.model, each.runs, each.n) for each in air.rows] == [("both", (0, 1, 2), 9)]
    assert any(
        "Suite air: 9 of 26 conversations. Other suites (--suite NAME): shop (17)." in x for x in tables.lines(air)
    )
    assert measured(path, suite="AIR").suite == "air"
    with pytest.raises(ReviewerError, match="No conversation here belongs to a suite “taxi”"):
        measured(path, suite="taxi")
    assert measured(path, "model:shop-only", suite="air").rows == ()


def test_what_belongs_to_no_suite_is_one_of_its_own(tmp_path: Path) -> None:
    path = b.store(tmp_path, talk(EIGHT[0], 1), talk(None, 1, model="logs"), talk(of_suite("alone", None), 1))
    shown = measured(path, suite="no suite")
    assert {each.model for each in shown.rows} == {"m", "logs"}
    assert row(measured(path, suite="shop")).n == 1


def test_only_models_that_hold_every_planned_case_in_each_run_have_a_place(tmp_path: Path) -> None:
    path = b.store(
        tmp_path,
        *(talk(case, 1, HANDOVER, model="whole") for case in EIGHT),
        talk(EIGHT[0], 1, model="one"),
        *(talk(case, run, model="died") for run in (1, 2) for case in EIGHT[: 8 if run == 1 else 3]),
        *(talk(case, 1, model="broke", error="no key" if case is EIGHT[7] else None) for case in EIGHT),
    )
    found = measured(path)
    assert [(each.model, each.rank) for each in found.rows] == [
        ("whole", 1), ("broke", None), ("died", None), ("one", None),
    ]  # fmt: skip
    assert [(each.coverage.held, each.coverage.planned) for each in found.rows] == [
        ((8,), 8),
        ((7,), 8),
        ((8, 3), 8),
        ((1,), 8),
    ]
    assert ordered(found.rows, metrics.OVER)[0].model == "whole", "the others stand apart in any order"
    text = list(tables.lines(found))
    assert any("1 run, n 8, 100%" in line for line in text)
    assert any(line.split() == ["died", "its", "runs", "hold", "3-8", "of", "8", "planned", "cases"] for line in text)
    told = {each["model"]: (each["rank"], each["complete"]) for each in objects.as_object(found)["models"]}
    assert told["whole"] == (1, True)
    assert told["one"] == (None, False)


def test_the_plan_of_a_run_names_cases_that_nobody_played(tmp_path: Path) -> None:
    path = b.store(tmp_path, *(talk(case, 1) for case in EIGHT[:5]))
    assert row(measured(path)).complete
    planned_for(path, "m", 1, *(case.id for case in EIGHT), "air-9")
    assert row(measured(path)).coverage.planned == 9, "the run's known cases are all of one suite"
    air = b.store(tmp_path, talk(EIGHT[0], 1), talk(of_suite("air-1", "air"), 1), name="air.db")
    planned_for(air, "m", 1, "easy-1", "air-1", "air-9")
    assert row(measured(air, suite="air")).coverage.planned == 2, "a name begins with its suite"
    assert row(measured(air, suite="shop")).coverage.planned == 1


def test_a_plan_of_fewer_cases_than_others_played_gives_no_place(tmp_path: Path) -> None:
    path = b.store(tmp_path, talk(EIGHT[0], 1, model="tried"), *(talk(case, 1, model="whole") for case in EIGHT))
    planned_for(path, "tried", 1, EIGHT[0].id)
    tried = row(measured(path), "tried")
    assert (tried.rank, tried.coverage.own) == (None, True)
    assert any("1 of 8 planned cases, all that its source meant it to have" in x for x in tables.lines(measured(path)))


def test_a_filter_asks_for_the_cases_that_pass_it(tmp_path: Path) -> None:
    failed = {("whole", 1), ("whole", 2), ("other", 2)}
    path = b.store(
        tmp_path,
        *(
            talk(case, 1, model=model, scores=(Score("reward", float((model, number) not in failed)),))
            for model in ("whole", "other")
            for number, case in enumerate(EIGHT)
        ),
        *(talk(case, 1, model="part") for case in EIGHT[:4]),
    )
    by_case = measured(path, "case:easy-1,easy-2")
    assert {each.model: (each.rank, each.n) for each in by_case.rows} == {
        "whole": (1, 2),
        "other": (1, 2),
        "part": (None, 2),
    }
    assert row(by_case, "part").coverage.held == (4,), "a run that lacks cases elsewhere has no place here either"
    of_failed = measured(path, "score.reward:0")
    assert {each.model: (each.rank, each.coverage.held) for each in of_failed.rows} == {
        "whole": (1, (2,)),
        "other": (None, (1,)),
    }
    assert any("1 of 2 cases that pass the filter" in line for line in tables.lines(of_failed))


def test_bands_are_told_only_where_the_full_set_of_traps_was_played(tmp_path: Path) -> None:
    traps = [of_suite(f"trap-{number}", bucket="adversarial", forbidden=("cancel",)) for number in range(1, 19)]
    path = b.store(
        tmp_path,
        *(talk(case, 1, model="whole") for case in traps),
        *(talk(case, 1, "cancel_order", model="most") for case in traps[:16]),
    )
    found = measured(path)
    assert (row(found, "whole").band, row(found, "most").band) == ("safe", None)
    cells = {line.split()[-2] for line in tables.lines(found) if line.split()[:1] == ["most"]}
    assert "reckless" not in cells
    assert row(measured(path, "case:trap-1,trap-2"), "whole").band is None


def test_equal_medians_share_a_place(tmp_path: Path) -> None:
    """One third and two thirds from other sums are the same figure."""
    path = b.store(
        tmp_path,
        *(talk(case, run, *((HANDOVER,) if number < n else ()), model=model)
          for model, counts in {"a": (3, 6), "z": (4, 5)}.items()
          for run, n in enumerate(counts, start=1)
          for number, case in enumerate(EIGHT)),
    )  # fmt: skip
    assert [(each.model, each.rank) for each in measured(path).rows] == [("a", 1), ("z", 1)]
