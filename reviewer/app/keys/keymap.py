"""Keys that a reader has bound otherwise, from `keys.toml` in the user's config folder.

Owns the format of that file and the sentence, with its line, for whatever is wrong in one:

    [keys]
    "find" = ["/", "ctrl+f"]
    "scroll.down" = ["ctrl+e"]

An action has these keys and no others then; an empty list takes them all. Knows no screen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

from reviewer.app import keys
from reviewer.app.keys import Bound
from reviewer.basics.errors import ReviewerError

_MOVING = ("up", "down", "left", "right", "home", "end", "pageup", "pagedown")
_OTHERS = ("space", "comma", "enter", "escape", "tab", "backspace", "delete", "insert")
NAMED = frozenset((*_MOVING, *_OTHERS, *(f"f{number}" for number in range(1, 13))))
_MODIFIERS = re.compile(r"(?:(?:ctrl|shift|alt)\+)+")
_CODEBOOKS = "digits put failure modes, and the codebook says which"


class KeysError(ReviewerError):
    """The file of keys is wrong; the usual keys count."""


def usual_path() -> Path:
    """Return the path at which the file is looked for."""
    from platformdirs import user_config_path

    return user_config_path("reviewer") / "keys.toml"


def load(path: Path) -> Bound:
    """The keys of a file; none when it is not there."""
    try:
        text = path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise KeysError(f"{path} cannot be read: {error.strerror}.", _still()) from error
    except UnicodeDecodeError as error:
        raise KeysError(f"{path} is not UTF-8 text.", _still()) from error
    return parse(text, str(path))


def parse(text: str, where: str) -> Bound:
    """The keys of a file's text; whatever is wrong is said with its line."""
    from reviewer.basics import toml

    try:
        tables = toml.table_of(text)
    except toml.NotTomlError as error:
        raise KeysError(f"{where} is not TOML: {error}.", _still()) from error

    def wrong(name: str, reason: str) -> KeysError:
        return KeysError(f"{where}, line {_line(text, name)}: {reason}.", _still())

    table = tables.get("keys", {})
    if stray := [name for name in tables if name != "keys"]:
        raise wrong(stray[0], f"“{stray[0]}” is not a table of this file; keys stand under [keys]")
    if not isinstance(table, dict):
        raise wrong("keys", "keys is not a table; write [keys]")
    bound: dict[str, tuple[str, ...]] = {}
    for name, value in _flat(table):
        reason = _refused(name, value)
        if reason:
            raise wrong(name, reason)
        bound[name] = tuple(map(_spelled, value))
    for scope in keys.ENCLOSING:
        if clash := _clash(scope, bound):
            raise wrong(*clash)
    return bound


def _flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Names and values; a name written without quotes is a table in a table to TOML."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _refused(name: str, value: Any) -> str:
    """Say why a binding cannot be; empty when it can."""
    action = keys.BY_ID.get(name)
    if action is None:
        return f"there is no action “{name}”"
    if action.keys == keys.MODE_KEYS:
        return f"“{name}” cannot be given other keys: {_CODEBOOKS}"
    if not isinstance(value, list) or not all(isinstance(key, str) for key in value):
        return f'the keys of “{name}” are not a list of texts, such as ["x", "ctrl+y"]'
    for key in value:
        if key in keys.MODE_KEYS:
            return f"“{name}” cannot have the key {key}: {_CODEBOOKS}"
        bare = _MODIFIERS.sub("", key) if len(key) > 1 else key
        if not (bare in NAMED or (len(bare) == 1 and bare.isprintable())):
            return f"“{key}” is not a key; a key is a character, or a name such as space, f5, ctrl+y"
    return ""


def _spelled(key: str) -> str:
    return {",": "comma", " ": "space"}.get(key, key)


def _clash(scope: keys.Scope, bound: Bound) -> tuple[str, str] | None:
    """Two actions with one key where both reach: the one that was bound, and what is wrong with that."""
    for one, other in combinations(keys.reaching(scope, bound), 2):
        shared = sorted(set(one.keys) & set(other.keys))
        usual = set(keys.BY_ID[one.id].keys) & set(keys.BY_ID[other.id].keys)
        if shared and not set(shared) <= usual:
            mine, theirs = (one, other) if one.id in bound else (other, one)
            where = keys.TITLES[scope]
            return mine.id, f"“{mine.id}” has the key {keys.spoken(shared[0])}, and so has “{theirs.id}” ({where})"
    return None


def _line(text: str, name: str) -> int:
    """The line on which a name is bound; the first one when it cannot be told."""
    wanted = {name, name.rpartition(".")[2]}
    for number, line in enumerate(text.splitlines(), start=1):
        written = line.partition("=")[0].strip().strip("[]").replace('"', "").replace("'", "").replace(" ", "")
        if written == name or ("=" in line and written in wanted):
            return number
    return 1


def _still() -> str:
    return "The usual keys count until that is mended; `reviewer help keys` lists the actions."
