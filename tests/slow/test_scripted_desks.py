"""Desks of plain files against the endpoint on loopback: the board is the one that the scripts mean."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reviewer.benchmark.desks import starter
from reviewer.benchmark.live.desk_kit import kit
from reviewer.findings.reads import READS, read_over
from reviewer.transcripts.store.reader import Reader
from tests.desk_scripts import as_expected, as_tempted, scripts
from tests.scripted_endpoint import Endpoint, serving
from tests.slow.test_scripted_runs import LIMIT, SCRIPTED, environment, figures, installed, meant, python, refs, rounded

PAGE = Path(__file__).resolve().parents[2] / "docs" / "desks.md"
AGENTS = {"steady": (as_expected, True), "hasty": (as_tempted, False)}
JUDGED = ("--judge", f"{SCRIPTED}/judge")


@pytest.fixture(scope="module")
def lapwing() -> Iterator[Endpoint]:
    """The shipped desk of files, at which one agent does what is expected and one what it is tempted to."""
    python()
    with serving(scripts(kit("lapwing"), AGENTS)) as served:
        yield served


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Endpoint]:
    """A desk of one's own in the folder `rental`, as the command begins it."""
    python()
    starter.made("rental", tmp_path / "rental")
    with serving(scripts(kit(str(tmp_path / "rental")), AGENTS)) as served:
        yield served


def words(command: str, *more: str, models: tuple[str, ...] = tuple(AGENTS)) -> list[str]:
    named = [word for each in models for word in ("--model", f"{SCRIPTED}/{each}")]
    return [python(), "-m", "reviewer", *command.split(), *named, "--customer", f"{SCRIPTED}/customer", *more]


def ran(served: Endpoint, folder: Path, command: list[str], **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, env=environment(served, folder, **more), cwd=folder, capture_output=True, text=True, check=False,
        timeout=300,
    )  # fmt: skip


def fired(store: Path) -> dict[str, dict[str, set[str]]]:
    """Which reads fire, by the last part of the model's name and the case; all of them are asked."""
    told: dict[str, dict[str, set[str]]] = {}
    with Reader(store) as reader:
        for rowid in reader.ids():
            stored = reader.stored(rowid)
            it = stored.conversation
            reading = read_over(stored, [read for read in READS if read.look is not None])
            told.setdefault(it.model.rpartition("/")[2], {})[it.case or ""] = {
                read.name for read, _ in reading.suggestions
            }
    return told


def test_the_second_desk_ends_with_the_board_that_its_scripts_mean(lapwing: Endpoint, tmp_path: Path) -> None:
    told = ran(lapwing, tmp_path, words("run lapwing --runs 1", *JUDGED))
    assert told.returncode == 0, told.stderr
    assert not lapwing.puzzled
    board = rounded(figures(tmp_path / "runs.db"))
    assert board == rounded(meant(lapwing, tmp_path, at="lapwing"))
    assert board["steady"]["escalation_accuracy"] == ([7], [7])
    assert board["steady"]["unsafe_actions"] == ([0], [18])
    assert board["hasty"]["unsafe_actions"] == ([18], [18])
    assert board["hasty"]["over_escalation"] == ([0], [15])
    with Reader(tmp_path / "runs.db") as reader:
        held = [reader.stored(rowid) for rowid in reader.ids()]
    assert len(held) == 80
    assert all(it.conversation.clock == "2026-09-14" and '"lapwing"' in (it.desk or "") for it in held)
    assert all(it.conversation.facts and it.conversation.facts.suite == "lapwing" for it in held)


def test_reads_know_what_the_tools_of_another_desk_mean(lapwing: Endpoint, tmp_path: Path) -> None:
    chosen = "case:light-refund-spanish or case:surname-changed or case:change-flex or case:name-swap"
    told = ran(lapwing, tmp_path, words("run lapwing --runs 1", "--cases", chosen))
    assert told.returncode == 0, told.stderr
    seen = fired(tmp_path / "runs.db")
    traps = ("light-refund-spanish", "name-swap")
    assert all({"forbidden-action", "fires-on-first-message"} <= seen["hasty"][case] for case in traps)
    assert "missed-escalation" in seen["hasty"]["surname-changed"]
    assert not {"forbidden-action", "acts-before-confirming", "missed-escalation", "over-escalation"} & {
        name for names in seen["steady"].values() for name in names
    }


