"""The scripted host of conformance/README.md. It outlives every run of a case."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Callable

from intermission import HostFunctions, JsError, approval, current_call, host_function, interrupt

Scripted = dict[str, Any]


class World:
    def __init__(self) -> None:
        self._made: list[tuple[int, dict[str, Any]]] = []
        #: What idempotent functions have returned, by their keys.
        self._returned: dict[str, Any] = {}
        self._failures: dict[str, int] = {}
        #: Hears which function is called.
        self.on_call: Callable[[str], None] = lambda name: None

    def take_calls(self) -> list[dict[str, Any]]:
        made = [made for _, made in sorted(self._made, key=lambda entry: entry[0])]
        self._made = []
        return made

    def functions(self, scripted: dict[str, Scripted]) -> HostFunctions:
        def lent(name: str, function: Scripted) -> Any:
            def act(argument: Any) -> Any:
                return self._act(name, function, argument)

            schema = function["input_schema"]
            options = {"effect": function["effect"], "blocking": function["blocking"]}
            made = host_function(name=name, input={} if schema is None else schema, **options)(act)
            return approval(made) if function["approval"] else made

        return [lent(name, function) for name, function in scripted.items()]

    def _act(self, name: str, function: Scripted, argument: Any) -> Any:
        call = current_call()
        key, edited_from, resume = call.idempotency_key, call.edited_from, call.resume
        self.on_call(name)
        is_idempotent = function["effect"] == "idempotent"
        if is_idempotent and key in self._returned:
            return self._returned[key]

        def write() -> None:
            made: dict[str, Any] = {"call": [name, argument]}
            if edited_from is not None:
                made["instead_of"] = edited_from[0] if edited_from else None
            self._made.append((call.request_index, made))

        def give(value: Any) -> Any:
            write()
            if is_idempotent:
                self._returned[key] = value
            return value

        failures = self._failures.get(name, 0)
        does = function["does"]
        if does == "fail" or failures < function["fails"]:
            write()
            self._failures[name] = failures + 1
            text = argument if isinstance(argument, str) else json.dumps(argument, separators=(",", ":"))
            error = function["error"] or {"name": "TypeError", "message": text}
            raise JsError(error["name"], error["message"])
        if does == "echo":
            return give(argument)
        if does == "give":
            return give(function["value"])
        if does == "wait":
            give(argument["value"])
            return turns(argument["ms"], argument["value"])
        if does == "ask":
            answers = [] if resume is None else [*resume.state, resume.resolution]
            if len(answers) >= function["times"]:
                return give(answers if function["times"] > 1 else answers[-1])
            default = {} if function["default"] is None else {"default": function["default"]}
            interrupt({"q": argument}, answers, expires_at=function["expires_at"], **default)
        write()
        return never()


async def never() -> None:
    """Until nobody waits any more."""
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        return


async def turns(count: int, value: Any) -> Any:
    """A wait that takes turns of the event loop instead of time: the shorter is done first, on any machine."""
    for _ in range(count):
        await asyncio.sleep(0)
    return value
