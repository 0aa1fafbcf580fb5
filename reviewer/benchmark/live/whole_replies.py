"""What models answer, without the halves of surrogate pairs that no file can hold: each is written out as its escape.

Inspect ends the whole run where its log meets one. So they are escaped where a reply comes in, before Inspect records
it, in the same way as an import keeps them.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from inspect_ai.model import Model, ModelCall, ModelOutput

from reviewer.imports.source import kept_whole, whole_value


def whole(model: Model) -> Model:
    """The model, whose replies and errors can be written into any file."""
    api = model.api
    if "generate" in vars(api):  # it was done before
        return model
    generate = api.generate

    @wraps(generate)
    async def answered(*asked: Any, **named: Any) -> Any:
        try:
            told = await generate(*asked, **named)
        except Exception as error:
            _speak_plainly(error)
            raise
        return tuple(map(_written, told)) if isinstance(told, tuple) else _written(told)

    vars(api)["generate"] = answered
    return model


def _written(told: Any) -> Any:
    """A reply, the record of a call, or an error that is returned; the same object where nothing is to be escaped."""
    if isinstance(told, Exception):
        _speak_plainly(told)
    elif isinstance(told, ModelOutput | ModelCall):
        try:
            told.model_dump_json()
        except ValueError:  # what pydantic says of half a surrogate pair
            return type(told).model_validate(whole_value(told.model_dump()))
    return told


def _speak_plainly(error: Exception) -> None:
    """Escape what an error says, in place."""
    error.args = tuple(kept_whole(each) if isinstance(each, str) else each for each in error.args)
    for name, value in vars(error).items():
        if isinstance(value, str):
            setattr(error, name, kept_whole(value))
