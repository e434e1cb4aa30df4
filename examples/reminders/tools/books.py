"""Answers books.invoices from invoices.csv."""

import csv
import json
import sys
from pathlib import Path

INVOICES = Path(__file__).resolve().parent.parent / "invoices.csv"


def invoices(status: str) -> list[dict[str, object]]:
    with INVOICES.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["status"] == status]
    return [{**row, "amount": float(row["amount"])} for row in sorted(rows, key=lambda row: row["number"])]


if __name__ == "__main__":
    json.dump(invoices(**json.load(sys.stdin)), sys.stdout)
