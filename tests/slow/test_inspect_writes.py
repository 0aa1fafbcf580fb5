"""What the released Inspect writes comes in whole: its own package makes logs with its defaults, as zip and as JSON.

Where `INSPECT` names a Python that can import `inspect_ai` (`make slow` makes one), or this one can, a small evaluation
is run without any network; elsewhere the tests say that they were skipped.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sqlite3
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from reviewer.imports.importer import Wishes, import_files
from reviewer.transcripts.model import Conversation, Usage
from reviewer.transcripts.store.reader import Reader

# Three samples, two epochs: one answered through a tool, one whose tool fails, one whose model fails twice. Usage is
# told, because the mock model would count tokens by asking the network. Then `score` makes a second copy of each log.
_WRITE = '''
import json, sys
from inspect_ai import Task, eval, score
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import (ChatCompletionChoice, ChatMessageAssistant, ContentReasoning, ContentText, GenerateConfig,
    ModelOutput, ModelUsage, get_model)
from inspect_ai.scorer import Score, accuracy, match, model_graded_qa, scorer
from inspect_ai.solver import generate, system_message, use_tools
from inspect_ai.tool import ToolCall, ToolError, tool

@tool
def get_order():
    async def execute(number: str) -> str:
        """Look an order up.

        Args:
            number: The number of the order.
        """
        if number == "#8":
            raise ToolError("no such order")
        return f"Order {number}: shipped \\U0001f4e6"
    return execute

def usage(n):
    return ModelUsage(input_tokens=10 + n, output_tokens=5, total_tokens=22 + n, input_tokens_cache_read=4,
        input_tokens_cache_write=3, reasoning_tokens=2, total_cost=0.01)

def said(text, calls, n):
    content = [ContentReasoning(reasoning="Look it up."), ContentText(text=text)] if calls else text
    message = ChatMessageAssistant(content=content, tool_calls=calls or None, model="mockllm/model", source="generate")
    choice = ChatCompletionChoice(message=message, stop_reason="tool_calls" if calls else "stop")
    return ModelOutput(model="mockllm/model", choices=[choice], usage=usage(n))

def answer(input, tools, choice, config):
    last = input[-1]
    if last.role != "user":
        return said("Answer:\\n\\n " + last.text, [], 2)
    number = last.text.split()[-1].strip("?")
    if number == "#9":
        raise RuntimeError("the model is down")
    return said("Let me see.", [ToolCall(id="call-1", function="get_order", arguments={"number": number})], 1)

def grade(input, tools, choice, config):
    output = ModelOutput.from_content("mockllm/grader", "It says so. GRADE: C")
    output.usage = usage(7)
    return output

@scorer(metrics={"tone": [accuracy()], "facts": [accuracy()]})
def marks():
    async def score(state, target):
        return Score(value={"tone": 0.5, "facts": "I"}, answer="a", explanation="two marks", metadata={"why": "x"})
    return score

agent = get_model("mockllm/model", custom_outputs=answer, config=GenerateConfig(temperature=0.3))
grader = get_model("mockllm/grader", custom_outputs=grade)
samples = [Sample(id=i, input=f"Where is #{i + 6}?", target="shipped", metadata={"level": i}) for i in (1, 2, 3)]
task = Task(name="desk", dataset=samples, epochs=2, metadata={"team": "a"},
    solver=[system_message("Be kind."), use_tools(get_order()), generate()],
    scorer=[model_graded_qa(model_role="grader"), marks()])
told = {}
for form in ("eval", "json"):
    (log,) = eval(task, model=agent, model_roles={"grader": grader}, log_dir=sys.argv[1], log_format=form,
        display="none", fail_on_error=False, retry_on_error=1, tags=["t"])
    log = read_eval_log(log.location)
    scored = log.location.removesuffix(form) + "scored." + form
    write_eval_log(score(log, match(location="any"), action="append", display="none"), scored)
    told[form] = [log.location, scored, log.model_dump(mode="json")]
print(json.dumps(told))
'''


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[object]]:
    """By form: the log's path, that of its scored copy, and what the package itself reads from it."""
    python = os.environ.get("INSPECT")
    if not python and importlib.util.find_spec("inspect_ai") is None:
        pytest.skip("no Inspect: INSPECT names no Python that can import inspect_ai")
    folder = tmp_path_factory.mktemp("inspect")
    command = [python or sys.executable, "-c", _WRITE, str(folder)]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=300)
    assert ran.returncode == 0, ran.stderr
    told: dict[str, list[object]] = json.loads(ran.stdout.splitlines()[-1])
    return told


FORMS = pytest.mark.parametrize("form", ["eval", "json"])


def stored(path: object, store: Path) -> list[Conversation]:
    """All that comes in from a log, cases and epochs in order; nothing is rejected and nothing remarked."""
    report = import_files([Path(str(path))], store, Wishes())
    assert (report.exit_code, report.total("rejected")) == (0, 0)
    with Reader(store) as reader:
        held = [reader.stored(each).conversation for each in reader.ids()]
    return sorted(held, key=lambda it: (it.case or "", it.run or 0))


def test_the_package_packs_with_zstandard(written: dict[str, list[object]]) -> None:
    with zipfile.ZipFile(str(written["eval"][0])) as file:
        assert {info.compress_type for info in file.infolist()} == {93}


