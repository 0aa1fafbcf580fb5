"""For programs that are started to see what they load, or what they do without room to write: nobody measures them."""

from __future__ import annotations

import os


def environment() -> dict[str, str]:
    """The environment without what `make cover` puts there, which loads modules and writes files of its own."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
