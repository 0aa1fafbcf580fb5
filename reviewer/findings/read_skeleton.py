"""The skeleton of a read: a small package of its own, with a test that passes, for people to change.

Owns the names in it and what they may be; the files themselves are `data/read/`. Nothing that is there is overwritten.
"""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path
from string import Template

from reviewer.basics.errors import ReviewerError
from reviewer.basics.resources import data_dir
from reviewer.findings.reads.packages import known

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_FILES = {"pyproject.toml.txt": "pyproject.toml", "module.py.txt": "{}.py", "test_module.py.txt": "test_{}.py"}


def made(name: str, folder: Path) -> list[Path]:
    """Write a read of this name into a folder; the files that were made."""
    module = name.replace("-", "_")
    if not _NAME.fullmatch(name) or keyword.iskeyword(module) or module in sys.stdlib_module_names:
        raise ReviewerError(
            f"“{name}” cannot be the name of a read.", "Small letters, digits and hyphens, as in rude-reply."
        )
    if name in known():
        raise ReviewerError(f"There is a read “{name}” already.", "See: reviewer reads")
    texts = {
        folder / file.format(module): Template((data_dir() / "read" / template).read_text("utf-8")).substitute(
            name=name, module=module
        )
        for template, file in _FILES.items()
    }
    there = next((path for path in texts if path.exists()), None)
    if there is not None:
        raise ReviewerError(f"{there} is there already.", "Name another folder with -o.")
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    return list(texts)
