"""The scripted host of conformance/README.md as a program: one call, one process.

host.py MEMORY FUNCTION: MEMORY is a file with a line for each call that was carried out, FUNCTION is the function's JSON.
"""

import fcntl
import json
import os
import sys
import time

# How many milliseconds one of `wait` takes: longer than processes differ in how quickly they start.
SLOWNESS = 20


def main():
    memory_path, function = sys.argv[1], json.loads(sys.argv[2])
    call = {
        "function": os.environ["INTERMISSION_HOST_FUNCTION"],
        "argument": json.load(sys.stdin),
        "request_index": int(os.environ["INTERMISSION_REQUEST_INDEX"]),
        "key": os.environ["INTERMISSION_IDEMPOTENCY_KEY"],
    }
    with open(memory_path, "a+", encoding="utf-8") as memory:
        fcntl.flock(memory, fcntl.LOCK_EX)
        memory.seek(0)
        outcome = carry_out(function, call, [json.loads(line) for line in memory])
        if outcome["is"] != "ask" and not outcome.pop("again", False):
            print(json.dumps(call | outcome), file=memory, flush=True)
    tell(outcome)


def carry_out(function, call, before):
    if function["effect"] == "idempotent":
        for done in before:
            if done["is"] == "value" and done["key"] == call["key"]:
                return {"is": "value", "value": done["value"], "again": True}
    failures = [done for done in before if done["function"] == call["function"] and done["is"] == "error"]
    if function["does"] == "fail" or len(failures) < function["fails"]:
        argument = call["argument"]
        usual = {"message": argument if isinstance(argument, str) else json.dumps(argument)}
        return {"is": "error", "error": function["error"] or usual}
    match function["does"]:
        case "echo":
            return {"is": "value", "value": call["argument"]}
        case "give":
            return {"is": "value", "value": function["value"]}
        case "wait":
            return {"is": "value", "value": call["argument"]["value"], "ms": call["argument"]["ms"]}
        case "ask":
            return ask(function, call)
        case "never":
            return {"is": "never"}


def ask(function, call):
    resume = json.loads(os.environ.get("INTERMISSION_RESUME", "null"))
    answers = []
    if resume:
        answers = [*(resume["state"] or []), resume["resolution"]]
    if len(answers) < function["times"]:
        question = {"payload": {"q": call["argument"]}, "state": answers}
        return {"is": "ask", "question": question}
    return {"is": "value", "value": answers[0] if function["times"] <= 1 else answers}


def tell(outcome):
    match outcome["is"]:
        case "value":
            time.sleep(outcome.get("ms", 0) * SLOWNESS / 1000)
            print(json.dumps(outcome["value"]))
        case "error":
            sys.exit(outcome["error"]["message"])
        case "ask":
            print(json.dumps(outcome["question"]))
            sys.exit(75)
        case "never":
            time.sleep(3600)


main()
