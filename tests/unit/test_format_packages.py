"""Formats of other packages: the example of the page installed and used, and packages that are spoilt."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from reviewer.transcripts.store.reader import Reader
from tests import packages
from tests.packages import ROOT, run
from tests.unmeasured import environment

PAGE = (ROOT / "docs" / "formats.md").read_text("utf-8").partition("## Another format")[2]
(MODULE,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
TURNS = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]
OWN = {"model": "kimi", "my_turns": TURNS}
CHAT = {"model": "kimi", "messages": [{"role": "user", "content": "Where is it?"}, *TURNS[1:]]}
FORMAT = """
from reviewer.imports.source import *
from reviewer.transcripts.model import *
NAME, TITLE = "{name}", "odd logs"
def mine(source):
    {mine}
def read(source):
    {read}
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder in which packages are as pip leaves them."""
    folder = tmp_path / "site"
    folder.mkdir()
    return folder


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A log of the page's format, and one of a format of ours."""
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "own.jsonl").write_text(json.dumps(OWN) + "\n")
    (folder / "chat.jsonl").write_text(json.dumps(CHAT) + "\n")
    return folder


def install(site: Path, name: str, text: str) -> None:
    packages.install(site, name, text, "reviewer.formats")


def odd(mine: str = "return 'my_turns' in source.record", read: str = "yield 4", name: str = "odd") -> str:
    return FORMAT.format(name=name, mine=mine, read=read)


def kept(store: Path) -> list[tuple[str, int]]:
    with Reader(store) as reader:
        return sorted((row.ref, row.messages) for row in reader.rows(reader.ids()))


def test_the_example_of_the_page_installed(tmp_path: Path, site: Path, logs: Path) -> None:
    assert 'my-logs = "my_logs"' in PAGE
    install(site, "my-logs", MODULE)
    ended = run(site, "import", logs, "--into", tmp_path / "runs.db", "--verbose")
    assert ended.returncode == 0, ended.stderr
    assert "own.jsonl: 1 new · my-logs · kimi" in ended.stdout
    assert "chat.jsonl: 1 new · openai-chat · kimi" in ended.stdout
    assert [messages for _, messages in kept(tmp_path / "runs.db")] == [2, 2]
    again = run(site, "import", logs / "own.jsonl", "--format", "my-logs", "--into", tmp_path / "runs.db")
    assert "0 conversations added, 1 unchanged" in again.stdout
    unknown = run(site, "import", logs, "--format", "mine", "--into", tmp_path / "runs.db")
    assert unknown.returncode == 2
    assert unknown.stderr.rstrip().endswith("openai-chat, mapped, my-logs.")


def test_a_format_of_a_package_is_asked_before_ours(tmp_path: Path, site: Path, logs: Path) -> None:
    read = "yield Extract('it', Conversation('claude', (Message('customer', 'Hi.'),)))"
    install(site, "odd", odd("return 'messages' in source.record", read))
    ended = run(site, "import", logs / "chat.jsonl", "--into", tmp_path / "runs.db")
    assert "1 new · odd · claude" in ended.stdout
    told = run(site, "import", logs / "chat.jsonl", "--format", "openai-chat", "--into", tmp_path / "told.db")
    assert "1 new · openai-chat · kimi" in told.stdout


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("import nowhere_at_all", "(ModuleNotFoundError: No module named 'nowhere_at_all')."),
        ("raise SystemExit(3)", "(SystemExit: 3)."),
        ("x = 1", "(TypeError: a format needs NAME, TITLE, mine(source) and read(source))."),
        (odd().replace("def read", "def reads"), "(TypeError: a format needs NAME, TITLE, mine(source) and read"),
        (odd(name="My Logs"), "(TypeError: the NAME of a format is of small letters, digits and hyphens"),
        ("print('\\x1b[31m')\nraise ValueError('\\x1b[31m')", "(ValueError: "),
    ],
)
def test_a_package_that_cannot_be_loaded_is_named_and_the_others_go_on(
    tmp_path: Path, site: Path, logs: Path, module: str, said: str
) -> None:
    install(site, "broken", module)
    install(site, "my-logs", MODULE)
    ended = run(site, "import", logs, "--into", tmp_path / "runs.db")
    assert ended.returncode == 0
    assert ended.stderr.count("The formats of reviewer-format-broken cannot be loaded: broken ") == 1
    assert said in ended.stderr
    assert "\x1b[31m" not in ended.stderr
    assert len(kept(tmp_path / "runs.db")) == 2


