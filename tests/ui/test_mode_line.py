"""The digits' meanings, in sight: as the codebook has them now, at every width."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from reviewer.app.marking.mode_line import mode_lines
from tests import builders
from tests.ui.room import LARGE, SMALL, room

CODES = st.lists(st.from_regex(r"[a-zé客]{1,12}(-[a-z]{1,12}){0,3}", fullmatch=True), max_size=10, unique=True)


@given(CODES, st.integers(10, 250))
def test_every_key_is_there_and_no_line_is_too_long(codes: list[str], width: int) -> None:
    modes = list(zip("1234567890", codes, strict=False))
    lines = mode_lines(modes, width)
    assert [text for line in lines for text, style in line if style == "key"] == [key for key, _ in modes]
    if width >= 40:
        assert all(cell_len("".join(text for text, _ in line)) <= width for line in lines)


@given(CODES)
def test_where_there_is_room_nothing_is_left_out(codes: list[str]) -> None:
    modes = list(zip("1234567890", codes, strict=False))
    words = [text.strip() for line in mode_lines(modes, 600) for text, style in line if style == "muted"]
    assert words == codes


def test_what_begins_alike_is_told_apart() -> None:
    modes = [("1", "invented-delivery-date"), ("2", "invented-refund-timeline"), ("3", "phantom-action-of-old")]
    assert "".join(text for text, _ in mode_lines(modes, 60)[0]) == (
        " 1 invented-delivery  2 invented-refund  3 phantom-action-of"
    )


@pytest.mark.parametrize("size", [(40, 12), SMALL, LARGE])
async def test_the_digits_mean_what_the_codebook_says_now(tmp_path: Path, size: tuple[int, int]) -> None:
    async with room(builders.store(tmp_path), size) as here:
        await here.press("j", "1", "j", "v")
        for mode in here.screen.marking.session.codebook.active():
            assert f"{mode.key} {mode.code[:4]}" in here.text
        codebook = here.folder / "codebook.toml"
        codebook.write_text("[modes.slow]\nkey = 7\n", "utf-8")
        here.screen.marking.listening.look()
        await here.idle()
        assert " 7 slow" in here.text
        await here.press("escape")
        assert (" 7 slow" in here.text) == (size == LARGE)
