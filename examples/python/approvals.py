"""Scripts over HTTP, with somebody asked before money is spent."""

from __future__ import annotations

import os
from typing import Any

from fastapi import FastAPI, Header, HTTPException
from intermission import (
    Completed,
    IntermissionError,
    Interrupted,
    Limits,
    Runner,
    RunResult,
    approval,
    approve,
    deny,
    host_function,
    sealed,
)
from pydantic import BaseModel


@host_function(name="bills.list")
async def bills() -> list[dict[str, Any]]:
    """What has to be paid."""
    return [{"id": "may", "amount": 120}, {"id": "june", "amount": 80}]


@approval
@host_function(name="bills.pay", effect="idempotent")
async def pay(id: str, amount: int) -> str:
    """Pays a bill. A person is asked first."""
    return f"paid {amount} for {id}"


runner = Runner(
    host_functions=[bills, pay],
    codec=sealed(os.environ["INTERMISSION_KEY"], expires_in_ms=7 * 86_400_000),
    limits=Limits(deadline_ms=10_000),
)
app = FastAPI()


class Script(BaseModel):
    source: str


class Answer(BaseModel):
    token: str
    id: str
    approved: bool
    reason: str | None = None


async def told(result: RunResult, user: str) -> dict[str, Any]:
    """What a client is told: a value, or what is asked and the token to come back with."""
    match result:
        case Completed(value):
            return {"status": "completed", "value": value}
        case Interrupted(interruptions, continuation):
            asks = [{"id": asked.id, "function": asked.host_function, "arguments": asked.arguments} for asked in interruptions]
            return {"status": "interrupted", "asks": asks, "token": await runner.encode(continuation, user)}
        case _:
            try:
                result.unwrap()
            except IntermissionError as error:
                return {"status": "failed", "code": error.code, "message": error.message}
    raise AssertionError("it has neither a value nor an error")


@app.get("/types")
async def types() -> str:
    """What a model is shown before it writes a script."""
    return runner.types()


@app.post("/runs")
async def run(script: Script, user: str = Header()) -> dict[str, Any]:
    return await told(await runner.run(script.source), user)


@app.post("/answers")
async def go_on(answer: Answer, user: str = Header()) -> dict[str, Any]:
    resolution = approve(answer.id) if answer.approved else deny(answer.id, answer.reason)
    try:
        # The token is the user's own: another's is refused.
        return await told(await runner.resume(answer.token, [resolution], context=user), user)
    except IntermissionError as error:
        raise HTTPException(409, {"code": error.code, "message": error.message}) from error
