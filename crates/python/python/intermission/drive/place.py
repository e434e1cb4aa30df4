"""Where tasks are driven: on an event loop, or by whoever waits for them."""

from __future__ import annotations

import asyncio
import contextvars
import os
import select
import threading
import weakref
from typing import Any, Awaitable, Protocol

from .. import _native


class Woken(Protocol):
    """What is under way under a number."""

    def wake(self) -> None:
        """There is something to go on with."""


class Place:
    """Tasks under way, by their numbers, and the way to them from other threads."""

    def __init__(self) -> None:
        self.wakes = _native.Wakes()
        self._loop: weakref.ref[asyncio.AbstractEventLoop] | None = None
        self._tasks: dict[int, Woken] = {}
        self._last = 0

    def register(self, task: Woken) -> int:
        """A number for a task, until `forget`."""
        # Wraps long after the first ones are over.
        self._last = 1 if self._last == 0xFFFFFFFF else self._last + 1
        self._tasks[self._last] = task
        return self._last

    def forget(self, number: int) -> None:
        self._tasks.pop(number, None)

    @property
    def is_empty(self) -> bool:
        return not self._tasks

    @property
    def loop(self) -> asyncio.AbstractEventLoop | None:
        """The event loop that listens, which is not kept from its end by this."""
        return None if self._loop is None else self._loop()

    def listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Has an event loop do from now on what `wait` did."""
        self._loop = weakref.ref(loop)
        # In no context: that of whoever came first is none of the others'.
        contextvars.Context().run(loop.add_reader, self.wakes.fileno(), self.woken)

    def leave(self) -> None:
        """The end of `listen`."""
        loop, self._loop = self.loop, None
        if loop is not None:
            loop.remove_reader(self.wakes.fileno())

    def woken(self) -> None:
        """Goes on with the tasks that are worth it."""
        raised: BaseException | None = None
        for number in self.wakes.take():
            task = self._tasks.get(number)
            if task is not None:
                try:
                    task.wake()
                except BaseException as error:
                    # The others know nothing of it.
                    raised = error
        if raised is not None:
            raise raised

    def wait(self) -> None:
        """Waits until a task is worth going on with, and goes on."""
        poll = select.poll()
        poll.register(self.wakes.fileno(), select.POLLIN)
        poll.poll()
        self.woken()

    def spawn(self, context: contextvars.Context, awaitable: Awaitable[Any]) -> asyncio.Future[Any]:
        """Awaits something, in a context."""
        loop = self.loop
        assert loop is not None
        coroutine = awaitable if asyncio.iscoroutine(awaitable) else _awaited(awaitable)
        return context.run(loop.create_task, coroutine)


async def _awaited(awaitable: Awaitable[Any]) -> Any:
    return await awaitable


_of_loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Place] = weakref.WeakKeyDictionary()
_idle = threading.local()


def place_of_loop(loop: asyncio.AbstractEventLoop) -> Place:
    """The place of an event loop, which listens to it from now on."""
    place = _of_loops.get(loop)
    if place is None:
        # Of a list: other threads have loops, too.
        for other in [reference() for reference in _of_loops.keyrefs()]:
            if other is not None and other.is_closed():
                _of_loops.pop(other, None)
        place = Place()
        place.listen(loop)
        _of_loops[loop] = place
    return place


def take_idle() -> Place:
    """A place for somebody who waits."""
    kept: list[Place] | None = getattr(_idle, "places", None)
    return kept.pop() if kept else Place()


def give_back(place: Place) -> None:
    """For the next one who waits in this thread."""
    if place.is_empty:
        _idle.places = [place]


def _forked() -> None:
    # The other process hears what is written here.
    global _of_loops, _idle
    _of_loops = weakref.WeakKeyDictionary()
    _idle = threading.local()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
