"""Where notes in a margin stand: each level with its line if it can, below its neighbour if it must.

Pure. One of them, the anchor, is always level; those after it give way downwards, those before it upwards.
"""

from __future__ import annotations

from collections.abc import Sequence


def placed(wanted: Sequence[int], heights: Sequence[int], anchor: int, rows: int) -> list[int]:
    """The row of each note, given the rows they want (in order), their heights and which one the reader looks at."""
    if not wanted:
        return []
    at = list(wanted)
    # The anchor moves up, as far as the top, when that brings more of it on screen.
    at[anchor] = max(0, min(max(0, wanted[anchor]), rows - heights[anchor]))
    for index in range(anchor + 1, len(at)):
        at[index] = max(wanted[index], at[index - 1] + heights[index - 1])
    for index in range(anchor - 1, -1, -1):
        at[index] = min(wanted[index], at[index + 1] - heights[index])
    return at
