"""What conversations cost: as the source told it, else reckoned from tokens by a list of prices, else unknown."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from reviewer.cli.program import composed
from reviewer.measure.costs import cost_lines, model_costs
from reviewer.model import Conversation, Usage
from reviewer.prices import PriceList, price_list
from reviewer.store.reader import Reader
from tests.builders import conversation, store

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
    path = store(tmp_path, used("a", Usage(cost=0.0), model="whissle"), used("b", Usage(cost=0.0)), used("c", Usage(cost=1)))
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
