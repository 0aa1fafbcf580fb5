"""TOML that somebody wrote: what is wrong is said with its line, and what a parser cannot bound is not given to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from reviewer.app.keys import keymap
from reviewer.basics import toml
from reviewer.basics.errors import DeskError, JournalError, ReviewerError, SourceError
from reviewer.benchmark.desks.folder_files import FolderFiles
from reviewer.benchmark.live import cut_cases
from reviewer.benchmark.northline import cases as sample_cases
from reviewer.benchmark.northline import lines
from reviewer.figures.report.prose_front import front_matter
from reviewer.imports import attachment_rows
from reviewer.imports.maps import mapkeys
from reviewer.marks import codebook, codebook_text
from reviewer.transcripts import desk, prices
from reviewer.transcripts.desk import change

MANY = "a" + ".a" * toml.PARTS
DEEP = "a = " + "[" * 100 + "]" * 100
WRONG = {
    "a key of many parts": (f"b = 1\n{MANY} = 1", "a key has more than 64 parts (at line 2)"),
    "a header of many parts": (f"[{MANY}]", "a key has more than 64 parts (at line 1)"),
    "many quoted parts": ("\"a 'b\" . 'c' . " * 40 + "d = 1", "a key has more than 64 parts (at line 1)"),
    "lists in lists": (DEEP, "it is nested too deeply"),
    "very deep lists": ("a = " + "[" * 100_000, "it is nested too deeply"),
    "deep tables": ("a = " + "{a=" * 70 + "1" + "}" * 70, "it is nested too deeply"),
    "many digits": ("a = " + "1" * 5_000, "a number has thousands of digits"),
    "no value": ("b = 1\na = \n", "Invalid value (at line 2, column 5)"),
    "cut off": ('b = 1\na = "', "Unterminated string (at line 2)"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_with_its_line(name: str) -> None:
    text, said = WRONG[name]
    with pytest.raises(toml.NotTomlError) as raised:
        toml.table_of(text)
    assert str(raised.value) == said
    assert raised.value.line == (int(said.rpartition("line ")[2].split(",")[0].rstrip(")")) if "line" in said else None)


def test_what_people_write_is_read() -> None:
    parts = "a" + ".a" * (toml.PARTS - 2)
    dots = "." * 500 + " 1.2.3.4 " * 80 + "e.g. this, i.e. that. " * 80
    table = toml.table_of(f'{parts} = 1\nb = [[1], {{c = "x"}}]\nd = """\n{dots}\n"""\n')
    assert table["b"] == [[1], {"c": "x"}]
    assert table["d"] == f"{dots}\n"


def _mistakes(path: Path) -> None:
    files = FolderFiles(path.parent)
    files.table(path)
    raise DeskError("; ".join(f"{each.place}: {each.reason}" for each in files.mistakes))


def _troubles(path: Path) -> None:
    raise ReviewerError("; ".join(each.said for each in front_matter(path.read_text().split("\n"))[1]))


READERS: dict[str, tuple[Callable[[Path], object], type[ReviewerError]]] = {
    "a codebook": (lambda path: codebook.parse(path.read_text(), str(path)), JournalError),
    "a desk": (lambda path: desk.parse(path.read_text(), str(path)), DeskError),
    "a desk's folder": (_mistakes, DeskError),
    "keys": (keymap.load, keymap.KeysError),
    "prices": (prices.price_list, SourceError),
    "a map": (lambda path: mapkeys.parse(path.read_text(), str(path)), SourceError),
    "rows to attach": (lambda path: list(attachment_rows.rows(path, "cases")), SourceError),
    "cases that go on": (cut_cases.cases_in, SourceError),
    "prose": (_troubles, ReviewerError),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("reader", READERS)
def test_whoever_reads_it_says_it_in_a_sentence(reader: str, name: str, tmp_path: Path) -> None:
    read, error = READERS[reader]
    path = tmp_path / "x.toml"
    path.write_text(WRONG[name][0])
    with pytest.raises(error) as raised:
        read(path)
    reason = WRONG[name][1].partition(" (at")[0]
    assert reason in str(raised.value)


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("read", [sample_cases.family_cases, lines.table])
def test_so_do_the_files_of_the_sample(
    read: Callable[[Path], object], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (sample_cases, lines):
        monkeypatch.setattr(module, "data_dir", lambda: tmp_path)
    path = tmp_path / "northline" / "cases" / "x.toml"
    path.parent.mkdir(parents=True)
    path.write_text(WRONG[name][0])
    with pytest.raises(SourceError, match="cannot be read"):
        read(path)


def test_only_a_person_edits_what_would_take_a_machine_too_long() -> None:
    dotted = "".join(f'x.x{number} = "read"\n' for number in range(toml.DOTTED_EDITED + 1))
    assert toml.document_of(dotted) is None
    assert toml.document_of(f"[t]\n{dotted.partition(chr(10))[2]}") is not None
    assert toml.document_of("#" * (toml.LONGEST_EDITED + 1)) is None
    tools = "".join(f'x{number}.class = "read"\n' for number in range(toml.DOTTED_EDITED + 1))
    with pytest.raises(DeskError, match="only a person"):
        change.classed(f'name = "d"\n[tools]\n{tools}', "x7", "cancel", "d")
    modes = f'[modes.a]\ntitle = "A"\ndefinition = "{"b" * toml.LONGEST_EDITED}"\n'
    with pytest.raises(JournalError, match="cannot be found"):
        codebook_text.retire(modes, "codebook.toml", "a")
