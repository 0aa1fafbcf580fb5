"""The results of evaluation harnesses: promptfoo, lm-evaluation-harness, DeepEval, MLflow, Braintrust, HELM."""

from __future__ import annotations

import json
from typing import Any

from tests.variants.kit import ASK, CALL, SAID, SHORT, Variant, lines

GRADED = {
    "pass": False,
    "score": 0.5,
    "reason": "too short",
    "componentResults": [
        {"pass": True, "score": 1, "reason": "ok", "assertion": {"type": "contains", "value": "Shipped"}},
        {"pass": False, "score": 0, "reason": "curt", "assertion": {"type": "llm-rubric", "metric": "tone"}},
    ],
}


def result(raw: str, output: Any, **more: Any) -> dict[str, Any]:
    """One result of promptfoo."""
    usage = {"total": 9, "prompt": 6, "completion": 3, "completionDetails": {"reasoning": 1}}
    test = {"vars": {"order": "#7"}, "assert": [{"type": "contains", "value": "Shipped"}], "description": "asks"}
    return {
        "id": "r",
        "promptIdx": 0,
        "testIdx": 0,
        "provider": {"id": "openai:m", "label": ""},
        "prompt": {"raw": raw, "label": "desk"},
        "vars": test["vars"],
        "testCase": test,
        "response": {"output": output, "tokenUsage": usage, "cost": 0.25, "cached": False},
        "success": False,
        "score": 0.5,
        "failureReason": 1,
        "error": "too short",
        "latencyMs": 12,
        "namedScores": {"tone": 0, "fluency": 0.9},
        "gradingResult": GRADED,
        **more,
    }


def promptfoo() -> dict[str, Variant]:
    """Results in an object, at the top, in a table, a line each."""
    asked = json.dumps([{"role": "system", "content": "Be kind."}, ASK])
    later = result(asked, [CALL], promptIdx=1, prompt={"raw": asked, "label": "x" * 99})
    again = result("Where is #7?", "", testIdx=1, error="429", failureReason=2, gradingResult=None)
    talk = result("-", "User: Where is #7?", metadata={"messages": [ASK, SAID]})
    document = {
        "evalId": "eval-1",
        "config": {"description": "desk"},
        "metadata": {"promptfooVersion": "0.120.0"},
        "results": {
            "version": 3,
            "timestamp": "2026-01-01T00:00:00Z",
            "stats": {},
            "results": [result("Where is #7?", "Shipped."), later, again, talk],
        },
    }
    output = {"pass": True, "score": 1, "text": "Shipped.", "prompt": "Where is #7?", "latencyMs": 3, "cost": 0}
    table = {
        "head": {"prompts": [{"provider": "openai:m", "raw": "Where is {{order}}?"}], "vars": ["order"]},
        "body": [{"outputs": [output], "vars": ["#7"], "test": {"vars": {"order": "#7"}}}],
    }
    called = 'agent get_order({"id":7}) = ?'
    return {
        "promptfoo.json": Variant(
            "promptfoo",
            document,
            [SHORT, ["system Be kind.", "customer Where is #7?", called], ["customer Where is #7?", "agent"], SHORT],
        ),
        "promptfoo.jsonl": Variant(
            "promptfoo",
            lines(result("Where is #7?", {"status": "shipped"})),
            [
                ["customer Where is #7?", 'agent {"status":"shipped"}'],
            ],
        ),
        "promptfoo-table.json": Variant(
            "promptfoo", {"results": {"version": 1, "stats": {}, "table": table}, "config": {}}, [SHORT]
        ),
    }


def sample(number: int, arguments: Any, answers: Any, **more: Any) -> dict[str, Any]:
    """A row of lm-evaluation-harness."""
    told = {"doc_id": number, "doc": {"question": "Where is #7?"}, "target": "Shipped.", "doc_hash": "d"}
    return {**told, "arguments": arguments, "resps": answers, "filtered_resps": answers[0], **more}


def lm_eval() -> dict[str, Variant]:
    """Samples with filters and repeats, with given answers that were weighed, in the older shape, and by task."""
    asked = {"gen_args_0": {"arg_0": "Where is #7?", "arg_1": {"until": [], "temperature": 0.5}}}
    strict = {"filter": "strict", "metrics": ["exact_match"], "exact_match": 0.0}
    rows = [
        sample(0, asked, [["Shipped.", "4"]], **strict),
        sample(1, asked, [[""]], **strict),
        sample(0, asked, [["Shipped.", "4"]], filter="loose", metrics=["exact_match"], exact_match=1.0),
    ]
    chat = json.dumps([{"role": "system", "content": "Be kind."}, ASK])
    weighed = {
        f"gen_args_{k}": {"arg_0": "Where is #7?", "arg_1": word} for k, word in enumerate((" Lost.", " Shipped."))
    }
    choices = sample(0, weighed, [[["-3.5", "False"]], [[-1.25, False]]], acc=1.0, filter="none")
    rolling = sample(0, [["A long text."]], [[-12.5]], word_perplexity=[-12.5, 3])
    return {
        "samples_orders_2026-01-01T00-00-00.0.jsonl": Variant(
            "lm-eval",
            lines(*rows),
            [SHORT, ["customer Where is #7?", "agent 4"], ["customer Where is #7?", "agent"]],
        ),
        "samples_chat.jsonl": Variant(
            "lm-eval", lines(sample(0, [[chat, {}]], [["Shipped."]])), [["system Be kind.", *SHORT]]
        ),
        "samples_choices.jsonl": Variant("lm-eval", lines(choices), [["customer Where is #7?", "agent  Shipped."]]),
        "samples_rolling.jsonl": Variant("lm-eval", lines(rolling), [["customer A long text."]]),
        "lm-eval.json": Variant(
            "lm-eval", {"results": {}, "samples": {"orders": rows[1:2]}}, [["customer Where is #7?", "agent"]]
        ),
    }


def evaluations() -> dict[str, Variant]:
    """All of them."""
    return {**promptfoo(), **lm_eval()}
