#!/usr/bin/env bash
# What the command line does, on a real script: run by ./demo, which builds it first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/expenses"

bold='' dim='' plain=''
if [[ -t 1 && -z "${NO_COLOR:-}" ]]; then bold=$'\e[1m' dim=$'\e[2m' plain=$'\e[0m'; fi

say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
# Errors among the results, in the order in which a terminal shows them.
show() { printf '\n%s$ %s%s\n' "$dim" "$1" "$plain"; eval "$1" 2>&1; }

say "report.ts, $(wc -l <report.ts) lines of TypeScript, reads expenses, converts them into euros and writes a report."
echo 'It is lent four functions, and can do nothing else. Their types, for whoever writes scripts:'
show 'intermission types'

say 'Mistakes are found before anything runs. Here are two, put into a copy:'
show 'sed "s/files.list(/files.lst(/; s/{ path, text:/{ file: path, text:/" report.ts | intermission check -' ||
    echo "(exit code $?)"

say 'The script itself is in order.'
show 'intermission check report.ts && echo "nothing found"'

say 'It runs. Its value is JSON on the standard output, its console is on the standard error.'
show "intermission run report.ts --input '{\"month\": \"2025-03\"}'"
show 'cat out/2025-03.md'

say 'It cannot do more than it is lent, or use more than it is allowed:'
show "echo 'await fetch(\"http://example.org\")' | intermission run -" || echo "(exit code $?)"
show "echo 'try { for (;;); } finally { return 1 }' | intermission run - --cpu 200ms" || echo "(exit code $?)"

source ../pauses.sh
