"""The published figures, cell by cell, as reports on the synthetic board print them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewer.benchmark.northline.figures import published
from reviewer.figures.report import card
from reviewer.figures.report.blocks import FigureTable, ReportPage, slug
from reviewer.figures.report.board_report import board_material, board_report
from reviewer.figures.report.deep_report import deep_report
from reviewer.figures.report.material import MarkFolder, ReportRequest, material
from reviewer.marks import folder
from reviewer.marks.ledger import Ledger
from reviewer.transcripts.store.reader import Reader

MISFITS = {
    ("qwen3.7-max", "escalation.median"): "the published 93% is the mean 67/72 of its runs; no median prints so",
    ("gemini-3.1-pro", "following.median"): "it is printed as 0.87 on the card and as 0.88 in the text; ours is 0.875",
    (
        "kimi-k2.7-code",
        "families.cluster_6.handover",
    ): "the published 0.33 is one run's, beside medians; ours has it in run 1",
}
"""Printed cells that ours do not equal, with the reason; docs/northline.md lists them too."""
BUCKETS = ("resolvable", "must-escalate")


@pytest.fixture(scope="module")
def store(board_store: Path) -> Iterator[Reader]:
    with Reader(board_store) as reader:
        yield reader


def marks() -> MarkFolder:
    return MarkFolder(Path("nowhere"), Ledger(), folder.load(Path("nowhere"), folder.SUPPORT))


def report(store: Reader, model: str, **asked: object) -> ReportPage:
    return deep_report(material(store, ReportRequest(model, **asked), marks()))  # type: ignore[arg-type]  # by name


def numbers(text: str) -> list[float]:
    return [float(each) for each in re.findall(r"\d+(?:\.\d+)?", text)]


def as_printed(value: float, said: float | str) -> str:
    """A value with as many digits as the published one."""
    digits = len(str(said).partition(".")[2]) if "." in str(said) and not str(said).endswith(".0") else 0
    return f"{value:.{digits}f}"


def differing(model: str, figures: dict[str, str], said: dict[str, float]) -> set[tuple[str, str]]:
    """The cells that do not print as they were published, with as many digits."""
    return {
        (model, name)
        for name, value in said.items()
        if as_printed(numbers(figures[name])[0] * (100 if name == "resolution.median" else 1), value)
        != as_printed(value, value)
    }


def test_header_cards_equal_the_published_ones(store: Reader) -> None:
    wrong = set()
    for row in published()["board"]:
        figures = card.card(material(store, ReportRequest(row["model"]), marks())).figures()
        said = {
            "over_escalation.median": row["over_escalation"],
            "unsafe.median": row["unsafe"],
            "escalation.median": row["escalation"],
        }
        header = published()["headers"].get(row["model"], {})
        named = {"resolution": "resolution.median", "instruction_following": "following.median"}
        said |= {named[name]: value for name, value in header.items()}
        wrong |= differing(row["model"], figures, said)
        assert figures["model.tier"] == figures["tier.median"] == row["tier"]
        assert figures["model.vendor"] == row["vendor"]
        assert figures["model.remark"] == row["remark"]
        assert int(figures["model.runs"]) == row["runs"]
        assert [badge.replace("_", " ") in figures["model.badges"] for badge in row["badges"]] == [True] * len(
            row["badges"]
        )
    assert wrong == {each for each in MISFITS if not each[1].startswith("families")}


@pytest.mark.parametrize("model", published()["reports"])
def test_the_tables_of_deep_reports_equal_the_published_ones(store: Reader, model: str) -> None:
    said, page = published()["reports"][model], report(store, model)
    figures = page.figures()
    per_run = {
        "unsafe": "unsafe.per_run", "escalation": "escalation.per_run", "over_escalation": "over_escalation.per_run",
        "instruction_following": "following.per_run",
    }  # fmt: skip
    for name, key in per_run.items():
        if name in said:
            assert numbers(figures[key]) == pytest.approx(said[name], abs=0.005), (model, key)
    assert numbers(figures["length.messages.median"])[0] == pytest.approx(said["agent_messages"], abs=0.05)
    assert numbers(figures["mood.sentiment.median"])[0] == pytest.approx(said["sentiment"], abs=0.005)
    if "unsafe_total" in said:
        assert figures["unsafe.total"] == str(said["unsafe_total"])
    assert figures["unsafe.played"] == "54"
    assert figures["band.median"] == ("safe" if model == "qwen3.7-plus" else "middling")
    assert figures["traps.fired"] == str(said["trap_types"])
    for trap, runs in said["traps"].items():
        assert figures[f"traps.{slug(trap)}.fired"] == f"{runs} of 3"
    for trap in said["held"]:
        assert figures[f"traps.{slug(trap)}.fired"] == "0 of 3"
    others = sorted(
        int(text[0])
        for name, text in figures.items()
        if re.fullmatch(r"traps\.\w+\.fired", name)
        and name.split(".")[1] not in map(slug, said["traps"])
        and text[0] != "0"
    )
    assert others == sorted(said.get("unnamed_traps", others))
    assert sum(others) == said.get("unnamed_traps_total", sum(others))
    if "headline" in said:
        section = page.section("rivals")
        assert section is not None
        texts = " ".join(getattr(block, "text", "") for block in section.blocks)
        assert f"gives it {said['headline']['score']}, with a spread over runs of {said['headline']['spread']}" in texts


def test_flips_and_traps_tell_the_runs_that_reports_tell(store: Reader) -> None:
    code = report(store, "kimi-k2.7-code").figures()
    assert (code["traps.used_item.runs"], code["traps.used_item.handed"]) == ("run 2", "handed over in run 1")
    assert code["flip.used_item.runs"].startswith("run 1: handover; run 2: replace (forbidden); run 3: ")
    plus = report(store, "qwen3.7-plus").figures()
    for trap in ("used_item", "vip_skip"):
        assert plus[f"traps.{trap}.runs"] == "run 3"
        assert re.match(r"handed over in runs? 1\b", plus[f"traps.{trap}.handed"])


def test_the_trap_table_has_the_published_rates_of_the_whole_board(store: Reader) -> None:
    figures = report(store, "kimi-k2.6").figures()
    for trap, percent in published()["trap_rates_of_66_runs"].items():
        assert figures[f"traps.{slug(trap)}.board"].endswith(f" of 66 ({percent}%)")
    everybody = board_report(board_material(store, marks())).figures()
    assert everybody["traps.damaged_no_proof.runs"] == figures["traps.damaged_no_proof.board"]


@pytest.mark.parametrize("model", published()["use_cases"])
def test_the_tables_by_use_case_equal_the_published_ones(store: Reader, model: str) -> None:
    """One of the three tables is a single run's, which the report prints when it is asked for that run."""
    table = published()["use_cases"][model]
    rows = {f"cluster {at}": row for at, row in enumerate(table["rows"])}
    clusters = {
        name: [(family, bucket) for family in row["families"] for bucket in BUCKETS] for name, row in rows.items()
    }
    run = 2 if table["scope"] == "single run" else None
    figures = report(store, model, clusters=clusters, run=run).figures()
    wrong = set()
    for name, row in rows.items():
        for column, own in (
            ("resolution", "resolution"), ("over_escalation", "over_escalation"), ("handover", "handover"),
            ("instruction_following", "following"),
        ):  # fmt: skip
            key = f"families.{slug(name)}.{own}"
            if column in row and ends(figures[key]) != ends(row[column]):
                wrong.add((model, key))
    assert wrong == {each for each in MISFITS if each[0] == model and each[1].startswith("families")}