@FORMS
def test_messages_usage_and_times_come_in(written: dict[str, list[object]], form: str, tmp_path: Path) -> None:
    held = stored(written[form][0], tmp_path / "runs.db")
    assert [(it.case, it.run) for it in held] == [(f"desk-{case}", epoch) for case in (1, 2, 3) for epoch in (1, 2)]
    system, asked, called, said = held[0].messages
    assert (system.text, asked.text, called.text, said.text) == (
        *("Be kind.", "Where is #7?", "Let me see."),
        "Answer:\n\n Order #7: shipped 📦",
    )
    assert (called.reasoning, held[0].usage) == ("Look it up.", Usage(37, 10, 4, 8, 0.02))
    tokens = [(it.tokens_in, it.tokens_out, it.tokens_reasoning, it.tokens_cached, it.cost) for it in (called, said)]
    assert tokens == [(18, 5, 2, 4, 0.01), (19, 5, 2, 4, 0.01)]
    (call,) = called.calls
    assert (call.name, call.arguments, call.result) == ("get_order", '{"number":"#7"}', "Order #7: shipped 📦")
    times = [held[0].started, called.at, call.at, said.at, held[0].ended]
    assert all(times)
    assert times == sorted(map(str, times))
    assert held[2].messages[2].calls[0].error == "unknown: no such order"
    assert held[0].meta is not None
    assert (held[0].meta["level"], held[0].meta["turn_count"]) == (1, 2)


@FORMS
def test_errors_and_attempts_come_in(written: dict[str, list[object]], form: str, tmp_path: Path) -> None:
    it = stored(written[form][0], tmp_path / "runs.db")[-1]
    assert (it.ended_by, it.error, len(it.messages)) == ("error", "RuntimeError('the model is down')", 2)
    assert it.meta is not None
    assert it.extra is not None
    assert it.meta["retries"] == 1
    assert [each["message"] for each in it.extra["error_retries"]] == ["RuntimeError('the model is down')"]
    assert "the model is down" in it.extra["traceback"]


@FORMS
def test_scores_and_their_judge_come_in(written: dict[str, list[object]], form: str, tmp_path: Path) -> None:
    it = stored(written[form][1], tmp_path / "runs.db")[0]
    assert [(each.scorer, each.value, each.judge, each.note, each.raw) for each in it.scores] == [
        ("model_graded_qa", 1.0, "mockllm/grader", "It says so. GRADE: C", "C"),
        ("marks.tone", 0.5, None, "two marks", None),
        ("marks.facts", 0.0, None, "two marks", "I"),
        ("match", 1.0, None, "Answer:\n\n Order #7: shipped 📦", "C"),
    ]
    assert it.extra is not None
    assert it.extra["scores"]["marks"] == {"answer": "a", "metadata": {"why": "x"}}


@FORMS
def test_the_run_comes_in(written: dict[str, list[object]], form: str, tmp_path: Path) -> None:
    stored(written[form][0], tmp_path / "runs.db")
    with sqlite3.connect(tmp_path / "runs.db") as db:
        rows = db.execute("SELECT number, prompt, judge, meant, tools, extra FROM runs ORDER BY number").fetchall()
    assert [row[:3] for row in rows] == [(number, "Be kind.", "mockllm/grader") for number in (1, 2)]
    for meant, tools, extra in ([json.loads(text) for text in row[3:]] for row in rows):
        assert meant == ["desk-1", "desk-2", "desk-3"]
        assert [(tool["name"], tool["description"]) for tool in tools] == [("get_order", "Look an order up.")]
        assert tools[0]["parameters"]["required"] == ["number"]
        assert extra["model_roles"] == {"grader": "mockllm/grader"}
        assert (extra["model_generate_config"], extra["config"]["epochs"]) == ({"temperature": 0.3}, 2)
        assert (extra["tags"], extra["metadata"], extra["status"]) == (["t"], {"team": "a"}, "success")


@FORMS
def test_ids_are_the_packages_own_and_survive_scoring(
    written: dict[str, list[object]], form: str, tmp_path: Path
) -> None:
    before, scored, whole = written[form]
    assert isinstance(whole, dict)
    ids = [it.id for it in stored(before, tmp_path / "before.db")]
    assert ids == [it.id for it in stored(scored, tmp_path / "scored.db")]
    assert sorted(map(str, ids)) == sorted(each["uuid"] for each in whole["samples"])
    assert len(set(ids)) == 6


@FORMS
def test_every_message_and_call_of_the_package_is_there(
    written: dict[str, list[object]], form: str, tmp_path: Path
) -> None:
    whole = written[form][2]
    assert isinstance(whole, dict)
    held = {it.id: it for it in stored(written[form][0], tmp_path / "runs.db")}
    for sample in whole["samples"]:
        it = held[sample["uuid"]]
        assert len(it.messages) == sum(each["role"] != "tool" for each in sample["messages"])
        calls = [call for each in sample["messages"] for call in each.get("tool_calls") or []]
        assert [call.id for message in it.messages for call in message.calls] == [call["id"] for call in calls]
        assert sum(message.tokens_out or 0 for message in it.messages) == (it.usage.tokens_out or 0 if it.usage else 0)


@FORMS
def test_a_scored_copy_updates_what_came_in_without_the_score(
    written: dict[str, list[object]], form: str, tmp_path: Path
) -> None:
    before, scored, _ = written[form]
    stored(before, tmp_path / "runs.db")
    held = stored(scored, tmp_path / "runs.db")
    assert [(it.case, it.run) for it in held] == [(f"desk-{case}", epoch) for case in (1, 2, 3) for epoch in (1, 2)]
    assert "match" in {each.scorer for each in held[0].scores}
