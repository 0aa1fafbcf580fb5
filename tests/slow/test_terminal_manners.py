"""A guest's manners: the terminal is left as it was found, whatever ended the program, and any terminal will do."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests import builders
from tests.terminal import PROGRAM, Terminal, printed, sequences
from tests.ui.test_still import OPENING, SETTLED, changed, several
from tests.ui.test_still import opened as at_rest

MODES = ("1000", "1002", "1003", "1004", "1006", "1015", "1049", "2004", "2026")
"""Mouse, focus reports, the other screen, bracketed paste, frames: all to be taken back."""


def left_on(raw: bytes) -> set[str]:
    """What the terminal was told to do and not told to stop; the cursor's hiding is mode 25 the other way round."""
    on: set[str] = set()
    for each in sequences(raw):
        if each.kind == "csi" and each.body.startswith("?") and each.body[-1] in "hl":
            for mode in each.body[1:-1].split(";"):
                (on.add if each.body[-1] == ("l" if mode in ("25", "7") else "h") else on.discard)(mode)
    keyboard = [each.body[0] for each in sequences(raw) if each.shape in ("csi >u", "csi <u")]
    return on | ({"keyboard"} if keyboard.count(">") > keyboard.count("<") else set())


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Three conversations, one of them long."""
    long = [builders.customer(f"Sentence number {number} of a longer talk.") for number in range(1, 41)]
    kept = (builders.conversation(case=f"case-{number}") for number in range(2))
    return builders.store(tmp_path, builders.conversation(*long, case="a-long-one"), *kept)


def opened(
    store: Path, *words: str, size: tuple[int, int] = (80, 24), env: Mapping[str, str | None] | None = None
) -> Terminal:
    """The program at rest on its first conversation."""
    home = {"HOME": str(store.parent), **(env or {})}
    terminal = Terminal(*PROGRAM, "open", store, "--as", "maria", *words, size=size, env=home)
    return terminal.until("reviewed").settle()


@pytest.mark.parametrize("way", ["q", "ctrl+c", "SIGTERM", "SIGINT", "SIGHUP"])
def test_the_terminal_is_left_as_it_was(store: Path, way: str) -> None:
    with opened(store) as terminal:
        terminal.do("j", "0")
        assert left_on(bytes(terminal.raw)) >= {"1049", "25"}
        if way.startswith("SIG"):
            terminal.kill(getattr(signal, way))
        else:
            terminal.press(way)
        status = terminal.wait()
        assert not left_on(bytes(terminal.raw)), terminal.raw[-400:]
        assert b"Traceback" not in terminal.raw
        assert status in {0, 130} if not way.startswith("SIG") else status in {0, 128 + getattr(signal, way)}
    assert len((store.parent / "annotations" / "maria.jsonl").read_text("utf-8").splitlines()) == 1


BROKEN = """
from reviewer.app.reading.review_screen import ReviewScreen

def action_do(self, name, *arguments):
    if name == "conversation.next":
        text = self.reading.stored.conversation.messages[0].text
        raise KeyError(text, self.reading.stored.ref)
    usual(self, name, *arguments)

