"""Every regular expression of the package, how it is used, and texts that would make it slow if anything does.

A text is pumped from what the expression itself accepts: a piece of it, repeated, with an end that does not fit. What
looks again at what it has looked at shows there: four times the text costs it sixteen times the time.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import random
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

import reviewer
from reviewer.imports.maps import turns
from reviewer.transcripts.query import parser as parser_of_queries
from reviewer.transcripts.query.selection import Value

SMALL, LARGE = 20_000, 80_000
SHORT = 0.008
"""Seconds below which a clock says little; what is quadratic takes longer over SMALL characters."""
MOST = 8.0
"""Four times the text may take so many times as long."""
_TRIES = 3
parser, signs = importlib.import_module("re._parser"), importlib.import_module("re._constants")
"""How Python itself takes an expression apart."""


_EXTRAS = {"inspect_ai", "openai", "dotenv"}
"""What `reviewer[run]` brings: without it its modules are left out."""
BUILT: dict[str, dict[str, Any]] = {
    "reviewer.marks.codebook": {"code": "phantom-action", "name": "title"},
    "reviewer.benchmark.cuts.leftovers": {"names": ["andre", "andrea", "muller"]},
    "reviewer.transcripts.desk": {"quoted": "[\"']?title[\"']?"},
    "reviewer.figures.export.masks": {"spelled": "gpt\\-4o|kimi"},
    "reviewer.imports.maps.turns": {"known": turns.Turns(["User", "Agent"])._within.pattern.partition("))")[2]},
    "reviewer.imports.maps.markup": {"name": "turn"},
    "reviewer.imports.names": {"name": "gpt[-_.]+4o"},
    "reviewer.benchmark.northline.voices": {"word": "please"},
    "reviewer.transcripts.query.parser": {"pattern": parser_of_queries._NUMBER},
    "reviewer.transcripts.query.selection": {"self": Value("glob", "cancel*order*", "")},
    "reviewer.transcripts.particulars.personal_fields": {"words": "zip_?code plz"},
    "reviewer.findings.reads.claims": {"active": "I cancelled", "passive": "it was cancelled"},
    "reviewer.findings.reads.confirmations": {"words": "yes|go ahead"},
    "reviewer.findings.reads.leave": {"words": "yes|go ahead"},
    "reviewer.findings.reads.rules_cited": {
        "limit": r"\b(?:only|most) once\b|\bonce(?: \w+)? (?:per|each)\b",
        "said": "only once|per order",
        "source": "policy|rules",
    },
    "reviewer.transcripts.refs": {"also": "/"},
    "reviewer.findings.reads.states": {"words": "in transit|delivered"},
    "reviewer.benchmark.live.probes": {"pattern": "support tools"},
    "reviewer.basics.clean": {"those": "\u0300-\u036f"},
    "reviewer.app.queue.column_keys": {"term": "model:kimi"},
    "reviewer.app.reading.find": {"words": "order a"},
}
"""What an expression is made of that a function makes: an example of each name in it, by module."""


class Used:
    """An expression, where it stands, and the ways it is used."""

    def __init__(self, pattern: re.Pattern[str], name: str) -> None:
        self.pattern, self.name = pattern, name
        self.ways: set[str] = set()

    def walk(self, text: str) -> None:
        """Use it on the text in all those ways; where they are not known, everywhere."""
        for way in self.ways:
            match way:
                case "match" | "fullmatch" | "fullmatch with a place":
                    self.pattern.fullmatch(text)
                    self.pattern.match(text)
                case "search":
                    self.pattern.search(text)
                case "match with a place":
                    at = 0
                    while (step := self.pattern.match(text, at)) and step.end() > at:
                        at = step.end()
                case "pattern":
                    pass
                case _:
                    for _ in self.pattern.finditer(text):
                        pass


@cache
def patterns() -> list[Used]:
    """The expressions of all modules: those that stand in a name, and those that stand in a call (`re.sub("…", …)`)."""
    kept: dict[tuple[str, int], Used] = {}
    for info in pkgutil.walk_packages(reviewer.__path__, "reviewer."):
        if info.name.endswith("__main__"):
            continue
        try:
            module = importlib.import_module(info.name)
        except ModuleNotFoundError as error:
            if str(error.name).partition(".")[0] in _EXTRAS:
                continue
            raise
        if module.__file__ is None:
            continue
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        ways = _ways(tree)
        held = [(name, each, ways.get(name, set())) for name, value in vars(module).items() for each in _held(value)]
        inline = _inline(tree, {**vars(module), **BUILT.get(info.name, {})}, ways)
        for name, found, of_name in (*held, *inline):
            pattern = _of_text(found)
            known = kept.setdefault((pattern.pattern, pattern.flags), Used(pattern, f"{info.name}.{name}"))
            known.ways |= of_name or {"handed on"}
    return list(kept.values())


def _of_text(pattern: re.Pattern[Any]) -> re.Pattern[str]:
    """The expression itself; one for bytes as the same for the characters of these numbers."""
    source = pattern.pattern
    return re.compile(source.decode("latin-1"), pattern.flags | re.ASCII) if isinstance(source, bytes) else pattern


def _held(value: object) -> Iterator[re.Pattern[str]]:
    """The compiled expressions a module's name holds, itself or one deep."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, tuple | list) else (value,)
    for each in inner:
        owner = getattr(each, "__self__", each)  # `re.compile(…).sub` holds its expression
        if isinstance(owner, re.Pattern) and isinstance(owner.pattern, str):
            yield owner


