"""A folder of annotations under git: what two reviewers add merges, and what git cannot merge is one sentence."""

from __future__ import annotations

import itertools
import subprocess
from pathlib import Path

import pytest

from reviewer.basics.errors import JournalError
from reviewer.figures.report import prose_file
from reviewer.marks import folder, queues
from reviewer.marks.book import Book
from reviewer.marks.codebook import Mode
from reviewer.marks.review import Session
from reviewer.marks.review.modes import Modes
from tests.builders import store
from tests.forked import run

NAMES = [
    ("Late refund", "Late refunds"),
    ("aa", "zz"),
    ("Warmer", "Warmest"),
    ("Größer", "Kühl"),
    ("con", "invented-etas"),
    ("a" * 300 + "1", "a" * 300 + "2"),
]


def git(where: Path, *words: str) -> subprocess.CompletedProcess[str]:
    names = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *names, *words], cwd=where, capture_output=True, text=True, check=False)


def commit(where: Path) -> None:
    git(where, "add", "-A")
    said = git(where, "commit", "-m", "x")
    assert said.returncode == 0, said.stdout + said.stderr


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A repository with a codebook of an earlier version: modes that were added stand at its end."""
    where = tmp_path / "shared" / "annotations"
    folder.make(where, folder.SUPPORT)
    path = where / folder.FILE
    path.write_text(path.read_text("utf-8") + '\n[modes.added-before]\ntitle = "Added before"\n', "utf-8")
    git(where.parent, "init")
    commit(where.parent)
    return where.parent


def clone(shared: Path, name: str) -> Path:
    git(shared.parent, "clone", "shared", name)
    return shared.parent / name


def modes(where: Path) -> Modes:
    return Modes(where / "annotations", folder.SUPPORT)


@pytest.mark.parametrize("names", NAMES, ids=lambda names: names[0][:9])
@pytest.mark.parametrize("how", ["merge", "rebase"])
@pytest.mark.parametrize("order", [0, 1])
def test_two_reviewers_who_each_add_a_mode_merge(shared: Path, names: tuple[str, str], how: str, order: int) -> None:
    for reviewer, name in zip(("ann", "bob"), names[:: -1 if order else 1], strict=True):
        modes(clone(shared, reviewer)).add(name)
        commit(shared.parent / reviewer)
    ann = shared.parent / "ann"
    git(ann, "fetch", "../bob", "main:theirs")
    said = git(ann, how, "theirs")
    assert said.returncode == 0, said.stdout + said.stderr
    merged = modes(ann)
    assert merged.problem is None
    assert {" ".join(name.split()) for name in names} <= {mode.title for mode in merged.codebook.modes}


def test_three_reviewers_who_each_add_several_modes_merge_in_any_order(shared: Path) -> None:
    added = {"ann": ["Late refund", "Late refund b"], "bob": ["Late refund a", "aaa"], "eve": ["Late refund c", "zzz"]}
    for name, own in added.items():
        where = clone(shared, name)
        for title in own:
            modes(where).add(title)
        commit(where)
    for number, order in enumerate(itertools.permutations(added)):
        where = clone(shared, f"merge-{number}")
        for name in order:
            git(where, "fetch", f"../{name}", f"main:{name}")
            assert git(where, "merge", name).returncode == 0
        titles = {mode.title for mode in modes(where).codebook.modes}
        assert set(itertools.chain.from_iterable(added.values())) <= titles


def test_what_was_edited_meanwhile_merges_with_what_was_added(shared: Path) -> None:
    ann, bob = clone(shared, "ann"), clone(shared, "bob")
    modes(ann).add("Late refund")
    modes(bob).rename("warm", "Warmth")
    modes(bob).retire("added-before")
    for where in (ann, bob):
        commit(where)
    git(ann, "fetch", "../bob", "main:theirs")
    assert git(ann, "merge", "theirs").returncode == 0
    book = modes(ann).codebook
    assert [book.mode(code) is not None for code in ("late-refund", "warmth", "warm")] == [True, True, True]


def test_a_mode_in_a_file_of_its_own_is_edited_undone_and_redone(tmp_path: Path) -> None:
    session = Session(tmp_path, "ann", "runs.db", folder.GENERAL)
    session.recode(lambda modes: modes.add("Late refund")[1])
    own = tmp_path / "modes" / "late-refund.toml"
    before = own.read_text("utf-8")
    assert before == '[modes.late-refund]\ntitle = "Late refund"\npolarity = "failure"\n'
    main = (tmp_path / "codebook.toml").read_bytes()
    session.recode(lambda modes: modes.set("late-refund", "definition", "Too late."))
    assert (tmp_path / "codebook.toml").read_bytes() == main
    session.recode(lambda modes: modes.merge("late-refund", "gives-up"))
    assert session.codebook.mode("late-refund") == session.codebook.mode("gives-up")
    assert "# [modes.late-refund]" in own.read_text("utf-8")
    for _ in range(3):
        session.undo()
    assert (own.exists(), (tmp_path / "codebook.toml").read_bytes()) == (False, main)
    session.redo()
    assert own.read_text("utf-8") == before
    other = Modes(tmp_path, folder.GENERAL)
    own.write_text(f"{before}# by hand", "utf-8")
    assert other.stale


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[modes.gives-up]\n", "modes/x.toml, line 1: “gives-up” stands in {}/codebook.toml too."),
        ('title = "X"\n', "modes/x.toml, line 1: “title” does not belong into the file of a mode."),
        ('\n[modes.x]\nkey = "j"\n', "modes/x.toml, line 3: “j” of “x” is not a key for a mode."),
        ("[modes.x]\ntitle = \n", "modes/x.toml: Invalid value (at line 2, column 9)."),
    ],
)
def test_what_is_wrong_in_the_file_of_a_mode_names_the_file_and_the_line(
    tmp_path: Path, text: str, sentence: str
) -> None:
    folder.make(tmp_path, folder.GENERAL)
    folder.write(tmp_path / "modes" / "x.toml", text)
    with pytest.raises(JournalError) as caught:
        folder.load(tmp_path)
    assert caught.value.message == f"{tmp_path}/{sentence.format(tmp_path)}"


def conflicting(shared: Path, file: str, ours: str, theirs: str) -> tuple[Path, int]:
    """A clone in which git could not merge a file, and the line where the conflict begins."""
    for name, text in (("ann", ours), ("bob", theirs)):
        path = clone(shared, name) / "annotations" / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        commit(shared.parent / name)
    ann = shared.parent / "ann"
    git(ann, "fetch", "../bob", "main:theirs")
    assert git(ann, "merge", "theirs").returncode != 0
    lines = (ann / "annotations" / file).read_text("utf-8").splitlines()
    return ann / "annotations", next(at for at, line in enumerate(lines, start=1) if line.startswith("<<<<<<<"))


@pytest.mark.parametrize("file", ["codebook.toml", "modes/late.toml"])
def test_a_conflict_in_the_codebook_is_a_sentence_that_says_what_to_do(shared: Path, file: str) -> None:
    text = '[modes.late]\ntitle = "Late"\ndefinition = "{}"\n'
    where, line = conflicting(shared, file, text.format("One."), text.format("Two."))
    with pytest.raises(JournalError) as caught:
        folder.load(where)
    assert caught.value.message == f"{where / file}, line {line}: git could not merge two versions of this file."
    assert "delete the lines that begin with <<<<<<<" in caught.value.hint
    said = run("tag", store(where.parent), "kimi/used-item-1/1", "warm", cwd=where.parent)
    assert (said.returncode, "Traceback" in said.stderr) == (2, False)
    assert f"{file}, line {line}: git could not merge two versions of this file." in said.stderr


def test_a_conflict_in_a_journal_a_queue_or_prose_is_said(shared: Path) -> None:
    (shared / "annotations" / ".gitattributes").unlink()  # without it git does not unite the lines of journals
    commit(shared)
    event = '{{"id":"{}","at":"t","by":"ann","do":"verdict","ref":"m/c/1","verdict":"pass"}}\n'
    where, line = conflicting(shared, "ann.jsonl", event.format(1), event.format(2))
    told = [str(trouble) for trouble in Book(where).troubles()]
    assert told[0].startswith(f"ann.jsonl, line {line}: git could not merge two versions of this file;")
    assert "delete the lines that begin with <<<<<<<" in told[0]
    assert len(Book(where).ledger.events("m/c/1")) == 2
    marked = "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n"
    folder.write(where / "queues" / "a.jsonl", '{"queue":"a"}\n' + marked.format('{"ref":"m/c/1"}', '{"ref":"m/c/2"}'))
    queue = queues.load(where, "a")
    assert len(queue.refs) == 2
    assert queue.trouble.startswith("a.jsonl, line 2: git could not merge two versions of this file.")
    path = where / "reports" / "m.md"
    folder.write(path, "## A\n\n" + marked.format("one", "two"))
    prose = prose_file.read(path)
    assert prose is not None
    assert [trouble.line for trouble in prose.troubles] == [3]


def test_a_new_mode_keeps_what_is_said_of_it(tmp_path: Path) -> None:
    made = Modes(tmp_path, folder.SUPPORT)
    mode, _ = made.add("Says “x” = [1]\t# no", Mode("", "", layer="message", sections=("6",), polarity="neutral"))
    assert Modes(tmp_path, folder.SUPPORT).codebook.mode(mode.code) == mode
