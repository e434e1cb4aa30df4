"""What became of a call whose outcome was lost, because its process died."""

from __future__ import annotations

import dataclasses
from typing import Any, Awaitable, Callable, Literal, Mapping, Union

from .awaited import then
from .host_call import enter
from .modules import Hooks
from .value import told


@dataclasses.dataclass(frozen=True)
class Reconciled:
    """What a probe knows of a call: `Reconciled.happened(value)` and its like make one."""

    kind: Literal["happened", "failed", "didNotHappen", "unknown"]
    #: What came of it: a value; the exception of `failed`.
    value: Any = None

    @classmethod
    def happened(cls, value: Any = None) -> Reconciled:
        """It was made, and this came of it."""
        return cls("happened", value)

    @classmethod
    def failed(cls, error: BaseException) -> Reconciled:
        """It was made, and failed so."""
        return cls("failed", error)

    @classmethod
    def did_not_happen(cls) -> Reconciled:
        """It was never made: it is made now, with the same idempotency key."""
        return cls("didNotHappen")

    @classmethod
    def unknown(cls) -> Reconciled:
        """Nobody knows: somebody is asked."""
        return cls("unknown")


#: Asks what became of a call. It has the parameters of the function that it is for.
Probe = Callable[..., Union[Reconciled, Awaitable[Reconciled]]]


def probe_hooks(probes: Mapping[str, Callable[[list[Any]], Any]]) -> Hooks:
    """What the library asks of probes."""

    def probed(ask: dict[str, Any]) -> Any:
        call = ask["call"]
        enter(call)
        return then(probes[call.host_function](call.arguments), lambda known: _said(call.host_function, known))

    return {"reconcile": probed} if probes else {}


def _said(host_function: str, known: Any) -> dict[str, Any]:
    if not isinstance(known, Reconciled):
        raise TypeError(f"the probe of {host_function} gives a Reconciled, not {type(known).__name__}")
    if known.kind == "failed":
        return {"kind": "failed", "error": told(known.value)}
    return {"kind": known.kind, "value": known.value}
