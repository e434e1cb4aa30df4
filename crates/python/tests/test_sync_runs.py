"""Durable runs for who has no event loop."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from pathlib import Path

import pytest
from intermission import (
    Completed,
    Interrupted,
    OptionsError,
    Runner,
    RunsError,
    SyncRuns,
    approval,
    approve,
    current_call,
    open_runs_sync,
)

who: contextvars.ContextVar[str] = contextvars.ContextVar("who")


def test_a_run_asks_is_answered_and_told_of(tmp_path: Path) -> None:
    async def note(text: str) -> str:
        await asyncio.sleep(0)
        return f"{text} of {who.get()}"

    runner = Runner(host_functions={"note": note, "mail": approval(lambda to: f"to {to}")})
    who.set("ada")
    with open_runs_sync(tmp_path / "runs.db", runner, longest_wait_ms=500) as runs:
        run = runs.start("console.log('hello'); return [await note(input), await mail('ann')]", key="request 1", input="a")
        assert runs.wait(run, "asks").state == "waiting"
        forked = runs.fork(run)
        runs.wait(forked, "asks")
        [asked] = runs.inbox(run)
        assert runs.resolve(run, approve(asked.interruption.id), by="ada") == "first"
        assert runs.wait(run).value == ["a of ada", "to ann"]
        [given] = runs.answers(run)
        assert (given.interruption_id, given.kind, given.by) == (asked.interruption.id, "approve", "ada")
        replayed = runs.replay(run)
        assert isinstance(replayed, Completed) and [entry.text for entry in replayed.report.console] == ["hello"]
        assert runs.ledger(run).over
        runs.cancel(forked)
        assert runs.wait(forked).state == "cancelled"
        assert {stored.run_id for stored in runs.list()} == {run, forked}
        runs.delete(forked)
        with pytest.raises(RunsError) as gone:
            runs.get(forked)
        assert gone.value.code == "RUN_UNKNOWN"
        put_away = runner.run_sync("return await mail('bob')")
        assert isinstance(put_away, Interrupted)
        assert runs.adopt(put_away.continuation) == put_away.report.run_id


def test_notices_come_until_the_runs_are_closed(tmp_path: Path) -> None:
    runs = open_runs_sync(tmp_path / "runs.db", Runner())
    heard: list[str] = []
    emitted = threading.Event()

    def listen() -> None:
        for notice in runs.events():
            heard.append(notice.what)
            if notice.what == "completed":
                emitted.set()

    listener = threading.Thread(target=listen)
    listener.start()
    run = runs.start("return await waitFor('paid')")
    runs.emit(run, "paid", 1)
    assert runs.wait(run).value == 1
    emitted.wait()
    runs.close()
    listener.join()
    assert (heard[0], heard[-1]) == ("began", "completed") and "emitted" in heard
    assert list(runs.events()) == []


def test_a_failed_run_is_tried_again_and_one_that_is_left_is_taken_up(tmp_path: Path) -> None:
    tries: list[int] = []

    def flaky() -> str:
        tries.append(1)
        if len(tries) == 1:
            raise ConnectionError("reset")
        return "done"

    with open_runs_sync(tmp_path / "runs.db", Runner(host_functions={"flaky": flaky}), max_live=0) as runs:
        run = runs.start("return await flaky()")
        assert (runs.get(run).state, runs.live) == ("ready", 0)
        assert runs.take_up(run)
        assert runs.wait(run).state == "failed"
        runs.retry(run)
        assert runs.take_up(run)
        assert runs.wait(run).value == "done"


def test_what_waits_when_runs_are_closed_is_refused_and_host_functions_cannot_wait_for_their_own(tmp_path: Path) -> None:
    opened: list[SyncRuns] = []

    def waits() -> None:
        with pytest.raises(RuntimeError):
            opened[0].close()
        opened[0].wait(current_call().run_id)

    runs = open_runs_sync(tmp_path / "runs.db", Runner(host_functions={"waits": waits}))
    opened.append(runs)
    failed = runs.wait(runs.start("await waits()"))
    assert failed.message is not None and "RuntimeError: a host function cannot wait" in failed.message
    codes: list[str] = []
    never = runs.start("await waitFor('never')")

    def wait() -> None:
        begun.set()
        try:
            runs.wait(never)
        except OptionsError as error:
            codes.append(error.code)

    begun = threading.Event()
    waiting = threading.Thread(target=wait)
    waiting.start()
    begun.wait()
    runs.close()
    runs.close()
    waiting.join()
    with pytest.raises(OptionsError) as closed:
        runs.list()
    assert [*codes, closed.value.code] == ["RUNS_CLOSED", "RUNS_CLOSED"]


def test_a_store_that_cannot_be_opened_says_so_and_leaves_no_thread(tmp_path: Path) -> None:
    (tmp_path / "no.db").write_text("this is no store, but a text that is longer than a header would be" * 10)
    threads = threading.active_count()
    with pytest.raises(RunsError) as refused:
        open_runs_sync(tmp_path / "no.db", Runner())
    assert refused.value.code == "STORE_NOT_A_STORE"
    assert threading.active_count() == threads
