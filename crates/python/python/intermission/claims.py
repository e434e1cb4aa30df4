"""What remembers which answers a run was gone on with."""

from __future__ import annotations

import dataclasses
from typing import Any, Awaitable, Protocol, Union

from .awaited import then
from .modules import Hooks


@dataclasses.dataclass(frozen=True)
class Point:
    """A place in a run's life: the run, and how many entries its ledger had."""

    run_id: str
    length: int


@dataclasses.dataclass(frozen=True)
class Yours:
    """Go on; where an earlier attempt with the same answers has failed or died, from the ledger that it left."""

    ticket: int
    left: bytes | None = None


@dataclasses.dataclass(frozen=True)
class Done:
    """The same was done before, and this ledger came of it."""

    ledger: bytes


@dataclasses.dataclass(frozen=True)
class Conflict:
    """Other answers were first."""

    winner: str


Claimed = Union[Yours, Done, Conflict]


class Claims(Protocol):
    """Remembers, for each point of a run, the answers that were first. Each of these has to be done in one step, however many processes use it; each may be `async def`."""

    def claim(self, point: Point, answers: str, now: int, lease: int) -> Claimed | Awaitable[Claimed]:
        """Claims a point for `answers`. Waits while somebody goes on from it with the same answers, at most until his claim is too old: `lease` milliseconds after he made it."""

    def settle(self, point: Point, ticket: int, ledger: bytes, done: bool) -> None | Awaitable[None]:
        """What came of it: a ledger to be given to whoever asks again (`done`), or to be gone on from by the next who does."""

    def release(self, point: Point, ticket: int) -> None | Awaitable[None]:
        """Nothing came of it. The point is free again; where an earlier attempt has left something, only for whoever gives the same answers."""


def claims_hooks(claims: Claims) -> Hooks:
    """What the library asks of claims."""

    def point(ask: dict[str, Any]) -> Point:
        return Point(ask["runId"], ask["length"])

    return {
        "claims.claim": lambda ask: then(claims.claim(point(ask), ask["answers"], ask["now"], ask["lease"]), _said),
        "claims.settle": lambda ask: claims.settle(point(ask), ask["ticket"], ask["ledger"], ask["done"]),
        "claims.release": lambda ask: claims.release(point(ask), ask["ticket"]),
    }


def _said(claimed: Claimed) -> dict[str, Any]:
    if isinstance(claimed, Yours):
        said = {"status": "yours", "ticket": claimed.ticket}
        return said if claimed.left is None else {**said, "left": claimed.left}
    if isinstance(claimed, Done):
        return {"status": "done", "ledger": claimed.ledger}
    return {"status": "conflict", "winner": claimed.winner}
