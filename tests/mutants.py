"""`make mutants`: change what decides and counts, one thing at a time, and list the changes that no test noticed.

The changes and the runs are mutmut's; what is changed and which tests are run stands in pyproject.toml.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

MUTMUT = Path(sys.executable).with_name("mutmut")
LEAST = 0.75
"""The share of the changes in tested functions that must be noticed; many of the others change nothing that shows."""


def results(pattern: str) -> dict[str, str]:
    """What became of each change of this name: `killed`, `survived`, `no tests` ..."""
    said = subprocess.run([MUTMUT, "results", "--all", "true"], capture_output=True, text=True, check=True).stdout
    pairs = (line.strip().rpartition(": ") for line in said.splitlines())
    return {name: status for name, _, status in pairs if fnmatch(name, pattern)}


def main(pattern: str) -> int:
    """Make the changes of this name and say what became of them; 1 when too many went unnoticed."""
    subprocess.run([MUTMUT, "run", pattern], check=True)
    became = results(pattern)
    for name, status in sorted(became.items()):
        if status == "survived":
            print(name)
    counts = Counter(became.values())
    noticed = counts.total() - counts["survived"] - counts["no tests"] - counts["not checked"]
    share = noticed / ((noticed + counts["survived"]) or 1)
    print(f"{share:.1%} noticed, {LEAST:.0%} wanted: {dict(counts)}. `{MUTMUT} show NAME` shows a change.")
    return 0 if share >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
