"""A ledger that is kept while its run goes on."""

from __future__ import annotations

from typing import Awaitable, Protocol

from .modules import Hooks


class LedgerSink(Protocol):
    """Keeps a ledger, entry by entry, while its run goes on: written ahead. A host function is called only when everything up to it is kept, and the run answers nobody before everything is. A run can be continued from what was
    kept at any moment."""

    def append(self, run_id: str, start: int, entries: list[bytes]) -> None | Awaitable[None]:
        """Keeps these entries in their byte form, in one go: all of them or none. The first of them is number `start` of the ledger, from 0. All that was kept of a run, joined behind the format's number (a byte, 1), is the bytes of
        its continuation."""


def sink_hooks(sink: LedgerSink) -> Hooks:
    """What the library asks of a sink."""
    return {"append": lambda ask: sink.append(ask["runId"], ask["from"], ask["entries"])}
