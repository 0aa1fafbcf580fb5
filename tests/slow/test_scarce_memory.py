"""Where memory does not suffice: one sentence, and the next file is read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCARCE = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))
from reviewer.cli import main
main()
"""


def test_a_document_too_large_for_the_memory_is_said_and_the_next_file_read(tmp_path: Path) -> None:
    record = json.dumps({"messages": [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "x" * 200}]})
    (tmp_path / "large.json").write_text("[" + ",".join([record] * 400_000) + "]")
    (tmp_path / "small.jsonl").write_text(record + "\n")
    names = [str(tmp_path / name) for name in ("large.json", "small.jsonl", "runs.db")]
    done = subprocess.run(
        [sys.executable, "-c", SCARCE, "import", *names[:2], "--into", names[2]],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert (done.returncode, "large.json: too large for this machine's memory" in done.stdout) == (1, True), done.stdout
    assert "small.jsonl: 1 new" in done.stdout
