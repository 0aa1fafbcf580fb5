"""What a sketch does not show of logged requests and of evaluation harnesses: times, tokens, scores, ids."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from reviewer.ingest import formats
from reviewer.ingest.source import Bad, Found, Item, Remark, Source
from reviewer.model import Conversation
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


def found(folder: Path, name: str, held: Any = None) -> list[Found]:
    """The conversations of a file, or of a variant by its name."""
    held = variants.every()[name].held if held is None else held
    return [item for item in items(folder, name, held) if isinstance(item, Found)]


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
    assert [type(item) for item in read] == [Found, Bad, Bad, Found]
