#!/usr/bin/env bash
# What the command line does, on a real script: run by ./demo, which builds it first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/expenses"

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
show() { printf '\n\033[2m$ %s\033[0m\n' "$*"; "$@"; }

say 'A script of 130 lines reads expenses, converts them into euros and writes a report.'
echo 'It is lent four functions, and can do nothing else. Their types, for whoever writes scripts:'
show intermission types

say 'Its mistakes are found before it runs: here is one, in a copy.'
broken="$(mktemp -d)"
trap 'rm -rf "$broken"' EXIT
sed 's/await files.list({ folder/await files.lst({ foldr/' report.ts >"$broken/report.ts"
show intermission check "$broken/report.ts" --config intermission.toml || echo "(exit code $?)"

say 'The script itself is in order.'
show intermission check report.ts

say 'It runs. The value is on the standard output, the console on the standard error.'
show intermission run report.ts --input '{"month": "2025-03"}'
show cat out/2025-03.md
