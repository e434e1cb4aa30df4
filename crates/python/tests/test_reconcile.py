"""Probes are asked what became of calls whose outcomes were lost."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from intermission import (
    Completed,
    Continuation,
    HostFunction,
    Interrupted,
    Reconciled,
    Runner,
    current_call,
    host_function,
    open_runs,
)

PAYS = """
import asyncio, os, sys
from intermission import Runner, current_call, host_function, open_runs

@host_function
def pay(amount: int) -> str:
    with open(sys.argv[2], "w") as payments:
        payments.write(current_call().idempotency_key)
    os._exit(7)

async def main():
    runs = await open_runs(sys.argv[1], Runner(host_functions=[pay]))
    await runs.wait(await runs.start("return await pay({ amount: 10 })"))

asyncio.run(main())
"""


@pytest.mark.parametrize("is_async", [False, True])
def test_a_probe_is_asked_when_a_process_was_killed_while_it_called(tmp_path: Path, is_async: bool) -> None:
    path, payments = tmp_path / "runs.db", tmp_path / "payments"
    died = subprocess.run([sys.executable, "-c", PAYS, str(path), str(payments)], env={"PYTHONPATH": ":".join(sys.path)})
    assert died.returncode == 7
    asked: list[tuple[int, bool]] = []

    def known(amount: int) -> Reconciled:
        asked.append((amount, payments.read_text() == current_call().idempotency_key))
        return Reconciled.happened(f"paid {amount}")

    async def known_later(amount: int) -> Reconciled:
        await asyncio.sleep(0)
        return known(amount)

    @host_function(reconcile=known_later if is_async else known)
    def pay(amount: int) -> str:
        raise AssertionError("it is not called again")

    async def main() -> None:
        # The lease of the dead is over after a while; here the clock is past it.
        async with await open_runs(path, Runner(host_functions=[pay], time=2**42)) as runs:
            [left] = await runs.list()
            assert (await runs.wait(left.run_id, "asks")).value == "paid 10"

    asyncio.run(main())
    assert asked == [(10, True)]


class Kept:
    """A ledger's entries, as a sink keeps them."""

    def __init__(self) -> None:
        self.bytes = b"\x01"

    def append(self, run_id: str, start: int, entries: list[bytes]) -> None:
        self.bytes += b"".join(entries)


def left_by_a_call() -> Continuation:
    """What a process left that died while it called `pay`."""
    kept, at_the_call = Kept(), []

    @host_function
    def pay(amount: int) -> str:
        at_the_call.append(kept.bytes)
        return "paid"

    source = "try { return await pay({ amount: 10 }) } catch (error) { return [error.name, error.message, error.code] }"
    Runner(host_functions=[pay], ledger_sink=kept).run_sync(source).unwrap()
    return Continuation(at_the_call[0])


def probed(known: Any) -> tuple[HostFunction[..., Any], list[int]]:
    calls: list[int] = []

    def probe(amount: int) -> Any:
        return known()

    @host_function(reconcile=probe)
    def pay(amount: int) -> str:
        calls.append(amount)
        return "paid again"

    return pay, calls


def refused() -> Reconciled:
    error = LookupError("no money")
    error.code = "POOR"  # type: ignore[attr-defined]
    return Reconciled.failed(error)


@pytest.mark.parametrize(
    ("known", "value", "calls"),
    [
        (lambda: Reconciled.happened({"sum": 10}), {"sum": 10}, []),
        (refused, ["LookupError", "no money", "POOR"], []),
        (Reconciled.did_not_happen, "paid again", [10]),
    ],
)
def test_what_a_probe_knows_is_what_came_of_the_call(known: Any, value: Any, calls: list[int]) -> None:
    pay, called = probed(known)
    came = Runner(host_functions=[pay]).resume_sync(left_by_a_call())
    assert isinstance(came, Completed) and came.value == value
    assert called == calls


@pytest.mark.parametrize("known", [Reconciled.unknown, lambda: 1 / 0, lambda: None, lambda: Reconciled.happened(print)])
def test_where_a_probe_knows_nothing_or_fails_somebody_is_asked(known: Any) -> None:
    pay, called = probed(known)
    asked = asyncio.run(Runner(host_functions=[pay]).resume(left_by_a_call()))
    assert isinstance(asked, Interrupted)
    assert [one.kind for one in asked.interruptions] == ["outcome-unknown"]
    assert called == []


def test_a_probe_may_be_awaited_by_who_waits_without_an_event_loop() -> None:
    async def known() -> Reconciled:
        await asyncio.sleep(0)
        return Reconciled.happened("paid")

    pay, called = probed(known)
    assert Runner(host_functions=[pay]).resume_sync(left_by_a_call()).unwrap() == "paid"
    assert called == []
