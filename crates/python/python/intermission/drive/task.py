"""One run, or something else that may take its time."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import contextvars
import dataclasses
import functools
import threading
from typing import Any, Awaitable, Callable, Protocol

from .. import _native
from ..host_call import is_outcome
from ..value import told
from .place import Place, give_back, place_of_loop, take_idle

#: What came out of a task: calls, events, asks, answers, whether calls are no longer wanted, the end.
Came = Any

#: How long an aborted run, and host functions that do not want to end, are waited for, in seconds.
PATIENCE_S = 10.0

#: How a task begins.
Begin = Callable[[_native.Wakes, int], "tuple[_native.Task, Came | None]"]


class Driver(Protocol):
    """Whoever has a task driven: calls the host functions, answers what is asked, hears what happens."""

    def call(self, call: _native.HostCall) -> Any:
        """Calls a host function: gives its result, or something to await. Raises what it raises."""

    def settle(self, task: Task, call: _native.HostCall, result: Any) -> Came:
        """Says what came of it. An exception is the end of the task."""

    def reject(self, task: Task, call: _native.HostCall, error: BaseException) -> Came:
        """Says what it raised. An exception is the end of the task."""

    def ask(self, ask: dict[str, Any]) -> Any:
        """Answers what the library asks, or gives something to await."""

    def hear(self, events: list[Any], answers: list[Any]) -> None:
        """Hears of events and answers."""


@dataclasses.dataclass(frozen=True, eq=False)
class _Parked:
    """Something to await."""

    context: contextvars.Context
    awaitable: Awaitable[Any]
    told: Callable[[asyncio.Future[Any]], Came]
    is_call: bool


class Task:
    """The loop. Nothing here waits: what does is a host function, or the run itself, which is woken."""

    def __init__(self, driver: Driver, place: Place, begin: Begin) -> None:
        self.driver = driver
        self.place = place
        self.context = contextvars.copy_context()
        self.is_over = False
        self._end: tuple[bool, Any] | None = None
        self._future: asyncio.Future[None] | None = None if place.loop is None else place.loop.create_future()
        self._came: collections.deque[Came] = collections.deque()
        self._is_busy = False
        #: What is awaited, and whether it is a call.
        self._running: dict[asyncio.Future[Any], bool] = {}
        #: What of it was cancelled: whoever cleans up is left alone.
        self._cancelled: set[asyncio.Future[Any]] = set()
        #: Who waits for all this on an event loop of its own.
        self._waits: asyncio.Task[Any] | None = None
        self._is_abandoned = False
        #: What is to be awaited as soon as there is an event loop.
        self._parked: list[_Parked] = []
        self.number = place.register(self)
        try:
            self.native, came = begin(place.wakes, self.number)
        except BaseException:
            place.forget(self.number)
            raise
        self._take(came)
        self._go_on()

    # What moves it on.

    def wake(self) -> None:
        """Called where the task is driven when it has something to go on with."""
        self.enter(self.native.advance)

    def abort(self) -> None:
        """Ends the invocation."""
        self.enter(self.native.abort)

    def cancel(self) -> None:
        """Ends the run, for good."""
        self.enter(self.native.cancel)

    def resolve(self, number: int, given: dict[str, Any]) -> None:
        """Answers a question; what comes of it is heard under `number`."""
        self.enter(lambda: self.native.resolve(number, given))

    def enter(self, step: Callable[[], Came | None]) -> None:
        if self.is_over:
            return
        try:
            # A policy is asked meanwhile. In a copy: this may be within a step of the same task.
            came = self.context.copy().run(step)
        except BaseException as error:
            # An `Exception` is about what was given: the task is as it was.
            if not isinstance(error, Exception):
                self._failed(error)
            raise
        self._take(came)
        self._go_on()

    def drop(self) -> None:
        """Ends it where it is. Nothing more comes of it."""
        if not self.is_over:
            self._finish(None)
            self.native.drop()

    # The loop.

    def _take(self, came: Came | None) -> None:
        if came is not None:
            self._came.append(came)

    def _go_on(self) -> None:
        # A host function that this calls may end up here again.
        if not self._is_busy and self._came:
            self._is_busy = True
            try:
                self.context.run(self._work)
            except BaseException as error:
                self._failed(error)
            finally:
                self._is_busy = False

    def _failed(self, error: BaseException) -> None:
        """Something that is none of the script's: it ends the task. What is no `Exception` ends more than that."""
        was_over = self.is_over
        if not was_over:
            self._finish((False, error))
            self.native.drop()
        if was_over or not isinstance(error, Exception):
            raise error

    def _is_stopped(self) -> bool:
        """Whether somebody has pressed Ctrl-C: nothing more is called then."""
        if self._waits is not None and _is_being_cancelled(self._waits):
            self.drop()
        return self.is_over

    def _work(self) -> None:
        while self._came:
            if self._is_stopped():
                return
            calls, events, asks, answers, is_unwanted, end = self._came.popleft()
            if events or answers:
                self.driver.hear(events, answers)
            for ask in asks:
                self._ask(ask)
            if calls:
                self._call(calls)
            if is_unwanted:
                self._unwanted()
            if end is not None:
                self._finish(end)

    def _call(self, calls: list[_native.HostCall]) -> None:
        # All are begun before the first is settled.
        done: list[tuple[_native.HostCall, Any, BaseException | None]] = []
        for call in calls:
            if self._is_stopped():
                return
            context = contextvars.copy_context()
            try:
                result = context.run(self.driver.call, call)
            except BaseException as error:
                if not is_outcome(error):
                    raise
                done.append((call, None, error))
                continue
            if is_awaitable(result):
                self._await(_Parked(context, result, functools.partial(self._settled, call), is_call=True))
            else:
                done.append((call, result, None))
        for call, result, raised in done:
            if self.is_over:
                return
            if raised is None:
                self._take(self.driver.settle(self, call, result))
            else:
                self._take(self.driver.reject(self, call, raised))

    def _settled(self, call: _native.HostCall, future: asyncio.Future[Any]) -> Came:
        error = _error_of(future)
        if error is None:
            return self.driver.settle(self, call, future.result())
        return self.driver.reject(self, call, error)

    def _ask(self, ask: dict[str, Any]) -> None:
        number = ask["id"]
        context = contextvars.copy_context()
        try:
            answer = context.run(self.driver.ask, ask)
        except BaseException as error:
            if not is_outcome(error):
                raise
            self._take(self._answer_error(number, error))
            return
        if is_awaitable(answer):
            self._await(_Parked(context, answer, functools.partial(self._answered, number), is_call=False))
        else:
            self._take(self._answer(number, answer))

    def _answered(self, number: int, future: asyncio.Future[Any]) -> Came:
        error = _error_of(future)
        return self._answer(number, future.result()) if error is None else self._answer_error(number, error)

    def _answer(self, number: int, answer: Any) -> Came:
        try:
            return self.native.answer(number, True, answer)
        except Exception as error:
            return self._answer_error(number, error)

    def _answer_error(self, number: int, error: BaseException) -> Came:
        return self.native.answer(number, False, told(error))

    # What is awaited.

    def _await(self, parked: _Parked) -> None:
        if self.place.loop is None:
            self._parked.append(parked)
            return
        future = self.place.spawn(parked.context, self._watched(parked.awaitable))
        self._running[future] = parked.is_call

        def done(future: asyncio.Future[Any]) -> None:
            del self._running[future]
            self._cancelled.discard(future)
            if not self.is_over:
                self.enter(lambda: self._told(parked, future))
            elif not future.cancelled():
                future.exception()

        future.add_done_callback(done, context=self.context.copy())

    def _told(self, parked: _Parked, future: asyncio.Future[Any]) -> Came:
        try:
            return parked.told(future)
        except Exception as error:
            self._failed(error)
            return None

    async def _watched(self, awaitable: Awaitable[Any]) -> Any:
        try:
            return await awaitable
        except GeneratorExit:
            raise
        except BaseException as error:
            if not is_outcome(error):
                # Before anything else runs: the script must not hear of it.
                self._failed(error)
            raise

    def _unwanted(self, also_asks: bool = False) -> None:
        """Nobody waits for the outcomes of calls any more."""
        for future, is_call in self._running.items():
            if (is_call or also_asks) and future not in self._cancelled:
                self._cancelled.add(future)
                # One that was begun just now takes its first step before: what was dispatched has run.
                future.get_loop().call_soon(future.cancel)
        kept = [parked for parked in self._parked if not (parked.is_call or also_asks)]
        for parked in self._parked:
            if parked not in kept and asyncio.iscoroutine(parked.awaitable):
                parked.awaitable.close()
        self._parked = kept

    def _finish(self, end: tuple[bool, Any] | None) -> None:
        self.is_over = True
        self._end = end
        self._came.clear()
        self.place.forget(self.number)
        self._unwanted(also_asks=True)
        if self._future is not None and not self._future.done():
            self._future.set_result(None)

    def result(self) -> Any:
        """What came of it; raises what it was refused with."""
        if self._end is None:
            raise asyncio.CancelledError("the run was dropped")
        ok, value = self._end
        if ok:
            return value
        raise value

    async def ended(self, *, is_run: bool = True) -> Any:
        """The same, when it is over. Where that is cancelled, the invocation is aborted, and waited for, but not for ever; what is no run is dropped at once."""
        try:
            await self.over()
        except asyncio.CancelledError:
            if is_run:
                self._unwanted(also_asks=True)
                self.abort()
            else:
                self.drop()
            try:
                await asyncio.wait_for(self.over(), PATIENCE_S)
            except (asyncio.CancelledError, asyncio.TimeoutError):
                self.drop()
            raise
        return self.result()

    async def over(self) -> None:
        """Waits until it is over, and what it has begun is, too."""
        assert self._future is not None
        if not self._future.done():
            await asyncio.wait([self._future])
        while self._running:
            await asyncio.wait(list(self._running))

    def finish(self) -> Any:
        """The same, for who waits without an event loop."""
        try:
            while not self.is_over:
                if self._parked:
                    self._finish_on_loop()
                else:
                    self.place.wait()
        except BaseException:
            self.drop()
            raise
        return self.result()

    def _finish_on_loop(self) -> None:
        """There is something to await: an event loop takes over."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            asyncio.run(self._on_loop())
            return
        # This thread has a loop that cannot be entered again, as in a notebook.
        failure: list[BaseException] = []
        over = threading.Event()

        def run() -> None:
            try:
                asyncio.run(self._on_loop())
            except BaseException as error:
                failure.append(error)
            finally:
                over.set()

        thread = threading.Thread(target=run, name="intermission-run-sync")
        try:
            thread.start()
            thread.join()
        except BaseException:
            self._abandon()
            # Unless it has not even begun, and finds that there is nothing to do.
            if thread.ident is not None:
                over.wait()
            raise
        if failure:
            raise failure[0]

    def _abandon(self) -> None:
        """From another thread: drops it."""
        self._is_abandoned = True
        loop = self.place.loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # It is closed.
                loop.call_soon_threadsafe(self.drop)

    async def _on_loop(self) -> None:
        loop = asyncio.get_running_loop()
        self._future = loop.create_future()
        self._waits = asyncio.current_task()
        self.place.listen(loop)
        try:
            if self._is_abandoned:
                self.drop()
            parked, self._parked = self._parked, []
            for one in parked:
                self._await(one)
            await self.over()
        except BaseException:
            # Before anything else is awaited: the script must not go on while this loop ends.
            self.drop()
            raise
        finally:
            self._waits = None
            self.place.leave()


def is_awaitable(value: Any) -> bool:
    return hasattr(value, "__await__")


def _is_being_cancelled(task: asyncio.Task[Any]) -> bool:
    # Before Python 3.11 Ctrl-C is raised at once.
    cancelling = getattr(task, "cancelling", None)
    return cancelling is not None and cancelling() > 0


def _error_of(future: asyncio.Future[Any]) -> BaseException | None:
    if future.cancelled():
        return asyncio.CancelledError("the host function was cancelled")
    return future.exception()


def begin_here(driver: Driver, begin: Begin) -> Task:
    """A task on this thread's event loop."""
    return Task(driver, place_of_loop(asyncio.get_running_loop()), begin)


def begin_and_finish(driver: Driver, begin: Begin) -> Any:
    """What comes of a task, for who waits for it."""
    place = take_idle()
    try:
        return Task(driver, place, begin).finish()
    finally:
        give_back(place)
