"""Answers mail.send: puts a letter into the folder out, as a file that is named after the call's idempotency key.

The same call made again finds its letter there and writes nothing.
"""

import json
import os
import sys
from pathlib import Path

OUT = Path(__file__).resolve().parent.parent / "out"


def send(key: str, to: str, subject: str, text: str) -> dict[str, str]:
    OUT.mkdir(exist_ok=True)
    letter = OUT / f"{key}.txt"
    if not letter.exists():
        letter.write_text(f"To: {to}\nSubject: {subject}\n\n{text}\n", encoding="utf-8")
        with (OUT / "sent.log").open("a", encoding="utf-8") as log:
            log.write(f"{subject}: {to}\n")
    return {"letter": letter.name}


if __name__ == "__main__":
    json.dump(send(os.environ["INTERMISSION_IDEMPOTENCY_KEY"], **json.load(sys.stdin)), sys.stdout)
