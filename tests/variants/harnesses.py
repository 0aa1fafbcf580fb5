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
    parts = [{"text": "Hm.", "thought": True}, {"functionCall": {"name": "get_order", "args": {"id": 7}}}]
    gemini = result("Where is #7?", parts, testIdx=3)
    gemini["response"]["tokenUsage"] |= {"total": 10}
    written = result("Where is #7?", '{"answer": "Shipped."}', testIdx=4)
    talk = result("-", "User: Where is #7?", metadata={"messages": [ASK, SAID]})
    document = {
        "evalId": "eval-1",
        "config": {"description": "desk"},
        "metadata": {"promptfooVersion": "0.120.0"},
        "results": {
            "version": 3,
            "timestamp": "2026-01-01T00:00:00Z",
            "stats": {},
            "results": [result("Where is #7?", "Shipped."), later, again, talk, gemini, written],
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
            [
                SHORT,
                ["system Be kind.", "customer Where is #7?", called],
                ["customer Where is #7?", "agent"],
                SHORT,
                ["customer Where is #7?", 'agent <Hm.> get_order({"id":7}) = ?'],
                ["customer Where is #7?", 'agent {"answer": "Shipped."}'],
            ],
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


def deepeval() -> dict[str, Variant]:
    """A run with cases and conversations, a case alone, and results as they are dumped."""
    metric = {"name": "Tone [GEval]", "score": 0.4, "success": False, "reason": "curt", "evaluationModel": "judge"}
    called = {"name": "get_order", "inputParameters": {"id": 7}, "output": {"status": "shipped"}, "reasoning": "Hm."}
    case: dict[str, Any] = {
        "name": "test_case_0",
        "input": "Where is #7?",
        "actualOutput": "Shipped.",
        "expectedOutput": "It left.",
    }
    case |= {"success": False, "metricsData": [metric], "toolsCalled": [called], "inputTokenCount": 5, "tokenCost": 0.5}
    user = {"role": "user", "content": "Where is #7?", "order": 0}
    talk: dict[str, Any] = {
        "name": "talk",
        "success": True,
        "metricsData": None,
        "scenario": "asks",
        "userDescription": "hurried",
    }
    talk["turns"] = [user, {"role": "assistant", "content": "Shipped.", "toolsCalled": [{**called, "output": None}]}]
    run = {"testFile": "t", "testCases": [case], "conversationalTestCases": [talk], "hyperparameters": {"model": "m"}}
    snake: dict[str, Any] = {
        "name": "one",
        "input": "Where is #7?",
        "actual_output": "",
        "metrics_data": [],
        "success": None,
    }
    alone = {"turns": [user, {**SAID}], "scenario": "asks", "expected_outcome": "told", "chatbot_role": "desk"}
    given = 'get_order({"id":7})'
    return {
        "deepeval.json": Variant(
            "deepeval",
            {"testRunData": run},
            [
                ["customer Where is #7?", f'agent Shipped. {given} = {{"status":"shipped"}}'],
                ["customer Where is #7?", f"agent Shipped. {given} = ?"],
            ],
        ),
        "deepeval-results.json": Variant("deepeval", {"test_results": [snake]}, [["customer Where is #7?", "agent"]]),
        "deepeval-case.jsonl": Variant("deepeval", lines(alone), [SHORT]),
    }


def _noted(**values: Any) -> dict[str, str]:
    return {f"mlflow.{key}": json.dumps(value) for key, value in values.items()}


def mlflow() -> dict[str, Variant]:
    """Traces of one session, a trace in the older shape, and a table."""
    called: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    answer = {"choices": [{"message": called}], "model": "m"}
    result = {"role": "tool", "tool_call_id": "c1", "content": "shipped"}

    def span(id: str, at: int, kind: str, given: Any, made: Any, **more: Any) -> dict[str, Any]:
        nanoseconds = 1_800_000_000_000_000_000 + at * 1_000_000_000
        told: dict[str, Any] = {"trace_id": "x", "span_id": id, "name": id}
        told["parent_span_id"] = None if id == "a" else "a"
        told |= {"start_time_unix_nano": nanoseconds, "end_time_unix_nano": nanoseconds + 500_000_000}
        noted = _noted(spanType=kind, spanInputs=given, spanOutputs=made, **more)
        return {**told, "status": {"code": "STATUS_CODE_OK", "message": ""}, "attributes": noted}

    usage = {"chat.tokenUsage": {"input_tokens": 7, "output_tokens": 2}, "llm.cost": {"total_cost": 0.5}}
    spans = [
        span("a", 0, "AGENT", {"question": "Where is #7?"}, "Shipped."),
        span("b", 1, "CHAT_MODEL", {"messages": [ASK], "model": "m"}, answer, **usage),
        span("get_order", 2, "TOOL", {"id": 7}, "shipped"),
        span("c", 3, "CHAT_MODEL", {"messages": [ASK, called, result]}, {"choices": [{"message": SAID}]}),
    ]
    marks = [
        {"assessment_name": "tone", "source": {"source_id": "me"}, "feedback": {"value": 0.5}, "rationale": "curt"},
        {"assessment_name": "right", "source": {"source_type": "HUMAN"}, "expectation": {"value": "It left."}},
    ]
    about = {"mlflow.trace.session": "s", "mlflow.trace.user": "u"}
    info = {"trace_id": "tr-1", "trace_metadata": about, "tags": {"mlflow.x": "y", "demo": "1"}, "assessments": marks}
    later = [span("d", 9, "CHAT_MODEL", {"messages": [{"role": "user", "content": "Thanks."}]}, "Bye.")]
    second = {"info": {"trace_id": "tr-2", "trace_metadata": about}, "data": {"spans": later}}
    old: dict[str, Any] = {"name": "d", "context": {"span_id": "1", "trace_id": "t"}, "parent_id": None}
    old |= {"start_time": 1, "end_time": 2}
    old |= {"status_code": "ERROR", "status_message": "gone"}
    old["attributes"] = {"mlflow.spanInputs": "Where is #7?", "mlflow.spanOutputs": "Shipped."}
    columns = ["inputs", "outputs", "targets", "tone/v1/score", "tone/v1/justification", "ari_grade"]
    asked = {"question": "Where is #7?"}
    cells = [["Where is #7?", "Shipped.", "It left.", 4, "curt", 1.5], [asked, "", None, None, None, 0]]
    table = {"columns": columns, "data": cells}
    told = ["customer Where is #7?", 'agent get_order({"id":7}) = shipped', "agent Shipped."]
    return {
        "mlflow.jsonl": Variant(
            "mlflow",
            lines({"info": info, "data": {"spans": spans}}, second),
            [[*told, "customer Thanks.", "agent Bye."]],
        ),
        "mlflow-old.json": Variant(
            "mlflow",
            {"info": {"request_id": "r"}, "data": {"spans": [old]}},
            [SHORT],
        ),
        "mlflow-table.json": Variant("mlflow", table, [SHORT, ["customer Where is #7?", "agent"]]),
    }


def braintrust() -> dict[str, Variant]:
    """A trace of an experiment with its scorer, a page of logs, a dataset."""

    def row(id: str, kind: str, at: int, given: Any, made: Any, **more: Any) -> dict[str, Any]:
        told: dict[str, Any] = {"id": id, "span_id": id, "root_span_id": "a"}
        told["span_parents"] = [] if id == "a" else ["a"]
        told |= {"span_attributes": {"type": kind, "name": id}, "created": f"2026-01-01T00:00:0{at}Z"}
        return {**told, "input": given, "output": made, "is_root": id == "a", "experiment_id": "e", **more}

    about = {"metadata": {"model": "m", "tools": [{"name": "get_order"}]}}
    metrics = {"start": 1.8e9, "end": 1.8e9 + 1, "prompt_tokens": 5, "completion_tokens": 2, "estimated_cost": 0.5}
    called = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    result = {"role": "tool", "tool_call_id": "c1", "content": "shipped"}
    trace = [
        row("c", "llm", 3, [ASK, called, result], [{"index": 0, "message": SAID}]),
        row("b", "llm", 1, [ASK], called, **about),
        row("get_order", "tool", 2, {"id": 7}, "shipped"),
        row("tone", "score", 5, {}, 0.5, scores={"tone": 0.5}, metadata={"rationale": "curt"}),
        row(
            "a",
            "eval",
            0,
            "Where is #7?",
            "Shipped.",
            expected="It left.",
            scores={"tone": 0.5, "exact": 0},
            tags=["x"],
        ),
    ]
    one = row("a", "llm", 0, [ASK], [{"message": SAID}], metrics=metrics)
    wish = {
        "id": "d",
        "dataset_id": "s",
        "_xact_id": "1",
        "input": {"question": "Where is #7?"},
        "expected": "It left.",
    }
    told = ["customer Where is #7?", 'agent get_order({"id":7}) = shipped', "agent Shipped."]
    return {
        "braintrust.jsonl": Variant("braintrust", lines(*trace), [told]),
        "braintrust-page.json": Variant("braintrust", {"events": [one]}, [SHORT]),
        "braintrust-dataset.jsonl": Variant("braintrust", lines(wish), [["customer Where is #7?"]]),
    }


def helm() -> dict[str, Variant]:
    """A scenario with trials, an instance that was changed, and a request that failed."""
    references = [{"output": {"text": "Shipped."}, "tags": ["correct"]}, {"output": {"text": "Lost."}, "tags": []}]
    instance = {"input": {"text": "Where is #7?"}, "references": references, "split": "test", "id": "id7"}
    said = [{"text": " Shipped.", "logprob": -1, "tokens": []}, {"text": " Lost."}]
    good = {
        "success": True,
        "completions": said,
        "cached": False,
        "request_time": 0.5,
        "request_datetime": 1_800_000_000,
    }
    state = {
        "instance": instance,
        "reference_index": None,
        "request_mode": None,
        "train_trial_index": 0,
        "result": good,
    }
    state["request"] = {"model": "org/m", "prompt": "Q: Where is #7?\nA:", "temperature": 0.0}
    chat = {**state, "train_trial_index": 1, "request": {"messages": [{"role": "system", "content": "Be kind."}, ASK]}}
    bad = {"success": False, "error": "429", "completions": []}
    typo = {**state, "instance": {**instance, "perturbation": {"name": "typos"}}, "result": bad}
    spec = {"model": "org/m", "method": "generation", "instructions": "Answer.", "temperature": 0.0}
    return {
        "scenario_state.json": Variant(
            "helm",
            {"adapter_spec": spec, "request_states": [state, chat, typo]},
            [
                ["customer Q: Where is #7?\nA:", "agent  Shipped."],
                ["system Be kind.", "customer Where is #7?", "agent  Shipped."],
                ["customer Q: Where is #7?\nA:"],
            ],
        )
    }


def harnesses() -> dict[str, Variant]:
    """All of them."""
    return {**promptfoo(), **lm_eval(), **deepeval(), **mlflow(), **braintrust(), **helm()}
