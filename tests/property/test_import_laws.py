"""Laws of importing: a run keeps all its cases, and it does not matter in how many commands, or in which order."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from hypothesis import example, given
from hypothesis import strategies as st

from reviewer.imports.importer import Wishes, import_files
from reviewer.transcripts.store.reader import Reader

TEXTS = st.sampled_from(["", "same", "other", "third"])


class Log(NamedTuple):
    """A file to be: where it lies and what it holds."""

    name: str
    records: list[dict[str, Any]]


def record(case: int, text: str, **more: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": text}, {"role": "assistant", "content": "Yes."}] if text else []
    return {"model": "kimi", "case": f"c{case}", "messages": messages, **more}


def written(folder: Path, logs: list[Log]) -> None:
    for log in logs:
        path = folder / log.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(each) + "\n" for each in log.records))


def held(store: Path) -> list[tuple[Any, ...]]:
    """What a store holds: every conversation with its scores and tokens, as a set that keeps doubles."""
    if not store.exists():
        return []
    with Reader(store) as reader:
        every = [reader.stored(each) for each in reader.ids()]
    return sorted(
        (it.ref, it.digest, sorted((s.scorer, s.value) for s in it.conversation.scores), str(it.conversation.usage))
        for it in every
    )


@given(runs=st.lists(st.lists(TEXTS, min_size=1, max_size=4), min_size=1, max_size=4), stated=st.booleans())
@example(runs=[["", "same"], ["same"], ["same", "same", ""]], stated=True)
@example(runs=[[""], ["same", ""], ["", "", ""]], stated=True)
def test_runs_with_equal_texts_keep_all(runs: list[list[str]], stated: bool) -> None:
    with TemporaryDirectory() as folder:
        place = Path(folder, "logs")
        logs = [
            Log(
                f"part-{n}.jsonl",
                [record(case, text, note=n, trial=7 if stated else None) for case, text in enumerate(run)],
            )
            for n, run in enumerate(runs)
        ]
        written(place, logs)
        report = import_files([place], Path(folder, "runs.db"), Wishes())
        stored = held(Path(folder, "runs.db"))
        again = import_files([place], Path(folder, "runs.db"), Wishes())
        assert held(Path(folder, "runs.db")) == stored
    assert (again.total("new"), again.total("updated")) == (0, 0)
    if not stated:
        assert len(stored) == sum(map(len, runs)) == report.total("new")
        return
    # Two files that state the same run are one run when they agree on every case, and else each is whole.
    by_run: dict[str, set[str]] = {}
    for ref, digest, *_ in stored:
        by_run.setdefault(ref.rpartition("/")[2], set()).add(f"{ref.split('/')[1]} {digest}")
    for source, log in zip(report.sources, logs, strict=True):
        assert source.new + source.unchanged == len(log.records)
        assert any(len(cases) >= len(log.records) for cases in by_run.values())


@st.composite
def folders(draw: st.DrawFn) -> list[Log]:
    """Files whose runs are stated, by record or path, or whose records have ids; copies of some of them say more."""
    logs: list[Log] = []
    for run in range(draw(st.integers(1, 3))):
        texts = draw(st.lists(TEXTS, min_size=1, max_size=3))
        stated = draw(st.sampled_from(["by path", "by trial", "by id"]))
        by_path, named = stated == "by path", stated == "by id"
        told = {"trial": run} if stated == "by trial" else {}
        plain = [record(case, text, **told) for case, text in enumerate(texts)]
        if named:
            plain = [{**each, "case": None, "id": f"{run}-{n}"} for n, each in enumerate(plain)]
        logs.append(Log(f"run{run}/plain.jsonl" if by_path else f"plain-{'abc'[run]}.jsonl", plain))
        if draw(st.booleans()):
            scored = [{**each, "reward": 1, "usage": None} for each in plain]
            logs.append(Log(f"run{run}/scored.jsonl" if by_path else f"scored-{'abc'[run]}.jsonl", scored))
    return logs


@given(logs=folders(), data=st.data())
def test_any_split_in_any_order_gives_the_same(logs: list[Log], data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        place = Path(folder, "logs")
        written(place, logs)
        import_files([place], Path(folder, "whole.db"), Wishes())
        order = data.draw(st.permutations([place / log.name for log in logs]))
        while order:
            count = data.draw(st.integers(1, len(order)))
            import_files(order[:count], Path(folder, "split.db"), Wishes())
            order = order[count:]
        assert held(Path(folder, "split.db")) == held(Path(folder, "whole.db"))
        again = import_files([place], Path(folder, "split.db"), Wishes())
        assert (again.total("new"), again.total("updated")) == (0, 0)
