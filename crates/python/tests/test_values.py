"""Values that cross the boundary."""

from __future__ import annotations

import array
import dataclasses
import datetime
import decimal
import enum
import json
import pickle
import threading
import uuid
from pathlib import Path
from typing import Any, Callable

import pydantic
import pytest
from intermission import BigInt, Date, Failed, IntermissionError, JsError, Map, RegExp, Runner, ScriptError, Set, ValueRefused, View, run_sync
from intermission._native import decode, encode

VECTORS = Path(__file__).parents[3] / "conformance" / "vectors" / "values.jsonl"

#: What Python does not tell apart: `undefined`, holes and `null`; objects without a prototype and others; views on one buffer; whether something that cannot be changed is one object or two.
ALIKE = {
    "undefined",
    "array",
    "holes",
    "only holes",
    "hole and undefined",
    "1000 containers of all kinds inside each other",
    "undefined property",
    "null prototype",
    "null prototype with properties",
    "null prototype with __proto__",
    "map of every primitive",
    "set",
    "two views on one buffer",
    "overlapping views",
    "views on a part of a buffer: the span is aligned down",
    "views on a part of a buffer, the lower one last",
    "views that do not touch",
    "an empty view counts with its offset",
    "only empty views",
    "views on an empty buffer",
    "view and its buffer",
    "buffer and its view",
    "buffer twice and two views",
    "the same view twice is one object",
    "the same view twice and another on its buffer",
    "a shared view counts before its buffer",
    "a lone view twice on a part of its buffer",
    "error with the cause undefined",
    "error with errors of its own",
    "a cycle through a null-prototype object",
    "a shared date",
    "a shared regexp",
    "a shared null-prototype object",
    "getter that takes a key away",
}


def vectors() -> list[dict[str, str]]:
    return [json.loads(line) for line in VECTORS.read_text("utf-8").splitlines()]


def test_every_accepted_vector_is_read_and_written_again() -> None:
    accepted = [vector for vector in vectors() if "js" in vector]
    changed = set()
    for vector in accepted:
        form = bytes.fromhex(vector["bytes"])
        if encode(decode(form)) != form:
            changed.add(vector["name"])
    assert changed == ALIKE
    assert len(accepted) > 250


def test_every_rejected_vector_is_refused() -> None:
    for vector in vectors():
        if "js" not in vector:
            with pytest.raises(IntermissionError) as refused:
                decode(bytes.fromhex(vector["bytes"]))
            assert refused.value.code == "VALUE_REFUSED", vector["name"]


@dataclasses.dataclass
class Point:
    x: int
    y: float


class Model(pydantic.BaseModel):
    id: uuid.UUID
    tags: set[str] = pydantic.Field(alias="labels")


