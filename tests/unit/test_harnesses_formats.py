"""What a sketch does not show of logged requests and of evaluation harnesses: times, tokens, scores, ids."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from reviewer.imports import formats
from reviewer.imports.messages import call_tags
from reviewer.imports.source import BadRecord, Extract, Item, Remark, Source
from reviewer.transcripts.model import Conversation, Usage
from tests import variants
from tests.variants import requests
from tests.variants.kit import lines


def items(folder: Path, name: str, held: Any) -> list[Item]:
    """What the format that claims a file makes of it."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(held if isinstance(held, bytes) else json.dumps(held).encode())
    source = Source(path, name)
    format = formats.recognised(source)
    assert format is not None
    return list(format.read(source))


def found(folder: Path, name: str, held: Any = None) -> list[Extract]:
    """The conversations of a file, or of a variant by its name."""
    held = variants.every()[name].held if held is None else held
    return [item for item in items(folder, name, held) if isinstance(item, Extract)]


def told(folder: Path, name: str, held: Any = None) -> list[Conversation]:
    """The same without where they stood."""
    return [item.conversation for item in found(folder, name, held)]


def test_converse_counts_what_came_from_the_cache_among_the_tokens_in(tmp_path: Path) -> None:
    alone, session = found(tmp_path, "converse-session.jsonl")
    last = session.conversation.messages[-1]
    assert (last.tokens_in, last.tokens_cached, last.tokens_out, last.at) == (16, 6, 4, "2026-01-01T00:00:02Z")
    assert (session.conversation.id, session.conversation.model) == ("s", "m")
    assert session.run is not None
    assert session.run.tools == tuple(requests.TOOLS["tools"])
    assert alone.conversation.messages[-1].extra == {"stop": "end_turn"}


def test_an_invocation_says_its_model_id_tokens_and_what_failed(tmp_path: Path) -> None:
    streamed, llama, nova, _, failed = told(tmp_path, "invocations.jsonl")
    assert (streamed.model, streamed.id, streamed.started) == ("some.model-v1:0", "r1", "2026-01-01T00:00:00Z")
    assert [(it.messages[-1].tokens_in, it.messages[-1].tokens_out) for it in (streamed, llama, nova)] == [
        *((12, 5), (9, 3), (3, 2)),
    ]
    assert (failed.ended_by, failed.error) == ("error", "ThrottlingException")
    assert streamed.meta is not None
    assert streamed.meta["operation"] == "InvokeModel"


def test_bodies_that_stand_elsewhere_are_counted(tmp_path: Path) -> None:
    log = requests.invocation("r", "2026-01-01T00:00:00Z", None, None)
    log["input"] = {"inputBodyS3Path": "s3://bucket/key"}
    log["output"] = {}
    said = [item.text for item in items(tmp_path, "far.jsonl", lines(log)) if isinstance(item, Remark)]
    assert said == [
        "1 requests without a message of a model: passed over",
        "1 requests whose bodies stand in files of their own on S3: not read",
    ]


def test_a_request_alone_keeps_its_empty_messages(tmp_path: Path) -> None:
    empty = {"role": "user", "content": [{"text": ""}]}
    held = {"request": {"modelId": "m", "messages": [empty, empty]}, "response": requests.converse(requests.SHIPPED)}
    (it,) = told(tmp_path, "empty.json", held)
    assert [message.text for message in it.messages] == ["", "", "Shipped."]


def test_a_spoilt_row_is_kept_beside_the_good_ones(tmp_path: Path) -> None:
    good = {
        "request": {"modelId": "m", "messages": [requests.ASKED]},
        "response": requests.converse(requests.SHIPPED),
    }
    read = items(tmp_path, "some.jsonl", lines(good, 7, {"request": {}}, {**good, "sessionId": "s"}))
    assert [type(item) for item in read] == [Extract, BadRecord, BadRecord, Extract]


