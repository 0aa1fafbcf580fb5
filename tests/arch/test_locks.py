"""The locks hold what pyproject.toml asks for: every library, and for the floor the very lowest version of it."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import distributions

import pytest

from tests.arch.code_base import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
RUN = PROJECT["project"]["dependencies"]
LIVE = PROJECT["project"]["optional-dependencies"]["run"]
DEV = PROJECT["dependency-groups"]["dev"]


def _asked(requirements: list[str]) -> dict[str, str]:
    """Name to the lowest version that is allowed."""
    pairs = (re.match(r"([\w.-]+)[>=]=([\d.]+)", each) for each in requirements)
    return {_plain(pair[1]): pair[2] for pair in pairs if pair}


def _locked(lock: str) -> dict[str, str]:
    lines = re.findall(r"^([\w.-]+)(?:\[[\w.,-]+\])?==([^\s;]+)", (ROOT / lock).read_text("utf-8"), re.MULTILINE)
    return {_plain(name): version for name, version in lines}


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _numbers(version: str) -> list[int]:
    """`3.0` and `3` are one version."""
    numbers = [int(each) for each in re.findall(r"\d+", version)]
    while numbers and not numbers[-1]:
        numbers.pop()
    return numbers


@pytest.mark.parametrize(
    ("lock", "requirements"),
    [
        ("requirements.lock", RUN),
        ("requirements-dev.lock", RUN + DEV),
        ("requirements-floor.lock", RUN + DEV),
        ("requirements-inspect.lock", RUN + LIVE),
    ],
)
def test_every_library_is_locked(lock: str, requirements: list[str]) -> None:
    assert len(_asked(requirements)) == len(requirements)
    assert not _asked(requirements).keys() - _locked(lock).keys(), (
        f"run `make lock`: {lock} is older than pyproject.toml"
    )


@pytest.mark.parametrize("lock", sorted(path.name for path in ROOT.glob("requirements*.lock")))
def test_what_a_library_asks_for_with_an_extra_is_locked_with_it(lock: str) -> None:
    """Without it some versions of pip take the newest there is for what is asked so, and refuse it for its hash."""
    text = (ROOT / lock).read_text("utf-8")
    asked = {
        (_plain(told[1]), told[2])
        for library in distributions()
        if _plain(library.name) in _locked(lock)
        for each in library.requires or ()
        if "extra ==" not in each and (told := re.match(r"([\w.-]+)\[([\w-]+)\]", each))
    }
    assert asked
    locked = {(_plain(name), extra) for name, extras in re.findall(r"^([\w.-]+)\[(.+)\]==", text, re.MULTILINE)
              for extra in extras.split(",")}  # fmt: skip
    assert not asked - locked, "make lock keeps extras"


def test_the_floor_is_the_lowest_version_of_each() -> None:
    locked = _locked("requirements-floor.lock")
    higher = {
        name: (least, locked[name])
        for name, least in _asked(RUN + DEV).items()
        if _numbers(locked[name])[: len(_numbers(least))] != _numbers(least)
    }
    assert not higher
