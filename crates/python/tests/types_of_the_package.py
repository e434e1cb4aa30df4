"""What a type checker says of the package: mypy reads this and nobody runs it."""

from __future__ import annotations

from typing import Any

from typing_extensions import assert_type

from intermission import Completed, Failed, Interrupted, Runner, RunResult, approval, approve, host_function, run_sync


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
