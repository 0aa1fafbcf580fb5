"""What a package index shows of the project, and what the source package must hold."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
HOME = "https://host.example/owner/reviewer"


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_links_and_pictures_of_the_readme_lead_to_the_projects_home(hook: ModuleType) -> None:
    shown = hook.on_an_index(README, HOME)
    targets = re.findall(r"(!?)\[[^\]]*\]\(([^)]*)\)", shown)
    assert len(targets) > 10
    for picture, target in targets:
        start = f"{HOME}/{'raw' if picture else 'blob'}/HEAD/"
        assert target.startswith(start)
        assert (ROOT / target.removeprefix(start).partition("#")[0]).exists()
    assert set(hook.urls(HOME)) == {"Source", "Documentation", "Changelog", "Issues"}


def test_without_a_home_nothing_is_a_link_that_leads_nowhere(hook: ModuleType) -> None:
    shown = hook.on_an_index(README, "")
    assert "](" not in shown
    assert "Your first fifteen minutes (`docs/tutorial.md`)" in shown
    assert hook.urls("") == {}
    assert hook.on_an_index("[a](https://x.example/b) [b](#c)", "") == "[a](https://x.example/b) [b](#c)"


def test_the_source_package_holds_what_its_makefile_and_its_pages_name() -> None:
    held = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    named = set(re.findall(r"requirements[\w-]*\.lock", (ROOT / "Makefile").read_text("utf-8")))
    named |= {path.partition("/")[0] for path in re.findall(r"\]\(([^)\s#:]+)", README)}
    assert {"requirements-dev.lock", "CONTRIBUTING.md"} <= named
    assert [name for name in sorted(named) if not any(fnmatch(name, pattern) for pattern in held)] == []
    assert PROJECT["project"]["authors"]
