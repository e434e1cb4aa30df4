"""Runs that ask, and go on."""

from __future__ import annotations

import asyncio
import datetime
import sys
from typing import Any

import pytest
from intermission import (
    Allow,
    Ask,
    CodecError,
    Decision,
    Deny,
    ProposedCall,
    Cancelled,
    Completed,
    DivergedError,
    Failed,
    HostFunctions,
    Interrupted,
    Interruption,
    Position,
    ResumeError,
    Runner,
    answer,
    approval,
    approve,
    approve_with,
    current_call,
    deny,
    did_not_happen,
    failed,
    happened,
    host_function,
    interrupt,
    open_codec,
    run_sync,
)


def asks(result: Any) -> tuple[Interrupted, Interruption]:
    assert isinstance(result, Interrupted), result
    return result, result.interruptions[0]


def color(*allowed: str) -> str:
    resume = current_call().resume
    if resume is None:
        interrupt({"choose": list(allowed)}, {"tries": 1})
    assert resume.state == {"tries": 1} and resume.payload == {"choose": list(allowed)}
    return f"{resume.resolution}!"


def test_a_function_asks_and_is_called_again_with_the_answer() -> None:
    runner = Runner(host_functions={"color": color})
    put, asked = asks(runner.run_sync("const c = await color('red', 'blue'); return `it is ${c}`"))
    assert (asked.kind, asked.host_function, asked.arguments, asked.payload) == ("question", "color", ["red", "blue"], {"choose": ["red", "blue"]})
    assert (asked.request_index, asked.position, asked.expires) == (1, Position(1, 17), None)
    assert runner.resume_sync(put.continuation, [answer(asked.id, "blue")]).unwrap() == "it is blue!"


def test_what_was_done_is_not_done_again() -> None:
    calls: list[str] = []

    def note(text: str) -> str:
        calls.append(text)
        return text

    functions: HostFunctions = {"note": note, "color": color}
    put, asked = asks(run_sync("await note('a'); await color('red'); await note('b')", host_functions=functions))
    # Another runner: there is no sandbox to go on in.
    Runner(host_functions=functions).resume_sync(put.continuation, [answer(asked.id, "red")]).unwrap()
    assert calls == ["a", "b"]


@pytest.mark.parametrize(
    ("resolution", "value"),
    [
        (approve, "sent to ann"),
        (lambda id: approve_with(id, ["bob"]), "sent to bob instead of ann"),
        (lambda id: deny(id, "not today"), "denied: not today"),
    ],
)
def test_an_approval_is_answered_before_the_call(resolution: Any, value: str) -> None:
    def mail(to: str) -> str:
        edited = current_call().edited_from
        return f"sent to {to}" + ("" if edited is None else f" instead of {edited[0]}")

    runner = Runner(host_functions={"mail": approval(mail)})
    script = "try { return await mail('ann') } catch (error) { return `denied: ${error.message}` }"
    put, asked = asks(runner.run_sync(script))
    assert asked.kind == "approval"
    assert runner.resume_sync(put.continuation, [resolution(asked.id)]).unwrap() == value


def test_approval_may_be_an_option_and_leaves_the_function_as_it_is() -> None:
    @host_function(approval=True)
    def pay(amount: int) -> int:
        return amount

    runner = Runner(host_functions=[pay])
    put, asked = asks(runner.run_sync("return await pay({ amount: 5 })"))
    assert asked.arguments == [{"amount": 5}]
    assert runner.resume_sync(put.continuation, [approve(asked.id)]).unwrap() == 5

    @host_function
    def free() -> int:
        return 1

    assert approval(free).approval and not free.approval


def test_a_question_may_expire() -> None:
    soon = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)

    def ask() -> Any:
        resume = current_call().resume
        if resume is None:
            interrupt("?", expires_at=soon, default="nobody")
        return [resume.resolution, resume.expired]

    before = Runner(host_functions={"ask": ask}, time=soon - datetime.timedelta(days=1))
    put, asked = asks(before.run_sync("return await ask()"))
    assert (asked.expires, asked.default, put.wake_at) == (int(soon.timestamp() * 1000), "nobody", int(soon.timestamp() * 1000))
    after = Runner(host_functions={"ask": ask}, time=soon + datetime.timedelta(days=1))
    assert after.resume_sync(put.continuation).unwrap() == ["nobody", True]


