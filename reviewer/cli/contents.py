"""What a store holds, in lines: totals, runs, and what each source told of tokens, cost, times and scores. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reviewer.transcripts.store.imports import RunTotal, SourceTotals

_MOST = 20
_WORDS = {
    "tokens": "tokens",
    "message_tokens": "tokens per message",
    "reasoning": "reasoning tokens",
    "cached": "cached tokens",
    "cost": "cost",
    "times": "times of messages",
    "call_times": "times of calls",
}


def lines(totals: dict[str, Any], runs: Sequence[RunTotal], sources: Sequence[SourceTotals]) -> list[str]:
    """Return the lines that `info` prints."""
    empty = f", {totals['empty_conversations']:,} of them empty" if totals["empty_conversations"] else ""
    told = [f"{totals['store']} (store version {totals['schema']})"]
    if totals["synthetic"]:
        told.append("SYNTHETIC: no real model wrote (all of) these texts.")
    elif totals["simulated"]:
        told.append("Simulated customers: a model played them (or some of them).")
    told.append(f"{totals['conversations']:,} conversations{empty}, on {totals['cases']:,} cases")
    told += [f"  {model}: {n:,}{_runs_of(model, runs)}" for model, n in totals["models"].items()]
    told.append("messages: " + (", ".join(f"{n:,} {role}" for role, n in totals["messages"].items()) or "none"))
    orphans = f" ({totals['orphan_results']:,} without a call)" if totals["orphan_results"] else ""
    told.append(f"{totals['tool_calls']:,} tool calls, {totals['tool_results']:,} results{orphans}")
    if totals["text_calls"]:
        told.append(f"{totals['text_calls']:,} more calls that the agent wrote as text")
    told.append(f"{totals['scores']:,} scores, {totals['rejected']:,} rejected records")
    if totals["desks"]:
        told.append("desks: " + ", ".join(totals["desks"]))
    return [*told, *_sources(sources)]


def as_object(runs: Sequence[RunTotal], sources: Sequence[SourceTotals]) -> dict[str, Any]:
    """Return what `info --json` prints besides the totals."""
    return {
        "runs": [
            {"model": run.model, "run": run.number, "conversations": run.conversations, "tools": run.tools}
            for run in runs
        ],
        "sources": [{"path": source.path, "format": source.format, **source.counts} for source in sources],
    }


def _runs_of(model: str, runs: Sequence[RunTotal]) -> str:
    """Name a model's runs with their numbers of conversations; neighbours of equal number share an entry."""
    own = [run for run in runs if run.model == model and run.number is not None]
    spans: list[tuple[int, int, int]] = []
    for number, n in ((run.number, run.conversations) for run in own):
        if spans and spans[-1][1:] == ((number or 0) - 1, n):
            spans[-1] = (spans[-1][0], number or 0, n)
        else:
            spans.append((number or 0, number or 0, n))
    named = [f"run {a}: {n:,}" if a == b else f"runs {a}-{b}: {n:,} each" for a, b, n in spans]
    tools = sum(run.tools for run in runs if run.model == model)
    given = f"; tool definitions with {tools} of them" if tools and own else "; tool definitions" if tools else ""
    return (" (" + ", ".join(named) + given + ")" if named else given) if named or given else ""


def _sources(sources: Sequence[SourceTotals]) -> list[str]:
    """A line a source, or a folder of sources where there are many."""
    depth = max((source.path.count("/") for source in sources), default=0) + 1
    rows = _rows(sources, depth)
    while len(rows) > _MOST and depth > 1:
        depth -= 1
        rows = _rows(sources, depth)
    told = [f"  {path} ({format}): {_told(counts)}" for (path, format), counts in rows.items()]
    more = [f"  and {len(told) - _MOST:,} more folders (--json lists every source)"] if len(told) > _MOST else []
    return ["sources, and how many of their conversations tell what:", *told[:_MOST], *more] if told else []


def _rows(sources: Sequence[SourceTotals], depth: int) -> dict[tuple[str, str], Counter[str]]:
    """Add up the sources by folder, down to a depth, and by format."""
    rows: dict[tuple[str, str], Counter[str]] = {}
    for source in sources:
        parts = source.path.split("/")
        path = source.path if len(parts) <= depth else "/".join(parts[:depth]) + "/"
        rows.setdefault((path, source.format), Counter()).update(source.counts)
    return rows


def _told(counts: Counter[str]) -> str:
    every = counts["conversations"]
    named = [
        word if counts[key] == every else f"{word} of {counts[key]:,}" for key, word in _WORDS.items() if counts[key]
    ]
    if counts["scores"]:
        notes = f", {counts['notes']:,} with notes" if counts["notes"] else ""
        named.append(f"{counts['scores']:,} scores{notes}")
    return f"{every:,} conversations: {', '.join(named) or 'words only'}"
