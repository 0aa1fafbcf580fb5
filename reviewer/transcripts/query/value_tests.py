"""A test of one name against a value, as SQL: how names are compared, said once."""

from __future__ import annotations

import re

from reviewer.transcripts.query.selection import Value

Parameters = tuple[str | int | float, ...]
Condition = tuple[str, Parameters]
"""A condition in SQL with its values."""

_OPPOSITE = re.compile(r"[\\%_]")
_PARTED = re.compile("[-_]")


def one_blank(column: str) -> str:
    """The column with every hyphen and underscore as a blank, as `alike` has it."""
    return f"replace(replace({column}, '-', ' '), '_', ' ')"


def name_test(column: str, value: Value) -> Condition:
    """The condition that a column holds the name that a value means."""
    if value.kind == "none":
        return f"ifnull({column}, '') = ''", ()
    if value.kind == "exactly":
        return f"{column} = ?", (value.text,)
    wanted = _PARTED.sub(" ", value.text)
    compared = one_blank(column) if " " in wanted else column
    if value.kind == "glob":
        pattern = _OPPOSITE.sub(lambda match: "\\" + match[0], wanted).replace("*", "%")
        return f"{compared} LIKE ? ESCAPE '\\'", (pattern,)
    return f"{compared} = ? COLLATE NOCASE", (wanted,)
