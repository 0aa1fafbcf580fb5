"""Reads of other packages: the skeleton, the example of the page installed and run, and packages that are spoilt."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from reviewer.basics.errors import ReviewerError
from reviewer.findings.read_skeleton import made
from tests import packages
from tests.builders import agent, conversation, customer, store
from tests.packages import run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reads.md").read_text("utf-8").partition("## Write one of your own")[2]
FINE = """
from reviewer.findings.reads import Read
def look(it):
    \"\"\"Fire on whatever is said.\"\"\"
    for turn in it.agents:
        {body}
READ = Read("{name}", look)
"""
SAID = "yield Suggestion(it.at(turn.number), (), 'it speaks', False)"
ANSWER = "It is on its way to you."


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder in which packages are as pip leaves them."""
    folder = tmp_path / "site"
    folder.mkdir()
    return folder


def install(site: Path, name: str, text: str) -> None:
    packages.install(site, name, text, "reviewer.reads", "{module}:READ")


def fine(name: str, body: str = SAID) -> str:
    return "from reviewer.findings.reads.dossier import Suggestion\n" + FINE.format(name=name, body=body)


def must_pass(folder: Path) -> None:
    """Run a package's own tests, as the page says."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder.name]
    ended = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder.parent, check=False)
    assert ended.returncode == 0, ended.stdout
    assert "2 passed" in ended.stdout


def repeating(folder: Path) -> Path:
    said = (agent(ANSWER), customer("When does it come?"), agent(ANSWER))
    return store(folder, conversation(*said, case="a-1"), conversation(customer("Hi."), agent("Hello!"), case="b-1"))


def test_the_skeleton_has_a_test_that_passes(tmp_path: Path, site: Path) -> None:
    said = run(site, "reads", "--new", "rude-reply", "-o", tmp_path / "own")
    assert (said.returncode, said.stderr) == (0, "")
    assert [path.name for path in sorted((tmp_path / "own").iterdir())] == [
        "pyproject.toml",
        "rude_reply.py",
        "test_rude_reply.py",
    ]
    must_pass(tmp_path / "own")


def test_the_example_of_the_page(tmp_path: Path, site: Path) -> None:
    folder = tmp_path / "repeats-itself"
    made("repeats-itself", folder)
    module, test = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (folder / "repeats_itself.py").write_text(module)
    (folder / "test_repeats_itself.py").write_text(test)
    must_pass(folder)
    project = tomllib.loads((folder / "pyproject.toml").read_text())
    ((name, value),) = project["project"]["entry-points"]["reviewer.reads"].items()
    assert f'`{name} = "{value}"`' in PAGE
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    subprocess.run(build, capture_output=True, cwd=folder, check=True)
    (wheel,) = (folder / "dist").glob("*.whl")
    with ZipFile(wheel) as packed:  # as pip lays it out
        packed.extractall(site)
    assert not (site / "test_repeats_itself.py").exists()
    path = repeating(tmp_path)
    assert run(site, "scan", path, "--read", "repeats-itself").returncode == 0
    line = "kimi/a-1/1#3  repeats-itself 1  certain: says again what #1 said\n"
    assert run(site, "findings", path, "--read", "repeats-itself").stdout == line
    assert "repeats-itself 1 (of reviewer-read-repeats-itself)" in run(site, "reads").stdout
    row = next(each for each in run(site, "reads", path).stdout.splitlines() if each.startswith(name))
    assert row.split() == ["repeats-itself", "1", "2", "1", "0", "0", "0", "-", "-"]


def test_it_runs_with_every_scan_and_in_other_processes(tmp_path: Path, site: Path) -> None:
    install(site, "speaks", fine("speaks"))
    many = (conversation(customer("Hi."), agent(f"Hello, number {n}!"), case=f"c-{n}") for n in range(301))
    path = store(tmp_path, *many)
    said = run(site, "scan", path, "--processes", "2")
    assert said.returncode == 0
    assert re.search(r"^speaks +0 certain +301 likely$", said.stdout, re.MULTILINE)
    gone = run(tmp_path, "reads", path).stdout
    assert re.search(r"^speaks +1 +- +0 +301 ", gone, re.MULTILINE), "of a package that is no longer there"


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("import nowhere_at_all", "(ModuleNotFoundError: No module named 'nowhere_at_all')."),
        ("raise SystemExit(3)", "(SystemExit: 3)."),
        ("READ = 4", "(TypeError: int is not a Read)."),
        ("x = 1", "has no attribute 'READ')."),
        (
            "from reviewer.findings.reads import Read\nREAD = Read('', len)",
            "(TypeError: a Read needs a mode and a function that",
        ),
        (
            "from reviewer.findings.reads import Read\nREAD = Read('x', None)",
            "(TypeError: a Read needs a mode and a function",
        ),
        (
            "from reviewer.findings.reads import Read\nREAD = Read('x', len, '2')",
            "(TypeError: the version of a Read is a whole",
        ),
        ("print('\\x1b[31m')\nraise ValueError('\\x1b[31m')", "(ValueError: "),
    ],
)
def test_a_package_that_cannot_be_loaded_is_named_and_the_others_go_on(
    tmp_path: Path, site: Path, module: str, said: str
) -> None:
    install(site, "broken", module)
    install(site, "speaks", fine("speaks"))
    path = repeating(tmp_path)
    ended = run(site, "scan", path, "--read", "speaks")
    assert ended.returncode == 0
    assert "The reads of reviewer-read-broken cannot be loaded: broken:READ" in ended.stderr
    assert said in ended.stderr
    assert "speaks" in ended.stdout
    unknown = run(site, "scan", path, "--read", "broken")
    assert unknown.returncode == 2
    assert "cannot be loaded" in unknown.stderr
    assert "There is no read “broken”." in unknown.stderr


def test_a_name_that_is_taken_is_refused(tmp_path: Path, site: Path) -> None:
    several = fine("speaks") + "\nREAD = [READ, Read('phantom-action', look)]"
    install(site, "first", several)
    install(site, "second", fine("speaks", "yield None"))
    path = repeating(tmp_path)
    ended = run(site, "scan", path)
    assert (
        "The read “phantom-action” of reviewer-read-first is left out: this program has one of that name."
        in ended.stderr
    )
    assert (
        "The read “speaks” of reviewer-read-second is left out: reviewer-read-first has one of that name."
        in ended.stderr
    )
    assert re.search(r"^speaks +0 certain +3 likely$", ended.stdout, re.MULTILINE)


def test_a_read_of_the_name_of_a_source_is_left_out(tmp_path: Path, site: Path) -> None:
    path = repeating(tmp_path)
    (tmp_path / "judged.jsonl").write_text('{"ref": "kimi/a-1/1#1", "mode": "warm", "by": "speaks"}')
    assert run(tmp_path, "findings", path, "--import", tmp_path / "judged.jsonl").returncode == 0
    install(site, "speaks", fine("speaks"))
    ended = run(site, "scan", path)
    assert "The read “speaks” is left out: suggestions of a source of that name were brought in." in ended.stdout
    assert len(run(site, "findings", path, "--read", "speaks").stdout.splitlines()) == 1
    again = run(site, "findings", path, "--import", tmp_path / "judged.jsonl")
    assert "“speaks” is a read of this program." in again.stderr


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("yield 4", "TypeError: it yielded int, not a Suggestion"),
        ("yield Suggestion(it.at(turn.number), (), 4, False)", "TypeError: its reason is int, not text"),
        ("yield Suggestion(it.at(99), (), 'x', False)", "RefError: "),
        ("yield Suggestion(it.at(turn.number, span=(0, 999)), (), 'x', False)", "RefError: "),
        ("yield Suggestion('x', (), 'x', False)", "AttributeError: "),
        ("yield Suggestion(it.at(turn.number), ('x',), 'x', False)", "AttributeError: "),
        ("yield Suggestion(it.at(turn.number), (), '\\ud800', False)", "UnicodeEncodeError: "),
        ("yield 1 / 0", "ZeroDivisionError: "),
    ],
)
def test_a_read_that_fails_is_named_with_the_reference(tmp_path: Path, site: Path, body: str, said: str) -> None:
    install(site, "odd", fine("odd", body))
    path = repeating(tmp_path)
    ended = run(site, "scan", path)
    assert ended.returncode == 0
    assert f"odd failed on kimi/b-1/1: {said}"[:40] in ended.stdout
    assert said in ended.stdout
    assert "2 conversations read" in ended.stdout


def test_packages_are_loaded_where_reads_are_run_and_not_before(tmp_path: Path, site: Path) -> None:
    install(site, "loud", "import sys; print('LOADED', file=sys.stderr)\n" + fine("loud"))
    path = repeating(tmp_path)
    for words in ("list", "board", "findings", "tags"):
        assert "LOADED" not in run(site, words, path).stderr
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(site)))}
    imports = "import reviewer.app.app, reviewer.app.routes, reviewer.marks.review"

    app = subprocess.run([sys.executable, "-c", imports], capture_output=True, text=True, env=environment, check=True)
    assert "LOADED" not in app.stderr
    assert "LOADED" in run(site, "scan", path).stderr


@pytest.mark.parametrize(
    "name", ["", "Rude", "rude reply", "rüde", "../x", "json", "class", "-x", "a--b", "phantom-action"]
)
def test_a_name_that_no_read_can_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ReviewerError, match=re.escape(f"“{name}”")):
        made(name, tmp_path / "own")
    assert not (tmp_path / "own").exists()


def test_nothing_that_is_there_is_overwritten(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "test_rude_reply.py").write_text("mine")
    with pytest.raises(ReviewerError, match="is there already"):
        made("rude-reply", own)
    assert [path.name for path in own.iterdir()] == ["test_rude_reply.py"]
    assert (own / "test_rude_reply.py").read_text() == "mine"
