"""What it takes to play a desk, whichever it is: what its tools mean, how they answer, its cases, its own prompts.

Runs, tasks, estimates and forks know a desk by its kit alone. Northline's is made of its own code, any other desk's of
its folder. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from reviewer.basics.errors import DeskError
from reviewer.basics.resources import data_dir
from reviewer.benchmark.desks import desk_folder
from reviewer.benchmark.northline import desk_tools
from reviewer.benchmark.northline.cases import cases
from reviewer.transcripts import desk
from reviewer.transcripts.desk import Desk
from reviewer.transcripts.model import Case

NORTHLINE = "northline"
"""The desk that is played where none is named."""


class PlayedCase(Protocol):
    """A case that can be played: its facts, and how its customer writes."""

    @property
    def id(self) -> str:
        """The case's name."""

    @property
    def facts(self) -> Case:
        """What is known of it."""

    @property
    def style(self) -> str:
        """How the customer writes: a style of `styles.toml`, or words."""


@dataclass(frozen=True, slots=True, eq=False)
class DeskKit:
    """A desk that can be played."""

    desk: Desk
    schemas: tuple[Mapping[str, Any], ...]
    """Its tools, as a model is told of them."""
    answered: Callable[[str, Mapping[str, Any]], str]
    """What a tool of that name answers."""
    cases: tuple[PlayedCase, ...]
    prompts: Path
    """The folder of the prompts that are its own."""
    digests: Mapping[str, str] = field(default_factory=dict)
    """What its tools answer from, by file."""

    @property
    def name(self) -> str:
        """The desk's name."""
        return self.desk.name


_KITS: dict[str, DeskKit] = {}


def kit(name_or_path: str = NORTHLINE) -> DeskKit:
    """The kit of a shipped desk or of one in a folder, by name too once it was read."""
    if name_or_path in _KITS:
        return _KITS[name_or_path]
    made = northline() if name_or_path == NORTHLINE else _of_folder(name_or_path)
    _KITS[made.name] = made
    return made


def kit_for(name: str) -> DeskKit:
    """The kit for a desk that a store keeps by its name alone; refused where that does not say where it is."""
    if name in _KITS or name in (NORTHLINE, *desk_folder.playable()):
        return kit(name)
    raise DeskError(
        f"The tools of the desk {name} cannot be called: nothing here says how they answer.",
        "Name its folder with --desk DIR; or, if it is another desk after all: reviewer attach STORE NAME --as desk",
    )


@cache
def northline() -> DeskKit:
    """Northline's kit."""
    return DeskKit(
        desk.load(NORTHLINE),
        desk_tools.SCHEMAS,
        lambda name, arguments: desk_tools.answered(name, arguments).result,
        cases(),
        data_dir() / NORTHLINE / "prompts",
    )


def _of_folder(name_or_path: str) -> DeskKit:
    read = desk_folder.load(name_or_path)
    schemas = tuple(tool.schema for tool in read.tools)
    return DeskKit(read.desk, schemas, read.answered, read.cases, read.path / "prompts", read.digests)
