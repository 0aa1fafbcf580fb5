"""Packages beside the program, as pip leaves them in a folder, and the program that finds them there."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests import forked

ROOT = Path(__file__).parents[1]


def install(site: Path, name: str, text: str, group: str, value: str = "{module}") -> None:
    """Put a package of one module into a folder, with one entry point; `{module}` is what the module is called."""
    module = name.replace("-", "_")
    (site / f"{module}.py").write_text(text)
    kind = group.rpartition(".")[2].removesuffix("s")
    about = site / f"reviewer_{kind}_{module}-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: reviewer-{kind}-{name}\nVersion: 0.1.0\n")
    (about / "entry_points.txt").write_text(f"[{group}]\n{name} = {value.format(module=module)}\n")


def run(site: Path, *words: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The program beside the packages of a folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join((str(ROOT), str(site))))
        return forked.run(*words, cwd=cwd)
