"""Files that are replaced as a whole: what is there is the old one or the new one, never half of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from reviewer.app.reading.memory import LastPlace, Memory
from reviewer.basics import disk
from reviewer.basics.errors import JournalError
from reviewer.marks import folder

LIMITED = """
import resource, signal
from pathlib import Path
from reviewer.basics import disk
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
disk.write(Path("file"), "x" * 10_000)
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "new" / ("ä" * 120)
    disk.write(path, "one\r\n")
    disk.write(path, "two\n")
    assert path.read_bytes() == b"two\n"
    assert names(path.parent) == [path.name]


def test_what_is_half_written_never_takes_its_place(tmp_path: Path) -> None:
    disk.write(tmp_path / "file", "as it was")
    ran = subprocess.run([sys.executable, "-c", LIMITED], cwd=tmp_path, capture_output=True, text=True)
    assert "File too large" in ran.stderr
    assert (tmp_path / "file").read_text() == "as it was"
    assert names(tmp_path) == ["file"]
    with pytest.raises(UnicodeEncodeError):
        disk.write(tmp_path / "file", "half \ud800")
    assert (tmp_path / "file").read_text() == "as it was"
    assert names(tmp_path) == ["file"]


def test_a_reader_who_has_it_open_keeps_what_it_was(tmp_path: Path) -> None:
    """A file written in its own place would show what is half written to who reads it just then."""
    codebook, store = tmp_path / folder.FILE, tmp_path / "runs.db"
    memory = Memory(store, "ana", folder=tmp_path / "places")
    memory.keep(LastPlace("kimi/a/1"))
    folder.write(codebook, "# one\n")
    for path, change in (
        (codebook, lambda: folder.write(codebook, "# two\n")),
        (next((tmp_path / "places").iterdir()), lambda: memory.keep(LastPlace("kimi/a/2"))),
    ):
        before = path.read_bytes()
        with path.open("rb") as file:
            change()
            assert file.read() == before
        assert path.read_bytes() != before


def test_who_may_write_it_stays(tmp_path: Path) -> None:
    disk.write(tmp_path / "file", "one")
    (tmp_path / "file").chmod(0o660)
    disk.write(tmp_path / "file", "two")
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o660


def test_a_link_is_replaced_and_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("as it was")
    (tmp_path / "file").symlink_to(tmp_path / "elsewhere")
    disk.write(tmp_path / "file", "new")
    assert (tmp_path / "elsewhere").read_text() == "as it was"
    assert (tmp_path / "file").read_text() == "new"


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "annotations").write_text("a file where a folder should be")
    with pytest.raises(JournalError, match=r"cannot be written: (File exists|Not a directory)\."):
        folder.write(tmp_path / "annotations" / "codebook.toml", "# mine\n")
