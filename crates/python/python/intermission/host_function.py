"""What a host lends to scripts."""

from __future__ import annotations

import collections.abc
import dataclasses
import functools
import inspect
import json
from typing import Any, Callable, Generic, Iterable, Literal, Mapping, ParamSpec, TypeVar, Union, overload

from .errors import IntermissionError
from .reconcile import Probe
from .schema import Hint, of_signature, schema_of

P = ParamSpec("P")
R = TypeVar("R")

#: What may happen when a call is made again, because its outcome was lost: nothing (`pure`), the same as once with the same idempotency key (`idempotent`), or twice (`unsafe`).
Effect = Literal["pure", "idempotent", "unsafe"]


class HostFunction(Generic[P, R]):
    """A function that a host lends to scripts, as `host_function` makes it. It can still be called like the function that it was."""

    def __init__(
        self,
        function: Callable[P, R],
        *,
        name: str | None,
        description: str | None,
        input: Any,
        output: Any,
        effect: Effect,
        blocking: bool,
        approval: bool,
        reconcile: Probe | None,
    ) -> None:
        self.function = function
        #: `group.name` or `name`.
        self.name: str = name or str(getattr(function, "__name__", ""))
        self.description: str | None = description or inspect.getdoc(function)
        self.effect: Effect = effect
        self.blocking = blocking
        self.approval = approval
        self.reconcile = reconcile
        self.__doc__ = self.description
        self.__wrapped__ = function
        self._input: Hint
        self._output: Hint | None
        self._takes_one = input is not None
        if input is None:
            signature = of_signature(function)
            self._input, self._output = signature.hint, signature.result
        else:
            self._input, self._output = schema_of(input, "input"), None
        if output is not None:
            self._output = schema_of(output, "output")

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<HostFunction {self.name}>"

    @property
    def input_schema(self) -> dict[str, Any]:
        """Of the script's one argument."""
        return self._input.schema

    @property
    def output_schema(self) -> dict[str, Any] | None:
        """Of the result."""
        return None if self._output is None else self._output.schema

    def declaration(self, name: str) -> dict[str, Any]:
        """As the native layer takes it."""
        said: dict[str, Any] = {
            "name": name,
            "description": self.description,
            "inputSchema": json.dumps(self._input.schema) if self._input.schema else None,
            "outputSchema": json.dumps(self._output.schema) if self._output is not None else None,
            "effect": self.effect,
            "blocking": self.blocking,
            "approval": self.approval,
            "reconcile": None if self.reconcile is None else True,
        }
        return {key: value for key, value in said.items() if value is not None}

    def called(self, name: str, arguments: list[Any]) -> Any:
        """With a script's arguments."""
        return self._with_arguments(self.function, name, arguments)

    def probed(self, name: str, arguments: list[Any]) -> Any:
        """What became of a call with these arguments."""
        assert self.reconcile is not None
        return self._with_arguments(self.reconcile, name, arguments)

    def _with_arguments(self, function: Callable[..., Any], name: str, arguments: list[Any]) -> Any:
        given = arguments[0] if arguments else None
        if self._input.convert is not None:
            try:
                given = self._input.convert(given)
            except (TypeError, ValueError) as error:
                raise InputInvalid(f"{name} was called with what does not fit: {error}") from error
        if self._takes_one:
            return function(given)
        return function(**(given or {}))


class InputInvalid(IntermissionError, TypeError):
    """A script's argument that fits its schema, and not the type that it stands for."""

    def __init__(self, message: str) -> None:
        super().__init__("HOST_INPUT_INVALID", message)


