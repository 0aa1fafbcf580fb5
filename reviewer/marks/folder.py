"""The annotations folder: where it is, its codebook file, and what git is told about it.

Owns making the folder and editing the codebook file. A file that people edit is only ever added to or changed in the
lines that are meant; everything else in it, comments included, stays as it is.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from reviewer.basics import disk
from reviewer.basics.errors import JournalError
from reviewer.basics.resources import data_dir
from reviewer.marks import codebook, codebook_files
from reviewer.marks.codebook import Codebook

FILE = "codebook.toml"
GENERAL, SUPPORT = "general", "support-agent"
_UNION = "*.jsonl merge=union\n"


def usual(store: Path | None = None) -> Path:
    """Return the folder used when nobody names one: `annotations` beside the store, or here if there is no store."""
    named = os.environ.get("REVIEWER_ANNOTATIONS")
    return Path(named) if named else (store.absolute().parent if store else Path()) / "annotations"


def suited(cases: int) -> str:
    """The codebook for a store with so many cases: benchmarks of support agents have some, other logs none."""
    return SUPPORT if cases else GENERAL


def shipped() -> list[str]:
    """The names of the codebooks that come with the program."""
    return sorted(path.stem for path in (data_dir() / "codebooks").glob("*.toml"))


def load(folder: Path, otherwise: str = GENERAL) -> Codebook:
    """The folder's codebook; while there is none, the shipped one that the first tag would copy."""
    path = plain(folder, folder / FILE)
    if not path.exists():
        path = shipped_path(otherwise)
    return codebook.parse(codebook_files.joined(_text(path), _of_modes(folder)), str(path))


def shipped_path(name: str) -> Path:
    """The file of a shipped codebook."""
    path = data_dir() / "codebooks" / f"{name}.toml"
    if name not in shipped():
        raise JournalError(f"There is no codebook “{name}”.", f"Codebooks: {', '.join(shipped())}.")
    return path


def make(folder: Path, name: str = GENERAL) -> list[Path]:
    """Make what is missing of an annotations folder; the files that were made."""
    made: list[Path] = []
    source = shipped_path(name)
    try:
        for path, text in ((folder / FILE, _text(source)), (folder / ".gitattributes", _UNION)):
            if not plain(folder, path).exists():
                write(path, text)
                made.append(path)
    except OSError as error:
        raise JournalError(f"{folder} cannot be written: {error.strerror}.", "Fix it and try again.") from error
    return made


def edit(folder: Path, change: Callable[[str, str], str]) -> None:
    """Change the codebook's text by a function of the text and of what errors call the file."""
    path, before = folder / FILE, text(folder)
    files = _of_modes(folder)
    main, *modes = codebook_files.parts(change(before, str(path)), str(path))
    old, *_ = codebook_files.parts(before, str(path))
    for part in modes:
        if part.name not in files or files[part.name].removesuffix("\n") != part.text.removesuffix("\n"):
            write(folder / codebook_files.FOLDER / part.name, part.text)
    if main.text != old.text:
        write(path, main.text)
    for name in files.keys() - {part.name for part in modes}:
        (folder / codebook_files.FOLDER / name).unlink(missing_ok=True)


def text(folder: Path) -> str:
    """The codebook's text, that of all its files."""
    return codebook_files.joined(_text(plain(folder, folder / FILE)), _of_modes(folder))


def stamp(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Something that differs once a file of the codebook was changed."""
    stamps = []
    for path in (folder / FILE, *_mode_files(folder)):
        with suppress(OSError):
            status = path.lstat()
            stamps.append((path.name, status.st_mtime_ns, status.st_size))
    return tuple(stamps)


def _mode_files(folder: Path) -> list[Path]:
    return sorted((folder / codebook_files.FOLDER).glob("*.toml"))


def _of_modes(folder: Path) -> dict[str, str]:
    plain(folder, folder / codebook_files.FOLDER)
    return {path.name: _text(plain(folder, path)) for path in _mode_files(folder)}


def plain(folder: Path, path: Path) -> Path:
    """A file of the folder; a link, and what is behind one, is refused: in a folder of somebody else it leads anywhere.

    The folder itself may be a link.
    """
    for part in (path, *path.parents):
        if part == folder:
            break
        if os.path.islink(part):  # noqa: PTH114 -- Path.is_symlink raises where a name is too long
            said = f"{part} is a link, and an annotations folder holds plain files and folders."
            raise JournalError(said, "Put there what it leads to.")
    return path


def write(path: Path, text: str) -> None:
    """Write a file of the folder: it is there with the new text, or as it was."""
    try:
        disk.write(path, text)
    except OSError as error:
        raise JournalError(f"{path} cannot be written: {error.strerror}.", "It was left as it was.") from error


def _text(path: Path) -> str:
    try:
        return path.read_bytes().removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise JournalError(f"{path}, line {line}: it is not UTF-8.", "Save it as UTF-8.") from None
    except OSError as error:
        raise JournalError(f"{path} cannot be read: {error.strerror}.", "Check its permissions.") from error
