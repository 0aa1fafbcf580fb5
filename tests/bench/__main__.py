"""`make bench`: every bench, or those named, each figure beside its floor; exit 1 when one is over its bound."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from tests.bench.rows import HEADER


def main(names: list[str]) -> int:
    """Run the benches and print their rows as they come."""
    known = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    unknown = set(names) - set(known)
    if unknown:
        print(f"There is no bench {', '.join(sorted(unknown))}; there are {', '.join(known)}.")
        return 2
    over = 0
    print(HEADER)
    for name in names or known:
        print(f"\n{name}")
        for row in import_module(f"tests.bench.bench_{name}").run():
            print(row, flush=True)
            over += row.over
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