class Color(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


UTC = datetime.timezone.utc


@pytest.mark.parametrize(
    ("value", "script", "seen"),
    [
        (2**53 - 1, "typeof input", "number"),
        (2**53, "`${typeof input} ${input}`", "bigint 9007199254740992"),
        (-(2**70), "String(input)", "-1180591620717411303424"),
        (BigInt(7), "typeof input", "bigint"),
        (True, "typeof input", "boolean"),
        (None, "input === null", True),
        (1.0, "Number.isInteger(input)", True),
        ("grüezi \U0001f600", "input.length", 9),
        ("a\ud83d", "input.charCodeAt(1)", 0xD83D),
        (b"\x01\x02", "input instanceof Uint8Array && input[1]", 2),
        (bytearray(b"\x03"), "input[0]", 3),
        (array.array("d", [1.5]), "input instanceof Float64Array && input[0]", 1.5),
        (array.array("h", [-2]), "input instanceof Int16Array && input[0]", -2),
        (View("DataView", b"\x01"), "input instanceof DataView && input.getUint8(0)", 1),
        ((1, (2,)), "input[1][0]", 2),
        ({"b": 1, "a": 2}, "Object.keys(input).join()", "b,a"),
        ({"b": 1, "1": 2, "0": 3}, "Object.keys(input).join()", "0,1,b"),
        ({1, 2}, "input instanceof Set && input.size", 2),
        (Set([2, 1]), "[...input].join()", "2,1"),
        (Map([(1, "a"), ("1", "b")]), "input.get(1) + input.get('1')", "ab"),
        (datetime.datetime(2026, 1, 2, 3, 4, 5, 678901, UTC), "input.toISOString()", "2026-01-02T03:04:05.678Z"),
        (datetime.datetime(1969, 12, 31, 23, 59, 59, 999000, UTC), "input.getTime()", -1),
        (Date(None), "isNaN(input)", True),
        (RegExp("a+", "g"), "'caab'.replace(input, '-')", "c-b"),
        (ValueError("no"), "`${input instanceof Error} ${input.name} ${input.message}`", "true ValueError no"),
        (JsError("TypeError", "no", "E1"), "`${input instanceof TypeError} ${input.code}`", "true E1"),
        (Point(1, 2.5), "JSON.stringify(input)", '{"x":1,"y":2.5}'),
        (
            Model(id=uuid.UUID(int=1), labels={"a"}),
            "JSON.stringify(input)",
            '{"id":"00000000-0000-0000-0000-000000000001","labels":["a"]}',
        ),
        (Color.RED, "input", "red"),
        (Level.HIGH, "input", 3),
    ],
)
def test_a_script_sees_what_python_means(value: Any, script: str, seen: Any) -> None:
    assert run_sync(f"return {script}", input=value).unwrap() == seen


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("undefined", None),
        ("1.5", 1.5),
        ("2 ** 53", 2.0**53),
        ("7n", BigInt(7)),
        ("new Date(1)", datetime.datetime(1970, 1, 1, microsecond=1000, tzinfo=UTC)),
        ("new Date(8.64e15)", Date(8_640_000_000_000_000)),
        ("new Date(NaN)", Date(None)),
        ("new Map([['a', 1]])", Map([("a", 1)])),
        ("new Set(['a', 1])", {"a", 1}),
        ("/a\\/b/gi", RegExp("a\\/b", "gi")),
        ("new Uint8Array([1, 2])", b"\x01\x02"),
        ("new Int32Array([-1])", array.array("i", [-1])),
        ("new ArrayBuffer(1)", View("ArrayBuffer", b"\x00")),
        ("'\\ud83d'", "\ud83d"),
        ("[, 1]", [None, 1]),
    ],
)
def test_python_sees_what_a_script_means(script: str, value: Any) -> None:
    came = run_sync(f"return {script}").unwrap()
    assert came == value
    assert type(came) is type(value) or isinstance(value, set)


def test_minus_zero_and_nan_are_floats() -> None:
    assert str(run_sync("return [-0, NaN, 0]").unwrap()) == "[-0.0, nan, 0]"


def test_an_error_comes_with_all_that_it_has() -> None:
    error = run_sync("return Object.assign(new RangeError('far', { cause: 'why' }), { code: 'FAR' })").unwrap()
    assert isinstance(error, JsError)
    assert (error.name, error.message, error.cause, error.code) == ("RangeError", "far", "why", "FAR")


def test_what_is_the_same_object_stays_the_same() -> None:
    shared: dict[str, Any] = {"n": 1}
    shared["self"] = shared
    result = run_sync("return [input[0] === input[1], input[0].self === input[0], input]", input=[shared, shared])
    is_one, is_cycle, back = result.unwrap()
    assert (is_one, is_cycle) == (True, True)
    assert back[0] is back[1] and back[0]["self"] is back[0]


def test_what_is_met_first_is_a_matter_of_the_order_that_scripts_see() -> None:
    shared = [1]
    value = {"b": shared, "0": shared}
    assert decode(encode(value)) == value


def test_a_dataclass_that_is_met_again_is_one_object() -> None:
    point = Point(1, 2)
    assert run_sync("return input[0] === input[1]", input=[point, point]).unwrap() is True


def self_containing_tuple() -> list[Any]:
    cycle: list[Any] = []
    cycle.append((cycle,))
    return cycle


def test_a_cycle_may_go_through_what_cannot_be_changed() -> None:
    assert run_sync("return input[0][0] === input", input=self_containing_tuple()).unwrap() is True


def deep(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth - 1):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"rows": [1, {"f": print}]}, "input.rows[1].f cannot cross: it is a function"),
        ([object()], "input[0] cannot cross: it is an instance of object"),
        (datetime.datetime(2026, 1, 1), "input cannot cross: it is a datetime without a time zone: give it one, as in datetime.now(timezone.utc)"),
        (datetime.date(2026, 1, 1), "input cannot cross: it is a date without a time: use a datetime with a time zone, or its isoformat()"),
        ({"a": {1: 2}}, "input.a cannot cross: it has a key that is no string, but of the type int: use intermission.Map"),
        (decimal.Decimal("1.5"), "input cannot cross: it is a Decimal: make a str of it"),
        (iter([1]), "input cannot cross: it is an iterator (list_iterator): make a list of it"),
        (int, "input cannot cross: it is the class int"),
        ({"a b": {"c": {1j}}}, 'input["a b"].c<member 0> cannot cross: it is an instance of complex'),
        (Map([("k", {2: 3})]), "input<value 0> cannot cross: it has a key that is no string, but of the type int: use intermission.Map"),
        (RegExp("a/b"), "input cannot cross: no regular expression has such a source and such flags"),
        (View("Float64Array", b"\x01"), "input cannot cross: its bytes are none of a Float64Array"),
    ],
)
def test_what_cannot_cross_is_refused_with_its_path(value: Any, message: str) -> None:
    with pytest.raises(ValueRefused) as refused:
        run_sync("return 1", input=value)
    assert (str(refused.value), refused.value.code) == (message, "VALUE_REFUSED")


