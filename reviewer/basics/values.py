"""How the values that a start and an import make by the thousand are made: frozen by the type checker alone.

To it they are the standard library's frozen dataclasses, so an assignment to a field is refused before anything runs.
Running, nothing guards them: the guard is two fifths of what making a class takes, and four fifths of making a value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    import dataclasses

    def dataclass(*, frozen, slots):
        """Make a class a dataclass that is compared and hashed by its fields."""
        return dataclasses.dataclass(slots=slots, unsafe_hash=frozen)
