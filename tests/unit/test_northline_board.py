"""The published figures, recomputed from a store of all 24 models by the desk file and the bucket."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from reviewer.basics.errors import ReviewerError
from reviewer.benchmark.northline.build import build, ensure_sample
from reviewer.benchmark.northline.figures import printed, published
from reviewer.benchmark.northline.sample_conversations import chosen
from reviewer.figures.export import board_table as tables
from reviewer.figures.measure import board, metrics, objects
from reviewer.transcripts.store.reader import Reader


@pytest.fixture(scope="module")
def found(board_store: Path) -> board.Board:
    with Reader(board_store) as reader:
        assert reader.count() == 10_692
        return board.board(reader)


@pytest.fixture(scope="module")
def by_case(board_store: Path) -> board.Board:
    with Reader(board_store) as reader:
        return board.board(reader, by="case")


def test_the_published_order_holds(found: board.Board) -> None:
    assert [row.model for row in found.rows] == [row["model"] for row in published()["board"]]
    assert [len(row.runs) for row in found.rows] == [row["runs"] for row in published()["board"]]


def test_medians_print_as_published(found: board.Board) -> None:
    for row, said in zip(found.rows, published()["board"], strict=True):
        digits = 0 if float(said["over_escalation"]).is_integer() else 1
        over = row.metrics[metrics.OVER].median * 120
        assert printed(over, 120, digits) == f"{said['over_escalation']:.{digits}f}", row.model
        assert row.metrics[metrics.UNSAFE].median == said["unsafe"], row.model
        escalation = row.metrics[metrics.ESCALATION]
        if row.model in published()["misfits"]:
            assert round(100 * sum(escalation.k) / sum(escalation.n)) == said["escalation"]
        else:
            assert printed(escalation.median * 24, 24, 0) == f"{said['escalation']:.0f}", row.model


def test_denominators_are_whole(found: board.Board) -> None:
    for row in found.rows:
        assert row.left_out == 0
        sizes = {name: set(row.metrics[name].n) for name in metrics.METRICS}
        assert sizes == {
            metrics.ESCALATION: {24},
            metrics.OVER: {120},
            metrics.UNSAFE: {18},
            metrics.MESSAGES: {162},
            metrics.RESOLUTION: {120},
            metrics.FOLLOWING: {120},
            metrics.SENTIMENT: {162},
        }


@pytest.mark.parametrize("model", published()["reports"])
def test_the_deep_reports_hold_per_run(found: board.Board, model: str) -> None:
    said = published()["reports"][model]
    own = next(row for row in found.rows if row.model == model).metrics
    for name in ("escalation", "over_escalation"):
        if name in said:
            metric = metrics.ESCALATION if name == "escalation" else metrics.OVER
            assert [round(100 * (value or 0), 1) for value in own[metric].per_run] == said[name]
    if "unsafe" in said:
        assert list(own[metrics.UNSAFE].per_run) == said["unsafe"]
    if "unsafe_total" in said:
        assert sum(own[metrics.UNSAFE].k) == said["unsafe_total"]
    if "instruction_following" in said:
        assert list(own[metrics.FOLLOWING].per_run) == pytest.approx(said["instruction_following"], abs=0.005)
    if "over_escalation_median" in said:
        assert own[metrics.OVER].median * 120 == pytest.approx(said["over_escalation_median"])
    assert own[metrics.MESSAGES].median == pytest.approx(said["agent_messages"], abs=0.05)
    assert own[metrics.SENTIMENT].median == pytest.approx(said["sentiment"], abs=0.005)


def test_traps_fire_as_published(by_case: board.Board) -> None:
    fired: Counter[str] = Counter()
    for row in by_case.rows:
        own = {case: sum(of[metrics.UNSAFE].k) for (case, bucket), of in row.groups.items() if bucket == "adversarial"}
        said = published()["reports"].get(row.model)
        if said:
            assert {trap: own[trap] for trap in said["traps"]} == said["traps"]
            assert {own[trap] for trap in said["held"]} == {0}
            assert sum(k > 0 for k in own.values()) == said["trap_types"]
        fired.update({case or "": int(k) for case, k in own.items()})
    for trap, percent in published()["trap_rates_of_66_runs"].items():
        assert round(100 * fired[trap] / 66) == percent


def test_it_says_what_it_is_wherever_it_is_printed(board_store: Path, found: board.Board) -> None:
    with Reader(board_store) as reader:
        assert reader.info()["synthetic"] is True
        assert reader.stored(1).synthetic
        families = list(tables.lines(board.board(reader, by="family")))
    text = list(tables.lines(found))
    assert text[0].startswith("SYNTHETIC")
    assert max(map(len, text + families)) <= 100
    assert any("not computed here: kimi-k2.7-code 85.1" in line for line in text)
    assert objects.as_object(found)["synthetic"] is True


def test_the_store_holds_nothing_of_the_truth(tmp_path: Path) -> None:
    store, truth = tmp_path / "s.db", tmp_path / "truth.jsonl"
    build(store, chosen(["sonnet-5"]), truth=truth)
    planted = [json.loads(line) for line in truth.read_text(encoding="utf-8").splitlines()]
    assert len(planted) > 162
    assert {line["kind"] for line in planted} == {"real", "near miss"}
    with Reader(store) as reader:
        for line in planted[:50]:
            assert reader.find(line["conversation"])
    database = sqlite3.connect(store)
    columns = [row[0] for row in database.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")]
    kept = database.execute("SELECT count(*) FROM conversations WHERE meta IS NOT NULL OR extra IS NOT NULL").fetchone()
    database.close()
    assert not any("planted" in sql for sql in columns)
    assert kept == (0,)


def test_building_twice_is_refused_and_leaves_no_parts(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    path.write_text("mine")
    with pytest.raises(ReviewerError, match="is there already"):
        build(path, chosen(["sonnet-5"]))
    assert path.read_text() == "mine"
    with pytest.raises(ReviewerError, match=r"folder .* is not there"):
        build(tmp_path / "gone" / "s.db", chosen(["sonnet-5"]))

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(tmp_path / "t.db", chosen(["sonnet-5"]), truth=tmp_path / "t.jsonl", progress=stop)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["s.db"]


def test_the_sample_is_built_on_first_use_and_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    steps: list[tuple[int, int]] = []
    path = ensure_sample(lambda done, whole: steps.append((done, whole)))
    assert steps[0] == (0, 1458)
    assert steps[-1] == (1458, 1458)
    before = path.stat().st_mtime_ns
    assert ensure_sample() == path
    assert path.stat().st_mtime_ns == before
    path.write_bytes(b"spoiled")
    with Reader(ensure_sample()) as reader:
        assert reader.count() == 1458


def test_a_sample_of_an_older_version_is_built_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    path = ensure_sample()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE imports SET command = replace(command, '/2', '')")
        database.execute("DELETE FROM conversations WHERE id > 1")
    with Reader(ensure_sample()) as reader:
        assert reader.count() == 1458
    built = path.stat().st_mtime_ns
    assert ensure_sample().stat().st_mtime_ns == built


def test_what_is_said_of_a_model_is_stored_with_it_and_shown(found: board.Board) -> None:
    text = list(tables.lines(found))
    for row, said in zip(found.rows, published()["board"], strict=True):
        about = row.about
        assert [about[name] for name in ("vendor", "tier", "badges", "remark")] == [
            said[name] for name in ("vendor", "tier", "badges", "remark")
        ]
        reasons = any(model.reasoning for model in chosen([row.model]))
        assert about["reasoning"] is reasons
        (line,) = (line for line in text if line.startswith(f"  {row.model} ") and said["vendor"] in line)
        assert (", reasoning" in line) == reasons
        assert said["remark"][:20] in line
    assert "value pick" in "".join(text)


def test_reasoning_tokens_follow_the_mark(board_store: Path) -> None:
    database = sqlite3.connect(board_store)
    given = dict(
        database.execute(
            "SELECT runs.model, sum(messages.tokens_reasoning) FROM messages"
            " JOIN conversations ON conversations.id = messages.conversation_id"
            " JOIN runs ON runs.id = conversations.run_id"
            " GROUP BY runs.model"
        )
    )
    database.close()
    assert {model: bool(tokens) for model, tokens in given.items()} == {
        model.model: model.reasoning for model in chosen(board=True)
    }


def test_header_cards_hold_as_the_board_measures_them(found: board.Board) -> None:
    for model, said in published()["headers"].items():
        own = next(row for row in found.rows if row.model == model).metrics
        assert 100 * own[metrics.RESOLUTION].median == pytest.approx(said["resolution"], abs=0.51), model
        assert own[metrics.FOLLOWING].median == pytest.approx(said["instruction_following"], abs=0.0051), model


def test_cells_by_use_case_hold_as_the_board_measures_them(board_store: Path) -> None:
    with Reader(board_store) as reader:
        by_family = {row.model: row.groups for row in board.board(reader, by="family").rows}
    for model, table in published()["use_cases"].items():
        for row in table["rows"]:
            if table["scope"] == "single run" or "instruction_following" not in row:
                continue
            bucket = "must-escalate" if "handover" in row else "resolvable"
            cells = [by_family[model][family, bucket][metrics.FOLLOWING].median for family in row["families"]]
            ends = [float(end) for end in row["instruction_following"].split("–")]
            assert [f"{min(cells):.2f}", f"{max(cells):.2f}"] == [f"{ends[0]:.2f}", f"{ends[-1]:.2f}"], (model, row)
