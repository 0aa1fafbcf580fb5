"""A first desk of one's own: a small folder that can be played as it is, for people to change.

Owns the names in it; the files themselves are `data/starter/`, with a comment on every field. Nothing that is there is
overwritten.
"""

from __future__ import annotations

from pathlib import Path
from string import Template

from reviewer.basics.errors import DeskError
from reviewer.basics.resources import data_dir
from reviewer.benchmark.desks.desk_folder import NAME
from reviewer.transcripts import desk

_SUFFIX = ".txt"


def made(name: str, folder: Path) -> list[Path]:
    """Write a desk of this name into a folder; the files that were made."""
    if not NAME.fullmatch(name):
        raise DeskError(
            f"“{name}” cannot be the name of a desk.", "Small letters, digits and hyphens, as in bike-rental."
        )
    if name in desk.shipped():
        raise DeskError(f"“{name}” is a desk that comes with the program.", "Choose another name.")
    templates = data_dir() / "starter"
    title = name.replace("-", " ").capitalize()
    texts = {
        folder / str(path.relative_to(templates)).removesuffix(_SUFFIX): Template(
            path.read_text(encoding="utf-8")
        ).safe_substitute(name=name, title=title)
        for path in sorted(templates.rglob(f"*{_SUFFIX}"))
    }
    there = next((path for path in texts if path.exists()), None)
    if there is not None:
        raise DeskError(f"{there} is there already.", "Name another folder with -o.")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    return list(texts)
