#!/usr/bin/env bash
# Builds the native layer for this machine, into the package: ./build.sh [debug|release]
# `python -m pytest` in the virtual environment that ./test.sh makes then tests it. A wheel is made by maturin: README.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

profile=${1:-release}
# With all the others where they are built alike: by itself it would ask for other features of what it depends on.
if [ "$profile" = debug ]; then
    cargo build --locked --workspace --all-targets
else
    cargo build --locked --package intermission-python --release
fi

# Where cargo has put it: the target folder may be anywhere.
target=$(cargo metadata --format-version 1 --no-deps --locked | python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')
case "$(uname -s)" in
    Darwin) library=libintermission_python.dylib ;;
    *) library=libintermission_python.so ;;
esac
# In place of the old file, never into it: a process may have it open.
cp "$target/$profile/$library" python/intermission/_native.abi3.so.new
mv python/intermission/_native.abi3.so.new python/intermission/_native.abi3.so
