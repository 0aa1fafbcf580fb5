"""How messages are to be shown: the width, the layers, what was opened or folded by hand. Values only."""

from __future__ import annotations

from typing import Literal, NamedTuple

Tools = Literal["beside", "inline", "hidden"]


class View(NamedTuple):
    """The settings that the layout of messages depends on."""

    width: int
    """Cells of every line, the gutter for the cursor included."""
    tools: Tools = "beside"
    """Calls are laid out with their message only when `inline`; else the header says how many there are."""
    reasoning: bool = False
    raw: bool = False
    """Text, arguments and results as stored, without styles or fields."""
    json: bool = False
    """Arguments and results as indented JSON instead of fields."""
    calls_open: bool = True
    """Whether calls show their fields unless toggled."""
    plain: bool = False
    """Plain signs only (`--ascii`)."""
    opens: str = "enter"
    """The key that opens a fold."""
    since: str = ""
    """The time of the first message: others are told from there on."""
    dates: bool = False
    """Times as they are stored, not from the first message on."""
    toggled: frozenset[str] = frozenset()
    """Keys of the folds that are not as they are by default; for one message."""

    def turned(self, key: str, default: bool) -> bool:
        """True if something is open (or shown otherwise): its default, unless it was toggled."""
        return (key in self.toggled) != default


class CallClass(NamedTuple):
    """The class that the desk gives one call."""

    kind: Literal["read", "write", "handover", "?"] = "?"
    act: str = ""
    """The class of a write, such as `cancel`."""
    key: str = ""
    """The argument that names the order; the first short one when empty."""
    forbidden: bool = False
    """Whether the case forbids what the agent does here."""
    failed: bool = False
    """Whether it came back with an error, marked by its source or written into its result."""
    remark: tuple[str, str] = ("", "")
    """What is said of it below its head, and in which style."""
