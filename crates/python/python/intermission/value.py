"""Values that cross the boundary and that Python has no type of its own for, and what stands for the rest."""

from __future__ import annotations

import array
import collections.abc
import dataclasses
import datetime
import enum
import math
import sys
from typing import Any, Generic, Iterable, Iterator, TypeVar

from .errors import ValueRefused

K = TypeVar("K")
V = TypeVar("V")


class BigInt(int):
    """A BigInt of JavaScript. It is an `int`; but a small one crosses as a BigInt again, and not as a Number.

    >>> BigInt(7) + 1
    8
    """

    __slots__ = ()

    def __repr__(self) -> str:
        # Of more digits Python makes no decimal text.
        return f"BigInt({int(self)})" if self.bit_length() < 14_000 else f"BigInt({int(self):#x})"


@dataclasses.dataclass(frozen=True)
class RegExp:
    """A regular expression of JavaScript, which nothing here compiles: its dialect is not Python's."""

    source: str
    flags: str = ""


@dataclasses.dataclass(frozen=True)
class View:
    """A typed array that Python has no type for, a DataView, or an ArrayBuffer: its class in JavaScript, and its bytes, little-endian."""

    kind: str
    data: bytes


@dataclasses.dataclass(frozen=True)
class Date:
    """A Date that no `datetime` can hold: milliseconds since 1970, `None` for an invalid one."""

    ms: int | None


class JsError(Exception):
    """An error of JavaScript as a value, or as what a script threw."""

    def __init__(self, name: str, message: str, code: str | float | None = None) -> None:
        super().__init__(message)
        #: The class's name: `TypeError`, or any other text.
        self.name = name
        self.message = message
        #: A code for programs.
        self.code = code
        #: What brought it about. Absent is not the same as `None`: see `has_cause`.
        self.cause: Any = ABSENT
        #: The errors of an `AggregateError`.
        self.errors: Any = ABSENT
        #: The script's own stack, as a text; empty of an error that came as a value.
        self.stack = ""
        #: What else a thrown error has of its own, by the names that the script gave.
        self.properties: dict[str, Any] = {}

    @property
    def has_cause(self) -> bool:
        return self.cause is not ABSENT

    def __str__(self) -> str:
        return f"{self.name}: {self.message}" if self.message else self.name

    def __repr__(self) -> str:
        return f"JsError({self.name!r}, {self.message!r})"

    def __reduce__(self) -> Any:
        known = ("cause", "errors", "stack", "properties")
        return (JsError, (self.name, self.message, self.code), {name: getattr(self, name) for name in known})


class _Absent:
    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False

    def __reduce__(self) -> str:
        return "ABSENT"


#: What stands where nothing is.
ABSENT: Any = _Absent()


def _same_value_zero(key: object) -> object:
    """What JavaScript's Map and Set tell keys apart by."""
    if isinstance(key, BigInt):
        return ("bigint", int(key))
    if isinstance(key, bool) or key is None or isinstance(key, str):
        return (type(key), key)
    if isinstance(key, (int, float)):
        return ("number", "NaN" if key != key else key)
    return ("object", id(key))


