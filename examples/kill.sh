# The third part of the demonstration: a process that is killed in the middle of a payment. pauses.sh sources it.

cd ../refund
rm -rf out .intermission

say 'A process may die at any moment. refund.ts pays money back; from 100 on somebody is asked, says the policy:'
show 'grep -A 9 "^\[\[policy" intermission.toml'
show "intermission run refund.ts --input '{\"order\": \"R-7\", \"reason\": \"broken\"}' --no-ask >/dev/null" || echo "(exit code $?)"

say 'It is approved, and the bank is at work, when the process is killed:'
id=$(intermission inbox --json | python3 -c 'import json, sys; print(json.load(sys.stdin)[0]["id"])')
show "intermission resume latest --approve $id --no-ask & until test -s out/refunds.log; do sleep 0.1; done; kill -9 \$!"
wait 2>/dev/null || true
show 'intermission runs; cat out/refunds.log'

say 'Another process goes on with it. The money has gone out once:'
show 'intermission resume latest; cat out/refunds.log'