def _ways(tree: ast.AST) -> dict[str, set[str]]:
    """How each name is used: `NAME.match(text)` at one place, `NAME.match(text, at)` wherever a walk has come to."""
    ways: dict[str, set[str]] = {}
    called = {id(node.func): len(node.args) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    named = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    for node in named:
        way = node.attr if called.get(id(node), 1) == 1 else f"{node.attr} with a place"
        ways.setdefault(ast.unparse(node.value), set()).add(way)
    inner = {id(node.value) for node in named}
    for name in ast.walk(tree):
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load) and id(name) not in inner:
            ways.setdefault(name.id, set()).add("handed on")
    return ways


def _inline(
    tree: ast.AST, known: dict[str, Any], ways: dict[str, set[str]]
) -> Iterator[tuple[str, re.Pattern[str], set[str]]]:
    """The expressions that stand in calls, in functions too; what is known tells what their names stand for."""
    kept = {id(node.value): ast.unparse(node.targets[0]) for node in ast.walk(tree) if isinstance(node, ast.Assign)}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=way), args=[said, *more]) if way != "escape":
                told = _value(said, known)
                flags = next((each.value for each in node.keywords if each.arg == "flags"), None)
                at = 0 if way == "compile" else 1
                flags = flags or (more[at] if way not in ("sub", "split", "subn") and len(more) > at else None)
                pattern = (
                    told if isinstance(told, re.Pattern) else re.compile(told, _value(flags, known) if flags else 0)
                )
                used = ways.get(kept.get(id(node), ""), set()) if way == "compile" else {way}
                yield f"line {node.lineno}", pattern, used


def _value(node: ast.expr, known: dict[str, Any]) -> Any:
    """What stands in a call; a name in it that is no module's own wants an example in `BUILT`."""
    return eval(compile(ast.Expression(node), "<an expression>", "eval"), known)  # noqa: S307 -- our own modules


def units(pattern: re.Pattern[str], rnd: random.Random) -> list[str]:
    """Pieces to repeat: what the expression accepts, cut anywhere; its signs one by one and two by two."""
    tree = parser.parse(pattern.pattern, pattern.flags)
    samples = [_sample(tree, rnd) for _ in range(40)]
    cut = [each[: rnd.randint(1, len(each))] for each in samples if each]
    tails = [each[rnd.randint(0, len(each) - 1) :] for each in samples if each]
    signs_of = list(dict.fromkeys("".join(samples)))
    rnd.shuffle(signs_of)
    pairs = ["".join(rnd.choices(signs_of, k=rnd.randint(2, 3))) for _ in range(24)] if signs_of else []
    bodies = [_sample(body, rnd) for body in _repeated(tree) for _ in range(3)]
    all_of = [*bodies, *signs_of[:16], *pairs, *cut, *tails[:8], *samples[:6], " ", "a", "7", "\n", ".", "é"]
    return list(dict.fromkeys(each for each in all_of if each))


