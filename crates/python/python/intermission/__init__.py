"""Scripts that can stop, ask, and carry on: a sandbox for code that language models write.

>>> from intermission import host_function, run_sync
>>> @host_function
... def add(a: int, b: int) -> int:
...     return a + b
>>> run_sync("return await add({ a: 1, b: 2 })", host_functions=[add]).unwrap()
3
"""

from ._native import Continuation, HostCall, Report
from .claims import Claimed, Claims, Conflict, Done, Point, Yours
from .codec import (
    ClaimedEntry,
    Codec,
    ContinuationStore,
    CustomCodec,
    Key,
    Keys,
    Opened,
    Scope,
    StoredEntry,
    UsedEntry,
    codec,
    open_codec,
    sealed,
    signed,
    stored,
)
from .errors import (
    CodecError,
    DetachedError,
    DivergedError,
    Frame,
    IntermissionError,
    LimitError,
    OptionsError,
    ResumeError,
    RunError,
    RunsError,
    ScriptError,
    SourceError,
    ValueRefused,
)
from .host_call import Interrupt, current_call, interrupt
from .host_function import Effect, HostFunction, HostFunctions, approval, host_function
from .interruption import (
    Interruption,
    Position,
    Resolution,
    Resume,
    answer,
    approve,
    approve_with,
    deny,
    did_not_happen,
    failed,
    happened,
)
from .limits import Limits
from .modules import ModuleLoader, Modules
from .policy import Allow, Ask, Decision, Deny, Policy, ProposedCall
from .reconcile import Reconciled
from .result import (
    Cancelled,
    Completed,
    ConsoleEntry,
    DetachedCall,
    Failed,
    Inspection,
    Interrupted,
    RunResult,
    Stats,
)
from .run import resume, resume_sync, run, run_sync
from .run_handle import RunHandle
from .runner import From, Runner
from .runs import Runs, open_runs
from .sink import LedgerSink
from .stored_run import Asked, Given, Notice, StoredRun
from .sync_runs import SyncRuns, open_runs_sync
from .value import BigInt, Date, JsError, Map, RegExp, Set, View

__all__ = [
    "Allow",
    "Ask",
    "Asked",
    "BigInt",
    "Cancelled",
    "Claimed",
    "ClaimedEntry",
    "Claims",
    "Codec",
    "CodecError",
    "Completed",
    "Conflict",
    "ConsoleEntry",
    "Continuation",
    "ContinuationStore",
    "CustomCodec",
    "Date",
    "Decision",
    "Deny",
    "DetachedCall",
    "DetachedError",
    "DivergedError",
    "Done",
    "Effect",
    "Failed",
    "Frame",
    "From",
    "Given",
    "HostCall",
    "HostFunction",
    "HostFunctions",
    "Inspection",
    "IntermissionError",
    "Interrupt",
    "Interrupted",
    "Interruption",
    "JsError",
    "Key",
    "Keys",
    "LedgerSink",
    "LimitError",
    "Limits",
    "Map",
    "ModuleLoader",
    "Modules",
    "Notice",
    "Opened",
    "OptionsError",
    "Point",
    "Policy",
    "Position",
    "ProposedCall",
    "Reconciled",
    "RegExp",
    "Report",
    "Resolution",
    "Resume",
    "ResumeError",
    "RunError",
    "RunHandle",
    "RunResult",
    "Runner",
    "Runs",
    "RunsError",
    "Scope",
    "ScriptError",
    "Set",
    "SourceError",
    "Stats",
    "StoredEntry",
    "StoredRun",
    "SyncRuns",
    "UsedEntry",
    "ValueRefused",
    "View",
    "Yours",
    "answer",
    "approval",
    "approve",
    "approve_with",
    "codec",
    "current_call",
    "deny",
    "did_not_happen",
    "failed",
    "happened",
    "host_function",
    "interrupt",
    "open_codec",
    "open_runs",
    "open_runs_sync",
    "resume",
    "resume_sync",
    "run",
    "run_sync",
    "sealed",
    "signed",
    "stored",
]