def test_a_session_of_litellm_has_its_cost_times_and_tokens_at_each_answer(tmp_path: Path) -> None:
    session, failed = found(tmp_path, "litellm.jsonl")
    it = session.conversation
    assert (it.id, it.model, it.started, it.ended) == (
        *("s", "m", "2027-01-15T08:00:00.000+00:00"),
        "2027-01-15T08:00:06.000+00:00",
    )
    assert [(m.at, m.cost, m.tokens_in, m.tokens_cached, m.tokens_out) for m in it.messages if m.role == "agent"] == [
        ("2027-01-15T08:00:01.000+00:00", 0.25, 11, 8, 3),
        ("2027-01-15T08:00:06.000+00:00", 0.25, 11, 8, 3),
    ]
    assert it.meta is not None
    assert it.meta["tags"] == ["demo"]
    assert session.run is not None
    assert session.run.extra == {"temperature": 0}
    assert (failed.conversation.id, failed.conversation.error) == ("c", "Timeout")


def test_what_failed_and_was_tried_again_is_no_end_of_the_session(tmp_path: Path) -> None:
    ask = [{"role": "user", "content": "Hi."}]
    rows = [
        requests.litellm("a", 1_800_000_000.0, ask, {}, session_id="s", status="failure", error_str="busy"),
        requests.litellm(
            "b", 1_800_000_009.0, ask, requests.completion({"role": "assistant", "content": "Yes?"}), session_id="s"
        ),
    ]
    (it,) = told(tmp_path, "again.jsonl", lines(*rows))
    assert [(m.role, m.text) for m in it.messages] == [("customer", "Hi."), ("agent", "Yes?")]
    assert (it.ended_by, it.error) == (None, None)
    assert it.extra is not None
    assert it.extra["errors"] == ["busy"]


def test_headers_of_a_logged_request_are_not_kept(tmp_path: Path) -> None:
    row = requests.litellm(
        "a", 1_800_000_000.0, [{"role": "user", "content": "Hi."}], requests.completion({"role": "assistant"})
    )
    row["proxy_server_request"] = {"headers": {"authorization": "Bearer secret"}, "url": "u", "body": {"top_p": 1}}
    (it,) = found(tmp_path, "keys.jsonl", lines(row))
    assert "secret" not in repr(it)
    assert it.run is not None
    assert it.run.extra == {"temperature": 0, "top_p": 1}


def test_helicone_scores_properties_and_tools(tmp_path: Path) -> None:
    far = requests.helicone("3", "2026-01-01T00:00:09Z", {}, {}, signed_body_url="https://bodies.example/3")
    read = items(tmp_path, "helicone.jsonl", variants.every()["helicone.jsonl"].held + lines(far))
    assert [item.text for item in read if isinstance(item, Remark)] == [
        "1 rows without a message of a model, whose bodies were not stored or stand elsewhere: passed over",
    ]
    busy, session = (item for item in read if isinstance(item, Extract))
    assert (busy.conversation.error, busy.conversation.ended_by) == ("busy", "error")
    it = session.conversation
    assert [(score.scorer, score.value) for score in it.scores] == [("feedback", 1.0), ("tone", 80.0)]
    assert it.meta == {"name": "Desk", "provider": "OPENAI", "plan": "pro"}
    assert [message.cost for message in it.messages] == [None, None, 0.5, 0.5]
    assert session.run is not None
    assert [tool["name"] for tool in session.run.tools] == ["get_order"]


def test_portkey_counts_in_cents(tmp_path: Path) -> None:
    (it,) = told(tmp_path, "portkey.jsonl")
    assert (it.messages[-1].cost, it.messages[-1].tokens_in, it.messages[-1].tokens_out) == (0.25, 4, 2)


def test_rows_that_are_no_chat_are_counted(tmp_path: Path) -> None:
    row = requests.litellm("e", 1.8e9, "", {"object": "list", "data": []}, call_type="aembedding")
    (said,) = items(tmp_path, "vectors.jsonl", lines(row))
    assert isinstance(said, Remark)


