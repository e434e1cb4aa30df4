"""The native layer: `crates/python/src`. `Continuation`, `HostCall` and `Report` are public as `intermission`'s; nobody but the package calls the rest."""

from typing import Any, Callable, final

from .errors import ResumeError
from .interruption import Interruption, Position, Resume
from .result import ConsoleEntry, DetachedCall, Stats

def encode(value: Any, root: str = "") -> bytes: ...
def decode(bytes: bytes) -> Any: ...
def forked() -> None: ...

@final
class Continuation:
    """What is needed to go on with a run: its ledger. It can be kept, copied, and resumed in any process, and says everything that the run was told and asked, so it is as secret as that. Its bytes are not authenticated: what comes
    from elsewhere than a store of your own goes through a codec."""

    def __new__(cls, bytes: bytes) -> Continuation:
        """Of plain bytes. Raises `OptionsError` where they are none of a ledger."""

    @property
    def bytes(self) -> bytes:
        """The plain bytes: docs/ledger.md."""

    @property
    def run_id(self) -> str:
        """The run."""

    @property
    def source(self) -> str:
        """The script's text: the newest, where it was changed."""

    @property
    def over(self) -> bool:
        """Whether the run is over."""

    @property
    def interruptions(self) -> tuple[Interruption, ...]:
        """The questions that are open, in order of their calls."""

    @property
    def wake_at(self) -> int | None:
        """When it is worth going on without any answer, in milliseconds since 1970: a timer is due then, or a question expires."""

    def __len__(self) -> int:
        """How many entries the ledger has."""

    def fork(self, at: int | None = None) -> Continuation:
        """Another run that has the first `at` entries in common with this one; all of them by default. Its calls have other idempotency keys."""

    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

@final
class HostCall:
    """One call of a host function, as the function sees it."""

    @property
    def run_id(self) -> str:
        """The run: the same over every pause and resume."""

    @property
    def invocation_id(self) -> str:
        """The pass over the source that makes this call."""

    @property
    def request_index(self) -> int:
        """The call's number in its run, from 1, in call order."""

    @property
    def request_id(self) -> str:
        """`<run id>.<request index>`."""

    @property
    def host_function(self) -> str:
        """`group.name` or `name`."""

    @property
    def position(self) -> Position | None:
        """Where the script calls."""

    @property
    def idempotency_key(self) -> str:
        """A key that is the same whenever this very call is made again, for services that do a thing once a key."""

    @property
    def arguments(self) -> list[Any]:
        """What the script calls it with, or an approver instead."""

    @property
    def resume(self) -> Resume | None:
        """The answer to this call's latest question; `None` where it has not asked yet."""

    @property
    def edited_from(self) -> list[Any] | None:
        """The arguments that the script gave, where an approver put others in their place."""

@final
class Report:
    """What there is to say of a run besides its value. Each part is made when it is asked for: most of it, most of the time, is not."""

    @property
    def run_id(self) -> str:
        """The run."""

    @property
    def invocation_id(self) -> str:
        """This pass over its source."""

    @property
    def data(self) -> Any:
        """The final state of the global `data`; `None` where the run was stopped, or where it cannot be sent."""

    @property
    def data_error(self) -> Any:
        """Why `data` cannot be sent, where that is so."""

    @property
    def console(self) -> tuple[ConsoleEntry, ...]:
        """Everything that came on the console, in order."""

    @property
    def replayed(self) -> int:
        """How many of these an earlier invocation has said already."""

    @property
    def detached(self) -> tuple[DetachedCall, ...]:
        """Host calls that the script had not waited for when it ended."""

    @property
    def abandoned(self) -> tuple[Interruption, ...]:
        """What was asked and never answered, because the run ended without it."""

    @property
    def unhandled(self) -> tuple[Any, ...]:
        """Rejections that nothing in the script handled."""

    @property
    def stats(self) -> Stats:
        """What it used."""

@final
class Wakes:
    def __new__(cls) -> Wakes: ...
    def fileno(self) -> int: ...
    def take(self) -> list[int]: ...

@final
class Engine:
    def __new__(cls, options: dict[str, Any]) -> Engine: ...
    def leave(self) -> None: ...

#: Calls, events, asks, answers, whether calls are no longer wanted, the end.
_Came = tuple[
    list[HostCall],
    list[Interruption],
    list[dict[str, Any]],
    list[tuple[int, ResumeError | None]],
    bool,
    tuple[bool, Any] | None,
]

@final
class Task:
    def advance(self) -> _Came | None: ...
    def settle(self, call: int, value: Any) -> _Came | None: ...
    def reject(self, call: int, name: str, message: str, code: str | None) -> _Came | None: ...
    def interrupt(
        self, call: int, payload: Any, state: Any, expires_at: int | None, default: tuple[Any] | None
    ) -> _Came | None: ...
    def answer(self, ask: int, ok: bool, body: Any) -> _Came | None: ...
    def resolve(self, number: int, given: dict[str, Any]) -> _Came | None: ...
    def cancel(self) -> _Came | None: ...
    def abort(self) -> _Came | None: ...
    def drop(self) -> None: ...

_Begun = tuple[Task, _Came | None]

@final
class Runner:
    def __new__(
        cls, engine: Engine, options: dict[str, Any], policy: Callable[..., Any] | None
    ) -> Runner: ...
    def run(
        self, wakes: Wakes, number: int, given: dict[str, Any], input: tuple[Any] | None, data: tuple[Any] | None
    ) -> _Begun: ...
    def resume(
        self, wakes: Wakes, number: int, given: dict[str, Any], continuation: Continuation | None
    ) -> _Begun: ...
    def cancel_put_away(
        self, wakes: Wakes, number: int, given: dict[str, Any], continuation: Continuation | None
    ) -> _Begun: ...
    def replay(self, wakes: Wakes, number: int, continuation: Continuation) -> _Begun: ...
    def encode(self, wakes: Wakes, number: int, continuation: Continuation, context: bytes) -> _Begun: ...
    def decode(self, wakes: Wakes, number: int, token: str, context: bytes) -> _Begun: ...
    def inspect(self, wakes: Wakes, number: int, token: str, context: bytes) -> _Begun: ...
    def types(self) -> str: ...

@final
class Runs:
    def __new__(
        cls, engine: Engine, wakes: Wakes, number: int, options: dict[str, Any], has_policy: bool
    ) -> Runs: ...
    def open(self, operation: int, options: dict[str, Any]) -> None: ...
    def start(
        self,
        operation: int,
        given: dict[str, Any],
        input: tuple[Any] | None,
        data: tuple[Any] | None,
        key: str | None,
    ) -> None: ...
    def begin(self, operation: int, given: dict[str, Any]) -> None: ...
    def forget(self, operation: int) -> None: ...
    def take(self) -> tuple[list[dict[str, Any]], list[tuple[int, bool, Any]]]: ...
    def answer(self, ask: int, ok: bool, body: Any) -> None: ...
    def interrupt(
        self, ask: int, payload: Any, state: Any, expires_at: int | None, default: tuple[Any] | None
    ) -> None: ...
    def close(self, operation: int, patience_ms: float) -> None: ...
    def live(self) -> int: ...
    def types(self) -> str: ...
