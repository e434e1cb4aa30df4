"""How a run ended. Nothing that it said on the way is lost, however it ended."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal, NoReturn, Union

from ._native import Continuation, Report
from .errors import RunError
from .interruption import Interruption, Position


@dataclasses.dataclass(frozen=True)
class Completed:
    """It has a value."""

    #: What the script returned.
    value: Any
    #: Its ledger, to be looked at, replayed or forked.
    continuation: Continuation = dataclasses.field(repr=False)
    report: Report = dataclasses.field(repr=False, compare=False)

    def unwrap(self) -> Any:
        """The value, or the error of a run that has none, raised."""
        return self.value


@dataclasses.dataclass(frozen=True)
class Interrupted:
    """It asks somebody, or waits for longer than its deadline: it was put away."""

    #: What it asks, in order of the calls. Empty where it waits for a timer only.
    interruptions: tuple[Interruption, ...]
    #: What is needed to go on.
    continuation: Continuation = dataclasses.field(repr=False)
    #: When it is worth going on without any answer, in milliseconds since 1970.
    wake_at: int | None
    report: Report = dataclasses.field(repr=False, compare=False)

    def unwrap(self) -> NoReturn:
        """Raises: there is no value."""
        count = len(self.interruptions)
        raise RunError("INTERRUPTED", f"the run was put away: {count} of its questions are open")


@dataclasses.dataclass(frozen=True)
class Cancelled:
    """It was cancelled: it can never go on."""

    continuation: Continuation = dataclasses.field(repr=False)
    report: Report = dataclasses.field(repr=False, compare=False)

    def unwrap(self) -> NoReturn:
        """Raises: there is no value."""
        raise RunError("CANCELLED", "the run was cancelled")


@dataclasses.dataclass(frozen=True)
class Failed:
    """It has no value."""

    #: Why.
    error: RunError
    #: What happened so far, to go on from: with `retry`, where the script's own error ended it. `None` where nothing happened.
    continuation: Continuation | None = dataclasses.field(repr=False)
    report: Report = dataclasses.field(repr=False, compare=False)

    def unwrap(self) -> NoReturn:
        """Raises the error."""
        raise self.error


RunResult = Union[Completed, Interrupted, Cancelled, Failed]


@dataclasses.dataclass(frozen=True)
class ConsoleEntry:
    """A line on the console."""

    #: `log`, `warn`, `table`.
    method: str
    #: As it would be printed, indented by its groups.
    text: str
    arguments: list[Any]


@dataclasses.dataclass(frozen=True)
class DetachedCall:
    """A host call that was under way when its script ended."""

    request_index: int
    host_function: str
    #: What became of it. `refused`: in strict mode, when the script had ended before it was made.
    fate: Literal["fulfilled", "rejected", "aborted", "unknown", "refused"]
    file: str | None
    position: Position | None


@dataclasses.dataclass(frozen=True)
class Stats:
    """What a run used."""

    #: Milliseconds that the script computed.
    cpu_ms: float
    #: Milliseconds from beginning to end.
    wall_ms: float
    #: Milliseconds that it waited for host calls and timers.
    waited_ms: float
    #: Backward jumps and calls of the script: the same number on every machine.
    fuel: int
    #: Bytes.
    memory: int
    #: Host calls and module requests.
    calls: int
    #: Whether it went on in the sandbox in which it had paused: nothing was replayed.
    in_place: bool


@dataclasses.dataclass(frozen=True)
class Inspection:
    """What a token says of its run."""

    run_id: str
    name: str
    #: When the run began, in milliseconds since 1970.
    started: int
    interruptions: tuple[Interruption, ...]
    wake_at: int | None
    #: Until when the token is good.
    expires: int | None
    #: Host calls and module requests so far.
    calls: int
    over: bool
