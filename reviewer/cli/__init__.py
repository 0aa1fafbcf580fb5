"""The commands: arguments in, one call, words out.

Owns what is typed and printed in a shell. It must not decide anything that another room could decide, and must not
import a heavy library outside a function: `--help` loads the modules of all commands.
Read first: `program`, `output`, `queries`.
"""

from __future__ import annotations

import gc
import io
import sys
from typing import NamedTuple


class Command(NamedTuple):
    """The place of a command: its module under `reviewer.cli`, its function, whether it takes a query."""

    module: str
    function: str
    queries: bool = False


# In the order of `reviewer --help`, which prints groups last.
COMMANDS = {
    "open": Command("open", "open_", True),
    "import": Command("import_command", "import_"),
    "map": Command("map_command", "map_"),
    "schema": Command("import_command", "schema"),
    "info": Command("list_command", "info"),
    "list": Command("list_command", "list_", True),
    "show": Command("list_command", "show"),
    "board": Command("board_command", "board", True),
    "run": Command("run_command", "run"),
    "judge": Command("judge_command", "judge", True),
    "ask": Command("ask_command", "ask", True),
    "fork": Command("fork_command", "fork", True),
    "cases": Command("cases_command", "cases", True),
    "sample": Command("sample", "sample"),
    "search": Command("search", "search", True),
    "help": Command("help", "help_"),
    "attach": Command("attach_command", "attach"),
    "desk": Command("desk_command", "desk"),
    "remove": Command("attach_command", "remove", True),
    "imports": Command("attach_command", "imports"),
    "upgrade": Command("upkeep", "upgrade"),
    "init": Command("codebook_command", "init"),
    "tag": Command("tags", "tag"),
    "untag": Command("tags", "untag"),
    "tags": Command("tags", "tags", True),
    "verdict": Command("tags", "verdict"),
    "reviewed": Command("tags", "reviewed"),
    "check": Command("check", "check"),
    "scan": Command("findings_command", "scan", True),
    "findings": Command("findings_command", "findings", True),
    "reads": Command("findings_command", "reads_"),
    "export": Command("export", "export", True),
    "report": Command("report_command", "report"),
    "modes": Command("report_command", "modes", True),
    "codebook": Command("codebook_command", "app"),
}


def main() -> None:
    """Run the program; what a person should read goes to stderr as one sentence, never as a traceback."""
    gc.disable()  # nothing is garbage while a program loads
    _write_utf8()
    from reviewer.cli.program import run

    gc.freeze()
    gc.enable()
    sys.exit(run())


def _write_utf8() -> None:
    """Write to files and pipes in UTF-8, whatever the locale; on a terminal, replace what it cannot show."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a closed channel is None
            if stream.isatty():
                stream.reconfigure(errors="replace")
            else:
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")
