"""How continuations become tokens, and tokens continuations."""

from __future__ import annotations

import dataclasses
from typing import Any, Awaitable, Protocol, Sequence, Union

from ._native import Continuation
from .awaited import then
from .modules import Hooks


@dataclasses.dataclass(frozen=True)
class Scope:
    """What a token is bound to, and the time."""

    #: Who may use the token: it must be the same when it is written and read.
    audience: str | None
    #: The caller's context, such as a user's id: it must be the same when it is written and read.
    context: bytes
    #: Milliseconds since 1970.
    now: int


@dataclasses.dataclass(frozen=True)
class Opened:
    """A token that was read."""

    continuation: Continuation
    #: Until when the token is good, in milliseconds since 1970.
    expires: int | None = None
    #: What a codec that remembers wants back when it is known what came of it.
    ticket: str | None = None


class CustomCodec(Protocol):
    """A codec of your own. It has to see to it that nobody can change what it gives out: a continuation decides what a run has done already. Each method may be `async def`. One that remembers what was read has three more:

    - `claim(token, scope) -> Opened` reads a token, to go on from it, and lets nobody else have it until the ticket is given back or too old; by default `read`
    - `consume(ticket)`: what was claimed has been gone on from, and is used up
    - `release(ticket, continuation)`: what was claimed may be claimed again: nothing has run; or, where there is a continuation, this far it came
    """

    def encode(self, continuation: Continuation, scope: Scope) -> str | Awaitable[str]:
        """A token for a continuation."""

    def read(self, token: str, scope: Scope) -> Opened | Awaitable[Opened]:
        """Reads a token, to look at it. Nothing changes."""


@dataclasses.dataclass(frozen=True)
class Key:
    """A secret of at least 32 bytes, with its public name."""

    id: str
    secret: str | bytes = dataclasses.field(repr=False)


#: A text as in `INTERMISSION_KEY` (`id:secret` or `secret`, in base64url; several with commas between), a secret's own bytes, or a `Key`. The first is for writing, any for reading: to rotate, put the new one in front.
Keys = Union[str, bytes, Key, Sequence[Union[str, bytes, Key]]]


@dataclasses.dataclass(frozen=True)
class StoredEntry:
    """What is kept under a token."""

    continuation: bytes
    audience: str | None
    context: bytes
    expires: int | None


@dataclasses.dataclass(frozen=True)
class ClaimedEntry:
    """It is yours."""

    entry: StoredEntry


@dataclasses.dataclass(frozen=True)
class UsedEntry:
    """It was used up."""

    entry: StoredEntry


class ContinuationStore(Protocol):
    """Where `stored` keeps continuations. Each of these has to be done in one step, however many processes use the store; each may be `async def`."""

    def put(self, key: str, entry: StoredEntry) -> None | Awaitable[None]:
        """Keeps an entry under a new key."""

    def get(self, key: str) -> StoredEntry | None | Awaitable[StoredEntry | None]:
        """Looks at an entry. A used one is still there."""

    def claim(self, key: str, ticket: str, now: int, until: int) -> Any:
        """Claims an entry for the holder of `ticket`, until `until` (milliseconds since 1970). A claim that was too old at `now` counts for nothing. Gives a `ClaimedEntry`, a `UsedEntry`, `"busy"` where it is somebody else's at this
        moment, or `"unknown"`."""

    def consume(self, key: str, ticket: str) -> None | Awaitable[None]:
        """Marks an entry as used, if `ticket` still holds it."""

    def release(self, key: str, ticket: str, continuation: bytes | None) -> None | Awaitable[None]:
        """Gives an entry back, if `ticket` still holds it, perhaps with another continuation."""


@dataclasses.dataclass(frozen=True)
class Codec:
    """How continuations become tokens: `sealed`, `signed`, `stored`, `open_codec` or `codec` make one."""

    message: dict[str, Any] = dataclasses.field(repr=False)
    hooks: Hooks = dataclasses.field(repr=False)


def _made(kind: str, hooks: Hooks | None = None, **options: Any) -> Codec:
    given = {key: value for key, value in options.items() if value is not None}
    return Codec({"kind": kind, **given}, hooks or {})


def sealed(
    keys: Keys,
    *,
    expires_in_ms: float | None = None,
    skew_ms: float | None = None,
    max_token: int | None = None,
    max_ledger: int | None = None,
) -> Codec:
    """Encrypted and authenticated: the one to use unless there is a reason not to. A token is good for `expires_in_ms` (default: for ever); the clocks of machines may differ by `skew_ms` (default: one minute). The largest token has
    `max_token` bytes (default: 16 MiB), the largest ledger in it `max_ledger` (default: 64 MiB)."""
    return _made(
        "sealed",
        keys=_key_messages(keys),
        expiresInMs=expires_in_ms,
        skewMs=skew_ms,
        maxToken=max_token,
        maxLedger=max_ledger,
    )


