"""Anchors: found again, moved, drifted, elsewhere; never attached to another conversation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reviewer.basics.errors import RefError
from reviewer.marks.anchors import anchor, place, words
from reviewer.transcripts.model import Message, Score, Stored
from reviewer.transcripts.refs import Ref, parse
from tests import builders
from tests.builders import CANCELLED, agent, call, customer

STORED = builders.stored()
CLAIM = "delivered yesterday"


def ref(place_: str) -> Ref:
    return parse(f"{STORED.ref}#{place_}")


def span(text: str, quote: str) -> tuple[int, int]:
    return text.index(quote), text.index(quote) + len(quote)


def claim() -> Ref:
    return Ref(STORED.ref, 2, span=span(CANCELLED[1].text, CLAIM))


def edited(*messages: Message) -> Stored:
    return builders.stored(*messages)


def test_an_anchor_holds_the_exact_words_and_their_surroundings() -> None:
    made = anchor(STORED, claim())
    assert made.quote == CLAIM
    assert made.before.endswith("It should be ")
    assert len(made.before) == 40
    assert made.after == "."
    assert (made.ref, made.digest) == (claim(), STORED.digest)


@pytest.mark.parametrize(
    ("where", "quote"),
    [
        ("2.1.result/status", "in transit"),
        ("2.1.result:11-21", "in transit"),
        ("2.2.result/ok", "true"),
        ("2.1.arguments/order_id", "#1130"),
        ("2", ""),
        ("2.1", ""),
        ("2.1.result", ""),
    ],
)
def test_it_sits_on_fields_spans_and_whole_items(where: str, quote: str) -> None:
    made = anchor(STORED, ref(where))
    assert made.quote == quote
    assert place(made, STORED).state == "exact"
    assert place(made, STORED).ref == ref(where)


@pytest.mark.parametrize(
    "where", ["9", "2.3", "2.1.result/nothing", "2.1.result/status/x", "2:0-999", "2.1.result/-1", "1.1.result/a"]
)
def test_what_is_not_there_is_said(where: str) -> None:
    with pytest.raises(RefError, match=r"has|no such field|ends behind"):
        anchor(STORED, ref(where))


def test_an_edit_in_a_later_or_earlier_message_leaves_it_exact() -> None:
    made = anchor(STORED, claim())
    later = edited(*CANCELLED[:3], agent("No, sorry."))
    earlier = edited(customer("Cancel it, please."), *CANCELLED[1:])
    assert [place(made, each).state for each in (later, earlier)] == ["exact", "exact"]


def test_an_edit_of_other_words_of_its_message_moves_it() -> None:
    made = anchor(STORED, claim())
    now = edited(CANCELLED[0], replace(CANCELLED[1], text="Done! " + CANCELLED[1].text), *CANCELLED[2:])
    found = place(made, now)
    assert found.state == "moved"
    assert found.ref is not None
    assert words(now, found.ref) == CLAIM


def test_a_pointer_reaches_keys_with_slashes_and_tildes() -> None:
    stored = builders.stored(customer("Hi."), agent("", call("get", "{}", '{"a/b~c": ["x", "y"]}')))
    assert words(stored, parse(f"{stored.ref}#2.1.result/a~1b~0c/1")) == "y"


def test_words_that_now_begin_their_message_are_found_there() -> None:
    now = edited(CANCELLED[0], replace(CANCELLED[1], text=f"{CLAIM}, it says."), *CANCELLED[2:])
    found = place(anchor(STORED, claim()), now)
    assert (found.state, found.ref) == ("moved", Ref(STORED.ref, 2, span=(0, len(CLAIM))))


@pytest.mark.parametrize("text", ["It will come.", f"{CLAIM}, yes, {CLAIM}."])
def test_words_that_are_gone_or_there_twice_have_drifted(text: str) -> None:
    now = edited(CANCELLED[0], replace(CANCELLED[1], text=text), *CANCELLED[2:])
    found = place(anchor(STORED, claim()), now)
    assert (found.state, found.ref) == ("drifted", Ref(STORED.ref, 2))


def test_other_content_under_the_reference_is_elsewhere_even_with_the_same_words() -> None:
    made = anchor(STORED, claim())
    other = edited(customer("Where is my bag?"), agent(f"It was {CLAIM}."))
    assert (place(made, other).state, place(made, other).ref) == ("elsewhere", None)
    assert place(made, edited(customer("Hello?"))).state == "elsewhere"
    assert place(made, None).state == "elsewhere"
    assert place(made, replace(STORED, ref="kimi/used-item-1/2")).state == "elsewhere"


def test_a_whole_item_has_drifted_when_its_message_changed() -> None:
    now = edited(CANCELLED[0], replace(CANCELLED[1], text="Done."), *CANCELLED[2:])
    assert place(anchor(STORED, ref("2.1")), now).state == "drifted"
    assert place(anchor(STORED, ref("2")), now).state == "drifted"


def test_a_field_follows_its_pointer_and_a_span_of_a_result_its_call() -> None:
    calls = (call("noted"), *CANCELLED[1].calls)
    now = edited(CANCELLED[0], replace(CANCELLED[1], calls=calls), *CANCELLED[2:])
    result = place(anchor(STORED, ref("2.1.result:11-21")), now)
    assert (result.state, str(result.ref)) == ("moved", str(ref("2.2.result:11-21")))
    assert place(anchor(STORED, ref("2.1.result/status")), now).state == "drifted"
    reworded = edited(CANCELLED[0], replace(CANCELLED[1], text="Done."), *CANCELLED[2:])
    assert place(anchor(STORED, ref("2.1.result/status")), reworded).state == "moved"


def test_a_conversation_is_the_same_or_elsewhere() -> None:
    made = anchor(STORED, Ref(STORED.ref))
    assert place(made, STORED).state == "exact"
    assert place(made, edited(*CANCELLED[:2])).state == "elsewhere"


def test_a_line_that_claims_words_which_are_not_there_is_not_believed() -> None:
    made = replace(anchor(STORED, claim()), quote="delivered today")
    assert place(made, STORED).state == "drifted"
    shifted = replace(anchor(STORED, claim()), ref=Ref(STORED.ref, 2, span=(0, 5)))
    assert place(shifted, STORED).state == "moved"


def judged(note: str | None, *messages: Message, judge: str = "") -> Stored:
    stored = edited(*(messages or CANCELLED))
    scores = (Score("tone", 1.0, None, "Polite."), Score("resolution", 0.0, judge or None, note))
    return replace(stored, conversation=replace(stored.conversation, scores=scores))


NOTE = "It was not cancelled. The agent said so."


def test_a_judges_note_is_anchored_by_its_words() -> None:
    stored = judged(NOTE, judge="gpt-5")
    made = anchor(stored, parse(f"{stored.ref}#judge.resolution@gpt-5:22-40"))
    assert (made.quote, made.before) == ("The agent said so.", NOTE[:22])
    assert place(made, stored).state == "exact"
    whole = anchor(stored, parse(f"{stored.ref}#judge.tone"))
    assert (words(stored, whole.ref), place(whole, stored).state) == ("Polite.", "exact")
    with pytest.raises(RefError, match="no judge noted that"):
        anchor(stored, parse(f"{stored.ref}#judge.resolution"))


@pytest.mark.parametrize(
    ("now", "state"),
    [
        (judged(f"Well. {NOTE}"), "moved"),
        (judged("It was cancelled."), "drifted"),
        (judged(None), "drifted"),
        (judged(NOTE, *CANCELLED[:2]), "exact"),
        (judged("The agent said so.", *CANCELLED[:2]), "elsewhere"),
        (judged(None, *CANCELLED[:2]), "elsewhere"),
    ],
)
def test_what_became_of_words_of_a_note(now: Stored, state: str) -> None:
    made = anchor(judged(NOTE), parse(f"{STORED.ref}#judge.resolution:22-40"))
    assert place(made, now).state == state


def test_a_whole_note_that_says_something_else_has_drifted_though_the_same_was_said() -> None:
    made = anchor(judged(NOTE), parse(f"{STORED.ref}#judge.resolution"))
    assert place(made, judged("It was cancelled.")).state == "drifted"
