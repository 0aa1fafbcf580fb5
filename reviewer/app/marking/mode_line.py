"""What the digits mean: the failure modes that have a key, in as few cells as there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.strip import Strip

from reviewer.app.shared.line_widgets import Bit, ByLine, elided, plain_bits
from reviewer.app.shared.theme import is_plain
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph

if TYPE_CHECKING:
    from reviewer.marks.codebook import Codebook

_LEAST = 9
"""Cells that a mode has at least, its key and the gap included; where they are fewer, more lines are taken."""
_MOST_LINES = 3
Keyed = tuple[str, str]
"""A key and the code of its mode."""


def keyed(codebook: Codebook) -> list[Keyed]:
    """The modes that have a key, in the order of the keys on the keyboard."""
    modes = [(mode.key, printable_line(mode.code)) for mode in codebook.active() if mode.key]
    return sorted(modes, key=lambda each: "1234567890".find(each[0]))


def lines_needed(count: int, width: int) -> int:
    """How many lines so many modes take, so that each can be told from the others."""
    return max(1, min(_MOST_LINES, -(-count * _LEAST // max(1, width - 1))))


def mode_lines(modes: Sequence[Keyed], width: int, more: str = "…") -> list[list[Bit]]:
    """The modes in lines of a width, each with as many words of its code as there is room for."""
    across = max(1, -(-len(modes) // lines_needed(len(modes), width)))
    words = [code.split("-") for _, code in modes]
    least = _told_apart(words)
    rows = [range(at, min(at + across, len(modes))) for at in range(0, len(modes), across)]
    lines = []
    for row in rows:
        room = width + 1 - sum(len(modes[index][0]) + 3 for index in row)
        names = _fitting([words[index] for index in row], [least[index] for index in row], room)
        bits: list[Bit] = [(" ", "")]
        shares = _shares([cell_len(name) for name in names], room)
        for index, name, share in zip(row, names, shares, strict=True):
            bits += [(modes[index][0], "key"), (f" {elided(name, share, more)}  ", "muted")]
        lines.append([*bits[:-1], (bits[-1][0].rstrip(), "muted")])
    return lines


def _fitting(codes: Sequence[list[str]], least: Sequence[int], room: int) -> list[str]:
    """The words that tell the codes apart, and as many more as fit, the shortest name's first."""
    names = ["-".join(words[:count]) for words, count in zip(codes, least, strict=True)]
    rest = {index: words[count:] for index, (words, count) in enumerate(zip(codes, least, strict=True))}
    room -= sum(map(cell_len, names))
    while open_ends := [index for index, words in rest.items() if words and cell_len(words[0]) < room]:
        shortest = min(open_ends, key=lambda index: cell_len(names[index]))
        word = rest[shortest].pop(0)
        names[shortest] += f"-{word}"
        room -= cell_len(word) + 1
    return names


def _told_apart(codes: Sequence[list[str]]) -> list[int]:
    """How many of each code's first words no other code begins with."""
    counts = []
    for index, own in enumerate(codes):
        others = [each for at, each in enumerate(codes) if at != index]
        counts.append(next((n for n in range(1, len(own)) if all(each[:n] != own[:n] for each in others)), len(own)))
    return counts


def _shares(lengths: Sequence[int], room: int) -> list[int]:
    """The room shared out: what is shorter than its share leaves the rest to the others."""
    shares = [0] * len(lengths)
    shortest = sorted(range(len(lengths)), key=lengths.__getitem__)
    for left, index in zip(range(len(lengths), 0, -1), shortest, strict=True):
        shares[index] = max(0, min(lengths[index], room // left))
        room -= shares[index]
    return shares


class ModeLine(ByLine):
    """The lines above the foot that say what the digits mean."""

    DEFAULT_CSS = "ModeLine { height: 1; width: 1fr; background: $panel; }"

    def __init__(self) -> None:
        super().__init__(id="modes")
        self._modes: list[Keyed] = []
        self._codebook: Codebook | None = None
        self._laid: tuple[int, list[list[Bit]]] = (0, [])

    def show(self, codebook: Codebook, width: int) -> None:
        """Show the modes of a codebook from now on."""
        if codebook is self._codebook and self._laid[0] == width:
            return
        self._codebook, self._modes = codebook, keyed(codebook)
        self._laid = width, mode_lines(self._modes, width, glyph("more", is_plain(self.app)))
        self.styles.height = max(1, len(self._laid[1]))
        self.repaint()

    def drawn(self, y: int) -> Strip:
        """One of the lines."""
        lines = self._laid[1]
        bits = lines[y] if y < len(lines) else []
        return self.strip(plain_bits(bits) if is_plain(self.app) else bits)
