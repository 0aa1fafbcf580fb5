"""The keys: one table of actions, from which bindings, hints, the help screen, the palette and docs/keys.md come.

Owns which keys reach a pane, and how they are said. It knows no screen and no toolkit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reviewer.app.keys.action_table import ACTIONS, ENCLOSING, MODE_KEYS, PANES, TITLES, Action, Scope

__all__ = ["ACTIONS", "ENCLOSING", "MODE_KEYS", "PANES", "TITLES", "Action", "Scope"]

BY_ID = {action.id: action for action in ACTIONS}


Bound = Mapping[str, tuple[str, ...]]
"""The keys of those actions that a reader has bound otherwise."""
AS_USUAL: Bound = {}


def in_scope(scope: Scope, bound: Bound = AS_USUAL) -> Iterator[Action]:
    """The actions of this very scope, in the order of the table."""
    return (bound_action(action, bound) for action in ACTIONS if scope in action.scopes)


def bound_action(action: Action, bound: Bound) -> Action:
    """An action with the keys that its reader has bound."""
    return action._replace(keys=bound[action.id]) if action.id in bound else action


def reaching(scope: Scope, bound: Bound = AS_USUAL) -> Iterator[Action]:
    """The actions whose keys work in a scope: its own, then those of what encloses it."""
    for each in (scope, *ENCLOSING[scope]):
        yield from in_scope(each, bound)


def all_actions(bound: Bound = AS_USUAL) -> list[Action]:
    """Every action that has keys of its own, in the order of the table; the digits are the codebook's."""
    return [bound_action(action, bound) for action in ACTIONS if action.keys != MODE_KEYS]


def bound_to(name: str, bound: Bound = AS_USUAL) -> Action:
    """One action with the keys that it has."""
    return bound_action(BY_ID[name], bound)


def first_key(action: Action) -> str:
    """The key that is shown for an action; empty when it has none."""
    return spoken(action.keys[0]) if action.keys else ""


def key_of(name: str, bound: Bound = AS_USUAL) -> str:
    """Return the key of an action as sentences name it; the palette where it has none."""
    action = bound_to(name, bound)
    return first_key(action) or f"“{action.label}” in the palette"


def spoken(key: str) -> str:
    """A key as hints print it: `^d`, `space`, `,`."""
    if key.startswith("ctrl+"):
        return "^" + key.removeprefix("ctrl+")
    short = {
        "comma": ",",
        "escape": "esc",
        "down": "↓",
        "up": "↑",
        "left": "←",
        "right": "→",
        "pagedown": "pgdn",
        "pageup": "pgup",
        "exclamation_mark": "!",
    }
    return short.get(key, key)


def keys_text(action: Action) -> str:
    """All keys of an action as one text; the digits as a range."""
    return "1-9 0" if action.keys == MODE_KEYS else " ".join(map(spoken, action.keys))


def hints(scope: Scope, bound: Bound = AS_USUAL) -> list[tuple[str, str]]:
    """List a scope's hints for the foot of the screen, keys and a word each, the most wanted first."""
    actions = [action for action in reaching(scope, bound) if action.keys]
    partner = {action.pair: action for action in actions if action.pair}
    ranked: list[tuple[int, str, str]] = []
    for action in actions:
        if action.hint:
            first = "1-0" if action.keys == MODE_KEYS else spoken(action.keys[0])
            other = partner.get(action.id)
            ranked.append((action.hint, f"{first}/{spoken(other.keys[0])}" if other else first, action.label))
    ranked.sort(key=lambda each: each[0])
    return [(key, label) for _, key, label in ranked]
