"""Answers payments.refund: a line of out/refunds.log stands for money that has gone out.

The bank takes a second to confirm. The same call made again, by whatever process, has the same idempotency key: it finds its line, and pays nothing.
"""

import json
import os
import sys
import time
from pathlib import Path

LOG = Path(__file__).resolve().parent.parent / "out" / "refunds.log"


def refund(key: str, order: str, amount: float) -> dict[str, str]:
    LOG.parent.mkdir(exist_ok=True)
    LOG.touch()
    if key not in LOG.read_text(encoding="utf-8"):
        with LOG.open("a", encoding="utf-8") as log:
            log.write(f"{key} {order} {amount}\n")
        time.sleep(1)
    return {"receipt": f"receipt-{order}"}


if __name__ == "__main__":
    json.dump(refund(os.environ["INTERMISSION_IDEMPOTENCY_KEY"], **json.load(sys.stdin)), sys.stdout)
