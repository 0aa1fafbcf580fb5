"""What keys do on the reading screen, one idea a module; each offers `verbs()`, from action ids to functions.

Moving and marking are there from the start; the others are loaded when something is on screen already.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reviewer.ui.screens.review import ReviewScreen


def others(screen: ReviewScreen) -> dict[str, Callable[..., None]]:
    """The verbs that nobody can need before the first paint."""
    from reviewer.ui.verbs.commanding import Commanding
    from reviewer.ui.verbs.copying import Copying
    from reviewer.ui.verbs.judging import Judging
    from reviewer.ui.verbs.looking import Looking
    from reviewer.ui.verbs.naming import Naming
    from reviewer.ui.verbs.noting import Noting
    from reviewer.ui.verbs.picking import Picking
    from reviewer.ui.verbs.selecting import Choosing
    from reviewer.ui.verbs.stepping import Stepping

    found = {**Naming(screen, screen.marking).verbs(), **screen.filtering.verbs(), **screen.queues.verbs()}
    for part in (Looking, Stepping, Choosing, Picking, Noting, Judging, Copying, Commanding):
        found.update(part(screen).verbs())
    return found