def signed(
    keys: Keys,
    *,
    expires_in_ms: float | None = None,
    skew_ms: float | None = None,
    max_token: int | None = None,
    max_ledger: int | None = None,
) -> Codec:
    """Authenticated, and readable by whoever has the token. The options are those of `sealed`."""
    return _made(
        "signed",
        keys=_key_messages(keys),
        expiresInMs=expires_in_ms,
        skewMs=skew_ms,
        maxToken=max_token,
        maxLedger=max_ledger,
    )


def open_codec(
    *,
    expires_in_ms: float | None = None,
    skew_ms: float | None = None,
    max_token: int | None = None,
    max_ledger: int | None = None,
) -> Codec:
    """**Not protected at all**: whoever can write where the token is kept decides what the run has done and does next. Only for a store that you trust as you trust the memory of your own program."""
    return _made("open", expiresInMs=expires_in_ms, skewMs=skew_ms, maxToken=max_token, maxLedger=max_ledger)


def stored(
    store: ContinuationStore | None = None,
    *,
    expires_in_ms: float | None = None,
    claims_last_ms: float | None = None,
) -> Codec:
    """Tokens that are keys into a store, each good once; without a store: into this process's memory. A claim of which nothing more is heard holds for `claims_last_ms` (default: 5 minutes): its process has died."""
    if store is None:
        return _made("stored", store="memory", expiresInMs=expires_in_ms, claimsLastMs=claims_last_ms)
    hooks: Hooks = {
        "store.put": lambda ask: store.put(ask["key"], _entry(ask["entry"])),
        "store.get": lambda ask: then(store.get(ask["key"]), _entry_message),
        "store.claim": lambda ask: then(store.claim(ask["key"], ask["ticket"], ask["now"], ask["until"]), _claimed),
        "store.consume": lambda ask: store.consume(ask["key"], ask["ticket"]),
        "store.release": lambda ask: store.release(ask["key"], ask["ticket"], ask.get("continuation")),
    }
    return _made("stored", hooks, store="custom", expiresInMs=expires_in_ms, claimsLastMs=claims_last_ms)


def codec(custom: CustomCodec) -> Codec:
    """A codec of your own."""

    def nothing(*_: Any) -> None:
        return None

    claim = getattr(custom, "claim", custom.read)
    consume = getattr(custom, "consume", nothing)
    release = getattr(custom, "release", nothing)

    def came(ask: dict[str, Any]) -> Continuation | None:
        data = ask.get("continuation")
        return None if data is None else Continuation(data)

    hooks: Hooks = {
        "codec.encode": lambda ask: custom.encode(Continuation(ask["continuation"]), _scope(ask)),
        "codec.read": lambda ask: then(custom.read(ask["token"], _scope(ask)), _opened),
        "codec.claim": lambda ask: then(claim(ask["token"], _scope(ask)), _opened),
        "codec.consume": lambda ask: consume(ask["ticket"]),
        "codec.release": lambda ask: release(ask["ticket"], came(ask)),
    }
    return _made("custom", hooks)


def _scope(ask: dict[str, Any]) -> Scope:
    return Scope(ask["audience"], ask["context"], ask["now"])


def _opened(opened: Opened) -> dict[str, Any]:
    said: dict[str, Any] = {"continuation": opened.continuation.bytes}
    if opened.expires is not None:
        said["expires"] = opened.expires
    return said if opened.ticket is None else {**said, "ticket": opened.ticket}


def _entry(said: dict[str, Any]) -> StoredEntry:
    return StoredEntry(said["continuation"], said["audience"], said["context"], said["expires"])


def _entry_message(entry: StoredEntry | None) -> dict[str, Any] | None:
    return None if entry is None else dataclasses.asdict(entry)


def _claimed(claimed: Any) -> dict[str, Any]:
    if isinstance(claimed, ClaimedEntry):
        return {"status": "yours", "entry": _entry_message(claimed.entry)}
    if isinstance(claimed, UsedEntry):
        return {"status": "used", "entry": _entry_message(claimed.entry)}
    return {"status": claimed}


def _key_messages(keys: Keys) -> list[dict[str, Any]]:
    if isinstance(keys, str):
        return [_key_text(item.strip()) for item in keys.split(",")]
    if isinstance(keys, bytes):
        return [{"bytes": keys}]
    if isinstance(keys, Key):
        return [{"id": keys.id, ("text" if isinstance(keys.secret, str) else "bytes"): keys.secret}]
    return [message for key in keys for message in _key_messages(key)]


def _key_text(text: str) -> dict[str, Any]:
    name, colon, secret = text.partition(":")
    return {"id": name, "text": secret} if colon else {"text": name}
