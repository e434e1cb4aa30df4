"""One side of a token's way: makes one, or goes on from one."""

import os

from intermission import Interrupted, Map, Runner, approval, approve, host_function, sealed


@host_function(input={"type": "object"})
def find(_):
    return Map([("name", "ann")])


@approval
@host_function(input={})
def mail(to):
    return f"python sent to {to['name']}"


runner = Runner(
    host_functions={"users": {"find": find}, "mail": mail},
    codec=sealed(os.environ["KEY"]),
    audience="post",
)
token = os.environ.get("TOKEN")
if token is None:
    put = runner.run_sync(os.environ["SCRIPT"])
    assert isinstance(put, Interrupted)
    print(runner.encode_sync(put.continuation, "user 7"), end="")
else:
    [asked] = runner.inspect_sync(token, "user 7").interruptions
    done = runner.resume_sync(token, [approve(asked.id)], context="user 7").unwrap()
    print(f"{done[0]['name']}, {done[1]}", end="")
