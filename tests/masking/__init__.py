"""Written items with what a masked export must hide in each, and ordinary support text that it must leave.

`particulars_*.tsv` has a line for each item: language, kind, where it stands, text. What must be hidden stands between
⟦ and ⟧. `ordinary_*.tsv` has a line for each text that must stay as it is. The rules were developed on the files that
end in `developed`, of which the last 168 items are Faker's (seed 2026). The files that end in `beforehand` were written
before the rules by their author. The items that end in `generated` are Faker's (seed 7). Neither changed a rule.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from reviewer.figures.export.masks import Mask
from reviewer.transcripts.model import Message, Stored
from tests import builders
from tests.builders import agent, call, customer

DEVELOPED, UNUSED = "developed", ("beforehand", "generated")
SETS = (DEVELOPED, *UNUSED)
WITH_ORDINARY = (DEVELOPED, "beforehand")
"""The sets that have ordinary texts."""
_HERE = Path(__file__).parent
_MARKED = re.compile(r"⟦([^⟧]*)⟧")
_WORDS = re.compile(r"[^\W_]{3,}")


class Item(NamedTuple):
    """One written item: where each of its texts stands, and the text with its marks."""

    language: str
    kind: str
    texts: tuple[tuple[str, str], ...]

    @property
    def stored(self) -> Stored:
        """The conversation in which the item stands."""
        return builders.stored(*(_message(where, _MARKED.sub(r"\1", text)) for where, text in self.texts))

    @property
    def left(self) -> list[str]:
        """The marked spans of which a masked export still shows a word of three or more letters or digits."""
        shown = " ".join(masked_texts(self.stored)).lower()
        spans = (span for _, text in self.texts for span in _MARKED.findall(text))
        return [span for span in spans if any(word in _WORDS.findall(shown) for word in _WORDS.findall(span.lower()))]

    @property
    def changed(self) -> bool:
        """True if masking changes anything in the item."""
        return masked_texts(self.stored) != list(texts(self.stored))


def particulars(name: str) -> list[Item]:
    """The items of `particulars_NAME.tsv`."""
    return [Item(language, kind, _texts(where, text)) for language, kind, where, text in _rows(f"particulars_{name}")]


def ordinary(name: str) -> list[Item]:
    """The texts of `ordinary_NAME.tsv`."""
    return [Item(language, "ordinary", _texts(where, text)) for language, where, text in _rows(f"ordinary_{name}")]


def masked_texts(stored: Stored) -> list[str]:
    """The texts of a conversation as a masked export prints them."""
    return texts(Mask([], hide_customers=True).conversation(stored))


def texts(stored: Stored) -> list[str]:
    """The texts, arguments and results of a conversation."""
    return [
        part
        for message in stored.conversation.messages
        for part in (message.text, *(each for call in message.calls for each in (call.arguments, call.result)))
        if part
    ]


def _rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (_HERE / f"{name}.tsv").read_text("utf-8").splitlines()]


def _texts(where: str, text: str) -> tuple[tuple[str, str], ...]:
    """`result+agent` with `{...} || Done.` is two texts; `\\n` outside of JSON begins a line."""
    pairs = zip(where.split("+"), text.split(" || "), strict=True)
    return tuple((at, part if at in ("result", "arguments") else part.replace(r"\n", "\n")) for at, part in pairs)


def _message(where: str, text: str) -> Message:
    match where:
        case "customer":
            return customer(text)
        case "agent":
            return agent(text)
        case "result":
            return agent("", call("look", "{}", text))
        case _:
            return agent("", call("look", text, "{}"))
