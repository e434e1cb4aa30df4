"""Answers orders.find out of orders.json."""

import json
import sys
from pathlib import Path

ORDERS = Path(__file__).resolve().parent.parent / "orders.json"


def main() -> None:
    number = json.load(sys.stdin)["order"]
    orders = json.loads(ORDERS.read_text(encoding="utf-8"))
    if number not in orders:
        sys.exit(f"there is no order {number}")
    json.dump({"order": number, **orders[number]}, sys.stdout)


if __name__ == "__main__":
    main()