def _repeated(tree: Any) -> Iterator[Any]:
    """What stands under a `*`, `+` or `{…}` anywhere in the expression."""
    for operation, value in tree:
        if operation in (signs.MAX_REPEAT, signs.MIN_REPEAT, signs.POSSESSIVE_REPEAT):
            if value[1] > 3:
                yield value[2]
            yield from _repeated(value[2])
        elif operation is signs.SUBPATTERN:
            yield from _repeated(value[3])
        elif operation is signs.BRANCH:
            for branch in value[1]:
                yield from _repeated(branch)
        elif operation in (signs.ASSERT, signs.ASSERT_NOT):
            yield from _repeated(value[1])
        elif operation is signs.ATOMIC_GROUP:
            yield from _repeated(value)


def _sample(tree: Any, rnd: random.Random) -> str:
    """A text the expression accepts, or nearly."""
    return "".join(_one(operation, value, rnd) for operation, value in tree)


def _one(operation: Any, value: Any, rnd: random.Random) -> str:
    if operation is signs.LITERAL:
        return chr(value)
    if operation is signs.NOT_LITERAL:
        return "x" if value != ord("x") else "y"
    if operation is signs.ANY:
        return rnd.choice("x ")
    if operation is signs.IN:
        return _of_class(value, rnd)
    if operation in (signs.MAX_REPEAT, signs.MIN_REPEAT, signs.POSSESSIVE_REPEAT):
        least, most, body = value
        return "".join(_sample(body, rnd) for _ in range(min(int(most), least + rnd.randint(0, 2))))
    if operation is signs.SUBPATTERN:
        return _sample(value[3], rnd)
    if operation is signs.BRANCH:
        return _sample(rnd.choice(value[1]), rnd)
    if operation is signs.ATOMIC_GROUP:
        return _sample(value, rnd)
    if operation is signs.ASSERT and value[0] > 0 and rnd.random() < 0.3:
        return _sample(value[1], rnd)
    return ""


_CATEGORIES = {
    signs.CATEGORY_DIGIT: "7",
    signs.CATEGORY_SPACE: " \n",
    signs.CATEGORY_WORD: "a_7",
    signs.CATEGORY_NOT_DIGIT: "a ",
    signs.CATEGORY_NOT_SPACE: "a.",
    signs.CATEGORY_NOT_WORD: " -",
}


def _of_class(value: Any, rnd: random.Random) -> str:
    """A sign of a class; of one that says what it is not, a sign that is not among them."""
    if value[0][0] is signs.NEGATE:
        held = [chr(sign) for kind, sign in value if kind is signs.LITERAL]
        return rnd.choice([each for each in 'ax -7.\n"{<(é' if each not in held])
    kind, sign = rnd.choice(value)
    if kind is signs.LITERAL:
        return chr(sign)
    if kind is signs.RANGE:
        return chr(rnd.choice(sign))
    return rnd.choice(_CATEGORIES.get(sign, "a"))


def pumped(unit: str, size: int, end: str) -> str:
    """The unit again and again, up to a size."""
    return (unit * (size // len(unit) + 1))[:size] + end


class TooLongError(Exception):
    """It has used more time than it was given."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Stop what is done within once it has used this much processor time."""

    def stop(*_: object) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def cost(work: Callable[[str], object], text: str, limit: float) -> float:
    """The processor time of some work on a text, at most a limit.

    That of the thread: while an alarm by processor time is set, that of the process only moves every few milliseconds.
    """
    started = time.thread_time()
    try:
        with at_most(limit):
            work(text)
    except TooLongError:
        return inf
    return time.thread_time() - started


def growth(work: Callable[[str], object], text_of: Callable[[int], str], enough: float = 0.4) -> float:
    """How many times longer LARGE characters take than SMALL; 0 where the smaller take no time, else without an end."""
    small = cost(work, text_of(SMALL), enough)
    if small < SHORT or small == inf:
        return 0.0 if small < SHORT else inf
    large = inf
    for _ in range(_TRIES):  # what else the machine does takes time too: the least is what the work itself takes
        large = min(large, cost(work, text_of(LARGE), max(small, 0.02) * MOST * 1.5))
        if large <= small * MOST:
            break
        small = max(SHORT, min(small, cost(work, text_of(SMALL), enough)))
    return large / small


def growth_over(work: Callable[[str], object], unit: str) -> float:
    """The same over a piece that is repeated, whether or not what follows it fits."""
    return max(growth(work, lambda size, end=end: pumped(unit, size, end)) for end in ("", "\0!"))  # type: ignore[misc]
