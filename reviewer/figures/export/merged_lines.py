"""What stands on one line of print: the excerpts that are said together, and what is said of them.

Owns putting excerpts side by side: all quotes of one conversation, two exemplars of one mode, the same words in several
conversations. Texts are as they were stored; each format makes them printable and escapes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby

from reviewer.figures.export.collection import same
from reviewer.figures.export.excerpts import Excerpt, named
from reviewer.figures.export.print_plan import PrintGroup
from reviewer.transcripts.refs import Ref

_LISTED = 12
_TITLES = 3

Entry = tuple[PrintGroup, Excerpt]
"""An excerpt, and what it is printed with."""


@dataclass
class MergedLine:
    """The excerpts that share one line of print; the first ones are kept, the others counted."""

    times: int = 1
    """In how many conversations the same words stand."""
    shown: dict[str, Excerpt] = field(default_factory=dict)
    """The first excerpt of each wording; one whose words stand in another is not shown again."""
    refs: list[str] = field(default_factory=list)
    tags: int = 0
    notes: list[tuple[str, str]] = field(default_factory=list)
    """Who noted what."""
    about: dict[str, dict[str, None]] = field(default_factory=dict)
    """What else is said of them, each thing once: by whom, how much was read, which stance."""

    def take(self, excerpt: Excerpt) -> None:
        """Take in an excerpt."""
        tag = excerpt.tag
        self.tags += 1
        covered = any(_covered(excerpt, each) for each in self.shown.values())
        if not self.shown or (self.times == 1 and len(self.shown) < _LISTED and not covered):
            self.shown.setdefault(same(tag), excerpt)
        if len(self.refs) < _LISTED:
            self.refs.append(excerpt.ref)
        said = {
            "title": named(excerpt), "case": excerpt.conversation.rpartition("/")[0], "score": excerpt.score,
            "by": tag.by, "runs": excerpt.runs, "stance": tag.stance, "cause": tag.cause,
            "exemplar": "exemplar" if tag.exemplar else "", "mark": excerpt.mark,
        }  # fmt: skip
        for name, text in said.items():
            self.about.setdefault(name, {})[text] = None
        if tag.note:
            self.notes.append((tag.by, tag.note))

    @property
    def is_exemplar(self) -> bool:
        """True if it is one quote of one conversation, and an exemplar."""
        return self.times == 1 and len(self.shown) == 1 and any(each.tag.exemplar for each in self.shown.values())

    def beside(self, other: MergedLine) -> MergedLine:
        """Take in a line with the same habit in another conversation."""
        self.shown.update(other.shown)
        self.refs += other.refs
        self.tags += other.tags
        self.notes += other.notes
        for name, texts in other.about.items():
            self.about.setdefault(name, {}).update(texts)
        return self

    @property
    def title(self) -> str:
        """`Cancel before ship (0.38)`; several families where the same words were said in several."""
        names = [name for name in self.about["title"] if name]
        more = f" and {len(names) - _TITLES} more" if len(names) > _TITLES else ""
        score = self._alone("score") if len(names) == 1 else ""
        return f"{', '.join(names[:_TITLES])}{more}{f' ({score})' if score else ''}"

    @property
    def facts(self) -> list[str]:
        """What stands behind the references: by whom, how much was read, stance, cause, exemplar, mark."""
        runs = self._alone("runs") if len(self.about["case"]) == 1 else ""
        rest = (self._all(name) for name in ("stance", "cause", "exemplar", "mark"))
        return [text for text in (self._all("by"), runs, *rest) if text]

    def _all(self, name: str) -> str:
        """Return everything that was said under a name, each thing once."""
        return ", ".join(text for text in self.about[name] if text)

    def _alone(self, name: str) -> str:
        """The text that all excerpts have under a name; empty where they differ."""
        values = list(self.about[name])
        return values[0] if len(values) == 1 else ""


def side_by_side(entries: Iterable[Entry], *, apart: bool = False) -> Iterator[MergedLine]:
    """Gather the excerpts of one mode that are printed in one line; `apart` gives each quote one of its own."""
    exemplar: MergedLine | None = None
    for (_, times), pairs in groupby(entries, key=lambda each: (each[0].first, len(each[0].refs))):
        excerpts = (excerpt for _, excerpt in pairs)
        if apart and times == 1:
            yield from (together([excerpt]) for excerpt in excerpts)
            continue
        line = together(excerpts, times)
        if not line.is_exemplar:
            yield from filter(None, (exemplar, line))
            exemplar = None
        elif exemplar is None:
            exemplar = line
        else:
            yield exemplar.beside(line)
            exemplar = None
    if exemplar is not None:
        yield exemplar


def _covered(excerpt: Excerpt, shown: Excerpt) -> bool:
    """True if each piece of an excerpt shares words with one that is shown, as when two people marked the same."""
    return bool(excerpt.pieces) and all(
        any(_overlap(piece.ref, other.ref) for other in shown.pieces) for piece in excerpt.pieces
    )


def _overlap(one: Ref, other: Ref) -> bool:
    if one.span is None or other.span is None or replace(one, span=None) != replace(other, span=None):
        return False
    return one.span[0] < other.span[1] and other.span[0] < one.span[1]


def together(excerpts: Iterable[Excerpt], times: int = 1) -> MergedLine:
    """The line of excerpts that belong together."""
    merged = MergedLine(times)
    for excerpt in excerpts:
        merged.take(excerpt)
    return merged
