"""Durable runs for who has no event loop."""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import threading
from typing import TYPE_CHECKING, Any, Callable, Coroutine, Iterator, Literal, Sequence, TypeVar

from ._native import Continuation
from .errors import OptionsError
from .interruption import Resolution
from .result import RunResult
from .runner import Runner
from .runs import Runs, open_runs, runs_closed
from .stored_run import Asked, Given, Notice, State, StoredRun

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import RunsOptions, StartOptions

R = TypeVar("R")


class SyncRuns:
    """`Runs`, for scripts and notebooks: `open_runs_sync` opens them, `with` closes them. Everything waits, and may be called from any thread; host functions are called on an event loop on a thread of their own. They cannot
    use these runs: that would wait for itself, and raises `RuntimeError`."""

    def __init__(self, opening: Callable[[], Coroutine[Any, Any, Runs]]) -> None:
        """Use `open_runs_sync`."""
        self._closing = threading.Lock()
        self._thread = _LoopThread()
        try:
            self._runs: Runs = self._thread.do(opening())
        except BaseException:
            self._thread.end()
            raise

    def __enter__(self) -> SyncRuns:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, source: str, **options: Unpack[StartOptions]) -> str:
        """`Runs.start`: begins a run and gives its id."""
        return self._do(lambda runs: runs.start(source, **options))

    def adopt(self, continuation: Continuation) -> str:
        """Takes a run that began elsewhere, goes on with it, and gives its id."""
        return self._do(lambda runs: runs.adopt(continuation))

    def fork(self, run_id: str, at: int | None = None) -> str:
        """`Runs.fork`: starts another run with the same beginning, and gives its id."""
        return self._do(lambda runs: runs.fork(run_id, at))

    def take_up(self, run_id: str) -> bool:
        """`Runs.take_up`: goes on with a run here, if nobody else does."""
        return self._do(lambda runs: runs.take_up(run_id))

    def wait(self, run_id: str, until: Literal["asks", "over"] = "over") -> StoredRun:
        """Waits until a run is over, or asks (or is over), in whatever process."""
        return self._do(lambda runs: runs.wait(run_id, until))

    def resolve(self, run_id: str, resolution: Resolution, by: str | None = None) -> Literal["first", "same", "early"]:
        """`Runs.resolve`: answers a question."""
        return self._do(lambda runs: runs.resolve(run_id, resolution, by))

    def emit(self, run_id: str, key: str, value: Any = None, by: str | None = None) -> Literal["first", "same"]:
        """`Runs.emit`: ends what a script waits for with `waitFor(key)`."""
        return self._do(lambda runs: runs.emit(run_id, key, value, by))

    def get(self, run_id: str) -> StoredRun:
        """What is known of a run. Raises `RunsError` `RUN_UNKNOWN`."""
        return self._do(lambda runs: runs.get(run_id))

    def list(
        self, *, states: Sequence[State] = (), limit: int | None = None, before: str | None = None
    ) -> Sequence[StoredRun]:
        """Runs, the newest first: of these states, of any by default; those before one of them."""
        return self._do(lambda runs: runs.list(states=states, limit=limit, before=before))

    def inbox(
        self, run_id: str | None = None, *, events: bool = False, limit: int | None = None
    ) -> Sequence[Asked]:
        """What is asked and not answered, of one run or of all, the oldest first. With `events` what waits for events, too: there nobody is asked."""
        return self._do(lambda runs: runs.inbox(run_id, events=events, limit=limit))

    def answers(self, run_id: str) -> Sequence[Given]:
        """The answers of a run, in the order in which they were given, and who gave them."""
        return self._do(lambda runs: runs.answers(run_id))

    def events(self, after: int = 0, run_id: str | None = None) -> Iterator[Notice]:
        """`Runs.events`: what happens to runs, in order, until they are closed. Waits for what is to come."""
        while True:
            try:
                page = self._do(lambda runs: runs._page(after, run_id))
            except OptionsError as error:
                if error.code == "RUNS_CLOSED":
                    return
                raise
            for notice in page:
                after = notice.number
                yield notice

    def ledger(self, run_id: str) -> Continuation:
        """Everything that a run was told and asked, up to now."""
        return self._do(lambda runs: runs.ledger(run_id))

    def replay(self, run_id: str) -> RunResult:
        """Says again what came of a run, its console too, and calls nothing."""
        return self._do(lambda runs: runs.replay(run_id))

    def cancel(self, run_id: str) -> None:
        """Ends a run for good."""
        self._do(lambda runs: runs.cancel(run_id))

    def retry(self, run_id: str) -> None:
        """Has a failed run go on: the call is made again whose rejection ended it."""
        self._do(lambda runs: runs.retry(run_id))

    def delete(self, run_id: str) -> None:
        """Deletes a run that is over, with all its data."""
        self._do(lambda runs: runs.delete(run_id))

    @property
    def live(self) -> int:
        """How many runs are gone on with here. Those that were put away are not."""
        return self._runs.live

    def types(self) -> str:
        """TypeScript declarations of what scripts can call: what a model is shown."""
        return self._runs.types()

    def close(self, patience_ms: float = 5_000) -> None:
        """`Runs.close`: ends what is done here. Whatever other threads wait for here is refused with `RUNS_CLOSED`."""
        self._thread.forbid_itself()
        with self._closing:
            if not self._thread.is_ended:
                try:
                    self._thread.do(self._runs.close(patience_ms))
                finally:
                    self._thread.end()

    def _do(self, act: Callable[[Runs], Coroutine[Any, Any, R]]) -> R:
        self._thread.forbid_itself()
        try:
            return self._thread.do(act(self._runs))
        except concurrent.futures.CancelledError:
            raise runs_closed() from None


class _LoopThread:
    """An event loop on a thread of its own."""

    def __init__(self) -> None:
        self.is_ended = False
        self._lock = threading.Lock()
        self._ended = asyncio.Event()
        begun: concurrent.futures.Future[asyncio.AbstractEventLoop] = concurrent.futures.Future()

        async def main() -> None:
            begun.set_result(asyncio.get_running_loop())
            await self._ended.wait()

        # The interpreter does not wait for it when it ends.
        self._thread = threading.Thread(target=lambda: asyncio.run(main()), name="intermission-runs-sync", daemon=True)
        self._thread.start()
        self._loop = begun.result()

    def forbid_itself(self) -> None:
        """Raises where it would wait for itself."""
        if threading.current_thread() is self._thread:
            raise RuntimeError("a host function cannot wait for the runs that call it: use open_runs, and await them")

    def do(self, act: Coroutine[Any, Any, R]) -> R:
        """Waits for what is done there."""
        # What is begun before the end is done, or cancelled: nobody waits for ever.
        with self._lock:
            if self.is_ended:
                act.close()
                raise runs_closed()
            future = asyncio.run_coroutine_threadsafe(act, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def end(self) -> None:
        """Ends it, and cancels what is still done there."""
        with self._lock:
            self.is_ended = True
            self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join()


def open_runs_sync(path: str | os.PathLike[str], runner: Runner, **options: Unpack[RunsOptions]) -> SyncRuns:
    """`open_runs`, for scripts and notebooks. The options are the same.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, open_runs_sync(f"{folder}/runs.db", Runner()) as runs:
    ...     runs.wait(runs.start("return 1 + 1")).value
    2

    Raises `RunsError` where the store cannot be opened.
    """
    return SyncRuns(lambda: open_runs(path, runner, **options))
