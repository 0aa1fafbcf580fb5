"""Writing under fire, through the real program: a full disk, a folder that is gone or read-only, eight at once.

What could not be written is not shown, and the dialog about it stays until it was written, here or elsewhere.
"""

from __future__ import annotations

import ctypes
import json
import resource
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from tests import builders
from tests.terminal import PROGRAM, Terminal

SIZE = (120, 30)
NAMES = ("Ann Ash", "Bob Birch", "Cy Cedar", "Di Dogwood", "Eve Elm", "Flo Fir", "Gus Gum", "Hal Hazel")
_DROP_CAPABILITY, _IGNORES_PERMISSIONS = 24, (1, 2)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A conversation of a case."""
    return builders.store(tmp_path)


def opened(store: Path, *words: str, by: str = "maria", **how: object) -> Terminal:
    """The program at rest on its first conversation."""
    options = {"size": SIZE, "env": {"HOME": str(store.parent)}, **how}
    return Terminal(*PROGRAM, "open", store, "--as", by, *words, **options).until(f"reviewed · {by}").settle()  # type: ignore[arg-type]  # options are Terminal's


def lines(store: Path, name: str = "maria") -> list[dict[str, object]]:
    """A journal as it is on disk."""
    text = (store.parent / "annotations" / f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def obey_permissions() -> None:
    """Let permissions hold for the program that is started next, whoever runs it."""
    for capability in _IGNORES_PERMISSIONS:
        ctypes.CDLL(None).prctl(_DROP_CAPABILITY, capability, 0, 0, 0)


def stays(terminal: Terminal) -> None:
    """The dialog is there whatever is pressed but its way out, and nothing that is not on disk is shown."""
    for key in ("j", "2", "enter", "r"):
        terminal.do(key)
        assert "Not saved" in terminal.text, key


def test_a_full_disk(store: Path) -> None:
    with opened(store) as terminal:
        terminal.do("1", "1").until("⟦")
        journal = store.parent / "annotations" / "maria.jsonl"
        before = journal.read_bytes()
        unlimited = resource.prlimit(terminal.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(terminal.pid, resource.RLIMIT_FSIZE, (len(before) + 100, unlimited[1]))
        terminal.do("j", "2").until("Not saved").until("File too large")
        stays(terminal)
        assert terminal.text.count("⟦") == 1
        assert journal.read_bytes() == before
        resource.prlimit(terminal.pid, resource.RLIMIT_FSIZE, unlimited)
        terminal.do("r").until(lambda: "Not saved" not in terminal.text and terminal.text.count("⟦") == 2)
        assert journal.read_bytes().startswith(before)
        assert len(lines(store)) == 2
        terminal.do("u").until("Undid tag")
        assert lines(store)[-1]["do"] == "undo"


@pytest.fixture(params=["gone", "read-only", "replaced by a file"])
def spoilt(request: pytest.FixtureRequest, store: Path) -> Iterator[tuple[Terminal, Path]]:
    """A session with one tag whose folder can no longer be written; afterwards it is as it was."""
    folder, away = store.parent / "annotations", store.parent / "away"
    with opened(store, setup=obey_permissions) as terminal:
        terminal.do("1", "1").until("⟦")
        if request.param == "read-only":
            (folder / "maria.jsonl").chmod(0o400)
            folder.chmod(0o500)
        else:
            folder.rename(away)
        if request.param == "replaced by a file":
            folder.write_text("in the way", "utf-8")
        yield terminal, folder
        if away.exists():
            folder.unlink(missing_ok=True)
            away.rename(folder)
        folder.chmod(0o700)
        (folder / "maria.jsonl").chmod(0o600)
        if terminal.status is None:
            terminal.do("r").until(lambda: "Not saved" not in terminal.text)
            assert [line["ref"] for line in lines(store)] == ["kimi/used-item-1/1#1", "kimi/used-item-1/1#2"]
            terminal.until(lambda: terminal.text.count("⟦") == 2)


def test_a_folder_that_cannot_be_written(spoilt: tuple[Terminal, Path]) -> None:
    terminal, folder = spoilt
    terminal.do("j", "2").until("Not saved")
    if folder.is_dir():
        assert "--annotations FOLDER" in terminal.text
    stays(terminal)
    assert terminal.text.count("⟦") <= 1


def test_what_cannot_be_written_is_saved_elsewhere_and_taken_in_later(spoilt: tuple[Terminal, Path]) -> None:
    terminal, folder = spoilt
    kept = folder.parent / "kept.jsonl"
    terminal.do("j", "2").until("Not saved")
    for place, said in ((Path("/dev/null/at all.jsonl"), "Not saved"), (kept, "Saved to")):
        terminal.do("s").press(str(place)).settle().do("enter").until(said)
    assert "Not saved" not in terminal.text
    assert [json.loads(line)["ref"] for line in kept.read_text("utf-8").splitlines()] == ["kimi/used-item-1/1#2"]
    terminal.press("q").wait()


def shows(window: Terminal, tags: int, *words: str) -> bool:
    """Whether so many tags are on a screen, and these words."""
    return window.text.count("⟦") == tags and all(each in window.text for each in words)


def test_eight_reviewers_and_a_second_window_see_each_other(store: Path) -> None:
    with ExitStack() as stack:
        windows = [stack.enter_context(opened(store, by=name)) for name in (*NAMES, NAMES[0])]
        for number, window in enumerate(windows):
            window.press(*(("j", str(number + 1)) if number < len(NAMES) else ("k", "1", "1")))
        initials = ["".join(part[0] for part in name.split()) for name in NAMES]
        for number, window in enumerate(windows):
            others = [f"{each}⟧" for each in initials if each != initials[number % 8]]
            window.until(partial(shows, window, len(windows), *others))
        windows[3].press(*":others off").settle().press("enter").until(partial(shows, windows[3], 1, "others off"))
        windows[0].do("u").until("Undid")
        for window in (windows[5], windows[8]):
            window.until(partial(shows, window, len(windows) - 1))
    journals = sorted(path.name for path in (store.parent / "annotations").glob("*.jsonl"))
    assert len(journals) == len(NAMES)
    assert sum(len(lines(store, name.removesuffix(".jsonl"))) for name in journals) == len(windows) + 1


@pytest.mark.parametrize(
    ("case", "title"), [("used-item-1", "Support-agent failure modes"), (None, "General failure modes")]
)
def test_the_codebook_is_the_one_that_suits_the_store(case: str | None, title: str, tmp_path: Path) -> None:
    store = builders.store(tmp_path, builders.conversation(case=case, run=1 if case else None))
    with opened(store) as terminal:
        terminal.do("1", "1").until("⟦")
    assert title in (tmp_path / "annotations" / "codebook.toml").read_text("utf-8")


def test_who_reviews_stands_in_the_header(store: Path) -> None:
    home = {"HOME": str(store.parent), "REVIEWER_NAME": "Nora  Name"}
    with Terminal(*PROGRAM, "open", store, size=SIZE, env=home) as terminal:
        terminal.until("reviewed · Nora Name")
