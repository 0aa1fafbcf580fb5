"""Watching a store that is open: looks on one thread, the end on another."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from reviewer.transcripts.store.watch import News, Watch
from tests import builders
from tests.builders import conversation

_CLOSING_WHILE_LOOKING = """
import sys, threading
from pathlib import Path
from reviewer.transcripts.store.watch import Watch
sys.setswitchinterval(1e-6)
for _ in range(100):
    watch = Watch(Path(sys.argv[1]), 1)
    watch.look()
    together = threading.Barrier(3)
    def look():
        together.wait()
        for _ in range(20):
            watch.look()
    threads = [threading.Thread(target=look) for _ in range(2)]
    for each in threads:
        each.start()
    together.wait()
    watch.close()
    for each in threads:
        each.join()
"""


def test_closing_while_another_thread_looks_takes_nothing_down(tmp_path: Path) -> None:
    store = builders.store(tmp_path)
    ran = subprocess.run([sys.executable, "-c", _CLOSING_WHILE_LOOKING, str(store)], capture_output=True, timeout=120)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_news_come_until_it_is_closed(tmp_path: Path) -> None:
    store = builders.store(tmp_path)
    watch = Watch(store, 1)
    assert watch.look() == News()
    builders.store(tmp_path, conversation(run=2))
    assert watch.look() == News("there", 1, True)
    watch.close()
    builders.store(tmp_path, conversation(run=3))
    assert watch.look() == News("there", 1, True)
