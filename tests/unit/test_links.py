"""Symbolic links: refused in an annotations folder, not followed out of an imported one, free where one is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewer.basics.errors import JournalError, SourceError
from reviewer.figures.report.prose_file import prose_path, read
from reviewer.figures.report.prose_skeleton import made, made_if_missing
from reviewer.imports.conversation_names import Wishes
from reviewer.imports.importer import import_files
from reviewer.marks import folder, queues
from reviewer.marks.codebook_files import FOLDER as MODES
from reviewer.marks.queues import Queue
from reviewer.marks.review import Session
from tests import builders
from tests.forked import run
from tests.property.test_export_laws import write

QUEUE = Queue("week", ("kimi/used-item-1/1",))


def codebook(where: Path) -> object:
    return folder.load(where)


def edited(where: Path) -> object:
    folder.edit(where, lambda text, _: f"{text}\n# more\n")
    return None


def loaded(where: Path) -> object:
    return queues.load(where, "week")


def named(where: Path) -> object:
    return queues.by_name(where)


def saved(where: Path) -> object:
    return queues.save(where, QUEUE)


def prose(where: Path) -> object:
    return read(prose_path(where, "m"))


def begun(where: Path) -> object:
    return made(where, "m", ())


def opened(where: Path) -> object:
    return made_if_missing(where, folder.load(where), "m")


def findings(where: Path) -> object:
    return read(prose_path(where, None))


USES = [
    ("codebook.toml", codebook), ("codebook.toml", edited), ("codebook.toml", folder.make),
    (".gitattributes", folder.make),
    (f"{MODES}/odd.toml", codebook), (f"{MODES}/odd.toml", edited), (MODES, codebook), ("queues/week.jsonl", loaded),
    ("queues/week.jsonl", named), ("queues/week.jsonl", saved), ("queues", loaded), ("queues", named),
    ("queues", saved),
    ("reports/m.md", prose), ("reports/m.md", begun), ("reports/m.md", opened), ("reports", prose), ("reports", begun),
    ("findings.md", findings),
]  # fmt: skip


@pytest.fixture
def marks(tmp_path: Path) -> Path:
    """A folder with a file of every kind."""
    where = tmp_path / "annotations"
    folder.make(where)
    (where / MODES).mkdir()
    (where / MODES / "odd.toml").write_text("[modes.odd]\ntitle = 'Odd'\n", "utf-8")
    saved(where)
    begun(where)
    (where / "findings.md").write_text("words", "utf-8")
    return where


@pytest.mark.parametrize(("name", "use"), USES, ids=[f"{name}-{use.__name__}" for name, use in USES])
@pytest.mark.parametrize("dangling", [False, True])
def test_a_link_in_an_annotations_folder_is_refused(
    name: str, use: Callable[[Path], object], dangling: bool, marks: Path, tmp_path: Path
) -> None:
    away = tmp_path / "away"
    (marks / name).rename(away)
    (marks / name).symlink_to(tmp_path / "nowhere" if dangling else away)
    before = away.read_bytes() if away.is_file() else sorted(away.iterdir())
    with pytest.raises(JournalError, match="is a link, and an annotations folder holds plain files") as raised:
        use(marks)
    assert str(marks / name) in raised.value.message
    assert (away.read_bytes() if away.is_file() else sorted(away.iterdir())) == before
    assert not (tmp_path / "nowhere").exists()


def test_the_folder_and_the_store_may_be_links(marks: Path, tmp_path: Path) -> None:
    (tmp_path / "linked").symlink_to(marks)
    (tmp_path / "up").symlink_to(tmp_path)
    for where in (tmp_path / "linked", tmp_path / "up" / "annotations", tmp_path / "up" / "linked"):
        assert [use(where) is not None for use in (codebook, loaded, prose, findings)] == [True] * 4
        session = Session(where, "ann", "runs.db")
        session.tag(builders.stored(), "odd")
        assert session.book.troubles() == []
    (tmp_path / "real").mkdir()
    builders.store(tmp_path / "real")
    (tmp_path / "runs.db").symlink_to(tmp_path / "real" / "runs.db")
    assert run("list", tmp_path / "runs.db").stdout.count("kimi/used-item-1/1") == 1


def test_a_command_names_the_link_and_what_to_do(marks: Path, tmp_path: Path) -> None:
    builders.store(tmp_path)
    (marks / "reports" / "m.md").rename(tmp_path / "m.md")
    (marks / "reports" / "kimi.md").symlink_to(tmp_path / "m.md")
    ended = run("report", "runs.db", "kimi", cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        f"reviewer: {marks}/reports/kimi.md is a link, and an annotations folder holds plain files and folders."
        "\n  Put there what it leads to.\n"
    )


# -- imports -----------------------------------------------------------------------------------------------------------


def log(path: Path, case: str) -> None:
    """A log with one conversation."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, [builders.stored(builders.customer(f"About {case}."), case=case)])


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder with a log, links that stay in it, and links that lead out of it."""
    logs, away = tmp_path / "logs", tmp_path / "away"
    for path, case in ((logs / "a.jsonl", "a"), (logs / "z" / "b.jsonl", "b"), (away / "c.jsonl", "c"),
                       (away / "deep" / "d.jsonl", "d"), (tmp_path / "lone.jsonl", "e")):  # fmt: skip
        log(path, case)
    (logs / "again.jsonl").symlink_to("z/b.jsonl")
    (logs / "inner").symlink_to("z")
    (logs / "notes.md").symlink_to(tmp_path / "nowhere")
    (logs / "lone.jsonl").symlink_to(tmp_path / "lone.jsonl")
    (logs / "outer").symlink_to(away)
    (away / "round").symlink_to(away)
    (away / "back").symlink_to(logs)
    return logs


def test_an_import_does_not_follow_a_link_out_of_the_folder(logs: Path, tmp_path: Path) -> None:
    report = import_files([logs], tmp_path / "runs.db", Wishes())
    assert (report.total("new"), report.links) == (2, ["logs/lone.jsonl", "logs/outer/"])
    assert report.as_json()["links"] == report.links
    ended = run("import", logs, "--into", tmp_path / "again.db")
    assert ended.returncode == 0
    assert ended.stdout.endswith(
        "2 links lead out of the named folder and were not followed: logs/lone.jsonl, logs/outer/"
        " (--follow-links follows them)\n"
    )


def test_a_link_out_of_the_folder_is_followed_where_that_is_asked_for(logs: Path, tmp_path: Path) -> None:
    report = import_files([logs], tmp_path / "runs.db", Wishes(following_links=True))
    assert (report.total("new"), report.links) == (5, [])
    assert run("import", logs, "--into", tmp_path / "again.db", "--follow-links").stdout.count("5 conversations") == 1


def test_what_is_named_may_be_a_link(logs: Path, tmp_path: Path) -> None:
    (tmp_path / "linked").symlink_to(logs)
    report = import_files([tmp_path / "linked", logs / "lone.jsonl"], tmp_path / "runs.db", Wishes())
    assert (report.total("new"), report.links) == (3, ["linked/outer/"])


def test_a_folder_of_nothing_but_links_out_of_it_names_the_option(tmp_path: Path) -> None:
    log(tmp_path / "a.jsonl", "a")
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.jsonl").symlink_to(tmp_path / "a.jsonl")
    with pytest.raises(SourceError, match=r"only 1 link that leads out of it\. --follow-links"):
        import_files([tmp_path / "logs"], tmp_path / "runs.db", Wishes())


def test_a_file_beside_a_log_that_is_a_link_out_of_the_folder_is_not_read_with_it(tmp_path: Path) -> None:
    simulation = {"id": "s", "task_id": "1", "trial": 0, "messages": [{"role": "user", "content": "Hello."}]}
    (tmp_path / "logs" / "simulations").mkdir(parents=True)
    (tmp_path / "logs" / "simulations" / "1.json").write_text(json.dumps(simulation), "utf-8")
    results = {"info": {"agent_info": {"llm": "secret"}}, "tasks": [], "simulations": []}
    (tmp_path / "results.json").write_text(json.dumps(results), "utf-8")
    (tmp_path / "logs" / "results.json").symlink_to(tmp_path / "results.json")
    for follow in (False, True):
        report = import_files([tmp_path / "logs"], tmp_path / f"{follow}.db", Wishes("tau2", following_links=follow))
        read_with_it = {model for source in report.sources for model in source.models}
        assert report.total("new") == 1
        assert ("secret" in read_with_it) == follow
