"""Which files a command names: folders and zips recursively, in an order that no way of typing changes."""

from __future__ import annotations

import os
import stat
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reviewer.basics.errors import SourceError
from reviewer.imports.containers.log_bytes import RefusedBytes
from reviewer.imports.names import natural
from reviewer.imports.source import Source, is_link, leads_out

LOGS = {
    *(".json", ".jsonl", ".ndjson", ".eval", ".log", ".txt", ""),
    *(".traj", ".yaml", ".yml"),
    *(".zip", ".csv", ".tsv", ".tab", ".parquet"),
}


@dataclass
class ChosenFiles:
    """The files to import, and those in the named folders that are not opened."""

    sources: list[Source]
    unread: list[str] = field(default_factory=list)
    """Their names; that of a hidden folder, into which nobody looks, ends with a slash."""
    links: list[str] = field(default_factory=list)
    """Names of links that lead out of a named folder and were not followed; that to a folder ends with a slash."""


def sources(paths: Sequence[Path], following_links: bool = False) -> ChosenFiles:
    """List the files to import, each once, in natural order of their names; what is no file is refused beside the rest.

    They are called by where they stand below the folder that holds all that was named, so that no two have one name.
    """
    held: dict[Hashable, Source] = {}
    unread: list[Path] = []
    links: list[Path] = []
    refused: dict[Path, SourceError] = {}
    root = os.path.commonpath([path.parent.absolute() for path in paths]) if paths else ""
    for path in paths:
        refusal = _refusal(path)
        if refusal is not None:
            refused[path] = refusal
            held[path] = Source(path, _spelled(path, root), alone=True, held=RefusedBytes(refusal))
            continue
        folder = path.is_dir()
        home = path if folder and not following_links else None
        for file in _within(path, unread, links, following_links) if folder else (path,):
            held.setdefault(_identity(file), Source(file, _spelled(file, root), alone=not folder, home=home))
    if refused and len(held) == len(refused):
        raise next(iter(refused.values()))
    if not held:
        there = (f"{len(unread):,} whose names are not those of logs" if unread else "", _left_links(links))
        others = " and ".join(filter(None, there))
        named = ", ".join(map(str, paths))
        hint = "--follow-links reads what links lead to." if links else "Name log files, or a folder that holds some."
        raise SourceError(f"No file in {named}{f', only {others}' if others else ''}.", hint)
    named_anyway = {source.path.absolute() for source in held.values()}
    left = dict.fromkeys(
        _spelled(each, root) + "/" * each.is_dir() for each in unread if each.absolute() not in named_anyway
    )
    unfollowed = {_spelled(each, root) + "/" * each.is_dir() for each in links if _identity(each) not in held}
    chosen = ChosenFiles([], list(left), sorted(unfollowed, key=natural))
    for source in held.values():
        _open(source, chosen)
    chosen.sources.sort(key=lambda source: natural(source.name))
    chosen.unread.sort(key=natural)
    return chosen


def _refusal(path: Path) -> SourceError | None:
    """Why something that was named is not opened; None for a file or a folder. What is not there stops everything."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        raise SourceError(f"There is no {path}.", "Check the name.") from None
    except OSError as error:
        return SourceError(f"{path} cannot be read: {error.strerror}.", "Check its permissions.")
    if stat.S_ISDIR(mode) or stat.S_ISREG(mode):
        return None
    return SourceError(f"{path} is not a file.", "Save what comes from it, and name that file.")


def _open(source: Source, chosen: ChosenFiles) -> None:
    """Add a source, or the members if it is a zip."""
    if source.held is not None or not source.path.name.lower().endswith(".zip"):
        chosen.sources.append(source)
        return
    from reviewer.imports.containers import zips  # few imports meet one

    sources, unread = zips.members(source, lambda name: _suffix(Path(name)) in LOGS)
    chosen.sources += sources
    chosen.unread += unread


def _left_links(links: Sequence[Path]) -> str:
    if not links:
        return ""
    return "1 link that leads out of it" if len(links) == 1 else f"{len(links):,} links that lead out of it"


def _within(path: Path, unread: list[Path], links: list[Path], following: bool) -> Iterator[Path]:
    """The logs in a folder and below; a folder that cannot be listed is yielded itself, and fails when read.

    A link that leads out of the folder is listed, or followed once where that is wanted.
    """
    shut: list[Path] = []
    followed: set[str] = set()
    walk = os.walk(path, onerror=lambda error: shut.append(Path(error.filename)), followlinks=True)
    for folder, below, names in walk:
        unread += (Path(folder, name) for name in below if name.startswith("."))
        inner = [Path(folder, name) for name in sorted(below) if not name.startswith(".")]
        away = [each for each in inner if leads_out(each, path)]
        links += away if not following else ()
        targets = {each: os.path.realpath(each) for each in away if following}
        new = [each for each, target in targets.items() if target not in followed]
        followed.update(targets.values())
        below[:] = [each.name for each in inner if each in new or not is_link(each)]
        for name in sorted(names):
            file = Path(folder, name)
            if name.startswith(".") or _suffix(file) not in LOGS or not _is_file(file):
                unread.append(file)
            elif not following and leads_out(file, path):
                links.append(file)
            else:
                yield file
    yield from shut


def _suffix(path: Path) -> str:
    """The suffix of a name, for a compressed file the one before `.gz`."""
    return Path(path.name.lower().removesuffix(".gz")).suffix


def _is_file(path: Path) -> bool:
    """False for a dangling link, a pipe, a socket; a file that may not be inspected counts, and fails when read."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError as error:
        return isinstance(error, PermissionError)


def _identity(path: Path) -> Hashable:
    """A key that is equal for two names of the same file."""
    try:
        status = path.stat()
    except OSError:
        return path
    return status.st_dev, status.st_ino


def _spelled(file: Path, root: str) -> str:
    """The path below the root, with bytes that are not UTF-8 escaped, so that it can be stored."""
    name = file.absolute().relative_to(root).as_posix()
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
