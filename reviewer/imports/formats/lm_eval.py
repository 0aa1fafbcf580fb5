"""lm-evaluation-harness: the samples of a task, one conversation for each document and repeat.

A document stands there once for every filter, and these rows stand apart: they are one conversation with the scores of
all filters. Where the model only weighed given answers, its likeliest is what it said. The model's name is in the
results beside the samples, else in the folder's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from reviewer.basics.errors import SourceError
from reviewer.imports.formats import SURPRISES, kept, told
from reviewer.imports.messages import evaluations
from reviewer.imports.messages.content import (
    filled,
    first_of,
    listed,
    mapping,
    raw,
    rest_of,
    score_of,
    text_of,
    time_of,
)
from reviewer.imports.messages.exchanges import messages_of
from reviewer.imports.source import (
    SMALL_FILE,
    BadRecord,
    Extract,
    Item,
    Remark,
    Source,
    compact,
    parsed,
    parsed_together,
)
from reviewer.transcripts.model import Case, Conversation, Run, Score
from reviewer.transcripts.store.spool import Spool

NAME = "lm-eval"
TITLE = "lm-evaluation-harness samples"

_NAMED = re.compile(r"samples_(.+?)(?:_(\d{4}-\d\d-\d\dT[\d.-]+))?\.jsonl?(?:\.gz)?")
_ARGUMENTS = re.compile(r"(?:pretrained|model|peft)=([^,]+)")
_READ = {
    *(
        "doc_id",
        "doc",
        "target",
        "arguments",
        "resps",
        "filtered_resps",
        "filter",
        "metrics",
        "doc_hash",
        "prompt_hash",
    ),
    *("target_hash",),
}
Row = Mapping[str, Any]


def mine(source: Source) -> bool:
    """True if a row has a document's number, a prompt and what came of it; or an object holds such rows by task."""
    record = source.record
    samples = mapping(record.get("samples")).values()
    return _is_row(record) or any(_is_row(row) for rows in samples for row in listed(rows)[:1])


def _is_row(value: Any) -> bool:
    row = mapping(value)
    return "doc_id" in row and "arguments" in row and ("resps" in row or "filtered_resps" in row)


def read(source: Source) -> Iterator[Item]:
    """The rows of each document together."""
    named = _NAMED.fullmatch(source.path.name)
    about = _results(source, named)
    with Spool() as spool:
        for position, row in _rows(source, named[1] if named else source.path.stem):
            if isinstance(row, BadRecord):
                yield row
            elif isinstance(row, tuple) and _is_row(row[1]):
                spool.put(compact([row[0], row[1]["doc_id"]]), compact(row[1]))
            else:
                held = row[1] if isinstance(row, tuple) else row
                yield BadRecord(position, "not shaped as this format is (it has no document and arguments)", kept(held))
        n = 0
        for key, texts in spool.groups():
            task, document = parsed(key.encode(), "")
            rows = parsed_together(texts, source.name)
            position = f"{task}, document {document}"
            try:
                made = list(_conversations(position, task, rows, about, source))
            except SURPRISES as error:
                yield from (
                    BadRecord(position, f"not shaped as this format is ({told(error)})", kept(row)) for row in rows
                )
                continue
            n += len(made)
            yield from made
    if not n:
        yield Remark("no samples in it")


def _rows(source: Source, task: str) -> Iterator[tuple[str, Any]]:
    """Rows with the tasks they belong to."""
    for position, record in source.records():
        samples = mapping(mapping(record).get("samples"))
        if isinstance(record, BadRecord):
            yield position, record
        elif samples and not _is_row(record):
            for name, rows in samples.items():
                yield from ((f"{name}[{index}]", (str(name), row)) for index, row in enumerate(listed(rows)))
        else:
            yield position, (task, record)


def _results(source: Source, named: re.Match[str] | None) -> Row:
    """The results of the run: in this file, or in the one of the same moment beside it."""
    if not source.is_lines and "results" in source.record:
        return source.record
    if named is None:
        return {}
    try:
        beside = sorted(filter(source.may_read, source.path.parent.glob("results*.json")))
    except OSError:
        return {}
    exact = [path for path in beside if named[2] and named[2] in path.name]
    for path in (exact or beside)[-1:]:
        return _document(path)
    return {}


def _document(path: Path) -> Row:
    held = Source(path, path.name)
    try:
        return mapping(held.document) if held.size <= SMALL_FILE else {}
    except SourceError:
        return {}


def _model(about: Row, source: Source) -> str:
    config = mapping(about.get("config"))
    stated = text_of(first_of(about, "model_name")) or text_of(mapping(config.get("model_args")).get("pretrained"))
    if stated:
        return stated
    told_as = _ARGUMENTS.search(text_of(config.get("model_args")))
    folder = source.path.absolute().parent.name
    return told_as[1] if told_as else folder.replace("__", "/", 1) if "__" in folder else ""