def test_tools_of_shared_conversations_come_from_the_field_or_the_prompt(tmp_path: Path) -> None:
    for name in ("glaive.json", "hermes.json", "hermes-chat.jsonl", "xlam.json"):
        (it,) = found(tmp_path, name)
        assert it.run is not None
        assert [tool["name"] for tool in it.run.tools] == ["get_order"]


def test_only_calls_in_words_are_marked_so(tmp_path: Path) -> None:
    (glaive,) = told(tmp_path, "glaive.json")
    (hermes,) = told(tmp_path, "hermes.json")
    assert [call.extra for message in glaive.messages for call in message.calls] == [None]
    assert [call.extra for message in hermes.messages for call in message.calls] == [{"from_text": True}] * 3
    assert (hermes.id, hermes.messages[3].source_role) == ("h", "gpt")


def test_tags_without_an_end_are_read_in_a_straight_line() -> None:
    text = "<tool_call>{" * 200_000
    assert call_tags.calls_in(text) == ()
    assert call_tags.responses_in("<tool_response>" * 200_000 + "x") == ["<tool_response>" * 200_000 + "x"]


def test_promptfoo_scores_cases_runs_and_configurations(tmp_path: Path) -> None:
    read = found(tmp_path, "promptfoo.json")
    first, called, failed, talk, gemini, _ = (item.conversation for item in read)
    assert (gemini.messages[-1].tokens_in, gemini.messages[-1].tokens_out) == (6, 4)
    assert [(it.model, it.case, it.run) for it in (first, called, failed, talk)] == [
        ("openai:m", "desk-0", None),
        ("openai:m+prompt-2", "desk-0", None),
        ("openai:m", "desk-0", 2),
        ("openai:m", "desk-0", 3),
    ]
    assert [(score.scorer, score.value, score.note) for score in first.scores] == [
        ("pass", 0.0, "too short"),
        ("score", 0.5, None),
        ("contains", 1.0, "ok"),
        ("tone", 0.0, "curt"),
        ("fluency", 0.9, None),
    ]
    last = first.messages[-1]
    assert (last.tokens_in, last.tokens_out, last.tokens_reasoning, last.cost) == (6, 3, 1, 0.25)
    assert (first.error, failed.error, failed.ended_by) == (None, "429", "error")
    assert talk.usage is not None
    assert (talk.usage.tokens_in, talk.messages[-1].tokens_in) == (6, None)
    assert first.facts is not None
    assert (first.facts.suite, first.facts.goal, first.facts.expected) == ("desk", "asks", ("Shipped",))
    assert all(item.whole for item in read)
    assert read[0].run is not None
    assert read[0].run.harness == "promptfoo 0.120.0"


def test_an_evaluation_without_results_says_so(tmp_path: Path) -> None:
    held = {"evalId": "e", "results": {"version": 3, "stats": {}, "results": []}}
    assert [type(item) for item in items(tmp_path, "none.json", held)] == [Remark]


def test_lm_eval_takes_the_model_from_beside_and_joins_the_filters(tmp_path: Path) -> None:
    folder = tmp_path / "org__model"
    folder.mkdir()
    name = "samples_orders_2026-01-01T00-00-00.0.jsonl"
    first, second, third = found(folder, name, variants.every()[name].held)
    it = first.conversation
    assert (it.model, it.case, it.run, second.conversation.run) == ("org/model", "orders-0", 1, 2)
    assert [(score.scorer, score.value, score.note) for score in it.scores] == [
        ("exact_match,strict", 0.0, "Shipped."),
        ("exact_match,loose", 1.0, "Shipped."),
    ]
    assert it.facts is not None
    assert (it.facts.suite, it.facts.expected) == ("orders", ("Shipped.",))
    assert (third.conversation.case, third.conversation.run) == ("orders-1", None)
    about = {"model_name": "org/named", "lm_eval_version": "0.4.9", "date": 1.8e9, "n-shot": {"orders": 5}}
    (folder / "results_2026-01-01T00-00-00.0.json").write_text(json.dumps(about))
    (first, *_) = found(folder, name, variants.every()[name].held)
    assert (first.conversation.model, first.conversation.started) == ("org/named", "2027-01-15T08:00:00.000+00:00")
    assert first.run is not None
    assert first.run.harness == "lm-eval 0.4.9"
    assert first.run.extra == {"settings": {"until": [], "temperature": 0.5}, "shots": 5}


