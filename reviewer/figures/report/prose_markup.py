"""A person's words as Markdown, as HTML and on one line: their own emphasis, lists and links; nothing of a store alive.

Raw HTML and pictures are shown as they were typed, links lead to the web, to a post box or within the page. Values are
put in when all else is done, escaped for where they stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape
from typing import Any
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.common.normalize_url import normalizeLink
from markdown_it.token import Token

from reviewer.basics.clean import printable, printable_line
from reviewer.figures.export import markdown, page
from reviewer.figures.export.excerpts import Excerpt, named
from reviewer.figures.report.blocks import MARKED, Prose

_SAFE = re.compile(r"(?i)(https?:|mailto:|#|[^:]*$|[^:]*[/?#])")
"""How an address begins that is no danger: it has a scheme of these, or none."""
_TOP = ("h1", "h2")
_BLOCK = re.compile(r"^([0-9]{0,9})([-+=#.)])")
"""How a list, a heading or a line begins, where it stands first in a line."""
_PERHAPS_FIRST = re.compile(rf"(^[ \t>*+-]*)?{MARKED.pattern}", re.MULTILINE)


def as_markdown(prose: Prose) -> str:
    """The words as Markdown."""
    text = _harmless(prose.text)
    page = _in_markdown(text, prose.values)
    return _in_markdown(text.replace("]", "&#93;"), prose.values) if dangerous(page) else page


def refused(prose: Prose) -> bool:
    """True if a link of these words, as Markdown would read them, is printed as text."""
    return bool(dangerous(_in_markdown(_harmless(prose.text), prose.values)))


def _harmless(text: str) -> str:
    """A person's Markdown without HTML and pictures, also where a value would complete them."""
    return text.replace("<", "&lt;").replace("![", "!\\[")


def _in_markdown(text: str, values: Sequence[str | Excerpt]) -> str:
    def shown(mark: re.Match[str]) -> str:
        value = values[int(mark[2])]
        said = markdown.inline(value) if isinstance(value, Excerpt) else markdown.escaped(value)
        if mark[1] is not None:
            return mark[1] + _BLOCK.sub(r"\1\\\2", said)
        before = mark.start()
        while before and text[before - 1] == "\\":
            before -= 1
        return "\\" * ((mark.start() - before) % 2) + said  # or a person's backslash would free what is escaped

    return _PERHAPS_FIRST.sub(shown, text)


def as_html(prose: Prose) -> str:
    """The words as HTML."""
    values = prose.values
    parser = _made([], values)
    tokens = parser.parse(prose.text, {})
    for token in _all(tokens):
        if token.tag in _TOP:
            token.tag = "h3"  # the page has its own
        if token.type == "link_open":
            token.attrSet("rel", "noreferrer")

    def shown(value: str | Excerpt) -> str:
        return page.inline(value) if isinstance(value, Excerpt) else page.text(value)

    html = str(parser.renderer.render(tokens, parser.options, {"shown": lambda text: _filled(text, values, shown)}))
    html = _filled(html, values, lambda value: page.text(_line_of(value)))
    return printable(html, joined=True)  # what a person wrote as a number, &#27;, is a character by now


def as_line(prose: Prose) -> str:
    """The words on one line without markup, for cells and headings, which whoever prints them escapes."""
    return _filled(" ".join(prose.text.split()), prose.values, _line_of)


def dangerous(text: str) -> list[str]:
    """The addresses of links that lead anywhere but to the web, to a post box or within the page."""
    refused: list[str] = []
    parser = _made(refused)
    parser.parse(text, {})
    return refused


def _line_of(value: str | Excerpt) -> str:
    if isinstance(value, str):
        return value
    case = f"{named(value)}: " if named(value) else ""
    return printable_line(f'{case}"{markdown.quoted(value.quote)}" ({value.ref})', joined=True)


def _filled(text: str, values: Sequence[str | Excerpt], shown: Callable[[str | Excerpt], str]) -> str:
    return MARKED.sub(lambda mark: shown(values[int(mark[1])]), text)


def _all(tokens: Sequence[Token]) -> list[Token]:
    return [each for token in tokens for each in (token, *(token.children or ()))]


def _made(refused: list[str], values: Sequence[str | Excerpt] = ()) -> MarkdownIt:
    """A parser to which HTML is text and a picture a link; addresses that it refuses go into the list.

    Values are put into an address before it is encoded, and its text is not decoded: `%EF%B7%90` that somebody typed
    would pass for the place of a value.
    """

    def filled(address: str) -> str:
        return normalizeLink(_filled(address, values, lambda value: quote(_line_of(value), safe="")))

    def harmless(address: str) -> bool:
        safe = _SAFE.match(address.strip()) is not None
        refused.extend([] if safe else [address])
        return safe

    parser = MarkdownIt("commonmark", {"html": False, "xhtmlOut": False}).enable("table").disable("image")
    parser.normalizeLink = filled  # type: ignore[method-assign, assignment]
    parser.normalizeLinkText = str  # type: ignore[method-assign, assignment]  # an address is shown as it was typed
    parser.validateLink = harmless  # type: ignore[method-assign, assignment]  # how the library wants rules of one's own
    parser.add_render_rule("text", _text)
    return parser


def _text(_: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:  # noqa: ARG001
    """A text between marks of Markdown: escaped, then its values put in."""
    return str(env["shown"](escape(tokens[at].content)))
