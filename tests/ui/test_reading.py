"""Reading with the keyboard: moving, finding, folding, layers, panes, references."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.app import keys
from reviewer.app.reading.conversation_view import ConversationView
from reviewer.app.shared.sheet import Item, Sheet
from reviewer.marks import queues
from reviewer.transcripts.model import Case, Conversation, Message, Score
from tests import builders
from tests.ui.room import LARGE, SMALL, room


def many(tmp_path: Path, runs: int = 3) -> Path:
    """Two models, two cases, some runs each."""
    return builders.store(
        tmp_path,
        *(
            builders.conversation(model=model, case=case, run=run)
            for model in ("gpt", "kimi")
            for run in range(1, runs + 1)
            for case in ("used-item-1", "vip-skip-2")
        ),
    )


def long_talk(turns: int) -> Conversation:
    """A conversation of many messages."""
    return builders.conversation(
        *(builders.customer(f"Line {n}. " + "word " * (n % 40)) for n in range(1, turns + 1)), case="long-1"
    )


async def test_the_first_conversation_is_there_at_once_and_the_keys_go_to_it(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        assert here.ref == "gpt/used-item-1/1"
        assert here.screen.transcript.has_focus
        assert "1 of 12" in here.lines()[0]
        assert "gpt · used-item-1 · run 1 of 3" in here.text


async def test_items_are_messages_and_their_calls_in_reading_order(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        seen = [here.cursor]
        for _ in range(6):
            await here.press("j")
            seen.append(here.cursor)
        assert seen == [Item(1), Item(2), Item(2, 1), Item(2, 2), Item(3), Item(4), Item(4)]
        await here.press("g")
        assert here.cursor == Item(1)
        await here.press("G", "k")
        assert here.cursor == Item(3)


async def test_without_the_tool_layer_items_are_messages_alone(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("\\", "\\", "j", "j")
        assert here.cursor == Item(3)
        assert "get_order" not in here.text


async def test_conversations_follow_the_queue_and_stop_at_its_ends(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("]", "L")
        assert here.ref == "gpt/used-item-1/2"
        assert here.screen.queue.cursor == 2
        await here.press("[", "comma", "H")
        assert here.ref == "gpt/used-item-1/1"
        assert "beginning of the queue" in here.foot


async def test_the_queue_opens_what_its_cursor_is_on(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("shift+tab", "j", "j", "j")
        assert here.screen.queue.has_focus
        assert here.ref == "gpt/vip-skip-2/2"
        await here.press("G")
        assert here.ref == "kimi/vip-skip-2/3"
        await here.press("enter")
        assert here.screen.transcript.has_focus


async def test_a_narrow_screen_shows_the_queue_only_while_it_has_the_keys(tmp_path: Path) -> None:
    async with room(many(tmp_path), SMALL) as here:
        assert "Queue" not in here.text
        await here.press("shift+tab")
        assert "Queue" in here.text
        assert here.screen.queue.has_focus
        await here.press("enter")
        assert "Queue" not in here.text


async def test_the_tool_layer_stands_beside_inline_or_nowhere(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path), LARGE) as here:
        assert "Tool layer" in here.text
        await here.press("\\")
        assert "Tool layer" not in here.text.replace(here.foot, "")
        assert "in transit" in here.text
        await here.press("ctrl+t")
        assert "in transit" not in here.text
        await here.press("\\")
        assert "in transit" in here.text


async def test_find_lights_up_all_hits_and_goes_round(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("/")
        await here.type("it")
        await here.press("enter")
        assert here.foot.startswith("“it”: hit 1 of")
        first = here.cursor
        count = len(here.screen.viewing.hits)
        assert count >= 3
        for _ in range(count):
            await here.press("n")
        assert here.cursor == first
        await here.press("N")
        assert f"hit {count} of {count}" in here.foot
        await here.press("escape")
        assert not here.screen.viewing.hits


async def test_the_queue_shows_the_line_of_the_open_conversation(tmp_path: Path) -> None:
    talk = (builders.customer("Hi."), builders.agent("Hello."))
    store = builders.store(tmp_path, *(builders.conversation(*talk, case=f"vip-{n:03}") for n in range(300)))

    async with room(store, at="kimi/vip-200/1") as here:

        def shown(case: str) -> bool:
            return any(case in line[:34] and "▌" in line[:34] for line in here.lines())

        assert shown("vip-200")
        await here.press("]")
        assert shown("vip-201")
        await here.press("shift+tab", "G")
        assert shown("vip-299")
        await here.press("g")
        assert shown("vip-000")


async def test_a_reference_without_a_place_leads_to_where_reading_begins(tmp_path: Path) -> None:
    system = Message("system", "Be nice.", source_role="system")
    talk = builders.conversation(system, builders.customer("Hi."), builders.agent("Hello."))
    async with room(builders.store(tmp_path, builders.conversation(case="a"), talk), at="kimi/used-item-1/1") as here:
        assert here.cursor == Item(2)
        assert here.screen.tools.size.width == 1
        await here.press("[")
        assert "No calls" not in here.text


async def test_what_is_looked_for_is_found_in_the_next_conversation_too(tmp_path: Path) -> None:
    other = builders.conversation(builders.customer("Hello."), builders.agent("Is it here?"), case="vip-2")
    async with room(builders.store(tmp_path, builders.conversation(), other)) as here:
        await here.press("/")
        await here.type("it")
        await here.press("enter", "]")
        assert [(hit.message, hit.start) for hit in here.screen.viewing.hits] == [(2, 3)]
        await here.press("n")
        assert here.cursor == Item(2)
        assert here.foot == "“it”: hit 1 of 1."


async def test_find_reaches_what_is_folded(tmp_path: Path) -> None:
    text = "\n".join(f"line {n}" for n in range(300)) + "\nneedle"
    store = builders.store(tmp_path, builders.conversation(builders.customer("Hi."), builders.agent(text)))
    async with room(store) as here:
        assert "needle" not in here.text
        await here.press("/")
        await here.type("needle")
        await here.press("enter")
        assert here.cursor == Item(2)
        assert "needle" in "\n".join(here.lines()[:-1])


async def test_enter_on_a_call_opens_its_long_result_and_then_folds_the_call(tmp_path: Path) -> None:
    result = json.dumps({f"field{number}": number for number in range(60)})
    turn = builders.agent("Let me see.", builders.call("get_order", '{"order_id": "#1"}', result))
    async with room(builders.store(tmp_path, builders.conversation(turn)), size=(140, 90)) as here:
        await here.press("j")
        assert "more fields" in here.text
        assert "field59" not in here.text
        await here.press("enter")
        assert "field59" in here.text
        await here.press("enter")
        assert "field0" not in here.text
        await here.press("enter")
        assert "field0" in here.text
        assert "field59" not in here.text


async def test_a_fold_opens_says_what_it_hid_and_folds_again(tmp_path: Path) -> None:
    text = "\n".join(f"line {n}" for n in range(300))
    store = builders.store(tmp_path, builders.conversation(builders.customer("Hi."), builders.agent(text)))
    async with room(store) as here:
        await here.press("j", "enter", "G")
        assert "line 299" in here.text
        await here.press("enter", "G")
        assert "line 299" not in here.text
        assert "more" in here.text


async def test_reasoning_is_off_until_asked_for(tmp_path: Path) -> None:
    store = builders.store(tmp_path, builders.conversation(builders.agent("Hello.", reasoning="Be nice.")))
    async with room(store) as here:
        assert "Be nice." not in here.text
        await here.press("r")
        assert "Be nice." in here.text
        assert here.foot == "Reasoning shown."


async def test_goto_leads_to_a_place_and_says_what_is_wrong_with_one(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press(":")
        await here.type("goto kimi/vip-skip-2/2#2.1")
        await here.press("enter")
        assert here.ref == "kimi/vip-skip-2/2"
        assert here.cursor == Item(2, 1)
        await here.press(":")
        await here.type("#4")
        await here.press("enter")
        assert here.cursor == Item(4)
        await here.press(":")
        await here.type("goto nobody/nothing/1")
        await here.press("enter")
        assert "Nothing stands at nobody/nothing/1" in here.foot


@pytest.mark.parametrize("place", ["#2", "#2:5-9", "#2.1.result/status"])
async def test_goto_says_that_there_is_no_such_message(tmp_path: Path, place: str) -> None:
    empty = replace(builders.conversation(case="empty"), messages=())
    async with room(builders.store(tmp_path, empty)) as here:
        await here.press(":")
        await here.type(place)
        await here.press("enter")
        assert "kimi/empty/1 has 0 messages, no #2." in here.foot


async def test_at_opens_there(tmp_path: Path) -> None:
    async with room(many(tmp_path), at="kimi/vip-skip-2/3#3") as here:
        assert here.ref == "kimi/vip-skip-2/3"
        assert here.cursor == Item(3)
        assert here.screen.queue.cursor == 11


async def test_help_shows_the_keys_of_the_pane(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("?")
        assert "In the transcript" in here.text
        await here.press("escape", "shift+tab", "?")
        assert "In the queue" in here.text


async def test_a_resize_keeps_what_is_read_where_it_is(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path, long_talk(80)), LARGE) as here:
        await here.press(*["j"] * 40)
        assert here.cursor == Item(41)
        row = here.screen.transcript.rows()[41]
        await here.pilot.resize_terminal(100, 40)
        await here.pilot.pause()
        assert here.cursor == Item(41)
        assert here.screen.transcript.rows()[41] == row


async def test_a_resize_across_120_columns_puts_the_calls_beside_or_between_the_words(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path), (119, 40)) as here:
        narrow = here.text
        assert "Tool layer" not in narrow
        await here.pilot.resize_terminal(120, 40)
        await here.pilot.pause()
        wide = here.text
        assert "Tool layer" in wide
        assert wide.count("cancel_order") == 1
        await here.pilot.resize_terminal(119, 40)
        await here.pilot.pause()
        assert here.text == narrow
    async with room(tmp_path / "runs.db", (120, 40)) as here:
        assert here.text == wide


async def test_scrolling_takes_the_cursor_along(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path, long_talk(80))) as here:
        await here.press("space", "space")
        assert here.cursor.message > 5
        assert here.cursor.message in here.screen.transcript.rows()
        await here.press("G", "space")
        assert "end of the conversation" in here.foot


async def test_an_empty_store_and_an_empty_filter_say_so(tmp_path: Path) -> None:
    async with room(many(tmp_path), query="model:nobody") as here:
        assert "0 of 0" in here.lines()[0] or "of 0" in here.lines()[0]
        assert "No conversation" in here.text
        await here.press("j", "]", "1", "v", "i", "y", "n")


async def test_a_conversation_without_messages_says_so(tmp_path: Path) -> None:
    empty = Conversation("kimi", (), case="nothing-1", run=1, error="the harness crashed")
    async with room(builders.store(tmp_path, empty)) as here:
        assert "no messages" in here.text.lower()
        await here.press("j", "G", "1", "v", "/", "escape", "enter", "space")


async def test_every_key_of_the_reading_room_does_something(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        scopes: tuple[keys.Scope, ...] = ("anywhere", "review", "select", *keys.PANES)
        for scope in scopes:
            for action in keys.in_scope(scope):
                assert action.id in here.screen.verbs, action.id


async def test_runs_of_a_case_step_in_place(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("j", "j", "j", "j", ">")
        assert here.ref == "gpt/used-item-1/2"
        assert here.cursor == Item(3)
        assert here.screen.queue.cursor == 2
        await here.press(">", ">")
        assert here.ref == "gpt/used-item-1/3"
        assert "last run" in here.foot
        await here.press("<", "<", "<")
        assert here.ref == "gpt/used-item-1/1"


def forbidding() -> Conversation:
    """A conversation whose case forbids what the agent does, and a colleague after it."""
    made = builders.conversation(*builders.CANCELLED, replace(builders.CANCELLED[1], role="colleague"))
    return replace(made, facts=Case("used-item-1", forbidden=("cancel",)))


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_what_the_agent_does_against_the_case_bears_the_sign_of_the_queue(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with room(builders.store(tmp_path, forbidding()), size=size) as here:
        await here.press("Z", "G")
        calls = [line for line in here.lines() if "cancel_order" in line]
        assert ["⛔" in line for line in calls] == [True, False]
        assert ["⚡" in line for line in calls] == [False, True]
        assert not any("⛔" in line for line in here.lines() if "get_order" in line)


async def test_times_are_since_the_first_message_and_one_key_shows_dates(tmp_path: Path) -> None:
    at = ("2026-06-27T10:11:12Z", "2026-06-27T10:11:53Z")
    messages = [replace(message, at=time) for message, time in zip(builders.CANCELLED, at, strict=False)]
    async with room(builders.store(tmp_path, builders.conversation(*messages))) as here:
        assert ("+0:00" in here.text, "+0:41" in here.text, "10:11:53" in here.text) == (True, True, False)
        await here.press("I")
        assert ("+0:41" in here.text, "2026-06-27 10:11:53" in here.text) == (False, True)
        await here.press("i")
        assert "first message  2026-06-27T10:11:12Z" in here.text


async def test_the_text_has_the_room_of_the_tool_layer_until_there_is_a_call(tmp_path: Path) -> None:
    silent = builders.conversation(*long_talk(60).messages, case="a-silent")
    late = builders.conversation(*long_talk(60).messages, *builders.CANCELLED, case="b-late")
    async with room(builders.store(tmp_path, silent, late), size=LARGE) as here:
        screen = here.screen
        room_for_words = screen.transcript.size.width
        for key in ("j", "G", "g", "]"):
            await here.press(key)
            assert (screen.transcript.size.width, screen.tools.size.width) == (room_for_words, 1)
        await here.press("tab", "tab")
        assert screen.transcript.has_focus
        await here.press("G")
        beside = screen.transcript.size.width, screen.tools.size.width
        assert beside[0] < room_for_words
        assert beside[1] > 30
        assert here.cursor.message == 64
        await here.press("g")
        assert (screen.transcript.size.width, screen.tools.size.width) == beside
        await here.press("[")
        assert screen.transcript.size.width == room_for_words
        await here.press("]", "\\")
        assert (screen.transcript.size.width, screen.tools.display) == (room_for_words + 1, False)


async def test_a_conversation_whose_calls_are_in_sight_opens_beside_them_at_once(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path), size=LARGE) as here:
        assert "get_order" in here.text
        width = here.screen.transcript.size.width
        await here.press("j", "j", "G")
        assert here.screen.transcript.size.width == width


async def test_the_tool_layer_stays_a_rule_while_it_would_have_nothing_to_show(tmp_path: Path) -> None:
    """In lines as narrow as an open layer leaves them the first call is below the screen."""
    words = builders.customer(" ".join(f"word{number}" for number in range(140)))
    talk = builders.conversation(words, words, *builders.CANCELLED)
    async with room(builders.store(tmp_path, talk), size=(140, 40)) as here:
        assert here.screen.tools.size.width == 1
        await here.press("G")
        assert here.screen.tools.size.width > 1
        assert "get_order" in here.text


async def test_a_conversation_that_opens_behind_its_calls_is_laid_out_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = builders.conversation(*builders.CANCELLED, *long_talk(60).messages)
    widths: list[int] = []
    lay = ConversationView.transcript

    def counted(view: ConversationView, width: int) -> Sheet:
        widths.append(width)
        return lay(view, width)

    async with room(builders.store(tmp_path, talk, replace(talk, run=2)), size=LARGE) as here:
        await here.press("G")
        monkeypatch.setattr(ConversationView, "transcript", counted)
        await here.press(">")
        assert here.ref.endswith("/2")
        assert len(widths) == 1


def set_up(note: str = "It was *never* cancelled. The agent said so.") -> Conversation:
    """A conversation with all that can be known of it."""
    case = Case("used-item-1", bucket="resolvable", forbidden=("cancel",), goal="Cancel it.", persona="Short of time.",
                expected=("explain",), order={"number": "#1130"})  # fmt: skip
    scores = (Score("tone", 0.5, "gpt-5"), Score("resolution", 0.0, "gpt-5", note), Score("reward", 1.0, None, "Yes."))
    return replace(builders.conversation(), facts=case, scores=scores)


async def test_what_is_known_of_the_case_stands_in_one_line_above_the_messages(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path, set_up()), size=LARGE) as here:
        line = "▸ resolvable · expects explain · forbids canc"
        assert (line in here.text, here.cursor) == (True, Item(1))
        await here.press("k", "enter")
        assert here.cursor == Item(0)
        for words in (
            "▾ Case used-item-1",
            "Short of time.",
            "order number",
            "0.5 by gpt-5",
            "It was *never* cancelled.",
        ):
            assert words in here.text
        seen = []
        for _ in range(4):
            await here.press("j")
            seen.append(here.cursor)
        assert seen == [Item(0, 1), Item(0, 2), Item(1), Item(2)]
        await here.press("g", "z")
        assert "Short of time." not in here.text


async def test_a_judges_note_is_selected_tagged_and_found_like_other_words(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path, set_up()), size=LARGE) as here:
        await here.press("/", *"never", "enter")
        assert here.cursor == Item(0, 1)
        assert "hit 1 of 1" in here.text
        await here.press("v", "1")
        event = here.journal()[-1]
        assert [piece["ref"] for piece in event["pieces"]] == ["kimi/used-item-1/1#judge.resolution@gpt-5:0-25"]
        assert event["pieces"][0]["quote"] == "It was *never* cancelled."
        await here.press("escape", "G", ":", *"goto #judge.reward", "enter")
        assert here.cursor == Item(0, 2)
        await here.press("Y")
        assert here.app.clipboard == "kimi/used-item-1/1#judge.reward"


async def test_nothing_stands_above_the_messages_where_nothing_is_known(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("g")
        assert here.cursor == Item(1)


async def test_judges_are_silent_in_a_drawn_queue_until_the_reader_is_done(tmp_path: Path) -> None:
    path = builders.store(tmp_path, set_up())
    drawn = queues.Queue("week-1", ("kimi/used-item-1/1",), "drawn")
    queues.save(tmp_path / "annotations", drawn)
    async with room(path, query="queue:week-1", size=LARGE) as here:
        assert "forbids canc" in here.text
        assert "resolution 0" not in here.text
        await here.press("k", "enter")
        assert "Short of time." in here.text
        assert "never" not in here.text
        await here.press("/", *"never", "enter")
        assert "No “never” here." in here.text
        await here.press("escape", "R")
        assert "It was *never*" in here.text
