"""The signs that stand for speakers, tools and states, each with a plain twin for `--ascii`. Data only.

Every state that a colour shows also has a sign here, so that nothing is told by colour alone.
"""

from __future__ import annotations

GLYPHS: dict[str, tuple[str, str]] = {
    # speakers
    "system": ("⚙", "S"),
    "customer": ("👤", "C"),
    "agent": ("🤖", "A"),
    "colleague": ("🧑", "H"),
    "other": ("💬", "O"),
    # tools by class
    "read": ("·", "."),
    "write": ("⚡", "!"),
    "handover": ("⇥", ">"),
    "?": ("?", "?"),
    # folds and fields
    "open": ("▾", "v"),
    "folded": ("▸", ">"),
    "more": ("…", "..."),
    "argument": ("→", ">"),
    "result": ("←", "<"),
    "dot": ("·", "-"),
    "reasoning": ("┊", "|"),
    # states
    "ok": ("ok", "ok"),
    "error": ("✗ error", "x error"),
    "missing": ("∅ no result", "0 no result"),
    "orphan": ("∅ no call", "0 no call"),
    # what stands for characters: one too wide for its room, a line end, the number of what cannot be shown
    "box": ("▯", "?"),
    "line-end": ("⏎", "^J"),
    "unseen": ("⟨", "<"),
    "unseen-end": ("⟩", ">"),
    # marks and outcomes
    "cursor": ("▌", "|"),
    "thumb": ("▐", "#"),
    "tag": ("⟦", "["),
    "tag-end": ("⟧", "]"),
    "clause": ("❞", "+clause"),
    "cause": ("∵", "+cause"),
    "note": ("✎", "+note"),
    "evidence": ("⊕", "+evidence"),
    "exemplar": ("★", "*"),
    "finding": ("◇", "?"),
    "read.end": ("✓", "r"),
    "read.part": ("◐", "p"),
    "read.unknown": ("¿", "u"),
    "pass": ("✔", "P"),
    "fail": ("✘", "F"),
    "defer": ("◌", "D"),
    "forbidden": ("⛔", "X"),
    "attempted": ("↯", "~"),
    "talk": ("–", "-"),
    "absent": ("–", "-"),
    "broken": ("✗", "x"),
    "empty": ("∅", "0"),
    "same": ("=", "="),
    "differs": ("≠", "#"),
    "times": ("×", "x"),
    "further": ("+", "+"),
    "reckoned": ("~", "~"),
    "namesake": ("~", "~"),
    "score-differs": ("±", "%"),
    "rule": ("─", "-"),
    "edge": ("│", "|"),
    "here": ("▼", "v"),
    "down": ("↓", "d"),
    "up": ("↑", "u"),
    # excerpts in exports and reports
    "tool": ("🔧", "T"),
    "then": ("→", ">"),
    # how it ended
    "failed": ("✗", "x"),
    "end.customer": ("□", "c"),
    "end.agent": ("■", "a"),
    "end.handover": ("▷", "h"),
    "end.limit": ("◷", "t"),
    "end.cut": ("╌", "/"),
    "end.error": ("⊗", "E"),
    "end.other": ("○", "o"),
}


_CARETS = {0x2400 + code: f"^{chr(code ^ 64)}" for code in range(32)} | {0x2421: "^?"}
_WORDS = {
    "…": "...", "–": "-", "—": "-", "“": '"', "”": '"', "‘": "'", "’": "'", "≥": ">=", "≤": "<=",
    "↓": "down", "↑": "up", "→": "->", "←": "<-",
}  # fmt: skip
"""Signs of our own sentences, which may be words there where a table has room for one letter."""
_SIGNS = {sign: twin for sign, twin in GLYPHS.values() if len(sign) == 1}
_TWINS = str.maketrans({**_SIGNS, **_WORDS}) | _CARETS


def glyph(name: str, plain: bool = False) -> str:
    """The sign of a name, or its plain twin."""
    return GLYPHS[name][plain]


def plainly(text: str, plain: bool = True) -> str:
    """Our own words with every sign replaced by its plain twin if `plain` is set."""
    return text.translate(_TWINS) if plain and not text.isascii() else text
