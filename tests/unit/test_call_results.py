"""Which results report a failure, and what a call was called with."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reviewer.basics.errors import DeskError
from reviewer.transcripts import desk
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.desk.call_results import LONGEST, arguments_of, failed, reports_failure
from reviewer.transcripts.digests import conversation_digest
from tests.builders import agent, call, stored

FAILURES = [
    "Error: order not found",
    "  error: payment amount does not add up",
    "ERROR - timeout",
    "Error executing tool: division by zero",
    '# var_6 = "Error: non-delivered order cannot be exchanged"',
    "result = 'Error: no such user'",
    '"Error: no such user"',
    "ValueError: bad date",
    "requests.exceptions.ConnectionError: refused",
    "Traceback (most recent call last):\n  File",
    "<tool_use_error>String to replace not found</tool_use_error>",
    '{"error": "not allowed"}',
    '{"error": {"code": 3}}',
    '{"order": 1, "errors": ["no"]}',
    '{"success": false, "order_id": "W1"}',
    '{"ok": "false"}',
    '{"is_error": true, "content": "no"}',
    '{"status": "error"}',
    '{"observation": "Error: user not found"}',
    '[{"type": "text", "text": "Error: user not found"}]',
]
SUCCESSES = [
    "",
    "Transfer successful",
    "No error was found.",
    "Errors are listed in the manual.",
    "Error rates fell to 2%",
    '{"error": null, "order": 1}',
    '{"error": "none"}',
    '{"errors": []}',
    '{"success": true}',
    '{"status": "failed delivery"}',
    '{"orders": [{"error": "label misprint"}, {"error": "none"}]}',
    '{"message": "An error: this was about the invoice"}',
    '{"note": "Error: wrote the customer"}',
    "[" * 100_000,
]


@pytest.mark.parametrize("result", FAILURES)
def test_a_result_that_reports_a_failure_is_recognised(result: str) -> None:
    assert reports_failure(result)


@pytest.mark.parametrize("result", SUCCESSES)
def test_other_results_are_not(result: str) -> None:
    assert not reports_failure(result)


def test_a_very_long_result_is_recognised_by_its_beginning_alone() -> None:
    assert reports_failure("Error: " + "x" * LONGEST)
    assert not reports_failure('{"text": "' + "x" * LONGEST + '", "success": false}')


def test_what_its_source_marks_as_an_error_failed() -> None:
    assert failed(replace(call("cancel_order"), error="refused"))
    assert not failed(call("cancel_order", result=None))


def test_a_desk_may_name_how_its_refusals_begin() -> None:
    known = desk.parse('name = "d"\nrefusals = ["We regret"]\n[tools]\nundo = { class = "undo" }', "d")
    refused = call("undo", result='"we REGRET that this is too late"')
    assert failed(refused, known.refusals)
    assert not failed(refused)
    ended = outcome.of_stored(replace(stored(agent("Sorry.", refused)), desk=known.text))
    assert ended.attempted == ("undo",)
    assert ended.writes == ()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('refusals = "no"', "“refusals” must be a list"),
        ("refusals = [1]", "must hold texts in quotes"),
        ('[tools]\nundo = { class = "undo", compare = "order" }', "`compare` of the tool “undo” must be a list"),
        ('[tools]\nundo = { class = "undo", compare = [""] }', "must hold texts in quotes"),
    ],
)
def test_a_desk_that_names_them_wrongly_is_refused_with_the_line(line: str, said: str) -> None:
    with pytest.raises(DeskError, match=said) as refused:
        desk.parse(f'name = "d"\n{line}', "d")
    assert "line " in str(refused.value)


def test_arguments_are_read_as_json_and_as_python() -> None:
    assert arguments_of(call("a", '{"order_id": "#1"}')) == {"order_id": "#1"}
    assert arguments_of(call("a", "{'order_id': '#1', 'gift': None}")) == {"order_id": "#1", "gift": None}
    for text in ("nonsense", "[1]", "{'a': open('x')}", "{" * 100_000, "{'a': " + "9" * LONGEST + "}"):
        assert arguments_of(call("a", text)) is None


def test_recognising_an_error_leaves_the_digest_alone() -> None:
    refused = call("cancel_order", result="Error: not pending")
    said = stored(agent("Done.", refused))
    before = conversation_digest(said.conversation.messages)
    assert outcome.of_stored(said).attempted == ("cancel",)
    assert said.conversation.messages[0].calls[0].error is None
    assert conversation_digest(said.conversation.messages) == before
