"""Keys at random: whatever is typed, clicked, pasted and resized, the program lives, obeys and leaves as it came."""

from __future__ import annotations

import gc
import json
import os
import random
import shutil
import subprocess
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import pytest
from textual.events import MouseScrollDown, MouseScrollUp, Paste

from reviewer.transcripts.model import Conversation
from tests import builders, hostile, monkey
from tests.bench.bigstore import make
from tests.monkey import Event, KeyPress, MouseMove, Pasted, Resized, Size
from tests.siege import (
    REPLAY,
    TRIES,
    Input,
    Recorder,
    Recording,
    crash_files,
    ending,
    recorded,
    round_of,
    rounds,
    shrunk,
)
from tests.slow.test_terminal_manners import left_on
from tests.terminal import KEYS, PROGRAM, Terminal, printed, sequences
from tests.ui.room import LARGE, SMALL, Room, room

EVENTS, TYPED = rounds(2_000), rounds(250)
WARM = 500
"""Events after which all is loaded, and what is kept is full."""
LONGEST = 1.0
"""Seconds that the thread which paints may compute for one event."""
GROWTH = 48 << 20
"""Bytes that it may hold more after all events than when it was warm."""


REACHED = {
    *("ReviewScreen", "CompareScreen", "GridScreen", "BoardScreen", "SuggestionScreen", "ReportScreen"),
    *("PickScreen", "NoteScreen", "SheetScreen", "tag", "edit", "undo"),
}
"""Screens and acts without which hardly anything was tried."""


def hostile_store(folder: Path) -> Path:
    """A store with the worst texts, conversations without a message, and some that can be compared."""
    empty = (Conversation("kimi", (), case="empty", run=run) for run in (1, 2))
    runs = (builders.conversation(case=case, run=run) for case in "abc" for run in range(1, 4))
    return builders.store(folder, hostile.conversation(), *runs, *empty)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sample") / "sample.db"
    subprocess.run([*PROGRAM, "sample", "--output", str(path)], check=True, capture_output=True)
    return path


# -- in this process, where what it costs can be counted ---------------------------------------------------------------


async def happened(here: Room, event: Event) -> None:
    """One event, and all that follows from it."""
    match event:
        case KeyPress(key):
            here.send(key)
        case Pasted(text):
            here.app.post_message(Paste(text))
        case Resized(size):
            await here.pilot.resize_terminal(*size)
        case MouseMove("click" | "double" as kind, start, _):
            await here.pilot.click(offset=start, times=1 + (kind == "double"))
        case MouseMove("drag", start, end):
            await here.pilot.mouse_down(offset=start)
            await here.pilot.hover(offset=end)
            await here.pilot.mouse_up(offset=end)
        case MouseMove(kind, start, _):
            turned = MouseScrollDown if kind == "down" else MouseScrollUp
            await here.pilot._post_mouse_events([turned], offset=start, button=0)
    await here._dealt_with()


