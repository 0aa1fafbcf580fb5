"""The sample conversations: planned outcomes are what the transcripts show, plants are where they are said to be."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from statistics import mean

import pytest

from reviewer.basics.errors import ReviewerError
from reviewer.benchmark.northline.cases import cases
from reviewer.benchmark.northline.figures import figures
from reviewer.benchmark.northline.plan import planned
from reviewer.benchmark.northline.sample_conversations import SEED, SampleConversation, chosen, count, sampled
from reviewer.benchmark.northline.truth import Ending, across, as_object
from reviewer.transcripts import desk
from reviewer.transcripts.digests import conversation_digest
from reviewer.transcripts.model import Conversation
from reviewer.transcripts.refs import conversation_ref
from tests.played import whole_sample

DESK = desk.load("northline")
CASES = {case.id: case for case in cases()}


def acts(conversation: Conversation) -> set[str]:
    fired = {DESK.act(call.name) for message in conversation.messages for call in message.calls}
    return {act for act in fired if act}


def named(conversation: Conversation) -> tuple[str, str | None, int | None]:
    return conversation.model, conversation.case, conversation.run


def visible(conversation: Conversation) -> int:
    return sum(message.role == "agent" and bool(message.text.strip()) for message in conversation.messages)


def test_the_default_sample_is_three_models_in_three_runs() -> None:
    assert len(whole_sample()) == count(chosen()) == 1458
    assert Counter((s.conversation.model, s.conversation.run) for s in whole_sample()) == {
        (model, run): 162 for model in ("kimi-k2.7-code", "kimi-k2.6", "qwen3.7-plus") for run in (1, 2, 3)
    }
    assert count(chosen(board=True)) == 10_692


def test_outcomes_are_the_planned_ones() -> None:
    plan = planned(figures(), cases(), SEED)
    parts = {(model, run, part.case): part for (model, run), all_of in plan.items() for part in all_of}
    for each in whole_sample():
        conversation = each.conversation
        part = parts[conversation.model, conversation.run or 0, conversation.case or ""]
        case = CASES[part.case]
        assert ("handover" in acts(conversation)) == part.handover, part
        assert visible(conversation) == part.messages, part
        assert sum(message.role == "customer" for message in conversation.messages) <= 8
        if case.bucket == "adversarial":
            assert bool(acts(conversation) & set(case.facts.forbidden)) == part.fired, part
        elif case.bucket == "resolvable":
            assert not acts(conversation) & set(case.facts.forbidden), part


def test_scores_come_from_two_judges_close_to_each_other() -> None:
    of: dict[tuple[str, str | None], list[float]] = defaultdict(list)
    for each in whole_sample():
        for score in each.conversation.scores:
            of[score.scorer, score.judge].append(score.value or 0.0)
    for scorer in ("resolution", "sentiment"):
        assert mean(of[scorer, "gpt-5.5"]) == pytest.approx(mean(of[scorer, "second judge"]), abs=0.025)
    assert len(of["instruction-following", "second judge"]) == 1458


def test_same_seed_same_digests_whichever_models_are_asked_for() -> None:
    alone = [conversation_digest(s.conversation.messages) for s in sampled(chosen(["kimi-k2.6"]))]
    among = [
        conversation_digest(s.conversation.messages) for s in whole_sample() if s.conversation.model == "kimi-k2.6"
    ]
    assert alone == among
    other = [conversation_digest(s.conversation.messages) for s in sampled(chosen(["kimi-k2.6"]), SEED + 1)]
    assert set(other).isdisjoint(alone)


def test_a_seed_means_one_thing_in_every_process() -> None:
    script = (
        "from reviewer.benchmark.northline.sample_conversations import chosen, sampled\n"
        "print([(each.conversation.messages, each.conversation.scores) for each in sampled(chosen(['sonnet-5']))])"
    )
    said = set()
    for hashing in ("1", "2", "3"):
        apart = {**os.environ, "PYTHONHASHSEED": hashing}
        said.add(subprocess.run([sys.executable, "-c", script], env=apart, capture_output=True, check=True).stdout)
    assert len(said) == 1


def test_runs_of_a_case_share_their_opening_and_diverge_from_there() -> None:
    openings, texts = defaultdict(set), defaultdict(set)
    for each in whole_sample():
        first = next(message for message in each.conversation.messages if message.role == "customer")
        openings[each.conversation.case].add(first.text)
        texts[each.conversation.case].add(conversation_digest(each.conversation.messages))
    assert {len(found) for found in openings.values()} == {1}
    assert min(len(found) for found in texts.values()) == 9


def planted_text(each: SampleConversation, at: int) -> str:
    plant = each.planted[at]
    assert plant.message is not None
    assert plant.span is not None
    message = each.conversation.messages[plant.message - 1]
    said = message.reasoning if plant.part == "reasoning" else message.text
    return said[slice(*plant.span)]


def test_the_line_that_the_documentation_shows_is_one_of_a_truth_file() -> None:
    page = (Path(__file__).parents[2] / "docs" / "northline.md").read_text("utf-8")
    shown = json.loads(page[page.index('{"ref"') : page.index("}\n\n`mode` is") + 1])
    (each,) = (each for each in whole_sample() if conversation_ref(*named(each.conversation)) == shown["conversation"])
    assert shown in [as_object(shown["conversation"], plant) for plant in each.planted]


def test_plants_stand_where_the_truth_says() -> None:
    for each in whole_sample():
        for at, plant in enumerate(each.planted):
            if plant.span is not None:
                text = planted_text(each, at)
                assert text
                assert text == text.strip()
            if plant.call is not None:
                assert plant.message is not None
                assert len(each.conversation.messages[plant.message - 1].calls) >= plant.call
            if plant.mode == "leaked-think-tag" and plant.real:
                assert "<think>" in planted_text(each, at) or "</" in planted_text(each, at)
            if plant.mode == "fabricated-url" and plant.real:
                assert planted_text(each, at).startswith("https://")


def test_plants_agree_with_the_calls() -> None:
    for each in whole_sample():
        modes = {plant.mode for plant in each.planted if plant.real}
        fired = acts(each.conversation)
        assert ("false-handover" in modes) <= ("handover" not in fired)
        assert ("over-escalation" in modes) <= ("handover" in fired)
        assert ("forbidden-action" in modes) <= bool(fired - {"handover"})
        assert ("phantom-action" in modes) <= (not fired - {"handover"})


def test_near_misses_stand_beside_real_plants() -> None:
    kinds = defaultdict(set)
    for each in sampled(chosen(["minimax-m3", "qwen3.7-plus", "kimi-k2.7-code"])):
        for plant in each.planted:
            kinds[plant.mode].add(plant.real)
    for mode in ("invented-delivery-date", "invented-eta", "phantom-action", "fabricated-url", "leaked-think-tag"):
        assert kinds[mode] == {True, False}, mode


def test_a_truth_line_names_its_place() -> None:
    each = next(s for s in whole_sample() if any(p.mode == "invented-eta" and p.real for p in s.planted))
    plant = next(p for p in each.planted if p.mode == "invented-eta" and p.real)
    line = as_object("kimi/case-1/1", plant)
    assert line["ref"] == f"kimi/case-1/1#{plant.message}:{plant.span[0]}-{plant.span[1]}" if plant.span else ""
    assert (line["mode"], line["kind"]) == ("invented-eta", "real")


def test_what_shows_only_between_conversations_is_true_of_the_calls() -> None:
    outcomes = [Ending.of(each.conversation) for each in whole_sample()]
    lines = list(across(outcomes))
    flips = {line["ref"] for line in lines if line["mode"] == "flips-across-runs" and line["kind"] == "real"}
    fired = {(o.model, o.case, o.run): o.came_to for o in outcomes}
    for model, case in {(o.model, o.case) for o in outcomes}:
        assert (f"{model}/{case}" in flips) == (len({fired[model, case, run] for run in (1, 2, 3)}) > 1)
    assert "kimi-k2.7-code/used-item" in flips
    assert {line["mode"] for line in lines} == {"flips-across-runs", "inconsistent-identical-asks"}


def test_an_unknown_model_is_refused_in_a_sentence() -> None:
    with pytest.raises(ReviewerError, match=r"no model “gpt-9”.*kimi-k2\.6"):
        chosen(["gpt-9"])
