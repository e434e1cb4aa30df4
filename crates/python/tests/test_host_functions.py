"""What scripts are lent."""

from __future__ import annotations

import asyncio
import contextvars
import dataclasses
import datetime
import enum
from typing import Annotated, Any, Literal, Optional, TypedDict, Union

import pydantic
import pytest
from intermission import Completed, Failed, OptionsError, Runner, ScriptError, approval, current_call, host_function, interrupt, run_sync


@dataclasses.dataclass
class Address:
    street: str
    number: int = 1


class Size(enum.Enum):
    SMALL = "s"
    LARGE = "l"


class Order(pydantic.BaseModel):
    item: str
    count: int = pydantic.Field(ge=1)


class Paging(TypedDict, total=False):
    page: int


@host_function
def ship(
    to: Address,
    size: Size = Size.SMALL,
    when: Optional[datetime.datetime] = None,
    tags: set[str] = frozenset(),  # type: ignore[assignment]
    paging: Paging = {},
    kind: Literal["fast", "slow"] = "slow",
    note: Annotated[str, "For the courier"] = "",
) -> dict[str, Any]:
    """Ships something."""
    return {"to": to, "size": size.name, "when": when, "tags": sorted(tags), "paging": paging, "kind": kind, "note": note}


def test_the_schema_comes_from_the_type_hints() -> None:
    assert ship.description == "Ships something."
    assert ship.input_schema == {
        "type": "object",
        "properties": {
            "to": {
                "type": "object",
                "properties": {"street": {"type": "string"}, "number": {"type": "integer"}},
                "required": ["street"],
                "additionalProperties": False,
            },
            "size": {"enum": ["s", "l"]},
            "when": {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]},
            "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            "paging": {"type": "object", "properties": {"page": {"type": "integer"}}, "additionalProperties": False},
            "kind": {"enum": ["fast", "slow"]},
            "note": {"type": "string", "description": "For the courier"},
        },
        "required": ["to"],
        "additionalProperties": False,
    }
    assert ship.output_schema == {"type": "object", "additionalProperties": {}}


def test_the_arguments_are_what_the_hints_say() -> None:
    script = "return await ship({ to: { street: 'Main' }, size: 'l', when: '2026-01-02T03:04:05Z', tags: ['b', 'a'] })"
    value = run_sync(script, host_functions=[ship]).unwrap()
    when = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
    assert value["to"] == {"street": "Main", "number": 1}
    assert (value["size"], value["when"], value["tags"], value["kind"]) == ("LARGE", when, ["a", "b"], "slow")


def test_what_does_not_fit_is_rejected_before_the_function() -> None:
    script = "try { await ship({ to: { street: 1 } }) } catch (error) { return [error.name, error.code, error.message] }"
    name, code, message = run_sync(script, host_functions=[ship]).unwrap()
    assert (name, code) == ("TypeError", "HOST_INPUT_INVALID")
    assert message.startswith("ship was called with")


def test_pydantic_models_are_taken_and_given() -> None:
    @host_function
    def order(first: Order, rest: list[Order]) -> Order:
        assert isinstance(first, Order) and all(isinstance(other, Order) for other in rest)
        return Order(item=first.item, count=first.count + sum(other.count for other in rest))

    script = "return await order({ first: { item: 'a', count: 1 }, rest: [{ item: 'b', count: 2 }] })"
    assert run_sync(script, host_functions=[order]).unwrap() == {"item": "a", "count": 3}
    refused = "try { await order({ first: { item: 'a', count: 0 }, rest: [] }) } catch (error) { return error.code }"
    assert run_sync(refused, host_functions=[order]).unwrap() == "HOST_INPUT_INVALID"


def test_a_result_that_does_not_fit_is_a_rejection() -> None:
    @host_function
    def count() -> int:
        return "many"  # type: ignore[return-value]

    result = run_sync("return await count()", host_functions=[count])
    assert isinstance(result, Failed) and isinstance(result.error, ScriptError)
    assert result.error.thrown.code == "HOST_OUTPUT_INVALID"


