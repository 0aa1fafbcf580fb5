"""The order of the queue: sorted by what is known of a conversation, or grouped; the cursor stays on what is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from reviewer.basics.clean import printable_line
from reviewer.basics.errors import ReviewerError
from reviewer.transcripts.query.orders import GROUPS, Group, Order, complete_order, parse_order

if TYPE_CHECKING:
    from reviewer.app.reading.review_screen import ReviewScreen
    from reviewer.app.shared.keyed_screen import Offer
    from reviewer.app.shared.position import QueueRequest
    from reviewer.transcripts.store.listings import Listing


_NAMED: dict[str, Group] = {group or "nothing": group for group in GROUPS}


class OrderKeys:
    """The keys that sort and group the queue."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {
            "queue.sort": self.next_sort,
            "queue.group": self.next_group,
            "sort": self.sort,
            "group": self.group,
        }

    def offers(self) -> dict[str, Offer]:
        """Return the completions of this group's commands."""
        return {
            "sort": lambda typed: [(each, "") for each in complete_order(typed, self._scorers())],
            "group": lambda typed: [(name, "") for name in _NAMED if name.startswith(typed)],
        }

    def next_sort(self) -> None:
        """Sort by the order that comes after the present one."""
        reading = self._screen.reading
        self.order(reading.wanted.order.next(scored=bool(reading.info["scores"])))

    def next_group(self) -> None:
        """Group by case, then by model, then by nothing."""
        self.order(self._screen.reading.wanted.order.regrouped())

    def sort(self, text: str) -> None:
        """Sort as was typed; without a word, offer the orders there are."""
        now = self._screen.reading.wanted.order
        if text:
            self.order(parse_order(text, now))
            return
        from reviewer.app.shared.pick import Choice, PickScreen

        screen = self._screen
        orders = [parse_order(each, now) for each in complete_order("", self._scorers())]
        choices = [Choice(printable_line(order.typed), printable_line(order.words)) for order in orders]

        def picked(answer: int | str | None) -> None:
            if isinstance(answer, int):
                self.order(orders[answer])

        screen.app.push_screen(PickScreen("Sort the queue", choices), screen.guarded(picked))

    def group(self, text: str) -> None:
        """Group as was typed."""
        if text not in _NAMED:
            raise ReviewerError(
                f"The queue cannot be grouped by “{text}”." if text else "Group by what?",
                f"Group by: {', '.join(_NAMED)}.",
            )
        self.order(self._screen.reading.wanted.order._replace(group=_NAMED[text]))

    def _scorers(self) -> list[str]:
        return self._screen.reading.reader.vocabulary.keys("score")

    def order(self, order: Order) -> None:
        """Bring the queue into this order."""
        screen = self._screen
        wanted = replace(screen.reading.wanted, order=order)
        screen.say("Sorting …", "muted")
        screen.queueing.bring(lambda _: wanted, partial(self._take, screen.reading.wanted.order))

    def _take(self, before: Order, wanted: QueueRequest, listing: Listing) -> None:
        screen, order = self._screen, wanted.order
        screen.queueing.take(wanted, listing)
        if order.group == before.group:
            screen.say(f"Queue: {order.words}. :sort names the others.", "muted")
        else:
            groups = f", {len(listing.starts):,} of them" if order.group else ""
            screen.say(f"Queue: grouped by {order.group or 'nothing'}{groups}.", "muted")
