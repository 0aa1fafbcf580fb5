"""`python -m tests.oracle FOLDER`: keep what the program prints before a redesign, and compare after each step.

The first run makes stores of the real transcripts and of the sample and tags some of their words. It keeps these
stores, the journal and everything that the program prints about them. Each later run imports the same files again and
opens the kept stores and journal with the program of that moment. It lists every output that differs in any byte.
"""

from __future__ import annotations

import difflib
import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.transcripts import TRANSCRIPTS

PROGRAM = [sys.executable, "-m", "reviewer"]
TABLES = (
    *("sources", "models", "runs", "cases", "desks", "conversations", "messages", "calls", "scores", "rejected"),
    *("updates", "totals"),
)
MOMENTS = {"import_id"}
"""Columns that only say when something was imported."""
FORMATS = ("md", "jsonl", "csv", "html", "qdpx", "conversations")


def program(*arguments: str | Path, into: Path | None = None, folder: Path) -> str:
    """What the program prints, both streams and the exit code, with this folder's name left out."""
    done = subprocess.run([*PROGRAM, *map(str, arguments)], capture_output=True, cwd=Path(__file__).parents[1])
    remarks = b"".join(line for line in done.stderr.splitlines(keepends=True) if b" left" not in line)  # no progress
    printed = done.stdout + remarks + f"exit code {done.returncode}\n".encode()
    printed = printed.replace(str(folder).encode(), b"FOLDER")
    if into is not None:
        into.write_bytes(printed)
    return printed.decode("utf-8", "replace")


def references(store: Path, *arguments: str) -> list[str]:
    """The references that `reviewer list` prints."""
    listed = program("list", store, "--json", *arguments, folder=store.parent)
    return [json.loads(line)["ref"] for line in listed.splitlines() if line.startswith("{")]


def make_stores(folder: Path, printed: Path) -> None:
    """Import the transcripts, make the sample, and run the reads over both."""
    program(
        "import", TRANSCRIPTS, "--into", folder / "transcripts.db", "--verbose", into=printed / "import", folder=folder
    )
    sample = ("sample", "--board", "-o", folder / "sample.db", "--truth", folder / "truth.jsonl")
    program(*sample, into=printed / "sample", folder=folder)
    for store in ("transcripts.db", "sample.db"):
        program("scan", folder / store, into=printed / f"scan-{store}", folder=folder)
        program("findings", folder / store, "--json", into=printed / f"findings-{store}", folder=folder)
        dump(folder / store, printed)


