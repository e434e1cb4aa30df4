"""Answers rates.lookup from rates.json."""

import json
import sys
from pathlib import Path

RATES = Path(__file__).resolve().parent.parent / "rates.json"


def lookup(currency: str, month: str) -> float:
    rates = json.loads(RATES.read_text(encoding="utf-8"))
    if month not in rates:
        sys.exit(f"no rates for {month}; there are those of {', '.join(rates)}")
    if currency not in rates[month]:
        sys.exit(f"no rate for {currency} in {month}; there are {', '.join(rates[month])}")
    return rates[month][currency]


if __name__ == "__main__":
    json.dump(lookup(**json.load(sys.stdin)), sys.stdout)
