# The second part of the demonstration: one run in four processes. demo.sh sources it.

cd ../reminders
rm -rf out .intermission
kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT
export ASKED="$kept/asked.json"
# Who answers.
export USER=ada

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

say 'The first process ends where somebody is asked. What is asked is JSON; the run is in the store.'
show "intermission run reminders.ts --input '{\"today\": \"2025-04-10\"}' --no-ask >\"\$ASKED\"" ||
    echo "(exit code $?)"
show 'intermission runs; intermission inbox --no-ask'

say 'The second process has the answer. It goes on from there, and stops at the letters.'
show "intermission resume latest --answer $(id Waive)=true --no-ask >\"\$ASKED\"" || echo "(exit code $?)"
show 'intermission inspect latest | grep -A 8 "mail.send needs"'

say 'The third process approves one letter, denies the next, and mends an address in the last.'
letter='{"to": "donald@example.com", "subject": "Invoice R-1006", "text": "Dear Donald KG,\n\n€310.40 are due."}'
show "intermission resume latest --approve $(id R-1001) --deny $(id R-1002) --reason 'they have paid' --edit $(id R-1006)='$letter'"
show 'cat out/sent.log'

say 'What it did, and who answered what:'
show 'intermission show latest'

say 'Nothing happens twice: a fourth process gets the same value, and sends nothing.'
show 'intermission resume latest >/dev/null && cat out/sent.log'

say 'A replay checks a script against what happened, and calls nobody. A mended script passes, another one does not:'
export MENDED="$kept/mended.ts"
show 'sed "s/small amounts are waived/waived/" reminders.ts >"$MENDED"; intermission replay latest --source "$MENDED"'
show 'sed "s/Invoice \${number}/Bill \${number}/" reminders.ts >"$MENDED"; intermission replay latest --source "$MENDED"' ||
    echo "(exit code $?)"

source ../kill.sh
