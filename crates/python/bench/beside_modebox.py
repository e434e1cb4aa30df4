"""The wheels of modebox and of this package side by side, in one process, in turns:

    python bench/beside_modebox.py

in a virtual environment with both, on a quiet machine. A line a workload: medians in milliseconds, ours as a part of theirs, and what is wanted.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import Any, Awaitable, Callable

import intermission
import modebox

ROWS = [
    {"id": n, "name": f"customer {n}", "mail": f"c{n}@example.com", "total": n * 1.5, "active": n % 3 == 0}
    for n in range(9_000)
]


async def echo(value: Any) -> Any:
    return value


FUNCTIONS: dict[str, Any] = {"tools": {"echo": echo, "quick": lambda value: value, "rows": lambda: ROWS, "count": len}}

WORKLOADS: list[tuple[str, int, float, str]] = [
    ("trivial", 20, 1 / 5, "return 1 + 1"),
    ("one call", 20, 1 / 5, "return await tools.echo(1)"),
    ("200 calls, async def", 3, 1 / 5, "for (let i = 0; i < 200; i++) await tools.echo({ id: i }); return 1"),
    ("200 calls, def", 3, 1 / 5, "for (let i = 0; i < 200; i++) await tools.quick({ id: i }); return 1"),
    ("9000 rows", 1, 1 / 4, "const rows = await tools.rows(); return await tools.count(rows)"),
    ("9000 rows there and back", 1, 1 / 4, "const rows = await tools.rows(); return await tools.echo(rows)"),
]

#: 200 calls whose rows are kept, then a question.
PAUSES = "const rows = []; for (let n = 0; n < 200; n++) rows.push(await tools.row(n)); return [await tools.ask('go'), rows.length]"

Run = Callable[[str], Awaitable[Any]]
#: The run to the question, to its token; and going on from a token.
Pausing = tuple[Callable[[], Awaitable[str]], Callable[[str], Awaitable[Any]]]


def of_modebox() -> Run:
    limits = modebox.Limits(timeout_ms=60_000)
    runner = modebox.Runner(limits=limits)

    async def run(source: str) -> Any:
        return (await runner.run(source, host_functions=FUNCTIONS)).value

    return run


def of_ours() -> Run:
    runner = intermission.Runner(host_functions=FUNCTIONS)

    async def run(source: str) -> Any:
        return (await runner.run(source)).unwrap()

    return run


def pausing_of_modebox() -> Pausing:
    runner = modebox.Runner(limits=modebox.Limits(timeout_ms=60_000))

    def ask(what: str) -> Any:
        context = modebox.get_host_function_context()
        return context.interrupt(what) if context.resume is None else context.resume.resolution

    functions: dict[str, Any] = {"tools": {"row": lambda n: ROWS[n], "ask": ask}}

    asked: list[int] = []

    async def pause() -> str:
        result = await runner.run(PAUSES, host_functions=functions)
        asked[:] = [result.interruptions[0].id]
        return str(result.continuation)

    async def go_on(token: str) -> Any:
        resolutions = [modebox.resume_with(asked[0], "yes")]
        return (await runner.run(host_functions=functions, continuation=token, resolutions=resolutions)).value

    return pause, go_on


def pausing_of_ours() -> Pausing:
    def ask(what: str) -> Any:
        resume = intermission.current_call().resume
        return intermission.interrupt(what) if resume is None else resume.resolution

    functions: dict[str, Any] = {"tools": {"row": lambda n: ROWS[n], "ask": ask}}
    runner = intermission.Runner(host_functions=functions, codec=intermission.open_codec())
    asked: list[str] = []

    async def pause() -> str:
        result = await runner.run(PAUSES)
        assert isinstance(result, intermission.Interrupted)
        asked[:] = [result.interruptions[0].id]
        return await runner.encode(result.continuation)

    async def go_on(token: str) -> Any:
        resolutions = [intermission.answer(asked[0], "yes")]
        return (await runner.resume(token, resolutions)).unwrap()

    return pause, go_on


async def main() -> None:
    subjects = {"modebox": of_modebox(), "ours": of_ours()}
    print(f"{'workload':26} {'modebox ms':>11} {'ours ms':>9} {'part':>7} {'wanted':>7}")
    for name, runs, wanted, source in WORKLOADS:
        times: dict[str, list[float]] = {who: [] for who in subjects}
        values = [await run(source) for run in subjects.values()]
        assert values[0] == values[1], name
        # Turn by turn, so that whatever the machine does is done to both.
        for _ in range(15):
            for who, run in subjects.items():
                began = time.perf_counter()
                for _ in range(runs):
                    await run(source)
                times[who].append((time.perf_counter() - began) / runs * 1000)
        theirs, ours = (statistics.median(times[who]) for who in subjects)
        print(f"{name:26} {theirs:11.3f} {ours:9.3f} {ours / theirs:7.3f} {wanted:7.3f}")
    await pauses()


async def pauses() -> None:
    subjects = {"modebox": pausing_of_modebox(), "ours": pausing_of_ours()}
    runs: dict[str, list[float]] = {who: [] for who in subjects}
    resumes: dict[str, list[float]] = {who: [] for who in subjects}
    sizes: dict[str, float] = {}
    for _ in range(30):
        for who, (pause, go_on) in subjects.items():
            began = time.perf_counter()
            token = await pause()
            paused = time.perf_counter()
            assert await go_on(token) == ["yes", 200], who
            runs[who].append((paused - began) * 1000)
            resumes[who].append((time.perf_counter() - paused) * 1000)
            sizes[who] = float(len(token))
    for name, seen, wanted in [
        ("200 calls, to a token", {who: statistics.median(times) for who, times in runs.items()}, 1 / 5),
        ("going on from it", {who: statistics.median(times) for who, times in resumes.items()}, 1.0),
        ("the token, in bytes", sizes, 1 / 8),
    ]:
        print(f"{name:26} {seen['modebox']:11.3f} {seen['ours']:9.3f} {seen['ours'] / seen['modebox']:7.3f} {wanted:7.3f}")


asyncio.run(main())
