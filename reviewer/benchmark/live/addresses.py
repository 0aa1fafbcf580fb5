"""Where models are sent what they are asked, and who says so: the command, the environment, a `.env`, the provider.

A `.env` is found in the folder or in any folder above it, and whoever wrote it may be a stranger. It may bring keys;
where it brings an address, the keys would be sent there, so that this is told apart from all else.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from dotenv import dotenv_values, find_dotenv
from inspect_ai.model import Model

from reviewer.basics.errors import ReviewerError
from reviewer.basics.shell import shell_word
from reviewer.benchmark.live.live_models import ADDRESSES, provider
from reviewer.benchmark.live.probes import named

Origin = Literal["option", "environment", "file", "provider"]

_ADDRESS = re.compile(r"URL|URI|ENDPOINT|HOST|SERVER", re.IGNORECASE)
"""In the name of a variable that may hold an address."""
_WAY = re.compile(
    r"(?:https?|all)_proxy|SSL_CERT_(?:FILE|DIR)|(?:REQUESTS|CURL|AWS)_CA_BUNDLE|AWS_ENDPOINT_URL\w*", re.IGNORECASE
)
"""Variables that decide how any address is reached, and whom one trusts there."""
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_SHORTEST_SECRET = 6


class Address(NamedTuple):
    """Where a model is asked, and where that address comes from."""

    model: str
    url: str
    """Without what may be secret; empty where the provider does not say it."""
    origin: Origin
    source: str = ""
    """The variable, and the file it stands in where it is one."""


class DotEnv(NamedTuple):
    """A file `.env`, and which of its variables are in force that may decide about an address."""

    path: str = ""
    addresses: Mapping[str, str] = {}
    ways: tuple[str, ...] = ()


def loaded() -> DotEnv:
    """Take the variables of the nearest `.env` into the environment, where they stand behind what is set there.

    In VS Code they go before it, because Inspect reads the file again and has it so.
    """
    path = find_dotenv(usecwd=True)
    if not path:
        return DotEnv()
    first = os.environ.get("TERM_PROGRAM") == "vscode" or any(name.startswith("VSCODE_") for name in os.environ)
    told = {name: value for name, value in dotenv_values(path).items() if value is not None}
    new = {name: value for name, value in told.items() if os.environ.get(name) != value}
    new = {name: value for name, value in new.items() if first or name not in os.environ}
    os.environ.update(new)
    ways = tuple(sorted(name for name in new if _WAY.fullmatch(name)))
    held = {name: value for name, value in new.items() if name not in ways and _may_be_address(name, value)}
    return DotEnv(path, held, ways)


def addresses(models: Iterable[str], file: DotEnv) -> list[Address]:
    """Where each of these models is asked; refused in a sentence where one cannot be made at all."""
    with redirect_stdout(StringIO()):  # Inspect greets where hooks are
        return [_address(model, file) for model in dict.fromkeys(models)]


def _address(name: str, file: DotEnv) -> Address:
    url = _url(named(name))
    shown = _without_secrets(url)
    if name in (ADDRESSES.get() or {}):
        return Address(name, shown, "option", "--base-url")
    if file.addresses and (not url or _without(file.addresses, name) != url):
        own = [each for each, value in file.addresses.items() if _same_host(value, url)] or sorted(file.addresses)
        return Address(name, shown, "file", f"{', '.join(own)} in {file.path}")
    held = [each for each, value in os.environ.items() if _may_be_address(each, value) and _same_host(value, url)]
    if held and _without(held, name) != url:
        return Address(name, shown, "environment", ", ".join(held))
    return Address(name, shown, "provider")


def _without(variables: Iterable[str], name: str) -> str | None:
    """Where the model would be asked if these variables were not set; None where it could not be asked then."""
    with _unset(variables):
        try:
            return _url(named(name, memoize=False))
        except ReviewerError:
            return None


@contextmanager
def _unset(names: Iterable[str]) -> Iterator[None]:
    held = {name: os.environ.pop(name) for name in names}
    try:
        yield
    finally:
        os.environ.update(held)


def _url(model: Model) -> str:
    """The address that the client of a model has, or else the model's provider."""
    for holder in (getattr(model.api, "client", None), model.api):
        if url := getattr(holder, "base_url", None):
            return str(url)
    return ""


def _may_be_address(name: str, value: str) -> bool:
    return bool(_ADDRESS.search(name)) or "://" in value


def _same_host(value: str, url: str) -> bool:
    """True if a value names the host of an address."""
    try:
        hosts = [urlsplit(each if "://" in each else f"//{each}").hostname for each in (value, url)]
    except ValueError:  # a value that is no address
        return False
    return hosts[0] is not None and hosts[0] == hosts[1]


def _without_secrets(url: str) -> str:
    """An address without the name, the password and the query in it, and without any key of the environment."""
    parts = urlsplit(url)
    shown = parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
    for name, value in os.environ.items():
        if _SECRET.search(name) and len(value) >= _SHORTEST_SECRET:
            shown = shown.replace(value, "…")
    return shown


def refusal(settled: Iterable[Address], file: DotEnv) -> ReviewerError | None:
    """Why a command may not go on by itself: an address, or the way to it, is from a file; None where none is."""
    if file.ways:
        return ReviewerError(
            f"{file.path} sets {', '.join(file.ways)}, which decides where keys and conversations are sent.",
            "Set it in the environment, or take it out of the file.",
        )
    theirs = [each for each in settled if each.origin == "file"]
    if not theirs:
        return None
    first = theirs[0]
    named = {provider(each.model): each.url or "URL" for each in theirs}
    options = " ".join(f"--base-url {shell_word(f'{whose}={url}')}" for whose, url in named.items())
    return ReviewerError(
        f"The address of {first.model} comes from a file: {first.source}. The key would be sent there.",
        f"If that is meant, name the address: {options}",
    )