class Map(collections.abc.MutableMapping[K, V], Generic[K, V]):
    """A Map of JavaScript: keys of any kind, in order of insertion. Objects are told apart by identity; `1`, `True` and `BigInt(1)` are three keys.

    >>> Map([("name", "ann")]) == {"name": "ann"}
    True
    """

    __slots__ = ("_entries", "__weakref__")

    def __init__(self, entries: Iterable[tuple[K, V]] | collections.abc.Mapping[K, V] = ()) -> None:
        self._entries: dict[object, tuple[K, V]] = {}
        pairs = entries.items() if isinstance(entries, collections.abc.Mapping) else entries
        for key, value in pairs:
            self[key] = value

    def __getitem__(self, key: K) -> V:
        try:
            return self._entries[_same_value_zero(key)][1]
        except KeyError:
            raise KeyError(key) from None

    def __setitem__(self, key: K, value: V) -> None:
        self._entries[_same_value_zero(key)] = (key, value)

    def __delitem__(self, key: K) -> None:
        del self._entries[_same_value_zero(key)]

    def __iter__(self) -> Iterator[K]:
        return (key for key, _ in self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Map):
            return list(self._entries.values()) == list(other._entries.values())
        if isinstance(other, collections.abc.Mapping):
            return len(self) == len(other) and all(key in self and self[key] == other[key] for key in other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Map({list(self._entries.values())!r})"


class Set(collections.abc.MutableSet[V], Generic[V]):
    """A Set of JavaScript: members of any kind, in order of insertion. Objects are told apart by identity.

    >>> Set([2, 1]) == {1, 2}
    True
    """

    __slots__ = ("_members", "__weakref__")

    def __init__(self, members: Iterable[V] = ()) -> None:
        self._members: dict[object, V] = {}
        for member in members:
            self.add(member)

    def add(self, value: V) -> None:
        self._members.setdefault(_same_value_zero(value), value)

    def discard(self, value: V) -> None:
        self._members.pop(_same_value_zero(value), None)

    def __contains__(self, value: object) -> bool:
        return _same_value_zero(value) in self._members

    def __iter__(self) -> Iterator[V]:
        return iter(self._members.values())

    def __len__(self) -> int:
        return len(self._members)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Set({list(self._members.values())!r})"


_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_MS = datetime.timedelta(milliseconds=1)

#: Typed arrays that the module `array` has, too, by kind and size of their elements.
_ARRAYS = {
    "Int8Array": "b",
    "Int16Array": "h",
    "Uint16Array": "H",
    "Int32Array": "i",
    "Uint32Array": "I",
    "BigInt64Array": "q",
    "BigUint64Array": "Q",
    "Float32Array": "f",
    "Float64Array": "d",
}
_SIGNED = {1: "Int8Array", 2: "Int16Array", 4: "Int32Array", 8: "BigInt64Array"}
_UNSIGNED = {1: "Uint8Array", 2: "Uint16Array", 4: "Uint32Array", 8: "BigUint64Array"}
_FLOATS = {"f": "Float32Array", "d": "Float64Array"}


def made_date(ms: int | None) -> datetime.datetime | Date:
    """A date that came from a script."""
    if ms is None:
        return Date(None)
    try:
        return _EPOCH + datetime.timedelta(milliseconds=ms)
    except OverflowError:
        return Date(ms)


def made_view(kind: str, data: bytes) -> array.array[Any] | View:
    """A typed array that came from a script, other than a `Uint8Array`, which is `bytes`."""
    code = _ARRAYS.get(kind)
    if code is None:
        return View(kind, data)
    view: array.array[Any] = array.array(code)
    view.frombytes(data)
    if sys.byteorder == "big":
        view.byteswap()
    return view


def lower(value: Any) -> tuple[Any, ...]:
    """What an object stands for that is none of JSON's: its kind and its parts. The native layer asks this of everything that it does not know."""
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            return _no("it is a datetime without a time zone: give it one, as in datetime.now(timezone.utc)")
        return ("date", (value - _EPOCH) // _MS)
    if isinstance(value, Map):
        return ("map", [(_plus_zero(key), held) for key, held in value._entries.values()])
    if isinstance(value, (Set, set, frozenset)):
        return ("set", [_plus_zero(member) for member in value])
    if isinstance(value, (bytearray, memoryview)):
        return ("view", "Uint8Array", bytes(value))
    if isinstance(value, array.array):
        return _array(value)
    if isinstance(value, View):
        return ("view", value.kind, value.data)
    if isinstance(value, Date):
        return ("date", value.ms)
    if isinstance(value, RegExp):
        return ("regexp", value.source, value.flags)
    if isinstance(value, BaseException):
        return _error(value)
    if isinstance(value, type):
        return _no(f"it is the class {value.__qualname__}")
    if isinstance(value, enum.Enum):
        return ("same", value.value)
    if dataclasses.is_dataclass(value):
        return ("object", {field.name: getattr(value, field.name) for field in dataclasses.fields(value)})
    dump = getattr(value, "model_dump", None)
    if callable(dump) and hasattr(type(value), "model_fields"):
        return ("same", dump(mode="json", by_alias=True))
    return _no(_description(value))


def _no(why: str) -> tuple[Any, ...]:
    return ("no", why)


def _plus_zero(member: Any) -> Any:
    return 0 if isinstance(member, float) and member == 0.0 and math.copysign(1.0, member) < 0 else member


def _array(value: array.array[Any]) -> tuple[Any, ...]:
    if value.typecode in "uw":
        return _no("it is an array of characters: use a str")
    kinds = _SIGNED if value.typecode.islower() else _UNSIGNED
    kind = _FLOATS.get(value.typecode) or kinds[value.itemsize]
    if sys.byteorder == "big":
        value = value[:]
        value.byteswap()
    return ("view", kind, value.tobytes())


def _error(error: BaseException) -> tuple[Any, ...]:
    name, message, code = error_parts(error)
    if isinstance(error, JsError):
        cause = () if error.cause is ABSENT else (error.cause,)
        errors = () if error.errors is ABSENT else (error.errors,)
        return ("error", name, message, code, cause, errors)
    inner = getattr(error, "exceptions", None)
    errors = (list(inner),) if isinstance(inner, tuple) else ()
    cause = () if error.__cause__ is None else (error.__cause__,)
    return ("error", "AggregateError" if errors else name, message, code, cause, errors)


def error_parts(error: BaseException) -> tuple[str, str, str | float | None]:
    """Name, message and code, as a script sees them."""
    if isinstance(error, JsError):
        return error.name, error.message, error.code
    code = getattr(error, "code", None)
    message = error.args[0] if isinstance(error, KeyError) and len(error.args) == 1 else error
    return type(error).__name__, str(message), code if isinstance(code, str) else None


def told_parts(error: BaseException) -> tuple[str, str, str | None]:
    """The same of any exception, as texts that can be sent: without lone surrogates, and even where the exception cannot say what it is."""
    try:
        name, message, code = error_parts(error)
        return _sendable(name), _sendable(message), _sendable(code) if isinstance(code, str) else None
    except Exception:
        return type(error).__name__, "the exception has no text that can be read", None


def told(error: BaseException) -> dict[str, Any]:
    """The same as a message."""
    name, message, code = told_parts(error)
    said = {"name": name, "message": message}
    return said if code is None else {**said, "code": code}


def _sendable(text: object) -> str:
    return str(text).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _description(value: object) -> str:
    kind = type(value)
    if isinstance(value, datetime.date):
        return "it is a date without a time: use a datetime with a time zone, or its isoformat()"
    if isinstance(value, collections.abc.Awaitable):
        return "it has to be awaited first"
    if isinstance(value, collections.abc.Iterator):
        return f"it is an iterator ({kind.__name__}): make a list of it"
    if kind.__name__ in ("function", "builtin_function_or_method", "method"):
        return "it is a function"
    if kind.__module__ == "decimal" or kind.__module__ == "uuid" or kind.__module__ == "pathlib":
        return f"it is a {kind.__name__}: make a str of it"
    return f"it is an instance of {kind.__qualname__}"


__all__ = ["BigInt", "Date", "JsError", "Map", "RegExp", "Set", "ValueRefused", "View"]