def test_what_is_wrong_with_an_answer_changes_nothing() -> None:
    runner = Runner(host_functions={"mail": approval(lambda to: to)})
    put, asked = asks(runner.run_sync("return await mail('ann')"))
    with pytest.raises(ResumeError) as refused:
        runner.resume_sync(put.continuation, [answer(asked.id, 1)])
    assert (refused.value.code, refused.value.interruption_id) == ("RESOLUTION_INVALID", asked.id)
    with pytest.raises(ResumeError) as differ:
        runner.resume_sync(put.continuation, [approve(asked.id, arguments_digest="another")])
    assert differ.value.code == "RESOLUTION_ARGUMENTS_DIFFER"
    with pytest.raises(ResumeError) as missing:
        Runner().resume_sync(put.continuation, [approve(asked.id)])
    assert (missing.value.code, missing.value.host_function) == ("FUNCTION_MISSING", "mail")
    with pytest.raises(TypeError, match="a run goes on from a Continuation or a token, not from bytes"):
        runner.resume_sync(put.continuation.bytes, [approve(asked.id)])  # type: ignore[arg-type]
    assert runner.resume_sync(put.continuation, [approve(asked.id, arguments_digest=asked.arguments_digest)]).unwrap() == "ann"


def test_a_call_with_an_unknown_outcome_is_asked_about() -> None:
    class Dies(Exception):
        pass

    kept: dict[str, list[bytes]] = {}

    class Sink:
        def append(self, run_id: str, start: int, entries: list[bytes]) -> None:
            rows = kept.setdefault(run_id, [])
            assert start == len(rows)
            rows.extend(entries)

    async def pay() -> str:
        await asyncio.Event().wait()
        return "never"

    async def dies() -> None:
        runner = Runner(host_functions={"pay": pay}, ledger_sink=Sink())
        run = asyncio.ensure_future(runner.run("return await pay()"))
        while not kept or len(next(iter(kept.values()))) < 3:
            await asyncio.sleep(0)
        from intermission import Continuation

        [rows] = kept.values()
        left = Continuation(b"\x01" + b"".join(rows))
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        runner = Runner(host_functions={"pay": lambda: "paid"})
        put, asked = asks(await runner.resume(left))
        assert asked.kind == "outcome-unknown"
        assert (await runner.resume(put.continuation, [happened(asked.id, "was paid")])).unwrap() == "was paid"
        assert (await runner.resume(put.continuation, [did_not_happen(asked.id)])).unwrap() == "paid"
        end = await runner.resume(put.continuation, [failed(asked.id, ValueError("declined"))])
        assert isinstance(end, Failed) and str(end.error) == "ValueError: declined"

    asyncio.run(dies())


def test_a_failed_run_is_tried_again() -> None:
    tries = 0

    def flaky() -> str:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise ConnectionError("reset")
        return "done"

    runner = Runner(host_functions={"flaky": flaky})
    result = runner.run_sync("return await flaky()")
    assert isinstance(result, Failed) and result.continuation is not None
    assert runner.resume_sync(result.continuation, retry=True).unwrap() == "done"


def test_a_run_that_was_put_away_is_cancelled_for_good() -> None:
    runner = Runner(host_functions={"mail": approval(lambda to: to)})
    put, asked = asks(runner.run_sync("return await mail('ann')"))
    end = runner.cancel_sync(put.continuation)
    assert isinstance(end, Cancelled)
    with pytest.raises(ResumeError) as over:
        runner.resume_sync(end.continuation, [approve(asked.id)])
    assert over.value.code == "RUN_OVER"


def test_questions_are_answered_while_the_run_goes_on() -> None:
    async def main() -> Any:
        async def slow() -> str:
            await done.wait()
            return "slow"

        done = asyncio.Event()
        runner = Runner(host_functions={"mail": approval(lambda to: f"to {to}"), "slow": slow})
        handle = runner.start("return await Promise.all([mail('ann'), slow()])")
        asked = []
        async for interruption in handle:
            asked.append(interruption.host_function)
            with pytest.raises(ResumeError) as refused:
                await handle.resolve(answer(interruption.id, 1))
            assert refused.value.code == "RESOLUTION_INVALID"
            await handle.resolve(approve(interruption.id))
            done.set()
        assert asked == ["mail"]
        result = await handle
        with pytest.raises(ResumeError) as over:
            await handle.resolve(approve(interruption.id))
        assert over.value.code == "RUN_NOT_UNDER_WAY"
        return result.unwrap()

    assert asyncio.run(main()) == ["to ann", "slow"]


