"""Entry points of other packages, loaded when the program first needs them and never at the start.

A package may fail to load, bring something else, or bring a name that is taken. Then the program leaves it out and
names it in one sentence; the other packages are not affected.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Thing = TypeVar("Thing")


class Brought(NamedTuple, Generic[Thing]):
    """What other packages bring of one kind."""

    by_name: Mapping[str, tuple[Thing, str]]
    """Name to the thing and the package that brings it."""
    troubles: tuple[str, ...]
    """A sentence for each that could not be taken."""


def brought(group: str, noun: str, own: Container[str], checked: Callable[[Any], tuple[str, Thing]]) -> Brought[Thing]:
    """Load the entry points of a group; each names one thing, or a list of several.

    `checked` takes what was loaded. It returns the name and the thing, or raises a `TypeError` that says what is wrong.
    `own` holds the names that this program uses itself.
    """
    from importlib.metadata import entry_points  # takes longer than looking for them

    taken: dict[str, tuple[Thing, str]] = {}
    troubles: list[str] = []
    for entry in sorted(entry_points(group=group), key=lambda each: (_package(each), each.name)):
        package = _package(entry)
        try:
            loaded: Any = entry.load()
            things = [checked(each) for each in (loaded if isinstance(loaded, list | tuple) else (loaded,))]
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a package may be anybody's; the others go on
            troubles.append(f"The {noun}s of {package} cannot be loaded: {entry.value} ({described(error)}).")
            continue
        for name, thing in things:
            holder = taken[name][1] if name in taken else "this program" if name in own else ""
            if holder:
                troubles.append(f"The {noun} “{name}” of {package} is left out: {holder} has one of that name.")
            else:
                taken[name] = thing, package
    return Brought(taken, tuple(troubles))


def described(error: BaseException) -> str:
    """The kind of an error and the first line of its message."""
    reason = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {reason}" if reason else type(error).__name__


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.value.partition(":")[0]
