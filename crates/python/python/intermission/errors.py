"""Everything that this package raises or tells. `code` is stable: what a program decides by."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .interruption import Position


class IntermissionError(Exception):
    """What all of them are."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        #: Stable.
        self.code = code
        self.message = message

    def __reduce__(self) -> Any:
        return (_again, (type(self), self.args, self.__dict__))


def _again(kind: type[IntermissionError], args: tuple[Any, ...], state: dict[str, Any]) -> IntermissionError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


class OptionsError(IntermissionError):
    """Options that are refused: a name of a host function, a schema, a key."""


class ValueRefused(IntermissionError, TypeError):
    """A value that cannot cross the boundary."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__("VALUE_REFUSED", f"{path or 'the value'} cannot cross: {why}")
        #: Where in the value the offender is, as in `args[0].rows[3].callback`.
        self.path = path
        self.why = why


@dataclasses.dataclass(frozen=True)
class Frame:
    """A line of a script's stack."""

    #: `None` for the script's top level and for anonymous functions.
    function: str | None
    file: str
    line: int
    column: int


class RunError(IntermissionError):
    """Why a run has no value."""


class ScriptError(RunError):
    """The script threw, or rejected. Where that is what a host function of this invocation raised, `__cause__` is that very exception, with its traceback."""

    def __init__(self, code: str, message: str, thrown: Any, frames: tuple[Frame, ...], stack: str) -> None:
        super().__init__(code, message)
        #: What it threw: a `JsError`, or any other value.
        self.thrown = thrown
        #: The script's own frames, innermost first, at their places in the original text.
        self.frames = frames
        #: The same as a text.
        self.stack = stack


class LimitError(RunError):
    """A limit is exhausted."""

    def __init__(self, code: str, message: str, limit: str, allowed: int, used: int, unit: str) -> None:
        super().__init__(code, message)
        #: Its name in the configuration.
        self.limit = limit
        #: What was allowed, in `unit`.
        self.allowed = allowed
        #: What was used, or would have been.
        self.used = used
        self.unit = unit


class SourceError(RunError):
    """The text is no script."""

    def __init__(self, code: str, message: str, position: Position | None) -> None:
        super().__init__(code, message)
        self.position = position


class DivergedError(RunError):
    """The script does not do what its ledger says. Nothing was called."""

    def __init__(self, code: str, message: str, entry: int, file: str | None, position: Position | None) -> None:
        super().__init__(code, message)
        #: The index of the ledger's entry, from 0.
        self.entry = entry
        self.file = file
        self.position = position


class DetachedError(RunError):
    """In strict mode: the script ended without having waited for host calls."""

    def __init__(self, code: str, message: str, calls: tuple[str, ...]) -> None:
        super().__init__(code, message)
        #: `function (line:column)` of each.
        self.calls = calls


class ResumeError(IntermissionError):
    """Why a resume is refused. Nothing has run then, and nothing has changed: the next correct resume works."""

    def __init__(
        self,
        code: str,
        message: str,
        interruption_id: str | None = None,
        winner: str | None = None,
        host_function: str | None = None,
    ) -> None:
        super().__init__(code, message)
        #: What was answered, where it is the answer that is refused.
        self.interruption_id = interruption_id
        #: The answers that were first, of a conflict.
        self.winner = winner
        #: The host function that is missing or has changed.
        self.host_function = host_function


class CodecError(IntermissionError):
    """Why a token could not be made or read."""


class RunsError(IntermissionError):
    """Why something could not be done with a run of a store. Nothing has changed then."""

    def __init__(self, code: str, message: str, winner: Any = None) -> None:
        super().__init__(code, message)
        #: Of a conflict: the answer that was first, as a text; or the event's value.
        self.winner = winner


def run_error(code: str, message: str, more: dict[str, Any]) -> RunError:
    """What the native layer says of a run that failed."""
    if "thrown" in more:
        thrown = more["thrown"]
        return ScriptError(code, message, thrown_value(thrown), thrown["frames"], thrown["stack"])
    if "limit" in more:
        return LimitError(code, message, more["limit"], more["allowed"], more["used"], more["unit"])
    if "source" in more:
        return SourceError(code, message, more["source"])
    if "entry" in more:
        return DivergedError(code, message, more["entry"], more["file"], more["position"])
    if "calls" in more:
        return DetachedError(code, message, tuple(more["calls"]))
    return RunError(code, message)


def thrown_value(thrown: dict[str, Any]) -> Any:
    """What a script threw."""
    from .value import JsError

    name, message = thrown["name"], thrown["message"]
    if name is None and message is None:
        return thrown.get("value")
    error = JsError(name or "Error", message or "")
    properties = thrown.get("properties")
    if isinstance(properties, dict):
        error.code = properties.get("code")
        error.properties = properties
    if "cause" in thrown:
        error.cause = thrown_value(thrown["cause"])
        if isinstance(error.cause, BaseException):
            error.__cause__ = error.cause
    if "errors" in thrown:
        error.errors = [thrown_value(inner) for inner in thrown["errors"]]
    error.stack = thrown["stack"]
    return error