def test_a_name_that_is_taken_is_refused(tmp_path: Path, site: Path, logs: Path) -> None:
    packages.install(site, "first", odd() + "import first_again\n", "reviewer.formats")
    (site / "first_again.py").write_text(odd(name="tau-bench"))
    packages.install(site, "second", MODULE.replace('"my-logs"', '"odd"'), "reviewer.formats")
    packages.install(site, "third", odd(name="helm"), "reviewer.formats")
    ended = run(site, "import", logs / "chat.jsonl", "--into", tmp_path / "runs.db")
    assert "The format “odd” of reviewer-format-second is left out: reviewer-format-first has one" in ended.stderr
    assert "The format “helm” of reviewer-format-third is left out: this program has one of that name." in ended.stderr


@pytest.mark.parametrize(
    ("read", "said"),
    [
        ("yield 4", "TypeError: it yielded int, not an Extract, a BadRecord or a Remark"),
        ("return 4", "TypeError: 'int' object is not iterable"),
        ("yield 1 / 0", "ZeroDivisionError: "),
        ("raise RuntimeError('\\x1b[31m')", "RuntimeError: "),
        ("yield Extract('it', 'a text')", "TypeError: it yielded Extract"),
        ("yield Extract('it', Conversation('kimi', ('Hi.',)))", "TypeError: a message needs a text"),
        ("yield Extract('it', Conversation('kimi', (Message('user', 'Hi.'),)))", "TypeError: a message needs a text"),
        ("yield Extract('it', Conversation('kimi', (Message('agent', 4),)))", "TypeError: a message needs a text"),
        (
            "yield Extract('it', Conversation('kimi', (Message('agent', '', calls=(ToolCall('cancel', {}),)),)))",
            "TypeError: a call needs a name",
        ),
    ],
)
def test_a_format_that_fails_costs_its_file(tmp_path: Path, site: Path, logs: Path, read: str, said: str) -> None:
    install(site, "odd", odd(read=read))
    ended = run(site, "import", logs, "--into", tmp_path / "runs.db")
    assert ended.returncode == 1
    assert f"own.jsonl: the format odd of reviewer-format-odd failed ({said}" in ended.stdout
    assert "\x1b[31m" not in ended.stdout
    assert [messages for _, messages in kept(tmp_path / "runs.db")] == [2]


def test_a_format_that_fails_to_look_leaves_the_file_to_the_others(tmp_path: Path, site: Path, logs: Path) -> None:
    install(site, "odd", odd(mine="return source.record['turns']"))
    ended = run(site, "import", logs, "--into", tmp_path / "runs.db")
    assert ended.returncode == 1
    said = "the format odd of reviewer-format-odd failed (KeyError: 'turns')."
    assert f"chat.jsonl: {said}" in ended.stdout
    assert f"own.jsonl: {said}" in ended.stdout
    assert len(kept(tmp_path / "runs.db")) == 1


def test_packages_are_loaded_by_an_import_and_nothing_else(tmp_path: Path, site: Path, logs: Path) -> None:
    install(site, "loud", "import sys; print('LOADED', file=sys.stderr)\n" + odd())
    path = tmp_path / "runs.db"
    assert "LOADED" in run(site, "import", logs / "chat.jsonl", "--into", path).stderr
    for words in (("list", path), ("board", path), ("schema",), ("--help",), ("import", "--help")):
        assert "LOADED" not in run(site, *words).stderr
    ours = run(site, "import", logs / "chat.jsonl", "--into", path, "--format", "openai-chat")
    assert "LOADED" not in ours.stderr


@pytest.mark.parametrize(
    ("words", "modules"),
    [
        (("--help",), ""),
        (("import", "--help"), ""),
        (("import", "log.jsonl"), "interchange"),
        (("import", "chat.jsonl", "--format", "openai-chat"), "openai_chat"),
    ],
)
def test_a_command_loads_the_formats_that_it_tries(tmp_path: Path, words: tuple[str, ...], modules: str) -> None:
    line = {"model": "kimi", "messages": [{"role": "customer", "text": "Hi."}]}
    (tmp_path / "log.jsonl").write_text(json.dumps(line) + "\n")
    (tmp_path / "chat.jsonl").write_text(json.dumps(CHAT) + "\n")
    code = """
import sys
from reviewer.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code
within = "reviewer.imports.formats."
print(*sorted(name.removeprefix(within) for name in sys.modules if name.startswith(within)), file=sys.stderr)
"""
    command = [sys.executable, "-c", code, *words]
    ended = subprocess.run(command, capture_output=True, text=True, env=environment(), cwd=tmp_path, check=True)
    assert ended.stderr.splitlines()[-1] == modules