def _conversations(position: str, task: str, rows: list[Row], about: Row, source: Source) -> Iterator[Extract]:
    first = rows[0]
    requests = _requests(first["arguments"])
    answers = listed(first.get("resps")) or listed(first.get("filtered_resps"))
    weighed = _is_weighed(requests, answers)
    if weighed and len(requests) > 1:
        said = [_weighed(requests, answers)]
    elif weighed:
        said = [(requests[0] if requests else ["", None], None, None)]
    else:
        every = zip(requests, answers, strict=False)
        said = [(request, reply, None) for request, answer in every for reply in _repeats(answer)]
    repeats = max((len(_repeats(answer)) for answer in answers), default=1) if not weighed else 1
    build = partial(_extract, position, task, rows, about, _model(about, source))
    for index, (request, reply, extra) in enumerate(said):
        part, repeat = divmod(index, max(repeats, 1))
        yield build(request, reply, extra, f".{part}" if part else "", repeat + 1 if repeats > 1 else None)


def _is_weighed(requests: list[list[Any]], answers: list[Any]) -> bool:
    """True if the answers are likelihoods of given words, perhaps as numbers, not text that the model wrote."""
    if any(len(request) > 1 and isinstance(request[1], Mapping) for request in requests):
        return False
    return bool(answers) and all(_weight(answer) is not None for answer in answers)


def _requests(arguments: Any) -> list[list[Any]]:
    """The requests in order, each a prompt with its arguments; newer files number them in an object."""
    if isinstance(arguments, Mapping):
        return [list(mapping(made).values()) for made in arguments.values()]
    return [made if isinstance(made, list) else [made] for made in listed(arguments)]


def _prompt(asked: Any) -> Any:
    """Return the prompt; a chat sent to a service is a string within a list."""
    alone = isinstance(asked, list) and len(asked) == 1 and isinstance(asked[0], str)
    return asked[0] if alone else asked


def _repeats(answer: Any) -> list[Any]:
    return answer if isinstance(answer, list) else [answer]


def _weight(answer: Any) -> float | None:
    """The likelihood of a given answer, however deep it lies and whether or not as text."""
    while isinstance(answer, list) and answer:
        answer = answer[0]
    try:
        return None if isinstance(answer, bool) or answer is None else float(answer)
    except (TypeError, ValueError):
        return None


def _weighed(requests: list[list[Any]], answers: list[Any]) -> tuple[list[Any], Any, Any]:
    weights = [_weight(answer) or 0.0 for answer in answers]
    best = max(range(len(weights)), key=weights.__getitem__)
    choices = [text_of(request[1]) if len(request) > 1 else "" for request in requests]
    pairs = [{"answer": choice, "loglikelihood": weight} for choice, weight in zip(choices, weights, strict=False)]
    place = best if best < len(requests) else 0
    return requests[place], choices[place], {"chosen_among": pairs}


def _extract(
    position: str,
    task: str,
    rows: list[Row],
    about: Row,
    model: str,
    request: list[Any],
    reply: Any,
    extra: Any,
    part: str,
    run: int | None,
) -> Extract:
    first = rows[0]
    name = f"{task}-{first['doc_id']}{part}"
    asked = evaluations.asked(_prompt(request[0] if request else None))
    answered = [] if reply is None else evaluations.answered(reply) or [{"role": "assistant", "content": ""}]
    settings = request[1] if len(request) > 1 and isinstance(request[1], Mapping) else None
    version = text_of(about.get("lm_eval_version"))
    return Extract(
        position,
        Conversation(
            model,
            messages_of(asked, answered),
            case=name,
            run=run,
            started=time_of(about.get("date")),
            scores=tuple(score for row in rows for score in _scores(row)),
            extra=filled(chosen_among=mapping(extra).get("chosen_among"), doc_hash=first.get("doc_hash")),
            facts=Case(
                name,
                task,
                expected=evaluations.expected_in(first.get("target")),
                extra=filled(doc=rest_of({"doc": first.get("doc")}, ())),
            ),
        ),
        whole=True,
        run=Run(
            "",
            None,
            prompt=about["system_instruction"] if isinstance(about.get("system_instruction"), str) else None,
            harness=" ".join(part for part in ("lm-eval", version) if part),
            extra=filled(settings=settings, shots=mapping(about.get("n-shot")).get(task)),
        ),
    )


def _scores(row: Row) -> Iterator[Score]:
    """The metrics of a row; those of a filter carry its name and say what it took out of the answer."""
    kind = row.get("filter")
    named = f",{kind}" if isinstance(kind, str) and kind not in ("", "none") else ""
    taken = listed(row.get("filtered_resps"))
    note = raw(taken[0]) if named and taken else None
    for metric, stated in row.items():
        if metric in _READ or stated is None:
            continue
        for part, value in stated.items() if isinstance(stated, Mapping) else [("", stated)]:
            number, words = score_of(value)
            yield Score(f"{metric}.{part}{named}" if part else f"{metric}{named}", number, note=note, raw=words)
