"""The voice of the sample: hardly a sentence twice, models and customers in manners of their own, no torn lines."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from reviewer.benchmark.northline.cases import cases
from reviewer.benchmark.northline.lines import bank
from reviewer.benchmark.northline.sample_conversations import SampleConversation, chosen, sampled
from reviewer.benchmark.northline.voices import typed, wording
from reviewer.transcripts.model import Conversation
from tests.played import whole_sample, with_edited
from tests.wording import Wording

CASES = {case.id: case for case in cases()}
MODELS = sorted(figures.model for figures in chosen())


def told() -> list[Conversation]:
    return [each.conversation for each in whole_sample()]


def of(model: str) -> list[Conversation]:
    return [conversation for conversation in told() if conversation.model == model]


def texts(conversations: list[Conversation], role: str) -> list[str]:
    return [m.text for conversation in conversations for m in conversation.messages if m.role == role and m.text]


@pytest.mark.parametrize("model", MODELS)
def test_a_model_says_three_messages_in_four_and_half_its_sentences_once(model: str) -> None:
    said = Wording.of(of(model))
    assert said.distinct_messages >= 0.75
    assert said.distinct_sentences >= 0.5
    assert said.most_repeated[1] <= 1 / 60, said.most_repeated


def test_the_sample_says_two_messages_in_three_and_a_third_of_its_sentences_once() -> None:
    said = Wording.of(told())
    assert said.distinct_messages >= 0.65
    assert said.distinct_sentences >= 0.35


def test_most_thoughts_and_every_summary_for_a_colleague_are_said_once() -> None:
    thoughts = [m.reasoning for c in told() for m in c.messages if m.reasoning]
    assert len(set(thoughts)) >= 0.65 * len(thoughts)
    summaries = [
        call.arguments for c in told() for m in c.messages for call in m.calls if call.name == "handover_to_human"
    ]
    assert len(summaries) > 300
    assert len(set(summaries)) >= 0.98 * len(summaries)


def test_nobody_says_a_long_sentence_twice_in_a_conversation() -> None:
    twice = []
    for conversation in told():
        for role in ("agent", "customer"):
            said = [s for text in texts([conversation], role) for s in re.split(r"(?<=[.!?])\s+|\n+", text)]
            long = [sentence for sentence in said if len(sentence.split()) > 6 and "http" not in sentence]
            twice += [(conversation.id, sentence) for sentence in set(long) if long.count(sentence) > 1]
    assert len(twice) <= 0.01 * len(told()), twice[:8]


def test_whoever_pushes_brings_another_argument_each_time() -> None:
    claims = {text for key, listed in bank().items() if key.endswith(".claim") for text in listed if "(" not in text}
    pushing = 0
    for each in sampled(chosen()):
        said = [m.text for m in each.conversation.messages if m.role == "customer"]
        argued = [text for text in said if text in claims]
        assert len(argued) == len(set(argued)), each.conversation.id
        pushing += len(argued) > 2
    assert pushing > 10


def test_no_line_is_torn() -> None:
    torn = re.compile(r"  |[‹›\x01]|(?<!\{)\{(?!\{)|\|| [,.](?:\s|$)|\(\)| '(?:ve|s|re|ll|m)\b|,\.|[^.]\.\.(?!\.)")
    for conversation in told():
        if CASES[conversation.case or ""].facts.language == "en":
            for message in conversation.messages:
                for said in (message.text, message.reasoning):
                    assert not torn.search(said), (conversation.id, said)


def test_a_model_is_known_by_its_manner() -> None:
    full, short = texts(of("qwen3.7-plus"), "agent"), texts(of("kimi-k2.6"), "agent")
    contracted = [sum("'ll " in text or "I'm " in text for text in said) / len(said) for said in (full, short)]
    assert contracted[0] < 0.02 < 0.15 < contracted[1]
    signed = [sum("Northline" in text.rsplit(". ", 1)[-1] for text in said) for said in (full, short)]
    assert signed[0] > 60
    assert not any("Best regards" in text for text in short)


def test_customers_type_as_their_style_has_it() -> None:
    by_style: defaultdict[str, list[str]] = defaultdict(list)
    for conversation in told():
        case = CASES[conversation.case or ""]
        if case.facts.language == "en":
            by_style[case.style] += texts([conversation], "customer")[1:]
    assert {"plain", "chatty", "formal", "terse", "lower", "typo", "angry", "second"} == set(by_style)
    lengths = {style: sum(map(len, said)) / len(said) for style, said in by_style.items()}
    assert lengths["terse"] < lengths["plain"] < lengths["chatty"]
    assert sum(text != text.lower() for text in by_style["lower"] if "[photo" not in text) == 0
    assert not any("'ll " in text or "n't " in text for text in by_style["formal"])


def test_typing_and_wording_leave_alone_what_is_no_words() -> None:
    import random

    rng = random.Random(4)
    assert typed("[photo: A dent] HERE", "lower", rng) == "[photo: A dent] HERE"
    assert typed("I can't see it. Couldn't you?", "formal", rng) == "I cannot see it. Could you not?"
    assert wording("full us")("I'm sorry, it's been a colour.") == "I am sorry, it has been a color."
    assert wording("")("I'm here") == "I'm here"


OFFER = '"Anything else I can do?"'
EDITS = {
    "a choice not closed": (
        "agent.toml",
        OFFER,
        '"Any (else|more?"',
        "lines/agent.toml, “offer.warm”, line 1: a parenth",
    ),
    "an unknown slot": ("agent.toml", OFFER, '"More, {frist}?"', "“offer.warm”, line 1: nothing is known as “frist”"),
    "no text": ("agent.toml", OFFER, "17", "agent.toml, “offer.warm”: a line is text"),
    "no TOML": ("agent.toml", OFFER, '"Anything', "lines/agent.toml cannot be read"),
    "a lost mark": (
        "faults.toml",
        "delivered on {wrong_date}›",
        "",
        "“invented-delivery-date.real”, line 1: ‹ and › do",
    ),
    "a story lost": ("stories/tracking.toml", "[tracking-3]", "[tracking-33]", "no file has a story of “tracking-3”"),
    "a story's word lost": ("stories/tracking.toml", "wants = ", "want = ", "“tracking-1”: “wants” is missing"),
    "a voice lost": ("voices.toml", '["grok-4.3"]', '["grok-4"]', "voices.toml, “grok-4.3”: “writes” is missing"),
    "a list lost": ("customer.toml", "[thanks]", "[thankz]", "customer.toml has no list “thanks"),
}


@pytest.mark.parametrize(("name", "old", "new", "said"), EDITS.values(), ids=EDITS)
def test_an_edited_file_that_cannot_be_played_says_file_entry_and_what_is_missing(
    program_copy: Path, name: str, old: str, new: str, said: str
) -> None:
    assert said in with_edited(program_copy, f"lines/{name}", old, new)


def test_same_words_for_a_model_alone_and_among_others() -> None:
    def words(all_of: list[SampleConversation]) -> list[str]:
        return [m.text for each in all_of if each.conversation.model == "kimi-k2.6" for m in each.conversation.messages]

    assert words(list(sampled(chosen(["grok-4.3", "kimi-k2.6"])))) == words(list(sampled(chosen(["kimi-k2.6"]))))
