"""asyncio's own habits: cancellation, nesting, loops."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import os
import signal
import threading
from typing import Any, Callable

import pytest
from intermission import Failed, Limits, ProposedCall, Runner, codec, run_sync
from intermission.drive import task as drive
from intermission.runner import _Driver


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


name: contextvars.ContextVar[str] = contextvars.ContextVar("name", default="nobody")


def test_a_policy_decides_in_the_context_of_its_own_run() -> None:
    seen: list[tuple[str, str]] = []

    def policy(call: ProposedCall) -> None:
        seen.append((call.arguments[0], name.get()))

    runner = Runner(host_functions={"pay": lambda who: None}, policy=policy)

    async def one(who: str) -> None:
        name.set(who)
        # The second call comes when a timer has woken the run, from no context in particular.
        (await runner.run("await pay(input); await sleep(1); await pay(input)", input=who)).unwrap()

    async def main() -> None:
        await asyncio.gather(one("ann"), one("bob"))

    asyncio.run(main())
    assert sorted(seen) == [("ann", "ann")] * 2 + [("bob", "bob")] * 2


def test_after_an_interrupt_of_the_keyboard_the_script_does_nothing_more() -> None:
    effects: list[str] = []

    async def slow() -> None:
        effects.append("slow")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            pass

    async def stops() -> None:
        await asyncio.sleep(0)
        raise KeyboardInterrupt

    async def tick() -> None:
        await asyncio.sleep(0)

    def presses() -> None:
        signal.raise_signal(signal.SIGINT)

    def effect() -> None:
        effects.append("effect")

    functions: dict[str, Callable[..., Any]] = {"slow": slow, "tick": tick, "stops": stops, "presses": presses, "effect": effect}
    for how in ("stops", "presses"):
        effects.clear()
        script = f"const s = slow(); await tick(); try {{ await {how}() }} catch {{ }} await effect(); await s; await effect()"
        with pytest.raises(KeyboardInterrupt):
            run_sync(script, host_functions=functions)
        assert effects == ["slow"], how


def test_an_interrupt_within_a_notebook_ends_host_functions_too() -> None:
    ended: list[str] = []

    async def never() -> None:
        main_thread = threading.main_thread().ident
        assert main_thread is not None
        signal.pthread_kill(main_thread, signal.SIGINT)
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("never")

    async def main() -> None:
        with pytest.raises(KeyboardInterrupt):
            run_sync("await never()", host_functions={"never": never})
        assert ended == ["never"]

    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(main())
    finally:
        loop.close()


def test_what_goes_wrong_with_one_run_is_none_of_the_others_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    class Odd(Exception):
        pass

    settle = _Driver.settle

    def fails(self: _Driver, task: Any, call: Any, result: Any) -> Any:
        if result == "odd":
            raise Odd
        return settle(self, task, call, result)

    monkeypatch.setattr(_Driver, "settle", fails)

    async def main() -> None:
        runner = Runner(host_functions={"echo": lambda text: text})
        runs = [asyncio.ensure_future(runner.run("await sleep(1); return await echo(input)", input=text)) for text in ("odd", "a", "b")]
        with pytest.raises(Odd):
            await runs[0]
        assert [(await run).unwrap() for run in runs[1:]] == ["a", "b"]

    asyncio.run(main())


def test_a_run_that_stops_the_program_stops_no_other_run() -> None:
    def stops() -> None:
        raise SystemExit(7)

    runner = Runner(host_functions={"stops": stops, "one": lambda: 1})

    async def main() -> list[Any]:
        first = runner.run("await sleep(1); await stops()")
        second = runner.run("await sleep(1); return await one()")
        return await asyncio.gather(first, second, return_exceptions=True)

    loop = asyncio.new_event_loop()
    both = loop.create_task(main())
    exits = 0
    while not both.done():
        try:
            loop.run_until_complete(both)
        except SystemExit:
            exits += 1
    stopped, went_on = both.result()
    loop.close()
    # Out of the loop, and out of whoever awaits the run.
    assert exits == 2 and isinstance(stopped, SystemExit) and went_on.unwrap() == 1


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="there is no /proc here")
def test_an_event_loop_that_has_ended_leaves_nothing_open() -> None:
    runner = Runner(host_functions={"one": lambda: 1})

    def opened() -> int:
        asyncio.run(runner.run("return await one()"))
        gc.collect()
        return len(os.listdir("/proc/self/fd"))

    first = opened()
    assert [opened() for _ in range(20)][-1] <= first


class Stuck:
    """Of everything that may be asked: never answers."""

    def __init__(self) -> None:
        self.cancelled: list[str] = []
        self.begun = asyncio.Event()

    async def _never(self, what: str) -> Any:
        self.begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled.append(what)
            raise

    async def load(self, name: str) -> str:
        return str(await self._never("load"))

    async def encode(self, continuation: Any, scope: Any) -> str:
        return str(await self._never("encode"))

    async def read(self, token: str, scope: Any) -> Any:
        return await self._never("read")


def test_cancelling_reaches_whatever_is_asked() -> None:
    async def main() -> list[str]:
        stuck = Stuck()
        runner = Runner(modules=stuck, codec=codec(stuck))
        for waits in (runner.run("import 'a'"), runner.inspect("token"), runner.resume("token")):
            stuck.begun.clear()
            task = asyncio.ensure_future(waits)
            await stuck.begun.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert len(asyncio.all_tasks()) == 1
        return stuck.cancelled

    assert asyncio.run(main()) == ["load", "read", "read"]


def test_a_host_function_that_does_not_end_is_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drive, "PATIENCE_S", 0)

    async def main() -> None:
        begun, may_end = asyncio.Event(), asyncio.Event()

        async def stubborn() -> None:
            begun.set()
            while not may_end.is_set():
                try:
                    await may_end.wait()
                except asyncio.CancelledError:
                    pass

        task = asyncio.ensure_future(Runner(host_functions={"stubborn": stubborn}).run("await stubborn()"))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        may_end.set()

    asyncio.run(main())


def test_whoever_cleans_up_is_cancelled_once() -> None:
    seen: list[int] = []

    async def slow(turns: int) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            for _ in range(turns):
                await asyncio.sleep(0)
            seen.append(turns)

    async def main() -> None:
        global begun
        begun = asyncio.Event()
        # When the first one has ended, the run says once more that nobody waits for the other.
        handle = Runner(host_functions={"slow": slow}).start("await Promise.all([slow(3), slow(20)])")
        await begun.wait()
        handle.cancel()
        await handle

    asyncio.run(main())
    assert seen == [3, 20]
