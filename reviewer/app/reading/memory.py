"""Where each reviewer left each store: kept in small files, a moment after a conversation was opened and at the end."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from textual.timer import Timer

from reviewer.app.shared.sheet import Item
from reviewer.basics import disk
from reviewer.basics.clean import printable_line
from reviewer.basics.errors import QueryError
from reviewer.basics.values import dataclass
from reviewer.transcripts.query.orders import AS_STORED, GROUPS, Order, parse_order
from reviewer.transcripts.refs import Ref

if TYPE_CHECKING:
    from reviewer.app.reading.review_screen import ReviewScreen
    from reviewer.app.reading.transcript import Transcript


@dataclass(frozen=True, slots=True)
class LastPlace:
    """The place to come back to: where one was, what was let through, how it was looked at."""

    ref: str = ""
    """The open conversation with the item under the cursor, such as `kimi/late/2#4`."""
    query: str = ""
    tools: str = ""
    """Where the tool layer stood; empty where the width decides."""
    layers: tuple[str, ...] = ()
    """The layers that were on."""
    folds: tuple[str, ...] = ()
    """What was opened or folded by hand in that conversation, such as `4.text`."""
    theme: str = ""
    sort: str = ""
    """The order of the queue, as one types it."""
    group: str = ""
    others: str = ""
    """`off` where other people's marks were not to be seen."""
    suggestions: str = ""
    """`off` where what reads suggest was not to be seen."""
    columns: str = ""
    """The columns of the queue, as they are typed; empty for the usual ones."""
    board: str = ""
    """`everything` where the board counted what the filter does not let through as well."""


_SEVERAL = ("layers", "folds")


class Memory:
    """What is remembered of one reviewer in one store.

    Earlier versions kept one file for a store, without a name. `owns_nameless` answers whether that place is this
    reviewer's; it is asked only where the reviewer has no place of their own.
    """

    def __init__(
        self, store: Path, reviewer: str, owns_nameless: Callable[[], bool] = lambda: True, folder: Path | None = None
    ) -> None:
        self._store, self._reviewer = str(store.absolute()), reviewer
        folder, whose = folder or usual_folder(), _short_digest(reviewer)
        self._nameless = folder / f"{_short_digest(self._store)}.json"
        self._path = folder / f"{_short_digest(self._store)}-{whose}.json"
        self.word = ""
        """What the reader should be told about what came back."""
        self._lock = Lock()
        self.new_here = not any(
            path.stem.endswith(f"-{whose}") or "-" not in path.stem for path in folder.glob("*.json")
        )
        """True for somebody who has never opened any store before."""
        self._takes_over = not self._path.exists() and self._nameless.exists() and owns_nameless()
        self.place = self._read(self._nameless if self._takes_over else self._path)
        """Where the reviewer left the store; an empty place when nothing (usable) is remembered."""

    def keep(self, place: LastPlace) -> str:
        """Remember another place from now on; a sentence when it could not be written."""
        with self._lock:
            return self._keep(place) if place != self.place else ""

    def _keep(self, place: LastPlace) -> str:
        try:
            disk.write(self._path, json.dumps({"store": self._store, "reviewer": self._reviewer, **asdict(place)}))
            if self._takes_over:
                self._nameless.unlink(missing_ok=True)
        except OSError as error:
            return f"Your place cannot be remembered: {self._path.parent}: {error.strerror}."
        self.place = place
        return ""

    def _read(self, path: Path) -> LastPlace:
        try:
            return _place(json.loads(path.read_text("utf-8")))
        except FileNotFoundError:
            return LastPlace()
        except (OSError, ValueError, RecursionError) as error:
            self.word = f"Your place in this store could not be read back and is forgotten: {_reason(error)}."
            return LastPlace()


def usual_folder() -> Path:
    """The user's state folder for places."""
    from platformdirs import user_state_path

    return user_state_path("reviewer") / "places"


def _short_digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _place(kept: Any) -> LastPlace:
    if not isinstance(kept, dict):
        raise ValueError("it is not an object")
    several = {name: kept.get(name, ()) for name in _SEVERAL}
    for name, value in several.items():
        if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
            raise ValueError(f"its {name} are not names")
    words = {field.name: kept.get(field.name, "") for field in fields(LastPlace) if field.name not in _SEVERAL}
    if wrong := [name for name, value in words.items() if not isinstance(value, str)]:
        raise ValueError(f"its {wrong[0]} is not text")
    return LastPlace(**words, layers=tuple(several["layers"]), folds=tuple(several["folds"]))


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or "it cannot be opened"
    return "it is damaged" if isinstance(error, UnicodeDecodeError | json.JSONDecodeError) else str(error)


