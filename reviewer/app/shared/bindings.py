"""From the table of keys to Textual's bindings. Knows no widget; every binding ends in the screen's `action_do`.

Keys that a reader has bound otherwise take the place of the usual ones in each node when its screen comes up. Textual's
own keymap would take a key from every action of a widget that has it, also from those of another mode.
"""

from __future__ import annotations

from dataclasses import replace

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode

from reviewer.app.keys import AS_USUAL, MODE_KEYS, Action, Bound, Scope, in_scope
from reviewer.app.shared.crash_file import LastActions


class KeyedApp(App[None]):
    """An app whose keys the reader may have bound otherwise."""

    bound: Bound = AS_USUAL

    def __init__(self, *, ansi_color: bool | None = None) -> None:
        super().__init__(ansi_color=ansi_color)
        self.recent: list[str] = []
        """What was last chosen in the palette."""
        self.last_actions = LastActions()

    def forget_typed(self) -> None:
        """Drop the keys that were typed and that nobody has taken yet."""

    def rebind(self, node: DOMNode) -> None:
        """Give a node the reader's keys in the place of the usual ones."""
        if not self.bound:
            return
        usual = node._bindings  # noqa: SLF001 -- what a node binds has no other door
        by_key: dict[str, list[Binding]] = {}
        for key, bindings in usual.key_to_bindings.items():
            for binding in bindings:
                if binding.id not in self.bound:
                    by_key.setdefault(key, []).append(binding)
        for binding in {each.id: each for _, each in usual if each.id in self.bound}.values():
            for key in self.bound[binding.id or ""]:
                for each in Binding.make_bindings([replace(binding, key=key)]):
                    by_key.setdefault(each.key, []).append(each)
        for bindings in by_key.values():
            bindings.sort(key=_of_no_mode)
        usual.key_to_bindings = by_key


def _of_no_mode(binding: Binding) -> bool:
    """A mode takes a key first; outside of it, its keys do nothing and the next one is asked."""
    return not (binding.id or "").startswith("select.")


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
