#!/usr/bin/env bash
# Makes a virtual environment in .venv with what the tests need, if it is not there yet, and runs them. What is given goes to pytest: ./test.sh -k asyncio. The package has to be built: ./build.sh [debug|release]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

if ! cmp -s requirements.txt .venv/installed.txt; then
    python3 -m venv --clear .venv
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement requirements.txt
    cp requirements.txt .venv/installed.txt
fi
.venv/bin/python -m pytest --numprocesses 2 "$@"
