"""What a terminal of the tests takes for a frame, wherever the reading was cut."""

from __future__ import annotations

import pytest

from tests.terminal import FRAME, SHOWN, frames

FIRST, SECOND = FRAME + b"\x1b[1;1Hone\x1b[38;5;1m" + SHOWN, FRAME + b"two" + SHOWN
SAID = b"\x1b[>1u" + FIRST + b"\x1b[?25l" + SECOND


@pytest.mark.parametrize("first", range(len(SAID)))
def test_a_frame_is_whole_wherever_the_reading_was_cut(first: int) -> None:
    for second in range(first, len(SAID)):
        painted: list[bytes] = []
        held = b""
        for chunk in (SAID[:first], SAID[first:second], SAID[second:]):
            parts, held = frames(held + chunk)
            painted += parts
        assert b"".join(painted) + held == SAID
        assert held == b""
        for part in painted:
            assert part.count(FRAME) == part.count(SHOWN)
            assert part.count(b"\x1b") == sum(
                part.count(whole) for whole in (b"[>1u", b"[1;1H", b"[38;5;1m", b"[?25l", b"[?2026")
            )
