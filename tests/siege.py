"""How long the sieges of the slow lane are, and what they begin from: both can be set, and what failed says how.

`REVIEWER_SIEGE=10` makes each ten times as long, `REVIEWER_SEED=7` another one. One round of many is drawn from the
seed and its number alone, so that it can be had again without those before it.

What is sent to a terminal is recorded as it is sent. The recording of a failure stays in `REVIEWER_RECORDINGS` (else a
folder of the temporary folder), with the output and the crash file beside it. `REVIEWER_REPLAY=FILE` plays it again
and, where it fails again, looks for fewer inputs that fail too; `REVIEWER_TRIES=100` bounds how often it is played.
"""

from __future__ import annotations

import json
import os
import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import Any, Self, TypeVar

SEED = int(os.environ.get("REVIEWER_SEED", "17"))
TIMES = float(os.environ.get("REVIEWER_SIEGE", "1"))
RECORDINGS = Path(os.environ.get("REVIEWER_RECORDINGS") or Path(tempfile.gettempdir()) / "reviewer-siege")
REPLAY = os.environ.get("REVIEWER_REPLAY", "")
TRIES = int(os.environ.get("REVIEWER_TRIES", "40"))
_ENOUGH = 20.0
"""Seconds of computing after which a small input counts as endless."""


def rounds(usually: int) -> int:
    """How many there are of what there usually are so many of."""
    return max(1, round(usually * TIMES))


@contextmanager
def round_of(siege: str, number: int) -> Iterator[random.Random]:
    """The dice of one round; what fails within says how to have it again."""
    try:
        yield random.Random(f"{SEED} {siege} {number}")
    except BaseException as error:
        error.add_note(f"siege {siege}, round {number}, REVIEWER_SEED={SEED}")
        raise


class EndlessError(BaseException):
    """Something computes without end; nothing that catches errors catches this."""


@contextmanager
def ending() -> Iterator[None]:
    """Stop what is done within when it computes and computes; a machine that is busy otherwise is no reason."""

    def stop(_: int, frame: FrameType | None) -> None:
        raise EndlessError(f"no end after {_ENOUGH:.0f} s of computing, at {frame and frame.f_code.co_qualname}")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, _ENOUGH)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


# -- recordings --------------------------------------------------------------------------------------------------------

Input = str | tuple[int, int]
"""What is typed as a terminal sends it, or another size of the terminal."""
Piece = TypeVar("Piece")


@dataclass(frozen=True)
class Recording:
    """What a terminal was sent: on which store, in which size, and after how many seconds each."""

    store: str
    """`hostile`, `sample`, or how many conversations a store of plausible talk has."""
    size: tuple[int, int] = (80, 24)
    words: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    inputs: list[tuple[float, Input]] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path, store: str = "100000") -> Self:
        """A recording of ours; or a bare list of inputs, which names no store."""
        text = path.read_text("utf-8")
        if text.startswith("["):
            return cls(store, inputs=[(0.0, _input(each)) for each in json.loads(text)])
        about, *rest = (json.loads(line) for line in text.splitlines())
        about |= {"size": _input(about["size"]), "words": (*about["words"],)}
        return cls(**about, inputs=[(line[0], _input(line[1])) for line in rest])

    def of(self, inputs: list[tuple[float, Input]]) -> Self:
        """The same with other inputs."""
        return replace(self, inputs=inputs)

    def write(self, path: Path) -> None:
        """Write it as a recorder would have."""
        about = {"store": self.store, "size": self.size, "words": self.words, "env": self.env}
        path.write_text("".join(json.dumps(line) + "\n" for line in (about, *self.inputs)), "utf-8")


class Recorder:
    """Writes each input to a file before it is sent, so that it is there whatever happens then."""

    def __init__(self, path: Path, recording: Recording) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        recording.write(path)
        self.path = path
        self.output: bytes | bytearray = b""
        """All that the program wrote."""
        self.folder: Path | None = None
        """Where the program leaves its crash files."""
        self._file = path.open("a", encoding="utf-8")
        self._before = time.monotonic()

    def add(self, sent: Input) -> None:
        """Write what is sent now."""
        now = time.monotonic()
        self._file.write(json.dumps([round(now - self._before, 3), sent]) + "\n")
        self._file.flush()
        self._before = now

    def keep(self) -> None:
        """Put the output and the crash file beside the inputs."""
        self._file.close()
        self.path.with_suffix(".out").write_bytes(self.output)
        for each in crash_files(self.folder):
            self.path.with_suffix(".crash.txt").write_bytes(each.read_bytes())

    def drop(self) -> None:
        """Take the recording away."""
        self._file.close()
        self.path.unlink()


def crash_files(folder: Path | None) -> list[Path]:
    """The crash files of a folder."""
    return sorted(folder.glob("reviewer-crash-*.txt")) if folder else []


@contextmanager
def recorded(name: str, recording: Recording, folder: Path = RECORDINGS) -> Iterator[Recorder]:
    """Record what is sent within; the recording stays only where that fails."""
    recorder = Recorder(folder / f"{name}-{SEED}-{os.getpid()}.jsonl", recording)
    try:
        yield recorder
    except BaseException as error:
        recorder.keep()
        error.add_note(
            f"recorded; again: REVIEWER_REPLAY={recorder.path} pytest tests/slow/test_monkey.py -k recording"
        )
        raise
    recorder.drop()


def shrunk(pieces: Sequence[Piece], fails: Callable[[list[Piece]], bool], tries: int) -> list[Piece]:
    """Fewer of the pieces that fail as all of them do: parts are left out, ever smaller ones, so many times at most."""
    kept, parts = list(pieces), 2
    while len(kept) > 1:
        length = -(-len(kept) // parts)
        for start in range(0, len(kept), length):
            if tries <= 0:
                return kept
            tries -= 1
            rest = kept[:start] + kept[start + length :]
            if fails(rest):
                kept, parts = rest, max(parts - 1, 2)
                break
        else:
            if length == 1:
                return kept
            parts = min(parts * 2, len(kept))
    return kept


def _input(value: Any) -> Input:
    return value if isinstance(value, str) else (value[0], value[1])
