"""The signs at the right of a queue's line: what the agent did, what became of it in review. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reviewer.glyphs import glyph
from reviewer.ui.widgets.strips import Bit

if TYPE_CHECKING:
    from reviewer.annotations.ledger import State
    from reviewer.desk import Desk
    from reviewer.model import QueueRow

_VERDICT_STYLES = {"pass": "good", "fail": "bad", "defer": "muted"}
_MANY = 9


def signs(row: QueueRow, desk: Desk, state: State | None, by: str, plain: bool = False) -> list[Bit]:
    """What happened in two cells, and, once the journals are read, verdict or reviewed and how many tags."""
    kinds = {desk.kind(name) for name in row.tools}
    kind = "write" if "write" in kinds else "handover" if "handover" in kinds else ""
    act = glyph(kind, plain) if kind else ""
    found: list[Bit] = [(" ", ""), (act + " " * (2 - _cells(act)), f"tool.{kind}" if kind else "")]
    if state is None:
        return found
    verdict = state.verdicts.get(by, "")
    reviewed = glyph("reviewed", plain) if by in state.reviewed else " "
    found.append((glyph(verdict, plain) if verdict else reviewed, _VERDICT_STYLES.get(verdict, "good")))
    tags = len(state.tags)
    found.append((str(tags) if 0 < tags <= _MANY else "+" if tags else " ", "tag"))
    return found


def _cells(sign: str) -> int:
    from rich.cells import cell_len

    return cell_len(sign)
