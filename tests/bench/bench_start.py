"""Starting: what `reviewer --help` takes beside a typer program that does nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.rows import Row, timed

FLOOR = """
import typer
app = typer.Typer()
@app.command()
def nothing() -> None:
    pass
app()
"""


def run() -> Iterator[Row]:
    """The row of this bench; both programs may keep their bytecode, as installed ones do."""
    compiled = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    program = Path(sys.executable).with_name("reviewer")
    with tempfile.TemporaryDirectory() as folder:
        floor = Path(folder) / "floor.py"
        floor.write_text(FLOOR)

        def started(*command: str | Path) -> None:
            subprocess.run(command, check=True, capture_output=True, env=compiled)

        yield timed(
            "reviewer --help", lambda: started(program, "--help"), lambda: started(sys.executable, floor), 1.5, 20
        )
