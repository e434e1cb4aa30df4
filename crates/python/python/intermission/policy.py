"""Who decides whether a host call is made, asked about, or denied."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Union

from .host_function import Effect


@dataclasses.dataclass(frozen=True)
class ProposedCall:
    """A host call that is about to be made."""

    run_id: str
    #: The call's number in its run, from 1.
    request_index: int
    host_function: str
    effect: Effect
    #: What the script calls it with; what an approver put in their place, where one did.
    arguments: list[Any]


@dataclasses.dataclass(frozen=True)
class Allow:
    """It is made."""


@dataclasses.dataclass(frozen=True)
class Ask:
    """Somebody is asked first."""

    #: Which rule says so, for whoever reads it.
    rule: str
    reason: str | None = None


@dataclasses.dataclass(frozen=True)
class Deny:
    """It is rejected, with an error that the script can catch."""

    #: Which rule says so.
    rule: str
    reason: str | None = None


Decision = Union[Allow, Ask, Deny]

#: Decides about each call, on the spot; `None` leaves it to the function, which may need approval or not. It is called again when an approved call is really made. One that raises denies.
Policy = Callable[[ProposedCall], "Decision | None"]


def asked(policy: Policy) -> Callable[..., tuple[str, str, str | None] | None]:
    """As the native layer asks it."""

    def decide(*parts: Any) -> tuple[str, str, str | None] | None:
        decision = policy(ProposedCall(*parts))
        if decision is None:
            return None
        if isinstance(decision, Allow):
            return ("allow", "", None)
        if isinstance(decision, (Ask, Deny)):
            return ("ask" if isinstance(decision, Ask) else "deny", decision.rule, decision.reason)
        raise TypeError(f"a policy gives Allow, Ask, Deny or None, not {decision!r}")

    return decide
