"""The core without what can be left out: four formats are installed, and nothing that makes conversations."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packages import ROOT
from tests.unmeasured import environment

TURNS = [{"role": "user", "content": "Cancel order #1130."}, {"role": "assistant", "content": "It is cancelled."}]
FORMATS = {"interchange", "tau_bench", "openai_chat", "sharegpt"}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as it would be without its other formats and without `benchmark/`."""
    folder = tmp_path_factory.mktemp("small")
    shutil.copytree(ROOT / "reviewer", folder / "reviewer", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "data", folder / "data")
    shutil.rmtree(folder / "reviewer" / "benchmark")
    formats = folder / "reviewer" / "imports" / "formats"
    shutil.rmtree(formats / "parts")
    for module in formats.glob("*.py"):
        if module.stem not in FORMATS | {"__init__"}:
            module.unlink()
    return folder


def run(small: Path, cwd: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of that package, which must be the one that is loaded."""
    code = f"""
import sys
import reviewer
assert reviewer.__file__.startswith({str(small)!r}), reviewer.__file__
from reviewer.cli import main
main()
"""
    command = [sys.executable, "-P", "-c", code, *words]
    own = {**environment(), "PYTHONPATH": str(small), "USER": "ana", "XDG_CACHE_HOME": str(cwd / "cache")}
    return subprocess.run(command, capture_output=True, text=True, env=own, cwd=cwd, check=False)


def test_the_core_imports_lists_tags_exports_and_counts(small: Path, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "results.json").write_text(
        json.dumps([{"task_id": 1, "reward": 1.0, "info": {}, "traj": TURNS, "trial": 0}])
    )
    said = {"conversations": [{"from": "human", "value": "Hi."}, {"from": "gpt", "value": "Hello."}]}
    (tmp_path / "logs" / "chat.json").write_text(json.dumps(said))

    def out(*words: str) -> str:
        ended = run(small, tmp_path, *words)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    imported = json.loads(out("import", "logs", "--into", "runs.db", "--json"))
    assert {source["path"]: source["format"] for source in imported["sources"]} == {
        "logs/chat.json": "sharegpt",
        "logs/results.json": "tau-bench",
    }
    rows = [json.loads(line) for line in out("list", "runs.db", "--json").splitlines()]
    assert rows
    ref = next(row["ref"] for row in rows if "messages" in row)
    assert "1" in out("tag", "runs.db", f"{ref}#1", "warm")
    assert json.loads(out("export", "runs.db", "--format", "jsonl").splitlines()[0])["mode"] == "warm"
    assert "model" in out("board", "runs.db")
    assert "usage" in out("--help").lower()
    unknown = run(small, tmp_path, "import", "logs", "--format", "helm", "--into", "runs.db")
    assert unknown.returncode == 2
    assert "Formats: interchange, tau-bench, sharegpt, openai-chat." in unknown.stderr
