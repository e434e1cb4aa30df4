"""Engines: what runners share."""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from typing import Any

from .. import _native

_engines: weakref.WeakSet[_native.Engine] = weakref.WeakSet()
_lock = threading.Lock()
_common: _native.Engine | None = None

#: Counts forks: an engine's threads are in the process that made it.
generation = 0


def create_engine(options: dict[str, Any]) -> _native.Engine:
    """An engine of its own."""
    engine = _native.Engine(options)
    _engines.add(engine)
    return engine


def common_engine() -> _native.Engine:
    """The engine of all runners that do not ask for one of their own."""
    global _common
    with _lock:
        if _common is None:
            _common = create_engine({})
        return _common


def _forked() -> None:
    global _common, _lock, generation
    _lock = threading.Lock()
    _common = None
    generation += 1
    _native.forked()


def _leave() -> None:
    for engine in list(_engines):
        engine.leave()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
# A script may still be computing when the interpreter ends: nobody waits for it.
atexit.register(_leave)
