"""Runs `RUNS` scripts and prints how many bytes of memory the process has kept since the first tenth of them."""

from __future__ import annotations

import asyncio
import gc
import sys

from intermission import Interrupted, Runner, approval, approve


async def echo(value: object) -> object:
    return value


runner = Runner(host_functions={"echo": echo, "mail": approval(lambda to: to)})


async def some(runs: int) -> None:
    for n in range(runs):
        if n % 10 == 0:
            put = await runner.run("return await mail('ann')")
            assert isinstance(put, Interrupted)
            await runner.resume(put.continuation, [approve(put.interruptions[0].id)])
        elif n % 10 == 1:
            await runner.run("return await echo({ n: 1 })")
        elif n % 10 == 2:
            runner.run_sync("return input", input={"n": [1, {"m": b"x"}]})
        else:
            await runner.run("return 1 + 1")


def resident() -> int:
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


async def main(runs: int) -> None:
    await some(runs // 10)
    before = resident()
    await some(runs - runs // 10)
    print(resident() - before)


asyncio.run(main(int(sys.argv[1])))
