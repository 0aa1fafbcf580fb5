"""Values are as the standard library's frozen dataclasses are, but for the guard, which is the type checker's."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Mapping

import pytest

from reviewer.basics.values import dataclass
from reviewer.transcripts.desk import Desk, load
from reviewer.transcripts.model import Message, Stored
from reviewer.transcripts.query import Query, TextTerm
from reviewer.transcripts.refs import Ref


@dataclass(frozen=True, slots=True)
class Place:
    """A value with fields of every kind."""

    name: str
    number: int = 0
    seen: Mapping[str, int] = dataclasses.field(default_factory=dict, hash=False)
    typed: str = dataclasses.field(default="", compare=False)
    hidden: str = dataclasses.field(default="", repr=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Likewise:
    """The same as the standard library makes it."""

    name: str
    number: int = 0
    seen: Mapping[str, int] = dataclasses.field(default_factory=dict, hash=False)
    typed: str = dataclasses.field(default="", compare=False)
    hidden: str = dataclasses.field(default="", repr=False)


ARGUMENTS: list[tuple[object, ...]] = [
    ("a",),
    ("a", 0, {}, "typed otherwise"),
    ("a", 0, {"x": 1}),
    ("a", 1),
    ("a", 0, {}, "", "hidden"),
    ("b",),
]


@pytest.mark.parametrize("one", ARGUMENTS)
@pytest.mark.parametrize("other", ARGUMENTS)
def test_values_equal_and_hash_as_those_of_the_standard_library(
    one: tuple[object, ...], other: tuple[object, ...]
) -> None:
    ours, theirs = (Place(*one), Place(*other)), (Likewise(*one), Likewise(*other))  # type: ignore[arg-type]
    assert (ours[0] == ours[1]) is (theirs[0] == theirs[1])
    assert (hash(ours[0]) == hash(ours[1])) is (hash(theirs[0]) == hash(theirs[1]))


@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_values_are_printed_filled_and_copied_as_those_of_the_standard_library(arguments: tuple[object, ...]) -> None:
    ours, theirs = Place(*arguments), Likewise(*arguments)  # type: ignore[arg-type]
    assert repr(ours) == repr(theirs).replace("Likewise", "Place")
    assert dataclasses.asdict(ours) == dataclasses.asdict(theirs)
    assert repr(dataclasses.replace(ours, number=7)) == repr(dataclasses.replace(theirs, number=7)).replace(
        "Likewise", "Place"
    )
    assert pickle.loads(pickle.dumps(ours)) == copy.copy(ours) == ours  # noqa: S301 -- our own


def test_a_value_equals_nothing_of_another_kind() -> None:
    others: list[object] = [Likewise("a"), ("a", 0, {}, "", ""), "a"]
    assert Place("a") not in others


def test_what_a_class_says_of_itself_stays() -> None:
    assert str(Ref("kimi/late/2", 4)) == "kimi/late/2#4"
    assert Query(text="typed") == Query()
    assert TextTerm("late", "word", column=3) == TextTerm("late", "word")
    desk = load("northline")
    assert hash(desk) == hash(dataclasses.replace(desk, tools={})) != hash(Desk("another", "", {}))


def test_a_value_holds_its_fields_alone_and_a_type_checker_refuses_to_change_them() -> None:
    message = Message("agent", "Hello")
    message.text = "Bye"  # type: ignore[misc]  # mypy says so where this comment is not needed
    with pytest.raises(AttributeError):
        message.words = "Bye"  # type: ignore[attr-defined]
    assert dataclasses.fields(Stored)[0].name == "rowid"
