"""Runs that survive."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from intermission import (
    Allow,
    Ask,
    Completed,
    Interrupted,
    OptionsError,
    ProposedCall,
    ResumeError,
    Runner,
    RunsError,
    answer,
    approval,
    approve,
    approve_with,
    current_call,
    deny,
    interrupt,
    open_runs,
)


def test_a_run_asks_and_is_answered_by_another_that_opened_the_store(tmp_path: Path) -> None:
    calls: list[str] = []

    async def note(text: str) -> str:
        await asyncio.sleep(0)
        calls.append(text)
        return text

    runner = Runner(host_functions={"note": note, "mail": approval(lambda to: f"to {to}")})

    async def main() -> None:
        async with await open_runs(tmp_path / "runs.db", runner) as runs:
            run = await runs.start("await note(input); return await mail('ann')", key="request 1", input="a", name="a.js")
            assert await runs.start("return 'another'", key="request 1") == run
            asking = await runs.wait(run, "asks")
            assert (asking.state, asking.questions, asking.key, asking.name) == ("waiting", 1, "request 1", "a.js")
        async with await open_runs(tmp_path / "runs.db", runner) as runs:
            [asked] = await runs.inbox()
            assert (asked.run_id, asked.interruption.host_function, asked.interruption.arguments) == (run, "mail", ["ann"])
            assert await runs.resolve(run, approve(asked.interruption.id), by="ada") == "first"
            assert await runs.resolve(run, approve(asked.interruption.id)) == "same"
            with pytest.raises(RunsError) as conflict:
                await runs.resolve(run, deny(asked.interruption.id))
            assert conflict.value.code == "RESOLUTION_CONFLICT" and "ada" in str(conflict.value)
            done = await runs.wait(run)
            assert (done.state, done.value) == ("completed", "to ann")
            assert [stored.run_id for stored in await runs.list()] == [run]
            assert (await runs.ledger(run)).over
            await runs.delete(run)
            with pytest.raises(RunsError) as gone:
                await runs.get(run)
            assert gone.value.code == "RUN_UNKNOWN"

    asyncio.run(main())
    assert calls == ["a"]


def test_functions_ask_and_fail_and_events_come(tmp_path: Path) -> None:
    def color() -> Any:
        resume = current_call().resume
        return interrupt("which?") if resume is None else resume.resolution

    tries = []

    def flaky() -> str:
        tries.append(1)
        if len(tries) == 1:
            raise ConnectionError("reset")
        return "done"

    async def main() -> None:
        runner = Runner(host_functions={"color": color, "flaky": flaky, "bad": lambda: print})
        async with await open_runs(tmp_path / "runs.db", runner) as runs:
            run = await runs.start("return [await color(), await waitFor('paid')]")
            await runs.wait(run, "asks")
            [asked] = await runs.inbox(run)
            with pytest.raises(ResumeError) as refused:
                await runs.resolve(run, approve(asked.interruption.id))
            assert refused.value.code == "RESOLUTION_INVALID"
            assert await runs.emit(run, "paid", {"sum": 1}) == "first"
            assert await runs.emit(run, "paid", {"sum": 1}) == "same"
            with pytest.raises(RunsError) as other:
                await runs.emit(run, "paid", {"sum": 2})
            assert (other.value.code, other.value.winner) == ("EVENT_CONFLICT", {"sum": 1})
            await runs.resolve(run, answer(asked.interruption.id, "red"))
            assert (await runs.wait(run)).value == ["red", {"sum": 1}]
            failing = await runs.start("return await flaky()")
            failed = await runs.wait(failing)
            assert (failed.state, failed.code, failed.message) == ("failed", "SCRIPT_ERROR", "ConnectionError: reset")
            await runs.retry(failing)
            assert (await runs.wait(failing)).value == "done"
            bad = await runs.wait(await runs.start("return await bad().catch((error) => error.code)"))
            assert bad.value == "HOST_OUTPUT_INVALID"

    asyncio.run(main())


def test_a_policy_is_asked_and_a_cancelled_run_cancels_its_calls(tmp_path: Path) -> None:
    cancelled = asyncio.Event()

    async def never() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    begun = asyncio.Event()

    def policy(call: ProposedCall) -> Ask | Allow | None:
        return Ask("large") if call.arguments == [500] else None

    async def main() -> None:
        runner = Runner(host_functions={"pay": lambda n: n, "never": never}, policy=policy)
        async with await open_runs(tmp_path / "runs.db", runner) as runs:
            paying = await runs.start("return [await pay(1), await pay(500)]")
            await runs.wait(paying, "asks")
            [asked] = await runs.inbox(paying)
            assert asked.interruption.arguments == [500]
            await runs.resolve(paying, approve(asked.interruption.id))
            assert (await runs.wait(paying)).value == [1, 500]
            hanging = await runs.start("await never()")
            await begun.wait()
            await runs.cancel(hanging)
            assert (await runs.wait(hanging)).state == "cancelled"
            await cancelled.wait()

    asyncio.run(main())


def test_whatever_goes_wrong_is_a_rejection_and_a_policy_tells_no_script_why(tmp_path: Path) -> None:
    reported: list[Any] = []

    def policy(call: ProposedCall) -> Allow:
        if call.host_function == "secret":
            raise LookupError("no rules")
        return Allow()

    def fails(how: str) -> Any:
        if how == "text":
            raise ValueError("lone \ud800 surrogate")
        interrupt("?", expires_at=-5)

    async def main() -> Any:
        asyncio.get_running_loop().set_exception_handler(lambda _, said: reported.append(said["exception"]))
        runner = Runner(host_functions={"fails": fails, "secret": lambda: 1}, policy=policy)
        async with await open_runs(tmp_path / "runs.db", runner) as runs:
            run = await runs.start(
                "const said = (error) => error.message; return [await fails('text').catch(said), await fails('time').catch(said), await secret().catch(said)]"
            )
            return (await runs.wait(run)).value

    assert asyncio.run(main()) == [
        "lone \ufffd surrogate",
        "-5 is no moment between 1970 and the end of JavaScript's integers",
        'secret is denied by the rule "policy": the policy could not decide',
    ]
    assert [str(error) for error in reported] == ["no rules"]


DIES = """
import asyncio, os, sys
from intermission import Runner, open_runs

