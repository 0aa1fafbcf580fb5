"""Keys typed faster than the screen follows: each is handed on when what the one before it set off has come to rest.

Focus, screens and prompts change a moment after the key that changes them: typed in one go, `t` and the letters of a
mode would be commands of the screen below the list, and `f`, a filter and `1` would tag what is open before the filter.
A lone key is handed on at once. Knows no key and no verb.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from operator import attrgetter
from typing import TYPE_CHECKING

from textual.events import Key, Paste

if TYPE_CHECKING:
    from textual.app import App
    from textual.message_pump import MessagePump
    from textual.worker import Worker


Typed = Key | Paste
_PATIENCE = 1.0
"""Seconds that a key waits for the one before it at most: a reader must never be locked out."""
_BEHIND = 0.25
"""The share of these for what works behind the screen."""
_ALONE = 0.03
_FRAME = 0.017
"""Seconds until what a key changed is painted, when nothing else holds it up."""
_GLANCE = 0.005


class TypeAhead:
    """Keys that were typed and not yet handed on."""

    def __init__(
        self,
        app: App[None],
        hand_on: Callable[[Typed], Awaitable[None]],
        leaving: Collection[str] = (),
    ) -> None:
        self._app = app
        self._hand_on = hand_on
        self._leaving = leaving
        self.waiting: deque[Typed] = deque()
        self.patience = _PATIENCE
        self._more = asyncio.Event()
        self._busy: asyncio.Task[None] | None = None

    def take(self, typed: Typed) -> None:
        """Hand this on now, or after what was typed before it."""
        self.waiting.append(typed)
        self._more.set()
        if self._busy is None:
            self._busy = asyncio.create_task(self._work())

    @property
    def busy(self) -> bool:
        """True if what was typed is still at work."""
        return self._busy is not None

    async def _work(self) -> None:
        try:
            while self.waiting and self._app.is_running:
                typed = self.waiting.popleft()
                before = set(self._app.workers)
                await self._hand_on(typed)
                if not self._is_text(typed):
                    alone = await self._pause()
                    await self._rest(before, alone)
        finally:
            self._busy = None

    async def _pause(self) -> bool:
        """Wait out of the way of a lone key until it is painted; return whether it was alone for so long."""
        clock = asyncio.get_running_loop().time
        painted = clock() + _FRAME
        self._more.clear()
        if not self.waiting:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._more.wait(), _ALONE)
        return clock() >= painted

    async def _rest(self, before: set[Worker[object]], alone: bool) -> None:
        """Wait until nobody has a message left and no worker that was not there before is at work.

        A key that was alone for a while has been dealt with when no message is left, so nobody is woken to ask; and
        whoever types the next one has seen that something is still at work.
        """
        clock = asyncio.get_running_loop().time
        start, woken = clock(), alone
        while (left := start + self.patience - clock()) > 0:
            if not woken:
                await _round(self._app, left)
            if not _has_messages(self._app):
                busy = any(not worker.is_finished for worker in self._app.workers if worker not in before)
                if alone or not busy or self._is_leaving() or clock() - start > self.patience * _BEHIND:
                    return
                await asyncio.sleep(_GLANCE)
            woken = False

    def _is_leaving(self) -> bool:
        """True if the next key waits for nothing behind the screen."""
        following = self.waiting[0] if self.waiting else None
        return isinstance(following, Key) and following.key in self._leaving

    def _is_text(self, typed: Typed) -> bool:
        """True for text typed into an input, which keeps its order by itself."""
        focused = self._app.focused
        return focused is not None and (
            isinstance(typed, Paste) or focused.check_consume_key(typed.key, typed.character)
        )


def _nodes(app: App[None]) -> list[MessagePump]:
    return [app, *app.screen.walk_children(with_self=True)]


def _has_messages(app: App[None]) -> bool:
    if app.screen._callbacks:  # noqa: SLF001 -- what waits for the next refresh has no other door
        return True
    return any(map(attrgetter("message_queue_size"), _nodes(app)))


async def _round(app: App[None], patience: float) -> None:
    """Wait until each has dealt with all that it had been sent by now."""
    left = 0
    done = asyncio.Event()

    def passed() -> None:
        nonlocal left
        left -= 1
        if not left:
            done.set()

    for node in _nodes(app):
        left += node.call_later(passed)
    with suppress(TimeoutError):
        await asyncio.wait_for(done.wait(), patience)
