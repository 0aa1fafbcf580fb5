"""What a report's front matter chooses: clusters of families, the models beside it, the mode with an early section.

Owns finding what is named on the board; a name that is not there is said with its line, and the rest counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from reviewer.figures.measure.board import Group
from reviewer.figures.measure.trap_runs import ADVERSARIAL
from reviewer.figures.report.blocks import ProseTrouble
from reviewer.figures.report.material import Material
from reviewer.figures.report.prose_front import FrontMatter, FrontText, nearest
from reviewer.marks.codebook import Codebook


def with_choices(it: Material, front: FrontMatter) -> tuple[Material, list[ProseTrouble]]:
    """What is known of a model, to be shown as the front matter wants it; and what is not there of that."""
    troubles: list[ProseTrouble] = []
    request = replace(
        it.asked,
        clusters=_clusters(front, it.row.groups, troubles) or it.asked.clusters,
        comparators=_comparators(front.comparators, [row.model for row in it.board.rows], it.model, troubles)
        or it.asked.comparators,
        promoted=_promoted(front, it, troubles) or it.asked.promoted,
    )
    return replace(it, asked=request), troubles


def _comparators(named: Iterable[FrontText], models: list[str], own: str, troubles: list[ProseTrouble]) -> list[str]:
    chosen = []
    for name in named:
        if name.text in models and name.text != own:
            chosen.append(name.text)
        else:
            why = "is this model itself" if name.text == own else "is no model on the board"
            near = "" if name.text == own else nearest(name.text, models)
            troubles.append(
                ProseTrouble(name.line, f"“{name.text}” {why}, so it does not stand beside it.{near}", "stale")
            )
    return chosen


def _clusters(
    front: FrontMatter, groups: Iterable[Group], troubles: list[ProseTrouble]
) -> Mapping[str, tuple[Group, ...]]:
    by_name = _families(groups)
    clusters: dict[str, tuple[Group, ...]] = {}
    for cluster, families in front.clusters.items():
        chosen: dict[Group, None] = {}
        for family in families:
            own = by_name.get(family.text, ())
            chosen |= dict.fromkeys(own)
            if not own:
                said = (
                    f"“{cluster}” names the family “{family.text}”, which no case is of.{nearest(family.text, by_name)}"
                )
                troubles.append(ProseTrouble(family.line, said, "stale"))
        if chosen:
            clusters[cluster] = tuple(chosen)
    return clusters


def _families(groups: Iterable[Group]) -> dict[str, tuple[Group, ...]]:
    """Families as reports name them, alone (without traps, where they have other cases) and with their bucket."""
    known = [group for group in groups if group[0] is not None]
    by_name: dict[str, tuple[Group, ...]] = {}
    for name, bucket in known:
        by_name[f"{name} ({bucket or 'no bucket'})"] = ((name, bucket),)
    for name, bucket in known:
        if bucket != ADVERSARIAL:
            by_name[str(name)] = (*by_name.get(str(name), ()), (name, bucket))
    for group in known:
        by_name.setdefault(str(group[0]), (group,))
    return by_name


def _promoted(front: FrontMatter, it: Material, troubles: list[ProseTrouble]) -> str:
    named = front.texts.get("promoted")
    if named is None:
        return ""
    tagged = it.tags.plan.codes()
    code = mode_code(it.marked.codebook, named.text)
    if code in tagged:
        return code
    said = f"nobody tagged “{named.text}” in this model, so it has no early section.{nearest(named.text, tagged)}"
    troubles.append(ProseTrouble(named.line, said, "stale"))
    return ""


def mode_code(codebook: Codebook, name: str) -> str:
    """The code that a mode has now."""
    mode = codebook.mode(name)
    return mode.code if mode else name
