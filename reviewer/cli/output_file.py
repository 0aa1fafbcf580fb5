"""Where a command's page goes: printed, or written to a file that is there whole or as it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reviewer.cli.output import print_escaped

_SQLITE = b"SQLite format 3\x00"


def checked_place(output: Path | None, store: Path, annotations: Path) -> bool:
    """True if an earlier file will be replaced; refuses the store and what reviewers wrote."""
    from reviewer.basics.errors import ReviewerError

    if output is None:
        return False
    if output.is_dir():
        raise ReviewerError(f"{output} is a folder.", "Name a file in it with -o.")
    there, place = output.is_file(), output.resolve()
    # a new file there would be read as a journal or a queue
    kept = place == store.resolve() or place.is_relative_to(annotations.resolve())
    if kept or (there and _is_store(output)):
        raise ReviewerError(f"{output} is kept for evidence and annotations.", "Name another place with -o.")
    return there


def _is_store(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def write_lines(lines: Iterator[str], output: Path | None, encoding: str = "utf-8") -> int:
    """Write them, and say how many there were."""
    written = 0
    if output is None:
        for line in lines:
            print_escaped(line)
            written += 1
        return written
    with whole(output) as beside, beside.open("w", encoding=encoding, newline="\n") as file:
        for line in lines:
            file.write(line)
            written += 1
    return written


@contextmanager
def whole(output: Path) -> Iterator[Path]:
    """Yield the path to write to: a file beside the output that replaces it when complete; for a pipe, the pipe."""
    from reviewer.basics import disk
    from reviewer.basics.errors import ReviewerError

    if output.exists() and not output.is_file():
        yield output
        return
    try:
        with disk.replacing(output.resolve()) as beside:
            yield beside
    except OSError as error:
        raise ReviewerError(f"{output} cannot be written: {error.strerror}.", "Name another place with -o.") from error
