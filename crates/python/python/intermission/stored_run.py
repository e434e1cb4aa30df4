"""What a store says of its runs."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal

from .interruption import Interruption

#: Where a run stands: to be gone on with, gone on with by somebody, waiting, or over.
State = Literal["ready", "running", "waiting", "completed", "failed", "cancelled"]


@dataclasses.dataclass(frozen=True)
class StoredRun:
    """A run of a store."""

    run_id: str
    #: The caller's own name for the request.
    key: str | None
    #: The script's name.
    name: str
    #: When it began, in milliseconds since 1970.
    created: int
    #: When its state changed last.
    updated: int
    #: How many questions it asks that nobody has answered.
    questions: int
    #: Where it stands.
    state: State
    #: Of one that waits: when it is worth going on without any answer.
    wake_at: int | None = None
    #: Of one that is completed: what the script returned.
    value: Any = None
    #: Of one that failed: why.
    code: str | None = None
    message: str | None = None
    #: The run that it was forked from.
    forked_from: str | None = None


@dataclasses.dataclass(frozen=True)
class Asked:
    """A question that nobody has answered, as the inbox lists it."""

    run_id: str
    #: The script's name.
    name: str
    interruption: Interruption


@dataclasses.dataclass(frozen=True)
class Given:
    """An answer that was given to a question of a run."""

    interruption_id: str
    #: As `Resolution` has it.
    kind: Literal["value", "approve", "approveWith", "deny", "happened", "failed", "didNotHappen", "unknown"]
    #: What was answered: a value; the arguments of `approve_with`; the error of `failed`.
    value: Any
    #: Of `deny`: the error's message.
    reason: str | None
    #: When, in milliseconds since 1970.
    at: int
    #: By whom, where that is known.
    by: str | None


@dataclasses.dataclass(frozen=True)
class Notice:
    """Something that happened to a run."""

    #: It grows, in the order in which things were kept.
    number: int
    run_id: str
    #: When, in milliseconds since 1970.
    at: int
    #: What. It asks once a question; `expired`: nobody answered in time; `abandoned`: it ended without the answer.
    what: Literal[
        "began",
        "asked",
        "answered",
        "expired",
        "abandoned",
        "emitted",
        "put_away",
        "completed",
        "failed",
        "retried",
        "cancelled",
    ]
    #: Of `asked`, `answered`, `expired` and `abandoned`: the question.
    interruption_id: str | None = None
    #: Of `emitted`: the event's key.
    key: str | None = None
    #: Of `failed`: the error's code.
    code: str | None = None
