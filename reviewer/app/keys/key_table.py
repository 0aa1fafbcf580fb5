"""The table of keys as text: for `reviewer help keys`, and for docs/keys.md."""

from __future__ import annotations

from itertools import groupby

from reviewer.app.keys import (
    ACTIONS,
    AS_USUAL,
    ENCLOSING,
    MODE_KEYS,
    PANES,
    TITLES,
    Action,
    Bound,
    Scope,
    bound_action,
    spoken,
)

_PANE_NAMES: dict[Scope, str] = {
    "review": "reading",
    "tools": "tool layer",
    "compare": "comparison",
    "select": "selection",
}


def plain_table(bound: Bound = AS_USUAL) -> str:
    """Every action with its keys, for `reviewer help keys`."""
    lines: list[str] = []
    for scope in ENCLOSING:
        actions = [bound_action(action, bound) for action in ACTIONS if action.scopes[0] == scope]
        if actions:
            lines += ["", TITLES[scope]]
        for action in actions:
            shown = "1-9 0" if action.keys == MODE_KEYS else " ".join(map(_named, action.keys)) or "(no key)"
            lines.append(f"  {action.id:<22} {shown:<18} {action.help}")
    return "\n".join(lines[1:])


def _named(key: str) -> str:
    return "," if key == "comma" else key


def markdown_table() -> str:
    """The key table of docs/keys.md."""
    lines = ["| key | does | where |", "|---|---|---|"]
    for group, members in groupby(ACTIONS, key=lambda action: action.group):
        lines.append(f"| **{group}** | | |")
        for action in members:
            shown = " ".join(f"`{spoken(key)}`" for key in action.keys) if action.keys != MODE_KEYS else "`1`-`9` `0`"
            lines.append(f"| {shown.replace('|', chr(92) + '|')} | {action.help} | {_where(action)} |")
    return "\n".join(lines)


def _where(action: Action) -> str:
    """The panes and screens in which an action's keys work."""
    scopes = list(action.scopes)
    if set(PANES) <= set(scopes):
        scopes = ["review", *(scope for scope in scopes if scope not in (*PANES, "review"))]
    return ", ".join(_PANE_NAMES.get(scope, scope) for scope in scopes)
