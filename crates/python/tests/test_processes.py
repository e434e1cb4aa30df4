"""Processes end as they should, whatever is open; and keep nothing of what they have run."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from short import KINDS

HERE = Path(__file__).parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

#: How many processes: `EXITS=200` for as many as there are to be shown.
COUNT = int(os.environ.get("EXITS", 2 * len(KINDS)))
#: How many runs: `RUNS=100000` likewise.
RUNS = os.environ.get("RUNS", "3000")


def exit_of(kind: str) -> str:
    command = [sys.executable, str(HERE / "short.py"), kind]
    ended = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=120)
    return "exit 0" if ended.returncode == 0 else f"{kind}: {ended.returncode} {ended.stderr}"


def test_short_processes_exit_with_0_whatever_is_open() -> None:
    kinds = [list(KINDS)[place % len(KINDS)] for place in range(COUNT)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(exit_of, kinds)) == ["exit 0"] * COUNT


def test_a_process_that_runs_many_scripts_keeps_nothing_of_them() -> None:
    command = [sys.executable, str(HERE / "memory.py"), RUNS]
    kept = int(subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, check=True).stdout)
    assert kept < 16 << 20, f"{kept / 2**20:.1f} MiB more after {RUNS} runs than after a tenth of them"