def test_weighed_answers_keep_their_weights(tmp_path: Path) -> None:
    (it,) = told(tmp_path, "samples_choices.jsonl")
    assert it.extra is not None
    assert it.extra["chosen_among"] == [
        {"answer": " Lost.", "loglikelihood": -3.5},
        {"answer": " Shipped.", "loglikelihood": -1.25},
    ]
    assert [(score.scorer, score.value) for score in it.scores] == [("acc", 1.0)]


def test_deepeval_metrics_facts_and_tokens(tmp_path: Path) -> None:
    first, talk = found(tmp_path, "deepeval.json")
    it = first.conversation
    assert (it.model, it.case, it.messages[1].tokens_in, it.messages[1].cost) == ("m", "deepeval-test_case_0", 5, 0.5)
    assert [(score.scorer, score.value, score.judge, score.note) for score in it.scores] == [
        ("success", 0.0, None, None),
        ("Tone [GEval]", 0.4, "judge", "curt"),
    ]
    assert it.messages[1].calls[0].extra == {"reasoning": "Hm."}
    assert it.facts is not None
    assert it.facts.expected == ("It left.",)
    facts = talk.conversation.facts
    assert facts is not None
    assert (facts.goal, facts.persona) == ("asks", "hurried")
    assert first.run is not None
    assert (first.run.harness, first.run.judge) == ("deepeval", "judge")


def test_tests_of_one_name_and_other_inputs_are_other_cases(tmp_path: Path) -> None:
    def case(asked: str) -> dict[str, Any]:
        return {"name": "test_it", "input": asked, "actualOutput": "Yes.", "metricsData": [{"threshold": 0.5}]}

    mocks = {**case("B?"), "additionalMetadata": {"flow": "B", "mocks": {"get_order": ["shipped"]}}}
    held = {"testRunData": {"testCases": [case("A?"), mocks, case("A?")]}}
    read = told(tmp_path, "run.json", held)
    assert [(it.case, it.run) for it in read] == [
        ("deepeval-test_it-0", None),
        ("deepeval-test_it-1", None),
        ("deepeval-test_it-0", 2),
    ]
    assert read[1].meta == {"flow": "B"}
    assert read[1].extra == {"metadata": {"mocks": {"get_order": ["shipped"]}}, "metrics": [{"threshold": 0.5}]}


def test_mlflow_sessions_assessments_and_tables(tmp_path: Path) -> None:
    (it,) = told(tmp_path, "mlflow.jsonl")
    assert (it.id, it.model, it.started) == ("s", "m", "2027-01-15T08:00:00.000+00:00")
    assert (it.messages[1].tokens_in, it.messages[1].tokens_out, it.messages[1].cost) == (7, 2, 0.5)
    assert [(score.scorer, score.value, score.judge, score.note) for score in it.scores] == [
        ("tone", 0.5, "me", "curt")
    ]
    assert it.meta == {"user": "u", "demo": "1"}
    assert it.extra == {"expected": {"right": "It left."}}
    (old,) = told(tmp_path, "mlflow-old.json")
    assert (old.error, old.id) == ("gone", "r")
    first, second = told(tmp_path, "mlflow-table.json")
    assert [(score.scorer, score.value, score.note) for score in first.scores] == [("tone/v1", 4.0, "curt")]
    assert (first.case, second.case, first.extra) == ("mlflow-0", "mlflow-1", {"ari_grade": 1.5})


