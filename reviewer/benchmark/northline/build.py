"""Putting the sample into a store: whole or not at all, marked as synthetic, its truth in a file beside.

Owns the file that `reviewer open` shows without a path. The store never holds what was planted.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from reviewer.basics.errors import ReviewerError
from reviewer.benchmark.northline.cases import cases
from reviewer.benchmark.northline.figures import Figures
from reviewer.benchmark.northline.judges import FIRST
from reviewer.benchmark.northline.sample_conversations import SEED, SampleConversation, chosen, count, sampled
from reviewer.benchmark.northline.truth import Ending, across, as_object
from reviewer.transcripts import desk
from reviewer.transcripts.model import Run
from reviewer.transcripts.refs import conversation_ref
from reviewer.transcripts.store.imports import commands
from reviewer.transcripts.store.intake import Intake
from reviewer.transcripts.store.writer import Writer

FORMAT = "northline-sample"
VERSION = 2
"""One more whenever a seed comes to mean other conversations; a default sample of another version is built anew."""
Progress = Callable[[int, int], None]


def build(
    path: Path,
    models: Sequence[Figures],
    seed: int = SEED,
    truth: Path | None = None,
    progress: Progress | None = None,
) -> int:
    """Write the conversations of these models to a new store; nothing is left behind when it cannot be finished."""
    if path.exists():
        raise ReviewerError(f"{path} is there already.", "Name another file, or remove it first.")
    for folder in {path.parent, *([truth.parent] if truth else [])}:
        if not folder.is_dir():
            raise ReviewerError(f"The folder {folder} is not there.", "Make it first, or name another place.")
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part_of_truth = truth.with_name(f".{truth.name}.{os.getpid()}") if truth else None
    try:
        written = _write(part, models, seed, part_of_truth, progress)
        part.replace(path)
        if truth and part_of_truth:
            part_of_truth.replace(truth)
    finally:
        for left in (part, part_of_truth, *(part.with_name(part.name + end) for end in ("-wal", "-shm", "-journal"))):
            if left is not None:
                left.unlink(missing_ok=True)
    return written


def ensure_sample(progress: Progress | None = None) -> Path:
    """The default sample in the user's data folder, built there on first use or when it is of an older version."""
    from platformdirs import user_data_path

    folder = user_data_path("reviewer")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ReviewerError(
            f"{folder} cannot be made: {error.strerror}.", "Build the sample elsewhere: reviewer sample -o sample.db"
        ) from error
    path = folder / "northline.db"
    if path.exists() and not _is_current(path):
        path.unlink()
    if not path.exists():
        build(path, chosen(), progress=progress)
    return path


def _is_current(path: Path) -> bool:
    """True if this is a store that opens, with a sample of this version in it."""
    try:
        return any(f"{FORMAT}/{VERSION}" in command.get("paths", ()) for command in commands(path))
    except ReviewerError:
        return False


def _write(path: Path, models: Sequence[Figures], seed: int, truth: Path | None, progress: Progress | None) -> int:
    whole = count(models)
    with ExitStack() as stack:
        planted = stack.enter_context(truth.open("w", encoding="utf-8")) if truth else None
        writer = stack.enter_context(Writer(path))
        names = ",".join(model.model for model in models)
        intake = Intake(writer, {"paths": [f"{FORMAT}/{VERSION}"], "models": names, "seed": seed})
        sources: dict[tuple[str, int | None], int] = {}
        endings: list[Ending] = []
        for item in sampled(models, seed):
            key = (item.conversation.model, item.conversation.run)
            if key not in sources:
                writer.commit()
                _say(progress, intake.added, whole)
                sources[key] = intake.source(f"{FORMAT}/{key[0]}/run-{key[1]}", FORMAT, synthetic=True)
            intake.add(item.conversation, sources[key], item.conversation.case or "")
            if planted is not None:
                planted.writelines(_truth(item))
                endings.append(Ending.of(item.conversation))
        if planted is not None:
            planted.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in across(endings))
        _describe(intake, models)
        intake.set_desk(sources.values(), desk.load("northline"))
        intake.end()
        _say(progress, intake.added, whole)
    return intake.added


def _say(progress: Progress | None, done: int, whole: int) -> None:
    if progress is not None:
        progress(done, whole)


def _truth(item: SampleConversation) -> Iterator[str]:
    """The lines of the truth about one conversation."""
    names = item.conversation
    ref = conversation_ref(names.model, names.case, names.run)
    return (json.dumps(as_object(ref, plant), ensure_ascii=False) + "\n" for plant in item.planted)


def _describe(intake: Intake, models: Sequence[Figures]) -> None:
    """Store the facts about models and runs; published overall scores are kept as such, never computed."""
    meant = tuple(case.id for case in cases())
    for model in models:
        extra: dict[str, Any] = {"remark": model.remark, "reasoning": model.reasoning}
        if model.headline:
            extra |= {"headline": dict(model.headline), "headline_source": "SupportAgentBench"}
        intake.writer.catalogue.describe_model(model.model, model.vendor, model.tier, model.badges, extra)
        for number in range(1, model.runs + 1):
            intake.describe_run(Run(model.model, number, harness="northline", judge=FIRST, meant=meant))
