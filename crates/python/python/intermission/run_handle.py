"""A run under way."""

from __future__ import annotations

import asyncio
import collections
from typing import Any, AsyncIterator, Callable, Generator

from .drive.task import Task
from .errors import ResumeError
from .interruption import Interruption, Resolution, given
from .result import RunResult


class RunHandle:
    """A run under way: says what it asks (`async for` gives each `Interruption` the moment it is asked), takes answers, and is awaited for its result."""

    def __init__(self) -> None:
        self._task: Task
        self._result: asyncio.Task[RunResult]
        self._events: collections.deque[Interruption] = collections.deque()
        self._answers: dict[int, asyncio.Future[None]] = {}
        self._last = 0
        self._news = asyncio.Event()

    def __await__(self) -> Generator[Any, None, RunResult]:
        return self.result().__await__()

    async def result(self) -> RunResult:
        """What comes of it. Raises as `Runner.resume` does. Where this is cancelled, the run goes on: see `abort`."""
        return await asyncio.shield(self._result)

    async def resolve(self, resolution: Resolution) -> None:
        """Answers one of its questions while it is under way.

        Raises `ResumeError` where the answer is refused; nothing has changed then. `RUN_NOT_UNDER_WAY` when it is over or was put away: then resume its continuation instead.
        """
        if self._task.is_over:
            raise _not_under_way()
        self._last += 1
        answer = asyncio.get_running_loop().create_future()
        self._answers[self._last] = answer
        try:
            self._task.resolve(self._last, given(resolution))
        except BaseException:
            del self._answers[self._last]
            raise
        await answer

    def cancel(self) -> None:
        """Cancels the run, for good: what is under way is cancelled, what it asks can no longer be answered. Again is the same as once."""
        self._task.cancel()

    def abort(self) -> None:
        """Ends the invocation. The run can be gone on with."""
        self._task.abort()

    async def __aiter__(self) -> AsyncIterator[Interruption]:
        while True:
            while self._events:
                yield self._events.popleft()
            if self._task.is_over:
                return
            self._news.clear()
            await self._news.wait()

    def _is(self, task: Task, explained: Callable[[RunResult], RunResult]) -> None:
        self._task = task

        async def ended() -> RunResult:
            try:
                return explained(await task.ended())
            finally:
                self._news.set()
                for answer in self._answers.values():
                    answer.set_exception(_not_under_way())
                self._answers.clear()

        self._result = asyncio.get_running_loop().create_task(ended())
        # Whoever only listens to events hears of a refusal by their end.
        self._result.add_done_callback(lambda result: result.cancelled() or result.exception())

    def _hear(self, events: list[Interruption], answers: list[tuple[int, ResumeError | None]]) -> None:
        self._events.extend(events)
        for number, error in answers:
            answer = self._answers.pop(number, None)
            if answer is None or answer.done():
                continue
            if error is None:
                answer.set_result(None)
            else:
                answer.set_exception(error)
        self._news.set()


def _not_under_way() -> ResumeError:
    return ResumeError("RUN_NOT_UNDER_WAY", "the run is not under way any more: if it was put away, resume its continuation with the answer")
