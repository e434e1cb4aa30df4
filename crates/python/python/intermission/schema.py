"""JSON Schemas of type hints, and from what fits one to what the hints say.

The standard types are treated here, whether pydantic is installed or not: the schemas of a function are part of what its runs are bound to, so they should not change with what else is installed. Pydantic's own models
have the schemas that it gives them.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import enum
import inspect
import json
import sys
import types
import typing
from typing import Any, Callable, Literal, Union, get_args, get_origin

from .value import BigInt, Date, JsError, Map, RegExp, Set, View

JsonSchema = dict[str, Any]

#: From a value that fits a schema to what its hint says.
Convert = Callable[[Any], Any]


class NoSchema(TypeError):
    """There is no JSON Schema of a type."""


@dataclasses.dataclass(frozen=True)
class Hint:
    """What a hint comes to."""

    schema: JsonSchema
    #: `None`: as it is.
    convert: Convert | None = None
    #: Whether a value is meant by this hint, of several that it may be meant by. `None`: as the schema says.
    means: Callable[[Any], bool] | None = None

    def fits(self, value: Any) -> bool:
        """Whether a value, which fits one of several hints, fits this one."""
        return _fits(self.schema, value) if self.means is None else self.means(value)


#: JSON has no word for these: they are as they come.
_OURS = (BigInt, Date, JsError, Map, RegExp, Set, View)

_PLAIN: dict[Any, JsonSchema] = {
    Any: {},
    object: {},
    inspect.Parameter.empty: {},
    None: {"type": "null"},
    type(None): {"type": "null"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    bytes: {},
    bytearray: {},
    list: {"type": "array"},
    tuple: {"type": "array"},
    dict: {"type": "object"},
}


def of_hint(hint: Any) -> Hint:
    """What a type hint comes to. Raises `NoSchema`."""
    try:
        if hint in _PLAIN:
            means = (lambda value: isinstance(value, hint)) if hint in (bytes, bytearray) else None
            return Hint(dict(_PLAIN[hint]), None, means)
    except TypeError:
        pass  # It cannot be hashed, and is none of them.
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is typing.Annotated:
        return _annotated(arguments)
    if origin is Literal:
        return Hint({"enum": [value.value if isinstance(value, enum.Enum) else value for value in arguments]})
    if origin is Union or origin is types.UnionType:
        return _union([of_hint(argument) for argument in arguments])
    if hint is datetime.datetime:
        return Hint({"type": "string", "format": "date-time"}, _datetime, _converts(_datetime))
    if hint is datetime.date:
        return Hint({"type": "string", "format": "date"}, _date, _converts(_date))
    if origin in _REQUIRED:
        return of_hint(arguments[0])
    if _is_pydantic(hint):
        return _of_pydantic(hint)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return Hint({"enum": [member.value for member in hint]}, hint)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _of_dataclass(hint)
    if typing.is_typeddict(hint):
        return _of_typed_dict(hint)
    container = origin if isinstance(origin, type) else hint
    if isinstance(container, type):
        if container in _OURS:
            return Hint({}, None, lambda value: isinstance(value, container))
        if issubclass(container, (set, frozenset, collections.abc.Set)):
            return _of_set(container, arguments)
        if issubclass(container, tuple):
            return _of_tuple(arguments)
        if issubclass(container, collections.abc.Mapping):
            return _of_mapping(arguments)
        if container is not str and issubclass(container, collections.abc.Sequence) or container is collections.abc.Iterable:
            return _of_list(arguments)
    raise NoSchema(f"there is no JSON Schema of {hint!r}")


_REQUIRED = tuple(
    getattr(module, name)
    for module in (typing, sys.modules.get("typing_extensions"))
    for name in ("Required", "NotRequired")
    if module is not None and hasattr(module, name)
)


def _annotated(arguments: tuple[Any, ...]) -> Hint:
    inner, *said = arguments
    hint = of_hint(inner)
    texts = [text for text in said if isinstance(text, str)]
    return dataclasses.replace(hint, schema={**hint.schema, "description": texts[0]}) if texts else hint


def _union(hints: list[Hint]) -> Hint:
    schema: JsonSchema = {"anyOf": [hint.schema for hint in hints]}

    def means(value: Any) -> bool:
        return any(hint.fits(value) for hint in hints)

    if all(hint.convert is None for hint in hints):
        return Hint(schema, None, means)

    def convert(value: Any) -> Any:
        for hint in hints:
            if hint.fits(value):
                return _converted(hint, value)
        # It fits the schema still: whatever can be made of it.
        for hint in hints:
            if hint.convert is not None and _converts(hint.convert)(value):
                return hint.convert(value)
        return value

    return Hint(schema, convert, means)


_KINDS: dict[str, Callable[[Any], bool]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool) and value == value // 1,
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, (list, tuple)),
    "object": lambda value: isinstance(value, dict),
}


def _fits(schema: JsonSchema, value: Any) -> bool:
    kind = schema.get("type")
    if isinstance(kind, str) and not _KINDS[kind](value):
        return False
    if "enum" in schema:
        return any(isinstance(value, bool) is isinstance(one, bool) and value == one for one in schema["enum"])
    return True


def _converts(convert: Convert) -> Callable[[Any], bool]:
    """Of a conversion that refuses what it is not for."""

    def means(value: Any) -> bool:
        try:
            convert(value)
        except (TypeError, ValueError, AttributeError):
            return False
        return True

    return means


def _datetime(value: Any) -> Any:
    if isinstance(value, datetime.datetime):
        return value
    # Python 3.10 does not know the Z.
    return datetime.datetime.fromisoformat(value[:-1] + "+00:00" if value.endswith("Z") else value)


def _date(value: Any) -> Any:
    if isinstance(value, datetime.datetime):
        return value.date()
    return datetime.date.fromisoformat(value)


def _of_list(arguments: tuple[Any, ...]) -> Hint:
    if not arguments:
        return Hint({"type": "array"})
    item = of_hint(arguments[0])
    convert = item.convert
    return Hint(
        {"type": "array", "items": item.schema},
        None if convert is None else lambda value: [convert(element) for element in value],
        lambda value: _KINDS["array"](value) and all(map(item.fits, value)),
    )


def _of_tuple(arguments: tuple[Any, ...]) -> Hint:
    if not arguments:
        return Hint({"type": "array"}, tuple, _KINDS["array"])
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        items = _of_list(arguments[:1])
        convert = items.convert
        return Hint(items.schema, tuple if convert is None else lambda value: tuple(convert(value)), items.fits)
    hints = [of_hint(argument) for argument in arguments]
    schema: JsonSchema = {
        "type": "array",
        "prefixItems": [hint.schema for hint in hints],
        "minItems": len(hints),
        "maxItems": len(hints),
    }
    return Hint(
        schema,
        lambda value: tuple(_converted(hint, part) for hint, part in zip(hints, value)),
        lambda value: _KINDS["array"](value)
        and len(value) == len(hints)
        and all(hint.fits(part) for hint, part in zip(hints, value)),
    )


def _of_set(container: type, arguments: tuple[Any, ...]) -> Hint:
    items = _of_list(arguments)
    convert = items.convert
    made = frozenset if issubclass(container, frozenset) else set
    schema = {**items.schema, "uniqueItems": True}
    return Hint(schema, lambda value: made(value if convert is None else convert(value)), items.fits)


def _of_mapping(arguments: tuple[Any, ...]) -> Hint:
    if len(arguments) != 2:
        return Hint({"type": "object"})
    if arguments[0] is not str:
        raise NoSchema(f"the keys of an object are strings, not {arguments[0]!r}")
    item = of_hint(arguments[1])
    convert = item.convert
    return Hint(
        {"type": "object", "additionalProperties": item.schema},
        None if convert is None else lambda value: {key: convert(held) for key, held in value.items()},
        lambda value: isinstance(value, dict) and all(map(item.fits, value.values())),
    )


def _of_dataclass(hint: type) -> Hint:
    hints = typing.get_type_hints(hint, include_extras=True)
    fields = {field.name: of_hint(hints[field.name]) for field in dataclasses.fields(hint) if field.init}
    required = [
        field.name
        for field in dataclasses.fields(hint)
        if field.init and field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    ]
    return Hint(_object(fields, required), lambda value: hint(**_converted_fields(fields, value)), _means_fields(fields, required))


def _of_typed_dict(hint: Any) -> Hint:
    hints = typing.get_type_hints(hint, include_extras=True)
    fields = {name: of_hint(inner) for name, inner in hints.items()}
    required = [name for name in hints if name in hint.__required_keys__]
    return Hint(_object(fields, required), lambda value: _converted_fields(fields, value), _means_fields(fields, required))


def _object(fields: dict[str, Hint], required: list[str]) -> JsonSchema:
    schema: JsonSchema = {"type": "object", "properties": {name: hint.schema for name, hint in fields.items()}}
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    return schema


def _converted(hint: Hint, value: Any) -> Any:
    return value if hint.convert is None else hint.convert(value)


def _converted_fields(fields: dict[str, Hint], value: Any) -> dict[str, Any]:
    return {name: _converted(fields[name], held) for name, held in value.items() if name in fields}


def _means_fields(fields: dict[str, Hint], required: list[str]) -> Callable[[Any], bool]:
    def means(value: Any) -> bool:
        return (
            isinstance(value, dict)
            and all(name in value for name in required)
            and all(name in fields and fields[name].fits(held) for name, held in value.items())
        )

    return means


def _is_pydantic(hint: Any) -> bool:
    return isinstance(hint, type) and hasattr(hint, "model_json_schema") and hasattr(hint, "model_validate")


def _of_pydantic(hint: Any) -> Hint:
    return Hint(hint.model_json_schema(), hint.model_validate, lambda value: _is_valid(hint, value))


def _is_valid(model: Any, value: Any) -> bool:
    """By pydantic's strict rules for JSON: a text of digits is no number then, but a text of a date is a date."""
    try:
        model.model_validate_json(json.dumps(value), strict=True)
    except (TypeError, ValueError):
        return False
    return True