def test_a_run_under_way_is_cancelled_or_aborted() -> None:
    async def main() -> None:
        cancelled = []
        begun = asyncio.Semaphore(0)

        async def never() -> None:
            begun.release()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.append(current_call().request_index)
                raise

        runner = Runner(host_functions={"never": never}, drain_ms=10)
        one = runner.start("await never()")
        await begun.acquire()
        one.cancel()
        one.cancel()
        assert isinstance(await one, Cancelled)
        other = runner.start("await never()")
        await begun.acquire()
        other.abort()
        end = await other.result()
        assert isinstance(end, Failed) and end.error.code == "ABORTED" and end.continuation is not None
        assert cancelled == [1, 1]

    asyncio.run(main())


def test_an_except_exception_on_the_way_does_not_swallow_a_question() -> None:
    def careful() -> Any:
        try:
            if current_call().resume is None:
                interrupt("may I?")
            return "yes"
        except Exception:
            return "swallowed"

    put, asked = asks(run_sync("return await careful()", host_functions={"careful": careful}))
    assert asked.payload == "may I?"


def test_an_async_function_may_ask_as_well() -> None:
    async def ask() -> Any:
        await asyncio.sleep(0)
        resume = current_call().resume
        if resume is None:
            interrupt("?")
        return resume.resolution

    runner = Runner(host_functions={"ask": ask})
    put, asked = asks(runner.run_sync("return await ask()"))
    result = runner.resume_sync(put.continuation, [answer(asked.id, {"n": 1})])
    assert isinstance(result, Completed) and result.value == {"n": 1}


def test_another_source_must_do_what_the_run_did() -> None:
    runner = Runner(host_functions={"color": color}, time=0)
    put, asked = asks(runner.run_sync("return await color('red')"))
    changed = runner.resume_sync(put.continuation, [answer(asked.id, "red")], source="return 'so: ' + await color('red')")
    assert changed.unwrap() == "so: red!"
    other = runner.resume_sync(put.continuation, [answer(asked.id, "red")], source="return await color('blue')")
    assert isinstance(other, Failed) and isinstance(other.error, DivergedError)
    assert (other.error.code, other.error.entry, other.error.position) == ("DIVERGED", 1, Position(1, 14))


def test_a_policy_decides_about_each_call_and_again_when_it_is_made() -> None:
    proposed: list[ProposedCall] = []

    def policy(call: ProposedCall) -> Decision | None:
        proposed.append(call)
        amount = call.arguments[0]
        if amount > 1000:
            return Deny("no-large-sums", "too much")
        if amount > 100:
            return Ask("ask-above-100")
        return Allow() if amount == 1 else None

    runner = Runner(host_functions={"pay": lambda amount: f"paid {amount}"}, policy=policy)
    script = "return [await pay(1), await pay(2), await pay(5000).catch((error) => error.message), await pay(500)]"
    put, asked = asks(runner.run_sync(script))
    assert (asked.kind, asked.arguments) == ("approval", [500])
    assert [call.arguments for call in proposed] == [[1], [2], [5000], [500]]
    assert (proposed[0].host_function, proposed[0].effect, proposed[0].request_index) == ("pay", "unsafe", 1)
    one, two, denied, paid = runner.resume_sync(put.continuation, [approve(asked.id)]).unwrap()
    assert (one, two, paid) == ("paid 1", "paid 2", "paid 500")
    assert "too much" in denied


