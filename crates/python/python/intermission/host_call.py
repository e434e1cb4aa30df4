"""The call that is being answered, and how it asks."""

from __future__ import annotations

import asyncio
import builtins
import contextvars
import datetime
from typing import Any, NoReturn

from ._native import HostCall
from .interruption import milliseconds
from .value import ABSENT

_current: contextvars.ContextVar[HostCall] = contextvars.ContextVar("intermission.call")


def current_call() -> HostCall:
    """The call that is being answered: in a host function, and in everything that it awaits.

    Raises `LookupError` where no host function is under way.
    """
    call = _current.get(None)
    if call is None:
        raise LookupError("current_call() is for host functions: none is under way here")
    return call


def enter(call: HostCall) -> None:
    """From here on this context belongs to a call."""
    _current.set(call)


class Interrupt(BaseException):
    """What `interrupt` raises. Let it pass: no script ever sees it. It is no `Exception`, so that an `except Exception` on the way does not swallow the question."""

    def __init__(self, payload: Any, state: Any, expires_at: int | None, default: Any) -> None:
        super().__init__("the host function interrupted the run")
        self.payload = payload
        self.state = state
        self.expires_at = expires_at
        self.default = default


def is_outcome(error: BaseException) -> bool:
    """Whether it is what came of a call. Anything else, such as a `KeyboardInterrupt`, is no matter of the script's."""
    return isinstance(error, (Exception, Interrupt, asyncio.CancelledError)) or _parts(error) is not None


def asked_in(error: BaseException) -> BaseException:
    """The question in an `asyncio.TaskGroup`: of a group that has exactly one and else but cancellations, that one. Anything else as it is."""
    asked: list[Interrupt] = []
    open_groups = [error]
    while open_groups:
        one = open_groups.pop()
        parts = _parts(one)
        if parts is not None:
            open_groups.extend(parts)
        elif isinstance(one, Interrupt):
            asked.append(one)
        elif not isinstance(one, asyncio.CancelledError):
            return error
    return asked[0] if len(asked) == 1 else error


def _parts(error: BaseException) -> tuple[BaseException, ...] | None:
    """The exceptions of a group. Before Python 3.11 the language has none."""
    group = getattr(builtins, "BaseExceptionGroup", None)
    return error.exceptions if group is not None and isinstance(error, group) else None


def interrupt(
    payload: Any,
    state: Any = None,
    *,
    expires_at: datetime.datetime | int | None = None,
    default: Any = ABSENT,
) -> NoReturn:
    """Asks before a host function goes on. The script sees nothing of it: its call stays pending while the rest of it runs on, and then the run is put away. When it is resumed with an answer, the function is
    called again and finds it in `current_call().resume`.

    `payload` is shown to whoever answers. `state` is what the function gets back with the answer; it is shown to nobody. After `expires_at` (a datetime with a time zone, or milliseconds since 1970) it can no longer
    be answered: `default` stands for an answer then; without one the call is rejected with a `TimeoutError`.
    """
    raise Interrupt(payload, state, None if expires_at is None else milliseconds(expires_at), default)
