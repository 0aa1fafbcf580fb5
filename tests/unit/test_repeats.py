"""The same case in several runs: pass^k, and how many cases flip by acts and by score."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.figures.export import board_table as tables
from reviewer.figures.measure import objects
from reviewer.figures.measure.repeats import deciding, passed, repeats
from reviewer.imports.importer import Wishes, import_files
from reviewer.transcripts.model import Case, Conversation, Score
from tests import builders as b
from tests.transcripts import TRANSCRIPTS, needs_transcripts
from tests.unit.test_board import HANDOVER, measured, row, talk

EIGHT = [Case(f"easy-{number}", "shop", bucket="resolvable") for number in range(1, 9)]


def test_pass_k_is_the_mean_chance_that_k_runs_all_passed() -> None:
    came = repeats([[1.0, 1.0, 1.0], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0], []], True, None)
    assert [(each.k, each.cases, each.left_out) for each in came.passes] == [(1, 4, 0), (2, 3, 1), (3, 3, 1)]
    assert [each.value for each in came.passes] == pytest.approx([(1 + 2 / 3 + 0 + 1) / 4, (1 + 1 / 3) / 3, 1 / 3])
    assert (came.all, came.some, came.none) == (2, 1, 1)
    assert came.score_flips == (1, 3)


@given(st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=3, max_size=3), min_size=1, max_size=6))
def test_pass_k_never_rises_with_k(values: list[list[float]]) -> None:
    came = repeats(values, True, None)
    chances = [each.value for each in came.passes]
    assert chances == sorted(chances, reverse=True)
    assert chances[0] == pytest.approx(sum(passed(each) for runs in values for each in runs) / (3 * len(values)))
    assert came.all + came.some + came.none == len(values)


def test_a_score_beyond_one_says_nothing_of_passes() -> None:
    came = repeats([[7.0, 9.0]], False, None)
    assert came.passes == ()
    assert came.score_flips is None


def test_the_deciding_score_is_the_one_of_the_whole() -> None:
    assert deciding(["sentiment", "Resolution", "reward"]) == "reward"
    assert deciding(["sentiment", "Resolution"]) == "Resolution"
    assert deciding(["match"]) == "match"
    assert deciding(["sentiment", "politeness"]) is None


def test_the_board_says_what_passed_and_which_cases_flip(tmp_path: Path) -> None:
    def ran(run: int, reward: float, *tools: str, case: Case = EIGHT[0]) -> Conversation:
        return talk(case, run, *tools, scores=(Score("reward", reward),))

    path = b.store(
        tmp_path,
        ran(1, 1.0, HANDOVER), ran(2, 0.0), ran(3, 1.0, HANDOVER),
        ran(1, 1.0, case=EIGHT[1]), ran(2, 1.0, case=EIGHT[1]),
    )  # fmt: skip
    found = measured(path)
    own = row(found).repeats
    assert (own.act_flips, own.score_flips) == ((1, 2), (1, 2))
    assert [round(each.value, 3) for each in own.passes] == [0.833, 0.667, 0.0]
    told = objects.as_object(found)
    assert told["passed"] == {"scorer": "reward", "judge": None, "value": 1, "resolvable_only": False}
    assert told["models"][0]["repeats"]["flips"] == {"acts": {"k": 1, "n": 2}, "score": {"k": 1, "n": 2}}
    assert told["models"][0]["repeats"]["pass^k"][2] == {"k": 3, "value": 0.0, "n": 1, "left_out": 1}
    text = list(tables.lines(found))
    assert next(line.split() for line in text if line.startswith("m  ")) == [
        "m",
        "2",
        "0.83",
        "0.67",
        "0.00",
        "1",
        "1",
        "0",
        "1",
        "of",
        "2",
        "1",
        "of",
        "2",
    ]
    assert next(line.split() for line in text if "cases left out" in line)[3:] == ["0", "0", "1"]
    assert any("Passed: reward is 1." in line for line in text)


@needs_transcripts
def test_real_runs_of_two_benchmarks_are_not_mixed(tmp_path: Path) -> None:
    paths = [
        TRANSCRIPTS / "tau-bench-sierra/historical_trajectories/gpt-4o-airline.json",
        TRANSCRIPTS / "tau2-bogoliubon",
    ]
    import_files(paths, tmp_path / "runs.db", Wishes(), lambda *_: None)
    found = measured(tmp_path / "runs.db", suite="airline")
    own = row(found, "gpt-4o")
    assert (own.runs, own.n, own.coverage.held) == ((0, 1, 2, 3), 200, (50,) * 4)
    assert own.repeats.score_flips == (26, 50)
    assert [round(each.value, 3) for each in own.repeats.passes] == [0.42, 0.273, 0.22, 0.2]
