"""Runs and what comes of them."""

from __future__ import annotations

import asyncio
import pickle
import threading

import pytest
from intermission import (
    Completed,
    DetachedError,
    Failed,
    JsError,
    LimitError,
    Limits,
    OptionsError,
    Position,
    RunError,
    Runner,
    ScriptError,
    SourceError,
    run,
    run_sync,
)


def test_a_script_has_a_value() -> None:
    result = run_sync("console.log('hello', 1); data.n++; return input.n * 2", input={"n": 21}, data={"n": 1})
    assert isinstance(result, Completed)
    assert result.value == 42
    report = result.report
    assert [(entry.method, entry.text, entry.arguments) for entry in report.console] == [("log", "hello 1", ["hello", 1])]
    assert (report.data, report.replayed, report.detached, report.stats.calls) == ({"n": 2}, 0, (), 0)
    assert report.run_id.startswith("run_") and result.continuation.run_id == report.run_id


def test_what_a_script_throws_is_a_result() -> None:
    result = run_sync("function inner() {\n  throw new TypeError('no')\n}\ninner()", name="a.js")
    assert isinstance(result, Failed)
    error = result.error
    assert isinstance(error, ScriptError) and isinstance(error.thrown, JsError)
    assert (error.code, error.thrown.name, error.thrown.message) == ("SCRIPT_ERROR", "TypeError", "no")
    first, second = error.frames
    assert (first.function, first.file, first.line) == ("inner", "a.js", 2)
    assert (second.function, second.line) == (None, 4)
    with pytest.raises(ScriptError, match="TypeError: no"):
        result.unwrap()


def test_a_script_may_throw_anything() -> None:
    result = run_sync("throw { status: 404 }")
    assert isinstance(result, Failed) and isinstance(result.error, ScriptError)
    assert result.error.thrown == {"status": 404}


def test_a_host_functions_exception_is_the_cause_of_the_error() -> None:
    def broken() -> None:
        raise ZeroDivisionError("by nothing")

    result = run_sync("return await broken()", host_functions={"broken": broken})
    assert isinstance(result, Failed)
    cause = result.error.__cause__
    assert isinstance(cause, ZeroDivisionError)
    assert cause.__traceback__ is not None
    names = []
    trace = cause.__traceback__
    while trace is not None:
        names.append(trace.tb_frame.f_code.co_name)
        trace = trace.tb_next
    assert names[-1] == "broken"


def test_a_script_that_is_none_has_a_place() -> None:
    result = run_sync("return 1 +\n  * 2")
    assert isinstance(result, Failed) and isinstance(result.error, SourceError)
    assert (result.error.code, result.error.position) == ("SOURCE_SYNTAX", Position(2, 3))


def test_a_limit_says_what_was_used() -> None:
    result = run_sync("await add(); await add()", host_functions={"add": lambda: 1}, limits=Limits(calls=1))
    assert isinstance(result, Failed) and isinstance(result.error, LimitError)
    error = result.error
    assert (error.code, error.limit, error.allowed, error.used) == ("LIMIT_CALLS", "calls", 1, 2)


def test_a_script_that_computes_for_ever_is_stopped() -> None:
    result = run_sync("for (;;) {}", limits=Limits(deadline_ms=50))
    assert isinstance(result, Failed)
    assert result.error.code == "LIMIT_DEADLINE"


def test_other_threads_go_on_while_a_script_computes() -> None:
    ticks = 0
    is_over = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not is_over.is_set():
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    # All within one slice: the interpreter's lock is not held.
    run_sync("let n = 0; while (n < 5_000_000) n++; return n", tick_ms=60_000)
    during = ticks
    is_over.set()
    thread.join()
    assert during > 1000


def test_in_strict_mode_a_call_that_nobody_awaits_is_an_error() -> None:
    async def slow() -> None:
        await asyncio.sleep(0)

    result = run_sync("slow(); return 1", host_functions={"slow": slow}, strict=True)
    assert isinstance(result, Failed) and isinstance(result.error, DetachedError)
    assert result.error.calls == ("slow (1:1)",)


def test_errors_can_be_sent_to_another_process() -> None:
    for script in ["throw new Error('x')", "return 1 +", "for (;;) {}"]:
        result = run_sync(script, limits=Limits(fuel=1000))
        assert isinstance(result, Failed)
        error = pickle.loads(pickle.dumps(result.error))
        assert (type(error), error.code, str(error)) == (type(result.error), result.error.code, str(result.error))


