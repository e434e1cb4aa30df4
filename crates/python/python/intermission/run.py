"""Single runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping

from .result import RunResult
from .runner import From, Runner

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import ResumeOptions, RunOptions

_plain: Runner | None = None

#: What a single run has, and no runner.
_OF_RUNS = frozenset(("input", "data", "name", "kind", "seed"))
_OF_RESUMES = frozenset(("resolutions", "context", "source", "retry"))


def _runner_of(options: Mapping[str, Any], own: frozenset[str]) -> tuple[Runner, dict[str, Any]]:
    """A runner of these options, one for all that have none; and what is left for the run."""
    global _plain
    left = {name: value for name, value in options.items() if name in own}
    if len(left) < len(options):
        return Runner(**{name: value for name, value in options.items() if name not in own}), left
    if _plain is None:
        _plain = Runner()
    return _plain, left


async def run(source: str, **options: Unpack[RunOptions]) -> RunResult:
    """Runs a script with a runner of its own. The options are those of `Runner` and of `Runner.run`. To run many, make a `Runner` once.

    >>> import asyncio
    >>> asyncio.run(run("return await tools.add(1, 2)", host_functions={"tools": {"add": lambda a, b: a + b}})).unwrap()
    3
    """
    runner, left = _runner_of(options, _OF_RUNS)
    return await runner.run(source, **left)


def run_sync(source: str, **options: Unpack[RunOptions]) -> RunResult:
    """`run`, for scripts and notebooks.

    >>> run_sync("return input * 2", input=21).unwrap()
    42
    """
    runner, left = _runner_of(options, _OF_RUNS)
    return runner.run_sync(source, **left)


async def resume(run: From, **options: Unpack[ResumeOptions]) -> RunResult:
    """Goes on with a run, with a runner of its own. The options are those of `Runner` and of `Runner.resume`."""
    runner, left = _runner_of(options, _OF_RESUMES)
    return await runner.resume(run, **left)


def resume_sync(run: From, **options: Unpack[ResumeOptions]) -> RunResult:
    """`resume`, for scripts and notebooks."""
    runner, left = _runner_of(options, _OF_RESUMES)
    return runner.resume_sync(run, **left)
