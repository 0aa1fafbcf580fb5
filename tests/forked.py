"""The real program in a process of its own, forked from one that has loaded it: loading takes longer than most tests.

Run as a program, this module is the process that forks. It reads a request a line, and answers with an exit code.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import subprocess
import sys
import tempfile
import types
from functools import cache
from pathlib import Path
from typing import Any

_APART = ("reviewer.app", "reviewer.benchmark.live", "reviewer.benchmark.cuts", "reviewer.__main__", "reviewer._data")
"""What few commands load, and what asks for an extra."""


def run(*words: str | Path, cwd: Path | None = None, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run the program with these words and this process's environment, without a terminal; a text comes by a pipe."""
    arguments = [str(word) for word in words]
    server = _server(os.getpid())  # a fork of this process starts one of its own
    assert server.stdin is not None
    assert server.stdout is not None
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder) / "out", Path(folder) / "err"
        request = {"words": arguments, "cwd": str(cwd or Path.cwd()), "out": str(out), "err": str(err), "text": text}
        server.stdin.write(json.dumps({**request, "env": dict(os.environ)}) + "\n")
        server.stdin.flush()
        status = int(server.stdout.readline())
        return subprocess.CompletedProcess(arguments, status, out.read_text("utf-8"), err.read_text("utf-8"))


@cache
def _server(_: int) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}  # what a test adds is for its own fork
    server = subprocess.Popen(
        [sys.executable, "-P", __file__], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )
    atexit.register(server.communicate)  # closes its input, and waits for it
    return server


def _serve() -> None:
    """Fork for each request; a fork leaves this function and goes on as the program."""
    _load()
    answers = os.dup(1)
    for line in iter(sys.stdin.readline, ""):
        request = json.loads(line)
        child = os.fork()
        if not child:
            os.close(answers)
            _become(request)
            return
        _, status = os.waitpid(child, 0)
        os.write(answers, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def _load() -> None:
    import reviewer

    for module in pkgutil.walk_packages(reviewer.__path__, "reviewer.", onerror=lambda _: None):
        if not module.name.startswith(_APART):
            importlib.import_module(module.name)
    importlib.import_module("sqlite_utils")
    gc.collect()
    gc.freeze()  # looking for garbage would copy all of it into each fork


def _become(request: dict[str, Any]) -> None:
    """Take on the channels, the folder, the environment, its path of modules and the words of a request."""
    new = os.O_WRONLY | os.O_CREAT
    for number, path, flags in ((0, os.devnull, os.O_RDONLY), (1, request["out"], new), (2, request["err"], new)):
        channel = os.open(path, flags)
        os.dup2(channel, number)
        os.close(channel)
    if request["text"]:
        reading, writing = os.pipe()
        if not os.fork():
            os.close(reading)
            os.write(writing, request["text"].encode())
            os._exit(0)
        os.dup2(reading, 0)
        os.close(reading)
        os.close(writing)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.path[:0] = [folder for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    sys.argv = ["-c", *request["words"]]
    sys.modules["__main__"] = types.ModuleType("__main__")  # what it starts in turn does not load this module


if __name__ == "__main__":
    _serve()
    from reviewer.cli import main

    try:
        main()
    except SystemExit as stop:
        status = stop.code
    sys.stdout.flush()
    sys.stderr.flush()
    atexit._run_exitfuncs()
    os._exit(status if isinstance(status, int) else 0)  # to take all apart that was loaded takes as long as to load it
