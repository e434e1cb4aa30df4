"""What a store says of its runs."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal

from .interruption import Interruption


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
    #: Where it stands: to be gone on with, gone on with by somebody, waiting, or over.
    state: Literal["ready", "running", "waiting", "completed", "failed", "cancelled"]
    #: Of one that waits: when it is worth going on without any answer.
    wake_at: int | None = None
    #: Of one that is completed: what the script returned.
    value: Any = None
    #: Of one that failed: why.
    code: str | None = None
    message: str | None = None


@dataclasses.dataclass(frozen=True)
class Asked:
    """A question that nobody has answered, as the inbox lists it."""

    run_id: str
    #: The script's name.
    name: str
    interruption: Interruption