usual, ReviewScreen.action_do = ReviewScreen.action_do, action_do
from reviewer.cli import main
main()
"""
"""The program with a defect: the key for the next conversation raises an error that quotes what is open."""


@pytest.mark.parametrize("folder", ["there", "gone"])
def test_an_error_ends_in_one_sentence_and_a_file_without_text(store: Path, tmp_path: Path, folder: str) -> None:
    beside, spare = tmp_path / "beside", tmp_path / "spare"
    beside.mkdir()
    spare.mkdir()
    store = store.rename(beside / store.name)
    env = {"HOME": str(tmp_path), "TMPDIR": str(spare)}
    with Terminal(*PROGRAM[:2], "-c", BROKEN, "open", store, "--as", "maria", env=env) as terminal:
        terminal.until("reviewed").settle()
        if folder == "gone":
            shutil.rmtree(beside)
        terminal.press("]")
        assert terminal.wait() == 1
        assert not left_on(bytes(terminal.raw))
        after = printed(bytes(terminal.raw).rpartition(b"\x1b[?1049l")[2])
    (path,) = (beside if folder == "there" else spare).glob("reviewer-crash-*.txt")
    assert "builtins.KeyError\n" in path.read_text("utf-8")
    for words in ("Sentence", "longer talk", "a-long-one", "kimi"):
        assert words not in path.read_text("utf-8") + after
    assert f"reviewer: The app ended on an error of its own (builtins.KeyError); {path} says where" in after
    assert len(after.split("reviewer: ")) == 2
    assert "Traceback" not in after


def test_a_closed_window_ends_the_program(store: Path) -> None:
    with opened(store) as terminal:
        terminal.do("0")
        terminal.hang_up()
        assert terminal.wait() in {0, 129, 1, -signal.SIGHUP}


def test_a_closed_window_ends_the_program_also_where_another_one_was_told(store: Path) -> None:
    ended = store.with_name("ended")
    told = f"trap : HUP; {' '.join(PROGRAM)} open '{store}' --as maria; echo $? >'{ended}'"
    with Terminal("/bin/sh", "-c", told, env={"HOME": str(store.parent)}) as terminal:
        terminal.until("reviewed").settle().do("0").hang_up()
        terminal.wait()
    assert ended.read_text() == "129\n"


def test_the_program_can_be_put_aside_and_brought_back(store: Path) -> None:
    told = f"{' '.join(PROGRAM)} open '{store}' --as maria"
    with Terminal("/bin/bash", "--norc", "-i", env={"HOME": str(store.parent), "PS1": "$ "}) as terminal:
        terminal.until("$").press(told, "enter").until("reviewed").settle().do("0")
        terminal.press("\x1a").until(lambda: b"Stopped" in terminal.raw)
        assert left_on(bytes(terminal.raw)) <= {"2004"}  # the shell's own
        aside = len(terminal.raw)
        terminal.press("fg", "enter").until(lambda: b"reviewed" in terminal.raw[aside:]).settle().do("j", "0")
        assert left_on(bytes(terminal.raw)) >= {"1049", "25"}
        terminal.press("q").until(lambda: terminal.raw.rstrip().endswith(b"$"))
    assert len((store.parent / "annotations" / "maria.jsonl").read_text("utf-8").splitlines()) == 2


@pytest.mark.parametrize("closed", ["<&-", "2>&-", "2>/dev/null"])
def test_without_all_three_channels_the_queue_is_printed(store: Path, closed: str) -> None:
    with Terminal("/bin/sh", "-c", f"exec {' '.join(PROGRAM)} open '{store}' {closed}") as terminal:
        assert terminal.wait() == 0
        assert "Read them in a terminal" in terminal.text


def test_a_log_without_conversations_is_not_opened_as_an_empty_store(store: Path) -> None:
    log = store.parent / "notes.txt"
    log.write_text("Buy milk.", "utf-8")
    with Terminal(*PROGRAM, "open", log, size=(200, 24), env={"HOME": str(store.parent)}) as terminal:
        terminal.until("Import it into").press("enter")
        assert terminal.wait() == 2
        assert "holds no conversations" in terminal.text
    assert not log.with_name("notes.txt.db").exists()


def test_a_key_typed_while_it_ends_is_not_left_for_the_shell(store: Path) -> None:
    with opened(store) as terminal:
        terminal.press("q", "q", "q")
        assert terminal.wait() == 0


@pytest.mark.parametrize("size", [(20, 5), (300, 100), (1, 1), (80, 24)])
def test_another_size_and_back_keeps_the_place(store: Path, size: tuple[int, int]) -> None:
    with opened(store, "--at", "kimi/a-long-one/1#20", size=(100, 30)) as terminal:
        terminal.until("Sentence number 20")
        assert here(terminal) == 20
        terminal.resize(*size).settle().resize(100, 30).settle()
        assert here(terminal) == 20
        terminal.do("j")
        assert here(terminal) == 21


def here(terminal: Terminal) -> int:
    """The number of the message under the cursor."""
    found = re.search(r"▌\W*customer  (\d+)", terminal.text)
    assert found, terminal.text
    return int(found[1])


@pytest.mark.parametrize(
    "env",
    [
        {"TERM": "dumb", "COLORTERM": None}, {"TERM": "xterm-16color", "COLORTERM": None}, {"NO_COLOR": "1"},
        {"TERM": "linux", "COLORTERM": None}, {"TERM": None, "COLORTERM": None}, {"TERM": "nonsense"},
        {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "POSIX", "PYTHONIOENCODING": "ascii"},
    ],
    ids=["dumb", "16", "no-color", "console", "no-term", "unknown", "c-locale", "ascii"],
)  # fmt: skip
def test_any_terminal_will_do(store: Path, env: dict[str, str | None]) -> None:
    with opened(store, env=env) as terminal:
        terminal.do("]", "j", "1").press("?").until("Keys").settle()
        terminal.press("escape").until(lambda: "Keys" not in terminal.text).settle()
        terminal.press("u").until("Undid").press("q")
        assert terminal.wait() == 0, terminal.text
        if "NO_COLOR" in env:
            assert all(grey(each.body) for each in sequences(bytes(terminal.raw)))


def grey(body: str) -> bool:
    """Whether a style has no colour but shades of grey."""
    return all(len({*each}) == 1 for each in re.findall(r"[34]8;2;(\d+);(\d+);(\d+)", body))


def piped(store: Path, *words: str, read: int | None) -> tuple[int, str, bytes]:
    """A command whose output somebody stops reading after so many bytes."""
    program = [*PROGRAM, words[0], str(store), *words[1:]]
    with subprocess.Popen(program, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as done:
        assert done.stdout is not None
        assert done.stderr is not None
        taken = done.stdout.read() if read is None else os.read(done.stdout.fileno(), read) if read else b""
        done.stdout.close()
        said = done.stderr.read().decode()
        return done.wait(), said, taken


LISTINGS = (
    "list", "list --json", "show kimi/a-long-one/1", "open", "info", "search Sentence",
    "export", "tags", "board", "check",
)  # fmt: skip


@pytest.mark.parametrize("words", LISTINGS)
def test_whoever_stops_reading_is_not_scolded(store: Path, words: str) -> None:
    for read in (0, 10, None):
        status, said, _ = piped(store, *words.split(), read=read)
        assert "Traceback" not in said
        assert "Exception ignored" not in said
        assert "Broken" not in said
        assert status in (0, 1, 2)


def test_without_a_terminal_the_queue_is_printed(store: Path) -> None:
    status, said, taken = piped(store, "open", read=None)
    assert (status, said) == (0, "")
    assert b"kimi/a-long-one/1" in taken
    assert b"reviewer open" in taken
    assert b"\x1b" not in taken


SIZES = ((40, 12), (80, 24), (160, 45))
WINDOWS = 4
"""Windows of each size, each with its part of the screens open in turn: all of them rest at once."""


def test_a_screen_at_rest_writes_nothing_for_five_seconds(tmp_path: Path) -> None:
    store = several(tmp_path)
    screens = ("", *OPENING)
    with ExitStack() as stack:
        windows = [(size, part) for size in SIZES for part in range(WINDOWS)]
        at = {each: stack.enter_context(at_rest(store, each[0], by=f"{each}")) for each in windows}
        for turn in range(len(screens) // WINDOWS):
            shown = screens[turn * WINDOWS :][:WINDOWS]
            for size, part in windows:
                if shown[part]:
                    changed(at[size, part], shown[part], 0)
            for window in at.values():
                window.settle(SETTLED)
            before = {each: len(window.drain().raw) for each, window in at.items()}
            at[windows[0]].rest(5.0)
            written = {each: len(window.drain().raw) - before[each] for each, window in at.items()}
            assert not any(written.values()), (shown, written)
            for size, part in windows:
                if shown[part]:
                    changed(at[size, part], "escape", 0)
