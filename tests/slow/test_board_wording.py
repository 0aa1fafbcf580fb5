"""The voice of the whole board: 24 models, and none of them wears its sentences out."""

from __future__ import annotations

from collections import defaultdict

from reviewer.benchmark.northline.sample_conversations import chosen, sampled
from reviewer.transcripts.model import Conversation
from tests.wording import Wording


def test_24_models_say_half_their_messages_and_every_seventh_sentence_once() -> None:
    by_model: defaultdict[str, list[Conversation]] = defaultdict(list)
    for each in sampled(chosen(board=True)):
        by_model[each.conversation.model].append(each.conversation)
    whole = Wording.of(conversation for all_of in by_model.values() for conversation in all_of)
    assert whole.distinct_messages >= 0.5
    assert whole.distinct_sentences >= 0.15
    for model, conversations in by_model.items():
        said = Wording.of(conversations)
        assert said.distinct_messages >= 0.75, model
        assert said.distinct_sentences >= 0.5, model
        assert said.most_repeated[1] <= 1 / 60, (model, said.most_repeated)
