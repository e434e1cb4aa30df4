"""Every limit of a run: docs/limits.md."""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass(frozen=True)
class Limits:
    """Limits of a run. Each has a code of its own and none can be caught by the script, but for the JavaScript stack. What is `None` has the default."""

    #: Wall-clock time of one invocation in milliseconds, host calls and timers included. Default: 30,000.
    deadline_ms: float | None = None
    #: Milliseconds that the script computes. Default: 30,000.
    cpu_ms: float | None = None
    #: Backward jumps and calls; the same number on every machine. Default: none.
    fuel: int | None = None
    #: Linear memory of the sandbox and the arguments of its calls under way, in bytes, 4 MiB to 4 GiB. Default: 128 MiB.
    memory: int | None = None
    #: JavaScript's stack in bytes, 64 KiB to 1 MiB. Default: 1 MiB.
    js_stack: int | None = None
    #: The source, and each module, in bytes. Default: 256 KiB.
    source: int | None = None
    #: The value and the final `data`, each in bytes of its encoded form. Default: 8 MiB.
    result: int | None = None
    #: The console, in bytes of its encoded form. Default: 1 MiB.
    console: int | None = None
    #: The arguments of one call, in bytes of their encoded form. Default: 8 MiB.
    arguments: int | None = None
    #: The outcome of one call, in bytes of its encoded form. Default: 8 MiB.
    output: int | None = None
    #: Host calls and module requests. Default: 10,000.
    calls: int | None = None
    #: Host calls under way at one time. Default: 1,000.
    in_flight: int | None = None
    #: Timers set at one time. Default: 10,000.
    timers: int | None = None
    #: The run's ledger, in bytes of its encoded form, about. Default: 64 MiB.
    ledger: int | None = None

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            is_time = field.name.endswith("_ms")
            kinds = (int, float) if is_time else (int,)
            if value is not None and (isinstance(value, bool) or not isinstance(value, kinds) or not value >= 0):
                kind = "a number" if is_time else "a whole number"
                raise TypeError(f"Limits.{field.name} is {kind} of at least 0, not {value!r}")


def limits_message(limits: Limits | None) -> dict[str, Any] | None:
    """As the native layer takes them."""
    if limits is None:
        return None
    given = ((field.name, getattr(limits, field.name)) for field in dataclasses.fields(limits))
    return {camel(name): value for name, value in given if value is not None}


def camel(name: str) -> str:
    """`deadline_ms` as messages have it: `deadlineMs`."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