async def main():
    runner = Runner(host_functions={"first": lambda: "kept", "dies": lambda: os._exit(7)})
    runs = await open_runs(sys.argv[1], runner)
    await runs.wait(await runs.start("return [await first(), await dies()]"))

asyncio.run(main())
"""


def test_what_a_dead_process_left_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    died = subprocess.run([sys.executable, "-c", DIES, str(path)], env={"PYTHONPATH": ":".join(sys.path)})
    assert died.returncode == 7
    calls: list[str] = []

    async def main() -> None:
        functions = {"first": lambda: calls.append("first"), "dies": lambda: calls.append("dies") or "lived"}
        # The lease of the dead is over after a while; here the clock is past it.
        later = Runner(host_functions=functions, time=2**42)
        async with await open_runs(path, later) as runs:
            [left] = await runs.list()
            await runs.wait(left.run_id, "asks")
            [asked] = await runs.inbox()
            assert asked.interruption.kind == "outcome-unknown"
            from intermission import happened

            await runs.resolve(left.run_id, happened(asked.interruption.id, "it did"))
            assert (await runs.wait(left.run_id)).value == ["kept", "it did"]

    asyncio.run(main())
    assert calls == []


def test_what_cannot_be_opened_or_was_closed_says_so(tmp_path: Path) -> None:
    (tmp_path / "no.db").write_text("this is no store, but a text that is longer than a header would be" * 10)

    async def main() -> None:
        with pytest.raises(RunsError) as refused:
            await open_runs(tmp_path / "no.db", Runner())
        assert refused.value.code == "STORE_NOT_A_STORE"
        runs = await open_runs(tmp_path / "runs.db", Runner())
        with pytest.raises(OptionsError) as unknown:
            await runs.get("run_x")
        assert unknown.value.code == "RUN_UNKNOWN"
        waiting = asyncio.ensure_future(runs.wait(await runs.start("await waitFor('never')")))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await runs.close()
        await runs.close()
        with pytest.raises(OptionsError) as closed:
            await runs.list()
        assert closed.value.code == "RUNS_CLOSED"

    asyncio.run(main())


def test_a_run_is_forked_and_adopted(tmp_path: Path) -> None:
    calls: list[str] = []

    def draw() -> str:
        calls.append("draw")
        return f"card {len(calls)}"

    async def main() -> None:
        runner = Runner(host_functions={"draw": draw, "mail": approval(lambda to: f"to {to}")})
        source = "return [await draw(), await mail('ann')]"
        async with await open_runs(tmp_path / "runs.db", runner) as runs:
            run = await runs.start(source)
            await runs.wait(run, "asks")
            forked = await runs.fork(run)
            earlier = await runs.fork(run, 1)
            await runs.wait(forked, "asks")
            await runs.wait(earlier, "asks")
            assert [(await runs.get(one)).forked_from for one in (run, forked, earlier)] == [None, run, run]
            with pytest.raises(RunsError) as too_far:
                await runs.fork(run, 1000)
            assert too_far.value.code == "LEDGER_REFUSED"
            elsewhere = await runner.run(source)
            assert isinstance(elsewhere, Interrupted)
            adopted = await runs.adopt(elsewhere.continuation)
            assert adopted == elsewhere.report.run_id
            for one in (run, forked, earlier, adopted):
                [asked] = await runs.inbox(one)
                await runs.resolve(one, approve(asked.interruption.id))
            values = [(await runs.wait(one)).value for one in (run, forked, earlier, adopted)]
            assert values == [[card, "to ann"] for card in ("card 1", "card 1", "card 2", "card 3")]
            assert len({(await runs.ledger(one)).run_id for one in (run, forked, earlier, adopted)}) == 4

    asyncio.run(main())
    assert len(calls) == 3


def test_answers_notices_and_a_replay_tell_what_happened(tmp_path: Path) -> None:
    calls: list[int] = []

    async def main() -> None:
        functions = {"pay": approval(lambda n: calls.append(n)), "color": lambda: color()}
        async with await open_runs(tmp_path / "runs.db", Runner(host_functions=functions)) as runs:
            run = await runs.start("console.log('hello'); await pay(1); await pay(2).catch(() => 0); return await color()")
            for made in (lambda id: approve_with(id, [7]), lambda id: deny(id, "no"), lambda id: answer(id, {"red": 1})):
                await runs.wait(run, "asks")
                [asked] = await runs.inbox(run)
                await runs.resolve(run, made(asked.interruption.id), by="ada")
            assert (await runs.wait(run)).value == {"red": 1}
            answers = await runs.answers(run)
            assert [(given.kind, given.value, given.reason, given.by) for given in answers] == [
                ("approveWith", [7], None, "ada"),
                ("deny", None, "no", "ada"),
                ("value", {"red": 1}, None, "ada"),
            ]
            replayed = await runs.replay(run)
            assert isinstance(replayed, Completed)
            assert [entry.text for entry in replayed.report.console] == ["hello"]

            other = await runs.start("await waitFor('paid'); throw new Error('broken')")
            await runs.emit(other, "paid")
            await runs.wait(other)
            heard = []
            async for notice in runs.events():
                heard.append(notice)
                if notice.what == "failed":
                    break
            numbers = [notice.number for notice in heard]
            assert numbers == sorted(set(numbers))
            of_run = [notice for notice in heard if notice.run_id == run]
            assert [notice.interruption_id for notice in of_run if notice.what == "answered"] == [
                given.interruption_id for given in answers
            ]
            assert {notice.what for notice in of_run} == {"began", "asked", "answered", "put_away", "completed"}
            assert [notice.key for notice in heard if notice.what == "emitted"] == ["paid"]
            assert (heard[-1].run_id, heard[-1].code) == (other, "SCRIPT_ERROR")
            later = runs.events(numbers[-2], other)
            assert await anext(later) == heard[-1]
            # What is to come; and then they are closed.
            third = asyncio.ensure_future(anext(later))
            await asyncio.sleep(0)
            await runs.close()
            with pytest.raises(StopAsyncIteration):
                await third

    def color() -> Any:
        resume = current_call().resume
        return interrupt("which?") if resume is None else resume.resolution

    asyncio.run(main())
    assert calls == [7]


def test_who_does_not_pick_up_runs_takes_one_up(tmp_path: Path) -> None:
    live: list[int] = []

    async def main() -> None:
        async with await open_runs(tmp_path / "runs.db", Runner(host_functions={"look": lambda: live.append(runs.live)}), max_live=0) as runs:
            run = await runs.start("await look()")
            assert ((await runs.get(run)).state, runs.live) == ("ready", 0)
            assert await runs.take_up(run) is True
            assert (await runs.wait(run)).state == "completed"
            assert await runs.take_up(run) is False
        assert runs.live == 0

    asyncio.run(main())
    assert live == [1]


def test_what_is_waited_for_when_runs_are_closed_is_refused(tmp_path: Path) -> None:
    async def main() -> None:
        runs = await open_runs(tmp_path / "runs.db", Runner())
        waiting = asyncio.ensure_future(runs.wait(await runs.start("await waitFor('never')")))
        await asyncio.sleep(0)
        await runs.close()
        with pytest.raises(OptionsError) as closed:
            await waiting
        assert closed.value.code == "RUNS_CLOSED"

    asyncio.run(main())


def test_runs_are_listed_by_their_states_and_waits_for_events_where_they_are_wanted(tmp_path: Path) -> None:
    async def main() -> None:
        async with await open_runs(tmp_path / "runs.db", Runner()) as runs:
            done = await runs.start("return 1")
            waits = await runs.start("await waitFor('paid')")
            await runs.wait(done)
            await runs.wait(waits, "asks")
            assert [run.run_id for run in await runs.list(states=["completed", "failed"])] == [done]
            assert [run.run_id for run in await runs.list()] == [waits, done]
            assert list(await runs.inbox()) == []
            assert [asked.interruption.kind for asked in await runs.inbox(events=True)] == ["event"]
            with pytest.raises(OptionsError) as unknown:
                await runs.list(states=["done"])  # type: ignore[list-item]
            assert str(unknown.value) == "\"done\" is no state of a run"

    asyncio.run(main())