def test_a_continuation_can_be_sent_and_kept() -> None:
    continuation = run_sync("return 1").continuation
    assert continuation is not None
    again = pickle.loads(pickle.dumps(continuation))
    assert again == continuation and hash(again) == hash(continuation)
    assert len(again) > 1 and again.over and again.source == "return 1"
    with pytest.raises(OptionsError):
        type(continuation)(b"nonsense")


def test_nothing_secret_is_in_the_text_of_a_result() -> None:
    result = run_sync("return input", input="open sesame")
    assert "sesame" not in repr(result.continuation) + repr(result.report)


def test_a_run_is_replayed_without_a_call() -> None:
    calls = []

    def note(n: int) -> int:
        calls.append(n)
        return n

    runner = Runner(host_functions={"note": note})
    first = runner.run_sync("return await note(1) + await note(2)")
    assert isinstance(first, Completed)
    again = runner.replay_sync(first.continuation)
    assert (again.unwrap(), calls) == (3, [1, 2])


def test_the_clock_may_stand_and_the_seed_be_given() -> None:
    script = "return [Date.now(), Math.random(), Math.random()]"
    one, other = (run_sync(script, time=1000, seed=bytes(32)).unwrap() for _ in range(2))
    assert one == other and one[0] == 1000
    with pytest.raises(OptionsError, match="a seed has 32 bytes, not 3"):
        run_sync(script, seed=b"abc")


def test_modules_come_from_a_dict_or_a_loader() -> None:
    script = "import { n } from './lib/a.js'; export default n + 1"
    assert run_sync(script, modules={"lib/a.js": "export { n } from './b.js'", "lib/b.js": "export const n = 41"}).unwrap() == 42

    class Loader:
        async def load(self, name: str) -> str:
            await asyncio.sleep(0)
            return f"export const n = {len(name)}"

    assert run_sync(script, modules=Loader()).unwrap() == 9
    missing = run_sync(script, modules={"x.js": ""})
    assert isinstance(missing, Failed)
    assert "there is no module `lib/a.js`; there are: x.js" in str(missing.error)


def test_options_are_checked() -> None:
    with pytest.raises(TypeError, match="Limits.fuel is a whole number of at least 0, not -1"):
        Limits(fuel=-1)
    with pytest.raises(TypeError, match="a script is a str, not bytes"):
        run_sync(b"return 1")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="no_such"):
        run_sync("return 1", no_such=1)  # type: ignore[call-arg]


def test_a_runner_may_be_used_by_many_threads() -> None:
    runner = Runner(host_functions={"twice": lambda n: n * 2})
    values: list[int] = []

    def work(n: int) -> None:
        values.extend(runner.run_sync("return await twice(input)", input=n).unwrap() for _ in range(20))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(values) == sorted(n * 2 for n in range(8) for _ in range(20))


def test_many_runs_go_on_at_once() -> None:
    async def main() -> list[int]:
        async def slow(n: int) -> int:
            await asyncio.sleep(0)
            return n

        runner = Runner(host_functions={"slow": slow})
        results = await asyncio.gather(*(runner.run("return await slow(input)", input=n) for n in range(100)))
        return [result.unwrap() for result in results]

    assert asyncio.run(main()) == list(range(100))


def test_a_timer_is_waited_for() -> None:
    assert run_sync("await new Promise((done) => setTimeout(done, 2)); return 'woken'").unwrap() == "woken"
    assert asyncio.run(run("await new Promise((done) => setTimeout(done, 2)); return 'woken'")).unwrap() == "woken"


def test_unwrap_of_what_has_no_value_raises() -> None:
    with pytest.raises(RunError, match="1 of its questions are open"):
        from intermission import approval

        run_sync("return await f()", host_functions={"f": approval(lambda: 1)}).unwrap()


def test_a_single_run_may_have_modules_of_its_own() -> None:
    runner = Runner()
    script = "import { n } from 'n'; export default n"
    assert runner.run_sync(script, modules={"n": "export const n = 1"}).unwrap() == 1
    assert runner.run_sync(script, modules={"n": "export const n = 2"}).unwrap() == 2
