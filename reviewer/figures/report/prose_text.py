"""A person's words with their placeholders filled in: figures by their names, excerpts by their tag's identifier.

Owns what a placeholder may be: `{{ unsafe.per_run }}`, `{{ excerpt("01J…") }}`, a text in quotes. Nothing is computed
in prose: a figure stands as it was counted, so loops, filters and sums are refused while the template is a tree. What
is left is rendered by Jinja's sandbox, in which there is nothing but figures. Values stay apart from the words: whoever
prints them escapes them. What does not resolve is a sentence with its line, and stands on the page as it was typed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from jinja2 import StrictUndefined, TemplateSyntaxError, nodes
from jinja2.sandbox import SandboxedEnvironment

from reviewer.basics.clean import printable
from reviewer.basics.errors import ReviewerError
from reviewer.figures.export.excerpts import Excerpt
from reviewer.figures.report.blocks import MARK, Prose, ProseTrouble
from reviewer.figures.report.prose_front import FrontText

_ONLY = 'only a figure\'s name, excerpt("…") or a text in quotes may stand between {{ and }}'
_NEAREST, _SOUGHT = 2, 20
"""Names that are offered for one that is not there, and of how many such names."""


@dataclass(frozen=True, slots=True)
class RenderedProse:
    """Somebody's words, ready to be printed."""

    prose: Prose
    troubles: tuple[ProseTrouble, ...]
    own: tuple[tuple[int, str], ...]
    """Line and text of what the person wrote, placeholders left out."""


class FigureName:
    """A part of figures' names in a template: what it leads to, and the text of a figure that ends there."""

    __slots__ = ("_below", "_text")

    def __init__(self) -> None:
        self._below: dict[str, FigureName] = {}
        self._text = ""

    def __getitem__(self, name: str) -> FigureName:
        return self._below[name]

    def __str__(self) -> str:
        return self._text

    def put(self, parts: list[str], text: str) -> None:
        """Let a path of names lead to a text."""
        if parts:
            self._below.setdefault(parts[0], FigureName()).put(parts[1:], text)
        else:
            self._text = text

    def named(self) -> dict[str, FigureName]:
        """The names that a template begins with."""
        return dict(self._below)