def test_a_thousand_containers_pass_and_one_more_does_not() -> None:
    form = encode(deep(1000))
    assert encode(decode(form)) == form
    with pytest.raises(ValueRefused, match="deeper than 1000 containers"):
        encode(deep(1001))


def test_a_map_tells_keys_apart_as_javascript_does() -> None:
    keys = Map([(1, "number"), (True, "boolean"), (BigInt(1), "bigint"), ("1", "string"), (1.0, "again")])
    assert list(keys.values()) == ["again", "boolean", "bigint", "string"]
    assert Map([("a", 1)]) == {"a": 1} and {"a": 1} == Map([("a", 1)])
    assert Set([1, 2]) == {2, 1} and Set([1]) | {2} == {1, 2}


def test_a_result_that_cannot_be_sent_is_a_rejection_of_its_call() -> None:
    runner = Runner(host_functions={"bad": lambda: {"a": [print]}})
    script = "try { await bad() } catch (error) { return `${error.code}: ${error.message}` }"
    assert runner.run_sync(script).unwrap() == (
        "HOST_OUTPUT_INVALID: the result of bad cannot be sent: a[0] cannot cross: it is a function"
    )


def test_properties_of_a_thrown_error_are_no_attributes_of_the_exception() -> None:
    script = "throw Object.assign(new TypeError('no'), { code: 'E', __notes__: ['x'], with_traceback: 2, message: 'yes' })"
    result = run_sync(script)
    assert isinstance(result, Failed) and isinstance(result.error, ScriptError)
    thrown = result.error.thrown
    assert isinstance(thrown, JsError)
    assert callable(thrown.with_traceback) and not hasattr(thrown, "__notes__")
    assert thrown.code == "E" and thrown.properties["with_traceback"] == 2
    again = pickle.loads(pickle.dumps(thrown))
    assert (again.name, again.message, again.code, again.properties) == (thrown.name, thrown.message, "E", thrown.properties)


def test_a_map_takes_minus_zero_for_a_key_as_javascript_does() -> None:
    assert run_sync("return [Object.is([...input.keys()][0], 0), input.get(0)]", input=Map([(-0.0, "zero")])).unwrap() == [True, "zero"]


class Color(enum.Enum):
    RED = 1


def test_what_is_the_same_twice_for_javascript_is_refused_with_its_path() -> None:
    with pytest.raises(ValueRefused) as refused:
        run_sync("return 1", input={"colors": Set([Color.RED, 1])})
    assert refused.value.path == "input.colors<member 1>" and refused.value.why == "the member is there already"
    functions: dict[str, Any] = {"colors": lambda: {"all": Map([(Color.RED, 1), (1, 2)])}}
    told = run_sync("return await colors().catch((error) => error.message)", host_functions=functions).unwrap()
    assert told == "the result of colors cannot be sent: all<key 1> cannot cross: the key is there already"


def test_the_largest_integers_have_a_text() -> None:
    result = run_sync("return 10n ** 5000n")
    assert repr(result.unwrap()) == f"BigInt({10**5000:#x})"
    assert "BigInt(0x" in repr(result) and repr(BigInt(12)) == "BigInt(12)"


DEEP: dict[str, Callable[[Any], Any]] = {
    "list": lambda inner: [inner],
    "tuple": lambda inner: (inner,),
    "dict": lambda inner: {"a": inner},
    "Map": lambda inner: Map([("a", inner)]),
    "key of a Map": lambda inner: Map([(inner, 1)]),
    "Set": lambda inner: Set([inner]),
    "error": lambda inner: caused_by(inner),
}


def caused_by(inner: Any) -> JsError:
    error = JsError("Error", "no")
    error.cause = inner
    return error


@pytest.mark.parametrize("kind", DEEP)
def test_the_deepest_value_crosses_on_a_small_stack(kind: str) -> None:
    value: Any = 7
    for _ in range(1000):
        value = DEEP[kind](value)
    came: list[bytes] = []

    def work() -> None:
        data = encode(value)
        came.append(encode(decode(data)))
        came.append(data)

    before = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert len(came) == 2 and came[0] == came[1]
