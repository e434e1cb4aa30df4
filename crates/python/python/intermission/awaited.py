"""Results that may have to be awaited."""

from __future__ import annotations

from typing import Any, Callable


def then(result: Any, after: Callable[[Any], Any]) -> Any:
    """What `after` makes of a result, at once or once it is there."""
    if not hasattr(result, "__await__"):
        return after(result)

    async def wait() -> Any:
        return after(await result)

    return wait()
