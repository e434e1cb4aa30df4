"""The options of single runs, for type checkers."""

from __future__ import annotations

import datetime
from typing import Any, Literal, Sequence, TypedDict

from .claims import Claims
from .codec import Codec
from .host_function import HostFunctions
from .interruption import Resolution
from .limits import Limits
from .modules import Modules
from .policy import Policy
from .sink import LedgerSink


class RunnerOptions(TypedDict, total=False):
    """Those of `Runner`."""

    host_functions: HostFunctions
    limits: Limits | None
    profile: Literal["full", "bare"] | None
    modules: Modules | None
    codec: Codec | None
    audience: str | None
    claims: Claims | Literal["memory"] | None
    ledger_sink: LedgerSink | None
    policy: Policy | None
    allow_eval: bool | None
    record_reads: bool | None
    strict: bool | None
    redact_errors: bool | None
    drain_ms: float | None
    time: datetime.datetime | int | None
    max_runs: int | None
    max_queued: int | None
    lanes: int | None
    tick_ms: float | None


class RunOptions(RunnerOptions, total=False):
    """And those of `Runner.run`."""

    input: Any
    data: Any
    name: str | None
    kind: Literal["auto", "function-body", "module"] | None
    seed: bytes | None


class ResumeOptions(RunnerOptions, total=False):
    """And those of `Runner.resume`."""

    resolutions: Sequence[Resolution]
    context: str | bytes
    source: str | None
    retry: bool


class StartOptions(TypedDict, total=False):
    """Those of `Runs.start`."""

    key: str | None
    input: Any
    data: Any
    name: str | None
    kind: Literal["auto", "function-body", "module"] | None
    seed: bytes | None
    limits: Limits | None


class RunsOptions(TypedDict, total=False):
    """Those of `open_runs`."""

    full_sync: bool | None
    lease_ms: float | None
    longest_wait_ms: float | None
    retention_ms: float | None
    picks_up: bool | None
    max_live: int | None
