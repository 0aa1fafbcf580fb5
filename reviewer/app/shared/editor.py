"""The prose of a report in the reader's own editor, at the section that is meant."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from reviewer.figures.report.prose_skeleton import made_if_missing, place_of_tag

if TYPE_CHECKING:
    from reviewer.app.shared.keyed_screen import KeyedScreen
    from reviewer.marks.codebook import Codebook

_AT_A_LINE = frozenset(("vi", "vim", "nvim", "nano", "pico", "emacs", "emacsclient", "micro", "kak", "joe", "ne", "mg"))
"""Editors that take a line as `+12`."""


def open_prose(screen: KeyedScreen, folder: Path, codebook: Codebook, model: str, code: str) -> None:
    """Open the prose on a model where a mode is reported; its file is made where there is none."""
    made_if_missing(folder, codebook, model)
    path, line = place_of_tag(folder, codebook, model, code)
    place = f"{path}, line {line}"
    try:
        with screen.app.suspend():
            status = subprocess.run(editor_command(path, line), check=False).returncode  # noqa: S603 -- the reader's own editor
    except SuspendNotSupported:
        screen.say(f"No editor can be opened from this terminal. The words stand in {place}.", "muted")
    except OSError as error:
        named = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
        screen.say(f"{named} cannot be started ({error.strerror}). Set EDITOR; the words stand in {place}.", "bad")
    else:
        said = f"The editor ended with {status}. The words stand in {place}." if status else f"Back from {place}."
        screen.say(said, "bad" if status else "good")


def editor_command(path: Path, line: int) -> list[str]:
    """The command that opens a file at a line in the editor of VISUAL or EDITOR, else in vi."""
    words = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "") or ["vi"]
    at = [f"+{line}"] if Path(words[0]).name in _AT_A_LINE else []
    return [*words, *at, str(path)]
