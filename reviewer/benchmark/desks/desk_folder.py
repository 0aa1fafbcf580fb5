"""A desk's folder as one value: what it means, its tools, its records, its cases; and every mistake in it.

    desk.toml    what the tools mean, the day, where the policy stands
    policy.md    what the agent is told to keep to
    tools.toml   the tools, and how each is answered
    records/     the world, a file a table
    cases/       the cases, a file a family or as one likes
    prompts/     where a prompt is to be another than the shipped one

Files that are read are those of the folder itself: a link or a path that leads elsewhere is refused.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from reviewer.basics.errors import DeskError
from reviewer.basics.resources import data_dir
from reviewer.basics.shell import shell_word
from reviewer.benchmark.desks import tool_answers
from reviewer.benchmark.desks.case_files import CaseGround, FolderCase, cases_in
from reviewer.benchmark.desks.folder_files import FolderFiles, Mistake
from reviewer.benchmark.desks.tool_answers import PlayedTool, Records
from reviewer.benchmark.desks.tool_file import FILE, tools_in
from reviewer.benchmark.desks.world_files import records_in
from reviewer.transcripts import desk
from reviewer.transcripts.desk import Desk

NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""What a desk that is played may be called."""
_DIGITS = 12


class DeskFolder(NamedTuple):
    """A desk that can be played, as its folder has it."""

    path: Path
    desk: Desk
    tools: tuple[PlayedTool, ...]
    records: Records
    cases: tuple[FolderCase, ...]
    digests: Mapping[str, str]
    """The first digits of the SHA-256 of what the tools answer from, by file."""

    def answered(self, name: str, arguments: Mapping[str, Any]) -> str:
        """What a tool answers."""
        tool = next((each for each in self.tools if each.name == name), None)
        if tool is None:
            return tool_answers.compact({"error": "unknown_tool", "message": f"There is no tool {name}."})
        return tool_answers.answered(tool, arguments, self.records, self.desk.clock or "")


def playable() -> list[str]:
    """Names of the shipped desks that are folders to be played."""
    return sorted(path.parent.name for path in data_dir().glob(f"*/{FILE}"))


def load(name_or_path: str) -> DeskFolder:
    """The shipped desk of that name, else the one in that folder; the first mistake in it is raised."""
    folder = _folder(name_or_path)
    read, mistakes = checked(folder)
    if read is None:
        first = mistakes[0].error
        if len(mistakes) > 1:
            first.hint = f"{first.hint} All {len(mistakes):,} mistakes: reviewer desk --check {shell_word(folder)}"
        raise first
    return read


def checked(folder: Path) -> tuple[DeskFolder | None, list[Mistake]]:
    """The desk in a folder, or every mistake that keeps it from being played."""
    files = FolderFiles(folder)
    classed = _desk(files)
    records = records_in(files)
    tools = tools_in(files, records)
    if classed is None:
        return None, files.mistakes
    if not files.mistakes:
        _classes(files, classed, tools)
    if files.mistakes:  # what cases name would only be missed because of these
        return None, files.mistakes
    cases = cases_in(files, CaseGround(classed, tools, records))
    if files.mistakes:
        return None, files.mistakes
    paths = [folder / "desk.toml", folder / FILE, *files.several("records")]
    digests = {str(path.relative_to(folder)): _digest(path) for path in paths}
    return DeskFolder(folder, classed, tools, records, cases, digests), []


def _folder(name_or_path: str) -> Path:
    if name_or_path in playable():
        return data_dir() / name_or_path
    path = Path(name_or_path)
    if name_or_path in desk.shipped() and not path.is_dir():
        raise DeskError(
            f"The desk {name_or_path} says what tools mean, and has none to be called: it cannot be played.",
            f"Name northline, {', '.join(playable())}, or a folder of your own; see docs/desks.md.",
        )
    if path.name == "desk.toml":
        path = path.parent
    if not path.is_dir():
        raise DeskError(
            f"There is no desk “{name_or_path}”.",
            f"Name northline, {', '.join(playable())}, or a folder: reviewer desk --new NAME begins one.",
        )
    return path


def _desk(files: FolderFiles) -> Desk | None:
    """What the tools mean, as far as it can be played; None, and the mistake, where it cannot."""
    path = files.folder / "desk.toml"
    if files.text(path) is None:
        return None
    try:
        read = desk.load(str(path))
    except DeskError as error:
        place, _, reason = error.message.partition(": ")
        files.wrong(place, reason.rstrip("."), error.hint)
        return None
    where = str(path)
    if not NAME.fullmatch(read.name):
        files.wrong(where, f"a desk that is played cannot be called “{read.name}”", "Small letters, digits, hyphens.")
    elif read.name in desk.shipped() and files.folder.resolve() != (data_dir() / read.name).resolve():
        files.wrong(where, f"“{read.name}” is a desk that comes with the program", "Give it a name of its own.")
    if not _is_day(read.clock or ""):
        files.wrong(where, "it has no day", 'clock = "2026-09-14": what agents and tools take for today.')
    if not read.policy.strip():
        files.wrong(where, "it has no policy", 'policy_file = "policy.md", and the policy in that file.')
    return read


def _is_day(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False


def _classes(files: FolderFiles, classed: Desk, tools: tuple[PlayedTool, ...]) -> None:
    """Every tool that can be called has a meaning, and every meaning a tool and its argument."""
    where, by_name = str(files.folder / "desk.toml"), {tool.name: tool for tool in tools}
    for name in by_name:
        if name not in classed.tools:
            hint = f'Add it to [tools]: {name} = {{ class = "read" }}, or the kind of act it is.'
            files.wrong(where, f"it does not say what the tool “{name}” is", hint)
    for name, meant in classed.tools.items():
        if name not in by_name:
            files.wrong(where, f"it names the tool “{name}”, which {FILE} does not have", f"Write it into {FILE}.")
        elif meant.order is not None and meant.order not in by_name[name].arguments:
            hint = f"Its arguments: {', '.join(by_name[name].arguments)}."
            files.wrong(where, f"the tool “{name}” has no argument “{meant.order}” that names an order", hint)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:_DIGITS]
