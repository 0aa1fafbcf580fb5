"""Who is reviewing: `--as`, REVIEWER_NAME, git's user.name, the login name, in this order."""

from __future__ import annotations

import getpass
import os
import shutil
import subprocess


def reviewer_name(given: str | None = None) -> str:
    """The name that goes into the journal."""
    for name in (given, os.environ.get("REVIEWER_NAME"), _from_git(), _login()):
        if name and name.strip():
            whole = name.encode("utf-8", "replace").decode()  # the system may give a name that is no text
            return " ".join(whole.split())
    return "reviewer"


def initials(name: str) -> str:
    """One to three letters for a name: `Maria Garcia` is MG, `anna` is AN."""
    parts = [part for part in name.replace("-", " ").replace(".", " ").replace("_", " ").split() if part]
    letters = parts[0][:2] if len(parts) == 1 else "".join(part[0] for part in parts[:3])
    return letters.upper() or "?"


def _from_git() -> str:
    git = shutil.which("git")
    if git is None:
        return ""
    try:
        said = subprocess.run(  # noqa: S603 - a fixed command; nothing of it comes from a file
            [git, "config", "user.name"], capture_output=True, encoding="utf-8", timeout=5, check=False
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""  # a broken git is no reason not to review: the login name comes next
    return said.stdout


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""  # a login without a name, as in some containers
