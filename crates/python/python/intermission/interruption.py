"""Questions and answers."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Any, Literal

from . import _native
from .errors import ResumeError
from .value import told


@dataclasses.dataclass(frozen=True)
class Position:
    """A place in a script."""

    #: From 1.
    line: int
    #: From 1.
    column: int


@dataclasses.dataclass(frozen=True)
class Interruption:
    """One question of a run that somebody has to answer before a host call can go on."""

    #: The same in every replay; the next question of the same call has another.
    id: str
    #: Who asks, and so what answers there are: the host function itself (`question`: `answer`), the library for one that needs approval (`approval`: `approve`, `approve_with`, `deny`), the script with `waitFor`
    #: (`event`: `answer`), or the library because a process died while the function was under way (`outcome-unknown`: `happened`, `failed`, `did_not_happen`).
    kind: Literal["question", "approval", "event", "outcome-unknown"]
    #: The call's number in its run, from 1.
    request_index: int
    host_function: str
    #: What the script calls it with, complete.
    arguments: list[Any]
    #: A hash of the arguments: an answer that carries it is refused where it differs.
    arguments_digest: str
    #: What the host function wants to be shown.
    payload: Any
    #: The script or module that calls.
    file: str | None
    position: Position | None
    #: When it was asked, in milliseconds since 1970.
    created: int
    #: When it can no longer be answered.
    expires: int | None
    #: What stands for an answer then; without one the call is rejected.
    default: Any


@dataclasses.dataclass(frozen=True)
class Resume:
    """The answer to a question that this very call has asked."""

    interruption_id: str
    #: The answer; of an expired question its default.
    resolution: Any
    #: Whether nobody answered in time.
    expired: bool
    #: What was shown.
    payload: Any
    #: What the function kept for itself.
    state: Any


@dataclasses.dataclass(frozen=True)
class Resolution:
    """The answer to one interruption: `answer`, `approve`, `deny` and their like make one."""

    interruption_id: str
    kind: Literal["value", "approve", "approveWith", "deny", "happened", "failed", "didNotHappen"]
    #: What is answered: a value; the arguments of `approve_with`; the exception of `failed`.
    value: Any = None
    #: Of `deny`: the error's message.
    reason: str | None = None
    #: The `Interruption.arguments_digest` that the answer was given to: it is refused where it differs.
    arguments_digest: str | None = None
    #: When it was given: timers that were due before go first. Default: now.
    at: datetime.datetime | int | None = None


_At = datetime.datetime | int | None


def answer(interruption_id: str, value: Any = None, *, arguments_digest: str | None = None, at: _At = None) -> Resolution:
    """To a question: this."""
    return Resolution(interruption_id, "value", value, None, arguments_digest, at)


def approve(interruption_id: str, *, arguments_digest: str | None = None, at: _At = None) -> Resolution:
    """To an approval: yes."""
    return Resolution(interruption_id, "approve", None, None, arguments_digest, at)


def approve_with(
    interruption_id: str, arguments: list[Any], *, arguments_digest: str | None = None, at: _At = None
) -> Resolution:
    """To an approval: yes, with these arguments."""
    return Resolution(interruption_id, "approveWith", arguments, None, arguments_digest, at)


def deny(
    interruption_id: str, reason: str | None = None, *, arguments_digest: str | None = None, at: _At = None
) -> Resolution:
    """To an approval: no. The call is rejected with an error that the script can catch."""
    return Resolution(interruption_id, "deny", None, reason, arguments_digest, at)


def happened(interruption_id: str, value: Any = None, *, arguments_digest: str | None = None, at: _At = None) -> Resolution:
    """To an unknown outcome: this came of it."""
    return Resolution(interruption_id, "happened", value, None, arguments_digest, at)


def failed(
    interruption_id: str, error: BaseException, *, arguments_digest: str | None = None, at: _At = None
) -> Resolution:
    """To an unknown outcome: it failed so."""
    return Resolution(interruption_id, "failed", error, None, arguments_digest, at)


def did_not_happen(interruption_id: str, *, arguments_digest: str | None = None, at: _At = None) -> Resolution:
    """To an unknown outcome: nothing did. The function is called again, with the same idempotency key."""
    return Resolution(interruption_id, "didNotHappen", None, None, arguments_digest, at)


def milliseconds(at: datetime.datetime | int | float) -> int:
    """Since 1970."""
    if isinstance(at, datetime.datetime):
        if at.tzinfo is None:
            raise ValueError("a datetime without a time zone is no moment: give it one, as in datetime.now(timezone.utc)")
        ms = int(at.timestamp() * 1000)
    else:
        ms = int(at)
    if not 0 <= ms < 1 << 53:
        raise ValueError(f"{at!r} is no moment between 1970 and the end of JavaScript's integers")
    return ms


def is_unicode(text: str) -> bool:
    """Whether it has no lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def given(resolution: Resolution) -> dict[str, Any]:
    """As the native layer takes it."""
    kind = resolution.kind
    if not is_unicode(resolution.interruption_id):
        raise ResumeError("RESOLUTION_UNKNOWN", "no interruption has an id that is no Unicode", resolution.interruption_id)
    said: dict[str, Any] = {"interruptionId": resolution.interruption_id, "kind": kind}
    if kind == "failed":
        said["body"] = _native.encode(told(resolution.value))
    elif kind in ("value", "approveWith", "happened"):
        said["body"] = _native.encode(resolution.value, "value")
    if resolution.reason is not None:
        said["reason"] = resolution.reason
    if resolution.arguments_digest is not None:
        said["argumentsDigest"] = resolution.arguments_digest
    if resolution.at is not None:
        said["at"] = milliseconds(resolution.at)
    return said
