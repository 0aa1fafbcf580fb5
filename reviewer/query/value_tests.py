"""A test of one name against a value, as SQL: how names are compared, said once."""

from __future__ import annotations

import re

from reviewer.query.selection import Value

Parameters = tuple[str | int | float, ...]
Condition = tuple[str, Parameters]
"""A condition in SQL with its values."""

_OPPOSITE = re.compile(r"[\\%_]")


def name_test(column: str, value: Value) -> Condition:
    """The condition that a column holds the name that a value means."""
    match value.kind:
        case "none":
            return f"ifnull({column}, '') = ''", ()
        case "exactly":
            return f"{column} = ?", (value.text,)
        case "glob":
            pattern = _OPPOSITE.sub(lambda match: "\\" + match[0], value.text).replace("*", "%")
            return f"{column} LIKE ? ESCAPE '\\'", (pattern,)
        case _:
            return f"{column} = ? COLLATE NOCASE", (value.text,)