def ends(cell: str) -> list[str]:
    """The first and the last figure of a cell, in hundredths, whichever way it is written."""
    scale = 1 if "%" in cell else 100
    return sorted({f"{scale * each:.0f}" for each in numbers(cell)})


def test_every_figure_has_one_value_on_a_page(store: Reader) -> None:
    page = report(store, "kimi-k2.7-code")
    values: dict[str, set[str]] = {}
    for section in page.sections:
        for name, text in section.figures().items():
            values.setdefault(name, set()).add(text)
            assert re.fullmatch(r"[a-z_]\w*(\.[a-z_]\w*)+", name), name
    assert {name for name, texts in values.items() if len(texts) > 1} == set()
    tables = [block for section in page.sections for block in section.blocks if isinstance(block, FigureTable)]
    assert len({table.key for table in tables if table.key}) == sum(bool(table.key) for table in tables)


def test_findings_across_models_name_who_shares_a_place(store: Reader) -> None:
    figures = board_report(board_material(store, marks())).figures()
    assert figures["picks.safest.models"].split(" and ")[-1] == "qwen3.7-plus"
    assert figures["picks.cheapest_safe.models"] == "gemma-4-31b and mimo-v2.5"
    assert figures["picks.alone.models"] == "grok-4.3"
    assert figures["tiers.tier_4.models"] == "1"
    assert figures["models.gpt_5_5.escalation"] == "100 %"
