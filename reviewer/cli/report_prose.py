"""A reviewer's own words in reports, as `reviewer report` has them: begun, checked, printed while they are written."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from reviewer.cli.output import clear_screen, say

if TYPE_CHECKING:
    from reviewer.figures.report.blocks import ProseTrouble, WrittenPage
    from reviewer.figures.report.material import MarkFolder
    from reviewer.figures.report.prose_file import ProseFile

_EVERY = 0.25
"""Seconds between two looks at a file."""


def say_troubles(written: WrittenPage, path: Path, check: str) -> bool:
    """Print which parts of the reviewer's words cannot be printed as meant; False if there are any."""
    errors = [each for each in written.troubles if each.kind == "error"]
    for each in errors:
        say(f"reviewer: {_placed(path, each)}", err=True)
    stale = len(written.troubles) - len(errors)
    if stale:
        say(f"{stale} more in {path.name} to be seen to: {check}", err=True)
    return not errors


def _placed(path: Path, trouble: ProseTrouble) -> str:
    return f"{path}, line {trouble.line}: {trouble.said}"


def say_check(written: WrittenPage, prose: ProseFile | None, marks: MarkFolder, path: Path, model: str | None) -> int:
    """Say what is to be seen to; the exit code: 2 for what cannot be printed, 1 for what is stale."""
    from reviewer.figures.report.prose_check import check_lines, prose_check

    if prose is None:
        say(f"There is no {path} yet; --init makes it.")
    shown = {ref: state for ref, state in marks.briefs.items() if model is None or _is_of(ref, model)}
    codes = {old: mode.code for mode in marks.codebook.modes for old in mode.was}
    check = prose_check(written, prose, shown, codes)
    for line in check_lines(check, str(path) if prose is not None else ""):
        say(line)
    if any(each.kind == "error" for each in check.troubles):
        return 2
    return 0 if check.clean else 1


def _is_of(ref: str, model: str) -> bool:
    from urllib.parse import unquote

    return unquote(ref.partition("/")[0]) == model


def watch(path: Path, show: Callable[[], object]) -> None:
    """Show something now and whenever a file was saved, until somebody ends it with Ctrl-C."""
    from reviewer.basics.errors import ReviewerError
    from reviewer.figures.report.prose_file import versions

    try:
        for at, _ in enumerate(versions(path, lambda: time.sleep(_EVERY))):
            if at:
                clear_screen()
            try:
                show()
            except ReviewerError as error:
                if not at:
                    raise
                say(f"reviewer: {error}", err=True)
            say(f"Printed; watching {path}. Ctrl-C ends it.", err=True)
    except KeyboardInterrupt:
        say("Stopped watching.", err=True)
