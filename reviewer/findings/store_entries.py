"""The conversations of a store as they stand: what a scan and its findings are compared with."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from reviewer.transcripts.refs import case_ref
from reviewer.transcripts.store.connection import reading


class StoreEntry(NamedTuple):
    """A conversation as it stands in the store: what a scan compares with what it knows."""

    rowid: int
    ref: str
    digest: str
    setting: str
    desk: str
    case: str | None
    """The reference of its case across runs; None without a case or a run."""
    family: str | None = None
    """A name of its family within its run; None where either is not known."""


def standings(store: Path, model: str | None = None) -> list[StoreEntry]:
    """Every conversation of a store (or of one model in it) as it stands, in the order of the store."""
    with reading(store) as db:
        rows = db.execute(
            "SELECT conversations.id, ref, digest, ifnull(desks.hash, ''), runs.model, runs.number, cases.name, clock,"
            ' bucket, forbidden, family, labels, lure, context, "order", ended_by, error FROM conversations'
            " JOIN runs ON runs.id = run_id LEFT JOIN cases ON cases.id = case_id LEFT JOIN desks ON desks.id = desk_id"
            f"{'' if model is None else ' WHERE runs.model = ?'}"
            " ORDER BY runs.model, case_id, runs.number, conversations.id",
            () if model is None else (model,),
        ).fetchall()
    return [
        StoreEntry(
            rowid,
            ref,
            digest,
            sha256(json.dumps([desk, *rest]).encode("utf-8", "surrogatepass")).hexdigest()[:16],
            desk,
            case_ref(model, case) if case is not None and run is not None else None,
            _family(model, run, *rest) if run is not None else None,
        )
        for rowid, ref, digest, desk, model, run, case, *rest in rows
    ]


def _family(model: str, run: int, _clock: Any, bucket: Any, _forbidden: Any, family: Any, *_: Any) -> str | None:
    """A name for a family of one bucket in one run, that no reference is like."""
    return f"family {json.dumps(family)} ({bucket}) of {model}, run {run}" if family else None


def grouped(every: Iterable[StoreEntry]) -> Iterator[tuple[str | None, list[StoreEntry]]]:
    """The conversations by case, where a case has several runs; each of the others alone."""
    every = list(every)
    cases = by_case(every)
    yield from cases.items()
    for each in every:
        if each.case not in cases:
            yield None, [each]


def by_case(every: Iterable[StoreEntry]) -> Mapping[str, list[StoreEntry]]:
    """The conversations of each case that has several runs."""
    cases: defaultdict[str, list[StoreEntry]] = defaultdict(list)
    for each in every:
        if each.case is not None:
            cases[each.case].append(each)
    return {ref: members for ref, members in cases.items() if len(members) > 1}


def families(every: Iterable[StoreEntry]) -> Mapping[str, list[StoreEntry]]:
    """The conversations by family within a run, where a family has several."""
    kin: defaultdict[str, list[StoreEntry]] = defaultdict(list)
    for each in every:
        if each.family is not None:
            kin[each.family].append(each)
    return {name: members for name, members in kin.items() if len(members) > 1}


def kinships(groups: Iterable[tuple[str | None, Sequence[StoreEntry]]]) -> dict[int, int]:
    """A number for each conversation, shared with those of its case and of its model's family, over all runs."""
    numbers: dict[str, int] = {}
    kin: dict[int, int] = {}
    for case, members in groups:
        family = members[0].family
        name = family.rpartition(", run ")[0] if family else case or members[0].ref
        number = numbers.setdefault(name, len(numbers))
        kin.update((each.rowid, number) for each in members)
    return kin


def case_digest(members: Iterable[StoreEntry]) -> str:
    """The digest of a case across runs: another one as soon as a member is."""
    return digest_of_runs(each.digest for each in members)


def digest_of_runs(digests: Iterable[str]) -> str:
    """The digest of a case from those of its runs."""
    return sha256("\n".join(sorted(digests)).encode()).hexdigest()


def case_setting(members: Iterable[StoreEntry]) -> str:
    """What else reads over the runs of a case go by."""
    return sha256("\n".join(each.setting for each in members).encode()).hexdigest()[:16]