@dataclass
class ProseRenderer:
    """Fills placeholders in with the figures and the excerpts of one page."""

    figures: Mapping[str, str]
    excerpt: Callable[[str], Excerpt | None]
    """The tag of an identifier; None where there is none, or its words are no longer there."""
    _tree: FigureName = field(default_factory=FigureName)
    _excerpts: dict[str, Excerpt | None] = field(default_factory=dict)
    _sought: int = 0

    def __post_init__(self) -> None:
        for name, text in self.figures.items():
            self._tree.put(name.split("."), text)

    def rendered(self, words: FrontText) -> RenderedProse:
        """Fill in what can be; what cannot be read as a template stands as it was typed."""
        source = printable(words.text, joined=True)
        values: list[str | Excerpt] = []

        def kept(value: object) -> str:
            values.append(value if isinstance(value, Excerpt) else str(value))
            return MARK.format(len(values) - 1)

        environment = SandboxedEnvironment(undefined=StrictUndefined, finalize=kept)
        environment.globals.clear()

        def parsed(lines: int | None = None) -> nodes.Template:
            return environment.parse("\n".join(source.split("\n")[:lines]))

        try:
            troubles, own = self._checked(tree := parsed(), words.line - 1)
            text = environment.from_string(tree).render(self._tree.named(), excerpt=self._excerpt)
        except ReviewerError:
            raise  # the store that an excerpt comes from, and not these words
        except TemplateSyntaxError as error:
            line, reason = error.lineno, f"this is no placeholder: {(error.message or '').rstrip('.')}"
        except RecursionError as error:
            line, reason = _first_line(error, parsed, source), "this is nested too deeply to read"
        except Exception as error:  # noqa: BLE001 -- whatever a text provokes in a library of others
            line, reason = _first_line(error, parsed, source), f"this cannot be read as a placeholder: {_ONLY}"
        else:
            return RenderedProse(Prose(text.strip("\n"), tuple(values)), tuple(troubles), tuple(own))
        trouble = ProseTrouble(words.line + line - 1, f"{reason}. Its section is printed as it was typed.")
        typed = tuple(enumerate(source.split("\n"), start=words.line))
        return RenderedProse(Prose(source.strip("\n")), (trouble,), typed)

    def _checked(self, tree: nodes.Template, before: int) -> tuple[list[ProseTrouble], list[tuple[int, str]]]:
        """Put what does not resolve back as it was typed; returns what is wrong, and what the person wrote, by line."""
        troubles: list[ProseTrouble] = []
        own: list[tuple[int, str]] = []
        for statement in tree.body:
            if not isinstance(statement, nodes.Output):
                raise TemplateSyntaxError(f"{_ONLY}, and nothing between {{% and %}}", statement.lineno)
            for at, node in enumerate(statement.nodes):
                line = before + node.lineno
                if isinstance(node, nodes.TemplateData):
                    own += enumerate(node.data.split("\n"), start=line)
                elif isinstance(node, nodes.Const) and isinstance(node.value, str):
                    own.append((line, node.value))
                elif path := self._figure(node):
                    statement.nodes[at] = _named(path, node.lineno)
                elif wrong := self._wrong(node):
                    typed, said = wrong
                    troubles.append(ProseTrouble(line, said))
                    statement.nodes[at] = nodes.Const(f"{{{{ {typed} }}}}", lineno=node.lineno)
        return troubles, own

    def _wrong(self, node: nodes.Expr) -> tuple[str, str] | None:
        """How a placeholder is typed and why it does not resolve; None where it does."""
        if (name := _excerpt_of(node)) is not None:
            if self._excerpt(name) is not None:
                return None
            said = f"no tag “{name}” can be printed here: none has that identifier, or its words are gone."
            return f'excerpt("{name}")', said
        path = ".".join(_path(node))
        if not path:
            return "…", f"{_ONLY}."
        self._sought += 1
        near = ", ".join(get_close_matches(path, self.figures, _NEAREST, 0.6)) if self._sought <= _SOUGHT else ""
        return path, f"there is no figure “{path}”.{f' Nearest: {near}.' if near else ''}"

    def _figure(self, node: nodes.Expr) -> list[str]:
        """The parts of the name of a figure that the page has."""
        path = _path(node)
        return path if ".".join(path) in self.figures else []

    def _excerpt(self, name: str) -> Excerpt | None:
        if name not in self._excerpts:
            self._excerpts[name] = self.excerpt(name)
        return self._excerpts[name]


def _first_line(error: Exception, parsed: Callable[[int], object], source: str) -> int:
    """The number of lines from the beginning of a text that are enough to raise such an error."""

    def raises(lines: int) -> bool:
        try:
            parsed(lines)
        except Exception as raised:  # noqa: BLE001 -- it is compared with the error of the whole text
            return isinstance(raised, type(error))
        return False

    return bisect_left(range(1, source.count("\n") + 1), True, key=raises) + 1


def _excerpt_of(node: nodes.Expr) -> str | None:
    """The identifier in `excerpt("…")`; None where a node is something else."""
    match node:
        case nodes.Call(node=nodes.Name(name="excerpt"), args=[nodes.Const(value=str(name))], kwargs=[]):
            return None if node.dyn_args or node.dyn_kwargs else name
    return None


def _path(node: nodes.Expr) -> list[str]:
    """The parts of a figure's name; none where a node is something else."""
    parts: list[str] = []
    here: Any = node
    while True:
        match here:
            case nodes.Getattr(attr=name) | nodes.Getitem(arg=nodes.Const(value=str(name))):
                parts.append(name)
                here = here.node
            case nodes.Name(name=name):
                return [name, *reversed(parts)]
            case nodes.Const(value=None | True | False as value) if parts:
                return [str(value).lower(), *reversed(parts)]  # `none.…` is a figure here, and elsewhere nothing
            case _:
                return []


def _named(path: list[str], line: int) -> nodes.Expr:
    """The node of a figure's name, whatever its first part is called."""
    node: nodes.Expr = nodes.Name(path[0], "load", lineno=line)
    for name in path[1:]:
        node = nodes.Getitem(node, nodes.Const(name, lineno=line), "load", lineno=line)
    return node
