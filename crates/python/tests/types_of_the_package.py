"""What a type checker says of the package: mypy reads this and nobody runs it."""

from __future__ import annotations

from typing import Any

from typing_extensions import assert_type

from intermission import (
    Completed,
    Failed,
    Interrupted,
    Notice,
    Reconciled,
    Runner,
    RunResult,
    Runs,
    SyncRuns,
    approval,
    approve,
    host_function,
    open_runs,
    open_runs_sync,
    run_sync,
)


@host_function
def add(a: int, b: int = 1) -> int:
    return a + b


@host_function(name="mail.send", effect="idempotent")
async def send(to: str) -> str:
    return to


async def typed() -> None:
    assert_type(add(1, b=2), int)
    assert_type(await send("ann"), str)
    add("1")  # type: ignore[arg-type]
    runner = Runner(host_functions=[add, approval(send)])
    result = await runner.run("return 1", input={"n": 1})
    assert_type(result, RunResult)
    match result:
        case Completed(value):
            assert_type(value, Any)
        case Interrupted(interruptions):
            await runner.resume(result.continuation, [approve(asked.id) for asked in interruptions])
        case Failed(error):
            assert_type(error.code, str)
        case _:
            result.unwrap()
    run_sync("return 1", no_such_option=1)  # type: ignore[call-arg]
    Runner(host_functions={"group": {"plain": lambda x: x, "add": add}})


async def known(amount: int) -> Reconciled:
    return Reconciled.happened(amount)


@host_function(reconcile=known)
def pay(amount: int) -> int:
    return amount


async def durable() -> None:
    assert_type(pay(1), int)
    host_function(reconcile=lambda amount: 1)  # type: ignore[arg-type, return-value]
    async with await open_runs("runs.db", Runner(host_functions=[pay])) as runs:
        assert_type(runs, Runs)
        assert_type(await runs.fork("run"), str)
        async for notice in runs.events(after=1, run_id="run"):
            assert_type(notice, Notice)
        await runs.list(states=["done"])  # type: ignore[list-item]
    with open_runs_sync("runs.db", Runner(), max_live=1) as here:
        assert_type(here, SyncRuns)
        for notice in here.events():
            assert_type(notice, Notice)
        here.start("return 1", key="a", no_such_option=1)  # type: ignore[call-arg]
