# The second part of the demonstration: one run in four processes. demo.sh sources it.

cd ../reminders
rm -rf out
kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT
export RUN="$kept/reminders.imt" ASKED="$kept/asked.json"
INTERMISSION_KEY=$(python3 -c 'import secrets; print(secrets.token_hex(32))')
export INTERMISSION_KEY

# The id of the question in which a text stands.
id() {
    python3 - "$1" <<'PYTHON'
import json, os, sys

with open(os.environ["ASKED"], encoding="utf-8") as file:
    asked = json.load(file)["interruptions"]
print(next(one["id"] for one in asked if sys.argv[1] in json.dumps(one)))
PYTHON
}

say 'A run can stop and ask. reminders.ts asks a clerk, and has each of its letters approved:'
show 'grep -n "await" reminders.ts'

say 'The first process ends where somebody is asked. What is asked is JSON; the run is in a file, sealed with a key.'
show "intermission run reminders.ts --input '{\"today\": \"2025-04-10\"}' --no-ask --continuation \"\$RUN\" >\"\$ASKED\"" ||
    echo "(exit code $?)"
show 'intermission inspect "$RUN"'

say 'The second process has the answer. It goes on from there, and stops at the letters.'
show "intermission resume \"\$RUN\" --answer $(id Waive)=true --no-ask >\"\$ASKED\"" || echo "(exit code $?)"
show 'intermission inspect "$RUN" | grep -A 8 "mail.send needs"'

say 'The third process approves one letter, denies the next, and mends an address in the last.'
letter='{"to": "donald@example.com", "subject": "Invoice R-1006", "text": "Dear Donald KG,\n\n€310.40 are due."}'
show "intermission resume \"\$RUN\" --approve $(id R-1001) --deny $(id R-1002) --reason 'they have paid' --edit $(id R-1006)='$letter'"
show 'cat out/sent.log'

say 'Nothing happens twice: a fourth process gets the same value from the same file, and sends nothing.'
show 'intermission resume "$RUN" >/dev/null && cat out/sent.log'

say 'A replay checks a script against what happened, and calls nobody. A mended script passes, another one does not:'
show 'sed "s/small amounts are waived/waived/" reminders.ts >"$RUN.ts"; intermission replay "$RUN" --source "$RUN.ts"'
show 'sed "s/Invoice \${number}/Bill \${number}/" reminders.ts >"$RUN.ts"; intermission replay "$RUN" --source "$RUN.ts"' ||
    echo "(exit code $?)"
