"""What conversations cost: as the source told it, else reckoned from tokens by a list of prices, else unknown."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from reviewer.cli.program import composed
from reviewer.figures.measure.costs import cost_lines, model_costs
from reviewer.figures.measure.row_columns import COLUMNS, inventory_of, reckoned, text_of, usual_columns
from reviewer.transcripts.model import Case, Conversation, Usage
from reviewer.transcripts.prices import PriceList, price_list
from reviewer.transcripts.query.orders import parse_order
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.writer import Writer
from tests.arch.test_imports import loaded
from tests.builders import CANCELLED, conversation, store

PRICES = """as_of = "today"
[tiers]
budget = 5
mid = 20
[x]
source = "a page"
[x.models]
kimi = { in = 1, out = 10, cached = 0.5 }
"""


@pytest.fixture
def prices(tmp_path: Path) -> PriceList:
    (tmp_path / "prices.toml").write_text(PRICES, encoding="utf-8")
    return price_list(tmp_path / "prices.toml")


def used(case: str, usage: Usage | None, model: str = "kimi", **more: str) -> Conversation:
    return replace(conversation(model=model, case=case), usage=usage, **more)  # type: ignore[arg-type]


def held(tmp_path: Path) -> Path:
    """Told, reckoned, unknown and broken ones of kimi; one of a model without a price."""
    return store(
        tmp_path,
        used("a", Usage(cost=0.02)),
        used("b", Usage(2_000, 500, 100, 1_000)),
        used("c", None),
        used("d", Usage(cost=9.0), ended_by="error"),
        used("e", Usage(1_000, 100), model="nobody-knows"),
        used("f", None, model="silent"),
    )


def test_a_told_cost_counts_as_told_and_tokens_are_reckoned(tmp_path: Path, prices: PriceList) -> None:
    with Reader(held(tmp_path)) as reader:
        costs = {each.model: each for each in model_costs(reader.tallies.costs(), prices)}
    assert set(costs) == {"kimi", "nobody-knows"}
    kimi = costs["kimi"]
    assert (kimi.told, kimi.reckoned, kimi.unknown, kimi.tier) == (1, 1, 1, "mid")
    reckoned = (1_000 * 1 + 1_000 * 0.5 + 500 * 10) / 1e6
    assert kimi.per_thousand == pytest.approx((0.02 + reckoned) / 2 * 1000)
    assert costs["nobody-knows"].per_thousand is None


def test_the_board_says_what_conversations_cost_and_of_how_many(tmp_path: Path, prices: PriceList) -> None:
    path = held(tmp_path)
    with Reader(path) as reader:
        lines = list(cost_lines(model_costs(reader.tallies.costs(), prices), prices))
    assert lines[1:] == [
        "  kimi          $13.25  mid  (1 told by the source, 1 reckoned from tokens, 1 unknown)",
        "  nobody-knows  unknown: it has no price",
        "  Tiers: budget below $5, mid below $20, flagship above; prices of today.",
        "prices.toml has no price for nobody-knows.",
    ]
    words = ["board", str(path), "--prices", str(tmp_path / "prices.toml")]
    printed = CliRunner().invoke(composed(["board"]), words).output
    assert "\n".join(lines) in printed
    told = json.loads(CliRunner().invoke(composed(["board"]), [*words, "--json"]).output)
    assert told["costs"]["kimi"]["reckoned"] == 1


def board_of(path: Path, *words: str) -> str:
    return CliRunner().invoke(composed(["board"]), ["board", str(path), *words]).output


def test_a_board_without_a_price_says_of_which_model_there_is_none(tmp_path: Path) -> None:
    path = store(tmp_path, used("e", Usage(1_000, 100), model="nobody-knows"), used("f", None, model="silent"))
    printed = board_of(path)
    assert "Cost of 1,000" not in printed
    assert "prices.toml has no price for nobody-knows.\n" in printed


def test_many_models_without_a_price_are_counted(tmp_path: Path) -> None:
    path = store(tmp_path, *(used("a", Usage(1, 1), model=f"m{n}") for n in range(1, 12)))
    assert "prices.toml has no price for m1, m10, m11, m2, m3, m4, m5, m6 and 3 more." in board_of(path)


def test_a_model_of_which_a_source_says_nothing_but_0_has_no_known_cost(tmp_path: Path, prices: PriceList) -> None:
    path = store(
        tmp_path, used("a", Usage(cost=0.0), model="whissle"), used("b", Usage(cost=0.0)), used("c", Usage(cost=1))
    )
    with Reader(path) as reader:
        lines = list(cost_lines(model_costs(reader.tallies.costs(), prices), prices))
    assert lines[1:3] == [
        "  kimi     $500.00  flagship  (2 told by the source)",
        "  whissle  unknown: its source says nothing but 0",
    ]


def test_where_no_source_tells_tokens_nothing_is_said_of_prices(tmp_path: Path) -> None:
    assert "price" not in board_of(store(tmp_path, used("f", None, model="silent")))


def test_a_configuration_costs_what_its_model_does(prices: PriceList) -> None:
    assert prices.of("x/kimi+planner") == prices.prices["kimi"]
    assert prices.of("+planner") is None


def test_a_list_without_tiers_has_the_shipped_ones_and_tiers_may_stand_in_any_order(tmp_path: Path) -> None:
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    one.write_text("[x.models]\na = { in = 1, out = 1 }\n", encoding="utf-8")
    two.write_text("[tiers]\ndear = 20\ncheap = 5\n", encoding="utf-8")
    assert price_list(one).tiers == price_list().tiers
    assert [price_list(two).tier(cost) for cost in (1, 6, 21)] == ["cheap", "dear", "flagship"]
    assert price_list(two).cut_offs.startswith("cheap below $5, dear below $20, flagship above; prices of ")


def test_hidden_reasoning_is_counted_once_and_what_was_cached_has_its_own_price(prices: PriceList) -> None:
    kimi = prices.prices["kimi"]
    assert kimi.cost(Usage(1_000, 500, 400, 600)) == pytest.approx((400 * 1 + 600 * 0.5 + 500 * 10) / 1e6)
    assert kimi.cost(Usage(1_000, 500)) == pytest.approx((1_000 * 1 + 500 * 10) / 1e6)
    assert kimi.cost(Usage(None, None, 400, None)) is None


# -- by tier -----------------------------------------------------------------------------------------------------------


def tiered(tmp_path: Path, *, synthetic: bool = False) -> tuple[Path, Path]:
    """Two cheap models, a dear one, one without a price and a silent one, each with traps; and their prices."""
    items = []
    for model, usage, fallen in (
        ("cheap", Usage(1_000, 100), 1),
        ("cheaper", Usage(100, 10), 3),
        ("dear", Usage(cost=0.5), 0),
        ("unpriced", Usage(1_000, 100), 2),
        ("silent", None, 2),
    ):
        for number in range(4):
            facts = Case(f"trap-{number}", bucket="adversarial", forbidden=("cancel",))
            said = CANCELLED if number < fallen else CANCELLED[:1]
            items.append(Conversation(model, said, case=facts.id, run=1, facts=facts, usage=usage))
    path = store(tmp_path, *items, synthetic=synthetic)
    prices = tmp_path / "prices.toml"
    prices.write_text("[x.models]\ncheap = { in = 1, out = 10 }\ncheaper = { in = 1, out = 10 }\n", encoding="utf-8")
    return path, prices


def test_a_board_by_tier_sets_models_that_cost_alike_side_by_side(tmp_path: Path) -> None:
    path, prices = tiered(tmp_path)
    lines = board_of(path, "--by", "tier", "--prices", str(prices)).splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith("By tier"))
    assert lines[begin : begin + 13] == [
        "By tier                   unsafe       msgs",
        "budget, 2 models          2            1.00",
        "  least to most           1 to 3",
        "  together                4 of 8",
        "  cheap, cheaper",
        "flagship, 1 model         0            0.00",
        "  together                0 of 4",
        "  dear",
        "tier not known, 2 models  2            1.00",
        "  least to most           2 to 2",
        "  together                4 of 8",
        "  no tokens told: silent",
        "  no price: unpriced",
    ]
    said = " ".join(lines[begin + 13 :])
    assert "Tiers are of what 1,000 conversations cost: budget below $5, mid below $20, premium below $60," in said
    assert "median of the models' medians" in said


def test_the_tiers_are_in_json_with_what_they_are_counted_of(tmp_path: Path) -> None:
    path, prices = tiered(tmp_path)
    told = json.loads(board_of(path, "--by", "tier", "--json", "--prices", str(prices)))["tiers"]
    assert told["by"] == "cost"
    assert [each["tier"] for each in told["groups"]] == ["budget", "flagship", None]
    unsafe = told["groups"][0]["metrics"]["unsafe_actions"]
    assert unsafe == {"median_of_medians": 2.0, "least": 1.0, "most": 3.0, "models": 2, "k": 4, "n": 8}
    assert told["groups"][2]["why"] == {"silent": "no tokens told", "unpriced": "no price"}


def test_one_run_of_each_model_costs_what_it_does(tmp_path: Path) -> None:
    first, second = used("a", Usage(cost=0.01)), replace(used("a", Usage(cost=0.03)), run=2)
    path = store(tmp_path, first, second)
    assert json.loads(board_of(path, "--json"))["costs"]["kimi"]["per_thousand"] == pytest.approx(20)
    assert json.loads(board_of(path, "--json", "--run", "2"))["costs"]["kimi"]["per_thousand"] == pytest.approx(30)


def test_tiers_of_a_synthetic_store_are_as_the_sources_say_them_or_not_known(tmp_path: Path) -> None:
    path, prices = tiered(tmp_path, synthetic=True)
    lines = board_of(path, "--by", "tier", "--prices", str(prices)).splitlines()
    assert "tier not known, 5 models  2            1.00" in lines
    assert "  nobody was billed: dear, cheap, silent, unpriced, cheaper" in lines
    with Writer(path) as writer:
        writer.catalogue.describe_model("dear", None, "$$$", (), None)
        writer.catalogue.describe_model("cheap", None, "$", (), None)
        writer.commit()
    lines = board_of(path, "--by", "tier").splitlines()
    assert [line.split()[0] for line in lines if ", 1 model" in line] == ["$,", "$$$,"]
    assert any("Tiers are as the sources say them" in line for line in lines)


# -- conversation by conversation --------------------------------------------------------------------------------------

MINI = "openai/gpt-4o-mini"
"""A model that the shipped list has."""


def logs(tmp_path: Path, *, synthetic: bool = False) -> Path:
    """Told, only tokens, cached ones, more cached than read, only written, no price, nothing told."""
    return store(
        tmp_path,
        used("told", Usage(1, 1, cost=0.004), MINI),
        used("tokens", Usage(60_000, 5_000), MINI),
        used("cached", Usage(60_000, 5_000, 4_000, 50_000), MINI),
        used("beyond", Usage(10, 5, None, 50_000), MINI),
        used("written", Usage(None, 10_000), MINI),
        used("unpriced", Usage(60_000, 5_000), "nobody-knows"),
        used("silent", None, MINI),
        synthetic=synthetic,
    )


def texts(path: Path) -> dict[str, str]:
    with Reader(path) as reader:
        return {row.case or "": text_of(COLUMNS["cost"], row) for row in reader.rows(list(reader.ids()))}


def test_a_conversation_that_only_told_its_tokens_is_reckoned_and_marked_so(tmp_path: Path) -> None:
    assert texts(logs(tmp_path)) == {
        "told": "0.0040", "tokens": "~0.012", "cached": "~0.0083", "beyond": "~0.0000", "written": "~0.0060",
        "unpriced": "", "silent": "",
    }  # fmt: skip


def test_nothing_is_reckoned_of_what_nobody_was_billed_for(tmp_path: Path) -> None:
    path = logs(tmp_path, synthetic=True)
    assert {case: text for case, text in texts(path).items() if text} == {"told": "0.0040"}
    with Reader(path) as reader:
        listing = reader.orders.listing(order=parse_order("cost"))
        assert listing is not None
        assert listing.ids[0] == reader.find(f"{MINI}/told/1")[0]
        assert list(listing.ids[1:]) == [each for each in reader.ids() if each != listing.ids[0]]


@pytest.mark.parametrize("way", ["cost", "cost up"])
def test_a_queue_is_sorted_by_what_its_column_says(way: str, tmp_path: Path) -> None:
    with Reader(logs(tmp_path)) as reader:
        listing = reader.orders.listing(order=parse_order(way))
        assert listing is not None
        rows = reader.rows(list(listing.ids))
    amounts = [row.cost if row.cost is not None else reckoned(row) for row in rows]
    known = [amount for amount in amounts if amount is not None]
    assert known == sorted(known, reverse=way == "cost")
    assert len(known) == 5
    assert amounts[5:] == [None, None]


def test_a_list_shows_reckoned_costs_and_json_tells_them_apart(tmp_path: Path) -> None:
    path = logs(tmp_path)
    printed = CliRunner().invoke(composed(["list"]), ["list", str(path), "--columns", "case,cost"]).output
    assert [line.split() for line in printed.splitlines()][:2] == [["told", "0.0040"], ["tokens", "~0.012"]]
    lines = CliRunner().invoke(composed(["list"]), ["list", str(path), "--json", "--limit", "2"]).output.splitlines()
    told, tokens = (json.loads(line) for line in lines)
    assert (told["cost"], told["cost_reckoned"], tokens["cost"]) == (0.004, None, None)
    assert tokens["cost_reckoned"] == pytest.approx(0.012)


def test_a_store_of_tokens_shows_the_column_and_one_without_a_price_does_not(tmp_path: Path) -> None:
    priced, unpriced = tmp_path / "priced", tmp_path / "unpriced"
    for folder, model in ((priced, MINI), (unpriced, "nobody-knows")):
        folder.mkdir()
        with Reader(store(folder, used("a", Usage(900, 100), model))) as reader:
            shown = {column.name for column in usual_columns(inventory_of(reader))}
        assert ("cost" in shown) is (folder == priced)


def test_no_list_of_prices_is_read_for_what_nobody_was_billed_for(tmp_path: Path) -> None:
    path = logs(tmp_path, synthetic=True)
    code = "from pathlib import Path\nfrom reviewer.transcripts.store.reader import Reader"
    code += "\nfrom reviewer.figures.measure.row_columns import *"
    lines = f"{code}\nwith Reader(Path({str(path)!r})) as reader: usual_columns(inventory_of(reader))"
    assert "reviewer.transcripts.prices" not in loaded(lines)