def test_a_schema_may_be_given_instead() -> None:
    @host_function(name="tools.echo", input={"type": "object", "properties": {"n": {"type": "number"}}}, output=int)
    def echo(given: Any) -> Any:
        return given["n"]

    assert run_sync("return await tools.echo({ n: 3 })", host_functions=[echo]).unwrap() == 3
    assert echo({"n": 4}) == 4


def test_a_plain_function_takes_the_arguments_as_they_come() -> None:
    lent = {"add": lambda a, b: a + b, "group": {"all": lambda *every: list(every)}}
    assert run_sync("return [await add(1, 2), await group.all(1, null, 'x')]", host_functions=lent).unwrap() == [3, [1, None, "x"]]


def test_blocking_functions_give_their_value_at_once() -> None:
    @host_function(blocking=True)
    async def now() -> int:
        await asyncio.sleep(0)
        return 7

    assert run_sync("return now() + 1", host_functions=[now]).unwrap() == 8


@pytest.mark.parametrize(
    ("lent", "message"),
    [
        ({"a": 1}, r"host_functions\['a'\] is neither a function nor a group of functions"),
        ({"a": {"b": 1}}, r"host_functions\['a'\]\['b'\] is no function"),
        ([lambda: 1], "has no name and no schemas: make it with host_function"),
    ],
)
def test_what_is_no_function_is_refused(lent: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        Runner(host_functions=lent)


def test_the_library_refuses_names_and_schemas_with_a_code() -> None:
    with pytest.raises(OptionsError) as refused:
        Runner(host_functions={"no name": lambda: 1})
    assert refused.value.code == "HOST_FUNCTION_NAME"


def test_a_hint_without_a_schema_is_refused_when_it_is_decorated() -> None:
    with pytest.raises(TypeError, match="x: there is no JSON Schema of <class 'complex'>; give the schema with input="):

        @host_function
        def bad(x: complex) -> None: ...

    with pytest.raises(TypeError, match="has no name that a script could use"):

        @host_function
        def worse(*x: int) -> None: ...


def test_types_are_declared_for_a_model() -> None:
    @host_function(name="mail.send")
    def send(to: str, cc: list[str] = []) -> bool:
        """Sends a mail."""
        return True

    declared = Runner(host_functions=[send]).types()
    assert "/** Sends a mail. */" in declared
    assert "send(input: { to: string; cc?: string[] }): Promise<boolean>" in declared


def test_a_call_knows_what_it_is() -> None:
    async def who() -> list[Any]:
        await asyncio.sleep(0)
        call = current_call()
        return [call.host_function, call.request_index, call.request_id == f"{call.run_id}.1", call.position, call.resume, call.arguments]

    result = run_sync("return await who(5)", host_functions={"who": lambda n: who()})
    assert isinstance(result, Completed)
    assert result.value == ["who", 1, True, {"line": 1, "column": 14}, None, [5]]
    with pytest.raises(LookupError, match="none is under way here"):
        current_call()


def test_host_functions_see_the_context_variables_of_who_runs_the_script() -> None:
    user: contextvars.ContextVar[str] = contextvars.ContextVar("user")

    async def slow() -> str:
        await asyncio.sleep(0.001)
        return user.get()

    runner = Runner(host_functions={"slow": slow, "quick": lambda: user.get()})

    async def one(name: str) -> Any:
        user.set(name)
        return (await runner.run("return [await slow(), await quick()]")).unwrap()

    async def main() -> list[Any]:
        return await asyncio.gather(one("ann"), one("bob"))

    assert asyncio.run(main()) == [["ann", "ann"], ["bob", "bob"]]
    user.set("eve")
    assert runner.run_sync("return [await slow(), await quick()]").unwrap() == ["eve", "eve"]


def test_calls_are_made_at_once_and_settled_as_they_end() -> None:
    order: list[str] = []

    async def wait(turns: int, name: str) -> str:
        order.append(f"begins {name}")
        for _ in range(turns):
            await asyncio.sleep(0)
        order.append(f"ends {name}")
        return name

    result = run_sync("return await Promise.race([wait(9, 'slow'), wait(1, 'quick')])", host_functions={"wait": wait})
    assert result.unwrap() == "quick"
    assert order[:3] == ["begins slow", "begins quick", "ends quick"]


def test_errors_reach_the_script_with_name_message_and_code_unless_redacted() -> None:
    class Broken(Exception):
        code = "E_BROKEN"

    def fails() -> None:
        raise Broken("the pipe")

    script = "try { await fails() } catch (error) { return [error.name, error.message, error.code] }"
    assert run_sync(script, host_functions={"fails": fails}).unwrap() == ["Broken", "the pipe", "E_BROKEN"]
    redacted = run_sync(script, host_functions={"fails": fails}, redact_errors=True).unwrap()
    assert "the pipe" not in redacted[1]


class Odd:
    """Whose own code fails."""

    model_fields: dict[str, Any] = {}

    def model_dump(self, **_: Any) -> Any:
        raise RuntimeError("a secret")


def raises(error: BaseException) -> Any:
    raise error


class Silent(Exception):
    def __str__(self) -> str:
        raise RuntimeError("a secret")


@pytest.mark.parametrize(
    ("fails", "told"),
    [
        (lambda: raises(ValueError("lone \ud800 surrogate")), ["ValueError", "lone \ufffd surrogate"]),
        (lambda: raises(Silent()), ["Silent", "the exception has no text that can be read"]),
        (lambda: interrupt("?", expires_at=-5), ["ValueError", "-5 is no moment between 1970 and the end of JavaScript's integers"]),
        (lambda: interrupt(Odd()), ["RuntimeError", "a secret"]),
        (Odd, ["Error", "the result of fails cannot be sent: it could not be read"]),
    ],
)
def test_whatever_goes_wrong_while_a_call_is_settled_is_a_rejection(fails: Any, told: list[str]) -> None:
    script = "try { return await fails() } catch (error) { return [error.name, error.message] }"
    assert run_sync(script, host_functions={"fails": fails}).unwrap() == told


def test_what_an_approval_was_made_of_can_still_be_called() -> None:
    @approval
    def mail(to: str) -> str:
        return f"to {to}"

    assert mail("ann") == "to ann"


@dataclasses.dataclass
class Cat:
    name: str
    lives: int


@dataclasses.dataclass
class Dog:
    name: str
    tricks: list[str] = dataclasses.field(default_factory=list)


@pytest.mark.parametrize(
    ("hint", "given", "got"),
    [
        (Union[Dog, Cat], {"name": "tom", "lives": 9}, Cat("tom", 9)),
        (Union[Cat, Dog], {"name": "rex"}, Dog("rex")),
        (Union[str, datetime.datetime], "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
        (Union[datetime.date, str], "tomorrow", "tomorrow"),
        (Union[tuple[int, ...], str], "abc", "abc"),
        (Union[set[str], str], "abc", "abc"),
        (Union[Size, str], "s", Size.SMALL),
        (Union[Size, str], "large", "large"),
        (Union[list[Cat], list[Dog]], [{"name": "rex", "tricks": ["sit"]}], [Dog("rex", ["sit"])]),
        (Union[bytes, Cat], {"name": "tom", "lives": 9}, Cat("tom", 9)),
        (Optional[datetime.datetime], None, None),
    ],
)
def test_a_value_of_a_union_is_of_the_first_type_that_it_fits(hint: Any, given: Any, got: Any) -> None:
    seen: list[Any] = []

    @host_function(input=hint)
    def take(value: Any) -> None:
        seen.append(value)

    run_sync("await take(input)", host_functions=[take], input=given).unwrap()
    assert seen == [got] and type(seen[0]) is type(got)


class Number(pydantic.BaseModel):
    value: int


class Text(pydantic.BaseModel):
    value: str


def test_models_of_pydantic_in_a_union_are_told_apart_by_their_types() -> None:
    @host_function
    def kind(of: Union[Number, Text]) -> str:
        return type(of).__name__

    script = "return [await kind({ of: { value: 1 } }), await kind({ of: { value: '1' } })]"
    assert run_sync(script, host_functions=[kind]).unwrap() == ["Number", "Text"]
