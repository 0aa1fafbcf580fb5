"""What the keys of the reading room do: what nobody can need before the first paint is loaded behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reviewer.ui.reading.review_screen import ReviewScreen


def others(screen: ReviewScreen) -> dict[str, Callable[..., None]]:
    """The verbs that nobody can need before the first paint."""
    from reviewer.ui.marking.bearings import Noting, Picking
    from reviewer.ui.marking.mode_keys import Classing, Naming, Recoding
    from reviewer.ui.marking.verdict_keys import GoingOn, Judging
    from reviewer.ui.queue.order import Ordering
    from reviewer.ui.reading.find import FindKeys
    from reviewer.ui.reading.look import Copying, Looking
    from reviewer.ui.reading.movement import Stepping
    from reviewer.ui.reading.selected_words import Choosing
    from reviewer.ui.routes import Opening
    from reviewer.ui.shared.commands import Commanding, Telling

    verbs = {**Naming(screen, screen.marking).verbs(), **screen.filtering.verbs(), **screen.queues.verbs()}
    verbs.update(screen.watching.verbs())
    marking = (Choosing, Picking, Noting, Judging, GoingOn, Recoding)
    ordering = Ordering(screen)
    screen.offers = {**ordering.offers(), **screen.queues.offers()}
    verbs.update(ordering.verbs())
    for part in (Looking, FindKeys, Stepping, *marking, Copying, Opening, Telling):
        verbs.update(part(screen).verbs())
    verbs.update(Classing(screen, screen.marking, lambda: (screen.viewing.stored, screen.transcript.cursor)).verbs())
    return {**verbs, **Commanding(screen, screen.marking.codes).verbs()}
