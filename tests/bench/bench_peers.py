"""The peers, on the same conversations in the same run: mini-swe-agent's inspector and VisiData.

They are no dependency of ours. Their commands are `REVIEWER_BENCH_INSPECTOR` (else `mini-extra inspector`) and
`REVIEWER_BENCH_VISIDATA` (else `vd`); one that is not there is said and left out.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from reviewer.transcripts.conversation_json import as_object
from reviewer.transcripts.store.reader import Reader
from tests.bench.bigstore import shared
from tests.bench.rows import Row
from tests.bench.seat import READY, Times, opening, pressed, seated

SIZE = 10_692
ROUNDS = 5


@dataclass(frozen=True)
class Peer:
    """Another program: how it is started, when something can be read, and which of its keys do what ours do."""

    name: str
    variable: str
    usual: str
    shown: re.Pattern[str]
    written: Callable[[Path, Sequence[dict[str, Any]]], Path]
    keys: dict[str, tuple[tuple[str, str], tuple[str, str]]]
    """What is done: by which of our keys, there and back, and by which of theirs."""

    def command(self) -> list[str] | None:
        """Its words, when it is there."""
        words = shlex.split(os.environ.get(self.variable, self.usual))
        found = shutil.which(words[0]) if words else None
        return [found, *words[1:]] if found else None


def _trajectories(folder: Path, conversations: Sequence[dict[str, Any]]) -> Path:
    """A file each, as the inspector reads them."""
    for number, each in enumerate(conversations):
        messages = [
            {"role": "assistant" if said["role"] == "agent" else "user", "content": said["text"]}
            for said in each["messages"]
        ]
        kept = {"info": {}, "messages": messages, "trajectory_format": "mini-swe-agent-1.1"}
        (folder / f"{number:06}.traj.json").write_text(json.dumps(kept), "utf-8")
    return folder


def _lines(folder: Path, conversations: Sequence[dict[str, Any]]) -> Path:
    path = folder / "conversations.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in conversations), "utf-8")
    return path


PEERS = (
    Peer("the inspector", "REVIEWER_BENCH_INSPECTOR", "mini-extra inspector", re.compile("USER|CUSTOMER|ASSISTANT"),
         _trajectories, {"next message": (("j", "k"), ("l", "h")), "next conversation": (("]", "["), ("L", "H"))}),
    Peer("VisiData", "REVIEWER_BENCH_VISIDATA", "vd", re.compile(r"model-0/case-0/1"),
         _lines, {"next line": (("j", "k"), ("j", "k"))}),
)  # fmt: skip


def run() -> Iterator[Row]:
    """Ours beside theirs: ready, keys, memory."""
    with Reader(shared(SIZE)) as reader:
        conversations = [as_object(reader.stored(rowid)) for rowid in reader.ids()]
    for peer in PEERS:
        command = peer.command()
        if command is None:
            print(f"  {peer.name} left out: {peer.usual} is not here; {peer.variable} may name it")
            continue
        with TemporaryDirectory() as folder:
            yield from _beside(peer, [*command, str(peer.written(Path(folder), conversations))])


def _beside(peer: Peer, theirs: list[str]) -> Iterator[Row]:
    ready = Times()
    for _ in range(ROUNDS):
        with seated(*opening(shared(SIZE))) as ours:
            ready.ours.append(ours.ready(READY))
        with seated(*theirs) as seat:
            ready.floor.append(seat.ready(peer.shown))
    yield ready.row(f"ready, beside {peer.name}", 1.0)
    with seated(*opening(shared(SIZE))) as ours, seated(*theirs) as seat:
        ours.until(READY).settle()
        seat.until(peer.shown).settle()
        for name, (our_keys, their_keys) in peer.keys.items():
            yield pressed(ours, seat, our_keys, 15, their_keys).row(f"{name}, beside {peer.name}", 1.0)
        yield Row(f"memory, beside {peer.name}", ours.memory, seat.memory, 1.0, "MiB")