def schema_of(given: Any, mode: Literal["input", "output"]) -> Hint:
    """Of what a host function was given as its schema: a JSON Schema as a dict, or a type."""
    if isinstance(given, collections.abc.Mapping):
        return Hint(dict(given))
    if mode == "output" and _is_pydantic(given):
        return dataclasses.replace(_of_pydantic(given), schema=given.model_json_schema(mode="serialization"))
    return of_hint(given)


@dataclasses.dataclass(frozen=True)
class Signature:
    """What the parameters of a function come to: one object, whose properties they are."""

    hint: Hint
    result: Hint | None


def of_signature(function: Callable[..., Any]) -> Signature:
    """The schemas of a function's hints. Raises `TypeError` where there is none."""
    name = getattr(function, "__qualname__", repr(function))
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except NameError as error:
        raise TypeError(f"{name}: its type hints cannot be read: {error}") from error
    fields: dict[str, Hint] = {}
    required: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TypeError(
                f"{name}: the parameter {parameter} has no name that a script could use; give the schema of its one argument with input=, or lend the function without host_function"
            )
        try:
            fields[parameter.name] = of_hint(hints.get(parameter.name, Any))
        except NoSchema as error:
            raise NoSchema(f"{name}: {parameter.name}: {error}; give the schema with input=") from None
        if parameter.default is parameter.empty:
            required.append(parameter.name)
    convert: Convert | None = None
    if any(hint.convert is not None for hint in fields.values()):
        convert = lambda value: _converted_fields(fields, value or {})
    result: Hint | None = None
    if "return" in hints:
        try:
            result = schema_of(hints["return"], "output")
        except NoSchema:
            result = None
        if result is not None and not result.schema:
            result = None
    schema = _object(fields, required)
    if not required:
        # `f()` is as good as `f({})`.
        schema["type"] = ["object", "null"]
    return Signature(Hint(schema, convert), result)
