"""Runs that survive the process that they began in: docs/durable-runs.md."""

from __future__ import annotations

import asyncio
import contextvars
import os
from typing import Any, AsyncGenerator, Callable, Literal, Sequence

from . import _native
from ._native import Continuation, HostCall
from .drive.place import place_of_loop
from .drive.task import is_awaitable
from .errors import OptionsError, ValueRefused
from .host_call import Interrupt, asked_in, enter, is_outcome
from .interruption import Resolution, given
from .limits import Limits, limits_message
from .result import RunResult
from .runner import Runner
from .stored_run import Asked, Given, Notice, State, StoredRun
from .value import ABSENT, told


class Runs:
    """The runs of a store, which go on whatever becomes of this process: `open_runs` opens them, `async with` closes them. Everything is for the event loop that they were opened on."""

    def __init__(self, runner: Runner) -> None:
        """Use `open_runs`."""
        loop = asyncio.get_running_loop()
        self._loop = loop
        self._runner = runner
        self._place = place_of_loop(loop)
        self._context = contextvars.copy_context()
        self._number = self._place.register(self)
        self._operations: dict[int, asyncio.Future[Any]] = {}
        self._last = 0
        #: Host functions under way, and what else was asked, by the numbers of the asks.
        self._running: dict[int, asyncio.Future[Any]] = {}
        self._is_closed = False
        has_policy = runner._policy is not None
        self._native = _native.Runs(runner._engine, self._place.wakes, self._number, runner._options, has_policy)

    async def __aenter__(self) -> Runs:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def start(
        self,
        source: str,
        *,
        key: str | None = None,
        input: Any = ABSENT,
        data: Any = ABSENT,
        name: str | None = None,
        kind: Literal["auto", "function-body", "module"] | None = None,
        seed: bytes | None = None,
        limits: Limits | None = None,
    ) -> str:
        """Begins a run and gives its id: it is in the store then, and goes on by itself. With a `key`, a name of the caller's own for the request: the run of this key, where there is one."""
        options = {"source": source, "name": name, "kind": kind, "seed": seed, "limits": limits_message(limits)}
        message = {name: value for name, value in options.items() if value is not None}
        has_input = None if input is ABSENT else (input,)
        has_data = None if data is ABSENT else (data,)
        run: str = await self._do(lambda number: self._native.start(number, message, has_input, has_data, key))
        return run

    async def adopt(self, continuation: Continuation) -> str:
        """Takes a run that began elsewhere, goes on with it, and gives its id."""
        run: str = await self._act("adopt", continuation=continuation.bytes)
        return run

    async def wait(self, run_id: str, until: Literal["asks", "over"] = "over") -> StoredRun:
        """Waits until a run is over, or asks (or is over), in whatever process."""
        run: StoredRun = await self._act("wait", run=run_id, over=until == "over")
        return run

    async def resolve(self, run_id: str, resolution: Resolution, by: str | None = None) -> Literal["first", "same", "early"]:
        """Answers a question: whether it was the first answer, the same again, or came before its question. `by` is who says so. Raises `RunsError` `RESOLUTION_CONFLICT` where another was first, and `ResumeError` where it does not fit."""
        resolved: Literal["first", "same", "early"] = await self._act("resolve", run=run_id, resolution=given(resolution), by=by)
        return resolved

    async def emit(self, run_id: str, key: str, value: Any = None, by: str | None = None) -> Literal["first", "same"]:
        """Ends what a script waits for with `waitFor(key)`; an event may come before. The first of a key is its event for ever. Raises `RunsError` `EVENT_CONFLICT` where another was first."""
        emitted: Literal["first", "same"] = await self._act(
            "emit", run=run_id, key=key, value=_native.encode(value, "value"), by=by
        )
        return emitted

    async def get(self, run_id: str) -> StoredRun:
        """What is known of a run. Raises `RunsError` `RUN_UNKNOWN`."""
        run: StoredRun = await self._act("get", run=run_id)
        return run

    async def list(
        self, *, states: Sequence[State] = (), limit: int | None = None, before: str | None = None
    ) -> Sequence[StoredRun]:
        """Runs, the newest first: of these states, of any by default; those before one of them."""
        runs: Sequence[StoredRun] = await self._act("list", states=[*states], limit=limit, before=before)
        return runs

    async def inbox(
        self, run_id: str | None = None, *, events: bool = False, limit: int | None = None
    ) -> Sequence[Asked]:
        """What is asked and not answered, of one run or of all, the oldest first. With `events` what waits for events, too: there nobody is asked."""
        asked: Sequence[Asked] = await self._act("inbox", run=run_id, events=events, limit=limit)
        return asked

    async def answers(self, run_id: str) -> Sequence[Given]:
        """The answers of a run, in the order in which they were given, and who gave them."""
        answers: Sequence[Given] = await self._act("answers", run=run_id)
        return answers

    async def events(self, after: int = 0, run_id: str | None = None) -> AsyncGenerator[Notice, None]:
        """What happens to runs, in order: what happened behind the notice of the number `after` (0: everything that is kept) and what is to come, until the runs are closed; to one run, or to any."""
        while True:
            try:
                page = await self._page(after, run_id)
            except OptionsError as error:
                if error.code == "RUNS_CLOSED":
                    return
                raise
            for notice in page:
                after = notice.number
                yield notice

    async def _page(self, after: int, run_id: str | None) -> Sequence[Notice]:
        page: Sequence[Notice] = await self._act("notices", after=after, run=run_id)
        return page

    async def ledger(self, run_id: str) -> Continuation:
        """Everything that a run was told and asked, up to now."""
        continuation: Continuation = await self._act("ledger", run=run_id)
        return continuation

    async def replay(self, run_id: str) -> RunResult:
        """Says again what came of a run, its console too, and calls nothing."""
        result: RunResult = await self._act("replay", run=run_id)
        return result

    async def cancel(self, run_id: str) -> None:
        """Ends a run for good."""
        await self._act("cancel", run=run_id)

    async def retry(self, run_id: str) -> None:
        """Has a failed run go on: the call is made again whose rejection ended it."""
        await self._act("retry", run=run_id)

    async def delete(self, run_id: str) -> None:
        """Deletes a run that is over, with all its data."""
        await self._act("delete", run=run_id)

    async def fork(self, run_id: str, at: int | None = None) -> str:
        """Starts another run that has the first `at` entries of its ledger in common with this one, all of them by default, and gives its id. Its calls have other idempotency keys."""
        run: str = await self._act("fork", run=run_id, at=at)
        return run

    async def take_up(self, run_id: str) -> bool:
        """Goes on with a run here, if nobody else does and there is anything to go on with: whether it does. For whoever does not pick up runs. It counts for no `max_live`."""
        is_taken: bool = await self._act("takeUp", run=run_id)
        return is_taken

    @property
    def live(self) -> int:
        """How many runs are gone on with here. Those that were put away are not."""
        return self._native.live()

    def types(self) -> str:
        """TypeScript declarations of what scripts can call: what a model is shown."""
        return self._native.types()

    async def close(self, patience_ms: float = 5_000) -> None:
        """Ends what is done here. Runs that are gone on with may go on for `patience_ms`; those that are still under way then are aborted, and are ready for other processes at once. Whatever is waited for here is refused with `RUNS_CLOSED` after that. Again is the same as once."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            await self._do(lambda number: self._native.close(number, patience_ms))
        finally:
            for future in self._running.values():
                future.cancel()
            for waited in self._operations.values():
                if not waited.done():
                    waited.set_exception(runs_closed())
            self._place.forget(self._number)

    async def _act(self, kind: str, **given: Any) -> Any:
        message = {"kind": kind, **{name: value for name, value in given.items() if value is not None}}
        return await self._do(lambda number: self._native.begin(number, message))

    async def _do(self, begin: Callable[[int], None]) -> Any:
        self._last += 1
        number = self._last
        begin(number)
        future: asyncio.Future[Any] = self._loop.create_future()
        self._operations[number] = future
        try:
            return await future
        except asyncio.CancelledError:
            self._native.forget(number)
            raise
        finally:
            self._operations.pop(number, None)

    def wake(self) -> None:
        """Called on the event loop when there is news."""
        self._context.run(self._work)

    def _work(self) -> None:
        asks, done = self._native.take()
        for operation, ok, value in done:
            future = self._operations.get(operation)
            if future is not None and not future.done():
                future.set_result(value) if ok else future.set_exception(value)
        for ask in asks:
            if ask["kind"] == "unwanted":
                running = self._running.get(ask["ask"])
                if running is not None:
                    # What was dispatched takes its first step.
                    self._loop.call_soon(running.cancel)
            else:
                self._ask(ask["id"], ask)

    def _ask(self, number: int, ask: dict[str, Any]) -> None:
        context = contextvars.copy_context()
        name = ask["call"].host_function if ask["kind"] == "call" else None
        try:
            answer = context.run(self._answer_of, ask)
        except BaseException as error:
            if not is_outcome(error):
                raise
            if ask["kind"] == "decide":
                # Why is for the host alone.
                self._loop.call_exception_handler({"message": "a policy could not decide", "exception": error})
                error = RuntimeError("the policy could not decide")
            self._reject(number, error)
            return
        if not is_awaitable(answer):
            self._settle(number, name, answer)
            return
        future = self._place.spawn(context, answer)
        self._running[number] = future

        def done(future: asyncio.Future[Any]) -> None:
            del self._running[number]
            if future.cancelled():
                self._reject(number, asyncio.CancelledError("the host function was cancelled"))
                return
            error = future.exception()
            if error is None:
                self._settle(number, name, future.result())
            elif is_outcome(error):
                # Anything else stops the program: the call's outcome stays unknown.
                self._reject(number, error)

        future.add_done_callback(done, context=self._context.copy())

    def _answer_of(self, ask: dict[str, Any]) -> Any:
        kind = ask["kind"]
        if kind == "call":
            call: HostCall = ask["call"]
            enter(call)
            return self._runner._callees[call.host_function](call.arguments)
        if kind == "decide":
            policy = self._runner._policy
            assert policy is not None
            return policy(ask["runId"], ask["requestIndex"], ask["hostFunction"], ask["effect"], ask["arguments"])
        return self._runner._hooks[kind](ask)

    def _settle(self, number: int, name: str | None, answer: Any) -> None:
        try:
            self._native.answer(number, True, answer)
        except Exception as error:
            what = "the answer" if name is None else f"the result of {name}"
            # An object's own code may fail in any way.
            why = str(error) if isinstance(error, ValueRefused) else "it could not be read"
            body = {"name": "Error", "message": f"{what} cannot be sent: {why}", "code": "HOST_OUTPUT_INVALID"}
            self._native.answer(number, False, body)

    def _reject(self, number: int, error: BaseException) -> None:
        error = asked_in(error)
        if isinstance(error, Interrupt):
            default = None if error.default is ABSENT else (error.default,)
            try:
                self._native.interrupt(number, error.payload, error.state, error.expires_at, default)
                return
            except Exception as refused:
                error = refused
        self._native.answer(number, False, told(error))


def runs_closed() -> OptionsError:
    """For whoever waits for runs that are closed."""
    return OptionsError("RUNS_CLOSED", "the runs were closed: open them again")


async def open_runs(
    path: str | os.PathLike[str],
    runner: Runner,
    *,
    full_sync: bool | None = None,
    lease_ms: float | None = None,
    longest_wait_ms: float | None = None,
    retention_ms: float | None = None,
    picks_up: bool | None = None,
    max_live: int | None = None,
) -> Runs:
    """Opens the runs of a store, which is a file of SQLite, and goes on with what was left there. The runner's functions are lent to them.

    - `full_sync`: whether each write is on the disk before it counts, so that it survives a power cut; yes
    - `lease_ms`: how long a run is this process's without a word from it
    - `longest_wait_ms`: a script that waits for longer is put away meanwhile; 1,000
    - `retention_ms`: how long a run is kept once it is over; for ever
    - `picks_up`: whether runs are gone on with here that others have left; yes
    - `max_live`: how many runs are gone on with here at one time

    Raises `RunsError` where the store cannot be opened.
    """
    runs = Runs(runner)
    options = {
        "path": os.fspath(path),
        "fullSync": full_sync,
        "leaseMs": lease_ms,
        "longestWaitMs": longest_wait_ms,
        "retentionMs": retention_ms,
        "picksUp": picks_up,
        "maxLive": max_live,
    }
    message = {name: value for name, value in options.items() if value is not None}
    try:
        await runs._do(lambda number: runs._native.open(number, message))
    except BaseException:
        await runs.close(0)
        raise
    return runs
