"""A short process, of a kind that its argument says: what is open when it ends must not matter."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
import tempfile
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

from intermission import Failed, Limits, Runner, open_runs, open_runs_sync, run, run_sync

runner = Runner(host_functions={"now": lambda: 1}, drain_ms=10)


async def never() -> None:
    await asyncio.Event().wait()


def done() -> None:
    runner.run_sync("return await now()").unwrap()


def waits() -> None:
    asyncio.run(run("await sleep(5); return 1")).unwrap()


def worker() -> None:
    run_sync("let n = 0; while (n < 2_000_000) n++; return n").unwrap()


def open_run() -> None:
    """The interpreter ends with a run that nobody has awaited to its end."""

    async def main() -> None:
        never_ends = asyncio.ensure_future(Runner(host_functions={"never": never}).run("await never()"))
        await asyncio.sleep(0)
        assert not never_ends.done()
        sys.exit(0)

    asyncio.run(main())


def computing() -> None:
    """It ends while a script computes, and its loop is never closed."""
    loop = asyncio.new_event_loop()
    task = loop.create_task(runner.run("for (;;) {}"))
    for _ in range(3):
        loop.run_until_complete(asyncio.sleep(0.002))
    assert not task.done()
    globals().update(kept=(loop, task))


def daemon() -> None:
    """It ends while a thread waits for a script."""
    begun = threading.Event()
    functions = {"begun": begun.set}
    threading.Thread(target=lambda: run_sync("await begun(); for (;;) {}", host_functions=functions), daemon=True).start()
    begun.wait()


def aborted() -> None:
    async def main() -> None:
        task = asyncio.ensure_future(runner.run("for (;;) {}"))
        await asyncio.sleep(0.005)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            return
        raise AssertionError("it was cancelled")

    asyncio.run(main())


def threads() -> None:
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda n: runner.run_sync("return input", input=n).unwrap(), range(20))) == list(range(20))


def one(n: int) -> Any:
    """In a child: with a runner that was made before it, and a new one."""
    mine = runner.run_sync("return await now() + input", input=n)
    assert run_sync("let n = 0; while (n < 1_000_000) n++; return n").unwrap() == 1_000_000
    return mine.unwrap(), mine.report.run_id, run_sync("return Math.random()").unwrap()


def fork() -> None:
    """Threads and engine are the parent's; what is drawn at random is not the same in the children."""
    worker()
    done()
    with ProcessPoolExecutor(2, mp_context=get_context("fork")) as pool:
        came = list(pool.map(one, range(4)))
    assert [value for value, _, _ in came] == [1, 2, 3, 4]
    came += [one(0)]
    assert len({run_id for _, run_id, _ in came}) == 5 and len({number for _, _, number in came}) == 5


def fork_within_a_run() -> None:
    """A host function forks: the child leaves what is its parent's."""

    def forks() -> int:
        child = os.fork()
        if child == 0:
            os._exit(0 if run_sync("return 7").unwrap() == 7 else 1)
        return os.waitpid(child, 0)[1]

    assert run_sync("return await forks()", host_functions={"forks": forks}).unwrap() == 0


def spawn() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(one, 1).result()[0] == 2


def exhausted() -> None:
    end = run_sync("const a = []; for (;;) a.push(new Array(1000).fill(1))", limits=Limits(memory=8 << 20))
    assert isinstance(end, Failed)


def durable() -> None:
    """It ends with a store that nobody has closed, a run of which computes."""

    async def main() -> None:
        with tempfile.TemporaryDirectory() as folder:
            runs = await open_runs(f"{folder}/runs.db", runner)
            assert (await runs.wait(await runs.start("return await now()"))).value == 1
            await runs.start("for (;;) {}")
            globals().update(kept=runs)

    asyncio.run(main())


def durable_sync() -> None:
    """The same, of who has no event loop."""
    folder = tempfile.mkdtemp()
    try:
        runs = open_runs_sync(f"{folder}/runs.db", runner)
        assert runs.wait(runs.start("return await now()")).value == 1
        runs.start("for (;;) {}")
        globals().update(kept=runs)
    finally:
        shutil.rmtree(folder)


def interrupted() -> None:
    """Somebody presses Ctrl-C while a script computes, and a later run is as if nothing had been."""
    begun = {"begun": lambda: threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGINT)).start()}
    try:
        run_sync("await begun(); for (;;) {}", host_functions=begun)
    except KeyboardInterrupt:
        done()
    else:
        raise AssertionError("nobody was interrupted")


KINDS = {
    kind.__name__: kind
    for kind in (done, waits, worker, open_run, computing, daemon, aborted, threads, fork, fork_within_a_run, spawn, exhausted, interrupted, durable, durable_sync)
}

if __name__ == "__main__":
    KINDS[sys.argv[1]]()
