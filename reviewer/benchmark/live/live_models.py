"""Models by name, at the addresses that `--base-url` names; their replies can be written into any file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar

from inspect_ai.model import GenerateConfig, Model, get_model

from reviewer.basics.errors import ReviewerError
from reviewer.benchmark.live.whole_replies import whole

ADDRESSES: ContextVar[Mapping[str, str] | None] = ContextVar("addresses", default=None)
"""The addresses that the command names, by model."""


def live_model(name: str, config: GenerateConfig | None = None, memoize: bool = True) -> Model:
    """The model of that name, at the address that was named for it or else where its provider looks."""
    address = (ADDRESSES.get() or {}).get(name)
    return whole(get_model(name, config=config or GenerateConfig(), base_url=address, memoize=memoize))


def named_addresses(options: Sequence[str], models: Iterable[str]) -> dict[str, str]:
    """The addresses by model: URL where all models have one provider, PROVIDER=URL or MODEL=URL otherwise."""
    asked = list(dict.fromkeys(models))
    addresses: dict[str, str] = {}
    for option in options:
        whose, named, url = option.partition("=")
        if not named or "://" in whose:
            whose, url = "", option
        if not url.startswith(("https://", "http://")):
            raise ReviewerError(f"--base-url {option} is no address.", "Name one that begins with https://.")
        if not whose and len(providers := sorted({provider(model) for model in asked})) > 1:
            raise ReviewerError(
                f"--base-url names one address for several providers: {', '.join(providers)}.",
                f"Say whose it is: --base-url {providers[0]}=URL; may be given again.",
            )
        own = [model for model in asked if whose in ("", model, provider(model))]
        if not own:
            raise ReviewerError(
                f"--base-url names an address for {whose}, which is asked for nothing.", f"Models: {', '.join(asked)}."
            )
        addresses |= dict.fromkeys(own, url)
    return addresses


def provider(model: str) -> str:
    """The provider of a model, as Inspect names it: `openai`, or `openai-api/NAME`."""
    first, *rest = model.split("/")
    return f"{first}/{rest[0]}" if first == "openai-api" and len(rest) > 1 else first
