"""What was said and then left: the branches of a conversation that is a tree, beside the one it ended on. Pure.

Regenerated answers, edited questions and rewinds leave them. They are counted, and kept in a few words where they are
small; the conversation is the branch on which the person ended.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reviewer.imports.messages.content import SMALL
from reviewer.transcripts.model import Json, Message

_KEPT = 5 * SMALL
"""Characters of left branches that a conversation keeps."""


@dataclass(frozen=True, slots=True)
class AbandonedBranches:
    """The abandoned branches of a conversation: their number, their messages, and these in short if there are few."""

    branches: int = 0
    messages: int = 0
    kept: tuple[Json, ...] = ()


def ancestry(leaf: str | None, parents: Mapping[str, str | None]) -> list[str]:
    """The nodes from the root to a leaf; one that leads back to itself ends where it does."""
    path: dict[str, None] = {}
    while leaf is not None and leaf in parents and leaf not in path:
        path[leaf] = None
        leaf = parents[leaf]
    return list(path)[::-1]


def beginnings(off: Sequence[str], speaking: Collection[str], parents: Mapping[str, str | None]) -> int:
    """The number of branches that nodes off the main one make: nodes with words that have none above them."""
    silent: dict[str, bool] = {}
    """Whether nothing above a node, as far as the branch, speaks."""
    outside = set(off)
    for id in off:
        below: dict[str, None] = {}
        at: str | None = id
        while at is not None and at in outside and at not in silent and at not in below:
            below[at] = None
            at = parents.get(at)
        above = at is None or at not in silent or (silent[at] and at not in speaking)
        for node in reversed(below):
            silent[node] = above
            above = above and node not in speaking
    return sum(silent[id] for id in off if id in speaking)


def aside(branches: int, messages: Iterable[Message]) -> AbandonedBranches:
    """Sum up the abandoned branches of a conversation, their messages in the order of the source."""
    said = [message for message in messages if message.text or message.calls or message.reasoning]
    kept = tuple(map(_short, said))
    size = sum(len(part) for each in kept for part in each.values() if isinstance(part, str))
    return AbandonedBranches(branches, len(said), kept if size <= _KEPT else ())


def _short(message: Message) -> Json:
    short: dict[str, Any] = {"role": message.role, "text": message.text}
    if message.calls:
        short["calls"] = ", ".join(call.name for call in message.calls)
    return short


def summed(left: Iterable[AbandonedBranches]) -> str | None:
    """The sentence about the branches of a file; None when it has none."""
    every = [each for each in left if each.branches]
    if not every:
        return None
    branches, messages = sum(each.branches for each in every), sum(each.messages for each in every)
    return (
        f"{branches} {'branch' if branches == 1 else 'branches'} with {messages} messages that the person left: not"
        " read, in the conversation's extra where small"
    )
