"""Whether the models answer, before a conversation is paid: one short call each, the agents' with the desk's tools."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from io import StringIO

from inspect_ai.model import GenerateConfig, Model, ModelUsage
from inspect_ai.tool import ToolDef

from reviewer.basics.errors import ReviewerError
from reviewer.benchmark.live.desk_kit import DeskKit, kit
from reviewer.benchmark.live.inspect_tools import desk_tools
from reviewer.benchmark.live.live_models import live_model

Paid = Callable[[str, ModelUsage | None], None]
"""What hears of a call that was paid: the model, and what it used where that was said."""

_CONFIG = GenerateConfig(max_tokens=64, max_retries=2, timeout=60)
_MARKUP = re.compile(r"\[/?(?:bold|blue|italic|dim|red|yellow|green)\]")
_LONGEST = 300
_KNOWN: tuple[tuple[str, str], ...] = (
    (r"\bnot recognized\b|No module named|provider", "inspect_ai's documentation lists its providers: PROVIDER/MODEL."),
    (r"pip install", "Install what it asks for, beside reviewer."),
    (r"API_KEY|environment variable|BASE_URL", "Set it in the environment or in a file called .env here."),
    (r"\b401\b|\b403\b|[Uu]nauthorized|invalid.{0,20}key", "Is the key right, and may it use this model?"),
    (r"\b404\b|not.{0,10}found", "Is the model's name right?"),
    (r"\btools?\b|function", "An agent needs tools: choose a model that can call them."),
    (r"[Cc]onnect|refused|[Tt]imeout|timed out", "Does the endpoint run, and is its address right?"),
)


async def probe(agents: Iterable[str], others: Iterable[str], paid: Paid, played: DeskKit | None = None) -> None:
    """Call every model once; the first that does not answer is said, with what to do.

    What needs no call to be refused (a key, a provider, a package that is not there) is refused of all of them before
    one is called. `paid` hears what each call used.
    """
    with redirect_stdout(StringIO()):  # Inspect greets where hooks are
        tools = dict.fromkeys(agents, desk_tools(played or kit()))
        tools |= {name: [] for name in others if name not in tools}
        models = [(name, named(name)) for name in tools]
        for name, model in models:
            paid(name, await _asked(model, tools[name]))


def named(model: str, memoize: bool = True) -> Model:
    """The model of that name; a sentence where a key, a provider or a package for it is not there."""
    try:
        return live_model(model, memoize=memoize)
    except Exception as error:
        raise explained(model, error) from error


async def _asked(model: Model, tools: list[ToolDef]) -> ModelUsage | None:
    try:
        output = await model.generate("Say: ready.", tools=tools, config=_CONFIG)
    except Exception as error:
        raise explained(str(model), error) from error
    return output.usage


def explained(model: str, error: BaseException) -> ReviewerError:
    """What a provider said, as a sentence and what to do; what was asked of it is left out."""
    cause: BaseException = error
    while cause.__cause__ is not None and (not str(cause).strip() or "Request:" in str(cause)):
        cause = cause.__cause__
    said = " ".join(_MARKUP.sub("", str(cause)).split()) or type(cause).__name__
    hint = next((hint for pattern, hint in _KNOWN if re.search(pattern, said)), "Nothing was run and nothing stored.")
    short = said if len(said) <= _LONGEST else said[: _LONGEST - 1] + "…"
    return ReviewerError(f"{model} does not answer: {short.rstrip('.')}.", hint)
