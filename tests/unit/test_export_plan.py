"""The plan of an export: what is printed together, in which order, and of how much."""

from __future__ import annotations

from reviewer.figures.export.print_plan import ModeTally, Plan, PlannedTag
from reviewer.marks.read_extent import ReadCounts
from reviewer.transcripts.refs import Ref


def planned(
    words: str, ref: str, tag: str, *, exemplar: bool = False, mode: int = 0, place: int | None = 1
) -> PlannedTag:
    code, where = f"mode-{mode}", (Ref(ref, place),)
    return PlannedTag(0, mode, code, words.encode(), ref, tag, exemplar, ref.split("/")[1], where, False)


def plan(*tags: PlannedTag) -> Plan:
    made = Plan()
    for tag in tags:
        made.put(tag)
    return made


def test_the_same_words_stand_together_and_so_do_all_of_one_conversation() -> None:
    made = plan(
        planned("late", "kimi/a/1", "1"),
        planned("on time", "kimi/a/1", "2"),
        planned("soon", "kimi/b/1", "3"),
        planned("late", "kimi/b/1", "4"),
    )
    assert [(tag.tag, group.first, len(group.refs)) for tag, group in made.in_order()] == [
        ("1", 0, 2),
        ("4", 0, 2),
        ("2", 1, 1),
        ("3", 2, 1),
    ]
    assert [tag.tag for tag in made.by_conversation()] == ["1", "2", "3", "4"]


def test_an_exemplar_comes_first_with_all_that_is_printed_with_it() -> None:
    made = plan(
        planned("late", "kimi/a/1", "1"),
        planned("soon", "kimi/b/1", "2"),
        planned("now", "kimi/b/1", "3", exemplar=True),
        planned("now", "kimi/a/1", "4", mode=1, exemplar=True),
        planned("whole", "kimi/a/1", "5", place=None),
    )
    assert [tag.tag for tag, _ in made.in_order()] == ["3", "2", "1", "5", "4"]


def test_counts_are_of_what_was_put_in_and_reviewed() -> None:
    made = plan(
        planned("late", "kimi/a/1", "1"), planned("late", "kimi/a/2", "2"), planned("x", "kimi/b/1", "3", mode=1)
    )
    made.review("kimi/a/1", "drawn", "part")
    made.review("kimi/a/1", "", "end")
    made.review("kimi/b/1", "drawn", "unknown")
    made.review("kimi/b/1", "drawn", "part")
    assert made.tally() == ModeTally(3, 3, 2)
    assert made.tally("mode-0") == ModeTally(2, 2, 1)
    assert made.tally("mode-9") == ModeTally(0, 0, 0)
    assert (made.reviewed(), made.reviewed("drawn")) == (ReadCounts(end=1, part=1), ReadCounts(part=2))
    assert (made.reviewed("other"), made.queues()) == (ReadCounts(), ["drawn"])
    assert (made.with_mode("mode-0"), made.with_mode("mode-0", "drawn"), made.with_mode("mode-0", "other")) == (1, 1, 0)
