"""Which failures fit which kind of conversation, and what is said of single models: `data/northline/habits.toml`.

Owns reading the file and saying which entry of it cannot be used. Who shows what is drawn from it elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from reviewer.basics.errors import SourceError
from reviewer.basics.resources import data_dir
from reviewer.benchmark.northline.lines import table

_FILE = "northline/habits.toml"
_MODELS = "models"
_TABLES = ("more", "never_in", "exactly", "first")


@cache
def tables() -> Mapping[str, Mapping[str, float]]:
    """The failures of each kind of conversation with their weights."""
    kinds = {kind: weights for kind, weights in _habits().items() if kind != _MODELS}
    for kind, weights in kinds.items():
        for mode, weight in _table(weights, kind).items():
            _number(weight, f"{kind}”, “{mode}")
    return kinds


def weights_of(kind: str) -> Mapping[str, float]:
    """The failures of one kind of conversation."""
    if kind not in tables():
        raise SourceError(f"{_FILE}: the table “{kind}” is missing.", "Its neighbours show how it is written.")
    return tables()[kind]


@cache
def said_of(model: str) -> Mapping[str, Any]:
    """What is said of a model, with what holds for every model that nothing else is said of."""
    models = _table(_habits().get(_MODELS, {}), _MODELS)
    if "goodbye-loop" not in models.get("default", {}):
        raise SourceError(f"{_FILE}, “models.default”: “goodbye-loop” is missing.")
    own = {**models["default"], **_table(models.get(model, {}), f"models.{model}")}
    place = f"models.{model}" if model in models else "models.default"
    _number(own["goodbye-loop"], f"{place}”, “goodbye-loop")
    for name in _TABLES:
        _table(own.get(name, {}), f"{place}.{name}")
    for mode, weight in own.get("more", {}).items():
        _number(weight, f"{place}.more”, “{mode}")
    for mode, kinds in own.get("exactly", {}).items():
        for kind, count in _table(kinds, f"{place}.exactly.{mode}").items():
            weights_of(kind)
            _number(count, f"{place}.exactly.{mode}”, “{kind}")
    return own


@cache
def _habits() -> Mapping[str, Any]:
    return table(data_dir() / "northline" / "habits.toml")


def _table(value: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise SourceError(f"{_FILE}, “{place}”: a table is meant, and not {value!r}.")
    return value


def _number(value: Any, place: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise SourceError(f"{_FILE}, “{place}”: a number is meant, and not {value!r}.")
