"""What keys do on the reading screen, one idea a module; each offers `verbs()`, from action ids to functions.

Moving and marking are there from the start; the others are loaded when something is on screen already.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reviewer.ui.screens.board import BoardScreen
    from reviewer.ui.screens.compare import CompareScreen
    from reviewer.ui.screens.grid import GridScreen
    from reviewer.ui.screens.review import ReviewScreen


def others(screen: ReviewScreen) -> dict[str, Callable[..., None]]:
    """The verbs that nobody can need before the first paint."""
    from reviewer.ui.verbs.classing import Classing
    from reviewer.ui.verbs.commanding import Commanding
    from reviewer.ui.verbs.copying import Copying
    from reviewer.ui.verbs.finding import Finding
    from reviewer.ui.verbs.finishing import GoingOn
    from reviewer.ui.verbs.judging import Judging
    from reviewer.ui.verbs.looking import Looking
    from reviewer.ui.verbs.naming import Naming
    from reviewer.ui.verbs.noting import Noting
    from reviewer.ui.verbs.opening import Opening
    from reviewer.ui.verbs.ordering import Ordering
    from reviewer.ui.verbs.picking import Picking
    from reviewer.ui.verbs.recoding import Recoding
    from reviewer.ui.verbs.selecting import Choosing
    from reviewer.ui.verbs.stepping import Stepping
    from reviewer.ui.verbs.telling import Telling

    found = {**Naming(screen, screen.marking).verbs(), **screen.filtering.verbs(), **screen.queues.verbs()}
    found.update(screen.watching.verbs())
    marking = (Choosing, Picking, Noting, Judging, GoingOn, Recoding)
    ordering = Ordering(screen)
    screen.offers = {**ordering.offers(), **screen.queues.offers()}
    found.update(ordering.verbs())
    for part in (Looking, Finding, Stepping, *marking, Copying, Opening, Telling):
        found.update(part(screen).verbs())
    found.update(Classing(screen, screen.marking, lambda: (screen.viewing.stored, screen.transcript.cursor)).verbs())
    return {**found, **Commanding(screen, screen.marking.codes).verbs()}


def beside(screen: CompareScreen) -> dict[str, Callable[..., None]]:
    """The verbs of a comparison: those of the reading room that mark, and its own."""
    from reviewer.ui.verbs.classing import Classing
    from reviewer.ui.verbs.commanding import Commanding
    from reviewer.ui.verbs.copying import Copying
    from reviewer.ui.verbs.finding import Finding
    from reviewer.ui.verbs.finishing import Finishing
    from reviewer.ui.verbs.judging import Judging
    from reviewer.ui.verbs.looking import Looking
    from reviewer.ui.verbs.naming import Naming
    from reviewer.ui.verbs.noting import Noting
    from reviewer.ui.verbs.picking import Picking
    from reviewer.ui.verbs.selecting import Choosing
    from reviewer.ui.verbs.siding import Siding
    from reviewer.ui.verbs.telling import Telling

    found = {**Naming(screen, screen.marking, "case").verbs(), **screen.marking.verbs()}
    marking = (Choosing, Picking, Noting, Judging, Finishing)
    for part in (Looking, Finding, *marking, Copying, Commanding, Telling, Siding):
        found.update(part(screen).verbs())
    found.update(Classing(screen, screen.marking, lambda: (screen.viewing.stored, screen.transcript.cursor)).verbs())
    return found


def across(screen: GridScreen) -> dict[str, Callable[..., None]]:
    """The verbs of a grid: those that mark a case, and its own."""
    from reviewer.ui.verbs.classing import Classing
    from reviewer.ui.verbs.commanding import Commanding
    from reviewer.ui.verbs.crossing import Crossing
    from reviewer.ui.verbs.naming import Naming
    from reviewer.ui.verbs.telling import Telling

    found = {**Naming(screen, screen.marking, "case").verbs(), **screen.marking.verbs()}
    crossing = Crossing(screen)
    for part in (Commanding(screen), Telling(screen), Classing(screen, screen.marking, crossing.spot), crossing):
        found.update(part.verbs())
    return found


def sorting(screen: BoardScreen) -> dict[str, Callable[..., None]]:
    """The verbs of the board."""
    from reviewer.ui.verbs.commanding import Commanding
    from reviewer.ui.verbs.ranking import Ranking
    from reviewer.ui.verbs.telling import Telling

    found: dict[str, Callable[..., None]] = {}
    for part in (Commanding, Telling, Ranking):
        found.update(part(screen).verbs())
    return found