_MOMENT = 1.0
_OFF, _EVERYTHING = "off", "everything"


class PlaceKeeper:
    """Remembers where a reader is, and brings them back there."""

    def __init__(self, screen: ReviewScreen, memory: Memory | None, *, suggestions: bool = True) -> None:
        self._screen = screen
        self._wanted = suggestions
        """Whether this time suggestions may be seen; if not, that is not remembered."""
        self._memory = memory
        self._waiting: Timer | None = None
        self._complained = self._ended = False
        self._transcript: Transcript | None = None
        """Held here, because at the end the screen has let go of it."""

    def tell(self) -> None:
        """Say what came back, where that is not plain to see, and which values of the filter find nothing."""
        words = [self._memory.word] if self._memory is not None and self._memory.word else []
        words += map(printable_line, self._screen.reading.wanted.remarks)
        if words:
            self._screen.say(" ".join(words), "muted")
        self._screen.changed()

    def resume(self) -> bool:
        """Ask for the queue in last time's order, where its filter came back; False if that is the store's order."""
        reading, place = self._screen.reading, self._memory.place if self._memory else None
        if place is None or place.query != reading.query:
            return False
        reading.board_filtered = place.board != _EVERYTHING
        reading.wanted = replace(reading.wanted, order=_order(place))
        return reading.wanted.order != AS_STORED

    @property
    def new_here(self) -> bool:
        """True if the reader has never opened any store before."""
        return self._memory is not None and self._memory.new_here

    @property
    def others(self) -> bool:
        """True if other people's marks were to be seen."""
        return self._memory is None or self._memory.place.others != _OFF

    @property
    def suggestions(self) -> bool:
        """True if what reads suggest was to be seen."""
        return self._wanted and self._suggested_before

    @property
    def _suggested_before(self) -> bool:
        return self._memory is None or self._memory.place.suggestions != _OFF

    def soon(self) -> None:
        """Remember this place, unless the reader is elsewhere in a moment."""
        if self._memory is None:
            return
        self._transcript = self._screen.transcript
        if self._waiting is not None:
            self._waiting.reset()  # a new one for each key would hold the key up
        else:
            self._waiting = self._screen.set_timer(_MOMENT, self._waited)

    def _waited(self) -> None:
        self._waiting = None
        self.in_passing()

    def now(self) -> None:
        """Remember this place before everything goes; there is nobody left to tell if that fails."""
        self._ended = True
        if self._memory is not None and self._transcript is not None:
            self._memory.keep(self.place(self._memory))

    def place(self, memory: Memory) -> LastPlace:
        """Return the place where the reader stands now."""

        screen, viewing = self._screen, self._screen.viewing
        stored = screen.reading.stored
        cursor = self._transcript.cursor if self._transcript else Item(0)
        ref = "" if stored is None else str(Ref(stored.ref, cursor.message or None, cursor.call))
        theme = memory.place.theme if screen.app.no_color else screen.app.theme
        query, order = screen.reading.query, screen.reading.wanted.order
        look = (viewing.tools or "", viewing.layers, viewing.folds, theme)
        queue = (order.typed if order.sorted else "", order.group)
        others = "" if screen.marking.sees_others(self.others) else _OFF
        before = self._suggested_before
        seen = screen.marking.sees_suggestions(before) or (not self._wanted and before)
        suggestions = "" if seen else _OFF
        board = "" if screen.reading.board_filtered else _EVERYTHING
        return LastPlace(ref, query, *look, *queue, others, suggestions, screen.queueing.lines.chosen, board)

    def in_passing(self) -> None:
        """Remember this place behind the screen."""
        if (memory := self._memory) is not None:
            place = self.place(memory)
            self._screen.run_worker(lambda: self._keep(memory, place), thread=True, exclusive=True, group="place")

    def _keep(self, memory: Memory, place: LastPlace) -> None:
        trouble = "" if self._ended else memory.keep(place)
        if trouble and not self._complained:
            self._complained = True
            self._screen.app.call_from_thread(self._screen.say, trouble, "bad")


def _order(place: LastPlace) -> Order:
    """The order of last time; that of the store where nobody could have typed it."""
    try:
        order = parse_order(place.sort) if place.sort else AS_STORED
    except QueryError:
        return AS_STORED
    return order._replace(group=next((group for group in GROUPS if group == place.group), ""))
