"""Tags that look like a slip: an agent's failure on what the customer wrote. A mode is asked about once."""

from __future__ import annotations

from collections.abc import Sequence

from reviewer.marks.codebook import Mode
from reviewer.transcripts.model import Stored
from reviewer.transcripts.refs import Ref


def misplaced(where: Stored | str, mode: Mode, places: Sequence[Ref]) -> str:
    """The sentence about an agent's failure that all stands on the customer's messages; empty for any other tag."""
    if isinstance(where, str) or not mode.is_agents_failure:
        return ""
    messages = where.conversation.messages
    numbers = list(dict.fromkeys(place.message or 0 for place in places))
    if not numbers or not all(0 < each <= len(messages) and messages[each - 1].role == "customer" for each in numbers):
        return ""
    named = " and ".join(f"#{each}" for each in numbers)
    return f"{named} {'is' if len(numbers) == 1 else 'are'} the customer's, and “{mode.title}” is an agent's failure."


class Doubts:
    """What a reviewer was asked about in this window, and about which modes no more is asked."""

    def __init__(self) -> None:
        self._asked: tuple[str, str, tuple[str, ...]] | None = None
        self._agreed: set[str] = set()

    def about(self, where: Stored | str, mode: Mode, places: Sequence[Ref]) -> str:
        """What to ask before a tag is put there; nothing the second time, and from then on for that mode."""
        doubt = "" if mode.code in self._agreed else misplaced(where, mode, places)
        asked = mode.code, where if isinstance(where, str) else where.ref, tuple(place.place for place in places)
        if doubt and asked == self._asked:
            self.agree(mode.code)
            return ""
        self._asked = asked if doubt else None
        return doubt

    def agree(self, code: str) -> None:
        """Ask no more about a mode."""
        self._agreed.add(code)
