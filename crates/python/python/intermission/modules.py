"""Where modules come from."""

from __future__ import annotations

import collections.abc
from typing import Any, Awaitable, Callable, Mapping, Protocol, Union, runtime_checkable

from .errors import IntermissionError

#: What Python does for the library, by the name of what is asked.
Hooks = dict[str, Callable[[dict[str, Any]], Any]]


@runtime_checkable
class ModuleLoader(Protocol):
    """Gives modules their texts, and perhaps their names: with a method `normalize(specifier, importer)`, which gives the name of the module that `importer` calls `specifier`. By default `./` and `../` are resolved against the
    importer's name, and everything else stands for itself. Both may be `async def`; the script stands still meanwhile."""

    def load(self, name: str) -> str | Awaitable[str]:
        """The text of the module: JavaScript or TypeScript. Asked once a run for each name."""


#: A loader, or names and their texts.
Modules = Union[ModuleLoader, Mapping[str, str]]


def module_hooks(modules: Modules) -> Hooks:
    """What the library asks of a loader."""
    loader: Any = _Texts(modules) if isinstance(modules, collections.abc.Mapping) else modules
    normalize = getattr(loader, "normalize", _resolve)
    return {
        "normalize": lambda ask: normalize(ask["specifier"], ask["importer"]),
        "load": lambda ask: loader.load(ask["name"]),
    }


class _Texts:
    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts

    def load(self, name: str) -> str:
        text = self.texts.get(name)
        if text is None:
            there = ", ".join(sorted(self.texts))
            raise IntermissionError("MODULE_NOT_FOUND", f"there is no module `{name}`; there are: {there}")
        return text


def _resolve(specifier: str, importer: str) -> str:
    """`specifier` as a path relative to the folder of `importer`."""
    if not specifier.startswith(("./", "../")):
        return specifier
    parts = [part for part in importer.split("/")[:-1] if part]
    for part in specifier.split("/"):
        if part == "..":
            if parts:
                parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
