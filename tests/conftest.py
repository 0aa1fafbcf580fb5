"""What all tests share. Laws are tried on the same examples every time, so that what passed here passes elsewhere, and
without a deadline, since a busy machine is no fault of the code; the slow lane draws new examples (`roaming`). Nothing
of the user's own state or settings is read or written.
"""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import settings

from tests.played import copy_program
from tests.shared_stores import build_board, build_sample, shared

settings.register_profile("repeatable", deadline=None, derandomize=True, max_examples=60)
settings.register_profile("roaming", deadline=None, max_examples=500, print_blob=True)
settings.load_profile("repeatable")

gc.disable()  # nothing is garbage while tests are collected

# A shell that starts us in the background has Ctrl-C ignored, and what we start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files that test the app, which mostly wait, evenly among those that compute."""
    files = [list(tests) for _, tests in groupby(items, lambda item: item.path)]
    placed: list[tuple[float, list[pytest.Item]]] = []
    for waits in (True, False):
        alike = [tests for tests in files if (tests[0].path.parent.name == "ui") is waits]
        placed += [((number + 0.5) / len(alike), tests) for number, tests in enumerate(alike)]
    items[:] = [item for _, tests in sorted(placed, key=lambda one: one[0]) for item in tests]


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Look for garbage again, but never in the thousands of tests that were collected."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(autouse=True, scope="session")
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Empty folders in the place of the user's, for programs that are started as well."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        yield


@pytest.fixture(scope="session")
def program_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the program and its data; whoever edits a file there mends it."""
    folder = tmp_path_factory.mktemp("program")
    copy_program(folder)
    return folder


@pytest.fixture(scope="session")
def board_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of all 24 models, which no test changes."""
    return shared(tmp_path_factory, "board", build_board) / "board.db"


@pytest.fixture(scope="session")
def sample_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of the sample, which no test changes; `truth.jsonl` beside it lists what was planted."""
    return shared(tmp_path_factory, "sample", build_sample) / "sample.db"
