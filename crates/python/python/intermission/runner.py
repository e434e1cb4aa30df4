"""Runs scripts with what it lends them."""

from __future__ import annotations

import datetime
from typing import Any, Literal, Sequence, Union

from . import _native
from ._native import Continuation, HostCall
from .claims import Claims, claims_hooks
from .codec import Codec
from .drive import engine as engines
from .drive.task import Begin, Came, Task, begin_and_finish, begin_here
from .errors import CodecError, ScriptError, ValueRefused
from .host_call import Interrupt, asked_in, enter
from .host_function import HostFunctions, lend
from .interruption import Resolution, given, is_unicode, milliseconds
from .limits import Limits, limits_message
from .modules import Hooks, Modules, module_hooks
from .policy import Policy, asked
from .reconcile import probe_hooks
from .result import Failed, Inspection, RunResult
from .run_handle import RunHandle
from .sink import LedgerSink, sink_hooks
from .value import ABSENT, told_parts

#: What a run goes on from: what an earlier invocation has left, or a token of the runner's codec.
From = Union[Continuation, str]


class Runner:
    """Runs scripts with what it lends them. It is made in microseconds, and can be used from any thread and any event loop.

    >>> Runner(host_functions={"add": lambda a, b: a + b}).run_sync("return await add(1, 2)").unwrap()
    3
    """

    def __init__(
        self,
        *,
        host_functions: HostFunctions = (),
        limits: Limits | None = None,
        profile: Literal["full", "bare"] | None = None,
        modules: Modules | None = None,
        codec: Codec | None = None,
        audience: str | None = None,
        claims: Claims | Literal["memory"] | None = None,
        ledger_sink: LedgerSink | None = None,
        policy: Policy | None = None,
        allow_eval: bool | None = None,
        record_reads: bool | None = None,
        strict: bool | None = None,
        redact_errors: bool | None = None,
        drain_ms: float | None = None,
        time: datetime.datetime | int | None = None,
        max_runs: int | None = None,
        max_queued: int | None = None,
        lanes: int | None = None,
        tick_ms: float | None = None,
    ) -> None:
        """Everything has a default.

        - `host_functions`: what scripts can call; nothing
        - `limits`: of runs that bring none of their own
        - `profile`: which realm scripts have: what language models expect (`full`, the default), or ECMAScript and a console (`bare`)
        - `modules`: where they come from: a loader, or names and their texts; there are none
        - `codec`: how continuations become tokens, and tokens continuations; not at all
        - `audience`: who uses the tokens: one made for another is refused; nobody in particular
        - `claims`: what remembers which answers a run was gone on with; `memory`: this process; nothing: a copied continuation can be gone on from twice
        - `ledger_sink`: keeps every run's ledger while it goes on; nothing does
        - `policy`: decides about each call whether it is made, asked about, or denied; the functions do
        - `allow_eval`: whether `eval` and `Function` take strings; no
        - `record_reads`: whether every read of the clock and of randomness is an entry of the ledger; no
        - `strict`: whether a script that ends without having waited for its host calls fails; no, they are awaited for a while and reported
        - `redact_errors`: whether scripts are told nothing of a host function's error but that there was one; no
        - `drain_ms`: how long calls that are still under way at the end of a script are awaited; 5,000
        - `time`: for tests: where the clock stands that scripts and tokens see; the system's clock, which goes on
        - `max_runs`, `max_queued`, `lanes`, `tick_ms`: for an engine of its own: runs that can be there at once (2,048), runs that may wait for one of these to end (10,000), separate pools of memory (one a core, at
          most 8), how long a script computes on the calling thread before another thread goes on with it (1)

        Raises `OptionsError` where the library refuses something: a name, a schema, a key.
        """
        if policy is not None and not callable(policy):
            raise TypeError(f"a policy is a function, not {type(policy).__name__}")
        lent = lend(host_functions)
        self._callees = lent.callees
        self._hooks: Hooks = {} if codec is None else dict(codec.hooks)
        self._hooks.update(probe_hooks(lent.probes))
        if claims is not None and claims != "memory":
            self._hooks.update(claims_hooks(claims))
        if modules is not None:
            self._hooks.update(module_hooks(modules))
        if ledger_sink is not None:
            self._hooks.update(sink_hooks(ledger_sink))
        self._options = _present(
            functions=lent.declarations,
            limits=limits_message(limits),
            profile=profile,
            allowEval=allow_eval,
            recordReads=record_reads,
            strict=strict,
            redactErrors=redact_errors,
            drainMs=drain_ms,
            audience=audience,
            codec=None if codec is None else codec.message,
            claims=None if claims is None else "memory" if claims == "memory" else "custom",
            time=None if time is None else milliseconds(time),
            modules=True if modules is not None else None,
            sink=True if ledger_sink is not None else None,
        )
        self._own_engine = _present(maxRuns=max_runs, maxQueued=max_queued, lanes=lanes, tickMs=tick_ms)
        self._policy = None if policy is None else asked(policy)
        self._native = self._build()

    def _build(self) -> _native.Runner:
        self._generation = engines.generation
        self._engine = engines.create_engine(self._own_engine) if self._own_engine else engines.common_engine()
        return _native.Runner(self._engine, self._options, self._policy)

    def _runner(self) -> _native.Runner:
        # In a process that was forked the engine is not.
        if self._generation != engines.generation:
            self._native = self._build()
        return self._native

    async def run(
        self,
        source: str,
        *,
        input: Any = ABSENT,
        data: Any = ABSENT,
        name: str | None = None,
        kind: Literal["auto", "function-body", "module"] | None = None,
        seed: bytes | None = None,
        limits: Limits | None = None,
        modules: Modules | None = None,
    ) -> RunResult:
        """Runs a script to its end, or to where it asks somebody and is put away.

        - `source`: JavaScript or TypeScript, as a model may have written it
        - `input`: the global of this name
        - `data`: likewise; the script may change it: its final state is part of the report
        - `name`: the script's, in stack traces and error messages; `script.js`
        - `kind`: how it is run: a module where it imports or exports, else a function body
        - `seed`: of `Math.random` and `crypto`: 32 bytes; new ones
        - `limits`, `modules`: the runner's

        What the script does wrong is a result, and nothing is raised. Raises `ValueRefused` where the input cannot be sent. Where the task is cancelled that awaits this, the invocation is aborted, and its host functions and what else it awaits
        are cancelled: it is waited for for 10 seconds at most, and dropped then, whatever still runs on.
        """
        begin = self._begins(source, input, data, name, kind, seed, limits, modules)
        driver = _Driver(self, modules)
        return driver.explained(await begin_here(driver, begin).ended())

    def run_sync(
        self,
        source: str,
        *,
        input: Any = ABSENT,
        data: Any = ABSENT,
        name: str | None = None,
        kind: Literal["auto", "function-body", "module"] | None = None,
        seed: bytes | None = None,
        limits: Limits | None = None,
        modules: Modules | None = None,
    ) -> RunResult:
        """`run`, for scripts and notebooks: waits for it, with or without an event loop around it. Host functions may be `async def` here, too: they get an event loop of their own."""
        begin = self._begins(source, input, data, name, kind, seed, limits, modules)
        driver = _Driver(self, modules)
        return driver.explained(begin_and_finish(driver, begin))

    def start(
        self,
        source: str,
        *,
        input: Any = ABSENT,
        data: Any = ABSENT,
        name: str | None = None,
        kind: Literal["auto", "function-body", "module"] | None = None,
        seed: bytes | None = None,
        limits: Limits | None = None,
        modules: Modules | None = None,
    ) -> RunHandle:
        """Starts a run whose questions can be answered while it goes on. For a running event loop."""
        return self._live(self._begins(source, input, data, name, kind, seed, limits, modules), modules)

    async def resume(
        self,
        run: From,
        resolutions: Sequence[Resolution] = (),
        *,
        context: str | bytes = b"",
        source: str | None = None,
        retry: bool = False,
        limits: Limits | None = None,
        modules: Modules | None = None,
    ) -> RunResult:
        """Goes on with a run, in this process or another, from what an earlier invocation has left: a continuation, or a token of the runner's codec. What happened is not done again.

        - `resolutions`: answers to some of its questions; none lets timers fire and questions expire
        - `context`: the caller's context that the token is bound to; nothing
        - `source`: another text to go on with. It must do what the run did so far
        - `retry`: whether the host call is made again whose rejection ended the run

        Raises `ResumeError` or `CodecError`. Nothing has run then, and nothing has changed: the next correct resume works.
        """
        begin = self._goes_on(run, "resume", resolutions, context, source, retry, limits, modules)
        driver = _Driver(self, modules)
        return driver.explained(await begin_here(driver, begin).ended())

    def resume_sync(
        self,
        run: From,
        resolutions: Sequence[Resolution] = (),
        *,
        context: str | bytes = b"",
        source: str | None = None,
        retry: bool = False,
        limits: Limits | None = None,
        modules: Modules | None = None,
    ) -> RunResult:
        """`resume`, for scripts and notebooks."""
        begin = self._goes_on(run, "resume", resolutions, context, source, retry, limits, modules)
        driver = _Driver(self, modules)
        return driver.explained(begin_and_finish(driver, begin))

    def start_resume(
        self,
        run: From,
        resolutions: Sequence[Resolution] = (),
        *,
        context: str | bytes = b"",
        source: str | None = None,
        retry: bool = False,
        limits: Limits | None = None,
        modules: Modules | None = None,
    ) -> RunHandle:
        """Goes on with a run whose questions can be answered meanwhile. For a running event loop."""
        begin = self._goes_on(run, "resume", resolutions, context, source, retry, limits, modules)
        return self._live(begin, modules)

    async def cancel(self, run: From, *, context: str | bytes = b"") -> RunResult:
        """Ends a run that was put away, for good: what it asks can no longer be answered. Nothing of it runs.

        Raises `ResumeError` `RUN_OVER` where it is over already.
        """
        result: RunResult = await self._ask(self._goes_on(run, "cancel_put_away", (), context, None, False, None, None))
        return result

    def cancel_sync(self, run: From, *, context: str | bytes = b"") -> RunResult:
        """`cancel`, for scripts and notebooks."""
        begin = self._goes_on(run, "cancel_put_away", (), context, None, False, None, None)
        result: RunResult = begin_and_finish(_Driver(self, None), begin)
        return result

    async def replay(self, continuation: Continuation) -> RunResult:
        """Runs a script against its ledger, and calls nothing: checks that it still does what it did, and says again what came of it."""
        result: RunResult = await self._ask(lambda wakes, number: self._runner().replay(wakes, number, continuation))
        return result

    def replay_sync(self, continuation: Continuation) -> RunResult:
        """`replay`, for scripts and notebooks."""
        result: RunResult = self._ask_sync(lambda wakes, number: self._runner().replay(wakes, number, continuation))
        return result

    async def encode(self, continuation: Continuation, context: str | bytes = b"") -> str:
        """A token for a continuation, bound to the runner's audience and to the caller's context. Raises `CodecError`."""
        token: str = await self._ask(self._encodes(continuation, context))
        return token

    def encode_sync(self, continuation: Continuation, context: str | bytes = b"") -> str:
        """`encode`, for scripts and notebooks."""
        token: str = self._ask_sync(self._encodes(continuation, context))
        return token

    async def decode(self, token: str, context: str | bytes = b"") -> Continuation:
        """The continuation in a token. Nothing changes. Raises `CodecError`."""
        continuation: Continuation = await self._ask(self._decodes(token, context))
        return continuation

    def decode_sync(self, token: str, context: str | bytes = b"") -> Continuation:
        """`decode`, for scripts and notebooks."""
        continuation: Continuation = self._ask_sync(self._decodes(token, context))
        return continuation

    async def inspect(self, token: str, context: str | bytes = b"") -> Inspection:
        """What a token says of its run: nothing runs, and nothing changes. Raises `CodecError`."""
        inspection: Inspection = await self._ask(self._inspects(token, context))
        return inspection

    def inspect_sync(self, token: str, context: str | bytes = b"") -> Inspection:
        """`inspect`, for scripts and notebooks."""
        inspection: Inspection = self._ask_sync(self._inspects(token, context))
        return inspection

    def types(self) -> str:
        """TypeScript declarations of what scripts can call: what a model is shown."""
        return self._runner().types()

    def __reduce__(self) -> Any:
        raise TypeError("a Runner cannot be sent to another process: make one there")

    def _begins(
        self,
        source: str,
        input: Any,
        data: Any,
        name: str | None,
        kind: str | None,
        seed: bytes | None,
        limits: Limits | None,
        modules: Modules | None,
    ) -> Begin:
        if not isinstance(source, str):
            raise TypeError(f"a script is a str, not {type(source).__name__}")
        message = _present(source=source, kind=kind, name=name, seed=seed, limits=limits_message(limits))
        if modules is not None:
            message["modules"] = True
        has_input = None if input is ABSENT else (input,)
        has_data = None if data is ABSENT else (data,)
        return lambda wakes, number: self._runner().run(wakes, number, message, has_input, has_data)

    def _goes_on(
        self,
        run: From,
        how: Literal["resume", "cancel_put_away"],
        resolutions: Sequence[Resolution],
        context: str | bytes,
        source: str | None,
        retry: bool,
        limits: Limits | None,
        modules: Modules | None,
    ) -> Begin:
        message = _present(
            context=_bytes(context),
            resolutions=[given(resolution) for resolution in resolutions],
            source=source,
            retry=retry,
            limits=limits_message(limits),
        )
        if modules is not None:
            message["modules"] = True
        continuation = run if isinstance(run, Continuation) else None
        if continuation is None:
            if not isinstance(run, str):
                raise TypeError(f"a run goes on from a Continuation or a token, not from {type(run).__name__}")
            message["token"] = _token(run)
        return lambda wakes, number: getattr(self._runner(), how)(wakes, number, message, continuation)

    def _encodes(self, continuation: Continuation, context: str | bytes) -> Begin:
        return lambda wakes, number: self._runner().encode(wakes, number, continuation, _bytes(context))

    def _decodes(self, token: str, context: str | bytes) -> Begin:
        return lambda wakes, number: self._runner().decode(wakes, number, _token(token), _bytes(context))

    def _inspects(self, token: str, context: str | bytes) -> Begin:
        return lambda wakes, number: self._runner().inspect(wakes, number, _token(token), _bytes(context))

    def _live(self, begin: Begin, modules: Modules | None) -> RunHandle:
        handle = RunHandle()
        driver = _Driver(self, modules, handle)
        handle._is(begin_here(driver, begin), driver.explained)
        return handle

    async def _ask(self, begin: Begin) -> Any:
        return await begin_here(_Driver(self, None), begin).ended(is_run=False)

    def _ask_sync(self, begin: Begin) -> Any:
        return begin_and_finish(_Driver(self, None), begin)