def test_braintrust_scores_come_once_with_their_reasons(tmp_path: Path) -> None:
    (row,) = found(tmp_path, "braintrust.jsonl")
    it = row.conversation
    assert (it.id, it.model, it.case, it.run) == ("a", "m", "braintrust-0", None)
    assert [(score.scorer, score.value, score.note) for score in it.scores] == [
        ("tone", 0.5, "curt"),
        ("exact", 0.0, None),
    ]
    assert it.facts is not None
    assert it.facts.expected == ("It left.",)
    assert row.run is not None
    assert row.run.tools == ({"name": "get_order"},)
    (page,) = told(tmp_path, "braintrust-page.json")
    said = page.messages[1]
    assert (said.tokens_in, said.tokens_out, said.cost, said.at) == (5, 2, 0.5, "2027-01-15T08:00:01.000+00:00")


def test_deepeval_cases_that_somebody_wrote_down(tmp_path: Path) -> None:
    case = {
        "input": "Where is #7?",
        "actual_output": "It left.",
        "expected_output": "It left.",
        "metrics": [{"name": "Faithfulness", "score": 0.5, "passed": False, "reason": "no proof"}],
        "timestamp": "2026-01-01T00:00:00",
        "completionTime": 2,
    }
    (it,) = told(tmp_path, "results.json", [case])
    assert [(each.scorer, each.value, each.note) for each in it.scores] == [("Faithfulness", 0.5, "no proof")]
    assert it.extra is not None
    assert it.extra["timestamp"] == "2026-01-01T00:00:00"
    (it,) = told(
        tmp_path, "results.json", [{**case, "metrics": {"Tone": 0.25, "Bias": {"score": 1, "reason": "none"}}}]
    )
    assert [(each.scorer, each.value, each.note) for each in it.scores] == [("Tone", 0.25, None), ("Bias", 1.0, "none")]


def test_lm_eval_reads_a_chat_that_was_sent_to_a_service(tmp_path: Path) -> None:
    chat = json.dumps([{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Where is #7?"}])
    row = {
        "doc_id": 0,
        "doc": {"q": "Where is #7?"},
        "target": "There.",
        "arguments": {"gen_args_0": {"arg_0": [chat], "arg_1": {"until": []}}},
        "resps": [["There."]],
        "filtered_resps": ["There."],
        "exact_match": 1.0,
    }
    (it,) = told(tmp_path, "samples_orders_2026.jsonl", lines(row))
    assert variants.sketch(it) == ["system Be kind.", "customer Where is #7?", "agent There."]


def test_helm_takes_scores_and_the_suite_from_beside(tmp_path: Path) -> None:
    name = {"name": "exact_match", "split": "test"}
    counts = [{"name": {"name": f"num_{kind}_tokens"}, "mean": n} for kind, n in (("prompt", 9.0), ("completion", 2.0))]
    stats = [{"name": name, "count": 1, "mean": 1.0}, *counts]
    marks = [{"instance_id": "id7", "train_trial_index": 1, "stats": stats}]
    (tmp_path / "per_instance_stats.json").write_text(json.dumps(marks))
    (tmp_path / "run_spec.json").write_text(json.dumps({"name": "orders:subject=x,model=org_m"}))
    read = found(tmp_path, "scenario_state.json")
    first, chat, typo = (item.conversation for item in read)
    assert [(it.model, it.case, it.run) for it in (first, chat, typo)] == [
        ("org/m", "orders-id7", 1),
        ("org/m", "orders-id7", 2),
        ("org/m", "orders-id7-typos", 1),
    ]
    assert [len(it.scores) for it in (first, chat, typo)] == [0, 3, 0]
    assert [it.usage for it in (first, chat)] == [None, Usage(9, 2)]
    assert (typo.ended_by, typo.error) == ("error", "429")
    assert first.messages[-1].extra == {"other_choices": [" Lost."]}
    assert first.facts is not None
    assert first.facts.expected == ("Shipped.",)
    assert read[0].run is not None
    assert (read[0].run.prompt, read[0].run.harness) == ("Answer.", "helm")


def test_text_that_looks_like_a_body_stays_text(tmp_path: Path) -> None:
    row = requests.litellm("a", 1.8e9, '{"x": 1}', '{"answer": "Yes."}')
    (it,) = told(tmp_path, "texts.jsonl", lines(row))
    assert [message.text for message in it.messages] == ['{"x": 1}', '{"answer": "Yes."}']
