"""From the table of keys to Textual's bindings. Knows no widget; every binding ends in the screen's `action_do`."""

from __future__ import annotations

from textual.binding import Binding

from reviewer.keys import MODE_KEYS, Action, Scope, in_scope


def bindings(*scopes: Scope) -> list[Binding]:
    """The bindings of these scopes, in the order of the table."""
    return [binding for scope in scopes for action in in_scope(scope) for binding in _of(action)]


def _of(action: Action) -> list[Binding]:
    if action.keys == MODE_KEYS:
        return [
            _binding(action, key, f"screen.do('{action.id}', '{key}')", f"{action.id}.{key}") for key in action.keys
        ]
    return [_binding(action, ",".join(action.keys), f"screen.do('{action.id}')", action.id)]


def _binding(action: Action, keys: str, call: str, name: str) -> Binding:
    return Binding(keys, call, action.label, id=name, tooltip=action.help, group=Binding.Group(action.group))
