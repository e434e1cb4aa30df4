"""Tokens, and what remembers."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

import pytest
from intermission import (
    Claimed,
    ClaimedEntry,
    Codec,
    CodecError,
    Conflict,
    Continuation,
    Done,
    Interrupted,
    Key,
    Opened,
    OptionsError,
    Point,
    ResumeError,
    Runner,
    Scope,
    StoredEntry,
    UsedEntry,
    Yours,
    approval,
    approve,
    codec,
    deny,
    open_codec,
    sealed,
    signed,
    stored,
)

SECRET = secrets.token_bytes(32)
SCRIPT = "return await mail('ann')"


def runner_with(of: Codec | None, **options: Any) -> Runner:
    return Runner(host_functions={"mail": approval(lambda to: f"to {to}")}, codec=of, **options)


def put_away(runner: Runner, context: str | bytes = b"") -> str:
    result = runner.run_sync(SCRIPT)
    assert isinstance(result, Interrupted)
    return runner.encode_sync(result.continuation, context)


class Store:
    """A store as simple as can be; `slow` has every operation take a turn of the event loop."""

    def __init__(self) -> None:
        self.rows: dict[str, StoredEntry] = {}
        self.holders: dict[str, str] = {}
        self.used: set[str] = set()

    def put(self, key: str, entry: StoredEntry) -> None:
        self.rows[key] = entry

    async def get(self, key: str) -> StoredEntry | None:
        await asyncio.sleep(0)
        return self.rows.get(key)

    def claim(self, key: str, ticket: str, now: int, until: int) -> Any:
        assert until > now
        if key not in self.rows:
            return "unknown"
        if key in self.used:
            return UsedEntry(self.rows[key])
        if self.holders.setdefault(key, ticket) != ticket:
            return "busy"
        return ClaimedEntry(self.rows[key])

    def consume(self, key: str, ticket: str) -> None:
        self.used.add(key)

    def release(self, key: str, ticket: str, continuation: bytes | None) -> None:
        self.holders.pop(key, None)


class Drawer:
    """A codec of one's own: tokens are numbers."""

    def __init__(self) -> None:
        self.kept: list[tuple[bytes, Scope]] = []
        self.consumed: list[str] = []
        self.released: list[str] = []

    def encode(self, continuation: Continuation, scope: Scope) -> str:
        self.kept.append((continuation.bytes, scope))
        return f"drawer-{len(self.kept) - 1}"

    async def read(self, token: str, scope: Scope) -> Opened:
        await asyncio.sleep(0)
        data, written = self.kept[int(token.removeprefix("drawer-"))]
        if written.context != scope.context:
            raise ValueError("another's drawer")
        return Opened(Continuation(data), ticket=token)

    def consume(self, ticket: str) -> None:
        self.consumed.append(ticket)

    def release(self, ticket: str, continuation: Continuation | None) -> None:
        self.released.append(ticket)


@pytest.mark.parametrize(
    "of",
    [sealed(SECRET), signed([Key("new", SECRET), secrets.token_bytes(32)]), open_codec(), stored(), stored(Store()), codec(Drawer())],
    ids=["sealed", "signed", "open", "stored", "own store", "own codec"],
)
def test_a_token_is_looked_at_read_and_gone_on_from(of: Codec) -> None:
    runner = runner_with(of, audience="post")
    token = put_away(runner, "user 7")
    said = runner.inspect_sync(token, "user 7")
    assert (said.calls, said.over, said.name, [asked.host_function for asked in said.interruptions]) == (1, False, "script.js", ["mail"])
    assert runner.decode_sync(token, "user 7").run_id == said.run_id
    result = runner.resume_sync(token, [approve(said.interruptions[0].id)], context="user 7")
    assert result.unwrap() == "to ann"


def test_a_token_is_good_for_its_context_and_audience_alone() -> None:
    token = put_away(runner_with(sealed(SECRET), audience="post"), "user 7")
    for options, context in [({"audience": "post"}, "user 8"), ({"audience": "bank"}, "user 7"), ({}, "user 7")]:
        with pytest.raises(CodecError) as refused:
            runner_with(sealed(SECRET), **options).inspect_sync(token, context)
        assert refused.value.code.startswith("TOKEN_")
    with pytest.raises(CodecError):
        runner_with(sealed(secrets.token_bytes(32)), audience="post").inspect_sync(token, "user 7")
    with pytest.raises(CodecError) as none:
        runner_with(None).resume_sync(token)
    assert none.value.code == "NO_CODEC"


