"""promptfoo: the results of an evaluation, one conversation for each test, prompt and provider.

Outputs differ with the version: results in an object (`results.results`), at the top, in a table, or one a line. Tests
have no names of their own, so the same variables are the same case; a provider's second prompt is a configuration.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from reviewer.imports.formats import each
from reviewer.imports.messages import evaluations
from reviewer.imports.messages.content import (
    Tokens,
    cost_of,
    filled,
    first_of,
    listed,
    mapping,
    number_of,
    rest_of,
    score_of,
    text_of,
    text_or_none,
    time_of,
)
from reviewer.imports.messages.exchanges import messages_of
from reviewer.imports.source import Extract, Item, Remark, Source
from reviewer.transcripts.model import Case, Conversation, Message, Run, Score, Usage

NAME = "promptfoo"
TITLE = "promptfoo results"

_ASSERTED = 1
"""The reason of a failure that is no error: a check did not hold."""
_READ = {
    *("id", "provider", "prompt", "vars", "response", "error", "success", "pass", "score", "gradingResult", "cost"),
    *("latencyMs", "namedScores", "testIdx", "promptIdx", "promptId", "testCase", "test", "failureReason", "text"),
    *("tokenUsage", "description", "evaluationId"),
}


def mine(source: Source) -> bool:
    """True if a result has a prompt, a provider and a grading, or stands at the place that promptfoo gives it."""
    record = source.record
    held = record.get("results")
    rows = listed(mapping(held).get("results")) or (held if isinstance(held, list) else [])
    table = mapping(mapping(held).get("table")) or mapping(record.get("table"))
    if _is_result(record) or any(_is_result(row) for row in rows[:3]):
        return True
    if "body" in table and "head" in table:
        return True
    return isinstance(held, Mapping) and "stats" in held and ("evalId" in record or "prompts" in held)


def _is_result(value: Any) -> bool:
    told = mapping(value)
    if "provider" not in told or "prompt" not in told:
        return False
    return bool(told.keys() & {"gradingResult", "namedScores", "promptIdx"}) and bool(
        told.keys() & {"vars", "testCase"}
    )


def read(source: Source) -> Iterator[Item]:
    """A result a conversation."""
    cases = evaluations.Cases()
    prompts: dict[str, list[Any]] = {}
    n = 0
    for position, record in source.records():
        about = mapping(record)
        rows = [(position, record)] if _is_result(record) else list(_rows(about))
        rows = [(position, record)] if not rows and "results" not in about else rows
        for place, row in rows:
            n += 1
            yield from each(place, row, partial(_extract, place, about, cases, prompts))
    if not n:
        yield Remark("an evaluation without any result")


def _rows(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The results of a document, wherever its version keeps them."""
    held = record.get("results")
    inner = mapping(held)
    rows = listed(inner.get("results")) or listed(inner.get("outputs")) or (held if isinstance(held, list) else [])
    yield from ((f"results[{index}]", row) for index, row in enumerate(rows))
    if rows:
        return
    table = mapping(inner.get("table")) or mapping(record.get("table"))
    head = mapping(table.get("head"))
    for index, line in enumerate(map(mapping, listed(table.get("body")))):
        values = zip(map(str, listed(head.get("vars"))), listed(line.get("vars")), strict=False)
        shared = {"vars": dict(values), "testCase": line.get("test"), "testIdx": index}
        for k, output in enumerate(listed(line.get("outputs"))):
            stated = mapping(dict(enumerate(listed(head.get("prompts")))).get(k))
            beside = {"promptIdx": k, "provider": stated.get("provider"), **shared}
            yield f"table row {index}, output {k}", {**beside, **mapping(output)} if mapping(output) else output


def _extract(
    position: str,
    about: Mapping[str, Any],
    cases: evaluations.Cases,
    prompts: dict[str, list[Any]],
    row: Mapping[str, Any],
) -> Extract:
    test = mapping(first_of(row, "testCase", "test"))
    variables = mapping(row.get("vars")) or mapping(test.get("vars"))
    if not any(key in row for key in ("response", "prompt", "text", "error")):
        raise ValueError("no prompt and no response")
    config = mapping(about.get("config"))
    suite = evaluations.short(config.get("description"), "promptfoo")
    shown = {key: value for key, value in variables.items() if not str(key).startswith("__")}
    number = cases.number(shown, test.get("description"))
    model = _model(row, prompts)
    name = f"{suite}-{number}"
    error = text_or_none(row.get("error")) if row.get("failureReason") != _ASSERTED else None
    response = mapping(row.get("response"))
    error = text_or_none(response.get("error")) or error
    return Extract(
        position,
        Conversation(
            model,
            _messages(row, response),
            case=name,
            run=cases.run(number, model),
            id=text_or_none(row.get("id")),
            started=time_of(first_of(about, "timestamp") or mapping(about.get("results")).get("timestamp")),
            ended_by="error" if error else None,
            error=error,
            scores=tuple(_scores(row)),
            meta=filled(
                evaluations.plain(test.get("metadata")),
                latencyMs=row.get("latencyMs"),
                prompt=evaluations.short(_prompt(row).get("label"), ""),
                cached=response.get("cached") or None,
            ),
            extra=filled(
                rest_of(row, _READ),
                test=evaluations.rest(test.get("metadata")),
                response=rest_of(response, ("output", "tokenUsage", "cost", "raw", "error", "cached")),
            ),
            facts=_case(name, suite, test, variables),
            usage=_usage(row, response) if _dialogue(row, response) else None,
        ),
        whole=True,
        run=Run("", None, harness=_harness(about), tools=_tools(row), extra=_settings(row)),
    )