def tag_some(folder: Path) -> None:
    """Tag words that agents wrote in forty conversations of each store, review ten, give five a verdict."""
    for store in (folder / "transcripts.db", folder / "sample.db"):
        connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
        written = connection.execute(
            "SELECT ref, number, text FROM messages JOIN conversations ON conversations.id = conversation_id"
            " WHERE role = 'agent' AND length(text) BETWEEN 80 AND 400 GROUP BY conversation_id ORDER BY messages.id"
        ).fetchall()
        connection.close()
        for number, (reference, message, text) in enumerate(written[:: len(written) // 40]):
            author = ("--as", "ana" if number % 2 else "ben")
            code = ("invented-eta", "phantom-action", "fires-on-first-message")[number % 3]
            tag = (
                "tag",
                store,
                f"{reference}#{message}",
                code,
                "--quote",
                text[5:60].strip(),
                "--note",
                f"note {number}",
            )
            program(*tag, *author, folder=folder)
            if number < 10:
                program("reviewed", store, reference, *author, folder=folder)
            if number < 5:
                program("verdict", store, reference, "fail", *author, folder=folder)


def dump(store: Path, into: Path) -> None:
    """Write every row of a store's tables as JSON, a table a file."""
    connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    for table in TABLES:
        with (into / f"table-{store.stem}-{table}").open("w") as file:
            for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1"):
                kept = {name: row[name] for name in row.keys() if name not in MOMENTS}  # noqa: SIM118 (a row is no dict)
                file.write(json.dumps(kept, default=bytes.hex) + "\n")
    connection.close()


def print_all(folder: Path, printed: Path) -> None:
    """Print all that the program says of the stores in a folder, one output a file."""
    for store in (folder / "transcripts.db", folder / "sample.db"):
        name = store.stem

        def say(output: str, *arguments: str | Path, name: str = name) -> None:
            program(*arguments, into=printed / f"{name}-{output}", folder=folder)

        say("list", "list", store, "--json")
        say("info", "info", store)
        say("findings", "findings", store, "--json")
        say("check", "check", store)
        say("tags", "tags", store, "--json")
        say("modes", "modes", store)
        say("reads", "reads", store, "--json")
        say("search", "search", store, "policy")
        for by in ((), ("--by", "family"), ("--by", "case"), ("--by", "tier")):
            say("-".join(("board", *by)), "board", store, "--json", *by)
        say("board-text", "board", store)
        for format_ in FORMATS:
            query = ["messages:>30"] if format_ == "conversations" else []
            for masked, masks in (("", ()), ("masked-", ("--mask-models", "--mask-customers"))):
                if masks and format_ == "conversations":
                    continue
                project = ("-o", folder / f"{name}-{masked}export.qdpx") if format_ == "qdpx" else ()
                say(f"{masked}export-{format_}", "export", store, *query, "--format", format_, *masks, *project)
                if project:
                    project[1].replace(printed / project[1].name)
        models = ("gpt-4o", "grok-4-fast-reasoning") if name == "transcripts" else ("haiku-4.5", "gpt-5.4")
        for format_ in ("md", "html"):
            for model in models:
                say(f"report-{model}-{format_}", "report", store, model, "--format", format_)
            say(f"report-findings-{format_}", "report", store, "--findings", "--format", format_)
        for number, reference in enumerate(references(store)[::200]):
            say(f"show-{number}", "show", store, reference)
    for command in ([], ["help", "query"], ["help", "keys"], ["reads"], ["schema"], ["desk"]):
        program(*(command or ["--help"]), into=printed / "-".join(["words", *command]), folder=folder)


def differences(before: Path, after: Path) -> int:
    """Print which outputs differ, and the first lines that do; how many there are."""
    names = sorted({path.name for path in before.iterdir()} | {path.name for path in after.iterdir()})
    differing = 0
    for name in names:
        old, new = (folder / name for folder in (before, after))
        if old.exists() and new.exists() and old.read_bytes() == new.read_bytes():
            continue
        differing += 1
        print(f"{name} differs")
        if old.exists() and new.exists():
            lines = [path.read_bytes().decode("utf-8", "replace").splitlines() for path in (old, new)]
            for line in list(difflib.unified_diff(lines[0][:20_000], lines[1][:20_000], lineterm="", n=0))[2:8]:
                print(f"    {line[:200]}")
    print(f"{len(names) - differing} of {len(names)} outputs are the same")
    return differing


def main(kept: Path) -> int:
    """Keep what is printed, where nothing is kept yet; else compare with it. 1 when something differs."""
    if not kept.exists():
        for part in ("stores", "made", "printed"):
            (kept / part).mkdir(parents=True)
        make_stores(kept / "stores", kept / "made")
        tag_some(kept / "stores")
        print_all(kept / "stores", kept / "printed")
        print(f"kept {sum(1 for _ in kept.rglob('*'))} files in {kept}")
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for part in ("stores", "made", "printed"):
            (folder / part).mkdir()
        make_stores(folder / "stores", folder / "made")
        shutil.rmtree(folder / "stores")
        shutil.copytree(kept / "stores", folder / "stores")
        print_all(folder / "stores", folder / "printed")
        return min(1, differences(kept / "made", folder / "made") + differences(kept / "printed", folder / "printed"))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
