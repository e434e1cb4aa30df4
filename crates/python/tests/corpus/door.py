"""The package as a door of the corpus: a line of JSON a request, a line of JSON a reply. `crates/testkit/src/child.rs` is at the other end."""

from __future__ import annotations

import asyncio
import base64
import datetime
import json
import sys
from typing import Any, Awaitable, Callable

from claims import SharedClaims
from intermission import (
    Allow,
    Ask,
    Completed,
    Continuation,
    Decision,
    Deny,
    DivergedError,
    Failed,
    IntermissionError,
    Interrupted,
    Interruption,
    JsError,
    ProposedCall,
    Resolution,
    RunError,
    RunHandle,
    Runner,
    RunResult,
    ScriptError,
    SourceError,
)
from world import World

Request = dict[str, Any]

world = World()
claims = SharedClaims()


def runner_of(request: Request) -> Runner:
    def policy(call: ProposedCall) -> Decision | None:
        verdict = request["functions"][call.host_function]["policy"]
        return {None: None, "allow": Allow(), "ask": Ask("corpus"), "deny": Deny("corpus")}[verdict]

    return Runner(
        host_functions=world.functions(request["functions"]),
        modules=request["modules"],
        strict=request["strict"],
        time=request["clock"],
        policy=policy,
        claims=claims if request["claims"] else None,
    )


def token_of(continuation: Continuation | None) -> str | None:
    return None if continuation is None else base64.b64encode(continuation.bytes).decode()


def continuation_of(token: str) -> Continuation:
    return Continuation(base64.b64decode(token))


def resolution(answer: Request) -> Resolution:
    kind, value = answer["kind"], answer["value"]
    reason = value if kind == "deny" else None
    if kind == "failed":
        value = JsError(value["name"], value["message"])
    return Resolution(answer["id"], kind, value, reason, answer["digest"], answer["at"])


def called(asked: Interruption) -> list[Any]:
    return [asked.host_function, asked.arguments[0] if asked.arguments else None]


def question(asked: Interruption) -> Request:
    at = None if asked.position is None else [asked.position.line, asked.position.column]
    said = {"id": asked.id, "call": called(asked), "kind": asked.kind, "payload": asked.payload}
    return {**said, "digest": asked.arguments_digest, "at": at}


def failure(error: RunError) -> Request:
    at: Any = None
    if isinstance(error, ScriptError):
        at = error.frames[0] if error.frames else None
    elif isinstance(error, (SourceError, DivergedError)):
        at = error.position
    place = None if at is None else [at.line, at.column]
    return {"code": error.code, "message": error.message, "at": place}


def seen(result: RunResult) -> Request:
    report = result.report
    said: Request = {
        "status": type(result).__name__.lower(),
        "console": [[entry.method, entry.text] for entry in report.console],
        "replayed": report.replayed,
        "abandoned": [called(asked) for asked in report.abandoned],
        "detached": [[call.host_function, call.fate] for call in report.detached],
        "unhandled": [str(error) for error in report.unhandled],
        "token": token_of(result.continuation),
    }
    if report.data is not None:
        said["data"] = report.data
    match result:
        case Completed(value):
            said["value"] = value
        case Failed(error):
            said["error"] = failure(error)
        case Interrupted(interruptions):
            said["asks"] = [question(asked) for asked in interruptions]
            said["wakes_at"] = result.wake_at
    return said


async def finished(
    live: Callable[[], RunHandle], whole: Callable[[], Awaitable[RunResult]], cancel_at: str | None
) -> RunResult:
    """The end of a run, which is cancelled when a function is called."""
    if cancel_at is None:
        return await whole()
    handle: RunHandle | None = None
    is_called = False

    def on_call(name: str) -> None:
        nonlocal is_called
        if name == cancel_at:
            is_called = True
            if handle is not None:
                handle.cancel()

    world.on_call = on_call
    handle = live()
    if is_called:
        handle.cancel()
    return await handle


def refused(error: IntermissionError) -> Request:
    return {"refused": {"code": error.code, "message": error.message}}


async def resumed(runner: Runner, token: str, request: Request) -> Request:
    resolutions = [resolution(answer) for answer in request["answers"]]
    options: Request = {"retry": request["retry"], "source": request["source"]}
    came = continuation_of(token)
    try:
        return seen(
            await finished(
                lambda: runner.start_resume(came, resolutions, **options),
                lambda: runner.resume(came, resolutions, **options),
                request["cancel_at"],
            )
        )
    except IntermissionError as error:
        return refused(error)


async def act(request: Request) -> Any:
    global world, claims
    world.on_call = lambda name: None
    do = request["do"]
    if do == "begin":
        world, claims = World(), SharedClaims()
        return None
    if do == "take_calls":
        return world.take_calls()
    if do == "inspect":
        continuation = continuation_of(request["token"])
        return {"asks": [question(asked) for asked in continuation.interruptions], "wakes_at": continuation.wake_at}
    if do == "at_once":
        runners = [runner_of(request) for _ in range(4)]
        fixed = {"retry": False, "source": None, "cancel_at": None}
        resumes = (
            resumed(runners[place % 4], request["token"], {"answers": answers, **fixed})
            for place, answers in enumerate(request["resumes"])
        )
        return await asyncio.gather(*resumes)
    runner = runner_of(request)
    if do == "run":
        options = {name: request[name] for name in ("name", "input", "data") if name in request}
        source = request["source"]
        return seen(
            await finished(
                lambda: runner.start(source, **options), lambda: runner.run(source, **options), request["cancel_at"]
            )
        )
    if do == "resume":
        return await resumed(runner, request["token"], request)
    if do == "replay":
        return seen(await runner.replay(continuation_of(request["token"])))
    if do == "cancel":
        try:
            return seen(await runner.cancel(continuation_of(request["token"])))
        except IntermissionError as error:
            return refused(error)
    raise ValueError(f"no such request: {do}")


def plain(value: Any) -> Any:
    """What JSON would make of it in JavaScript."""
    if isinstance(value, datetime.datetime):
        return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, JsError):
        return {}
    raise TypeError(f"the corpus has no {type(value)}")


async def main() -> None:
    for line in sys.stdin:
        reply = await act(json.loads(line))
        print(json.dumps(reply, default=plain), flush=True)


asyncio.run(main())