def _prompt(row: Mapping[str, Any]) -> Mapping[str, Any]:
    told = row.get("prompt")
    return {"raw": told} if isinstance(told, str) else mapping(told)


def _model(row: Mapping[str, Any], prompts: dict[str, list[Any]]) -> str:
    """The provider's label or id; a prompt of it that is not its first makes it another configuration."""
    told = row.get("provider")
    name = told if isinstance(told, str) else text_of(mapping(told).get("label")) or text_of(mapping(told).get("id"))
    known = prompts.setdefault(name, [])
    index = row.get("promptIdx")
    if index not in known:
        known.append(index)
    nth = known.index(index)
    return name if nth == 0 else f"{name}+{evaluations.short(_prompt(row).get('label'), f'prompt-{nth + 1}')}"


def _dialogue(row: Mapping[str, Any], response: Mapping[str, Any]) -> list[Any]:
    """The messages of a test that went on for several turns, where its provider tells them."""
    for place in (mapping(response.get("metadata")), mapping(row.get("metadata"))):
        if isinstance(place.get("messages"), list) and len(place["messages"]) > 1:
            return list(place["messages"])
        turns = [mapping(turn) for turn in listed(place.get("redteamHistory"))]
        if turns:
            pairs = [(("user", turn.get("prompt")), ("assistant", turn.get("output"))) for turn in turns]
            return [{"role": role, "content": text_of(said)} for pair in pairs for role, said in pair]
    return []


def _messages(row: Mapping[str, Any], response: Mapping[str, Any]) -> tuple[Message, ...]:
    told = _dialogue(row, response)
    if told:
        return messages_of(told, [])
    asked = evaluations.asked(first_of(response, "prompt") or _prompt(row).get("raw"))
    made = response.get("output") if "output" in response else row.get("text")
    usage = _usage(row, response)
    counts: Tokens = (usage.tokens_in, usage.tokens_out, usage.tokens_reasoning, usage.tokens_cached)
    return messages_of(asked, evaluations.answered(made), counts, cost=usage.cost)


def _usage(row: Mapping[str, Any], response: Mapping[str, Any]) -> Usage:
    told = mapping(response.get("tokenUsage")) or mapping(row.get("tokenUsage"))
    details = mapping(told.get("completionDetails"))
    cost = cost_of(first_of(response, "cost") if response.get("cost") is not None else row.get("cost"))
    names = (told.get("prompt"), told.get("completion"), details.get("reasoning"))
    read, written, thought = map(number_of, names)
    if thought and read is not None and written is not None and told.get("total") == read + written + thought:
        written += thought  # Gemini counts thoughts apart
    return Usage(
        read,
        written,
        thought,
        number_of(details.get("cacheReadInputTokens")),
        cost,
    )


def _scores(row: Mapping[str, Any]) -> Iterator[Score]:
    grading = mapping(row.get("gradingResult"))
    passed = first_of(row, "success", "pass") if grading or "score" in row else None
    if passed is not None:
        number, words = score_of(passed)
        yield Score("pass", number, note=text_or_none(grading.get("reason")), raw=words)
    if row.get("score") is not None:
        number, words = score_of(row["score"])
        yield Score("score", number, raw=words)
    named = dict(mapping(row.get("namedScores")))
    for part in map(mapping, listed(grading.get("componentResults"))):
        check = mapping(part.get("assertion"))
        name = text_of(check.get("metric")) or text_of(check.get("type")) or "check"
        named.pop(name, None)
        number, words = score_of(first_of(part, "score", "pass"))
        judge = check.get("provider")
        yield Score(name, number, judge if isinstance(judge, str) else None, text_or_none(part.get("reason")), words)
    yield from evaluations.scores_of(named)


def _case(name: str, suite: str, test: Mapping[str, Any], variables: Mapping[str, Any]) -> Case:
    checks = [mapping(check) for check in listed(test.get("assert"))]
    wanted = [check.get("value") for check in checks if isinstance(check.get("value"), str)]
    goal = text_or_none(test.get("description"))
    extra = filled(vars=rest_of(variables, ()), checks=[dict(check) for check in checks])
    return Case(name, suite, goal=goal, expected=evaluations.expected_in(wanted), extra=extra)


def _harness(about: Mapping[str, Any]) -> str:
    version = text_of(mapping(about.get("metadata")).get("promptfooVersion"))
    return " ".join(part for part in ("promptfoo", version) if part)


def _tools(row: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    tools = listed(mapping(_prompt(row).get("config")).get("tools"))
    return tuple(tool for tool in tools if isinstance(tool, Mapping))


def _settings(row: Mapping[str, Any]) -> Mapping[str, Any] | None:
    return rest_of(mapping(_prompt(row).get("config")), ("tools",))
