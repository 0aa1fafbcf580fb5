"""What becomes of a conversation that is filed, and the file or folder that it comes from: values only."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from reviewer.transcripts.model import Conversation


class FilingResult(Enum):
    """The result of filing a conversation."""

    NEW = "new"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    REPLACED = "replaced"
    CLASH = "clash"
    AGAIN = "again"
    CONTINUED = "continued"
    """It goes on from one that is stored, which stays as it is."""


@dataclass(frozen=True, slots=True)
class FiledConversation:
    """The outcome of filing one conversation: its run number and the reference that it got (or would have got)."""

    outcome: FilingResult
    number: int | None
    ref: str
    model: str
    again: frozenset[str] = frozenset()
    """Sources to take back and read once more: only now is it known that they are another run than they seemed."""
    equal: bool = False
    """Whether what stands in its place says the same."""


@dataclass
class Group:
    """Sources that make up one run: a file, or a folder of files with one conversation each."""

    name: str
    sources: set[str] = field(default_factory=set)
    numbers: dict[tuple[str, int | None], int] = field(default_factory=dict)
    """(model, number stated) -> number given."""
    shared: dict[tuple[str, int | None], set[str]] = field(default_factory=dict)
    """Sources with conversations that count as stored because another source said the same in the same run."""
    own: set[tuple[str, int | None]] = field(default_factory=set)
    """Runs that turned out to be other runs than those that are stored: nothing in them is shared."""
    told: dict[tuple[str, int | None], str] = field(default_factory=dict)
    """What is to be said of those."""
    labelled: dict[str, str] = field(default_factory=dict)
    """Models that are called otherwise since their folders tell them apart."""

    def take_label(self, model: str, label: str | None) -> None:
        """Move what is known about a model's runs to the model with this label."""
        if label is not None:
            self.labelled[model] = new = f"{model}+{label}"
            self.numbers = {(new if name == model else name, n): given for (name, n), given in self.numbers.items()}
            self.own = {(new if name == model else name, n) for name, n in self.own}
            self.told = {(new if name == model else name, n): said for (name, n), said in self.told.items()}


class Newcomer(NamedTuple):
    """A conversation that is to be filed, and where it comes from."""

    item: Conversation
    digest: str
    group: Group
    source: str
    row: int
    position: str
    whole: bool
    before: Conversation | None = None
    """What it is called in stores that were made before its path was read."""

    @property
    def stated(self) -> tuple[str, int | None]:
        """The run that the conversation says it belongs to."""
        return self.item.model, self.item.run