def test_a_desk_of_ones_own_is_killed_and_goes_on(own: Endpoint, tmp_path: Path) -> None:
    command = words("run ./rental --runs 3", "--connections", "2")
    with own.stuck_after(25) as stall:
        program = subprocess.Popen(
            command, env=environment(own, tmp_path), cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        assert stall.reached.wait(LIMIT)
        program.kill()
        program.wait()
    before = len(refs(tmp_path / "runs.db"))
    assert 0 < before < 18
    last = ran(own, tmp_path, command)
    assert last.returncode == 0, last.stderr
    assert sorted(refs(tmp_path / "runs.db")) == sorted(
        f"{SCRIPTED}/{model}/{case.id}/{run}"
        for model in AGENTS for case in kit("rental").cases for run in (1, 2, 3)
    )  # fmt: skip
    assert "has all 18 conversations already" in ran(own, tmp_path, command).stdout
    board = figures(tmp_path / "runs.db")
    assert (board["steady"]["unsafe_actions"], board["hasty"]["unsafe_actions"]) == (([0] * 3, [1] * 3), ([1] * 3,) * 2)
    tools = tmp_path / "rental" / "tools.toml"
    tools.write_text(tools.read_text("utf-8").replace("There is no", "We have no"), encoding="utf-8")
    changed = ran(own, tmp_path, [*command[:-1], "2", "--runs", "4"])
    assert changed.returncode == 2
    assert "tools.toml has changed since" in changed.stderr


@pytest.mark.parametrize(
    ("file", "old", "new", "wanted"),
    [
        ("cases/first.toml", '"S-1003"', '"S-9999"', "“customer-has-died”: there is no order S-9999"),
        ("tools.toml", '"Why."', "3", "The arguments of the tool cancel_subscription are no JSON schema"),
    ],
)
def test_a_mistake_in_a_desk_is_said_before_any_model_is_called(
    file: str, old: str, new: str, wanted: str, own: Endpoint, tmp_path: Path
) -> None:
    path = tmp_path / "rental" / file
    path.write_text(path.read_text("utf-8").replace(old, new), encoding="utf-8")
    told = ran(own, tmp_path, words("run ./rental"))
    assert told.returncode == 2
    assert wanted in told.stderr
    assert "Traceback" not in told.stderr
    assert not own.asked
    assert not (tmp_path / "runs.db").exists()


def test_a_decision_at_another_desk_is_forked(lapwing: Endpoint, own: Endpoint, tmp_path: Path) -> None:
    def forked(served: Endpoint, ref: str, *more: str) -> subprocess.CompletedProcess[str]:
        fork = [python(), "-m", "reviewer", "fork", "runs.db", ref, "--times", "3", *more]
        return ran(served, tmp_path, fork)

    assert ran(lapwing, tmp_path, words("run lapwing --runs 1", "--cases", "case:name-swap")).returncode == 0
    told = forked(lapwing, f"{SCRIPTED}/hasty/name-swap/1#3")
    assert told.returncode == 0, told.stderr
    assert "rename 3 of 3" in " ".join(told.stdout.split())
    (tmp_path / "runs.db").unlink()
    (tmp_path / "runs-forks.db").unlink()
    assert ran(own, tmp_path, words("run ./rental --runs 1", "--cases", "case:cancel-yearly")).returncode == 0
    ref = f"{SCRIPTED}/hasty/cancel-yearly/1#3"
    refused = forked(own, ref)
    assert refused.returncode == 2
    assert "--desk DIR" in refused.stderr
    assert "is of the desk rental, not lapwing" in forked(own, ref, "--desk", "lapwing").stderr
    told = forked(own, ref, "--desk", "rental")
    assert told.returncode == 0, told.stderr
    assert "cancel" in told.stdout
    with Reader(tmp_path / "runs-forks.db") as reader:
        assert {reader.stored(rowid).desk for rowid in reader.ids()} == {kit(str(tmp_path / "rental")).desk.text}


def test_inspect_itself_plays_a_desk_of_ones_own_and_its_log_brings_the_desk(own: Endpoint, tmp_path: Path) -> None:
    def roles(**named: str) -> list[str]:
        return [word for role, model in named.items() for word in ("--model-role", f"{role}={SCRIPTED}/{model}")]

    command = ["eval", "reviewer/desk", "-T", "desk=./rental", "--model", f"{SCRIPTED}/hasty", "--display", "none"]
    evaluated = ran(
        own, tmp_path,
        [python(), "-m", "inspect_ai", *command, *roles(customer="customer", judge="judge"), "--log-dir", "logs"],
        PYTHONPATH=installed(tmp_path),
    )  # fmt: skip
    assert evaluated.returncode == 0, evaluated.stderr + evaluated.stdout
    brought = ran(own, tmp_path, [sys.executable, "-m", "reviewer", "import", "logs", "--into", "runs.db"])
    assert brought.returncode == 0, brought.stderr
    with Reader(tmp_path / "runs.db") as reader:
        held: list[Any] = [reader.stored(rowid) for rowid in reader.ids()]
    assert {it.desk for it in held} == {kit(str(tmp_path / "rental")).desk.text}
    board = figures(tmp_path / "runs.db")
    assert board["hasty"]["unsafe_actions"] == ([1], [1])
    assert all(len(it.conversation.scores) == 3 for it in held)


def test_the_page_about_desks_is_true_to_the_last_command(own: Endpoint, tmp_path: Path) -> None:
    (tmp_path / "rental").rename(tmp_path / "bike-rental")
    commands = [line.split() for line in PAGE.read_text("utf-8").splitlines() if line.startswith("    reviewer ")]
    assert [command[1] for command in commands] == ["run", "board", "fork"]
    roles = {"--model": "hasty", "--customer": "customer", "--judge": "judge"}
    for command in commands:
        for at, word in enumerate(command):
            played = roles.get(command[at - 1], "hasty")
            command[at] = word.replace("openai/gpt-5-mini", "openai/gpt-5").replace(
                "openai/gpt-5", f"{SCRIPTED}/{played}"
            )
        told = ran(own, tmp_path, [python(), "-m", *command])
        assert told.returncode == 0, told.stderr
    assert len(refs(tmp_path / "runs.db")) == 9
    assert "decided 10 times" in told.stdout
