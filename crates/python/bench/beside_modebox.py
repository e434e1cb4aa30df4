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

Run = Callable[[str], Awaitable[Any]]


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


asyncio.run(main())