def test_a_token_expires() -> None:
    token = put_away(runner_with(sealed(SECRET, expires_in_ms=1000, skew_ms=0), time=1_000_000))
    assert runner_with(sealed(SECRET, skew_ms=0), time=1_000_500).inspect_sync(token).expires == 1_001_000
    with pytest.raises(CodecError) as late:
        runner_with(sealed(SECRET, skew_ms=0), time=1_002_000).inspect_sync(token)
    assert late.value.code == "TOKEN_EXPIRED"


def test_keys_are_texts_bytes_or_named_and_short_ones_are_refused() -> None:
    text = "k1:Zm9yIGRvY3VtZW50YXRpb24sIG5ldmVyIGZvciB1c2U"
    token = put_away(runner_with(sealed(text)))
    secret = b"for documentation, never for use"
    assert runner_with(sealed([SECRET, Key("k1", secret)])).inspect_sync(token).calls == 1
    with pytest.raises(OptionsError) as short:
        runner_with(sealed(b"short"))
    assert short.value.code == "KEY_SECRET_TOO_SHORT"
    assert "secret" not in repr(sealed(SECRET)) and SECRET.hex() not in repr(Key("a", SECRET))


def test_a_stored_token_is_good_once() -> None:
    store = Store()
    runner = runner_with(stored(store))
    token = put_away(runner)
    asked = runner.inspect_sync(token).interruptions[0]
    assert runner.resume_sync(token, [approve(asked.id)]).unwrap() == "to ann"
    with pytest.raises(CodecError) as used:
        runner.resume_sync(token, [deny(asked.id)])
    assert used.value.code == "TOKEN_USED"


def test_a_codec_of_ones_own_hears_what_came_of_a_token_and_may_refuse() -> None:
    drawer = Drawer()
    runner = runner_with(codec(drawer))
    token = put_away(runner, "user 7")
    with pytest.raises(CodecError, match="another's drawer"):
        runner.inspect_sync(token, "user 8")
    asked = runner.inspect_sync(token, "user 7").interruptions[0]
    runner.resume_sync(token, [approve(asked.id)], context="user 7")
    assert (drawer.consumed, drawer.released) == (["drawer-0"], [])


class Remembers:
    """Claims of one's own, for one process."""

    def __init__(self) -> None:
        self.points: dict[Point, tuple[str, bytes]] = {}

    def claim(self, point: Point, answers: str, now: int, lease: int) -> Claimed:
        known = self.points.get(point)
        if known is None:
            self.points[point] = (answers, b"")
            return Yours(1)
        if known[0] != answers:
            return Conflict(known[0])
        return Done(known[1])

    async def settle(self, point: Point, ticket: int, ledger: bytes, done: bool) -> None:
        await asyncio.sleep(0)
        assert done and ticket == 1
        self.points[point] = (self.points[point][0], ledger)

    def release(self, point: Point, ticket: int) -> None:
        del self.points[point]


@pytest.mark.parametrize("claims", ["memory", Remembers()], ids=["memory", "own"])
def test_the_same_answer_has_the_same_result_and_another_is_a_conflict(claims: Any) -> None:
    sent: list[str] = []
    runner = Runner(host_functions={"mail": approval(sent.append)}, claims=claims)
    put = runner.run_sync("await mail('ann'); return 'sent'")
    assert isinstance(put, Interrupted)
    yes = approve(put.interruptions[0].id)
    assert [runner.resume_sync(put.continuation, [yes]).unwrap() for _ in range(2)] == ["sent", "sent"]
    with pytest.raises(ResumeError) as conflict:
        runner.resume_sync(put.continuation, [deny(put.interruptions[0].id)])
    assert conflict.value.code == "RESOLUTION_CONFLICT" and conflict.value.winner is not None
    assert sent == ["ann"]