#: How many of a run's exceptions are kept to explain its end.
_KEPT = 8


class _Driver:
    """Calls a runner's host functions for one invocation."""

    def __init__(self, runner: Runner, modules: Modules | None, handle: RunHandle | None = None) -> None:
        self._callees = runner._callees
        self._hooks = runner._hooks if modules is None else {**runner._hooks, **module_hooks(modules)}
        self._handle = handle
        self._raised: list[BaseException] = []

    def call(self, call: HostCall) -> Any:
        name = call.host_function
        callee = self._callees.get(name)
        if callee is None:
            raise LookupError(f"the host function {name} is not lent")
        enter(call)
        return callee(call.arguments)

    def settle(self, task: Task, call: HostCall, result: Any) -> Came:
        raised: Exception
        try:
            return task.native.settle(call.request_index, result)
        except ValueRefused as error:
            raised, why = error, str(error)
        except Exception as error:
            # An object's own code has failed, in whatever way.
            raised, why = error, "it could not be read"
        self._keep(raised)
        message = f"the result of {call.host_function} cannot be sent: {why}"
        return task.native.reject(call.request_index, "Error", message, "HOST_OUTPUT_INVALID")

    def reject(self, task: Task, call: HostCall, error: BaseException) -> Came:
        error = asked_in(error)
        if isinstance(error, Interrupt):
            default = None if error.default is ABSENT else (error.default,)
            try:
                return task.native.interrupt(call.request_index, error.payload, error.state, error.expires_at, default)
            except Exception as refused:
                error = refused
        self._keep(error)
        return task.native.reject(call.request_index, *told_parts(error))

    def _keep(self, error: BaseException) -> None:
        self._raised = [*self._raised[1 - _KEPT :], error]

    def ask(self, ask: dict[str, Any]) -> Any:
        hook = self._hooks.get(ask["kind"])
        if hook is None:
            raise LookupError(f"nobody answers {ask['kind']}")
        return hook(ask)

    def hear(self, events: list[Any], answers: list[Any]) -> None:
        if self._handle is not None:
            self._handle._hear(events, answers)

    def explained(self, result: RunResult) -> RunResult:
        """Where a script threw what a host function raised, the error says so."""
        if isinstance(result, Failed) and isinstance(result.error, ScriptError):
            thrown = result.error.thrown
            if isinstance(thrown, BaseException):
                said = told_parts(thrown)[:2]
                causes = (error for error in reversed(self._raised) if told_parts(error)[:2] == said)
                result.error.__cause__ = next(causes, None)
        self._raised = []
        return result


def _present(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _token(text: str) -> str:
    if not is_unicode(text):
        raise CodecError("TOKEN_REFUSED", "the token is refused")
    return text


def _bytes(context: str | bytes) -> bytes:
    return context.encode() if isinstance(context, str) else context
