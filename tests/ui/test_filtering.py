"""The filter line and named queues."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.app.shared.offers import OfferList
from reviewer.app.shared.position import FIRST_PAGE, QueueRequest, ReadingPosition
from reviewer.app.shared.rows import pointing
from reviewer.basics.errors import ReviewerError
from reviewer.marks import queues
from reviewer.transcripts.query import EVERYTHING, Selection, parse
from reviewer.transcripts.store.reader import Reader
from tests.builders import agent, call, conversation, customer, store
from tests.calls import calls_of
from tests.ui.room import Room, room
from tests.ui.test_reading import many


async def settled(here: Room) -> None:
    """Wait for what runs behind the screen."""
    await here.idle()


def offered(here: Room) -> list[str]:
    """What stands in the list under the field."""
    return here.screen.query_one("#offers", OfferList).shown


async def test_a_filter_narrows_the_queue_and_an_empty_one_opens_it_again(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("f")
        await here.type("model:kimi run:2")
        await here.press("enter")
        await settled(here)
        assert here.foot == "2 conversations."
        assert here.ref == "kimi/used-item-1/2"
        assert "1 of 2" in here.lines()[0]
        assert "model:kimi run:2" in here.lines()[0]
        await here.press("f", "ctrl+u", "enter")
        await settled(here)
        assert "All 12 conversations" in here.foot
        assert here.ref == "kimi/used-item-1/2"


async def test_a_filter_is_completed_with_tab_and_what_may_follow_is_shown(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("f")
        await here.type("mod")
        assert offered(here) == ["model:"]
        assert here.lines()[-8].split("  ") == [" model:", "the model, or the configuration it ran in"]
        await here.press("tab")
        assert offered(here) == ["gpt", "kimi"]
        await here.type("k")
        await here.press("tab", "enter")
        await settled(here)
        assert here.screen.reading.query == "model:kimi"


async def test_only_what_was_typed_last_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[str] = []
    plain = Reader.count

    def recorded(reader: Reader, selection: Selection = EVERYTHING) -> int:
        counted.append(repr(selection))
        return plain(reader, selection)

    monkeypatch.setattr(Reader, "count", recorded)
    monkeypatch.setattr("reviewer.app.queue.filter._PAUSE", 0.001)
    text = "order" * 60
    async with room(many(tmp_path)) as here:
        await here.press("f")
        await settled(here)
        counted.clear()
        for end in range(1, len(text) + 1):
            here.screen.prompt.value = text[:end]
        await settled(here)
        here.screen.filtering._count("refund", parse("refund"))  # a timer that was stopped too late
        await settled(here)
    assert (len(counted), text in counted[0]) == (1, True), counted


def test_a_count_that_nobody_waits_for_stops_while_it_runs(tmp_path: Path) -> None:
    with Reader(many(tmp_path)) as reader:
        asked = count(1)
        reader.search.each_moment(lambda: next(asked) == 3)
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        with pytest.raises(ReviewerError, match="interrupted"):
            reader._all(endless)
        assert next(asked) == 4


async def test_a_filter_that_lets_nothing_through_changes_nothing(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("f")
        await here.type("model:nobody")
        await here.press("enter")
        await settled(here)
        assert "stays as it was" in here.foot
        assert len(here.screen.queue.ids) == 12
        await here.press("f")
        await here.type("colour:red")
        await here.press("enter")
        await settled(here)
        assert "colour" in here.foot
        assert len(here.screen.queue.ids) == 12


async def test_tags_can_be_asked_for(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("]", "j", "1", "f")
        await here.type("tag:unsupported-claim")
        await here.press("enter")
        await settled(here)
        assert len(here.screen.queue.ids) == 1


async def test_a_draw_is_kept_in_a_file_and_read_in_its_order(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press(":")
        await here.type("draw monday 5 by model seed 3")
        await here.press("enter")
        await settled(here)
        kept = queues.load(here.folder, "monday")
        assert len(kept.refs) == 5
        assert (kept.how, kept.seed, kept.strata, kept.of) == ("drawn", 3, "model", 12)
        assert [here.screen.queue.row(n).ref for n in range(5)] == list(kept.refs)  # type: ignore[union-attr]  # they are there
        await here.press(":")
        await here.type("draw nonsense")
        await here.press("enter")
        assert "draw NAME 60 by family" in here.foot


async def test_a_picked_queue_opens_again_by_its_name(tmp_path: Path) -> None:
    async with room(many(tmp_path), query="run:1") as here:
        await here.press(":")
        await here.type("pick mine")
        await here.press("enter")
        await settled(here)
        assert queues.load(here.folder, "mine").how == "picked"
        await here.press("f", "ctrl+u", "enter")
        await settled(here)
        await here.press(":")
        await here.type("queue mine")
        await here.press("enter")
        await settled(here)
        assert len(here.screen.queue.ids) == 4
        await here.press(":")
        await here.type("queue nobody")
        await here.press("enter")
        assert "no queue “nobody”" in here.foot


async def test_the_queue_shows_what_happened_and_what_was_said_of_it(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        assert "unless marked: wrote" in here.lines()[1]  # so no line says it
        assert not any("⚡" in line.partition("││")[0] for line in here.lines()[3:15])
        await here.press("j", "1", "F", "]", "R")
        assert "✘ 1" in here.lines()[3]
        assert " ✓ " in here.lines()[4]


async def test_what_is_wrong_is_pointed_at_and_what_was_typed_stays(tmp_path: Path) -> None:
    async with room(many(tmp_path), query="run:1") as here:
        await settled(here)
        await here.press("f", "ctrl+u")
        await here.type("run:2 model:kimi colour:red")
        pointed = next(line for line in here.lines() if "▼" in line)
        assert pointed.index("▼") == len("run:2 model:kimi ")
        assert "There is no field" in pointed
        await here.press("enter")
        assert here.screen.prompt.has_focus
        assert here.screen.prompt.value == "run:2 model:kimi colour:red"
        assert here.screen.prompt.cursor_position == len("run:2 model:kimi ")
        await here.press("ctrl+k", "enter")
        await settled(here)
        assert here.foot == "2 conversations."


async def test_what_is_not_finished_yet_is_no_mistake(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("f")
        assert offered(here)[:3] == ["model:", "case:", "wrote:"]
        assert "more" in here.lines()[-1]
        await here.type("model:")
        assert offered(here) == ["gpt", "kimi"]
        assert "▼" not in here.text


async def test_the_list_under_the_field_is_gone_through_with_tab_and_arrows_and_enter_takes(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        prompt = here.screen.prompt
        await here.press("f")
        await here.type("run:1 model:")
        await here.press("tab")
        assert prompt.value == "run:1 model:gpt"
        assert here.lines()[-8].startswith("▌gpt")
        await here.press("down")
        assert prompt.value == "run:1 model:kimi"
        assert offered(here) == ["gpt", "kimi"]
        await here.press("up", "up")
        assert prompt.value == "run:1 model:"
        await here.press("down", "escape")
        assert (prompt.value, prompt.has_focus) == ("run:1 model:", True)
        await here.press("shift+tab", "tab", "tab", "enter")
        assert (prompt.value, prompt.has_focus, offered(here)) == ("run:1 model:kimi", True, [])
        await here.press("enter")
        await settled(here)
        assert here.screen.reading.query == "run:1 model:kimi"
        assert not here.screen.query_one("#offers").display


async def test_what_is_meant_is_offered_in_the_place_of_what_is_wrong(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        prompt = here.screen.prompt
        await here.press("f")
        await here.type("run:1 -escalated:yes")
        assert "Did you mean handover:yes?" in here.foot
        assert offered(here) == ["handover:yes"]
        await here.press("tab")
        assert prompt.value == "run:1 -handover:yes"
        await here.press("ctrl+u")
        await here.type("status:turn-limit run:1")
        await here.press("enter")
        assert offered(here) == ["ended:", "verdict:"]
        await here.press("tab", "enter")
        assert prompt.value == "ended:turn-limit run:1"
        await here.press("ctrl+u")
        await here.type("refund")
        await here.press("tab")
        assert (offered(here), "enter filters" in here.foot) == ([], True)
        await here.press("ctrl+u")
        await here.type("role:age")  # not finished, no mistake
        assert offered(here) == ["agent"]
        assert "▼" not in here.text


async def test_the_list_goes_when_a_click_elsewhere_and_another_key_ask_for_something_else(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("f", "m")
        assert offered(here)
        await here.pilot.click("#transcript", offset=(5, 5))
        await here.press("colon")
        assert here.screen.prompt.purpose == "command"
        assert not here.screen.query_one("#offers", OfferList).display
        here.screen.prompt.put(0)
        assert here.screen.prompt.value == ""


async def test_an_offer_is_taken_by_a_click(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("f")
        await here.type("model:")
        await here.pilot.click("#offers", offset=(3, 1))
        await here.pilot.pause()
        assert here.screen.prompt.value == "model:kimi"


async def test_a_filter_without_hits_keeps_its_field_and_says_what_excludes(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        for text, said in (
            ("model:kimmi", "No model here is “kimmi”. Did you mean kimi?"),
            ("run:1 messages:>99", "messages:>99 finds nothing by itself."),
            ("run:1 (run:2 or messages:>99)", "Without run:1 or without (run:2 or messages:>99) something does."),
            ("wrote:cancel or", "Nothing stands behind this “or”."),
        ):
            await here.press("f", "ctrl+u")
            await here.type(text)
            await here.press("enter")
            await settled(here)
            assert (here.screen.prompt.value, here.screen.prompt.has_focus) == (text, True)
            assert said in here.foot
            assert len(here.screen.queue.ids) == 12
            await here.press("escape")


async def test_words_of_the_filter_are_lit_and_n_goes_on_into_the_next_conversation_that_holds_them(
    tmp_path: Path,
) -> None:
    items = [
        conversation(customer("Hello."), agent("A refund, yes, a refund."), case="a"),
        *(conversation(customer("Cancel it."), agent("Done."), case=f"b{n}") for n in range(6)),
        conversation(customer("My refund?"), agent("None.", reasoning="No refund here."), case="c"),
    ]
    async with room(store(tmp_path, *items), query="refund or wrote:no") as here:
        hits = here.screen.viewing.hits
        assert [(hit.message, hit.start) for hit in hits] == [(2, 2), (2, 17)]
        assert [paint.style for paint in here.screen.viewing.paints()] == ["hit", "hit"]
        await here.press("n", "n")
        assert here.foot == "“refund”: hit 2 of 2."
        await here.press("n")
        await settled(here)
        assert (here.ref, here.cursor.message) == ("kimi/c/1", 1)
        assert here.foot == "“refund”: hit 1 of 2."
        await here.press("n")
        assert "No refund here." in here.text  # what is hidden opens
        await here.press("n")
        await settled(here)
        assert "No conversation further on" in here.foot
        await here.press("N", "N")
        await settled(here)
        assert (here.ref, here.foot) == ("kimi/a/1", "“refund”: hit 2 of 2.")
        await here.press("/")
        await here.type("yes")
        await here.press("enter")
        assert here.foot == "“yes”: hit 1 of 1."
        await here.press("n")
        assert here.ref == "kimi/a/1"
        await here.press("escape", "n")
        assert "refund" in here.foot
        await here.press("f", "ctrl+u", "enter")
        await settled(here)
        assert not here.screen.viewing.hits


async def test_only_where_the_filter_looks_for_words_they_are_lit(tmp_path: Path) -> None:
    item = conversation(customer("A refund?"), agent("No refund.", call("get_order", '{"why":"refund"}', "refund")))
    async with room(store(tmp_path, item), query="role:agent in:text refund -model:gpt") as here:
        assert [(hit.message, hit.part) for hit in here.screen.viewing.hits] == [(2, "text")]


async def test_filters_are_recalled_and_the_old_one_stays_when_one_leaves(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        for text in ("run:1", "run:2", "model:nobody"):
            await here.press("f", "ctrl+u")
            await here.type(text)
            await here.press("enter")
            await settled(here)
        assert here.screen.reading.query == "run:2"
        await here.press("f", "ctrl+u")
        await here.type("fam")
        await here.press("up")
        assert here.screen.prompt.value == "model:nobody"
        await here.press("up", "up", "up")
        assert here.screen.prompt.value == "run:1"
        await here.press("down", "down", "down")
        assert here.screen.prompt.value == "fam"
        await here.press("down")
        assert here.screen.prompt.value == "family:"
        await here.press("escape", "escape")
        assert here.screen.reading.query == "run:2"
        await here.press("f")
        assert here.screen.prompt.value == "run:2"
        await here.press("escape", ":", "up")
        assert here.screen.prompt.value == ""


async def test_how_many_would_pass_is_said_while_typing(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("f")
        await here.type("run:3")
        here.screen.filtering._count("run:3", parse("run:3"))
        await settled(here)
        assert here.foot.startswith("4 conversations")
        here.screen.filtering._said("run:2", "an answer that comes too late")
        assert here.foot.startswith("4 conversations")


async def test_a_value_that_finds_nothing_is_named_in_the_field_and_behind_it(tmp_path: Path) -> None:
    named = "No case here is “vip_skp-2”. Did you mean vip-skip-2?"
    async with room(many(tmp_path)) as here:
        await here.press("f")
        await here.type("case:Used_Item-1,vip_skp-2")
        here.screen.filtering._count(here.screen.prompt.value, parse(here.screen.prompt.value))
        await settled(here)
        assert here.foot.startswith(f"6 conversations. {named}")
        await here.press("enter")
        await settled(here)
        assert here.foot.startswith(f"6 conversations. {named}")
        assert len(here.screen.queue.ids) == 6


async def test_a_filter_that_a_start_brings_names_it_too(tmp_path: Path) -> None:
    async with room(many(tmp_path), query="case:used-item-1,vip-skp-2") as here:
        assert "No case here is “vip-skp-2”." in here.foot


async def test_a_filter_is_parsed_once_for_each_text_that_stands_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room(many(tmp_path), query="run:1") as here:
        queues.save(here.folder, queues.Queue("week", ("kimi/vip-skip-2/3",)))
        texts = calls_of(monkeypatch, parse)
        await here.press("f")
        await here.type("run:2")
        here.screen.filtering._count("run:2", parse("run:2"))
        await here.press("enter")
        await settled(here)
        assert here.foot == "4 conversations."
        assert (texts[0], texts[-1], len(set(texts))) == ("run:1", "run:2", len(texts))
        texts.clear()
        await here.press("ctrl+l", "M")  # what is read again, and counted on the board, was parsed before
        await settled(here)
        await here.press("f")
        await settled(here)
        await here.press("escape")
        assert not [text for text in texts if not text.startswith("suite:")]  # the board asks for one suite itself
        await here.press("f", "ctrl+u")
        await here.type("queue:week")
        texts.clear()
        await here.press("enter")
        await settled(here)
        assert here.screen.reading.name == "week"
        assert texts == []


async def test_the_filter_line_takes_commands_and_opens_queues(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("f")
        await here.type(":draw monday 5 seed 9")
        await here.press("enter")
        await settled(here)
        drawn = list(here.screen.reading.ids)
        await here.press("f", "enter")
        await settled(here)
        assert list(here.screen.reading.ids) == drawn
        assert here.screen.reading.name == "monday"


@given(st.text("ab ", max_size=60), st.integers(-5, 90), st.integers(1, 80))
def test_what_points_stands_where_it_points(words: str, at: int, width: int) -> None:
    shown = pointing(words, at, width, "▼")
    assert shown.index("▼") == max(0, min(at, width - 1))


@pytest.mark.parametrize(
    ("query", "name"),
    [("queue:monday", "monday"), ('queue:"a b"', "a b"), ("queue:mon*", ""), ("-queue:monday", ""), ("", ""),
     ("queue:a,b", ""), ("queue:a run:1", ""), ("queue:a refund", ""), ("queue:none", ""), ("run:1", "")],
)  # fmt: skip
def test_a_query_for_nothing_but_a_queue_names_it(query: str, name: str) -> None:
    assert parse(query).queue == name


def test_how_many_a_filter_of_words_lets_through_is_not_known_before_all_are_listed(tmp_path: Path) -> None:
    talks = [conversation(customer("refund" * (n % 2)), run=n) for n in range(1, 2 * FIRST_PAGE + 3)]
    with Reader(store(tmp_path, *talks)) as reader:
        for text, total in (("refund*", None), ("refund* or run:1", None), ("run:1 refund*", 1), ("", len(talks))):
            query = parse(text)
            assert ReadingPosition(reader, QueueRequest(query, query.selection)).total == total
