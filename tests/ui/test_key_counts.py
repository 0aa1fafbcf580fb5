"""Keys are counted: what marking costs a reviewer, pressed for real, the journal asserted first."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.app.shared.sheet import Item
from tests import builders
from tests.builders import agent, call, customer
from tests.ui.room import Room, room

REF = "kimi/used-item-1/1"


def store(folder: Path) -> Path:
    """One conversation in which there is everything that a tag can sit on."""
    look = call("get_order", '{"order_id":"#1130"}', '{"status":"in transit","lines":[{"sku":"A-1"}],"carrier":"UPS"}')
    said = agent("I checked. It was delivered yesterday. Anything else?", look, reasoning="I cannot see it. I say so.")
    return builders.store(folder, *(builders.conversation(customer("Hi. Where is it?"), said, agent("Bye."), run=run)
                                    for run in (1, 2)))  # fmt: skip


async def test_a_known_mode_and_on_to_the_next_message_is_two_keys(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("j", "1", "j", "2", "j")
        assert [line["ref"] for line in here.journal()] == [f"{REF}#2", f"{REF}#2.1"]
        assert here.cursor == Item(3)


async def test_exact_words_are_at_most_five(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("j")
        await here.press("v", "j", "w", "b", "1")
        assert here.journal()[-1]["pieces"][0]["quote"] == "It was delivered yesterday"


async def test_the_usual_proof_is_at_most_two(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("j", "1")
        await here.press("s")
        assert here.journal()[-1]["evidence"][0]["ref"] == f"{REF}#2.1.result/status"
        await here.press("s")
        assert here.journal()[-1]["instead"] == [f"{REF}#2.1.result/status"]
        assert here.journal()[-1]["evidence"][0]["ref"] == f"{REF}#2.1.result/carrier"


async def test_a_field_by_hand_is_at_most_five(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("j", "1")
        await here.press("S", "s", "k", "u", "enter")
        assert here.journal()[-1]["evidence"][0]["ref"] == f"{REF}#2.1.result/lines/0/sku"


async def test_a_note_is_its_text_and_two(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("j", "1")
        await here.press("c", *"never", "enter")
        assert here.journal()[-1]["note"] == "never"


async def test_a_stance_is_one_key_and_again_the_next(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("j", "1")
        await here.press("h")
        assert here.journal()[-1]["stance"] == "clear"
        assert "clear⟧" in here.text
        assert "Stance clear" in here.foot
        await here.press("h", "h", "h", "h")
        assert [line["stance"] for line in here.journal()[2:]] == ["debatable", "defensible", "policy-legitimate", ""]
        assert "Stance none" in here.foot


@pytest.mark.parametrize(
    ("letter", "cause"),
    [("b", "believed the claim"), ("f", "folded to pressure"), ("o", "over-compliance"), ("t", "task execution")],
)
async def test_a_cause_is_two(letter: str, cause: str, tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("j", "1")
        await here.press("C", letter)
        assert here.journal()[-1]["cause"] == cause
        await here.press("C", "n")
        assert here.journal()[-1]["cause"] == ""


@pytest.mark.parametrize("key", ["a", "A", "X"])
async def test_nothing_is_accepted_or_rejected_where_nothing_is_suggested(key: str, tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("j", key)
        assert here.journal() == []
        assert "Nothing is suggested: this store was never scanned" in here.foot


async def spot(here: Room, *keys: str) -> str:
    """Where the tag stands that these keys made."""
    await here.press(*keys)
    line = here.journal()[-1]
    assert line["do"] == "tag"
    return str(line["ref"]).removeprefix("kimi/used-item-1")


async def test_tags_sit_on_everything(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        assert await spot(here, "j", "1") == "/1#2"
        assert await spot(here, "v", "comma", "j", "2") == "/1#2:0-10"
        assert [piece["quote"] for piece in here.journal()[-1]["pieces"]] == ["I checked.", "Anything else?"]
        assert await spot(here, "v", "tab", "j", "3") == "/1#2.reasoning:17-26"
        assert here.journal()[-1]["pieces"][0]["quote"] == "I say so."
        assert await spot(here, "j", "4") == "/1#2.1"
        assert await spot(here, "v", "j", "j", "5") == "/1#2.1.result:57-62"
        assert await spot(here, "v", "tab", "6") == "/1#2.1.arguments:12-19"
        assert await spot(here, "T", *"contra", "enter") == "/1"
        assert await spot(here, "=", "T", *"gives", "enter") == ""
        assert await spot(here, "B", "T", *"phantom", "enter") == ""
        assert here.journal()[-1]["code"] == "phantom-action"
        await here.press("7")
        assert here.journal()[-1]["ref"] == "kimi/used-item-1"


async def test_a_free_note_needs_no_code_and_a_verdict_no_tag(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("j", "c", *"odd", "enter", "F")
        note, verdict = here.journal()
        assert (note["do"], note["code"], note["note"], note["ref"]) == ("tag", "", "odd", f"{REF}#2")
        assert (verdict["verdict"], verdict["ref"]) == ("fail", REF)
        assert "⟦note⟧" in here.text


async def test_selected_words_become_evidence_of_the_last_tag(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("v", "s")
        assert "Tag the claim first" in here.foot
        await here.press("escape", "j", "v", "j", "1", "j", "v", "s")
        line = here.journal()[-1]
        assert (line["do"], line["evidence"][0]["quote"]) == ("attach", '"in transit"')
        assert "⊕" in here.text
        await here.press("v", "comma", "j", "s", "u")
        assert len(here.journal()[-2]["evidence"]) == 2
        assert here.foot.startswith("Undid the evidence")


async def test_a_new_name_is_made_though_others_are_near_and_that_is_said(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("j", "v", "t", *"Phantom actions", "up", "enter", "enter")
        assert here.journal()[-1]["code"] == "phantom-actions"
        assert "nearly “phantom-action”" in here.foot
        assert "[modes.phantom-actions]" in (here.folder / "modes" / "phantom-actions.toml").read_text("utf-8")


async def test_a_tag_of_the_whole_conversation_bears_a_note_until_the_cursor_moves_on(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("T", *"contra", "enter", "c", *"all of it", "enter", "h")
        tag, note, stance = here.journal()
        assert (note["tag"], note["note"], stance["tag"]) == (tag["id"], "all of it", tag["id"])
        await here.press("j", "1", "e")
        assert here.journal()[-1]["tag"] == here.journal()[-2]["id"]
        await here.press("j", "x")
        assert here.journal()[-1]["tag"] == here.journal()[-3]["id"], "the one at the message, not that of all of it"


async def test_what_a_mode_usually_wants_is_said_and_the_claim_is_no_proof_of_itself(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("j", "1")
        assert "#2. s attaches: latest lookup. Made " in here.foot
        await here.press("S")
        assert "#2 agent" not in here.text
        assert "#1 customer" in here.text
