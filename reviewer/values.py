"""How values are made: dataclasses whose classes and values cost a third of the standard library's frozen ones.

To a type checker they are those, so an assignment to a field is refused before anything runs; running, nothing guards
it any more, which takes four fifths of making a value. How values are compared, hashed and printed follows from the
names of their fields, so that is given to each class rather than written out and compiled for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    import dataclasses
    from operator import attrgetter

    def dataclass(*, frozen, slots):  # noqa: ARG001 -- the type checker sees to the first
        """Make a class a dataclass; its values equal those of the same class with equal fields."""

        def made(described):
            value = dataclasses.dataclass(slots=slots, eq=False, repr=False)(described)
            fields = dataclasses.fields(value)
            _compare(value, [each.name for each in fields if each.compare])
            _hash(value, [each.name for each in fields if (each.compare if each.hash is None else each.hash)])
            value.__repr__ = _printed
            return value

        return made

    def _compare(value, names):
        compared = attrgetter(*names)

        def equals(self, other):
            return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

        value.__eq__ = equals

    def _hash(value, names):
        hashed = attrgetter(*names)
        value.__hash__ = lambda self: hash(hashed(self))

    def _printed(self):
        said = (f"{each.name}={getattr(self, each.name)!r}" for each in dataclasses.fields(self) if each.repr)
        return f"{self.__class__.__qualname__}({', '.join(said)})"
