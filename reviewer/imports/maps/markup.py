"""HTML as help desks keep what people wrote -> the text that a reader of it saw. Pure.

Owns which tags break lines and what stands for links, lists and pictures. Takes time in proportion to the length,
whatever the HTML is like; the caller keeps the HTML itself beside the text.
"""

from __future__ import annotations

import html
import re

_PIECE = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,20})([^<>]*)>|<!--|<[!?][^<>]*>")
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_MANY = re.compile(r"\n{3,}")
_ATTRIBUTE = {
    name: re.compile(rf"\b{name}\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE)
    for name in ("href", "src", "alt")
}
_PARAGRAPHS = {*("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "blockquote", "pre", "hr")}
_LINES = {*("div", "li", "tr", "section", "article", "header", "footer", "dt", "dd", "figure", "center"), *_PARAGRAPHS}
_UNSEEN = ("script", "style", "head", "title")
_END = {name: re.compile(rf"</{name}[ ]?>", re.IGNORECASE) for name in _UNSEEN}


def is_marked_up(text: str) -> bool:
    """True if the text contains HTML, which a browser would not show literally."""
    return "<" in text or "&" in text


def plain(text: str) -> str:
    """Turn HTML into plain text."""
    reading = _VisibleText()
    endless: set[str] = set()
    at = 0
    while piece := _PIECE.search(text, at):
        reading.say(text[at : piece.start()])
        at = piece.end()
        if piece[0] == "<!--":
            at = _behind(text, "-->", at)
        elif piece[2]:
            name = piece[2].lower()
            if name in _UNSEEN and not piece[1] and name not in endless:
                if end := _END[name].search(text, at):
                    at = end.end()
                else:  # it never ends: what follows is shown
                    endless.add(name)
            else:
                reading.tag(name, bool(piece[1]), piece[3])
    reading.say(text[at:])
    return reading.text()


def _behind(text: str, end: str, at: int) -> int:
    end_at = text.find(end, at)
    return len(text) if end_at < 0 else end_at + len(end)


class _VisibleText:
    """Collects the visible text of HTML, and keeps track of open tags."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._breaks = 0
        """Line ends that are due before the next word."""
        self._blank = False
        self._pre = 0
        self._link_open: tuple[str, int] | None = None
        """The address of the open link, and where its words begin."""

    def say(self, text: str) -> None:
        """Take in the words between two tags."""
        if not text:
            return
        text = html.unescape(text)
        if not self._pre:
            text = _BLANKS.sub(" ", text)
            if text == " ":
                self._blank = True
                return
            if text.startswith(" "):
                self._blank, text = True, text[1:]
        self._put(text[:-1] if (ends := not self._pre and text.endswith(" ")) else text)
        self._blank = ends

    def tag(self, name: str, closing: bool, inside: str) -> None:
        """Take in a tag and what it means for the text."""
        if name == "br":
            self._breaks = min(self._breaks + 1, 2) if self._breaks else 1
        elif name == "img":
            self._put(f"[image: {shown}]" if (shown := _attribute(inside, "alt") or _named(inside)) else "[image]")
        elif name == "a":
            self._link(closing, inside)
        elif name in _LINES:
            self._breaks = max(self._breaks, 2 if name in _PARAGRAPHS else 1)
            self._pre = max(0, self._pre + (-1 if closing else 1)) if name == "pre" else self._pre
            if name == "li" and not closing:
                self._put("- ")
        elif name in ("td", "th") and closing:
            self._blank = True

    def text(self) -> str:
        """All of it, without blank lines at either end."""
        return _MANY.sub("\n\n", "".join(self._parts)).strip("\n")

    def _put(self, text: str) -> None:
        if self._parts:
            if self._breaks:
                self._parts.append("\n" * self._breaks)
            elif self._blank and not self._parts[-1].endswith((" ", "\n")):
                self._parts.append(" ")
        self._parts.append(text)
        self._breaks, self._blank = 0, False

    def _link(self, closing: bool, inside: str) -> None:
        if not closing:
            self._link_open = (_attribute(inside, "href"), len(self._parts))
        elif self._link_open is not None:
            (address, start), self._link_open = self._link_open, None
            words = "".join(self._parts[start:]).strip()
            if address and not address.startswith(("#", "javascript:")) and address not in (words, f"mailto:{words}"):
                self._put(f" ({address})" if words else address)


def _named(inside: str) -> str:
    address = _attribute(inside, "src")
    return "" if address.startswith("data:") else address


def _attribute(inside: str, name: str) -> str:
    match = _ATTRIBUTE[name].search(inside)
    return html.unescape(next((each for each in match.groups() if each is not None), "")) if match else ""