def test_a_policy_that_raises_lets_nothing_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def policy(call: ProposedCall) -> None:
        raise LookupError("no rules")

    runner = Runner(host_functions={"pay": lambda: "paid"}, policy=policy)
    told: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda said: told.append(said.exc_value))
    message = runner.run_sync("return await pay().catch((error) => error.message)").unwrap()
    assert message == "pay is denied by the rule \"policy\": the policy could not decide"
    [reported] = told
    assert isinstance(reported, LookupError) and str(reported) == "no rules"


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_what_is_raised_in_a_policy_to_stop_the_program_stops_it(stop: type[BaseException]) -> None:
    paid: list[int] = []

    def policy(call: ProposedCall) -> None:
        raise stop

    functions: HostFunctions = {"pay": lambda: paid.append(1)}
    with pytest.raises(stop):
        Runner(host_functions=functions, policy=policy).run_sync("try { await pay() } catch { } await pay()")
    assert paid == [] and run_sync("return 1").unwrap() == 1


def test_a_policy_is_a_function() -> None:
    with pytest.raises(TypeError, match="a policy is a function, not Allow"):
        Runner(policy=Allow())  # type: ignore[arg-type]


def test_a_policy_may_use_its_runner_but_does_not_speak_to_its_own_run() -> None:
    said: list[Any] = []

    class Texts:
        def load(self, name: str) -> str:
            return "export default 7"

    def policy(call: ProposedCall) -> Decision | None:
        if call.arguments == ["outer"]:
            said.append(runner.run_sync("import seven from 'seven'; export default seven + await pay('inner')").unwrap())
            with pytest.raises(RuntimeError, match="a policy decides on the spot"):
                handle.cancel()
        return Allow()

    async def ready() -> None:
        await started.wait()

    runner = Runner(host_functions={"pay": lambda who: 1, "ready": ready}, policy=policy, modules=Texts())

    async def main() -> Any:
        global handle, started
        started = asyncio.Event()
        handle = runner.start("await ready(); return await pay('outer')")
        started.set()
        return (await handle).unwrap()

    assert asyncio.run(main()) == 1
    assert said == [8]


handle: Any
started: asyncio.Event


def test_an_argument_that_is_given_twice_is_the_same_object_for_everybody() -> None:
    proposed: list[list[Any]] = []

    def pay(one: Any, two: Any) -> Any:
        edited = current_call().edited_from
        return [one is two, edited is not None and edited[0] is edited[1], edited]

    def policy(call: ProposedCall) -> None:
        proposed.append(call.arguments)

    runner = Runner(host_functions={"pay": approval(pay)}, policy=policy)
    put, asked = asks(runner.run_sync("const o = { n: 1 }; console.log(o, o); return await pay(o, o)"))
    for arguments in (proposed[0], asked.arguments, put.report.console[0].arguments):
        assert arguments == [{"n": 1}, {"n": 1}] and arguments[0] is arguments[1]
    assert runner.resume_sync(put.continuation, [approve(asked.id)]).unwrap() == [True, False, None]
    same = {"n": 2}
    edited = runner.resume_sync(put.continuation, [approve_with(asked.id, [same, same])]).unwrap()
    assert edited == [True, True, [{"n": 1}, {"n": 1}]]


def test_what_is_no_unicode_is_no_token_and_no_id() -> None:
    runner = Runner(host_functions={"mail": approval(lambda to: to)}, codec=open_codec())
    put, asked = asks(runner.run_sync("return await mail('ann')"))
    for unknown in ("no id", "\ud800"):
        with pytest.raises(ResumeError) as refused:
            runner.resume_sync(put.continuation, [approve(unknown)])
        assert refused.value.code == "RESOLUTION_UNKNOWN"
    for read in (runner.resume_sync, runner.inspect_sync, runner.decode_sync):
        with pytest.raises(CodecError) as unread:
            read("\ud800")
        assert unread.value.code == "TOKEN_REFUSED"


def test_a_task_group_may_ask() -> None:
    group = getattr(asyncio, "TaskGroup", None)
    if group is None:
        pytest.skip("Python 3.10 has no task groups")

    async def ask() -> Any:
        if current_call().resume is None:
            async with group() as tasks:
                tasks.create_task(asyncio.Event().wait())
                tasks.create_task(really_asks())
        return "answered"

    async def really_asks() -> None:
        interrupt("from within")

    put, asked = asks(run_sync("try { return await ask() } catch (error) { return error.name }", host_functions={"ask": ask}))
    assert asked.payload == "from within"
