"""asyncio's own habits: cancellation, nesting, loops."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from intermission import Failed, Limits, Runner, run_sync


def test_cancelling_a_run_cancels_its_host_functions() -> None:
    seen: list[str] = []

    async def slow() -> None:
        seen.append("begun")
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            seen.append("cleaned up")

    async def main() -> None:
        global begun
        begun = asyncio.Event()
        runner = Runner(host_functions={"slow": slow})
        run = asyncio.ensure_future(runner.run("await slow()"))
        await begun.wait()
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        seen.append("over")
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(main())
    assert seen == ["begun", "cleaned up", "over"]


begun: asyncio.Event


def test_cancelling_a_run_stops_a_script_that_computes() -> None:
    async def main() -> None:
        run = asyncio.ensure_future(Runner().run("for (;;) {}"))
        for _ in range(3):
            await asyncio.sleep(0)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run

    asyncio.run(main())


def test_a_run_may_have_a_time_limit_of_asyncios() -> None:
    async def main() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(Runner().run("for (;;) {}"), 0.02)

    asyncio.run(main())


def test_the_event_loop_goes_on_while_a_script_computes() -> None:
    async def main() -> int:
        ticks = 0
        run = asyncio.ensure_future(Runner().run("for (;;) {}", limits=Limits(deadline_ms=100)))
        while not run.done():
            ticks += 1
            await asyncio.sleep(0)
        assert isinstance(run.result(), Failed)
        return ticks

    assert asyncio.run(main()) > 10


def test_run_sync_works_within_a_running_loop_as_in_a_notebook() -> None:
    async def slow(n: int) -> int:
        await asyncio.sleep(0)
        return n + 1

    async def main() -> Any:
        return run_sync("return [await slow(1), await quick()]", host_functions={"slow": slow, "quick": lambda: 5}).unwrap()

    assert asyncio.run(main()) == [2, 5]


def test_host_functions_may_run_scripts_themselves() -> None:
    runner = Runner(host_functions={"double": lambda n: n * 2})

    def inner(n: int) -> Any:
        return runner.run_sync("return await double(input)", input=n).unwrap()

    async def inner_async(n: int) -> Any:
        return (await runner.run("return await double(input)", input=n)).unwrap()

    outer = Runner(host_functions={"inner": inner, "innerAsync": inner_async})
    script = "return [await inner(1), await innerAsync(2), await inner(3)]"
    assert outer.run_sync(script).unwrap() == [2, 4, 6]
    assert asyncio.run(outer.run(script)).unwrap() == [2, 4, 6]


def test_one_runner_serves_loops_one_after_the_other_and_in_several_threads() -> None:
    async def slow() -> str:
        await asyncio.sleep(0)
        return threading.current_thread().name

    runner = Runner(host_functions={"slow": slow})
    names: list[str] = []

    def work() -> None:
        for _ in range(3):
            names.append(asyncio.run(runner.run("return await slow()")).unwrap())

    threads = [threading.Thread(target=work, name=f"t{n}") for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(names) == ["t0"] * 3 + ["t1"] * 3 + ["t2"] * 3


def test_an_interrupt_of_the_keyboard_passes_through() -> None:
    def stops() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_sync("try { await stops() } catch { return 1 }", host_functions={"stops": stops})
    assert run_sync("return 1").unwrap() == 1


def test_a_host_function_that_is_cancelled_from_within_is_a_rejection() -> None:
    async def gives_up() -> None:
        raise asyncio.CancelledError

    script = "try { await givesUp() } catch (error) { return error.name }"
    assert run_sync(script, host_functions={"givesUp": gives_up}).unwrap() == "CancelledError"
