"""The wheel is self-sufficient: built, installed elsewhere and run from another folder, it finds its data."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from reviewer.transcripts.conversation_json import as_object
from tests.builders import stored

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the built wheel was installed, apart from the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    wheel = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT]
    subprocess.run([*pip, *map(str, wheel)], check=True)
    (built,) = folder.glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", str(folder / "site"), str(built)], check=True)
    return folder / "site"


def run(installed: Path, cwd: Path, *words: str) -> subprocess.CompletedProcess[str]:
    code = "import reviewer, sys; print(reviewer.__file__, file=sys.stderr); from reviewer.cli import main; main()"
    program = [sys.executable, "-P", "-c", code, *words]
    environment = {**os.environ, "PYTHONPATH": str(installed), "HOME": str(cwd), "XDG_DATA_HOME": str(cwd / "data")}
    environment.pop("PYTHONSAFEPATH", None)
    return subprocess.run(
        program, cwd=cwd, env=environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )


def test_commands_run_from_any_folder(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "logs.jsonl").write_text(json.dumps(as_object(stored())) + "\n", encoding="utf-8")
    said = run(installed, tmp_path, "import", "logs.jsonl", "--desk", "retail")
    assert str(installed) in said.stderr
    assert said.returncode == 0, said.stderr
    assert json.loads(run(installed, tmp_path, "info", "runs.db", "--json").stdout)["desks"] == ["retail"]
    opened = run(installed, tmp_path, "open", "runs.db")
    assert opened.returncode == 0, opened.stderr
    assert "kimi/used-item-1/1" in opened.stdout


def test_shipped_data_is_inside(installed: Path) -> None:
    inside = {path.relative_to(installed / "reviewer" / "_data").parts[0] for path in installed.rglob("_data/*")}
    assert {"northline", "retail", "airline", "lapwing", "starter", "codebooks", "read"} <= inside


def test_a_source_package_builds_the_wheel_and_holds_what_its_makefile_needs(tmp_path: Path) -> None:
    built = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(built, cwd=ROOT, check=True, capture_output=True)
    (package,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(package) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    makefile = (folder / "Makefile").read_text("utf-8")
    for name in re.findall(r"requirements[\w-]*\.lock", makefile):
        assert (folder / name).is_file(), name
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    told = (folder / "PKG-INFO").read_text("utf-8")
    assert "Author: The maintainers of reviewer" in told
    assert "](docs/" not in told