@overload
def host_function(function: Callable[P, R], /) -> HostFunction[P, R]: ...
@overload
def host_function(
    *,
    name: str | None = None,
    description: str | None = None,
    input: Any = None,
    output: Any = None,
    effect: Effect = "unsafe",
    blocking: bool = False,
    approval: bool = False,
    reconcile: Probe | None = None,
) -> Callable[[Callable[P, R]], HostFunction[P, R]]: ...
def host_function(
    function: Any = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    input: Any = None,
    output: Any = None,
    effect: Effect = "unsafe",
    blocking: bool = False,
    approval: bool = False,
    reconcile: Probe | None = None,
) -> Any:
    """Makes a host function of a function, `def` or `async def`. Scripts call it with one object, whose properties are its parameters; the JSON Schemas come from its type hints, the description from its docstring.

    >>> @host_function
    ... def add(a: int, b: int) -> int:
    ...     '''Adds two numbers.'''
    ...     return a + b
    >>> add.input_schema["required"]
    ['a', 'b']

    `name` is `group.name` or `name`; by default the function's own. `input` is the schema of a script's argument instead: a JSON Schema as a dict, or a type; the function gets that one argument then. `output` likewise of
    its result. A call that does not fit is rejected with a `TypeError`, and the function is not run. `effect` says what may happen when a call is made again. With `blocking` the script stands still until the function
    has answered, and gets the value itself. With `approval` each call is an interruption before it is made.

    `reconcile` is a probe for a call whose outcome was lost, because its process died. It gets what the function gets, finds the call in `current_call()`, idempotency key included, and gives what became of it: a
    `Reconciled`. It has no effect, and may be asked any number of times; where it raises, nobody knows. It may be `async def`.
    """
    options: dict[str, Any] = {
        "name": name,
        "description": description,
        "input": input,
        "output": output,
        "effect": effect,
        "blocking": blocking,
        "approval": approval,
        "reconcile": reconcile,
    }
    if function is None:
        return lambda function: HostFunction(function, **options)
    return HostFunction(function, **options)


@dataclasses.dataclass(frozen=True)
class _Plain:
    """A function that takes a script's arguments as they come."""

    function: Callable[..., Any]
    approval: bool = False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    def declaration(self, name: str) -> dict[str, Any]:
        description = inspect.getdoc(self.function)
        said: dict[str, Any] = {"name": name, "approval": self.approval}
        return said if description is None else {**said, "description": description}

    def called(self, name: str, arguments: list[Any]) -> Any:
        return self.function(*arguments)


@overload
def approval(of: HostFunction[P, R]) -> HostFunction[P, R]: ...
@overload
def approval(of: Callable[..., Any]) -> Lendable: ...
def approval(of: Any) -> Any:
    """The same function, but each call of it is an interruption before it is made, and is answered by `approve`, `approve_with` or `deny`. A call whose arguments do not fit the input schema is rejected without asking."""
    if isinstance(of, HostFunction):
        same = HostFunction.__new__(HostFunction)
        same.__dict__.update(of.__dict__)
        same.approval = True
        return same
    if isinstance(of, _Plain):
        return dataclasses.replace(of, approval=True)
    if callable(of):
        return _Plain(of, approval=True)
    raise TypeError(f"approval() is for functions, not for {of!r}")


Lendable = Union["HostFunction[..., Any]", _Plain, Callable[..., Any]]

#: What a runner lends: functions that `host_function` made; or `name`, or `group: {name}`, and a function, which may be any.
HostFunctions = Union[Iterable["HostFunction[..., Any]"], Mapping[str, Union[Lendable, Mapping[str, Any]]]]


@dataclasses.dataclass(frozen=True)
class Lent:
    """What a runner lends, for the native layer and for the loop."""

    declarations: list[dict[str, Any]]
    #: With a script's arguments.
    callees: dict[str, Callable[[list[Any]], Any]]
    #: Likewise, of those that have one.
    probes: dict[str, Callable[[list[Any]], Any]]


def lend(functions: HostFunctions) -> Lent:
    """Checks the shape of what is lent; names and schemas are checked by the library."""
    lent = Lent([], {}, {})

    def add(name: str, of: Lendable) -> None:
        function = of if isinstance(of, (HostFunction, _Plain)) else _Plain(of)
        lent.declarations.append(function.declaration(name))
        lent.callees[name] = lambda arguments: function.called(name, arguments)
        if isinstance(function, HostFunction) and function.reconcile is not None:
            lent.probes[name] = functools.partial(function.probed, name)

    if isinstance(functions, collections.abc.Mapping):
        for name, value in functions.items():
            if isinstance(value, collections.abc.Mapping):
                for inner, of in value.items():
                    if not _is_lendable(of):
                        raise TypeError(f"host_functions[{name!r}][{inner!r}] is no function")
                    add(f"{name}.{inner}", of)
            elif _is_lendable(value):
                add(name, value)
            else:
                raise TypeError(f"host_functions[{name!r}] is neither a function nor a group of functions")
        return lent
    for of in functions:
        if not isinstance(of, HostFunction):
            raise TypeError(f"{of!r} has no name and no schemas: make it with host_function, or lend it in a dict, under a name")
        add(of.name, of)
    return lent


def _is_lendable(value: Any) -> bool:
    return isinstance(value, (HostFunction, _Plain)) or callable(value)
