"""`reviewer run` against an endpoint on loopback that plays the sample's scripts: it ends with the board they mean.

Where `INSPECT` names a Python that can import `inspect_ai` and `openai` (`make slow` makes one), the program runs
in it as a user starts it; elsewhere the tests say that they were skipped.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from reviewer.benchmark.live.note_quotes import has_remark
from reviewer.benchmark.live.prompt_files import prompt
from reviewer.benchmark.northline.cases import cases
from reviewer.figures.measure import objects
from reviewer.figures.measure.board import board
from reviewer.transcripts import desk
from reviewer.transcripts.store.intake import Intake
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.writer import Writer
from tests.scripted_endpoint import ESCAPED, FAULTS, HALF, Endpoint, Stall, playing

ROOT = Path(__file__).resolve().parents[2]
NAMES = [case.id for case in cases()]
CASES = [*NAMES[:120:10], *NAMES[120:144:4], *NAMES[144::3]]
"""24 cases: 12 to be resolved, 6 to be handed over, 6 traps."""
SCRIPTED = "openai-api/scripted"
MODELS = ("kimi-k2.6", "qwen3.7-plus")
PRICES = "[scripted.models]\n" + "".join(f'"{name}" = {{ in = 1, out = 10 }}\n' for name in (*MODELS, "customer"))
KILLS = 20
LIMIT = 300
"""Seconds until what is waited for has failed; far beyond what a busy machine needs."""


@cache
def python() -> str:
    """The Python that has Inspect; the test is skipped where there is none."""
    named = os.environ.get("INSPECT", sys.executable)
    asked = subprocess.run([named, "-c", "import inspect_ai, openai"], capture_output=True, check=False)
    if asked.returncode:
        pytest.skip("no Inspect: INSPECT names no Python that can import inspect_ai and openai")
    return named


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    """The endpoint, without faults."""
    python()
    with playing(MODELS, CASES) as served:
        yield served


def environment(served: Endpoint, folder: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("INSPECT_", "OPENAI_"))}
    address = f"http://127.0.0.1:{served.port}/v1"
    own = {"SCRIPTED_API_KEY": "none", "SCRIPTED_BASE_URL": address, "HOME": str(folder), "NO_PROXY": "127.0.0.1"}
    return {**kept, "PYTHONPATH": str(ROOT), **own, **more}


def words(folder: Path, *more: str, model: Sequence[str] = MODELS[:1], runs: int = 1) -> list[str]:
    query = " or ".join(f"case:{name}" for name in CASES)
    named = [word for each in model for word in ("--model", f"{SCRIPTED}/{each}")]
    command = ["run", "northline", *named, "--customer", f"{SCRIPTED}/customer", "--runs", str(runs)]
    return [python(), "-m", "reviewer", *command, "--cases", query, "--into", str(folder / "runs.db"), *more]


def installed(folder: Path) -> str:
    """What `PYTHONPATH` has to be for Inspect to know our tasks by their entry point."""
    package = folder / "site" / "reviewer-0.1.0.dist-info"
    package.mkdir(parents=True)
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: reviewer\nVersion: 0.1.0\n", encoding="utf-8")
    (package / "entry_points.txt").write_text(
        "[inspect_ai]\nreviewer = reviewer.benchmark.live.tasks\n", encoding="utf-8"
    )
    where = {"url": ROOT.as_uri(), "dir_info": {"editable": True}}
    (package / "direct_url.json").write_text(json.dumps(where), encoding="utf-8")
    return f"{ROOT}{os.pathsep}{package.parent}"


def ran(served: Endpoint, folder: Path, *more: str, **named: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words(folder, *more, **named),
        env=environment(served, folder), cwd=folder, capture_output=True, text=True, check=False, timeout=LIMIT,
    )  # fmt: skip


def meant(served: Endpoint, folder: Path, runs: int = 1, at: str = "northline") -> dict[str, Any]:
    """The board of the scripts themselves, classed by a desk."""
    with Writer(folder / "meant.db") as writer:
        intake = Intake(writer, {})
        source = intake.source("scripts", "scripts")
        for script in served.scripts.values():
            it = script.conversation
            for run in range(1, runs + 1):
                intake.add(replace(it, run=run), source)
        intake.set_desk([source], desk.load(at))
        intake.end()
    return figures(folder / "meant.db")


def figures(store: Path) -> dict[str, Any]:
    """Of every model what its board says, by the last part of its name."""
    with Reader(store) as reader:
        told = objects.as_object(board(reader))
    return {
        row["model"].rpartition("/")[2]: {name: (m["k_per_run"], m["n_per_run"]) for name, m in row["metrics"].items()}
        for row in told["models"]
    }


def interrupted(program: subprocess.Popen[str], stall: Stall) -> tuple[str, str]:
    """What a program says that has Ctrl-C typed while the endpoint keeps it waiting."""
    assert stall.reached.wait(LIMIT)
    program.send_signal(signal.SIGINT)
    return program.communicate(timeout=LIMIT)


def refs(store: Path) -> list[str]:
    with Reader(store) as reader:
        return [row.ref for row in reader.rows(list(reader.ids()))]


def expected_refs(model: Sequence[str] = MODELS[:1], runs: int = 1) -> set[str]:
    return {f"{SCRIPTED}/{each}/{case}/{run}" for each in model for case in CASES for run in range(1, runs + 1)}


def rounded(told: dict[str, Any]) -> dict[str, Any]:
    return {
        model: {name: ([round(k, 6) for k in ks], ns) for name, (ks, ns) in each.items()}
        for model, each in told.items()
    }


def test_a_run_ends_with_the_board_that_the_scripts_mean_whatever_goes_wrong_on_the_way(tmp_path: Path) -> None:
    python()
    with playing(MODELS, CASES, FAULTS) as served:
        judges = ("--judge", f"{SCRIPTED}/judge", "--second-judge", f"{SCRIPTED}/second")
        told = ran(served, tmp_path, *judges, model=MODELS)
        assert told.returncode == 0, told.stderr
        assert {fault for fault, *_ in served.done} == set(FAULTS)
        assert rounded(figures(tmp_path / "runs.db")) == rounded(meant(served, tmp_path))
    assert sorted(refs(tmp_path / "runs.db")) == sorted(expected_refs(MODELS))
    with Reader(tmp_path / "runs.db") as reader:
        held = [reader.stored(rowid).conversation for rowid in reader.ids()]
    assert all(it.clock == "2026-06-29" and it.ended_by in ("customer-stop", "turn-limit") for it in held)
    assert all(message.tokens_out is not None for it in held for message in it.messages if message.role == "agent")
    scores = Counter((score.scorer, score.judge) for it in held for score in it.scores)
    three = ("resolution", "instruction_following", "sentiment")
    assert scores == {(name, f"{SCRIPTED}/{judge}"): 48 for name in three for judge in ("judge", "second")}
    assert "Traceback" not in told.stderr
    assert "judges: resolution (prompt " in told.stdout
    shown = subprocess.run(
        [python(), "-m", "reviewer", "board", "runs.db"],
        env=environment(served, tmp_path), cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert f"Simulated customers, played by {SCRIPTED}/customer." in shown.stdout
    assert "SYNTHETIC" not in shown.stdout


def test_what_is_said_and_called_is_what_the_scripts_say(endpoint: Endpoint, tmp_path: Path) -> None:
    assert ran(endpoint, tmp_path).returncode == 0
    with Reader(tmp_path / "runs.db") as reader:
        held = {it.case: it for it in (reader.stored(rowid).conversation for rowid in reader.ids())}
    for case in CASES:
        own = [message for message in held[case].messages if message.role == "agent"]
        script = endpoint.scripts[MODELS[0], case].agent[: len(own)]
        plain = [(one.text, other.text) for one, other in zip(own, script, strict=True) if "think>" not in other.text]
        assert [one for one, _ in plain] == [other for _, other in plain]  # Inspect takes a stray tag for reasoning
        calls = [(call.name, call.arguments, call.result) for message in own for call in message.calls]
        assert calls == [(call.name, call.arguments, call.result) for message in script for call in message.calls]


def test_a_run_that_is_killed_again_and_again_misses_nothing_and_has_nothing_twice(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    seen = []
    command, told = words(tmp_path, "--connections", "3", runs=3), environment(endpoint, tmp_path)
    for _ in range(KILLS):
        with endpoint.stuck_after(45) as stall:
            program = subprocess.Popen(
                command, env=told, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            assert stall.reached.wait(LIMIT)
            program.kill()
            program.wait()
        seen.append(len(refs(tmp_path / "runs.db")) if (tmp_path / "runs.db").exists() else 0)
    last = ran(endpoint, tmp_path, runs=3)
    assert last.returncode == 0, last.stderr
    assert seen == sorted(seen)
    assert 0 < seen[KILLS // 2] < seen[-1] < 72
    assert sorted(refs(tmp_path / "runs.db")) == sorted(expected_refs(runs=3))
    assert "has all 72 conversations already" in ran(endpoint, tmp_path, runs=3).stdout


def test_ctrl_c_ends_a_run_cleanly(endpoint: Endpoint, tmp_path: Path) -> None:
    with endpoint.stuck_after(90) as stall:
        program = subprocess.Popen(
            words(tmp_path), env=environment(endpoint, tmp_path), cwd=tmp_path,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        out, err = interrupted(program, stall)
    assert program.returncode == 130, err
    assert "Traceback" not in out + err
    there = refs(tmp_path / "runs.db")
    assert f"Stopped: {24 - len(there)} conversations are left." in out
    assert out.splitlines()[-1].startswith("To go on: reviewer run northline --model ")
    assert ran(endpoint, tmp_path).returncode == 0
    assert sorted(refs(tmp_path / "runs.db")) == sorted(expected_refs())


def test_no_conversation_begins_once_the_money_is_spent(endpoint: Endpoint, tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text(PRICES, encoding="utf-8")
    limited = ("--prices", "prices.toml", "--limit-cost", "0.03", "--connections", "2")
    told = ran(endpoint, tmp_path, *limited)
    assert told.returncode == 1, told.stderr
    there = refs(tmp_path / "runs.db")
    assert 0 < len(there) < 24
    assert f"The limit of cost is reached: {24 - len(there)} conversations are left" in told.stdout
    with Reader(tmp_path / "runs.db") as reader:
        rows = reader.rows(list(reader.ids()))
    assert not [row.ref for row in rows if row.error or not row.cost]
    assert f"cost of {SCRIPTED}/{MODELS[0]} (agent): $" in told.stdout
    assert ran(endpoint, tmp_path).returncode == 0
    assert sorted(refs(tmp_path / "runs.db")) == sorted(expected_refs())


def test_a_customer_out_of_its_role_is_counted_and_left_out(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.role_breaks = frozenset(CASES[:2])
    told = ran(endpoint, tmp_path, "--judge", f"{SCRIPTED}/judge")
    endpoint.role_breaks = frozenset()
    assert "2 left out: the customer fell out of its role" in told.stdout
    with Reader(tmp_path / "runs.db") as reader:
        held = {it.case: it for it in (reader.stored(rowid).conversation for rowid in reader.ids())}
        (row,) = board(reader).rows
    assert row.left_out == 2
    for case in CASES[:2]:
        assert held[case].ended_by == "error"
        assert "spoke as the agent: “How can I help you" in (held[case].error or "")
        assert not held[case].scores


def test_a_model_that_plays_its_own_customer_counts_as_the_agent_for_its_own_words_alone(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    command = words(tmp_path)
    at = command.index("--customer")
    told = subprocess.run(
        command[:at] + command[at + 2 :], env=environment(endpoint, tmp_path), cwd=tmp_path,
        capture_output=True, text=True, check=False, timeout=LIMIT,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    assert f"{SCRIPTED}/{MODELS[0]} plays its own customer" in told.stderr
    with Reader(tmp_path / "runs.db") as reader:
        held = [reader.stored(rowid).conversation for rowid in reader.ids()]
    for it in held:
        own = sum(message.tokens_out or 0 for message in it.messages if message.role == "agent")
        assert it.usage is not None
        assert it.usage.tokens_out == own
        assert it.meta is not None
        assert it.meta["customer"] == f"{SCRIPTED}/{MODELS[0]}"


def test_keys_are_read_from_a_file(endpoint: Endpoint, tmp_path: Path) -> None:
    told = environment(endpoint, tmp_path)
    lines = [f"{name}={told.pop(name)}\n" for name in ("SCRIPTED_API_KEY", "SCRIPTED_BASE_URL")]
    (tmp_path / ".env").write_text("".join(lines), encoding="utf-8")
    command = words(tmp_path)
    command[command.index("--cases") + 1] = f"case:{CASES[0]}"
    address, asked = f"http://127.0.0.1:{endpoint.port}/v1", endpoint.asked.total()
    below = tmp_path / "below"
    below.mkdir()
    for verb in (command, [*command, "--base-url", "openai-api/scripted=http://127.0.0.1:9/v1"]):
        refused = subprocess.run(
            verb, env=told, cwd=below, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, check=False, timeout=LIMIT,
        )  # fmt: skip
        assert refused.returncode == 2, refused.stderr
        assert endpoint.asked.total() == asked
    (tmp_path / ".env").write_text("".join(lines).replace("none", "sk-no-key"), encoding="utf-8")
    held = subprocess.run(
        [*command, "--base-url", address], env=told, cwd=below, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False, timeout=LIMIT,
    )  # fmt: skip
    assert held.returncode == 0, held.stderr
    assert f"{SCRIPTED}/customer (customer) is asked at {address}/: --base-url" in held.stderr
    assert "sk-no-key" not in held.stderr + held.stdout
    assert len(refs(tmp_path / "runs.db")) == 1


AT_A_TERMINAL = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"


@pytest.mark.parametrize(
    ("words", "role"),
    [
        (("run", "northline", "--model", f"{SCRIPTED}/{MODELS[0]}", "--customer", f"{SCRIPTED}/customer"), "agent"),
        (("judge", "meant.db", "--judge", f"{SCRIPTED}/judge"), "judge"),
        (("ask", "meant.db", "--mode", "phantom-action", "--model", f"{SCRIPTED}/reader"), "reader"),
        (("fork", "meant.db", "--every", "forbidden", "--model", f"{SCRIPTED}/{MODELS[0]}"), "agent"),
    ],
)
def test_where_a_model_is_asked_is_said_and_a_file_names_no_address_unasked(
    words: tuple[str, ...], role: str, endpoint: Endpoint, tmp_path: Path
) -> None:
    meant(endpoint, tmp_path)
    told, asked = environment(endpoint, tmp_path), endpoint.asked.total()
    address, file = told.pop("SCRIPTED_BASE_URL"), tmp_path / ".env"
    file.write_text(f"SCRIPTED_BASE_URL={address}\n", encoding="utf-8")
    command = [python(), "-m", "reviewer", *words]

    def said(*words: str, stdin: int | None = subprocess.DEVNULL, **more: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, env=told, cwd=tmp_path, stdin=None if "input" in more else stdin,
            capture_output=True, text=True, check=False, timeout=LIMIT, **more,
        )  # fmt: skip

    silent = said(*command)
    assert silent.returncode == 2, silent.stdout
    assert f"({role}) is asked at {address}/: SCRIPTED_BASE_URL in {file}" in silent.stderr
    assert "The key would be sent there." in silent.stderr
    assert f"--base-url {SCRIPTED}={address}/" in silent.stderr
    asking = said(sys.executable, "-c", AT_A_TERMINAL, *command, input="n\n")
    assert asking.stdout.count("Send keys and conversations there? [y/N]") == 1
    assert asking.returncode == 2
    assert endpoint.asked.total() == asked
    endpoint.refused = dict.fromkeys((*MODELS, "customer", "judge", "reader"), (401, "bad key"))
    told["SCRIPTED_BASE_URL"] = address
    from_environment = said(*command)
    endpoint.refused = {}
    assert f"({role}) is asked at {address}/: SCRIPTED_BASE_URL in the environment" in from_environment.stderr
    assert "does not answer" in from_environment.stderr  # it was called


def test_the_address_of_a_provider_is_its_own_and_a_proxy_in_a_file_is_refused(tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("INSPECT_", "OPENAI_"))}
    told = {**kept, "PYTHONPATH": str(ROOT), "OPENAI_API_KEY": "sk-never-shown"}
    (tmp_path / ".env").write_text("HTTPS_PROXY=http://127.0.0.1:9\n", encoding="utf-8")
    told.pop("HTTPS_PROXY", None)
    refused = subprocess.run(
        [python(), "-m", "reviewer", "run", "northline", "--model", "openai/gpt-5", "--cases", "case:abuse"],
        env=told, cwd=tmp_path, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False, timeout=LIMIT,
    )  # fmt: skip
    assert refused.returncode == 2
    asked = "openai/gpt-5 (agent, customer) is asked at https://api.openai.com/v1/: the provider's own"
    assert asked in refused.stderr
    assert f"{tmp_path / '.env'} sets HTTPS_PROXY" in refused.stderr
    assert "sk-never-shown" not in refused.stderr + refused.stdout


@pytest.mark.parametrize(
    ("model", "status", "said", "hint"),
    [
        (f"{SCRIPTED}/kimi-k2.6", (401, "bad key"), "bad key", "Is the key right"),
        (f"{SCRIPTED}/kimi-k2.6", (400, "this model does not support tools"), "support tools", "can call them"),
        ("openai-api/nokey/x", None, "NOKEY_API_KEY", "environment"),
        ("nobody/x", None, "nobody", "PROVIDER/MODEL"),
        ("openai-api/closed/x", None, "onnect", "Does the endpoint run"),
    ],
)
def test_models_that_do_not_answer_are_said_before_anything_is_stored(
    model: str, status: tuple[int, str] | None, said: str, hint: str, endpoint: Endpoint, tmp_path: Path
) -> None:
    if status is not None:
        endpoint.refused["kimi-k2.6"] = status
    closed = {"CLOSED_API_KEY": "x", "CLOSED_BASE_URL": "http://127.0.0.1:9/v1"}
    command = [python(), "-m", "reviewer", "run", "northline", "--model", model, "--cases", "case:abuse"]
    told = subprocess.run(
        command, env=environment(endpoint, tmp_path, **closed), cwd=tmp_path,
        capture_output=True, text=True, check=False, timeout=LIMIT,
    )  # fmt: skip
    endpoint.refused.clear()
    assert told.returncode == 2, told.stderr
    assert f"reviewer: {model} does not answer: " in told.stderr
    assert said in told.stderr
    assert hint in told.stderr
    assert "Traceback" not in told.stderr + told.stdout
    assert not (tmp_path / "runs.db").exists()


NO_KEY, NOBODY = "openai-api/nokey/x", "nobody/x"
AGENT = f"{SCRIPTED}/{MODELS[0]}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "northline", "--model", AGENT, "--customer", NO_KEY), "NOKEY_API_KEY"),
        (("run", "northline", "--model", AGENT, "--customer", AGENT, "--judge", NOBODY), "nobody"),
        (("run", "northline", "--model", AGENT, "--model", NOBODY, "--customer", AGENT), "nobody"),
        (("run", "northline", "--model", AGENT, "--limit-cost", "1"), "has no price"),
        (("judge", "meant.db", "--judge", NO_KEY), "NOKEY_API_KEY"),
        (("ask", "meant.db", "--mode", "phantom-action", "--model", NOBODY), "nobody"),
        (("fork", "meant.db", "--every", "forbidden", "--model", NO_KEY), "NOKEY_API_KEY"),
    ],
)
def test_what_needs_no_call_to_be_refused_is_refused_before_one_is_paid(
    words: tuple[str, ...], said: str, endpoint: Endpoint, tmp_path: Path
) -> None:
    meant(endpoint, tmp_path)
    before = endpoint.asked.total()
    told = subprocess.run(
        [python(), "-m", "reviewer", *words], env=environment(endpoint, tmp_path), cwd=tmp_path,
        capture_output=True, text=True, check=False, timeout=200,
    )  # fmt: skip
    assert told.returncode == 2, told.stdout
    assert said in told.stderr
    assert "Traceback" not in told.stderr
    assert endpoint.asked.total() == before
    assert [path.name for path in tmp_path.glob("*.db")] == ["meant.db"]


def test_each_model_is_asked_once_whether_it_is_ready_and_that_is_paid_like_any_call(tmp_path: Path) -> None:
    python()
    with playing(MODELS[:1], CASES) as served:
        (tmp_path / "prices.toml").write_text(PRICES, encoding="utf-8")
        command = words(tmp_path, "--prices", "prices.toml", "--limit-cost", "0.00001")
        command[command.index("--customer") + 1] = f"{SCRIPTED}/{MODELS[0]}"
        told = subprocess.run(
            command, env=environment(served, tmp_path), cwd=tmp_path,
            capture_output=True, text=True, check=False, timeout=200,
        )  # fmt: skip
        assert "The limit of cost is reached: 24 conversations are left" in told.stdout, told.stderr
        assert f"cost of {AGENT} (agent, customer): $0.0" in told.stdout
        assert served.asked.total() == 1  # it plays both, and is asked once
        assert served.probed == [(MODELS[0], 64)]
        assert not refs(tmp_path / "runs.db")


def test_that_a_model_has_no_price_is_said_before_it_is_called(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.refused[MODELS[0]] = (401, "bad key")
    told = ran(endpoint, tmp_path)
    endpoint.refused.clear()
    said = told.stderr
    assert 0 <= said.find(f"{AGENT} has no price, so what it costs is not counted") < said.find("does not answer")


def test_the_task_runs_in_inspect_itself_and_its_log_makes_the_same_board(endpoint: Endpoint, tmp_path: Path) -> None:
    told = environment(endpoint, tmp_path, PYTHONPATH=installed(tmp_path))
    query = " or ".join(f"case:{name}" for name in CASES)
    command = [
        "eval",
        "reviewer/northline",
        "--model",
        f"{SCRIPTED}/{MODELS[0]}",
        "--epochs",
        "2",
        "-T",
        f"cases={query}",
    ]
    command += ["--model-role", f"customer={SCRIPTED}/customer", "--model-role", f"judge={SCRIPTED}/judge"]
    evaluated = subprocess.run(
        [python(), "-m", "inspect_ai", *command, "--display", "none", "--log-dir", "logs"],
        env=told, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=LIMIT,
    )  # fmt: skip
    assert evaluated.returncode == 0, evaluated.stderr + evaluated.stdout
    brought = [sys.executable, "-m", "reviewer", "import", "logs", "--into", "runs.db"]
    imported = subprocess.run(brought, env=told, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert imported.returncode == 0, imported.stderr + imported.stdout
    of_scripts = meant(endpoint, tmp_path, runs=2)
    ours = rounded(figures(tmp_path / "runs.db"))
    assert ours == {MODELS[0]: rounded(of_scripts)[MODELS[0]]}
    assert sorted(refs(tmp_path / "runs.db")) == sorted(expected_refs(runs=2))


def test_what_is_stored_is_judged_once_and_compared(endpoint: Endpoint, tmp_path: Path) -> None:
    assert ran(endpoint, tmp_path).returncode == 0
    rubric = tmp_path / "sentiment.md"
    rubric.write_text(prompt("sentiment.md"), encoding="utf-8")
    ask = [python(), "-m", "reviewer", "judge", "runs.db", "--judge", f"{SCRIPTED}/judge"]

    def judged(*more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*ask, *more], env=environment(endpoint, tmp_path), cwd=tmp_path,
            capture_output=True, text=True, check=False, timeout=LIMIT,
        )  # fmt: skip

    first = judged("bucket:adversarial", "--rubric", "sentiment.md")
    assert "gave 6 scores of 6" in first.stdout, first.stderr
    rest = judged()
    assert "gave 66 scores of 66" in rest.stdout, rest.stderr
    before = endpoint.asked["judge"]
    assert "has judged these 24 conversations already" in judged().stdout
    assert endpoint.asked["judge"] == before
    told = rounded(figures(tmp_path / "runs.db"))[MODELS[0]]
    assert told == rounded(meant(endpoint, tmp_path))[MODELS[0]]
    ref = refs(tmp_path / "runs.db")[0]
    said = [python(), "-m", "reviewer", "verdict", "runs.db", ref, "pass", "--as", "ana"]
    subprocess.run(said, env=environment(endpoint, tmp_path), cwd=tmp_path, check=True, capture_output=True)
    agreed = judged("--agree").stdout
    assert "resolution (prompt " in agreed
    assert "(of 1)" in agreed


def continued(told: subprocess.CompletedProcess[str], served: Endpoint, folder: Path) -> int:
    """The exit code of the command that another one has printed to go on with, run by a shell."""
    command = told.stdout.splitlines()[-1].removeprefix("To go on: reviewer ")
    shell = ["/bin/sh", "-c", f"{shlex.quote(python())} -m reviewer {command}"]
    return subprocess.run(
        shell, env=environment(served, folder), cwd=folder,
        capture_output=True, text=True, check=False, timeout=LIMIT,
    ).returncode  # fmt: skip


def test_a_run_in_which_conversations_failed_says_why_and_how_to_go_on(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.failing = {case: (400, f"the request {at} was refused") for at, case in enumerate(CASES[:3])}
    endpoint.failing[CASES[3]] = (400, "the words are too many")
    told = ran(endpoint, tmp_path)
    endpoint.failing = {}
    assert told.returncode == 1, told.stdout
    assert "4 conversations failed:\n  3  BadRequestError: Error code: 400 - the request " in told.stdout
    assert "\n  1  BadRequestError: Error code: 400 - the words are too many\n" in told.stdout
    assert continued(told, endpoint, tmp_path) == 0
    assert sorted(refs(tmp_path / "runs.db")) == sorted(expected_refs())


def test_a_run_of_which_everything_failed_is_no_success(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.failing = {MODELS[0]: (400, "down")}
    told = ran(endpoint, tmp_path)
    endpoint.failing = {}
    assert told.returncode == 1, told.stdout
    assert "24 conversations failed:\n  24  BadRequestError: Error code: 400 - down\n" in told.stdout


def test_a_judge_that_gave_no_number_is_no_success_and_is_asked_again(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.speechless = frozenset(CASES[:2])
    told = ran(endpoint, tmp_path, "--judge", f"{SCRIPTED}/judge")
    again = ran(endpoint, tmp_path, "--judge", f"{SCRIPTED}/judge")
    judge = [python(), "-m", "reviewer", "judge", "runs.db", "--judge", f"{SCRIPTED}/judge"]
    asked = subprocess.run(
        judge, env=environment(endpoint, tmp_path), cwd=tmp_path,
        capture_output=True, text=True, check=False, timeout=LIMIT,
    )  # fmt: skip
    endpoint.speechless = frozenset()
    assert (told.returncode, again.returncode, asked.returncode) == (1, 1, 1), told.stdout
    assert f"6 scores of {SCRIPTED}/judge are missing" in told.stdout
    assert "has all 24 conversations already" in again.stdout
    assert "6 answers had no number from 0 to 1." in asked.stdout
    assert continued(again, endpoint, tmp_path) == 0
    assert ran(endpoint, tmp_path, "--judge", f"{SCRIPTED}/judge").returncode == 0


def test_a_judge_that_fails_is_no_success(endpoint: Endpoint, tmp_path: Path) -> None:
    meant(endpoint, tmp_path)
    endpoint.failing = {"second": (400, "down")}
    judge = [python(), "-m", "reviewer", "judge", "meant.db", "--judge", f"{SCRIPTED}/second", "case:abuse"]
    told = subprocess.run(
        judge, env=environment(endpoint, tmp_path), cwd=tmp_path,
        capture_output=True, text=True, check=False, timeout=LIMIT,
    )  # fmt: skip
    endpoint.failing = {}
    assert told.returncode == 1, told.stderr
    assert "6 questions failed:\n  6  " in told.stdout
    assert told.stdout.splitlines()[-1] == f"To go on: reviewer judge meant.db --judge {SCRIPTED}/second case:abuse"


def test_half_a_surrogate_pair_is_kept_as_its_escape_and_ends_nothing(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.halved = frozenset(CASES[:2])
    endpoint.failing = {CASES[2]: (400, f"the words {HALF} are refused")}
    told = ran(endpoint, tmp_path, "--judge", f"{SCRIPTED}/judge")
    endpoint.halved, endpoint.failing = frozenset(), {}
    assert told.returncode == 1, told.stderr
    assert "1 conversation failed:" in told.stdout
    assert "ud83d are refused" in told.stdout
    with Reader(tmp_path / "runs.db") as reader:
        held = {it.case: it for it in (reader.stored(rowid).conversation for rowid in reader.ids())}
    assert len(held) == 24
    assert [case for case, it in held.items() if it.error] == [CASES[2]]
    for case in CASES[:2]:
        said = [message for message in held[case].messages if message.role == "agent"]
        assert all(message.text.endswith(ESCAPED) for message in said if message.text)
        assert any(ESCAPED in (call.arguments or "") for message in said for call in message.calls)
        assert all((score.note or "").endswith(ESCAPED) for score in held[case].scores)
        assert len(held[case].scores) == 3
    assert not any(ESCAPED in message.text for case in CASES[3:] for message in held[case].messages)
    assert continued(told, endpoint, tmp_path) == 0
    logs = [path for path in (tmp_path / "runs-logs").iterdir() if path.suffix == ".eval"]
    assert logs
    brought = [sys.executable, "-m", "reviewer", "import", "runs-logs", "--into", "again.db"]
    assert subprocess.run(brought, cwd=tmp_path, env=environment(endpoint, tmp_path), check=False).returncode == 0


MANY = 100


def test_a_judge_that_quotes_what_nobody_said_is_asked_once_more_and_then_it_is_said(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.misquotes.update({CASES[0]: MANY, CASES[1]: 1})
    before = endpoint.asked["judge"]
    told = ran(endpoint, tmp_path, "--judge", f"{SCRIPTED}/judge")
    thought = 1  # a note that quotes a stray `</think>`, which Inspect takes out of what is judged
    assert endpoint.asked["judge"] - before == 1 + 72 + 3 + 1 + thought  # ready; three a case; again, again, again
    assert f"judges: 4 of 72 notes of {SCRIPTED}/judge quote words that are not there, and say which." in told.stdout
    judged = [python(), "-m", "reviewer", "judge", "meant.db", f"model:{MODELS[0]}", "--judge", f"{SCRIPTED}/judge"]
    of_scripts = meant(endpoint, tmp_path)
    again = subprocess.run(
        judged, env=environment(endpoint, tmp_path), cwd=tmp_path,
        capture_output=True, text=True, check=False, timeout=200,
    )  # fmt: skip
    endpoint.misquotes.clear()
    assert "gave 72 scores of 72." in again.stdout, again.stderr
    assert "3 of 72 notes quote words that are not there, and say which." in again.stdout
    assert rounded(figures(tmp_path / "runs.db"))[MODELS[0]] == rounded(of_scripts)[MODELS[0]]  # the numbers are kept
    remark = "\n[Quoted here, and nowhere in what was judged: “these words were said by nobody at all”]"
    for name in ("runs.db", "meant.db"):
        with Reader(tmp_path / name) as reader:
            held = [reader.stored(rowid).conversation for rowid in reader.ids()]
        own = [(it.case, each.note or "") for it in held for each in it.scores if each.judge == f"{SCRIPTED}/judge"]
        assert len(own) == 72
        assert [case for case, note in own if note.endswith(remark)] == [CASES[0]] * 3
        assert sum(has_remark(note) for _, note in own) == 3 + thought * (name == "runs.db")