def held() -> int:
    """Bytes of memory that this process holds."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "140x40"])
async def test_random_events(size: Size, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    stores = {"sample": Path(shutil.copy(sample, tmp_path / "sample.db")), "hostile": hostile_store(tmp_path)}
    seen: Counter[str] = Counter()
    for kind, store in stores.items():
        lately: deque[Event] = deque(maxlen=20)
        with round_of(f"monkey on {kind}", size[0]) as chance:
            try:
                events = list(islice(monkey.events(chance, size), EVENTS // len(stores)))
                with recorded(f"{kind}-{size[0]}", Recording(kind, size)) as recorder:
                    recorder.folder = tmp_path
                    await _lived(store, size, events, seen, lately, recorder)
            except BaseException as error:
                error.add_note("after " + ", ".join(str(event)[:60] for event in lately))
                raise
    assert seen.keys() >= REACHED or EVENTS < 2_000, seen


async def _lived(
    store: Path, size: Size, events: list[Event], seen: Counter[str], lately: deque[Event], recorder: Recorder
) -> None:
    """All the events, opening the app anew where one of them has left it."""
    left, warm = iter(events), 0
    done = 0
    while done < len(events):
        async with room(store, size) as here:
            while done < len(events) and here.app.is_running:
                event = next(left)
                lately.append(event)
                recorder.add(event.size if isinstance(event, Resized) else sent(event))
                began = time.thread_time()
                with ending():
                    await happened(here, event)
                assert time.thread_time() - began < LONGEST, f"{event} kept the screen waiting"
                seen[type(here.app.screen).__name__] += 1
                done += 1
                if done == WARM:
                    warm = held()
            assert here.app.return_code in (None, 0)
            seen.update(line["do"] for line in here.journal())
    assert not warm or held() - warm < GROWTH, f"{(held() - warm) >> 20} MiB more than after {WARM} events"


# -- in a terminal, where what reaches it can be seen ------------------------------------------------------------------

SENT = {
    **KEYS,
    "left": "\x1b[D",
    "right": "\x1b[C",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "f1": "\x1bOP",
    "f5": "\x1b[15~",
    "ctrl+t": "\x14",
    "ctrl+l": "\x0c",
    "ctrl+p": "\x10",
    "comma": ",",
    "exclamation_mark": "!",
}
STRANGE = ("\x1b[I", "\x1b[O", "\x1b[99~", "\x1bj")
"""What terminals send that nobody typed."""


def sent(event: Event) -> str:
    """An event as a terminal sends it."""
    match event:
        case KeyPress(key):
            return SENT.get(key, key)
        case Pasted(text):
            return f"\x1b[200~{text}\x1b[201~"
        case MouseMove(kind, (x, y), (to_x, to_y)):
            if kind in ("up", "down"):
                return f"\x1b[<{64 + (kind == 'down')};{x + 1};{y + 1}M" * 4
            moved = f"\x1b[<32;{to_x + 1};{to_y + 1}M" if kind == "drag" else ""
            return f"\x1b[<0;{x + 1};{y + 1}M{moved}\x1b[<0;{to_x + 1};{to_y + 1}m"
    raise ValueError(event)


def drawn(chance: random.Random, size: Size) -> Iterator[Input]:
    """So many events, as they are sent."""
    for event in islice(monkey.events(chance, size), TYPED):
        if isinstance(event, Resized):
            yield event.size
        else:
            yield sent(event) + (chance.choice(STRANGE) if chance.random() < 0.05 else "")


def played(terminal: Terminal, inputs: Iterable[tuple[float, Input]], recorder: Recorder) -> None:
    """The inputs, each after so many seconds, then the way out."""
    for pause, each in inputs:
        terminal.pump(pause)
        recorder.add(each)
        if isinstance(each, tuple):
            terminal.resize(*each).settle()
            continue
        for start in range(0, len(each), 1000):  # no more than the program's end of the line takes at once
            terminal.press(each[start : start + 1000]).pump(0.02)
        if each[-1] == "\x1b":  # with another key behind it, it would be alt and that key
            terminal.settle()
        if terminal.ended:  # the palette has a way out, too
            return
    terminal.resize(80, 24).settle()
    for _ in range(8):
        terminal.do("escape")
    terminal.press("q")


@pytest.mark.parametrize(
    ("seed", "words", "env", "size"),
    [
        (1, (), {}, SMALL),
        (2, ("--ascii",), {"NO_COLOR": "1"}, (20, 5)),
        (3, ("--theme", "light"), {}, LARGE),
    ],
)
def test_keys_at_random(tmp_path: Path, seed: int, words: tuple[str, ...], env: dict[str, str], size: Size) -> None:
    store = hostile_store(tmp_path)
    home = {"HOME": str(tmp_path), "EDITOR": "true", **env}
    with (
        round_of("monkey in a terminal", seed) as chance,
        recorded(f"terminal-{seed}", Recording("hostile", size, words, env)) as recorder,
        Terminal(*PROGRAM, "open", store, "--as", "maria", *words, size=size, env=home) as terminal,
    ):
        recorder.output, recorder.folder = terminal.raw, tmp_path
        terminal.until(lambda: b"\x1b[?1049h" in terminal.raw).settle()
        played(terminal, ((0, each) for each in drawn(chance, terminal.size)), recorder)
        assert terminal.wait() == 0, terminal.text
        raw = bytes(terminal.raw)
    assert not left_on(raw)
    assert not [each for each in sequences(raw) if "PWNED" in each.body]
    assert not hostile.HIDDEN.findall(printed(raw))
    lines = (tmp_path / "annotations" / "maria.jsonl").read_bytes().splitlines()  # as text, U+2028 would end a line
    assert [json.loads(line) for line in lines]
    checked = subprocess.run(
        [*PROGRAM, "check", str(store)], env={**os.environ, **home}, capture_output=True, check=False
    )
    assert checked.returncode == 0, checked.stdout.decode()


# -- again -------------------------------------------------------------------------------------------------------------

FOUND = Path(__file__).resolve().parents[3] / "shared" / "attack" / "exit-1-80x24.keys.json"
"""Inputs after which the app once ended with 1, where they are at hand."""


def store_of(recording: Recording, folder: Path, sample: Path) -> Path:
    """The store that a recording was made on."""
    if recording.store == "sample":
        return sample
    return hostile_store(folder) if recording.store == "hostile" else make(folder / "runs.db", int(recording.store))


def ends_badly(recording: Recording, store: Path, folder: Path) -> str:
    """Play a recording in a new folder beside which nothing is; what was bad about its end, or nothing."""
    here = Path(tempfile.mkdtemp(dir=folder))
    beside = here / store.name
    beside.hardlink_to(store)
    env = {"HOME": str(here), "EDITOR": "true", **recording.env}
    with (
        recorded("replay", recording.of([]), here) as recorder,
        Terminal(*PROGRAM, "open", beside, "--as", "maria", *recording.words, size=recording.size, env=env) as terminal,
    ):
        terminal.until(lambda: b"\x1b[?1049h" in terminal.raw).settle()
        played(terminal, recording.inputs, recorder)
        status = terminal.wait()
        left = [each.read_text("utf-8") for each in crash_files(here)]
        return "" if status == 0 and not left else "\n".join((f"exit code {status}", terminal.text, *left))


def test_a_recording_again(sample: Path, tmp_path: Path) -> None:
    """Play what `REVIEWER_REPLAY` names; where it fails again, with as few inputs as are found."""
    path = Path(REPLAY) if REPLAY else FOUND
    if not path.exists():
        pytest.skip(f"no recording at {path}; REVIEWER_REPLAY names one")
    recording = Recording.read(path)
    store = store_of(recording, tmp_path, sample)
    bad = ends_badly(recording, store, tmp_path)
    if bad and REPLAY:
        fewer = shrunk(recording.inputs, lambda some: bool(ends_badly(recording.of(some), store, tmp_path)), TRIES)
        short = path.with_suffix(".short.jsonl")
        recording.of(fewer).write(short)
        bad += f"\n{len(fewer)} of {len(recording.inputs)} inputs end so, too: {short}"
    assert not bad, bad
