"""Claims of the user's own, in memory: those that several runners of the corpus share."""

from __future__ import annotations

import asyncio
import dataclasses

from intermission import Claimed, Conflict, Done, Point, Yours


@dataclasses.dataclass
class _Standing:
    answers: str
    state: str = "going"
    ticket: int = 1
    ledger: bytes = b""
    changed: asyncio.Event = dataclasses.field(default_factory=asyncio.Event)


class SharedClaims:
    def __init__(self) -> None:
        self._points: dict[Point, _Standing] = {}

    async def claim(self, point: Point, answers: str, now: int, lease: int) -> Claimed:
        while True:
            standing = self._points.get(point)
            if standing is None:
                self._points[point] = _Standing(answers)
                return Yours(1)
            if standing.answers != answers:
                return Conflict(standing.answers)
            if standing.state == "done":
                return Done(standing.ledger)
            if standing.state == "left":
                standing.state = "going"
                standing.ticket += 1
                return Yours(standing.ticket, standing.ledger)
            await standing.changed.wait()

    def settle(self, point: Point, ticket: int, ledger: bytes, done: bool) -> None:
        standing = self._points.get(point)
        if standing is not None and standing.ticket == ticket:
            standing.ledger, standing.state = ledger, "done" if done else "left"
            self._tell(standing)

    def release(self, point: Point, ticket: int) -> None:
        standing = self._points.get(point)
        if standing is not None and standing.ticket == ticket:
            if standing.ledger:
                standing.state = "left"
            else:
                del self._points[point]
            self._tell(standing)

    @staticmethod
    def _tell(standing: _Standing) -> None:
        standing.changed.set()
        standing.changed = asyncio.Event()
